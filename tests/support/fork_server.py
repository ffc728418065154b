"""``curate`` without the wait for its imports: a process that has them done, and forks for each command.

    python -P tests/support/fork_server.py SOCKET            serves until its standard input ends
    python -I -S tests/support/fork_client.py SOCKET ...     is curate with these arguments

The command has the client's folder, arguments, environment and open files; its exit status is the client's. Tests have
it by ``support.curates``; those that are about processes start real ones.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import os
import pkgutil
import select
import socket
import sys
import threading
import time
from contextlib import ExitStack, suppress
from typing import NoReturn

FILES = 4
"""Standard input, output and error, and the folder."""


def main() -> None:
    import curator

    for module in pkgutil.walk_packages(curator.__path__, "curator."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for late in ("blake3", "git", "unidiff"):  # which curate imports where it comes to need them
        importlib.import_module(late)
    open_doors = ExitStack()  # never closed: who forks readers ends when nobody has the line to it
    _share_readers(open_doors)
    gc.freeze()  # what stays as it is need not be copied for each command
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"\0{sys.argv[1]}")
    listener.listen(64)
    print("ready", flush=True)
    asked: dict[int, tuple[int, socket.socket]] = {}
    """By the descriptor that tells when it ends: each command's process, and who waits for it."""
    while sys.stdin not in (ready := select.select([sys.stdin, listener, *asked], [], [])[0]):
        for ended in asked.keys() & set(ready):
            _bury(ended, *asked.pop(ended))
        if listener not in ready:
            continue
        connection, _ = listener.accept()
        if (child := os.fork()) == 0:
            for file in (listener, *(waiting for _, waiting in asked.values())):
                file.close()
            _answer(connection)
        asked[os.pidfd_open(child)] = child, connection


def _share_readers(open_doors: ExitStack) -> None:
    """One process forks the readers of all commands: its own is half of what a short ingest costs."""
    from curator.cli.commands import ingest

    shared = ingest._readers(open_doors)
    ingest._readers = lambda open_doors: shared


def _bury(ended: int, child: int, connection: socket.socket) -> None:
    os.close(ended)
    _, status = os.waitpid(child, 0)
    with connection, suppress(OSError):  # of a client that was killed
        connection.sendall(b"%d" % os.waitstatus_to_exitcode(status))


def _answer(connection: socket.socket) -> NoReturn:
    """This process becomes the client's, and ends as curate ends."""
    request, files, _, _ = socket.recv_fds(connection, 8, FILES)
    length = int(request)
    body = b""
    while len(body) < length:
        body += connection.recv(length - len(body))
    connection.close()
    _become(body.split(b"\0"), files)
    from curator.cli import main as curate

    try:
        curate()
    except SystemExit as ending:
        _end(ending.code if isinstance(ending.code, int) else 0 if ending.code is None else 1)
    raise AssertionError("curate never returns")


def _end(status: int) -> NoReturn:
    """As Python ends, but that nothing is freed piece by piece: most of it is the server's, and would be copied first."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


def _become(words: list[bytes], files: list[int]) -> None:
    arguments = int(words[0])
    os.environb.clear()
    for name, _, value in (word.partition(b"=") for word in words[1 + arguments :]):
        os.environb[name] = value
    time.tzset()
    os.fchdir(files[3])
    for number, file in enumerate(files[:3]):
        os.dup2(file, number)
    for file in files:
        os.close(file)
    sys.stdin, sys.stdout = open(0, encoding="utf-8"), open(1, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = io.TextIOWrapper(open(2, "wb", 0), "utf-8", "backslashreplace", write_through=True)  # noqa: SIM115
    sys.argv[1:] = [os.fsdecode(word) for word in words[1 : 1 + arguments]]
    sys.path[:0] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))


if __name__ == "__main__":
    main()
