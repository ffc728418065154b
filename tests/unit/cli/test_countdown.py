"""A run over many files: how far it is, how long yet, and what Ctrl-C leaves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from curator.cli.commands import ingest
from curator.cli.many_files import Countdown, in_words
from curator.repository.settings import Settings
from curator.repository.transaction import recovery
from support.wikis import git


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "less than a minute"),
        (29, "less than a minute"),
        (31, "about 1 min"),
        (180, "about 3 min"),
        (3600, "about 1 h"),
        (7800, "about 2 h 10 min"),
    ],
)
def test_a_time_in_words(seconds: float, words: str) -> None:
    assert in_words(seconds) == words


def test_the_time_left_is_reckoned_by_the_files_that_took_any() -> None:
    times = iter((0.0, 0.1, 60.1, 60.1))
    countdown = Countdown(4, lambda: next(times))
    lines = []

    for name, status in (("known.md", "skipped"), ("tea.md", "ingested"), ("next.md", "")):
        countdown.begin()
        lines.append(countdown.line(name))
        if status:
            countdown.end(status)

    assert lines == ["1 of 4: known.md …", "2 of 4: tea.md …", "3 of 4, about 2 min left: next.md …"]


def test_one_file_is_not_counted() -> None:
    assert Countdown(1, None).line("tea.md") == "tea.md …"


def test_ctrl_c_keeps_what_was_told_and_says_what_is_still_to_do(root: Path, tmp_path: Path) -> None:
    files = list(three_files(tmp_path))
    told: list[str] = []

    def say(text: str) -> None:
        if text.startswith("2 of 3"):
            raise KeyboardInterrupt

    report = ingest.run(Settings(root, {}, {}), files, False, False, say, write=told.append)

    assert report.exit_status == 130
    assert [line.splitlines()[0].split(":")[0] for line in told] == ["ingested   sources/tea1.md"]
    assert report.data["to_do"] == [str(file) for file in files[1:]]
    assert report.notes == (
        "interrupted; nothing is left half done. 1 landed, 2 still to do:",
        f"  {files[1]}",
        f"  {files[2]}",
        "  next: the same command again; what is in is passed over",
    )


def test_ctrl_c_behind_the_commit_finishes_it_and_tells_that_it_landed(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The branch has the commit, and the index of git not yet."""
    files = list(three_files(tmp_path))
    told: list[str] = []
    swap, calls = recovery._swap_index, []

    def broken_off(*arguments: Any) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        swap(*arguments)

    monkeypatch.setattr(recovery, "_swap_index", broken_off)

    report = ingest.run(Settings(root, {}, {}), files, False, False, lambda said: None, write=told.append)

    assert report.exit_status == 130
    assert git(root, "status", "--porcelain") == ""
    assert told[1] == f"ingested   sources/tea2.md: commit {git(root, 'rev-parse', 'HEAD')[:12]}"
    assert report.data["to_do"] == [str(files[2])]
    assert report.notes[0] == "interrupted; nothing is left half done. 2 landed, 1 still to do:"


def test_ctrl_c_behind_the_commit_of_a_single_file_finishes_it(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = next(three_files(tmp_path))
    swap = recovery._swap_index

    def broken_off(*arguments: Any) -> None:
        monkeypatch.setattr(recovery, "_swap_index", swap)
        raise KeyboardInterrupt

    monkeypatch.setattr(recovery, "_swap_index", broken_off)

    with pytest.raises(KeyboardInterrupt):
        ingest.run(Settings(root, {}, {}), [file], False, False, lambda said: None)

    assert git(root, "status", "--porcelain") == ""
    assert "tea1.md" in git(root, "log", "-1", "--format=%s")


def three_files(folder: Path) -> Iterator[Path]:
    for number in (1, 2, 3):
        file = folder / f"tea{number}.md"
        file.write_text(f"Tea {number}\n\nTea {number} is a drink that is brewed for {number} minutes.\n")
        yield file
