"""The watcher with real inotify: whatever happens to the watches, it is noticed, mended or told."""

from __future__ import annotations

import ctypes
import errno
import json
import logging
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from watchdog.observers import inotify_c

from curator.service.watching import inotify
from curator.service.watching.scan import scan
from curator.service.watching.watcher import COUNT_EVERY, POLLING, RETRY_AFTER, WITH_EVENTS, Watcher, Wish
from curator.system import mounts
from curator.system.clocks import ClockReading, jump_between

PATIENCE = 60.0
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


class Watched:
    """A wiki with its watcher."""

    def __init__(self, root: Path, stack: ExitStack) -> None:
        self.sources, self.woken, self._stack, self._root = root / "sources", threading.Event(), stack, root
        self.sources.mkdir()

    def start(self, wish: Wish = "auto", **more: Any) -> Watcher:
        self.watcher = self._stack.enter_context(Watcher(self._root, wish, self.woken.set, **more))
        return self.watcher

    def wakes_for(self, act: Callable[[], object], within: float = PATIENCE) -> bool:
        """Whether ``act`` leads to a call of ``wake``, once all before it has been heard."""
        while self.woken.wait(0.7):
            self.woken.clear()
        act()
        return self.woken.wait(within)

    def until(self, holds: Callable[[dict[str, Any]], object], ahead: float = 0.0) -> dict[str, Any]:
        """Check, as the scheduler does, until the state is so. ``ahead``: so many seconds from now."""
        end = time.monotonic() + PATIENCE
        while True:
            self.watcher.check(time.monotonic() + ahead)
            if holds(state := self.watcher.state()):
                return state
            assert time.monotonic() < end, state
            time.sleep(0.2)


@pytest.fixture
def wiki(tmp_path: Path) -> Iterator[Watched]:
    with ExitStack() as stack:
        yield Watched(tmp_path, stack)


def noted(state: dict[str, Any]) -> str:
    return "; ".join(note["what"] for note in state["noted"])


# -- events -------------------------------------------------------------------------------------------------------


def test_what_happens_in_sources_wakes_and_what_happens_beside_it_does_not(wiki: Watched, tmp_path: Path) -> None:
    (wiki.sources / "deep").mkdir()
    watcher = wiki.start()

    assert watcher.state() == {"mode": "events", "why": "", "watches": 2, "lost": 0, "noted": []}
    assert (watcher.period, watcher.wants_scan()) == (WITH_EVENTS, False)
    assert wiki.wakes_for(lambda: (wiki.sources / "deep" / "a.txt").write_text("a"))
    assert not wiki.wakes_for(lambda: (tmp_path / "page.md").write_text("a"), within=1)
    assert not wiki.wakes_for(lambda: list(scan(tmp_path)), within=1), "a look must not lead to the next look"


def test_files_that_are_moved_in_linked_or_taken_away_wake(wiki: Watched, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.txt").write_text("a")
    wiki.start()

    assert wiki.wakes_for(lambda: outside.rename(wiki.sources / "moved"))
    assert wiki.wakes_for(lambda: os.link(wiki.sources / "moved" / "a.txt", wiki.sources / "b.txt"))
    assert wiki.wakes_for(lambda: (wiki.sources / "b.txt").unlink())
    assert wiki.wakes_for(lambda: Path(os.fsdecode(os.fsencode(wiki.sources) + b"/\xff.txt")).write_text("a"))


def test_a_thousand_new_folders_are_all_watched(wiki: Watched, tmp_path: Path) -> None:
    wiki.start()

    for number in range(1000):
        folder = wiki.sources / f"folder-{number}"
        folder.mkdir()
        (folder / "a.txt").write_text("a")
    state = wiki.until(lambda state: state["watches"] == 1001, ahead=COUNT_EVERY)

    assert (state["mode"], state["why"]) == ("events", "")
    assert wiki.wakes_for(lambda: (wiki.sources / "folder-999" / "b.txt").write_text("b"))
    assert len(list(scan(tmp_path))) == 1001


# -- sources/ itself ----------------------------------------------------------------------------------------------


def test_a_folder_that_is_moved_away_and_made_again_is_watched_anew(wiki: Watched, tmp_path: Path) -> None:
    watcher = wiki.start()
    away = tmp_path / "away"

    assert wiki.wakes_for(lambda: wiki.sources.rename(away))
    state = wiki.until(lambda state: state["mode"] == "none")
    assert (state["why"], noted(state)) == ("there is no folder sources/", "sources/ is gone")
    assert watcher.wants_scan() and not watcher.wants_scan()
    assert not wiki.wakes_for(lambda: (away / "a.txt").write_text("a"), within=1)

    assert wiki.wakes_for(wiki.sources.mkdir)
    wiki.until(lambda state: state["mode"] == "events")
    assert watcher.wants_scan()
    assert wiki.wakes_for(lambda: (wiki.sources / "b.txt").write_text("b"))


def test_a_folder_deleted_and_made_again_between_two_checks_is_noticed(wiki: Watched) -> None:
    """The new one often has the old one's inode: only its name was heard to come and go."""
    wiki.start()

    def again() -> None:
        wiki.sources.rmdir()
        wiki.sources.mkdir()

    assert wiki.wakes_for(again)
    state = wiki.until(lambda state: state["lost"] >= 1)

    assert state["mode"] == "events"
    assert wiki.wakes_for(lambda: (wiki.sources / "b.txt").write_text("b"))


def test_a_folder_that_is_not_there_yet_is_waited_for(wiki: Watched) -> None:
    wiki.sources.rmdir()
    watcher = wiki.start()

    assert (watcher.state()["mode"], watcher.period) == ("none", WITH_EVENTS)
    assert wiki.wakes_for(wiki.sources.mkdir)
    assert wiki.until(lambda state: state["mode"] == "events")["lost"] == 0


def test_a_link_is_no_folder(wiki: Watched, tmp_path: Path) -> None:
    wiki.sources.rename(tmp_path / "elsewhere")
    wiki.sources.symlink_to(tmp_path / "elsewhere")
    watcher = wiki.start()

    assert (watcher.state()["mode"], watcher.state()["why"]) == ("none", "sources/ is no folder")


# -- the kernel's limits ------------------------------------------------------------------------------------------


def test_a_real_overflow_is_noticed(wiki: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader is held back until the kernel's queue is full; no setting of the machine is touched."""
    gate, read = threading.Event(), inotify_c.InotifyFD.read_events
    gate.set()

    def held_back(self: inotify_c.InotifyFD, **more: Any) -> Any:
        gate.wait()
        return read(self, **more)

    monkeypatch.setattr(inotify_c.InotifyFD, "read_events", held_back)
    watcher = wiki.start()
    room = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())

    gate.clear()
    (wiki.sources / "first.txt").write_text("a")
    for number in range(room // 2 + 100):
        (wiki.sources / f"{number}.txt").touch()
    gate.set()
    state = wiki.until(lambda state: state["lost"])

    assert (state["mode"], state["lost"]) == ("events", 1)
    assert noted(state).startswith("more happened at once")
    assert watcher.wants_scan()
    assert wiki.wakes_for(lambda: (wiki.sources / "last.txt").write_text("a"))


def test_watchdogs_log_is_understood_and_let_go_of(wiki: Watched, tmp_path: Path) -> None:
    log = logging.getLogger("watchdog.observers.inotify_c")
    before = list(logging.getLogger("watchdog").handlers)
    with Watcher(tmp_path, "auto", wiki.woken.set) as watcher:
        log.warning("Inotify queue overflowed; filesystem events were lost")
        log.warning("Inotify queue overflowed; reconciling recursive watches below %r", b"sources")
        log.warning("something else")
        assert wiki.woken.is_set()
        watcher.check(time.monotonic())

        assert watcher.state()["lost"] == 1
    assert logging.getLogger("watchdog").handlers == before


class Kernel:
    """Allows only so many watches, as the kernel does at its limit."""

    def __init__(self, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.limit, self.held = limit, 0
        self._add, self._remove = inotify_c.inotify_add_watch, inotify_c.inotify_rm_watch
        monkeypatch.setattr(inotify_c, "inotify_add_watch", self.add)
        monkeypatch.setattr(inotify_c, "inotify_rm_watch", self.remove)

    def add(self, descriptor: int, path: bytes, mask: Any) -> Any:
        if self.held >= self.limit:
            ctypes.set_errno(errno.ENOSPC)
            return -1
        self.held += 1
        return self._add(descriptor, path, mask)

    def remove(self, descriptor: int, watch: Any) -> int:
        self.held -= 1
        return self._remove(descriptor, watch)


def test_watches_that_fail_in_silence_are_polled_around_and_come_back(
    wiki: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        (wiki.sources / str(number)).mkdir()
    kernel = Kernel(11, monkeypatch)
    watcher = wiki.start()

    state = wiki.until(lambda state: state["mode"] == "polling")
    assert state["why"].startswith("the system watches 10 of 31 folders; all programs of a user share fs.inotify.max_")
    assert "raise it with 'sysctl fs.inotify.max_user_watches=" in state["why"]
    assert watcher.period == POLLING

    told = len(state["noted"])
    for turn in (1, 2):
        watcher.check(time.monotonic() + turn * (RETRY_AFTER + 1))
    assert (watcher.state()["mode"], len(watcher.state()["noted"])) == ("polling", told), "no news is told"

    kernel.limit = 1000
    state = wiki.until(lambda state: state["mode"] == "events", ahead=10 * RETRY_AFTER)
    assert (state["why"], state["watches"], watcher.period) == ("", 31, WITH_EVENTS)
    assert noted(state).endswith("the system tells of changes again")
    assert wiki.wakes_for(lambda: (wiki.sources / "29" / "a.txt").write_text("a"))


def test_a_limit_that_was_raised_is_seen_at_once(wiki: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(0, monkeypatch)
    watcher = wiki.start()
    assert (watcher.state()["mode"], watcher.period) == ("polling", POLLING)

    kernel.limit = 1000
    watcher.check(time.monotonic())
    assert watcher.state()["mode"] == "polling"
    monkeypatch.setattr(inotify, "limit", lambda of: (f"fs.inotify.max_user_{of}", 10**6))
    watcher.check(time.monotonic())

    assert watcher.state()["mode"] == "events"


def test_no_room_for_another_instance_is_polled_around(wiki: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> int:
        ctypes.set_errno(errno.EMFILE)
        return -1

    monkeypatch.setattr(inotify_c, "inotify_init", full)

    assert "fs.inotify.max_user_instances = " in wiki.start().state()["why"]
    assert wiki.watcher.state()["mode"] == "polling"


IN_A_SMALL_WORLD = """
import json, sys, time
from pathlib import Path
from curator.service.watching.watcher import Watcher
limit, root = Path("/proc/sys/user/max_inotify_watches"), Path(sys.argv[1])
limit.write_text("20")
with Watcher(root, "auto", lambda: None) as watcher:
    while watcher.state()["mode"] != "polling":
        watcher.check(time.monotonic())
        time.sleep(0.2)
    print(json.dumps(watcher.state()))
    limit.write_text("1000")
    watcher.check(time.monotonic())
    print(json.dumps(watcher.state()))
"""


def test_the_kernels_own_limit_of_watches(wiki: Watched, tmp_path: Path) -> None:
    """In a user namespace of its own the limit can be lowered for nobody else."""
    for number in range(30):
        (wiki.sources / str(number)).mkdir()
    if shutil.which("unshare") is None:
        pytest.skip("unshare is not there")
    alone = ["unshare", "--user", "--map-root-user"]
    allowed = subprocess.run([*alone, "test", "-w", "/proc/sys/user/max_inotify_watches"], check=False)
    if allowed.returncode:
        pytest.skip("no user namespace can be made here")

    command = [*alone, sys.executable, "-c", IN_A_SMALL_WORLD, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    small, raised = map(json.loads, done.stdout.splitlines())

    assert "of 31 folders; all programs of a user share user.max_inotify_watches = 20" in small["why"]
    assert (raised["mode"], raised["why"], raised["watches"]) == ("events", "", 31)


# -- what dies ----------------------------------------------------------------------------------------------------


def _emitters(events: Any) -> list[Any]:
    return list(events._observer.emitters)


def _reader(events: Any) -> list[Any]:
    return [events._observer._inotify_fd]


@pytest.mark.parametrize("threads", [_emitters, _reader])
def test_a_thread_that_died_is_replaced(wiki: Watched, threads: Callable[[Any], list[Any]]) -> None:
    watcher = wiki.start()
    for thread in threads(watcher._events):
        thread.stop()
        thread.join(PATIENCE)

    watcher.check(time.monotonic())

    assert noted(watcher.state()) == "the watch had died: it was set up anew"
    assert (watcher.state()["mode"], watcher.state()["lost"], watcher.wants_scan()) == ("events", 1, True)
    assert wiki.wakes_for(lambda: (wiki.sources / "a.txt").write_text("a"))


def test_what_dies_again_and_again_is_given_up_for_a_while(wiki: Watched) -> None:
    watcher = wiki.start()
    for _ in range(2):
        for emitter in _emitters(watcher._events):
            emitter.stop()
            emitter.join(PATIENCE)
        watcher.check(time.monotonic())
    assert (watcher.state()["mode"], watcher.state()["why"]) == ("polling", "the watch had died, and again")

    watcher.check(time.monotonic() + RETRY_AFTER + 1)

    assert watcher.state()["mode"] == "events"


def test_to_stop_never_hangs(wiki: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curator.service.watching.events._SECONDS_TO_END", 0.2)
    gate = threading.Event()

    def wait() -> None:
        gate.wait()

    with Watcher(tmp_path, "auto", wait):
        (wiki.sources / "a.txt").write_text("a")
        time.sleep(0.5)
    gate.set()


AGAIN_AND_AGAIN = """
import sys
from pathlib import Path
from curator.service.watching.watcher import Watcher
for _ in range(30):
    with Watcher(Path(sys.argv[1]), "auto", lambda: None):
        Path(sys.argv[1], "sources", "a.txt").write_text("a")
"""


def test_to_stop_says_nothing(wiki: Watched, tmp_path: Path) -> None:
    """watchdog's own words at its end are no message of ours, least of all where each line is JSON."""
    command = [sys.executable, "-c", AGAIN_AND_AGAIN, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)

    assert (done.stdout, done.stderr) == ("", "")


# -- where nothing is told ----------------------------------------------------------------------------------------


def test_a_network_file_system_is_polled_as_long_as_it_is_one(
    wiki: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mounts, "MOUNTINFO", tmp_path / "mountinfo")
    mounts.MOUNTINFO.write_text(f"1 0 0:1 / / rw - ext4 / rw\n2 1 0:2 / {wiki.sources} rw - nfs4 host:/ rw\n")
    watcher = wiki.start()
    told = "sources/ is on a network file system (nfs4), which does not tell what others do"
    assert (watcher.state()["mode"], watcher.state()["why"], watcher.period) == ("polling", told, POLLING)

    mounts.MOUNTINFO.write_text("1 0 0:1 / / rw - ext4 / rw\n")
    wiki.until(lambda state: state["mode"] == "events", ahead=COUNT_EVERY + 1)

    mounts.MOUNTINFO.write_text(f"1 0 0:1 / / rw - ext4 / rw\n2 1 0:2 / {wiki.sources}/x rw - fuse.sshfs h:/ rw\n")
    wiki.until(lambda state: "fuse.sshfs" in state["why"], ahead=3 * COUNT_EVERY)


def test_a_wish_is_a_wish(wiki: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounts, "MOUNTINFO", tmp_path / "mountinfo")
    mounts.MOUNTINFO.write_text(f"2 1 0:2 / {wiki.sources} rw - nfs4 host:/ rw\n")

    events = wiki.start("events")
    assert (events.state()["mode"], "nfs4" in events.state()["why"]) == ("events", True)
    polling = wiki.start("polling")
    assert (polling.state()["mode"], polling.state()["why"], polling.period) == ("polling", "", POLLING)

    wiki.sources.rename(tmp_path / "away")
    polling.check(time.monotonic() + RETRY_AFTER)
    assert (polling.state()["mode"], noted(polling.state())) == ("none", "sources/ is gone")


# -- clocks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (ClockReading(1030, 130, 230), ""),
        (ClockReading(1034, 130, 230), ""),
        (ClockReading(4630, 130, 230), "the clock jumped by +3600 s"),
        (ClockReading(430, 130, 230), "the clock jumped by -600 s"),
        (ClockReading(8230, 130, 7430), "the machine slept for 7200 s"),
        (ClockReading(9230, 130, 7430), "the machine slept for 7200 s, the clock jumped by +1000 s"),
    ],
)
def test_clocks_that_disagree_tell_what_happened(after: ClockReading, said: str) -> None:
    assert jump_between(ClockReading(1000, 100, 200), after) == said


def test_a_jump_is_noted_once_and_wants_a_look(wiki: Watched) -> None:
    readings = [ClockReading(1000, 0, 0), ClockReading(5000, 1, 1), ClockReading(5030, 31, 31)]
    watcher = wiki.start("polling", read_clocks=lambda: readings.pop(0))

    watcher.check(1)
    assert (noted(watcher.state()), watcher.wants_scan()) == ("the clock jumped by +3999 s", True)
    watcher.check(31)

    assert (len(watcher.state()["noted"]), watcher.wants_scan()) == (1, False)
