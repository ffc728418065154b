"""Programs in Python that begin with the same imports, without the wait for them: a process that has them done forks.

A program runs in a process of its own that has done nothing else than these imports, with pipes for its output and nothing
for its input.
"""

from __future__ import annotations

import json
import subprocess
import sys
from types import TracebackType
from typing import IO, Any

from support.waiting import PATIENCE

_SERVER = """
import json, os, sys

def become(code, files):
    for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), *files)):
        os.dup2(file, number)
    os.closerange(3, 256)
    status = 1
    try:
        exec(compile(code, "<program>", "exec"), {"__name__": "__main__"})
        status = 0
    except SystemExit as ending:
        status = ending.code if isinstance(ending.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)

for line in sys.stdin:
    (out, told), (err, warned) = os.pipe(), os.pipe()
    if (child := os.fork()) == 0:
        become(json.loads(line), (told, warned))
    os.close(told)
    os.close(warned)
    said = []
    for file in (out, err):
        with open(file, encoding="utf-8", errors="replace") as stream:
            said.append(stream.read())
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(json.dumps([status, *said]), flush=True)
"""


class ForkedPython:
    """Runs programs that begin with the same imports; to be closed."""

    def __init__(self, imports: str) -> None:
        command = [sys.executable, "-I", "-S", "-B", "-c", imports + _SERVER]
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> ForkedPython:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._pipe(self._server.stdin).close()
        self._server.wait(PATIENCE)

    def run(self, code: str) -> subprocess.CompletedProcess[str]:
        request = self._pipe(self._server.stdin)
        request.write(f"{json.dumps(code)}\n")
        request.flush()
        status, out, err = json.loads(self._pipe(self._server.stdout).readline())
        return subprocess.CompletedProcess(["python"], status, out, err)

    @staticmethod
    def _pipe(pipe: IO[Any] | None) -> IO[Any]:
        assert pipe is not None
        return pipe
