"""One process at a time works on a source: real processes, one that is killed, and the moment in which a name goes."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from curator.errors import Conflict
from curator.repository.runtime import source_lock as module
from curator.repository.runtime.source_lock import source_lock
from curator.system import locks
from support.interruptions import at_each_line
from support.waiting import PATIENCE

SOURCE = "sources/tea.txt"
HOLD = """
import sys, pathlib, time
from curator.repository.runtime.source_lock import source_lock
with source_lock(pathlib.Path(sys.argv[1]), sys.argv[2], 0):
    print("held", flush=True)
    sys.stdin.readline()
"""
COUNT = """
import sys, pathlib
from curator.repository.runtime.source_lock import source_lock
file = pathlib.Path(sys.argv[3])
for _ in range(40):
    with source_lock(pathlib.Path(sys.argv[1]), sys.argv[2], 60):
        count = int(file.read_text())
        file.write_text(str(count + 1))
"""


@contextmanager
def holder(folder: Path, source: str = SOURCE) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", HOLD, str(folder), source]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_another_process_is_told_whose_turn_it_is(tmp_path: Path) -> None:
    with (
        holder(tmp_path),
        pytest.raises(Conflict, match=r"another process is ingesting sources/tea\.txt"),
        source_lock(tmp_path, SOURCE, 0.3),
    ):
        pass


def test_another_source_is_another_turn(tmp_path: Path) -> None:
    with holder(tmp_path), source_lock(tmp_path, "sources/other.txt", 0):
        pass


def test_whoever_waits_has_it_when_it_is_let_go_of(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
        with source_lock(tmp_path, SOURCE, PATIENCE):
            pass
    assert list(tmp_path.iterdir()) == []


def test_the_turn_of_a_killed_process_ends_with_it(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        process.kill()
        process.wait()

        with source_lock(tmp_path, SOURCE, 0):
            pass


def test_it_ends_with_an_error_in_it_too(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="tea"), source_lock(tmp_path, SOURCE, 0):
        raise ValueError("tea")

    with source_lock(tmp_path, SOURCE, 0):
        pass


def test_it_ends_although_its_file_cannot_be_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def is_refused(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", is_refused)
        with pytest.raises(PermissionError), source_lock(tmp_path, SOURCE, 0):
            pass

    with source_lock(tmp_path, SOURCE, 0):
        pass


def test_a_lock_on_a_file_that_has_lost_its_name_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opened while the last holder had it, locked after he let go: by then the name may be another's."""
    first = os.open(file := tmp_path / "name", os.O_RDWR | os.O_CREAT)
    fcntl.flock(first, fcntl.LOCK_EX)
    others: list[int] = []

    def overtaken(descriptor: int | IO[bytes], how: int) -> None:
        if not others:
            file.unlink()
            os.close(first)
            others.append(os.open(file, os.O_RDWR | os.O_CREAT))
            _flock(others[0], fcntl.LOCK_EX)
        _flock(descriptor, how)

    _flock = fcntl.flock
    monkeypatch.setattr(fcntl, "flock", overtaken)
    assert module._locked(file) is None, "the second holder has it"

    os.close(others[0])
    held = module._locked(file)
    assert held is not None
    assert os.fstat(held.fileno()).st_ino == file.stat().st_ino
    held.close()


def test_it_is_free_again_wherever_its_taking_is_interrupted(tmp_path: Path) -> None:
    def take() -> None:
        with source_lock(tmp_path, SOURCE, 0):
            pass

    assert at_each_line((module, locks), take, take) > 5


def test_a_name_that_cannot_be_printed_is_shown_so_that_it_can(tmp_path: Path) -> None:
    odd = "sources/\udcff\x1b.txt"
    with source_lock(tmp_path, odd, 0), pytest.raises(Conflict) as caught, source_lock(tmp_path, odd, 0):
        pass

    assert caught.value.message.isprintable()


def test_processes_that_take_turns_again_and_again_are_never_in_one_together(tmp_path: Path) -> None:
    count = tmp_path / "count"
    count.write_text("0")
    command = [sys.executable, "-c", COUNT, str(tmp_path / "turns"), SOURCE, str(count)]
    crowd = [subprocess.Popen(command) for _ in range(3)]

    assert [process.wait(PATIENCE) for process in crowd] == [0, 0, 0]
    assert count.read_text() == "120"
