"""A server that is a model, and a worker that asks it, once for all tests of a module.

A test module takes them in with ``server, worker = lent.server, lent.worker``.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from curator.models.sandbox.addresses import Address
from curator.models.sandbox.client import ModelWorker
from support.depth import light_litellm
from support.model_server import ModelServer

ENVIRONMENT = {"OPENAI_API_KEY": "sk-test"}


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture(scope="module")
def worker(server: ModelServer) -> Iterator[ModelWorker]:
    with light_litellm(), ModelWorker(ENVIRONMENT, [Address("127.0.0.1", server.port)]) as worker:
        worker.start()
        yield worker


class Lent:
    """The module's worker, as a provider's own: it outlives the provider."""

    def __init__(self, worker: ModelWorker) -> None:
        self.start, self.describe, self.ask, self.level = worker.start, worker.describe, worker.ask, "weak"

    def close(self) -> None:
        """Nothing: another test needs it."""
