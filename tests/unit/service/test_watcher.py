"""The watcher with real inotify: whatever happens to the watches, it is noticed, mended or told."""

from __future__ import annotations

import ctypes
import errno
import itertools
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

from curator.service.watching.scan import scan
from curator.service.watching.watcher import POLLING, SET_UP_EVERY, WITH_EVENTS, Watcher, WatchMode
from curator.system import mounts
from curator.system.clocks import ClockReading, jump_between
from support.waiting import PATIENCE

_TICK = 0.02
"""The clock of a file system is that coarse."""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


class Watched:
    """A wiki with its watcher."""

    def __init__(self, root: Path, stack: ExitStack) -> None:
        self.sources, self.woken, self._stack, self._root = root / "sources", threading.Event(), stack, root
        self._checks = 0
        self.sources.mkdir()

    def start(self, mode: WatchMode = "auto", **more: Any) -> Watcher:
        self.watcher = self._stack.enter_context(Watcher(self._root, mode, self.woken.set, **more))
        return self.watcher

    def wakes_for(self, act: Callable[[], object], within: float = PATIENCE) -> bool:
        """Whether ``act`` leads to a call of ``wake``, once all before it has been heard."""
        while self.woken.wait(0.7):
            self.woken.clear()
        act()
        return self.woken.wait(within)

    def check(self) -> bool:
        """Check as the scheduler does, two seconds later; whether a scan is wanted."""
        self._checks += 1
        self.watcher.check(time.monotonic() + 2 * self._checks)
        return self.watcher.wants_scan()

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
    state = wiki.until(lambda state: state["watches"] == 1001)

    assert (state["mode"], state["why"]) == ("events", "")
    assert wiki.wakes_for(lambda: (wiki.sources / "folder-999" / "b.txt").write_text("b"))
    assert len(list(scan(tmp_path))) == 1001


# -- sources/ itself ----------------------------------------------------------------------------------------------


def test_a_folder_that_is_moved_away_and_made_again_is_watched_anew(wiki: Watched, tmp_path: Path) -> None:
    watcher = wiki.start()
    away = tmp_path / "away"

    wiki.sources.rename(away)
    state = wiki.until(lambda state: state["mode"] == "none")
    assert (state["why"], noted(state)) == ("there is no folder sources/", "sources/ is gone")
    assert watcher.wants_scan() and not watcher.wants_scan()
    assert not wiki.wakes_for(lambda: (away / "a.txt").write_text("a"), within=1)

    wiki.sources.mkdir()
    wiki.until(lambda state: state["mode"] == "events")
    assert watcher.wants_scan()
    assert wiki.wakes_for(lambda: (wiki.sources / "b.txt").write_text("b"))


def test_a_folder_deleted_and_made_again_between_two_checks_costs_no_file(wiki: Watched) -> None:
    """The new one may have the old one's inode: then nothing is heard of it, and its time has changed."""
    wiki.start()

    wiki.sources.rmdir()
    wiki.sources.mkdir()
    assert wiki.check()

    time.sleep(_TICK)
    (wiki.sources / "b.txt").write_text("b")
    assert wiki.check()
    wiki.until(lambda state: state["lost"] >= 1, ahead=SET_UP_EVERY)
    assert wiki.wakes_for(lambda: (wiki.sources / "c.txt").write_text("c")), "by then it is watched anew"


def test_a_folder_that_is_not_there_yet_is_waited_for(wiki: Watched) -> None:
    wiki.sources.rmdir()
    watcher = wiki.start()

    assert (watcher.state()["mode"], watcher.period) == ("none", WITH_EVENTS)
    wiki.sources.mkdir()
    assert wiki.until(lambda state: state["mode"] == "events")["lost"] == 0


def test_a_link_is_no_folder(wiki: Watched, tmp_path: Path) -> None:
    wiki.sources.rename(tmp_path / "elsewhere")
    wiki.sources.symlink_to(tmp_path / "elsewhere")
    watcher = wiki.start()

    assert (watcher.state()["mode"], watcher.state()["why"]) == ("none", "sources/ is no folder")


# -- what no event tells of ---------------------------------------------------------------------------------------


def deaf(*_: object, **__: object) -> list[object]:
    """Stands for the reader of watchdog: the watches are there, and nothing is heard."""
    time.sleep(0.05)
    return []


def test_what_a_watch_does_not_hear_is_seen_at_the_next_check(wiki: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inotify_c.InotifyFD, "read_events", deaf)
    deep = wiki.sources / "deep"
    deep.mkdir()
    watcher = wiki.start()
    assert not wiki.check()

    for act in (
        lambda: (deep / "new.txt").write_text("a"),
        lambda: (deep / "new.txt").rename(deep / "renamed.txt"),
        (deep / "deeper").mkdir,
        lambda: (deep / "deeper" / "b.txt").write_text("b"),
        lambda: shutil.rmtree(deep),
    ):
        time.sleep(_TICK)
        act()
        assert wiki.check()
        assert not wiki.check(), "once is enough"

    assert not wiki.woken.is_set()
    assert watcher.state()["lost"] == 5


def test_what_was_heard_of_is_not_lost(wiki: Watched) -> None:
    watcher = wiki.start()

    for number in range(3):
        assert wiki.wakes_for(lambda number=number: (wiki.sources / f"{number}.txt").write_text("a"))  # type: ignore[misc]
        wiki.check()
        wiki.check()

    assert watcher.state()["lost"] == 0


def test_a_real_overflow_is_survived(wiki: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader is held back until the kernel's queue is full; no setting of the machine is touched."""
    gate, read = threading.Event(), inotify_c.InotifyFD.read_events
    gate.set()

    def held_back(self: inotify_c.InotifyFD, **more: Any) -> Any:
        gate.wait()
        return read(self, **more)

    monkeypatch.setattr(inotify_c.InotifyFD, "read_events", held_back)
    wiki.start()
    room = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())

    gate.clear()
    (wiki.sources / "first.txt").write_text("a")
    for number in range(room // 2 + 100):
        (wiki.sources / f"{number}.txt").touch()
    gate.set()

    assert wiki.woken.wait(PATIENCE)
    assert wiki.wakes_for(lambda: (wiki.sources / "last.txt").write_text("a"))


def test_folders_beyond_the_limit_of_watches_are_seen_all_the_same(
    wiki: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        (wiki.sources / str(number)).mkdir()
    add, held = inotify_c.inotify_add_watch, itertools.count()

    def limited(descriptor: int, path: bytes, mask: Any) -> Any:
        if next(held) < 11:
            return add(descriptor, path, mask)
        ctypes.set_errno(errno.ENOSPC)
        return -1

    monkeypatch.setattr(inotify_c, "inotify_add_watch", limited)
    wiki.start()
    assert not wiki.check()
    time.sleep(_TICK)

    for number in range(30):
        (wiki.sources / str(number) / "a.txt").write_text("a")
        assert wiki.check(), number


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [("inotify_add_watch", errno.ENOSPC, "watch limit"), ("inotify_init", errno.EMFILE, "instance limit")],
)
def test_no_watch_at_all_is_polled_around_and_tried_again(
    name: str, error: int, said: str, wiki: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        ctypes.set_errno(error)
        return -1

    with monkeypatch.context() as patch:
        patch.setattr(inotify_c, name, full)
        watcher = wiki.start()
        assert (watcher.state()["mode"], watcher.period) == ("polling", POLLING)
        assert watcher.state()["why"] == f"the system watches nothing: inotify {said} reached"
        watcher.check(time.monotonic() + SET_UP_EVERY + 1)
        assert (watcher.state()["mode"], watcher.state()["noted"]) == ("polling", []), "no news is told"

    state = wiki.until(lambda state: state["mode"] == "events", ahead=3 * SET_UP_EVERY)
    assert (state["why"], watcher.period) == ("", WITH_EVENTS)
    assert noted(state) == "the system tells of changes again"


def test_a_thread_that_died_is_replaced(wiki: Watched) -> None:
    watcher = wiki.start()
    for thread in list(watcher._events._observer.emitters):  # type: ignore[union-attr]
        thread.stop()
        thread.join(PATIENCE)

    watcher.check(time.monotonic() + SET_UP_EVERY + 1)

    assert noted(watcher.state()) == "the watch had died: it was set up anew"
    assert (watcher.state()["mode"], watcher.state()["lost"], watcher.wants_scan()) == ("events", 1, True)
    assert wiki.wakes_for(lambda: (wiki.sources / "a.txt").write_text("a"))


# -- the end ------------------------------------------------------------------------------------------------------


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
    wiki.until(lambda state: state["mode"] == "events", ahead=SET_UP_EVERY + 1)

    mounts.MOUNTINFO.write_text(f"1 0 0:1 / / rw - ext4 / rw\n2 1 0:2 / {wiki.sources}/x rw - fuse.sshfs h:/ rw\n")
    wiki.until(lambda state: "fuse.sshfs" in state["why"], ahead=3 * SET_UP_EVERY)


def test_the_mode_that_is_set_counts(wiki: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounts, "MOUNTINFO", tmp_path / "mountinfo")
    mounts.MOUNTINFO.write_text(f"2 1 0:2 / {wiki.sources} rw - nfs4 host:/ rw\n")

    events = wiki.start("events")
    assert (events.state()["mode"], "nfs4" in events.state()["why"]) == ("events", True)
    polling = wiki.start("polling")
    assert (polling.state()["mode"], polling.state()["why"], polling.period) == ("polling", "", POLLING)

    wiki.sources.rename(tmp_path / "away")
    polling.check(time.monotonic() + SET_UP_EVERY)
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
