"""Echo with Python `websockets` on uvloop: websockets_echo.py PORT"""

import asyncio
import sys

import uvloop
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed


async def echo(connection):
    try:
        async for message in connection:
            await connection.send(message)
    except ConnectionClosed:
        pass


async def main():
    # The opening handshakes of many connections wait behind each other: no time limit, no pings.
    async with serve(
        echo, "127.0.0.1", int(sys.argv[1]), compression=None, ping_interval=None, open_timeout=None, backlog=4096
    ) as server:
        print("ready", flush=True)
        await server.serve_forever()


uvloop.run(main())
