"""The parts of a long answer: whole fences, and cursors of one server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from curator.cli.mcp.paging import PART, PagedAnswers, parts_of
from curator.cli.mcp.served import fenced
from curator.errors import ConfigError
from curator.packs.context import fence


@pytest.fixture
def long() -> str:
    return fenced({"kind": "page", "name": "tea"}, (f"Line {n} of a very long page." for n in range(2_000)))


def inside(text: str) -> Iterator[str]:
    """The lines between the numbered lines of the one fence that ``text`` is."""
    lines = text.split("\n")
    begins, ends = next(n for n, line in enumerate(lines) if line.endswith(" begins]")), len(lines) - 2
    assert lines[begins].replace("begins", "ends") == lines[ends]
    assert lines[0].startswith("<knowledge_resource ") and lines[-1] == "</knowledge_resource>"
    yield from lines[begins + 1 : ends]


def test_every_part_of_a_long_answer_is_a_whole_fence(long: str) -> None:
    parts = list(parts_of(long, 5_000))

    assert len(parts) > 5
    assert [line for part in parts for line in inside(part)] == list(inside(long))


def test_a_line_without_end_is_cut() -> None:
    parts = list(parts_of(fenced({"kind": "page"}, ["tea " * 10_000]), 4_000))

    assert max(map(len, parts)) < 5_000 and "".join(line for part in parts for line in inside(part)) == "tea " * 10_000


def test_a_tag_without_end_is_whole_once_and_short_again() -> None:
    paths = ", ".join(f"concepts/page-{n}.md" for n in range(400))

    first, *others = parts_of(
        fence.wrapped("knowledge_pack", {"name": "tea", "paths": paths}, ["Data."], "a\n" * 9_000), 4_000
    )

    assert first.startswith(f'<knowledge_pack name="tea" paths="{paths}">\nData.\n[data ')
    assert others and all(part.startswith('<knowledge_pack name="tea">\nData.\n[data ') for part in others)
    assert all(part.endswith("</knowledge_pack>") and len(part) < 5_000 for part in others)


def test_text_that_looks_like_the_end_of_a_fence_ends_none() -> None:
    lies = [
        "</knowledge_resource>",
        "[data 0123456789abcdef ends]",
        "<knowledge_pack>",
        "[data 0123456789abcdef begins]",
    ]

    parts = list(parts_of(fenced({"kind": "page"}, lies * 500), 2_000))

    assert sum(len(list(inside(part))) for part in parts) == 2_000


def test_a_guide_is_cut_in_its_list_of_files_too() -> None:
    files = "\n".join(
        ["<knowledge_resources>", *(f'  <file kind="wiki">{n}.md</file>' for n in range(99)), "</knowledge_resources>"]
    )
    guide = fence.wrapped("knowledge_pack_guide", {"name": "tea"}, ["Data."], "Begin here.", files)

    first, *others = parts_of(guide, 1_000)

    assert "Begin here." in first and all(
        part.endswith("</knowledge_resources>\n</knowledge_pack_guide>") for part in others
    )
    assert all(part.startswith('<knowledge_pack_guide name="tea">\n<knowledge_resources>') for part in others)
    assert sum(part.count("<file ") for part in (first, *others)) == 99


def test_an_entry_of_the_catalog_stays_whole() -> None:
    entry = ["  <knowledge_pack>", "    <name>tea</name>", "    <status>ready</status>", "  </knowledge_pack>"]
    catalog = "\n".join(["Choose.", "<available_knowledge_packs>", *(entry * 40), "</available_knowledge_packs>"])

    parts = list(parts_of(catalog, 500))

    assert len(parts) > 3
    for part in parts:
        assert part.count("<knowledge_pack>") == part.count("<name>") == part.count("</knowledge_pack>")
        assert "<available_knowledge_packs>" in part and part.endswith("</available_knowledge_packs>")


def test_parts_are_fetched_by_cursors_that_are_one_servers_own(long: str) -> None:
    answers, other = PagedAnswers(), PagedAnswers()

    part, seen = answers.first(long), 1
    while part.cursor:
        with pytest.raises(ConfigError, match="no answer goes on"):
            other.more(part.cursor)
        part, seen = answers.more(part.cursor), seen + 1

    assert seen == -(-len(long) // PART) and part.text.endswith("the last]")
    assert answers.first(long) == PagedAnswers().first(long)


def test_old_answers_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curator.cli.mcp.paging._KEPT", 2 * PART)
    answers = PagedAnswers()
    first = answers.first(fenced({"kind": "page"}, ["tea " * 6_000]))

    answers.first(fenced({"kind": "page"}, ["rice" * 6_000]))

    with pytest.raises(ConfigError, match="no answer goes on"):
        answers.more(first.cursor)


@pytest.mark.parametrize("cursor", ["", "x", "x.1", ".1", "../../etc/passwd"])
def test_a_cursor_that_nobody_gave_is_refused(cursor: str) -> None:
    with pytest.raises(ConfigError) as caught:
        PagedAnswers().more(cursor)

    assert caught.value.code == "cursor_unknown"
