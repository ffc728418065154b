"""Loads litellm once, in a jail, and forks a model worker for each set of descriptors that comes through a line.

What comes is a byte with five descriptors: standard input, output and errors of the worker, its line to curator, and a
pipe that is never written to: it ends with the borrower, and the worker with it, whatever that waits for. The fork reads
its rights through the first of them, locks itself as any model worker does, and ends with it. This process is told
proxies and certificates on standard input; it sees no key, prompt or reply, and no worker sees another one's: each is a
fork of what was before any came.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import ModuleType
from typing import Any

import complete
import connections
import jail

_MANY = 5


def main(packages: list[str], line: int, model: str) -> int:
    """Fork workers, which will ask ``model``, until the line ends."""
    asked = socket.socket(fileno=line)
    os.environ.update(json.loads(sys.stdin.read()))
    os.environ.update(complete.LITELLM_ENVIRONMENT)
    connections.take_over()
    jail.close_lender(packages)
    gc.disable()  # of three thousand modules nothing is garbage, and looking for it takes a tenth of the time
    load = _loaded()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for forks
    _load_what_is_used_first(load, model)
    gc.freeze()  # else each worker would copy what it never changes; to look for garbage first would take 0.3 s
    gc.enable()
    while True:
        data, descriptors, _, _ = socket.recv_fds(asked, 1, _MANY)
        if not data:
            return 0
        if len(descriptors) == _MANY and os.fork() == 0:
            asked.close()
            _work(packages, load, descriptors)
        for each in descriptors:
            os.close(each)


def _loaded() -> Callable[[], ModuleType]:
    """Gives the module that asks litellm, or why there is none; every worker tells that to its own curator."""
    try:
        module = complete.load_provider()
    except Exception as error:
        fault = error

        def fail() -> ModuleType:
            raise fault

        return fail
    return lambda: module


def _load_what_is_used_first(load: Callable[[], ModuleType], model: str) -> None:
    """Load what litellm loads and builds with its first request: a fork of this process makes one, to nobody, and tells by
    name."""
    ours, theirs = os.pipe()
    known, unbuilt = len(sys.modules), _unbuilt()
    if os.fork() == 0:
        try:
            with suppress(Exception):
                load().complete(model, [{"role": "user", "content": "?"}], api_key="none", timeout=1)
            with os.fdopen(theirs, "w") as pipe:
                json.dump([list(sys.modules)[known:], sorted(unbuilt.keys() - _unbuilt().keys())], pipe)
        finally:
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as pipe, suppress(ValueError):
        modules, built = json.load(pipe)
        for name in modules:
            with suppress(Exception):
                importlib.import_module(name)
        for name in built:
            with suppress(Exception):
                unbuilt[name].model_rebuild()


def _unbuilt() -> dict[str, Any]:
    """The classes of data whose validator is built when the first value comes, by name: pydantic's, of which there are
    thousands."""
    found: dict[str, Any] = {}
    base = getattr(sys.modules.get("pydantic"), "BaseModel", None)
    left = [] if base is None else base.__subclasses__()
    while left:
        each = left.pop()
        name = f"{each.__module__} {each.__qualname__}"
        if name not in found:
            found[name] = each
            left += each.__subclasses__()
    return {name: each for name, each in found.items() if not each.__pydantic_complete__}


def _end_with(pipe: int) -> None:
    """Have the kernel end this process, by the signal SIGIO, when nobody holds the other end of ``pipe`` any more."""
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([pipe], [], [], 0)[0]:
        os._exit(1)  # it was gone before


def _work(packages: list[str], load: Callable[[], ModuleType], descriptors: Sequence[int]) -> None:
    """Become a worker; never returns."""
    status = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        null = os.dup(0)
        for number, each in enumerate(descriptors[:3]):
            os.dup2(each, number)
            os.close(each)
        _end_with(descriptors[4])
        status = complete.main(packages, complete.Lent(load, descriptors[3], null))
    except BaseException as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
    finally:
        os._exit(status)
