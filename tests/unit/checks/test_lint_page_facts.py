"""A page as the maintenance pass sees it: what is soon worked out is what takes longer to work out with care."""

from __future__ import annotations

import re
import zlib
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curator.checks.lint.facts import fast_reader
from curator.checks.lint.facts.page_facts import PageFacts
from curator.checks.lint.facts.rows import packed, unpacked
from curator.wiki.pages.citation import Citation
from curator.wiki.pages.page import Page
from curator.wiki.sources.quick_evidence import QuickEvidence
from curator.wiki.sources.source import Document
from curator.wiki.wiki import PageEntry
from support.pages import laws

WORDS = (
    *"tea is hot at noon [^a] [^a-2] [^\u00df] [^] [[oolong]] [x](y.md) `code` # - 1. caf\u00e9 \u00c9TE \u0130".split(),
    *("see also:", '[^a]: sources/tea.txt#L1 "Tea is hot."', '[^a-2]: sources/t%20a.txt#L1-L2 "Tea  is"'),
    *('[^\u00df]: sources/a.txt#p3 "a "b""', "[^a]: a note", "\n", "\n\n", "\n\n- "),
)
SPACES = st.sampled_from([" "] * 20 + ["  ", "\u00a0", "\u2003", "\x1c", "\t", ""])


NOTES = '\n\n[^a]: sources/tea.txt#L1 "Tea is hot."\n[^a-2]: sources/tea.txt#L2-L3 "It is "so""'


def joined(pairs: list[tuple[str, str]], is_tidy: bool) -> str:
    text = "".join(f"{word}{space}" for word, space in pairs)
    return re.sub(r" *\n *(- )? *", r"\n\1", text).strip(" ") + NOTES if is_tidy else text


BODIES = st.builds(joined, st.lists(st.tuples(st.sampled_from(WORDS), SPACES), max_size=40), st.booleans())


@laws
@given(BODIES)
@example('One two three four five six. [^a]\n\n[^a]: sources/tea.txt#L1 "Tea is hot."')
@example('Tea is. [^a]\n\n[^a]: sources/tea.txt#L1 "Tea  is hot." ')
def test_an_even_page_reads_as_any_other(body: str) -> None:
    with mock.patch.object(fast_reader, "_is_even", lambda _: False):
        careful = fast_reader.read_body(body)

    assert fast_reader.read_body(body) == careful


@laws
@given(BODIES)
def test_the_citation_of_a_footnote_is_what_it_parses_to(body: str) -> None:
    reading = fast_reader.read_body(body)

    for note in reading.notes if reading is not None else ():
        assert note.citation == Citation.parse(note.text)


def passages(leaf: PageFacts) -> frozenset[int]:
    """Written down once more, word by word."""
    spoken = [said.text.casefold().split() for said in leaf.reading.said if not said.leads]
    telling = [" ".join(words) for words in spoken if len(words) >= (6 if len(spoken) > 1 else 20)]
    bare = [re.sub(r" ?\[\^[^\]\s]+\]", "", text) for text in telling]
    return frozenset(zlib.crc32(text.encode("utf-8", "replace")) for text in bare)


@laws
@given(BODIES)
def test_passages_are_told_by_their_words(body: str) -> None:
    leaf = leaf_of(body)

    assert leaf.passages == passages(leaf)
    assert list(unpacked(packed(leaf.passages))) == sorted(leaf.passages)


HEAD = """---
slug: tea
title: A tea, and confidence: none
sources:
- sources/a.txt
- sources/ab.txt
confidence: 0.7 # so
contradicts: [ab, a]
---
"""


@pytest.mark.parametrize(
    ("word", "after", "line"),
    [
        ("sources/ab.txt", "sources:", 6),
        ("sources/a.txt", "sources:", 5),
        ("a", "contradicts:", 8),
        ("gone", "contradicts:", 8),
        ("gone", "", 1),
        ("tea", "nothing:", 2),
        ("two\nlines", "sources:", 4),
    ],
)
def test_a_word_is_found_in_its_line_of_the_head(word: str, after: str, line: int) -> None:
    assert leaf_of("", HEAD).line_of(word, after) == line


def test_confidence_is_told_with_its_line() -> None:
    assert leaf_of("", HEAD).confidence == (0.7, 7)
    assert leaf_of("", HEAD.replace("0.7", "high")).confidence is None
    assert leaf_of("", "---\nconfidence: '1'\n---\n").confidence == (1.0, 2)


SAID = st.lists(st.sampled_from(["tea is  hot", "see ]", "a://b", "<http", "", " hot tea ", "caf\u00e9"]), max_size=5)


@laws
@given(
    SAID, st.integers(0, 6), st.integers(0, 6), st.sampled_from(["tea is hot", "hot", "hot hot", "-", "", "is hot hot"])
)
def test_words_stand_where_their_lines_say_them(lines: list[str], first: int, last: int, quote: str) -> None:
    anchor = f"L{first}" if first == last else f"L{first}-L{last}"
    held = QuickEvidence("sources/a.md", Document(tuple(enumerate(lines, start=1))))
    text = " ".join(line for number, line in enumerate(lines, start=1) if first <= number <= last)
    is_open = not re.search(r"\]|<http|://", text)

    stands = any(map(str.isalnum, quote)) and is_open and f" {quote} " in f" {' '.join(text.split())} "

    assert held.stands(Citation("sources/a.md", anchor, quote)) == stands


def leaf_of(body: str, head: str = "---\nslug: tea\n---\n") -> PageFacts:
    page = Page("concepts/tea.md", head + body)
    return PageFacts(
        page.path, page.text, PageEntry(slug="tea", path=page.path, title="Tea", kind="concept", type="Concept")
    )
