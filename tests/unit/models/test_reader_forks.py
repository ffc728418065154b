"""Readers that are forked from one that has started: as locked in as those, and never a reason to lose a source."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from curator.cli.commands import ingest
from curator.errors import SourceError
from curator.models.sandbox import client
from curator.models.sandbox.reader_forks import ForkedReader, ReaderForks, reader_forks
from curator.models.sandbox.reading import Reading
from curator.repository.settings import Settings
from curator.wiki.sources.source import Document
from support.daemons import descendants
from support.wikis import drop

pytestmark = [
    pytest.mark.reads_in_jail,
    pytest.mark.skipif(sys.platform != "linux", reason="forks are lent on Linux only"),
]


@pytest.fixture(scope="module")
def forks() -> Iterator[ReaderForks]:
    with reader_forks() as line:
        yield ReaderForks(line)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The formats for which a reader was started and not forked."""
    seen: list[str] = []
    real = Reading.anew

    def counted(reading: Reading, *folders: str) -> tuple[Document, str]:
        seen.append(reading.format)
        return real(reading, *folders)

    monkeypatch.setattr(Reading, "anew", counted)
    return seen


def spooled(data: bytes) -> BinaryIO:
    spool = tempfile.TemporaryFile()  # noqa: SIM115 (it lives as long as the test looks at it)
    spool.write(data)
    spool.flush()
    return cast(BinaryIO, spool)


def read(data: bytes, forks: ReaderForks, format: str = "markdown", **options: float) -> tuple[Document, str]:
    most = {"max_chars": 100_000, **options}
    return client.read_source(spooled(data), format=format, name="x", forks=forks, **most)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("format", "data"),
    [
        ("text", b"tea"),
        ("markdown", b"# Tea\n\n<!-- no -->A drink."),
        ("html", b"<p>Tea</p>"),
        ("csv", b"tea,1\nmilk,2"),
    ],
)
def test_a_fork_reads_what_a_reader_reads_that_was_started_for_it(
    forks: ReaderForks, started: list[str], format: str, data: bytes
) -> None:
    document, level = read(data, forks, format)

    assert started == []
    assert (document, level) == client.read_source(spooled(data), format=format, name="x", max_chars=100_000)


def test_a_fork_has_no_way_out_that_a_reader_has_not(forks: ReaderForks) -> None:
    """What a reader tells of its jail is what it has tried; where this kernel is able to, nothing gets through."""
    apart = client.prove_sandbox("read")["sandbox"]

    assert {read(b"tea", forks)[1] for _ in range(3)} == {apart}


def test_a_fork_says_why_it_cannot_read(forks: ReaderForks, started: list[str]) -> None:
    with pytest.raises(SourceError) as long:
        read(b"tea" * 1000, forks, max_chars=10)
    with pytest.raises(SourceError) as empty:
        read(b"\n", forks)

    assert (long.value.code, empty.value.code, started) == ("source_too_large", "source_empty", [])


def test_what_takes_too_long_is_ended_with_its_borrower_and_the_next_is_read(forks: ReaderForks) -> None:
    waits, never = os.pipe()
    with os.fdopen(waits, "rb") as nothing:
        arguments = {"format": "text", "name": "x", "max_chars": 10, "allow_weak": False}
        child = forks.start(arguments, ("charset_normalizer",), nothing)
        assert isinstance(child, ForkedReader)
        with pytest.raises(TimeoutError):
            child.receive(None, 0.2, 100)

        child.kill()

    os.close(never)
    assert child.status == -signal.SIGKILL
    assert read(b"tea", forks)[0].text == "tea"


def test_many_are_read_at_once_and_each_gets_its_own(forks: ReaderForks) -> None:
    found: dict[int, str] = {}

    def one(number: int) -> None:
        found[number] = read(f"tea {number}".encode(), forks, "text")[0].text

    threads = [threading.Thread(target=one, args=(number,)) for number in range(20)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert found == {number: f"tea {number}" for number in range(20)}


@contextmanager
def _of(code: str) -> Iterator[ReaderForks]:
    """Somebody who forks no readers but runs ``code`` with the first that is asked for."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        start = f"import os, socket, sys, time; line = socket.socket(fileno={theirs.fileno()}); "
        program = [sys.executable, "-c", f"{start}said = socket.recv_fds(line, 9999, 5); {code}"]
        process = subprocess.Popen(program, pass_fds=(theirs.fileno(),))
        theirs.close()
        yield ReaderForks(ours)
        process.kill()
        process.wait()


@pytest.mark.parametrize("code", ["sys.exit(1)", "os.write(said[1][3], b'begun\\n'); sys.exit(1)"])
def test_when_who_forks_them_ends_a_reader_is_started_and_no_source_is_blamed(code: str, started: list[str]) -> None:
    with _of(code) as forks:
        assert read(b"tea", forks, "text")[0].text == "tea"
        assert read(b"milk", forks, "text")[0].text == "milk", "and when nobody is there any more"

    assert started == ["text", "text"]


def test_who_forks_them_and_does_nothing_is_not_waited_for_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curator.models.sandbox.reader_forks._SECONDS", 0.1)
    with _of("time.sleep(60)") as forks:
        reading = Reading(spooled(b"tea"), "text", "x", 100, allow_weak=False, seconds=0.3)

        assert reading.by_fork(forks) is None, "and so a reader is started"


def test_an_ingest_has_all_its_sources_read_by_forks(root: Path, started: list[str]) -> None:
    drop(root)
    drop(root, "brewing.txt", "Brewing\n\nOolong is brewed five times from the same leaves.\n")

    report = ingest.run(Settings(root, {}, {}), [root / "sources"], dry_run=False, ask_again=False, say=lambda _: None)

    assert [each["status"] for each in report.data["results"]] == ["ingested", "ingested"]
    assert started == []


def test_they_end_with_those_who_ask() -> None:
    before = {*descendants(os.getpid())}

    with reader_forks():
        started = {*descendants(os.getpid())} - before

    assert len(started) == 1
    assert not started & {*descendants(os.getpid())}
