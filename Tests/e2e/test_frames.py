"""Frames at the edge of the standard and beyond it: the exact close code, no memory for what was only announced, and
nothing lost between reads."""

import json
import struct

import pytest

from server import ServerProcess
from wire import BINARY, CLOSE, PING, PONG, TEXT, Canary, Wire, close_frame, frame, hello, message, until

MIB = 1024 * 1024


def length_16(count, first=0x81):
    return struct.pack(">BBH", first, 0xFE, count)


def length_64(count, first=0x81):
    return struct.pack(">BBQ", first, 0xFF, count)


BROKEN = {
    # A01: a length beyond Int kills nobody. F05: its kin, judged before any byte of the payload.
    "length with all bits set": (b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00", 1002),
    "length of 2^63": (length_64(2 ** 63), 1002),
    "length of 2^63 - 1": (length_64(2 ** 63 - 1), 1009),
    "length of 2^62": (length_64(2 ** 62, 0x82), 1009),
    "length of 4 GiB": (length_64(2 ** 32, 0x82), 1009),
    "length of 4 GiB without FIN": (length_64(2 ** 32, 0x01), 1009),
    "length over 4 MiB": (length_64(4 * MIB + 1), 1009),
    "continuation that would pass 4 MiB": (frame(TEXT, b"a" * 1_000, fin=False) + length_64(4 * MIB - 999, 0x80), 1009),
    "0 in 16 bits": (length_16(0), 1002),
    "125 in 16 bits": (length_16(125), 1002),
    "0 in 64 bits": (length_64(0), 1002),
    "65 535 in 64 bits": (length_64(65_535), 1002),
    "125 in 64 bits, of a continuation": (frame(TEXT, b"a", fin=False) + length_64(125, 0x80), 1002),
    # F06
    "text without a mask": (frame(TEXT, b"hello", mask=b""), 1002),
    "ping without a mask": (frame(PING, b"", mask=b""), 1002),
    "close without a mask": (b"\x88\x00", 1002),
    **{f"reserved bits {rsv} on {name}": (frame(opcode, b"", rsv=rsv), 1002)
       for rsv in (1, 2, 3, 4, 5, 6, 7) for name, opcode in (("text", TEXT), ("ping", PING), ("close", CLOSE))},
    "reserved bit on a continuation": (frame(TEXT, b"a", fin=False) + frame(0, b"b", rsv=4), 1002),
    **{f"reserved opcode {opcode}": (frame(opcode, b"a"), 1002) for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)},
    # F07
    "text inside a fragmented message": (frame(TEXT, b"a", fin=False) + frame(TEXT, b"b"), 1002),
    "binary inside a fragmented text": (frame(TEXT, b"a", fin=False) + frame(BINARY, b"b"), 1002),
    "continuation of nothing": (frame(0, b"a"), 1002),
    # F08
    "ping over 125 bytes": (frame(PING, b"a" * 126), 1002),
    "pong over 125 bytes": (length_64(2 ** 40, 0x8A), 1002),
    "close over 125 bytes": (close_frame(1000, b"a" * 124), 1002),
    "ping in fragments": (frame(PING, b"a", fin=False), 1002),
    "close in fragments": (frame(CLOSE, b"", fin=False), 1002),
    "ping as a continuation's beginning": (frame(TEXT, b"a", fin=False) + frame(PING, b"b", fin=False), 1002),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_frame_closes_with_its_code(server, name):
    data, code = BROKEN[name]
    # As the first frame, and behind good ones in the same write.
    for behind in (data, hello() + frame(PING) + data):
        with Wire(server, behind=behind) as wire:
            assert wire.read_close() == code
    assert server.is_alive()


# A01
def test_length_beyond_int_closes_one_connection_and_no_other(server, canary):
    for cut in range(1, 14):
        header = b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00"
        with Wire(server, behind=header[:cut]) as wire:
            wire.send_what_it_takes(header[cut:])
            assert wire.read_close() == 1002
        canary.check()


# A02, F05
def test_announced_length_takes_no_memory():
    attacks = [length_64(2 ** 32, 0x82) + b"\x01\x02\x03\x04", length_64(2 ** 63 - 1), length_64(4 * MIB + 1, 0x82)]

    def attack(server, data, code=1009):
        with Wire(server, behind=data) as wire:
            assert wire.read_close() == code

    with ServerProcess(CHALKLINE_SHARDS="1") as server:
        canary = Canary(server)
        for _ in range(20):
            for data in attacks:
                attack(server, data)
        base = server.resident_bytes()
        attack(server, attacks[0])
        assert server.resident_bytes() - base < 65_536
        # What is allowed but never comes takes none either: 50 clients that announce 256 KiB each and stop.
        held = [Wire(server, behind=length_64(262_144) + b"\x01\x02\x03\x04") for _ in range(50)]
        canary.check()
        assert server.resident_bytes() - base < 50 * 65_536
        for wire in held:
            wire.reset()
        canary.check()
        canary.close()


# A03, F08
def test_delta_in_fragments_is_one_and_a_ping_between_them_is_answered_at_once(server, canary):
    with Wire(server, behind=hello()) as wire:
        wire.send(message(type="screen.snapshot", revision=1, elements=[
            {"id": "l1", "type": "math", "content": "2x + 3 = 7", "box": [0.1, 0.1, 0.4, 0.05]}]))
        assert wire.read_message("screen.ack")["revision"] == 1
        delta = json.dumps({"type": "screen.delta", "id": "d", "base": 1, "revision": 2, "add": [
            {"id": "l2", "type": "math", "content": "2x = 4 你好", "box": [0.1, 0.2, 0.4, 0.05]}]},
            ensure_ascii=False).encode()
        cut = delta.index("你".encode()) + 1  # inside a character
        wire.send(frame(TEXT, delta[:20], fin=False), frame(0, delta[20:cut], fin=False), frame(PING, b"between"))
        pong = wire.read_frame()
        assert (pong.opcode, pong.payload) == (PONG, b"between")
        wire.send(frame(0, delta[cut:]), message(type="ping", t=1))
        answers = [f.json for f in wire.read_until(lambda f: f.json["type"] == "pong")]
        assert answers[0] == {"type": "screen.ack", "re": "d", "revision": 2, "elements": 2} and len(answers) == 2


def burst():
    """40 deltas on a screen of four elements: 300 KiB of frames, the most that a client may send at once."""
    box = [0.1, 0.1, 0.4, 0.05]
    elements = [{"id": f"e{i}", "type": "text", "content": "a", "box": box} for i in range(4)]
    deltas = [message(
        type="screen.delta", base=r, revision=r + 1,
        update=[{"id": f"e{i}", "content": f"{r}-{i} ".ljust(1_900, "x")} for i in range(4)]) for r in range(1, 41)]
    return message(type="screen.snapshot", revision=1, elements=elements), b"".join(deltas)


# A13
@pytest.mark.parametrize("piece", [None, 1], ids=["in one write", "a byte at a time"])
def test_burst_of_deltas_is_acked_without_another_byte(server, canary, piece):
    snapshot, deltas = burst()
    assert len(deltas) >= 300 * 1024
    with Wire(server, behind=hello() + snapshot) as wire:
        assert wire.read_message("screen.ack")["revision"] == 1
        if piece:
            for place in range(0, len(deltas), piece):
                wire.socket.send(deltas[place:place + piece])
        else:
            wire.send(deltas)
        acked = [wire.read_message("screen.ack")["revision"] for _ in range(40)]
        assert acked == list(range(2, 42))


INVALID_UTF8 = {
    "a continuation byte": b"\x80", "a start without its rest": b"\xc3", "overlong slash": b"\xc0\xaf",
    "overlong in three bytes": b"\xe0\x80\xaf", "overlong in four bytes": b"\xf0\x80\x80\xaf",
    "a surrogate": b"\xed\xa0\x80", "a pair of surrogates": b"\xed\xa0\xbd\xed\xb8\x80",
    "beyond the last character": b"\xf4\x90\x80\x80", "five bytes": b"\xf8\x88\x80\x80\x80", "FF": b"\xff", "FE": b"\xfe",
}


# F10
@pytest.mark.parametrize("name", INVALID_UTF8)
def test_invalid_utf8_closes_with_1007(server, name):
    text = b'{"type":"ping","x":"' + INVALID_UTF8[name] + b'"}'
    with Wire(server, behind=frame(TEXT, text)) as wire:
        assert wire.read_close() == 1007
    with Wire(server) as wire:
        for byte in text:
            if not wire.send_what_it_takes(frame(TEXT if byte == text[0] else 0, bytes([byte]), fin=False)):
                break
        assert wire.read_close() == 1007
    with Wire(server, behind=close_frame(1000, INVALID_UTF8[name])) as wire:
        assert wire.read_close() == 1007


# F10
def test_invalid_utf8_is_told_inside_an_unfinished_fragment(server, canary):
    # 10 of 1 000 bytes of a message without FIN: the fault is known, so nobody waits for the rest.
    with Wire(server, behind=length_16(1_000, 0x01) + b"\0\0\0\0" + b"good \xed\xa0\x80 no") as wire:
        assert wire.read_close() == 1007


# F10
def test_character_split_over_frames_and_writes_is_whole(server):
    text = json.dumps({"type": "ping", "id": "你好👩‍🏫", "t": 5}, ensure_ascii=False).encode()
    with Wire(server) as wire:
        for place in range(len(text)):
            wire.send(frame(0 if place else TEXT, text[place:place + 1], fin=place == len(text) - 1))
        assert wire.read_message("pong")["re"] == "你好👩‍🏫"


def test_message_read_past_leaves_no_memory_behind():
    with ServerProcess(CHALKLINE_SHARDS="1") as server:
        canary = Canary(server)

        def round(count):
            with Wire(server, behind=hello()) as wire:
                wire.read_message("welcome")
                wire.send(frame(TEXT, b"x" * count))
                assert wire.read_message("error")["code"] == "too_large"

        round(4 * MIB)
        base = server.resident_bytes()
        server.forget_peak()
        for count in (300_000, MIB, 4 * MIB):
            round(count)
        assert server.peak_bytes() - base < MIB
        canary.check()
        assert until(lambda: server.resident_bytes() - base < MIB)
        canary.close()
