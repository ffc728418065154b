"""The objects of a repository over the pipes of one process: an answer that was broken off is nobody's."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from curator.repository.git.objects import Objects, Unavailable
from support.wikis import git


class Interrupted(BaseException):
    """Stands for a Ctrl-C."""


class BrokenOff:
    """The pipe of a process, read until the interruption that is set comes."""

    def __init__(self, pipe: Any) -> None:
        self.pipe = pipe
        self.interrupted_at = ""

    def readline(self) -> bytes:
        return self._read("readline")

    def read(self, *size: int) -> bytes:
        return self._read("read", *size)

    def close(self) -> None:
        self.pipe.close()

    def _read(self, name: str, *size: int) -> bytes:
        if self.interrupted_at == name:
            raise Interrupted
        read: bytes = getattr(self.pipe, name)(*size)
        return read


class Starts:
    """Starts ``git cat-file --batch`` in a repository and keeps every process that it started."""

    def __init__(self, root: Path) -> None:
        self.root, self.processes = root, list[Any]()

    def __call__(self) -> Any:
        pipes = subprocess.PIPE
        command = ["git", "-C", str(self.root), "cat-file", "--batch"]
        process: Any = subprocess.Popen(command, stdin=pipes, stdout=pipes, stderr=pipes)
        process.stdout = BrokenOff(process.stdout)
        self.processes.append(process)
        return process


@pytest.fixture
def starts(root: Path) -> Starts:
    return Starts(root)


@pytest.fixture
def objects(starts: Starts) -> Iterator[Objects]:
    objects = Objects(starts)
    yield objects
    objects.close()
    assert all(process.poll() is not None for process in starts.processes)


def test_one_process_answers_every_question(objects: Objects, starts: Starts, root: Path) -> None:
    head = objects.find("HEAD")
    assert head and head.oid == git(root, "rev-parse", "HEAD").strip() and head.kind == "commit"
    assert objects.find("HEAD:no-such-file") is None
    assert len(starts.processes) == 1


@pytest.mark.parametrize("at", ["readline", "read"])
def test_an_answer_that_was_broken_off_is_not_the_answer_to_the_next_question(
    objects: Objects, starts: Starts, root: Path, at: str
) -> None:
    assert objects.find("HEAD")
    starts.processes[0].stdout.interrupted_at = at
    with pytest.raises(Interrupted):
        objects.find("HEAD")

    tree = objects.find("HEAD^{tree}")

    assert tree and tree.oid == git(root, "rev-parse", "HEAD^{tree}").strip() and tree.kind == "tree"
    assert len(starts.processes) == 2


def test_a_process_that_ended_is_told_and_another_one_answers_next(objects: Objects, starts: Starts) -> None:
    assert objects.find("HEAD")
    starts.processes[0].kill()
    with pytest.raises(Unavailable):
        objects.find("HEAD")
    assert objects.find("HEAD")
