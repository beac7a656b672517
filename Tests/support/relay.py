"""A TCP relay between a client and a server: holds bytes back as a long way does, cuts silent ones as a proxy does."""

import asyncio
import threading


class Relay:
    """`with Relay(server.port, delay=0.05) as relay:` listens on `relay.port`.

    `delay` is the time one way in seconds. `silence` is how long nothing may pass, in either direction, before the
    connection is cut. `resets` counts connections that either side ended with a reset.
    """

    def __init__(self, port, delay=0.0, silence=None):
        self.target, self.delay, self.silence = port, delay, silence
        self.resets = self.cuts = 0

    def __enter__(self):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        listening = asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=512)
        self.listener = asyncio.run_coroutine_threadsafe(listening, self.loop).result(10)
        self.port = self.listener.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_):
        asyncio.run_coroutine_threadsafe(self._stop(), self.loop).result(10)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()

    async def _stop(self):
        self.listener.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader, writer):
        try:
            server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            return writer.close()
        heard = [self.loop.time()]
        pumps = [asyncio.ensure_future(self._pump(reader, server_writer, heard)),
                 asyncio.ensure_future(self._pump(server_reader, writer, heard))]
        try:
            if self.silence:
                await self._watch(pumps, heard)
            else:
                await asyncio.wait(pumps)
        finally:
            for pump in pumps:
                pump.cancel()
            writer.close()
            server_writer.close()

    async def _watch(self, pumps, heard):
        while not all(pump.done() for pump in pumps):
            left = heard[0] + self.silence - self.loop.time()
            if left <= 0:
                self.cuts += 1
                return
            await asyncio.wait(pumps, timeout=left)

    async def _pump(self, reader, writer, heard):
        """Passes bytes and the end on, each after the delay, so that they keep their distances."""
        due = asyncio.Queue()
        sender = asyncio.ensure_future(self._send(due, writer))
        try:
            while True:
                chunk = await reader.read(65_536)
                heard[0] = self.loop.time()
                due.put_nowait((self.loop.time() + self.delay, chunk))
                if not chunk:
                    break
            await sender
        except ConnectionError:
            self.resets += 1
            writer.transport.abort()
        finally:
            sender.cancel()

    async def _send(self, due, writer):
        while True:
            moment, chunk = await due.get()
            await asyncio.sleep(moment - self.loop.time())
            if not chunk:
                if writer.can_write_eof():
                    writer.write_eof()
                return
            writer.write(chunk)
