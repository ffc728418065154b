"""What was meant by a word that is not known."""

from __future__ import annotations

import pytest

from curator.errors import meant, meant_path


def test_a_word_is_found_whatever_its_case() -> None:
    assert meant("OOLNG", ["oolong", "gaiwan"]) == "; did you mean 'oolong'?"
    assert meant("zzz", ["oolong"]) == ""


@pytest.mark.parametrize("seen", ["oolong", "oolong.txt", "sources/oolng.txt", "notes/oolong.md"])
def test_a_path_is_found_by_its_last_part(seen: str) -> None:
    assert meant_path(seen, ["sources/oolong.txt", "sources/x.txt"]) == "; did you mean 'sources/oolong.txt'?"


def test_paths_of_one_folder_are_not_alike_for_that() -> None:
    assert meant_path("sources/kettle.md", ["sources/oolong.md"]) == ""


def test_a_suffix_alone_makes_no_two_paths_alike() -> None:
    assert meant_path("x.html", ["sources/web/tea.example/assam.html"]) == ""
    assert (
        meant_path("asam.htm", ["sources/web/tea.example/assam.html"])
        == "; did you mean 'sources/web/tea.example/assam.html'?"
    )
