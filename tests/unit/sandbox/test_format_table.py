"""The table of formats: which are refused in a weak jail, and what a reader's answer is made of."""

from __future__ import annotations

import json
from typing import Any

import jail
import pytest
import read
from extracted import Extracted, LeftOut

from curator.wiki.sources import formats


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the program answers; it is neither locked, nor are its own bytes read and written."""
    answers: list[Any] = []
    monkeypatch.setattr(read, "_write", lambda data: answers.append(json.loads(data)))
    monkeypatch.setattr(read, "_bytes_of_source", lambda limit: b"tea")
    monkeypatch.setattr(jail, "lock_reader", lambda packages, preload, limits: "weak")
    return answers


class _Reader:
    """A reader that gives what it was made with."""

    def __init__(self, extracted: Extracted) -> None:
        self.extracted = extracted

    def read(self, data: bytes, max_chars: int) -> Extracted:
        return self.extracted


def _answers(said: list[Any], monkeypatch: pytest.MonkeyPatch, extracted: Extracted, **options: bool) -> dict[str, Any]:
    monkeypatch.setattr(read, "_reader", lambda format: _Reader(extracted))
    read.main("pdf", "sources/tea.pdf", 1000, [], **options)
    return dict(said[-1])


def test_what_a_library_takes_apart_is_refused_in_a_weak_jail(said: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    tea = Extracted([(1, "Tea.", 1)], "page")

    assert _answers(said, monkeypatch, tea)["code"] == "sandbox_weak"
    assert _answers(said, monkeypatch, tea, allow_weak=True)["lines"] == [[1, "Tea."]]

    read.main("markdown", "sources/tea.md", 1000, [])
    assert said[-1]["ok"]


def test_an_answer_is_on_one_line_bounded_and_parts_paragraphs(
    said: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [(1, "# Tea", 1), (1, "- a", 1), (1, "- b\u200b", 1), (2, "x | y", 3), (3, "z | w", 3)]
    head: dict[str, str | list[str]] = {
        "title": "T\ne\ta" * 400,
        "authors": ["Ann\u202e", ""],
        "date": "",
        "secret": "x",
    }
    tea = Extracted(lines, "page", head, [LeftOut("white\ntext", 3, is_hidden=True)] * 60)

    answer = _answers(said, monkeypatch, tea, allow_weak=True)

    assert [line for _, line in answer["lines"]] == ["# Tea", "", "- a", "- b", "", "x | y", "z | w"]
    assert answer["ends"] == [1, 1, 1, 1, 1, 3, 3]
    assert len(answer["head"].pop("title")) <= 500 and answer["head"] == {"authors": ["Ann"]}
    assert answer["left_out"][:2] == [["invisible characters", 1, True], ["white text", 3, True]]
    assert len(answer["left_out"]) == 50


def test_every_format_that_has_a_suffix_has_a_reader() -> None:
    assert set(formats.FORMATS.values()) <= set(read.FORMATS)
    assert formats.PLAIN == read.PLAIN
