"""What every test with hostile peers has beside it."""

import pytest

from wire import Canary, until


@pytest.fixture
def canary(server):
    """A healthy session on the shared server; after the test the same server and session go on, and no descriptor of
    the test is left in the server."""
    canary = Canary(server)
    before = server.settled_descriptors()
    yield canary
    assert server.is_alive()
    canary.check()
    assert until(lambda: server.descriptors() <= before, 15), (before, server.descriptors())
    canary.close()
