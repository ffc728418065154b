"""``curate`` without the wait for its imports: a process that has them done, and forks for each command.

    python -P tests/support/fork_server.py SOCKET            serves until its standard input ends
    python -I -S tests/support/fork_client.py SOCKET ...     is curate with these arguments

The command has the client's folder, arguments, environment and open files; its exit status is the client's. Tests that
start hundreds of curates have this one; those that are about processes start real ones, and at night all do.
"""

from __future__ import annotations

import gc
import importlib
import io
import os
import pkgutil
import select
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FILES = 4
"""Standard input, output and error, and the folder."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """A server as long as it lasts; the shell's words that stand for ``curate``."""
    address, here = folder / "curate.socket", Path(__file__)
    command = [sys.executable, "-P", str(here), str(address)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdout.readline()
        yield shlex.join([sys.executable, "-I", "-S", str(here.with_name("fork_client.py")), str(address)])
        server.stdin.close()


def main() -> None:
    import curator

    for module in pkgutil.walk_packages(curator.__path__, "curator."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    gc.freeze()  # what stays as it is need not be copied for each command
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen(64)
    print("ready", flush=True)
    while sys.stdin not in select.select([sys.stdin, listener], [], [])[0]:
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            _answer(connection)
            return
        connection.close()
        _bury()


def _answer(connection: socket.socket) -> None:
    """Returns in a process that is as the client; this one waits for it, tells how it ended, and ends."""
    request, files, _, _ = socket.recv_fds(connection, 8, FILES)
    length = int(request)
    body = b""
    while len(body) < length:
        body += connection.recv(length - len(body))
    child = os.fork()
    if child == 0:
        connection.close()
        _become(body.split(b"\0"), files)
        return
    for file in files:
        os.close(file)
    _, status = os.waitpid(child, 0)
    connection.sendall(b"%d" % os.waitstatus_to_exitcode(status))
    os._exit(0)


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
    from curator.cli import main as curate

    curate()


def _bury() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


if __name__ == "__main__":
    main()
