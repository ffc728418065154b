"""Asks language models through litellm: a JSON request a line on standard input, a JSON reply a line on the output.

The first line says what the process may have: ``{"environment": {"OPENAI_API_KEY": "..."}, "line": 7}``. Keys come
through the pipe and not through the process's environment, where other programs of the user could read them; connections
through the descriptor ``line``, to the addresses that curator allows. The jail closes before litellm is imported, so that
not even a poisoned release sees a file or a host it does not need.
"""

from __future__ import annotations

import gc
import json
import os
import queue
import sys
import tempfile
import threading
from collections.abc import Callable
from types import ModuleType
from typing import IO, Any, NamedTuple

import connections
import jail

Reply = dict[str, Any]

LITELLM_ENVIRONMENT = {
    # Else every start asks GitHub for the price list.
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOG": "ERROR",
    "DISABLE_AIOHTTP_TRANSPORT": "True",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
}


class Lent(NamedTuple):
    """What a worker has that is the fork of a process which lends itself."""

    load: Callable[[], ModuleType]
    """Gives the module that asks litellm, which is there already."""
    line: int
    """The descriptor of its line, in place of the one that it is told."""
    null: int
    """One of /dev/null, which a jail does not open."""


def main(packages: list[str], lent: Lent | None = None) -> int:
    """Serve requests until standard input ends."""
    requests, replies = _private_pipes(os.open(os.devnull, os.O_RDONLY) if lent is None else lent.null)
    first = requests.readline()
    if not first:
        return 0
    rights = json.loads(first)
    os.environ.update(rights["environment"])
    os.environ.update(LITELLM_ENVIRONMENT)
    connections.take_over()
    connections.go_through(rights["line"] if lent is None else lent.line)
    level = jail.lock_worker(packages)
    lines = _requests_until_closed(requests)
    try:
        provider = load_provider() if lent is None else lent.load()
    except Exception as error:
        _send(replies, {"ready": False, "sandbox": level, "message": f"{type(error).__name__}: {error}"[:300]})
        return 1
    _send(replies, {"ready": True, "sandbox": level, "litellm": provider.version()})
    operations = {"complete": provider.complete, "embed": provider.embed, "describe": provider.describe}
    while True:
        _send(replies, _answer(json.loads(lines.get()), operations, provider.failure, replies))


def _requests_until_closed(requests: IO[bytes]) -> queue.SimpleQueue[bytes]:
    """The requests. At their end this process ends at once: the one that sent them is dead and waits for no reply."""
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def read() -> None:
        for line in requests:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return lines


def _answer(
    request: Reply, operations: dict[str, Callable[..., Reply]], failure: Callable[..., Reply], replies: IO[bytes]
) -> Reply:
    """The reply to one request; an error inside litellm is a reply too, and does not end the worker.

    With ``stream`` in the request, what comes of the text is sent before, piece by piece.
    """
    operation = request.pop("op")
    identity = request.pop("id")
    if request.pop("stream", False):
        request["hear"] = lambda piece: _send(replies, {"id": identity, "piece": piece})
    try:
        return {"id": identity, "ok": True, **operations[operation](**request)}
    except Exception as error:
        return {"id": identity, "ok": False, **failure(error, request.get("api_key"))}


def _private_pipes(null: int) -> tuple[IO[bytes], IO[bytes]]:
    """Standard input and output for the protocol alone: litellm prints, and a print must not become a reply."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, replies


def load_provider() -> ModuleType:
    """The module that imports litellm, which takes seconds."""
    # litellm asks for a temporary folder while it is imported; Python would look for one it can write to, in vain.
    tempfile.tempdir = "/"
    was_enabled = gc.isenabled()
    gc.disable()  # of three thousand modules nothing is garbage, and looking for it takes a tenth of the time
    try:
        import provider
    finally:
        if was_enabled:
            gc.freeze()
            gc.enable()
    return provider


def _send(replies: IO[bytes], reply: Reply) -> None:
    data = memoryview(json.dumps(reply).encode("ascii") + b"\n")
    while data:
        data = data[replies.write(data) :]
