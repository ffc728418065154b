"""A sample of the torture: faults at some of the calls of a plan; ``make torture`` tries them all.

A push tries kills and a fifth of the other samples, another one with each commit; at night all of them.
"""

from __future__ import annotations

import errno
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator.repository.transaction import recovery
from faults.torture import power, shim
from faults.torture.crew import Crew
from faults.torture.locks import LOCKS
from faults.torture.shim import Call
from faults.torture.torture import hired, torture
from faults.torture.worker import Job
from support.depth import NIGHTLY, of_this_commit

pytestmark = pytest.mark.skipif(shim.missing() is not None, reason=f"no torture here: {shim.missing()}")

KILL = ("kill", "mixed", 40)
OTHERS = (
    ("kill", "signed", 80),
    ("kill", "outside", 80),
    ("names", "outside", 60),
    ("kill", "remove", 30),
    ("torn", "edit", 6),
    ("power", "remove", 30),
    ("names", "create", 30),
    ("some-names", "mixed", 50),
    ("errno", "edit", 35),
    ("reads", "create", 50),
    ("orphan", "mixed", 22),
    ("lone", "remove", 9),
    ("double", "edit", 60),
    ("unlocked", "create", 60),
    ("locks", "mixed", 1),
)
"""Mode, plan, and how many calls lie between one fault and the next."""
SAMPLES = (KILL, *of_this_commit(OTHERS, 5))
_READ_EVERY = 18 if NIGHTLY else 36


@pytest.fixture(scope="module")
def crew() -> Iterator[Crew]:
    with hired(1) as crew:
        yield crew


@pytest.mark.parametrize(("mode", "plan", "every"), SAMPLES, ids=[f"{mode}-{plan}" for mode, plan, _ in SAMPLES])
def test_after_any_fault_the_wiki_is_as_before_or_as_after(mode: str, plan: str, every: int, crew: Crew) -> None:
    results = list(torture(crew, [mode], [plan], every))

    assert [result for result in results if result.faults] == []
    assert len(results) > 3


def test_a_branch_that_git_cannot_open_is_not_taken_for_one_that_has_not_moved(crew: Crew) -> None:
    looks = [call for call in crew.calls("edit", reads=True) if call.path.endswith(".git/refs/heads/main")]
    files_stay_shut = [
        Job("reads", "edit", call.number, errno.EMFILE, lasting=True) for call in looks if call.kind == "read"
    ]
    results = list(crew.results(files_stay_shut[-6:]))

    assert [result for result in results if result.faults] == []
    assert len(results) == 6


def test_a_file_that_git_cannot_read_is_not_taken_for_one_that_is_not_there(crew: Crew) -> None:
    reads = [call for call in crew.calls("undo", reads=True) if call.kind == "read" and "/objects/" in call.path]
    results = list(crew.results([Job("reads", "undo", call.number, errno.EIO) for call in reads[::_READ_EVERY]]))

    assert [result for result in results if result.faults] == []
    assert len(results) > 5


def test_a_lock_that_git_could_not_take_away_is_taken_away(crew: Crew) -> None:
    made = crew.calls("edit", reads=False)
    stays = [call.number for call in made if call.kind == "unlink" and call.path.endswith("HEAD.lock")]
    results = list(crew.results([Job("errno", "edit", number, errno.EIO) for number in stays]))

    assert [result for result in results if result.faults] == []
    assert results


def test_every_call_is_seen_of_python_and_of_git_and_through_ctypes(crew: Crew) -> None:
    calls = crew.calls("mixed", reads=False)

    gits = {call.path.rpartition("/.git/")[2] for call in calls if call.process != calls[0].process}
    assert [call.number for call in calls] == list(range(1, len(calls) + 1))
    assert {"refs/heads/main.lock", "HEAD.lock", "logs/HEAD"} <= gits
    assert any(name.startswith("curator/blobs-") and name.endswith("/index.lock") for name in gits)
    assert {"exchange", "link", "rename", "write", "fsync", "mkdir", "chmod"} <= {call.kind for call in calls}
    assert len([call for call in calls if call.kind == "exchange"]) == 11  # eight pages, index, log, manifest


def test_a_process_that_has_ended_meanwhile_has_nothing_open(tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()

    assert not recovery.has_open(Path("/proc", str(ended.pid)), tmp_path.stat())


def test_locks_of_others_are_tried_empty_and_full() -> None:
    assert {lock.path for lock in LOCKS if not lock.content} == {lock.path for lock in LOCKS if lock.content}


# -- the model of a power cut ------------------------------------------------------------------------------------------


def calls(root: Path, *done: tuple[str, str, str]) -> list[Call]:
    """Calls as the log would have them: kind, path, other path; the inodes are those of now."""
    made = []
    for number, (kind, path, other) in enumerate(done, 1):
        file = root / path
        inode = file.stat().st_ino if file.exists() else 0
        made.append(Call(number, kind, 1, inode, 0, str(file), str(root / other) if other else ""))
    return made


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "grave").mkdir()
    (tmp_path / "root").mkdir()
    return tmp_path / "root"


def cut(root: Path, before: dict[str, int], made: list[Call], chance: random.Random | None = None) -> None:
    power.cut_names(root, root.parent / "grave", before, made, chance)


def test_what_was_written_and_not_synced_is_empty_after_a_power_cut(place: Path) -> None:
    (place / "synced").write_text("text")
    (place / "unsynced").write_text("text")
    made = calls(place, ("write", "synced", ""), ("fsync", "synced", ""), ("write", "unsynced", ""))

    power.cut_contents(place, made)

    assert (place / "synced").read_text() == "text"
    assert (place / "unsynced").read_text() == ""


def test_a_name_is_lost_whose_folder_was_not_synced(place: Path) -> None:
    (place / "old").write_text("old")
    before = power.names(place)
    (place / "new").write_text("new")
    made = calls(place, ("create", "new", ""), ("fsync", "new", ""))

    cut(place, before, made)

    assert [file.name for file in place.iterdir()] == ["old"]


def test_a_synced_folder_keeps_its_names(place: Path) -> None:
    (place / "new").write_text("new")
    made = calls(place, ("create", "new", ""), ("fsync", "", ""))

    cut(place, {}, made)

    assert (place / "new").read_text() == "new"


def test_a_rename_that_is_lost_brings_both_files_back(place: Path) -> None:
    (place / "page").write_text("old")
    (place / "beside").write_text("new")
    before = power.names(place)
    (place.parent / "grave" / str((place / "page").stat().st_ino)).hardlink_to(place / "page")
    (place / "beside").rename(place / "page")

    cut(place, before, calls(place, ("rename", "beside", "page")))

    assert {file.name: file.read_text() for file in place.iterdir()} == {"page": "old", "beside": "new"}


def test_a_new_folder_that_is_lost_takes_its_files_along(place: Path) -> None:
    (place / "folder").mkdir()
    (place / "folder" / "page").write_text("new")
    made = calls(place, ("mkdir", "folder", ""), ("create", "folder/page", ""), ("fsync", "folder", ""))

    cut(place, {}, made)

    assert list(place.iterdir()) == []


def test_acts_on_one_name_are_lost_in_order_only(place: Path) -> None:
    (place / "page").write_text("new")
    made = calls(place, ("create", "beside", ""), ("rename", "beside", "page"))
    inode = (place / "page").stat().st_ino
    made[0] = Call(1, "create", 1, inode, 0, made[0].path, "")

    for seed in range(20):
        chance = random.Random(seed)
        left = power.kept_names({}, made, chance)

        assert list(left) in ([], [str(place / "beside")], [str(place / "page")])
