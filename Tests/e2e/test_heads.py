"""Request heads: what is refused, what is accepted, and that no split loses a frame behind the head."""

import time

import pytest

from wire import PING, PONG, TEXT, Wire, frame, hello, upgrade_head

OPENING = ("GET /v1/ws HTTP/1.1\r\n", "Upgrade: websocket\r\nConnection: Upgrade\r\n"
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
           "Sec-WebSocket-Protocol: chalkline.v1\r\n\r\n")


def opening(headers="Host: h\r\n", line=OPENING[0]):
    """A good upgrade but for one place: each row below would be a WebSocket if its fault were overlooked."""
    return (line + headers + OPENING[1]).encode("latin-1")


def target(text):
    return opening(line=f"GET {text} HTTP/1.1\r\n")


MALFORMED = {
    # Line ends.
    "line feeds only": (opening().replace(b"\r\n", b"\n"), 400),
    "line feed after the request line": (opening(line="GET /v1/ws HTTP/1.1\n"), 400),
    "line feed after a header": (opening("Host: h\n"), 400),
    "line feed for the empty line": (opening()[:-2] + b"\n", 400),
    "carriage return in a value": (opening("Host: h\r\nA: b\rc\r\n"), 400),
    "carriage return before a header": (opening("Host: h\r\n\rA: b\r\n"), 400),
    "two empty lines in front": (b"\r\n\r\n" + opening(), 400),
    # The request line.
    "two spaces after the method": (opening(line="GET  /v1/ws HTTP/1.1\r\n"), 400),
    "two spaces before the version": (opening(line="GET /v1/ws  HTTP/1.1\r\n"), 400),
    "space in front": (opening(line=" GET /v1/ws HTTP/1.1\r\n"), 400),
    "space behind": (opening(line="GET /v1/ws HTTP/1.1 \r\n"), 400),
    "tab for a space": (opening(line="GET\t/v1/ws HTTP/1.1\r\n"), 400),
    "no version": (opening(line="GET /v1/ws\r\n"), 400),
    "no target": (opening(line="GET HTTP/1.1\r\n"), 400),
    "a method that is no token": (opening(line="GE(T /v1/ws HTTP/1.1\r\n"), 400),
    "a version in small letters": (opening(line="GET /v1/ws http/1.1\r\n"), 400),
    "a version of two digits": (opening(line="GET /v1/ws HTTP/1.10\r\n"), 400),
    "a version without a dot": (opening(line="GET /v1/ws HTTP/11\r\n"), 400),
    "HTTP/2.0": (opening(line="GET /v1/ws HTTP/2.0\r\n"), 505),
    "HTTP/0.9": (opening(line="GET /v1/ws HTTP/0.9\r\n"), 505),
    "HTTP/1.2": (opening(line="GET /v1/ws HTTP/1.2\r\n"), 505),
    "HTTP/1.0": (opening(line="GET /v1/ws HTTP/1.0\r\n"), 400),
    "a NUL in the target": (target("/v1/ws\0"), 400),
    "a high byte in the target": (target("/v1/ws\xe9"), 400),
    "a fragment": (target("/v1/ws#x"), 400),
    "a relative target": (target("v1/ws"), 400),
    "an asterisk": (target("*"), 400),
    "a host and port as the target": (target("h:443"), 400),
    "another scheme": (target("ftp://h/v1/ws"), 400),
    "a scheme without a host": (target("http:///v1/ws"), 400),
    "a user in the target": (target("http://u@h/v1/ws"), 400),
    "a target over its limit": (target("/v1/ws?" + "a" * 5_000), 414),
    "a line without an end": (b"GET /" + b"a" * 20_000, 414),
    # Header lines.
    "space before the colon": (opening("Host : h\r\n"), 400),
    "tab before the colon": (opening("Host: h\r\nA\t: b\r\n"), 400),
    "no colon": (opening("Host: h\r\nA\r\n"), 400),
    "no name": (opening("Host: h\r\n: b\r\n"), 400),
    "a name that is no token": (opening("Host: h\r\nA(: b\r\n"), 400),
    "a high byte in a name": (opening("Host: h\r\n\xc4: b\r\n"), 400),
    "a NUL in a name": (opening("Host: h\r\nA\0: b\r\n"), 400),
    "a NUL in a value": (opening("Host: h\r\nA: b\0c\r\n"), 400),
    "a control byte in a value": (opening("Host: h\r\nA: b\x01\r\n"), 400),
    "a DEL in a value": (opening("Host: h\r\nA: b\x7f\r\n"), 400),
    "a line folded with a space": (opening("Host: h\r\nA: b\r\n c\r\n"), 400),
    "a line folded with a tab": (opening("Host: h\r\nA: b\r\n\tc\r\n"), 400),
    "the first header folded": (opening(" Host: h\r\n"), 400),
    "one header over its limit": (opening("Host: h\r\nA: " + "b" * 9_000 + "\r\n"), 431),
    "a header without an end": (b"GET / HTTP/1.1\r\nHost: h\r\nA: " + b"b" * 20_000, 431),
    "all headers over their limit": (opening("Host: h\r\n" + "".join(f"A{i}: {'b' * 1_000}\r\n" for i in range(20))),
                                     431),
    "too many headers": (opening("Host: h\r\n" + "".join(f"A{i}: b\r\n" for i in range(101))), 431),
    # The host.
    "no host": (opening(""), 400),
    "an empty host": (opening("Host:\r\n"), 400),
    "two hosts": (opening("Host: a\r\nHost: b\r\n"), 400),
    "the same host twice": (opening("Host: a\r\nhost: a\r\n"), 400),
    "a list of hosts": (opening("Host: a, b\r\n"), 400),
    "a path in the host": (opening("Host: a/b\r\n"), 400),
    "a user in the host": (opening("Host: u@h\r\n"), 400),
    "no host but an absolute target": (opening("", line="GET http://h/v1/ws HTTP/1.1\r\n"), 400),
    # The body.
    "length and chunked": (opening("Host: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n"), 400),
    "chunked and length": (opening("Host: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n"), 400),
    "two lengths": (opening("Host: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n"), 400),
    "the same length twice": (opening("Host: h\r\nContent-Length: 3\r\nContent-Length: 3\r\n"), 400),
    "a list of lengths": (opening("Host: h\r\nContent-Length: 3, 3\r\n"), 400),
    "a negative length": (opening("Host: h\r\nContent-Length: -1\r\n"), 400),
    "a length with a sign": (opening("Host: h\r\nContent-Length: +3\r\n"), 400),
    "a hexadecimal length": (opening("Host: h\r\nContent-Length: 0x3\r\n"), 400),
    "an empty length": (opening("Host: h\r\nContent-Length:\r\n"), 400),
    "an upgrade with a body": (opening("Host: h\r\nContent-Length: 3\r\n"), 413),
    "a length beyond 64 bits": (opening("Host: h\r\nContent-Length: 99999999999999999999999\r\n"), 413),
    "a chunked upgrade": (opening("Host: h\r\nTransfer-Encoding: chunked\r\n"), 411),
    "an unknown coding": (opening("Host: h\r\nTransfer-Encoding: xchunked\r\n"), 501),
    "a list of codings": (opening("Host: h\r\nTransfer-Encoding: gzip, chunked\r\n"), 501),
}


# F02
@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_head_is_refused_and_the_connection_closed(server, name):
    request, status = MALFORMED[name]
    with Wire(server, upgrade=False) as wire:
        wire.send(request)
        # Read to the end of the stream: what would follow is never read as a request, and no reset cuts the answer.
        answer = wire.read_end()
        assert answer.startswith(f"HTTP/1.1 {status} ".encode()), answer[:200]
        assert answer.count(b"HTTP/1.1 ") == 1 and b"Connection: close" in answer


# A06
def test_upgrade_behind_two_thousand_headers_is_refused_whole(server, canary):
    letters = "abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+.^_`|~"
    names = [a + b for a in letters for b in letters]
    many = "".join(f"{name}: 1\r\n" for name in names[:2_000])
    for request in (opening("Host: h\r\n" + many), opening(many + "Host: h\r\n")):
        with Wire(server, upgrade=False) as wire:
            wire.send_what_it_takes(request)
            assert wire.read_end().startswith(b"HTTP/1.1 431 ")


GOOD_UPGRADES = {
    "Firefox's list": {"Connection": "keep-alive, Upgrade"},
    "other capitals": {"Connection": "uPgRaDe", "Upgrade": "WebSocket"},
    "a list of protocols": {"Upgrade": "h2c, websocket"},
    "empty members": {"Connection": ", ,Upgrade,"},
    "no space after the colon": {"Upgrade": "\twebsocket\t"},
}

BAD_UPGRADES = {
    "no Upgrade": ({"Upgrade": None}, 400),
    "another protocol": ({"Upgrade": "h2c"}, 400),
    "a protocol that begins alike": ({"Upgrade": "websocket2"}, 400),
    "an empty Upgrade": ({"Upgrade": ""}, 400),
    "no Connection": ({"Connection": None}, 400),
    "Connection without upgrade": ({"Connection": "keep-alive"}, 400),
    "upgrade in quotes": ({"Connection": '"Upgrade"'}, 400),
    "no key": ({"Sec_WebSocket_Key": None}, 400),
    "an empty key": ({"Sec_WebSocket_Key": ""}, 400),
    "a key of 15 bytes": ({"Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAA"}, 400),
    "a key of 17 bytes": ({"Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAAA="}, 400),
    "a key without padding": ({"Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ"}, 400),
    "a key that is no Base64": ({"Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZ-=="}, 400),
    "two keys": ({"Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="}, 400),
    "no version": ({"Sec_WebSocket_Version": None}, 426),
    "version 12": ({"Sec_WebSocket_Version": "12"}, 426),
    "version 013": ({"Sec_WebSocket_Version": "013"}, 426),
    "two versions": ({"Sec_WebSocket_Version": "13\r\nSec-WebSocket-Version: 8"}, 426),
    "a list of versions": ({"Sec_WebSocket_Version": "8, 13"}, 426),
    "a broken list of subprotocols": ({"Sec_WebSocket_Protocol": "chalkline.v1, a b"}, 400),
    "a subprotocol twice": ({"Sec_WebSocket_Protocol": "chalkline.v1, chalkline.v1"}, 400),
    "no subprotocol": ({"Sec_WebSocket_Protocol": None}, 400),
    "a broken list of extensions": ({"Sec_WebSocket_Extensions": "permessage-deflate; =10"}, 400),
}


# F03
@pytest.mark.parametrize("name", GOOD_UPGRADES)
def test_odd_but_legal_upgrade_is_accepted(server, name):
    with Wire(server, behind=hello(), **GOOD_UPGRADES[name]) as wire:
        assert wire.read_message("welcome")


# F03
@pytest.mark.parametrize("name", BAD_UPGRADES)
def test_wrong_upgrade_is_refused(server, name):
    fields, status = BAD_UPGRADES[name]
    with Wire(server, upgrade=False) as wire:
        wire.send(upgrade_head(server, **fields))
        answer = wire.read_end()
        assert answer.startswith(f"HTTP/1.1 {status} ".encode()), answer[:200]
        if status == 426:
            assert b"\r\nSec-WebSocket-Version: 13\r\n" in answer


# A04
def test_frames_in_the_write_of_the_upgrade_are_handled(server, canary):
    with Wire(server, behind=hello() + frame(PING, b"with the head")) as wire:
        frames = [wire.read_frame(), wire.read_frame()]
        assert {f.opcode for f in frames} == {TEXT, PONG}
        assert next(f for f in frames if f.opcode == TEXT).json["type"] == "welcome"
        assert next(f for f in frames if f.opcode == PONG).payload == b"with the head"


# F04
def test_head_split_at_any_byte_gives_the_same_and_loses_no_frame(server, canary):
    whole = upgrade_head(server) + hello() + frame(PING, b"p")
    wires = [Wire(server, upgrade=False) for _ in range(1, len(whole))]
    for place, wire in enumerate(wires, 1):
        wire.send(whole[:place])
    # Long enough that the server has read the first part of each by itself.
    time.sleep(0.2)
    for place, wire in enumerate(wires, 1):
        wire.send(whole[place:])
    heads = set()
    for wire in wires:
        heads.add(wire.read_head())
        frames = [wire.read_frame(), wire.read_frame()]
        assert {f.opcode for f in frames} == {TEXT, PONG}
        wire.reset()
    assert len(heads) == 1 and heads.pop().startswith(b"HTTP/1.1 101 ")
