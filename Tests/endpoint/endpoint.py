#!/usr/bin/env python3
"""A scripted OpenAI-compatible endpoint for tests. Standard library only; listens on 127.0.0.1.

    endpoint.py [--port 0] (--script FILE | --default) [--cert PEM --key PEM] [--until-stdin-closes]

Prints its port on the first line of stdout. Any POST whose path ends in /chat/completions gets the next scripted
answer. GET /_requests tells what was asked and how each connection went; DELETE /_requests forgets it; POST /_script
takes a new script. As a module: `async with Endpoint(script) as e: e.port, e.requests`, or `Endpoint.in_thread()`.

A script is {"answers": [ANSWER, ...]} or a list of answers, played in order and again from the first. An answer with
"match": TEXT is played only for a request whose body holds TEXT, and goes before those without it. ANSWER:

    {"say": "text"}        word by word, then finish "stop", a usage chunk and [DONE]
    {"steps": [STEP ...]}  as told, in order
    {"body": "text"}       a body as it is, with Content-Length; for errors, HTML, JSON
    {"recorded": "x.http"} a saved response, head and framing included, written in the sizes that x.meta.json tells
    with: status (200), headers {}, pause_ms (between pieces of `say`), head_pause_ms (before the head),
          newline ("\\n"), data_space (true), split (bytes a write: a number, a list, or "random:SEED"),
          split_pause_ms (0), framing ("chunked" | "length" | "close"), declared_length, end ("complete" | "close" |
          "reset" | "hang")
STEP, one key of:
    {"text": "…"} {"reasoning": "…"} {"delta": {…}} {"chunk": {…}} {"finish": "stop"} {"usage": {…}|true} {"done": true}
    {"role": "assistant"} {"words": "…", "pause_ms": 5} {"data": "…"} {"event": "…", "data": "…"} {"comment": "…"}
    {"raw": "…"} {"hex": "…"} {"file": "recorded.sse"} {"pause_ms": 100}
"""

import argparse
import asyncio
import json
import random
import re
import socket
import ssl
import struct
import sys
import threading
import time
from pathlib import Path

DEFAULT_USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
                 "prompt_tokens_details": {"cached_tokens": 64}}
REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests"}
HEAD_LIMIT, BODY_LIMIT, REQUEST_LIMIT = 65_536, 16 * 1_048_576, 10_000


def default_answer(body):
    """Points at the first row of the screen block of the prompt, so that a demonstration shows a ring."""
    text = body["messages"][-1]["content"] if isinstance(body, dict) and body.get("messages") else ""
    row = re.search(r"(?m)(?:^|\| )(\d{1,4})[a-z]*[!*>#-]*[ _=]", text if isinstance(text, str) else "")
    target = f" Look here [[{row.group(1)}]]." if row else ""
    return {"say": f"This is a scripted answer.{target} Then check the step again.\n[[sum: scripted answer]]",
            "pause_ms": 20}


class Connection(asyncio.Protocol):
    """One client connection: parses requests, and notices at once when the client goes."""

    def __init__(self, endpoint):
        self.endpoint, self.buffer, self.record, self.task = endpoint, b"", None, None
        self.gone, self.room = asyncio.Event(), asyncio.Event()
        self.room.set()

    def connection_made(self, transport):
        self.transport = transport
        self.endpoint.connections.add(self)
        self.number = self.endpoint.connection_count = self.endpoint.connection_count + 1
        sock = transport.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def pause_writing(self):
        self.room.clear()

    def resume_writing(self):
        self.room.set()

    def data_received(self, data):
        self.buffer += data
        if self.task is None:
            self.next_request()

    def eof_received(self):
        self.mark_gone()
        return False

    def connection_lost(self, exc):
        self.mark_gone()
        self.endpoint.connections.discard(self)

    def mark_gone(self):
        if self.gone.is_set():
            return
        self.gone.set()
        self.room.set()
        if self.record and not self.record["answered"]:
            self.record["closed_by_client"] = True
            self.record["closed_after_ms"] = self.endpoint.milliseconds() - self.record["at_ms"]
            self.record["closed_at_ms"] = self.endpoint.milliseconds()

    def next_request(self):
        head, found, rest = self.buffer.partition(b"\r\n\r\n")
        if not found:
            if len(head) > HEAD_LIMIT:
                self.transport.abort()
            return
        lines = head.decode("latin-1").split("\r\n")
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        length = int(headers.get("content-length") or 0)
        if length > BODY_LIMIT:
            self.transport.abort()
        if len(rest) < length or length > BODY_LIMIT:
            return
        method, path, _ = (lines[0].split(" ") + ["", ""])[:3]
        body, self.buffer = rest[:length], rest[length:]
        self.task = asyncio.get_running_loop().create_task(self.serve(method, path, headers, body))

    async def serve(self, method, path, headers, body):
        try:
            keep = await self.respond(method, path, headers, body)
        except (ConnectionError, asyncio.CancelledError):
            keep = False
        self.record = None
        if not keep or self.gone.is_set():
            self.transport.close()
            return
        self.task = None
        if self.buffer:
            self.next_request()

    async def respond(self, method, path, headers, body):
        e = self.endpoint
        text = body.decode("utf-8", "replace")
        if path == "/_requests" and method in ("GET", "DELETE"):
            found = json.dumps(e.requests).encode()
            if method == "DELETE":
                e.requests.clear()
            return await self.send_whole(200, found)
        if path == "/_script" and method == "POST":
            e.load(json.loads(text))
            return await self.send_whole(200, b"{}")
        if method != "POST" or not path.partition("?")[0].endswith("/chat/completions"):
            return await self.send_whole(404, b'{"error":{"message":"no such path","type":"not_found_error"}}')
        try:
            parsed = json.loads(text)
        except ValueError:
            parsed = None
        self.record = {
            "number": len(e.requests) + 1, "connection": self.number, "path": path, "headers": headers,
            "body": parsed, "body_text": text, "at_ms": e.milliseconds(), "answered": False,
            "sent_bytes": 0, "closed_by_client": False, "closed_after_ms": None, "closed_at_ms": None}
        del e.requests[:-REQUEST_LIMIT]
        e.requests.append(self.record)
        keep = await self.play(e.choose(text, parsed), parsed)
        if not self.gone.is_set():
            self.record["answered"] = True
        return keep

    async def send_whole(self, status, body):
        await self.write(f"HTTP/1.1 {status} {REASONS.get(status, 'Status')}\r\nContent-Type: application/json\r\n"
                         f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        return True

    async def replay(self, path):
        content, notes = path.read_bytes(), path.with_suffix("").with_suffix(".meta.json")
        reads = json.loads(notes.read_text())["reads"] if notes.exists() else []
        position = 0
        for size in [read["n"] for read in reads] + [len(content)]:
            await self.write(content[position:position + size])
            position += size
            await asyncio.sleep(0)
        self.record["sent_bytes"] = len(content)
        return False

    async def play(self, answer, request):
        if "recorded" in answer:
            return await self.replay(Path(answer["recorded"]))
        framing = answer.get("framing", "length" if "body" in answer else "chunked")
        headers = {"Content-Type": "application/json" if "body" in answer else "text/event-stream"}
        headers.update(answer.get("headers", {}))
        if framing == "chunked":
            headers["Transfer-Encoding"] = "chunked"
        elif framing == "close":
            headers["Connection"] = "close"
        pieces = list(pieces_of(answer, request))
        if framing == "length":
            size = sum(len(p) for p in pieces if isinstance(p, bytes))
            headers["Content-Length"] = str(answer.get("declared_length", size))
        await self.pause(answer.get("head_pause_ms", 0))
        status = answer.get("status", 200)
        await self.write("\r\n".join(
            [f"HTTP/1.1 {status} {REASONS.get(status, 'Status')}"] + [f"{k}: {v}" for k, v in headers.items()]
        ).encode() + b"\r\n\r\n")
        for piece in pieces:
            if self.gone.is_set():
                return False
            if isinstance(piece, bytes):
                await self.write(b"%x\r\n%s\r\n" % (len(piece), piece) if framing == "chunked" else piece)
                self.record["sent_bytes"] += len(piece)
            else:
                await self.pause(piece)
        end = answer.get("end", "complete")
        if end == "hang":
            await self.gone.wait()
        elif end == "reset":
            sock = self.transport.get_extra_info("socket")
            await self.pause(20)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.record["answered"] = True
            self.transport.abort()
        elif end == "complete" and framing == "chunked":
            await self.write(b"0\r\n\r\n")
        return end == "complete" and framing != "close"

    async def write(self, data):
        await self.room.wait()
        if not self.gone.is_set():
            self.transport.write(data)

    async def pause(self, milliseconds):
        if milliseconds > 0:
            try:
                await asyncio.wait_for(self.gone.wait(), milliseconds / 1000)
            except asyncio.TimeoutError:
                pass


def pieces_of(answer, request):
    """The bytes of an answer's body as they are to be written, with pauses (numbers, in ms) between."""
    if "body" in answer:
        content = answer["body"]
        written = [content.encode() if isinstance(content, str) else json.dumps(content).encode()]
    else:
        written = events_of(answer, request)
    split = answer.get("split")
    if split is None:
        yield from written
        return
    pause = answer.get("split_pause_ms", 0)
    sizes = split_sizes(split)
    joined = b""
    for piece in list(written) + [None]:
        if isinstance(piece, bytes):
            joined += piece
            continue
        position = 0
        while position < len(joined):
            size = max(1, next(sizes))
            yield joined[position:position + size]
            position += size
            if pause:
                yield pause
        joined = b""
        if piece is not None:
            yield piece


def split_sizes(split):
    if isinstance(split, str):
        source = random.Random(int(split.partition(":")[2] or 0))
        while True:
            yield source.randint(1, 9)
    sizes = split if isinstance(split, list) else [split]
    while True:
        yield from sizes


def events_of(answer, request):
    newline = answer.get("newline", "\n")
    prefix = "data: " if answer.get("data_space", True) else "data:"
    model = request.get("model", "scripted") if isinstance(request, dict) else "scripted"

    def event(value, name=None):
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        lines = ([f"event: {name}"] if name else []) + [prefix + line for line in text.split("\n")]
        return (newline.join(lines) + newline * 2).encode()

    def chunk(delta, finish=None):
        return event({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": model,
                      "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    def usage(value):
        return event({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": model,
                      "choices": [], "usage": DEFAULT_USAGE if value is True else value})

    steps = answer.get("steps")
    if steps is None:
        steps = [{"role": "assistant"}, {"words": answer.get("say", ""), "pause_ms": answer.get("pause_ms", 0)},
                 {"finish": "stop"}, {"usage": answer.get("usage", True)}, {"done": True}]
    for step in steps:
        if "words" in step:
            for word in re.findall(r"\S+\s*|\s+", step["words"]):
                yield chunk({"content": word})
                if step.get("pause_ms"):
                    yield step["pause_ms"]
        elif "text" in step:
            yield chunk({"content": step["text"]})
        elif "reasoning" in step:
            yield chunk({"reasoning_content": step["reasoning"]})
        elif "role" in step:
            yield chunk({"role": step["role"], "content": None})
        elif "delta" in step:
            yield chunk(step["delta"])
        elif "chunk" in step:
            yield event(step["chunk"])
        elif "finish" in step:
            yield chunk({}, step["finish"])
        elif "usage" in step:
            yield usage(step["usage"])
        elif "done" in step:
            yield event("[DONE]")
        elif "data" in step:
            yield event(step["data"], step.get("event"))
        elif "comment" in step:
            yield (": " + step["comment"] + newline * 2).encode()
        elif "raw" in step:
            yield step["raw"].encode()
        elif "hex" in step:
            yield bytes.fromhex(step["hex"])
        elif "file" in step:
            yield Path(step["file"]).read_bytes()
        elif "pause_ms" in step:
            yield step["pause_ms"]
        else:
            raise ValueError(f"unknown step {step}")


class Endpoint:
    """The server. `script` None: the default answer to every request."""

    def __init__(self, script=None, port=0, tls=None):
        self.load(script)
        self.requests, self.connections, self.connection_count = [], set(), 0
        self.wanted_port, self.port, self.tls, self.started = port, None, tls, time.monotonic()

    def load(self, script):
        answers = script.get("answers", []) if isinstance(script, dict) else script
        self.answers, self.played = answers, 0

    def choose(self, text, body):
        if self.answers is None:
            return default_answer(body)
        for answer in self.answers:
            if "match" in answer and answer["match"] in text:
                return answer
        plain = [answer for answer in self.answers if "match" not in answer]
        if not plain:
            return {"status": 500, "body": {"error": {"message": "no scripted answer fits"}}}
        self.played += 1
        return plain[(self.played - 1) % len(plain)]

    def milliseconds(self):
        return round((time.monotonic() - self.started) * 1000, 1)

    async def __aenter__(self):
        loop = asyncio.get_running_loop()
        self.server = await loop.create_server(
            lambda: Connection(self), "127.0.0.1", self.wanted_port, ssl=self.tls, backlog=4096)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()
        for connection in list(self.connections):
            connection.transport.abort()

    @classmethod
    def in_thread(cls, script=None, port=0):
        """Starts one on a thread of its own; `stop()` ends it. `requests` may be read from outside."""
        endpoint, ready = cls(script, port), threading.Event()

        async def run():
            endpoint.loop, endpoint.ended = asyncio.get_running_loop(), asyncio.Event()
            async with endpoint:
                ready.set()
                await endpoint.ended.wait()

        thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
        thread.start()
        if not ready.wait(10):
            raise RuntimeError("endpoint did not start")
        endpoint.stop = lambda: (endpoint.loop.call_soon_threadsafe(endpoint.ended.set), thread.join(5))
        return endpoint


def main():
    parser = argparse.ArgumentParser(description="a scripted OpenAI-compatible endpoint")
    parser.add_argument("--port", type=int, default=0)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--script", type=Path)
    source.add_argument("--default", action="store_true")
    parser.add_argument("--cert")
    parser.add_argument("--key")
    parser.add_argument("--until-stdin-closes", action="store_true",
                        help="end with the parent, so that a test that crashes leaves no server behind")
    options = parser.parse_args()
    script = json.loads(options.script.read_text()) if options.script else None
    tls = None
    if options.cert:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(options.cert, options.key)

    async def run():
        async with Endpoint(script, options.port, tls) as endpoint:
            print(endpoint.port, flush=True)
            if options.until_stdin_closes:
                await asyncio.get_running_loop().run_in_executor(None, sys.stdin.buffer.read)
            else:
                await asyncio.Event().wait()

    asyncio.run(run())


if __name__ == "__main__":
    main()
