"""Stations of one service, as processes: what happens to one wiki is told there, passes, and is no matter of the others."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from curator.cli.commands import edit, ingest, init, retry_skip, status, watch
from curator.errors import Conflict
from curator.repository.runtime.runtime import Runtime
from curator.repository.settings import Settings
from curator.service.instance_lock import only_one, running
from curator.service.queue import Queue
from curator.service.scheduler import Scheduler
from curator.service.status import ServiceStatus
from curator.service.wiki_service import WikiService
from curator.system.signal_event import SignalEvent
from support.daemons import IMPATIENT, descendants, ingests
from support.waiting import PATIENCE, until
from support.wikis import drop, git


class Daemon:
    """``curate watch`` over several wikis; what it logs is read from a file."""

    def __init__(self, log: Path, *roots: Path, stderr: int | None = None) -> None:
        self.log, self.roots = log, roots
        command = [*IMPATIENT, "watch", "--log", "json", *map(str, roots)]
        with log.open("ab") as file:
            self.process = subprocess.Popen(command, stderr=file if stderr is None else stderr)

    def events(self, name: str, root: Path | None = None) -> list[dict[str, Any]]:
        events = [json.loads(line) for line in self.log.read_text("utf-8").splitlines() if line.endswith("}")]
        return [event for event in events if event["event"] == name and event["wiki"] == str(root or self.roots[0])]

    def wait(self, name: str, root: Path | None = None, times: int = 1) -> dict[str, Any]:
        until(lambda: len(self.events(name, root)) >= times or self.process.poll() is not None)
        assert self.process.poll() is None, self.log.read_text("utf-8")[-1000:]
        return self.events(name, root)[-1]

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextmanager
def watching(log: Path, *roots: Path, stderr: int | None = None) -> Iterator[Daemon]:
    daemon = Daemon(log, *roots, stderr=stderr)
    try:
        yield daemon
    finally:
        with suppress(ProcessLookupError):
            daemon.process.terminate()
        try:
            daemon.process.wait(60)
        except subprocess.TimeoutExpired:
            daemon.process.kill()
            daemon.process.wait()


@pytest.fixture
def other(tmp_path: Path) -> Path:
    init.run(tmp_path / "other", "Other")
    return tmp_path / "other"


def settings(root: Path) -> Settings:
    return Settings(root, {}, {})


def runtime(root: Path) -> Runtime:
    return Runtime(root / ".git" / "curator")


def configure(root: Path, text: str) -> None:
    runtime(root).folder.mkdir(exist_ok=True)
    runtime(root).config.write_text(text)


def taken_in(root: Path) -> set[str]:
    return {path.removeprefix("sources/") for path, _ in ingests(root)}


def tea(number: int) -> str:
    return f"Tea {number}\n\nBai Mudan number {number} is a white tea that is made of buds and of leaves.\n"


# -- one wiki's trouble ------------------------------------------------------------------------------------------------


def test_a_wiki_that_loses_its_git_directory_or_settings_comes_back_and_the_other_goes_on(
    root: Path, other: Path, tmp_path: Path
) -> None:
    with watching(tmp_path / "log", root, other) as daemon:
        daemon.wait("watching", other)

        (root / ".git").rename(tmp_path / "away")
        assert "git directory" in daemon.wait("fault")["reason"]
        drop(root, "without.txt", tea(1))
        drop(other, "1.txt", tea(1))
        until(lambda: taken_in(other) == {"1.txt"})
        assert "not in a git repository" in daemon.wait("fault", times=2)["reason"]
        shutil.copytree(tmp_path / "away", root / ".git", symlinks=True)  # as from a backup
        until(lambda: taken_in(root) == {"without.txt"})
        assert running(runtime(root).folder), "the lock is on the folder that is there now"
        assert daemon.events("fault", other) == []

        time.sleep(0.2)
        configure(root, "modle = 'x'\n")
        daemon.process.send_signal(signal.SIGHUP)
        daemon.wait("reloaded", other)
        assert "unknown key 'modle'" in daemon.wait("fault", times=3)["reason"]

        for hand, _ in list(descendants(daemon.process.pid)):
            with suppress(ProcessLookupError):
                os.kill(hand, signal.SIGKILL)  # the next one reads the settings anew
        drop(root, "later.txt", tea(2))
        drop(other, "2.txt", tea(2))
        until(lambda: taken_in(other) == {"1.txt", "2.txt"})
        daemon.wait("unfit")
        until(lambda: "modle" in " ".join(ServiceStatus.of(runtime(root)).troubles))
        assert ServiceStatus.of(runtime(other)).troubles == []
        configure(root, "")
        until(lambda: taken_in(root) == {"without.txt", "later.txt"})

        assert list(runtime(root).parked()) == []
        assert daemon.end() == 0


def test_a_wiki_that_another_watches_is_waited_for_and_the_other_goes_on(
    root: Path, other: Path, tmp_path: Path
) -> None:
    drop(other, "1.txt", tea(1))
    runtime(root).folder.mkdir(exist_ok=True)
    with only_one(runtime(root).folder, root):
        daemon = Daemon(tmp_path / "log", root, other)
        assert f"process {os.getpid()} on" in daemon.wait("fault")["reason"]
        until(lambda: taken_in(other) == {"1.txt"})
    daemon.wait("watching")

    assert len(daemon.events("fault")) == 1, "the same is not told again and again"
    assert daemon.end() == 0


def test_a_full_disk_is_told_in_words_and_with_what_follows(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[dict[str, Any]] = []
    station = WikiService(root, {}, SignalEvent(), lambda _, event, about: said.append({"event": event, **about}))

    def stumble(self: WikiService) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(WikiService, "open", stumble)
    station.step()

    hint = "see to that, then the wiki is opened again by itself"
    assert said == [{"event": "fault", "reason": "the system says: No space left on device", "hint": hint}]
    station.close(0.0)


def test_a_fault_of_curators_own_in_one_station_ends_no_service(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[tuple[str, dict[str, Any]]] = []
    station = WikiService(root, {}, SignalEvent(), lambda _, event, about: said.append((event, about)))
    station.open()

    def stumble(self: Scheduler, dirty: bool) -> float:
        raise KeyError("tea")

    with monkeypatch.context() as patched:
        patched.setattr(Scheduler, "step", stumble)
        station.step()
        assert station.step() > 1, "it is left alone for a while"

    assert [event for event, _ in said] == ["watching", "fault", "stopped"]
    assert "KeyError: 'tea'" in said[1][1]["reason"]
    assert running(runtime(root).folder) is None

    configure(root, "parallel = 7\nwatch = 'polling'\n")
    station.reload()
    station.step()
    service = cast(Scheduler, station._scheduler)
    assert (service.assignments.parallel, service.scans.watcher.state()["mode"]) == (7, "polling")

    configure(root, "parallel = 3\nwatch = 'events'\n")
    station.reload()
    assert (service.assignments.parallel, service.scans.watcher.state()["mode"]) == (3, "events")

    configure(root, "parallel = 'many'\n")
    station.reload()
    assert service.assignments.parallel == 3
    assert "parallel" in said[-1][1]["reason"]
    station.close(time.monotonic())


def test_wikis_that_ask_one_provider_share_its_places() -> None:
    def station(provider: str, most: int, asking: int) -> WikiService:
        return cast(WikiService, SimpleNamespace(provider=provider, provider_parallel=most, asking=asking))

    one, two, three = station("openai ", 4, 1), station("openai ", 3, 1), station("openai http://here", 1, 0)
    built_in = station("", 1, 9)
    everyone = [one, two, three, built_in]

    assert all(watch._may_start(each, everyone) for each in everyone)
    one.asking = 2  # type: ignore[misc]
    assert [watch._may_start(each, everyone) for each in everyone] == [False, False, True, True]


# -- settings ----------------------------------------------------------------------------------------------------------


def test_new_settings_are_heard_of_by_a_signal_and_notify_and_push_do_their_work(root: Path, tmp_path: Path) -> None:
    remote, heard = tmp_path / "remote.git", tmp_path / "heard"
    git(tmp_path, "init", "-q", "--bare", str(remote))
    git(root, "remote", "add", "origin", str(remote))
    git(root, "push", "-q", "-u", "origin", "HEAD")
    with watching(tmp_path / "log", root) as daemon:
        daemon.wait("watching")
        configure(root, f"push = true\nnotify = 'tee -a {heard}'\n")
        daemon.process.send_signal(signal.SIGHUP)
        daemon.wait("reloaded")
        drop(root, "tea.txt", tea(1))
        daemon.wait("pushed")
        assert git(remote, "for-each-ref", "--format=%(objectname)") == git(root, "rev-parse", "HEAD")

        configure(root, "parallel = 'many'\n")
        daemon.process.send_signal(signal.SIGHUP)
        daemon.wait("fault")
        until(lambda: "fault" in told(heard))
        assert told(heard)[:3] == ["reloaded", "queued", "result"]
        result = next(event for event in lines(heard) if event["event"] == "result")
        assert (result["source"], result["status"], result["wiki"]) == ("sources/tea.txt", "ingested", str(root))

        (root / ".git").rename(tmp_path / "away")
        until(lambda: told(heard).count("fault") == 2)
        (tmp_path / "away").rename(root / ".git")
        configure(root, "")
        daemon.wait("watching", times=2)


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def told(file: Path) -> list[str]:
    return [event["event"] for event in lines(file)]


# -- beside it ---------------------------------------------------------------------------------------------------------


def test_commands_work_beside_it(root: Path, tmp_path: Path) -> None:
    drop(root, "video.xyz", "what is this")
    drop(root, "tea.txt", tea(1))
    with watching(tmp_path / "log", root) as daemon:
        until(lambda: taken_in(root) == {"tea.txt"} and len(daemon.events("result")) == 2)

        by = retry_skip.retry_sources(settings(root), [root / "sources" / "video.xyz"], False).data["service"]
        assert f"process {daemon.process.pid}" in by
        until(lambda: len(daemon.events("result")) == 3)
        assert [parked.source for parked in runtime(root).parked()] == ["sources/video.xyz"]

        retry_skip.skip_sources(settings(root), [root / "sources" / "video.xyz"])
        until(lambda: "skipped" in states(root))

        elsewhere = tmp_path / "elsewhere.txt"
        elsewhere.write_text(tea(2))
        done = ingest.run(settings(root), [elsewhere], False, False, lambda _: None)
        assert done.data["results"][0]["status"] == "ingested"
        daemon.wait("queued", times=3)
        until(lambda: states(root) == ["skipped"])

        page = next(root.glob("*/bai-mudan*.md"), None) or next(root.glob("summaries/*.md"))
        edit.rename_page(settings(root), page.stem, "white-tea", dry_run=False)
        edit.undo_commits(settings(root), ["sources/tea.txt"], dry_run=False)
        drop(root, "more.txt", tea(3))
        until(lambda: "more.txt" in taken_in(root))
        time.sleep(0.5)

        assert status.run(settings(root)).data["undone"][0]["source"] == "sources/tea.txt"
        assert git(root, "status", "--porcelain") == "?? sources/video.xyz"
        assert daemon.end(signal.SIGINT) == 0
        assert [event["event"] for event in map(json.loads, daemon.log.read_text().splitlines())][-1] == "stopped"


def states(root: Path) -> list[str]:
    return [item["state"] for item in ServiceStatus.of(runtime(root)).queue]


@pytest.mark.parametrize("is_closed", [True, False])
def test_nobody_has_to_read_what_it_logs(root: Path, tmp_path: Path, is_closed: bool) -> None:
    reader, writer = os.pipe()
    if is_closed:
        os.close(reader)
    else:
        os.set_blocking(writer, False)
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
        with suppress(BlockingIOError):
            while True:
                os.write(writer, b"x")
        os.set_blocking(writer, True)
    with watching(tmp_path / "log", root, stderr=writer) as daemon:
        os.close(writer)
        drop(root, "tea.txt", tea(1))
        until(lambda: taken_in(root) == {"tea.txt"})
        code = daemon.end()

    assert code == 0
    if not is_closed:
        os.close(reader)


def test_a_signal_ends_it_while_it_waits_for_somebody_who_writes(root: Path, tmp_path: Path) -> None:
    with runtime(root).lock(), watching(tmp_path / "log", root) as daemon:
        until(lambda: running(runtime(root).folder))
        time.sleep(0.5)
        code = daemon.end()

    assert code == 0


def test_whoever_only_looks_whether_one_runs_keeps_none_from_starting(tmp_path: Path) -> None:
    def looked(seconds: float) -> Callable[[], None]:
        file = (tmp_path / "daemon.lock").open("a+")
        fcntl.flock(file, fcntl.LOCK_SH)
        timer = threading.Timer(seconds, file.close)
        timer.start()
        return timer.join

    wait = looked(0.1)
    with only_one(tmp_path, tmp_path):
        wait()

    wait = looked(1.0)
    with pytest.raises(Conflict), only_one(tmp_path, tmp_path):
        pass
    wait()


def test_what_nobody_wrote_into_the_queue_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "q").write_text(
        "[1]\nnull\n{}\n7\n\0\0\0\n"
        '{"source": "sources/a.txt", "stamp": "1", "state": "dreaming", "arrived": 1}\n'
        '{"source": 7, "stamp": "1", "state": "queued", "arrived": 1}\n'
        '{"source": "sources/b.txt", "stamp": "1", "state": ["queued"], "arrived": 1}\n'
        '{"source": "sources/c.txt", "stamp": "1", "state": "queued", "arrived": 1}\n'
    )

    assert list(Queue(tmp_path / "q").items) == ["sources/c.txt"]
