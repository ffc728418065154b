"""The field that a source is of, told by the names and the code that it writes: a word may mean another thing elsewhere.

"A module" is one thing in a manual of Node.js and another in one of Python. Only common nouns are asked about, and only
where page and source write names enough: with none in common they are of two fields.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from weakref import WeakKeyDictionary

from curator.wiki.naming.terms import key
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.editing import CLAIMS
from curator.wiki.pages.names import name_key, singular, words_of
from curator.wiki.pages.page import Page

_LEAST_OF_PAGE, _LEAST_OF_SOURCE = 4, 8
"""Names that have to be written before their absence in the other tells anything."""
_LEAST_OF_SYSTEM = 3
"""Times that a source writes the name of what it is about."""
_SYSTEM = re.compile(r"(?<=[a-z,;(] )[A-Z]\w*[a-z]\w*")
"""A name within a sentence that is not all capitals."""
_PLURAL = re.compile(r"[A-Z]+e?s")
"""Of a short form: ``IDs``."""
_CANDIDATES = 8
"""Names among which the one of the system is looked for, most written first."""
_DEFINES = re.compile(
    r"\W*(?:(?:an?|the)\s+)?(?P<name>[^.,;:]{1,60}?)\W? (?:\([^()]{0,80}\),? )?(?:is|are|was|were) (?:an?|the|one of) ",
    re.IGNORECASE,
)
"""A sentence that says what something is."""
_TOKEN = re.compile(r"[A-Za-z_]\w*(?:[.-]\w+)*")
_MARKS_WITHIN = frozenset(",;)`\"'")
"""What may stand before a word within a sentence, beside other words."""
_EVERYWHERE = frozenset("e.g i.e NOT MUST SHOULD MAY Error Note API URL URLs JSON".split())
_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?|\]\]")
_names: WeakKeyDictionary[Page, frozenset[str]] = WeakKeyDictionary()
"""A page is read once."""


class SourceField:
    """What one source writes of names, and the pages whose names it uses for other things."""

    def __init__(self, text: str, path: str = "") -> None:
        self.text, self.path = text, path
        self.others: set[str] = set()
        """Slugs of pages about other things that are called alike, as far as they were found."""

    def has(self, page: Page) -> bool:
        """True when ``page``, which is called by a common noun, may be meant by it in this source."""
        if page.slug in self.others:
            return False
        known = _names_on(page)
        told = len(known) >= _LEAST_OF_PAGE and len(self._names) >= _LEAST_OF_SOURCE
        return not told or not known.isdisjoint(self._tokens)

    def names(self, name: str) -> bool:
        """True when the source has the words of ``name`` in a row, in one number or the other, and not just once."""
        return self._flat.count(f" {name_key(name)} ") > 1

    def writes(self, name: str) -> bool:
        """True when the source has ``name`` somewhere, in whatever capitals."""
        return name.casefold() in self._folded

    def said_of(self, names: Iterable[str]) -> list[str]:
        """The sentences on what goes by one of ``names``, first the one that says what it is; none where none does."""
        keys = set(map(name_key, names)) & self._defined.keys()
        others = (text for text, words in self._sentences if any(f" {each} " in words for each in keys))
        return list(dict.fromkeys([*(self._defined[each] for each in keys), *others]))

    @cached_property
    def system(self) -> str:
        """The name that it writes again and again: of what it is about, or belongs to; empty where there is none."""
        return system_in(self.text, _LEAST_OF_SYSTEM)

    @cached_property
    def _sentences(self) -> list[tuple[str, str]]:
        """Each sentence, and the key of its words between spaces."""
        pieces = (" ".join(piece.split()) for piece in re.split(r"\n\s*\n", self.text))
        said = (sentence for piece in pieces for sentence in re.split(r"(?<=[.!?]) ", piece))
        return [(sentence, f" {name_key(sentence)} ") for sentence in said]

    @cached_property
    def _defined(self) -> dict[str, str]:
        """The first sentence that says what a thing is, by the key of the thing's name."""
        found = ((_DEFINES.match(sentence), sentence) for sentence, _ in reversed(self._sentences))
        return {name_key(match["name"]): sentence for match, sentence in found if match is not None}

    @cached_property
    def _folded(self) -> str:
        return self.text.casefold()

    @cached_property
    def _flat(self) -> str:
        return f" {' '.join(singular(word) for word in words_of(self.text))} "

    @cached_property
    def _tokens(self) -> frozenset[str]:
        return frozenset(_TOKEN.findall(self.text))

    @cached_property
    def _names(self) -> frozenset[str]:
        return _names_in(self.text)


def system_in(text: str, least: int) -> str:
    """The name that ``text`` writes most, and ``least`` times within sentences, and hardly ever in small letters."""
    names: list[str] = _SYSTEM.findall(text)
    for name, times in Counter(names).most_common(_CANDIDATES):
        if times < least:
            break
        small = re.findall(rf"\b{re.escape(name.lower().rstrip('_'))[:-1]}", text)
        if len(small) * 4 < times and not _PLURAL.fullmatch(name):
            return name
    return ""


def _names_on(page: Page) -> frozenset[str]:
    if page not in _names:
        said = "\n".join(without_marks(block.text) for block in page.outline.blocks if block.kind in CLAIMS)
        own = {key(name) for name in (page.title, *page.aliases)}
        _names[page] = frozenset(name for name in _names_in(_LINK.sub("", said)) if key(name) not in own)
    return _names[page]


def _names_in(text: str) -> frozenset[str]:
    """What can be nothing but a name there: ``Node.js``, ``CMAKE_SYSROOT``, a capital within a sentence."""
    found = set()
    for match in _TOKEN.finditer(text):
        word = match[0]
        before = text[max(0, match.start() - 2) : match.start()].rstrip(" ")[-1:]
        is_within = before.isalnum() or before in _MARKS_WITHIN
        if re.search(r"[A-Z_\d.]", word[1:]) or (word[0].isupper() and is_within):
            found.add(word)
    return frozenset(found - _EVERYWHERE)
