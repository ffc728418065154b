"""Workers are forked from one child that has loaded what they need, and are asked about as children of one's own are."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator.service.worker_forks import ForkedProcess, WorkerForks

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks are lent on Linux only")

PARENT = """
import os, socket, sys
from curator.service import worker_forks

def work():
    for line in sys.stdin:
        if line == "end\\n":
            sys.exit(7)
        if line == "fail\\n":
            raise ValueError("so be it")
        held = sorted(os.listdir("/proc/self/fd"), key=int)
        print(line.strip(), os.getppid(), os.getsid(0) == os.getpid(), len(held), flush=True)

with socket.socket(fileno=int(sys.argv[2])) as line:
    worker_forks.serve(line, work)
"""


@pytest.fixture
def forks() -> Iterator[WorkerForks]:
    forks = WorkerForks([sys.executable, "-c", PARENT])
    yield forks
    forks.stop()


def worker(forks: WorkerForks, stderr: Path | None = None) -> ForkedProcess:
    with (stderr or Path(os.devnull)).open("wb") as file:
        started = forks.start(file.fileno())
    assert started is not None
    return started


def asked(worker: ForkedProcess, word: bytes) -> list[str]:
    worker.stdin.write(word + b"\n")
    worker.stdin.flush()
    return worker.stdout.readline().decode().split()


def test_workers_of_one_parent_work_beside_each_other_with_nothing_of_one_anothers(forks: WorkerForks) -> None:
    one, two = worker(forks), worker(forks)

    first, second = asked(one, b"a"), asked(two, b"b")

    assert (first[0], second[0]) == ("a", "b")
    assert first[1] == second[1], "one parent"
    assert first[2:] == second[2:] == ["True", "4"], "a session, three pipes and the folder that is listed"
    one.stdin.close()
    assert one.wait(60) == 0
    assert asked(two, b"c")[0] == "c"


def test_how_a_worker_ended_is_told(forks: WorkerForks, tmp_path: Path) -> None:
    ended, failed, killed = worker(forks), worker(forks, tmp_path / "said"), worker(forks)
    with pytest.raises(subprocess.TimeoutExpired):
        ended.wait(0)

    for each, word in ((ended, b"end\n"), (failed, b"fail\n")):
        each.stdin.write(word)
        each.stdin.flush()
    killed.kill()

    assert ended.wait(60) == 7
    assert failed.wait(60) == 1
    assert "so be it" in (tmp_path / "said").read_text()
    assert killed.wait(60) == -signal.SIGKILL
    assert killed.wait(0) == -signal.SIGKILL


def test_who_is_at_work_goes_on_when_no_more_are_wanted(forks: WorkerForks) -> None:
    one = worker(forks)
    forks.stop()

    assert asked(one, b"a")[0] == "a"
    one.stdin.close()
    assert one.wait(60) == 0


def test_another_parent_is_started_in_the_place_of_one_that_died(forks: WorkerForks) -> None:
    one = worker(forks)
    parent = int(asked(one, b"a")[1])

    os.kill(parent, signal.SIGKILL)
    one.stdin.close()

    assert one.wait(60) == 1, "nobody saw how it ended"
    assert int(asked(worker(forks), b"b")[1]) != parent
