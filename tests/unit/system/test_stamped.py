"""The digest of a file is kept while the file stays, and is never that of other bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.system import digests
from curator.system.digests import digest_of

LATER, AT_ONCE = 2_000_000_000, 500_000_000
"""Nanoseconds after the file was written."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "tea.txt").write_text("Green tea.\n")
    return tmp_path / "tea.txt"


def after(file: Path, nanoseconds: int) -> int:
    return file.stat().st_ctime_ns + nanoseconds


def test_what_lies_still_is_hashed_once(file: Path) -> None:
    kept: dict[str, str] = {}
    first = digest_of(file, "sha256", kept.get, kept.__setitem__, lambda: after(file, LATER))

    assert first == digests.of(b"Green tea.\n", "sha256")
    assert [*kept.values()] == [first]
    assert digest_of(file, "sha256", lambda _: "sha256:kept", kept.__setitem__) == "sha256:kept"


def test_bytes_that_may_change_within_the_tick_of_the_clock_are_hashed_again(file: Path) -> None:
    kept: dict[str, str] = {}

    assert digest_of(file, "sha256", kept.get, kept.__setitem__, lambda: after(file, AT_ONCE))
    assert kept == {}


def test_each_algorithm_and_each_version_has_a_stamp_of_its_own(file: Path) -> None:
    kept: dict[str, str] = {}
    for words in ("Green tea.\n", "Green teas.\n"):
        file.write_text(words)
        for algorithm in ("sha256", "sha512"):
            found = digest_of(file, algorithm, kept.get, kept.__setitem__, lambda: after(file, LATER))
            assert found == digests.of(words.encode(), algorithm)

    assert len(kept) == 4


def test_what_is_no_plain_file_has_none(file: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(file)

    kept: dict[str, str] = {}
    for other in (tmp_path, tmp_path / "link", tmp_path / "gone"):
        assert digest_of(other, "sha256", kept.get, kept.__setitem__) is None
