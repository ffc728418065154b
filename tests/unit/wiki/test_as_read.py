"""Quotes are written as a reader reads them, and are found in the source all the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator.wiki.sources.as_read import as_read
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document


@pytest.mark.parametrize(
    ("name", "written", "shown"),
    [
        ("a.rst", "the :func:`foo` of :class:`a.Bar <b.Bar>` is", "the foo of a.Bar is"),
        ("a.rst", "see :pep:`427` and ``*args`` in *all* cases", "see PEP 427 and *args in all cases"),
        ("a.rst", "as `the guide <https://a.example/b>`__ says [1]_ now", "as the guide says now"),
        ("a.rst", "the `zip`_ file and wheel_ format, some_name_ too", "the zip file and wheel format, some_name too"),
        ("a.md", "it **must** be `a_b * c` and _only_ that", "it must be a_b * c and only that"),
        (
            "a.md",
            "see [the guide](https://a.example) now[^1] and ![a picture](b.png) there",
            "see the guide now and a picture there",
        ),
        ("a.md", "press <kbd>Ctrl</kbd> or <a href='x'>here</a><br/>at once", "press Ctrl or hereat once"),
        ("a.md", "2 * 3 and snake_case_name and a < b > c", "2 * 3 and snake_case_name and a < b > c"),
        ("a.md", "it was ~~not~~ so \\*indeed\\* once", "it was ~~not~~ so *indeed* once"),
        ("a.md", "**it must be so** for now", "it must be so for now"),
        ("a.txt", "it **must** be `so` <b>here</b> now", "it **must** be `so` <b>here</b> now"),
    ],
)
def test_marks_are_left_out_and_words_are_found_again(name: str, written: str, shown: str) -> None:
    evidence = Evidence(f"sources/{name}", Document.from_text(f"First line.\n{written}, as ever.\n"))

    found = evidence.find(written)

    assert isinstance(found, list) and [cited.quote for cited in found] == [shown]
    assert evidence.holds(found[0]) and evidence.repeats(found[0])
    assert evidence.find(shown) == found


def test_a_quote_that_ends_in_a_link_has_the_whole_of_it() -> None:
    evidence = Evidence(
        "sources/a.rst", Document.from_text("It is the base of\n:term:`built bodies <a:Built Body>`, too.\n")
    )

    found = evidence.find("It is the base of :term:`built bodies <a:Built Body")

    assert isinstance(found, list) and found[0].quote == "It is the base of built bodies"


def test_a_word_that_a_line_end_parts_is_joined_where_the_text_has_it_whole() -> None:
    text = "The exam-\nple is a well-\nknown one of many.\nAn example is good."

    found = Evidence("sources/a.txt", Document.from_text(text)).find("The exam-\nple is a well-\nknown one of many.")

    assert isinstance(found, list) and found[0].quote == "The example is a well-known one of many."


_PIECES = st.sampled_from(
    "a b7 not `` ` * ** _ __ [ ] ( ) < > :func: :pep: <b> </b> [^1] \\ ~~ 12 , . http://a.b".split()
)


@settings(deadline=None)
@given(st.lists(_PIECES, max_size=30), st.sampled_from(["a.md", "a.rst"]))
def test_what_is_written_down_always_holds(pieces: list[str], name: str) -> None:
    text = f"The tea is good {' '.join(pieces)} and it stays so."
    evidence = Evidence(f"sources/{name}", Document.from_text(text))

    found = evidence.find(text)

    assert not isinstance(found, list) or all(map(evidence.holds, found))


@pytest.mark.parametrize("mark", ["`", "*", "[", "_", ":a:`", "<a ", "](", "**a", "\\"])
@pytest.mark.parametrize("format", ["rst", "markdown"])
def test_no_mark_takes_long(mark: str, format: str) -> None:
    assert len(as_read(mark * (20_000 // len(mark)), format)) <= 20_000
