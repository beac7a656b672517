"""Private memory of the server for each idle connection, plain and with TLS, and for each stalled handshake.

    python Tests/tls/idle_memory.py [CONNECTIONS]
"""

import resource
import socket
import ssl
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

from certificates import make_certificate  # noqa: E402
from server import ServerProcess  # noqa: E402

# A whole record with the begin of a hello that says it has 131 000 bytes, and nothing more.
LONG_HELLO = b"\x16\x03\x01\x00\x06\x01\x01\xff\xb8\x03\x03"


def private_kib(process):
    for line in Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Private_Dirty"):
            return int(line.split()[1])
    raise RuntimeError("no Private_Dirty")


def measure(count, connect, **settings):
    """KiB a connection, after fifty that warm the server up."""
    with ServerProcess(CHALKLINE_HEAD_MS="600000", CHALKLINE_KEEP_ALIVE_MS="600000", CHALKLINE_SHARDS="1",
                       **settings) as server:
        held = [connect(server) for _ in range(50)]
        before = private_kib(server.process)
        held += [connect(server) for _ in range(count)]
        time.sleep(0.5)
        after = private_kib(server.process)
        for connection in held:
            connection.close()
    return (after - before) / count


def request(connection):
    connection.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert b"200" in connection.recv(1_000)
    return connection


def plain(server):
    return socket.create_connection(("127.0.0.1", server.port))


def stalled(server):
    connection = plain(server)
    connection.sendall(LONG_HELLO)
    return connection


def secure(version):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = context.maximum_version = version
    return lambda server: request(context.wrap_socket(plain(server)))


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_certificate(folder, "idle", "ecdsa")
        tls = {"CHALKLINE_TLS_CERT": str(folder / "idle-ecdsa.pem"), "CHALKLINE_TLS_KEY": str(folder / "idle-ecdsa.key")}
        for what, figure in (
            ("plain", measure(count, lambda server: request(plain(server)))),
            ("TLS 1.2", measure(count, secure(ssl.TLSVersion.TLSv1_2), **tls)),
            ("TLS 1.3", measure(count, secure(ssl.TLSVersion.TLSv1_3), **tls)),
            ("stalled handshake", measure(min(count, 500), stalled, **tls)),
        ):
            print(f"{what}: {figure:.1f} KiB a connection")


if __name__ == "__main__":
    main()
