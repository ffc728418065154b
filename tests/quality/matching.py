"""Whether a text says something: in the words of the source, or in other words.

- A fact is *shown* by a text that has one of its spans, markup and white space aside.
- It is also shown by one passage (a paragraph, a list item, a row) that has all its key words and, endings aside,
  three in five of the other words of a span, four at least, or all of fewer: a statement in other words keeps that
  much, one about another matter does not. A span that has one other word at most is looked for word by word only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Protocol

import snowballstemmer

_SHARE, _LEAST, _FEWEST = 0.6, 4, 2
_ROLE = re.compile(r":(?:[\w-]+:)*pep:`+(?:PEP )?(\d+)[^`]*`+", re.IGNORECASE)
_OTHER_ROLE = re.compile(r":[\w:-]+:(?=`)")
_WIKI_LINK = re.compile(r"\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]")
_LINK = re.compile(r"\[([^\]]*)\]\([^)\s]*\)")
_ADDRESS = re.compile(r"\s*<[^<>`]*>(?=`)")
_NOTE = re.compile(r"\[[\^#][^\]]*\]_?")
_MARKUP = re.compile(r"(?<=[`\w])__?(?!\w)|[`*]|\\(?=[|*_`\[\]<>])")
_WORD = re.compile(r"\w+")
_UNIT = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+|]|#\.|\d+\.)[ \t]?)")
_EMPTY = frozenset(
    "a an and are as at be by can for from has have in into is it its may must no not of on or should that the their"
    " these they this to was were when which will with would if any all only than then there such also however".split()
)


class Sayable(Protocol):
    """What ``shows`` looks for."""

    @property
    def spans(self) -> tuple[str, ...]: ...

    @property
    def words(self) -> tuple[str, ...]: ...

    @property
    def translated(self) -> tuple[str, ...]: ...


def plain(text: str) -> str:
    """``text`` without the markup of Markdown and reStructuredText; its lines stay."""
    text = _OTHER_ROLE.sub("", _ROLE.sub(r"PEP \1", text))
    text = _LINK.sub(r"\1", _WIKI_LINK.sub(r"\1", _NOTE.sub("", text)))
    return _MARKUP.sub("", _ADDRESS.sub("", text))


@lru_cache(maxsize=50_000)
def folded(text: str) -> str:
    """The words of ``text`` in small letters, a space between them."""
    return " ".join(_WORD.findall(plain(text).casefold()))


@lru_cache(maxsize=50_000)
def _flat(text: str) -> str:
    return " ".join(plain(text).casefold().split())


def key(name: str) -> str:
    """A name as names are compared: case, hyphens, underscores and white space aside."""
    return " ".join(_WORD.findall(plain(name).casefold().replace("_", " ")))


def units(text: str) -> Iterator[str]:
    """The paragraphs, list items and rows of ``text``."""
    return (unit for unit in _UNIT.split(text) if unit.strip())


def shows(text: str, fact: Sayable) -> bool:
    """Whether ``text`` states ``fact``."""
    return says(text, (*fact.spans, *fact.translated)) or any(_in_other_words(unit, fact) for unit in units(text))


def says(text: str, spans: Iterable[str]) -> bool:
    """Whether one of ``spans`` stands in ``text``."""
    whole = f" {folded(text)} "
    return any(f" {folded(span)} " in whole for span in spans)


def has_words(text: str, words: Iterable[str]) -> bool:
    """Whether all of ``words`` (``a|b``: one of them) stand in ``text``, at the beginnings of its words."""
    return all(any(_stands(_flat(one), _flat(text)) for one in word.split("|")) for word in words)


def _in_other_words(unit: str, fact: Sayable) -> bool:
    if not fact.words or not has_words(unit, fact.words):
        return False
    there = stems(unit)
    keys = stems(" ".join(fact.words))
    return any(
        len(wanted) >= _FEWEST and len(there & wanted) >= max(min(_LEAST, len(wanted)), _SHARE * len(wanted))
        for wanted in (stems(span) - keys for span in (*fact.spans, *fact.translated))
    )


def _stands(word: str, flat: str) -> bool:
    start = r"(?<!\w)" if word[:1].isalnum() else ""
    end = r"(?!\d)" if word[-1:].isdigit() else ""
    return re.search(start + re.escape(word) + end, flat) is not None


@lru_cache(maxsize=50_000)
def stems(text: str) -> frozenset[str]:
    """The words of ``text`` that carry meaning, without their endings."""
    return frozenset(_stemmer.stemWords([word for word in folded(text).split() if word not in _EMPTY]))


_stemmer = snowballstemmer.stemmer("english")
