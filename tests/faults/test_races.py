"""An editor saves, the user's git runs, while curator exchanges pages: no save is lost. ``races/`` has the machinery."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from faults.races import landing, tight
from faults.races.steps import NEW, WAYS, Script, play, scripts
from support.depth import NIGHTLY

SCRIPTS = 1200 if NIGHTLY else 120
"""How many scripts of each kind are played; there are up to 60,000."""
TIGHT, LANDINGS = (1200, 100) if NIGHTLY else (120, 20)


@pytest.fixture
def on_disk() -> Iterator[Path]:
    """A folder that is not in memory, where calls are so quick that no other process comes in between."""
    with tempfile.TemporaryDirectory(dir="/var/tmp" if Path("/var/tmp").is_dir() else None) as folder:  # noqa: S108
        yield Path(folder)


@pytest.mark.parametrize("has_exchange", [True, False], ids=["exchange", "links"])
@pytest.mark.parametrize("removes", [False, True], ids=["put", "remove"])
def test_an_editor_between_any_two_calls_loses_no_save(tmp_path: Path, removes: bool, has_exchange: bool) -> None:
    calls = play(Script((), removes, has_exchange), tmp_path / "none").calls

    for script in sample(scripts(calls, removes=removes, has_exchange=has_exchange)):
        played = play(script, tmp_path / "stage")

        assert (played.lost, played.litter) == (frozenset(), ()), script
        assert played.shows_newest, script
        shutil.rmtree(tmp_path / "stage")


@pytest.mark.parametrize("has_exchange", [True, False], ids=["exchange", "links"])
@pytest.mark.parametrize("removes", [False, True], ids=["put", "remove"])
def test_nor_does_one_around_a_crash(tmp_path: Path, removes: bool, has_exchange: bool) -> None:
    calls = play(Script((), removes, has_exchange), tmp_path / "none").calls

    for script in sample(with_crashes(calls, removes, has_exchange)):
        played = play(script, tmp_path / "stage")

        assert (played.lost, played.litter) == (frozenset(), ()), script
        shutil.rmtree(tmp_path / "stage")


@pytest.mark.parametrize("has_exchange", [True, False], ids=["exchange", "links"])
def test_a_crash_at_any_call_leaves_a_page_that_the_next_command_brings_along(
    tmp_path: Path, has_exchange: bool
) -> None:
    calls = play(Script((), has_exchange=has_exchange), tmp_path / "none").calls

    for number in range(1, calls + 1):
        folder = tmp_path / str(number)
        play(Script((), has_exchange=has_exchange, dies_before=number), folder)

        assert (folder / "top" / "page.md").read_bytes() == NEW, number


@pytest.mark.parametrize("has_exchange", [True, False], ids=["exchange", "links"])
def test_a_second_save_before_the_first_one_is_back_is_kept_and_shown(tmp_path: Path, has_exchange: bool) -> None:
    """The second exchange once put the first save over the second, which was then deleted."""
    calls = play(Script((), has_exchange=has_exchange), tmp_path / "none").calls

    for place in range(1, calls + 6):
        script = Script(((3, "rename"), (place, "rename")), has_exchange=has_exchange, seed=place)
        played = play(script, tmp_path / str(place))

        assert played.lost == frozenset(), script
        assert played.shows_newest, script


@pytest.mark.parametrize("has_exchange", [True, False], ids=["exchange", "links"])
def test_an_editor_in_another_process_loses_no_save(on_disk: Path, has_exchange: bool) -> None:
    tally = tight.run(on_disk, TIGHT, seed=3, has_exchange=has_exchange)

    assert tally.is_clean, str(tally)
    assert tally.in_window > TIGHT // 10, str(tally)


@pytest.mark.parametrize("has_git", [False, True], ids=["editor", "git"])
def test_nobody_loses_anything_while_commits_land(on_disk: Path, has_git: bool) -> None:
    tally = landing.run(on_disk, LANDINGS, seed=5, has_git=has_git)

    assert tally.is_clean, str(tally)
    assert sum(count for outcome, count in tally.outcomes.items() if outcome.endswith("landed")) > LANDINGS // 2


def sample(all_of_them: Iterator[Script]) -> list[Script]:
    listed = list(all_of_them)
    return random.Random(7).sample(listed, min(SCRIPTS, len(listed)))


def with_crashes(calls: int, removes: bool, has_exchange: bool) -> Iterator[Script]:
    """Two acts, the second at most five calls after the crash."""
    for crash in range(1, calls + 3):
        for first in range(1, crash + 2):
            for second in range(first, crash + 6):
                for one in WAYS:
                    for other in WAYS:
                        acts = ((first, one), (second, other))
                        yield Script(acts, removes, has_exchange, crash, seed=first * 89 + second)
