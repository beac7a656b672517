"""A token relay as it is usually written in Python: `websockets` in front, `httpx` behind.

    python3 token_relay.py --upstream 127.0.0.1:8000 --listen 127.0.0.1:0

uvloop is used where it is installed, to the relay's advantage.
"""

import argparse
import asyncio
import json

import httpx
import websockets


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--upstream", required=True)
    parser.add_argument("--listen", default="127.0.0.1:0")
    arguments = parser.parse_args()
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    client = httpx.AsyncClient(timeout=httpx.Timeout(30, connect=30), limits=limits, trust_env=False)
    question = {"model": "bench-1", "stream": True, "messages": [{"role": "user", "content": "go"}]}
    address = f"http://{arguments.upstream}/v1/chat/completions"

    async def relay(socket):
        seq = 0
        try:
            async with client.stream("POST", address, json=question) as response:
                async for line in response.aiter_lines():
                    if not line.startswith("data: ") or line == "data: [DONE]":
                        continue
                    text = json.loads(line[6:])["choices"][0]["delta"].get("content")
                    if text:
                        seq += 1
                        await socket.send(json.dumps(
                            {"type": "answer.delta", "seq": seq, "turn": "t1", "text": text}))
        except websockets.ConnectionClosed:
            pass

    host, port = arguments.listen.rsplit(":", 1)
    async with websockets.serve(relay, host, int(port), compression=None) as server:
        print(f"listening on {host}:{server.sockets[0].getsockname()[1]}", flush=True)
        await asyncio.Future()


if __name__ == "__main__":
    try:
        import uvloop
    except ImportError:
        asyncio.run(main())
    else:
        uvloop.run(main())
