"""Extensions: what a reply may name, and what a client that was promised nothing must never see."""

import zlib

import pytest

from server import ServerProcess
from wire import BINARY, PING, TEXT, Canary, Wire, frame, hello, message

KIB, MIB = 1024, 1024 * 1024


def extensions(wire):
    """The values of the reply's extension fields."""
    lines = wire.head.decode("latin-1").split("\r\n")
    return [line.split(":", 1)[1].strip() for line in lines if line.lower().startswith("sec-websocket-extensions:")]


def deflated(data):
    """As RFC 7692 sends it: a raw stream, flushed, without the four bytes that every flush ends in."""
    engine = zlib.compressobj(9, zlib.DEFLATED, -15)
    parts = [engine.compress(data), engine.flush(zlib.Z_SYNC_FLUSH)]
    return b"".join(parts).removesuffix(b"\x00\x00\xff\xff")


@pytest.fixture
def deflating():
    """A server that negotiates permessage-deflate; skipped while this one does not."""
    with ServerProcess(CHALKLINE_SHARDS="1") as server:
        with Wire(server, Sec_WebSocket_Extensions="permessage-deflate") as wire:
            if not any(value.startswith("permessage-deflate") for value in extensions(wire)):
                pytest.skip("the server does not negotiate permessage-deflate")
        yield server


# A07
@pytest.mark.parametrize("offer", [
    "x-webkit-deflate-frame", "x-webkit-deflate-frame; no_context_takeover", "deflate-frame", "mux, bbf-usp-protocol",
    "permessage-bzip2", "permessage-deflate-2", "x-webkit-deflate-frame, permessage-bzip2",
])
def test_offer_of_nothing_known_gets_a_reply_without_the_field(server, canary, offer):
    with Wire(server, Sec_WebSocket_Extensions=offer, behind=hello()) as wire:
        assert extensions(wire) == []
        assert wire.read_frame().json["type"] == "welcome"


# F11
@pytest.mark.parametrize("offer", [
    "permessage-deflate; server_max_window_bits=7", "permessage-deflate; server_max_window_bits=16",
    "permessage-deflate; server_max_window_bits", "permessage-deflate; client_max_window_bits=99",
    "permessage-deflate; server_max_window_bits=012", "permessage-deflate; unknown",
    "permessage-deflate; server_no_context_takeover=1",
    "permessage-deflate; client_no_context_takeover; client_no_context_takeover",
])
def test_offer_that_breaks_the_rules_is_declined_and_the_socket_opened(server, offer):
    with Wire(server, Sec_WebSocket_Extensions=offer, behind=hello()) as wire:
        assert extensions(wire) == []
        assert wire.read_frame().json["type"] == "welcome"


# A08
def test_client_without_an_offer_sees_no_reserved_bit(server, canary):
    elements = [{"id": f"l{i}", "type": "math", "content": text, "box": [0.1, 0.1 * i, 0.4, 0.05]}
                for i, text in enumerate(["3(x - 2) = 12", "3x - 6 = 12", "3x = 6", "x = 2"], 1)]
    with Wire(server, behind=hello()) as wire:
        assert extensions(wire) == []
        wire.send(message(type="screen.snapshot", revision=1, elements=elements),
                  message(type="ask", id="q", text="Why is this wrong? Please explain it at length, step by step."))
        frames = wire.read_until(lambda f: f.json["type"] == "turn.end")
        assert len(frames) > 20 and {f.rsv for f in frames} == {0} and {f.opcode for f in frames} == {TEXT}


# F11
@pytest.mark.parametrize("data", [
    frame(TEXT, deflated(b'{"type":"ping"}'), rsv=4), frame(BINARY, b"", rsv=4), frame(PING, b"", rsv=4),
], ids=["text", "binary", "ping"])
def test_compressed_frame_without_an_agreement_closes_with_1002(server, canary, data):
    with Wire(server, behind=data) as wire:
        assert wire.read_close() == 1002


# A09
def test_frame_that_inflates_without_bound_closes_with_1009_and_takes_little_memory(deflating):
    offer = {"Sec_WebSocket_Extensions": "permessage-deflate"}
    bomb = deflated(bytes(60 * MIB))
    assert len(bomb) < 64 * KIB
    canary = Canary(deflating)

    def attack(data):
        with Wire(deflating, behind=data, **offer) as wire:
            assert wire.read_close() == 1009

    # The bomb as text and in fragments, at the first frame; once before, so that buffers of every connection are there.
    attack(frame(TEXT, bomb, rsv=4))
    base = deflating.resident_bytes()
    deflating.forget_peak()
    attack(frame(TEXT, bomb, rsv=4))
    pieces = [bomb[i:i + KIB] for i in range(0, len(bomb), KIB)]
    attack(b"".join(frame(0 if i else TEXT, piece, rsv=0 if i else 4, fin=i == len(pieces) - 1)
                    for i, piece in enumerate(pieces)))
    assert deflating.peak_bytes() - base < MIB
    canary.check()
    canary.close()


# F11
@pytest.mark.parametrize("data, code", [
    (frame(TEXT, b"\xff\xff\xff\xff garbage", rsv=4), 1007), (frame(TEXT, b"\x07", rsv=4), 1007),
    (frame(TEXT, deflated(b'{"type":"ping","x":"\xed\xa0\x80"}'), rsv=4), 1007),
    (frame(TEXT, deflated(b"{}"), rsv=6), 1002), (frame(PING, b"", rsv=4), 1002),
    (frame(TEXT, deflated(b"{}")[:1], rsv=4, fin=False) + frame(0, deflated(b"{}")[1:], rsv=4), 1002),
], ids=["garbage", "an unknown block", "text that is not UTF-8", "another bit too", "a control frame", "a continuation"])
def test_broken_compression_closes_with_its_code(deflating, data, code):
    canary = Canary(deflating)
    with Wire(deflating, behind=data, Sec_WebSocket_Extensions="permessage-deflate") as wire:
        assert wire.read_close() == code
    canary.check()
    canary.close()
