"""The service with real processes and real signals: what is dropped comes in once, whatever is done to it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest

from curator.cli.commands import edit, init, status
from curator.repository.settings import Settings
from support.daemons import IMPATIENT, ingests
from support.site import HTML, PAGE, Site
from support.waiting import PATIENCE, until
from support.wikis import TEA, drop, git


@contextmanager
def watching(*roots: Path) -> Iterator[subprocess.Popen[str]]:
    command = [*IMPATIENT, "watch", "--log", "json", *map(str, roots)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def sources(root: Path) -> list[str]:
    return sorted(path for path, _ in ingests(root).elements())


def other_tea(number: int) -> str:
    return f"Tea {number}\n\nBai Mudan number {number} is a white tea that is made of buds and of leaves.\n"


def test_what_is_fetched_meanwhile_the_service_takes_in_with_its_address(root: Path) -> None:
    environment = {**os.environ, "CURATOR_FETCH_HOSTS": "127.0.0.1"}
    with Site().open() as site, watching(root) as process:
        site.pages["/tea"] = (200, HTML, PAGE)
        until(lambda: status.run(Settings(root, {}, {})).data["daemon"])
        command = [*IMPATIENT, "--wiki", str(root), "--json", "fetch", f"{site.address}/tea"]
        told = json.loads(subprocess.run(command, env=environment, check=True, capture_output=True).stdout)
        until(lambda: sources(root))
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)

    path = "sources/web/127.0.0.1/tea.html"
    assert (told["service"], told["brought"], told["results"]) == (True, [path], [])
    assert sources(root) == [path]
    assert json.loads((root / "_manifest.json").read_text())["sources"][path]["url"] == f"{site.address}/tea"


def test_what_is_dropped_is_taken_in_and_a_signal_ends_the_service(root: Path) -> None:
    drop(root, "before.txt")
    with watching(root) as process:
        until(lambda: sources(root) == ["sources/before.txt"])
        (root / "sources" / "later.txt.part").write_text(other_tea(1))
        (root / "sources" / "later.txt.part").rename(root / "sources" / "later.txt")
        until(lambda: len(sources(root)) == 2)

        told = status.run(Settings(root, {}, {})).data
        process.send_signal(signal.SIGTERM)

        assert process.wait(PATIENCE) == 0
        assert str(process.pid) in told["daemon"]
    assert git(root, "status", "--porcelain") == ""
    assert status.run(Settings(root, {}, {})).data["daemon"] is None


def test_a_second_service_is_refused_by_the_name_of_the_first(root: Path) -> None:
    with watching(root) as first:
        assert first.stderr is not None
        first.stderr.readline()
        command = [sys.executable, "-m", "curator", "watch", str(root)]
        second = subprocess.run(command, capture_output=True, text=True, check=False)

        assert second.returncode == 1
        assert f"process {first.pid} on" in second.stderr


def test_killed_and_started_again_nothing_is_lost_or_doubled(root: Path) -> None:
    for number in range(6):
        drop(root, f"tea-{number}.txt", other_tea(number))
    for turn in range(3):
        with watching(root) as process:
            until(partial(_has_more, root, turn))
            os.kill(process.pid, signal.SIGKILL)
            process.wait()

    with watching(root):
        until(lambda: len(sources(root)) == 6)
        time.sleep(1)

    assert sources(root) == [f"sources/tea-{number}.txt" for number in range(6)]
    until(lambda: git(root, "status", "--porcelain") == "")


def _has_more(root: Path, than: int) -> bool:
    return len(sources(root)) > than


def test_two_wikis_are_kept_apart(root: Path, tmp_path: Path) -> None:
    init.run(tmp_path / "other", "Other")
    drop(root, "one.txt")
    drop(tmp_path / "other", "two.txt")

    with watching(root, tmp_path / "other"):
        until(lambda: sources(root) and sources(tmp_path / "other"))

    assert (sources(root), sources(tmp_path / "other")) == (["sources/one.txt"], ["sources/two.txt"])


def test_what_was_taken_back_is_left_alone(root: Path) -> None:
    drop(root, "one.txt")
    once(root)
    edit.undo_commits(Settings(root, {}, {}), ["sources/one.txt"], dry_run=False)
    (root / ".git" / "curator" / "queue.jsonl").unlink()  # as on another machine, which knows the commits only

    once(root)

    assert git(root, "log", "-1", "--format=%s").startswith("undo")


def test_what_can_be_no_source_is_listed_with_its_reason_and_stops_nothing(root: Path) -> None:
    os.mkfifo(root / "sources" / "pipe.txt")
    drop(root, "video.xyz", "what is this")
    drop(root, "good.txt")

    once(root)
    told = status.run(Settings(root, {}, {})).data

    assert sources(root) == ["sources/good.txt"]
    assert {item["source"]: item["reason"] for item in told["queue"]} == {"sources/pipe.txt": "it is a FIFO"}
    assert [item["source"] for item in told["parked"]] == ["sources/video.xyz"]


def test_a_page_with_unsaved_changes_makes_the_source_wait_and_come_in_later(root: Path) -> None:
    once_with(root, "one.txt", TEA)
    (root / ".git" / "curator" / "curator.toml").write_text('on_dirty = "park"\n')
    page = next(path for path in root.glob("*/oolong.md"))
    page.write_text(page.read_text() + "\nMine.\n")
    more = "More oolong\n\nOolong is a tea that is brewed five times from the same leaves.\n"
    drop(root, "two.txt", more)

    with watching(root):
        until(lambda: any(i["state"] == "waiting" for i in status.run(Settings(root, {}, {})).data["queue"]))
        git(root, "checkout", "-q", "--", str(page.relative_to(root)))
        until(lambda: len(sources(root)) == 2)


def once_with(root: Path, name: str, text: str) -> None:
    drop(root, name, text)
    once(root)


def once(root: Path) -> None:
    command = [*IMPATIENT, "watch", "--once", "--log", "json", str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert all(json.loads(line) for line in done.stderr.splitlines())


def test_a_folder_that_is_no_wiki_is_named(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "curator", "watch", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "KNOWLEDGE.md" in done.stderr


IN_TERMINAL = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests may have it ignored
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""


@contextmanager
def in_a_terminal(
    folder: Path, log: Path | None, *command: str
) -> Iterator[tuple[subprocess.Popen[bytes], Callable[[], None]]]:
    """A process in a terminal of its own, and what has that terminal go away; stderr goes to ``log``, or there too."""
    ours, theirs = os.openpty()
    gone: list[int] = []

    def goes_away() -> None:
        if not gone:
            gone.append(ours)
            os.close(ours)

    launched = [sys.executable, "-c", IN_TERMINAL, *command]
    with ExitStack() as files:
        stderr = files.enter_context(log.open("wb")) if log is not None else theirs
        moving = {**os.environ, "TERM": "xterm", "CURATOR_PLAIN": ""}
        process = subprocess.Popen(launched, stdin=theirs, stdout=theirs, stderr=stderr, cwd=folder, env=moving)
        os.close(theirs)
    try:
        yield process, goes_away
    finally:
        goes_away()
        if process.poll() is None:
            process.kill()
        process.wait()


@pytest.mark.parametrize("is_shown", [False, True], ids=["logged", "on the terminal"])
def test_it_ends_in_order_with_the_terminal_that_it_was_started_in(root: Path, tmp_path: Path, is_shown: bool) -> None:
    log = None if is_shown else tmp_path / "log"
    drop(root, "before.txt")
    with in_a_terminal(tmp_path, log, *IMPATIENT, "watch", str(root)) as (process, goes_away):
        until(lambda: sources(root) == ["sources/before.txt"])
        process.send_signal(signal.SIGHUP)
        time.sleep(1)
        assert process.poll() is None, "as long as the terminal is there, it reads its settings again"

        goes_away()

        assert process.wait(PATIENCE) == 0
    assert log is None or "stopped" in log.read_text()
    assert not status.run(Settings(root, {}, {})).data["daemon"]


def test_with_nohup_it_outlives_its_terminal_and_still_reads_its_settings_again(root: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with in_a_terminal(tmp_path, log, "nohup", *IMPATIENT, "watch", "--log", "json", str(root)) as (process, goes_away):
        until(lambda: "watching" in log.read_text())
        goes_away()  # by which it gets a SIGHUP, and another so soon that it may come amid the handling of the first
        process.send_signal(signal.SIGHUP)

        until(lambda: "reloaded" in log.read_text())
        for _ in range(50):
            process.send_signal(signal.SIGHUP)
            process.send_signal(signal.SIGHUP)
            time.sleep(0.01)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
