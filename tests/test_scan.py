"""What lies in sources/ is found whatever it is, and handed on when it holds still."""

from __future__ import annotations

import os
from pathlib import Path

from curator.scan import Seen, Settling, scan


def test_every_file_is_found_and_what_can_be_no_source_says_why(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    (sources / "deep" / "deeper").mkdir(parents=True)
    (sources / "a.txt").write_text("a")
    (sources / "deep" / "deeper" / "b.md").write_text("b")
    (sources / "empty.txt").touch()
    (sources / ".hidden").write_text("x")
    (sources / "c.txt.part").write_text("x")
    (sources / "link.txt").symlink_to(sources / "a.txt")
    os.mkfifo(sources / "pipe.txt")
    Path(os.fsdecode(os.fsencode(sources) + b"/\xff.txt")).write_text("x")

    found = {seen.path: seen.problem for seen in scan(tmp_path)}

    assert found.pop("sources/\udcff.txt").startswith("its name has characters")
    assert found == {
        "sources/a.txt": "",
        "sources/deep/deeper/b.md": "",
        "sources/link.txt": "it is no plain file",
        "sources/pipe.txt": "it is no plain file",
    }


def test_no_folder_is_no_file(tmp_path: Path) -> None:
    assert list(scan(tmp_path)) == []


def test_a_file_is_settled_when_it_held_still_over_two_looks_and_two_seconds() -> None:
    settling, a, b = Settling(), Seen("a", "1", 10, 5.0), Seen("b", "1", 10, 4.0)

    looks = [
        settling.look([a, b], 0.0),
        settling.look([a, b], 1.0),
        settling.look([a, Seen("b", "2", 11, 4.0)], 2.0),
        settling.look([a, Seen("b", "2", 11, 4.0)], 4.0),
    ]

    assert [[seen.path for seen in look] for look in looks] == [[], [], ["a"], ["b", "a"]]


def test_a_big_file_is_given_more_time() -> None:
    settling, big = Settling(), Seen("a", "1", 50_000_000)

    assert [settling.look([big], now) != [] for now in (0.0, 3.0, 9.0, 10.0)] == [False, False, False, True]
