"""A model worker that a running service lends: real forks in their jail, a real endpoint, and who gets none."""

from __future__ import annotations

import os
import select
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curator.models.sandbox import client, lending
from curator.models.sandbox.addresses import Address
from curator.models.sandbox.client import ModelWorker
from curator.models.sandbox.connector import Connector
from curator.models.sandbox.lending import LentProcess
from curator.system.local_sockets import short_name
from support.depth import light_litellm
from support.endpoint import Endpoint

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="peers and short names are Linux's")

KEYS = {"OPENAI_API_KEY": "sk-lent-to-nobody"}

Borrow = Callable[..., ModelWorker]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(lambda request: f"to {request['messages'][0]['content']}") as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def place(endpoint: Endpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where a lender listens, in a folder whose name is too long for a socket's."""
    folder = tmp_path_factory.mktemp("a-wiki-that-lies-deep" * 6)
    until, ending = os.pipe()
    with light_litellm(), short_name(folder / "model.sock") as name, socket.socket(socket.AF_UNIX) as listening:
        listening.bind(name)
        listening.listen()
        allowed = [Address("127.0.0.1", endpoint.port)]
        lender = threading.Thread(target=lending.lend, args=(listening, KEYS, allowed, "openai/x", until))
        lender.start()
        try:
            yield folder / "model.sock"
        finally:
            os.close(ending)
            lender.join()
            os.close(until)


@pytest.fixture
def borrow(place: Path, endpoint: Endpoint) -> Iterator[Borrow]:
    """A worker with these keys, which may be lent."""
    workers = []

    def borrow(keys: dict[str, str] = KEYS, place: Path = place) -> ModelWorker:
        workers.append(ModelWorker(keys, [Address("127.0.0.1", endpoint.port)], place))
        return workers[-1]

    yield borrow
    for worker in workers:
        worker.close()


def ask(worker: ModelWorker, endpoint: Endpoint, question: str = "you") -> str:
    messages = [{"role": "user", "content": question}]
    reply = worker.ask({"op": "complete", "model": "openai/x", "messages": messages, "api_base": endpoint.url}, 60)
    return str(reply["text"])


def is_lent(worker: ModelWorker) -> bool:
    return isinstance(worker._child, LentProcess)


def test_everybody_gets_a_fork_of_his_own_in_the_same_jail(borrow: Borrow, endpoint: Endpoint) -> None:
    one, other = borrow(), borrow()

    assert ask(one, endpoint, "one") == "to one"
    assert ask(other, endpoint, "other") == "to other"
    assert ask(one, endpoint, "one again") == "to one again"
    assert is_lent(one)
    assert is_lent(other)
    assert one.level == other.level == client.prove_sandbox("complete")["sandbox"]


def test_a_fork_reaches_nobody_but_the_provider(borrow: Borrow) -> None:
    with Endpoint(lambda request: "never") as elsewhere:
        worker = borrow()
        reply = worker.ask(
            {"op": "complete", "model": "openai/x", "messages": [], "api_base": elsewhere.url, "timeout": 5}, 60
        )

        assert is_lent(worker)
        assert not reply["ok"]
        assert elsewhere.requests == []


def test_who_has_other_rights_than_the_service_has_a_worker_of_his_own(borrow: Borrow, endpoint: Endpoint) -> None:
    worker = borrow({"OPENAI_API_KEY": "sk-of-somebody-else"})

    with light_litellm():
        worker.start()
        assert is_lent(worker)
        assert ask(worker, endpoint) == "to you"
    assert not is_lent(worker)


def test_a_socket_that_nobody_listens_on_is_passed_by(borrow: Borrow, endpoint: Endpoint, tmp_path: Path) -> None:
    left = tmp_path / "model.sock"
    with short_name(left) as name, socket.socket(socket.AF_UNIX) as listening:
        listening.bind(name)

    worker = borrow(place=left)

    with light_litellm():
        assert ask(worker, endpoint) == "to you"
    assert not is_lent(worker)


def test_a_fork_that_is_given_back_is_followed_by_another(borrow: Borrow, endpoint: Endpoint) -> None:
    worker = borrow()
    ask(worker, endpoint)
    worker.close()

    assert ask(worker, endpoint, "the next") == "to the next"
    assert is_lent(worker)


def test_a_fork_ends_with_its_borrower_whatever_it_waits_for(place: Path, endpoint: Endpoint) -> None:
    allowed = [Address("127.0.0.1", endpoint.port)]
    lent = lending.borrowed(place, lending.digest_of(KEYS, allowed), Connector(allowed))
    assert lent is not None
    assert lent._stdout is not None

    os.close(lent._held)  # as when the borrower is killed; its other pipes are open yet
    lent._held = -1
    while select.select([lent._stdout], [], [], 60)[0] and lent._stdout.read(10_000):
        pass  # until nobody can write to it any more

    assert lent._stdout.read(1) == b""
    lent.kill()


@pytest.mark.parametrize("name", ["AWS_CONFIG_FILE", "GOOGLE_APPLICATION_CREDENTIALS"])
def test_a_worker_that_reads_credentials_from_files_is_not_lent(name: str) -> None:
    assert lending.digest_of({**KEYS, name: "x"}, []) == ""


def test_rights_are_the_same_by_keys_and_hosts() -> None:
    hosts = [Address("127.0.0.1", 80)]
    rights = lending.digest_of({**KEYS, "HTTPS_PROXY": "http://proxy:3128"}, hosts)

    assert rights == lending.digest_of({"HTTPS_PROXY": "http://proxy:3128", **KEYS}, hosts)
    others = [lending.digest_of(KEYS, hosts), lending.digest_of({**KEYS, "HTTPS_PROXY": "http://proxy:3128"}, [])]
    assert len({rights, *others}) == 3
