"""What the source says of another thing than the page's, in a sentence that names neither: only what stands before tells.

Asked of a sentence without a word of the page's names, in a source that is not about the page's thing. It has strayed where
every passage quoted

- stands under a heading that names another thing of the page's kind (``Lorn Bridge``, for ``Tosk Bridge``), or
- follows a sentence on another thing that has a name, while the page's thing has one as well (``Lorn lies opposite the
  Varn Lighthouse. The keeper was hanged.``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from curator.wiki.english.ordinary import is_modifier, is_verb
from curator.wiki.english.stop_words import STOP
from curator.wiki.english.words import StemmedWord, phrase
from curator.wiki.naming.titles import QUALIFIED
from curator.wiki.support.case import Case
from curator.wiki.support.source_context import SourceContext

_JOINTS = frozenset("of in on at for to with by from and or about between".split())
_LONGEST_NAME = 5
"""Words of a heading that is a name, at most."""
_LEANING = frozenset("the it its he his she her they their this these".split())
"""What a sentence begins with that leans on the one before it."""
_DERIVED = re.compile(r"\A[\w -]{1,40}? of (?:the )?(?=[A-Z])")
"""``History of the``: what a page of that kind has before the name of its thing."""
_SECTION = re.compile(r"\s*(?:§+ ?|(?:Art(?:icle|ikel)?\.?|Section|Clause) )\d")
"""How a section of rules begins that has its heading in a plain line: what stands before it is on something else."""


def said_of_another(case: Case) -> Iterator[str]:
    """A sentence of another thing that stands on this page, ``The deck gave way`` from the section on another bridge."""
    page = _Page.of(case)
    if page is None:
        return
    found = [page.other(span) for span in case.context.places]
    if found and all(found):
        yield f"the source says this of {found[0]!r}"


class _Page:
    """The names of a page, in a source that is not about its thing."""

    def __init__(self, source: SourceContext, names: Sequence[str]) -> None:
        self.source, self.layout = source, source.layout
        self.names = [words for name in names if (words := phrase(_DERIVED.sub("", name)).content)]
        self.stems = frozenset(word.stem for words in self.names for word in words)

    @classmethod
    def of(cls, case: Case) -> _Page | None:
        """None where the page has no name, or its thing is what the source is about."""
        names = [field["name"] if (field := QUALIFIED.match(each)) else each for each in case.context.names]
        page = cls(case.source, names)
        is_about = any({word.stem for word in words} <= case.source.names.stems for words in page.names)
        return None if is_about or not page.names else page

    def other(self, span: tuple[int, int]) -> str:
        """What a passage is said of instead; empty where it names the page's thing, or nothing tells."""
        words = phrase(self.layout.text[slice(*span)]).words
        if self._has_name(words):
            return ""
        at = self.layout.touched(*span)[0]
        return self._headed(at) or self._following(at, span[0], words)

    def _headed(self, at: int) -> str:
        """The thing of the same kind that one of the headings above names, in a section without the page's own."""
        headings = self.layout.blocks[at].headings
        for level, heading in enumerate(headings):
            text = self.layout.of(self.layout.blocks[heading])
            told = phrase(text)
            if not 1 < len(told.content) <= _LONGEST_NAME or told.lowers & _JOINTS:
                continue
            kind = told.content[-1].stem
            if not any(name[-1].stem == kind and name[:-1] for name in self.names):
                continue
            if not (any(map(self._is_strange, told.content[:-1])) or self._is_stated):
                continue
            section = self.source.section(frozenset([headings])).stems
            below = {
                word.stem
                for each in headings[level:]
                for word in phrase(self.layout.of(self.layout.blocks[each])).words
            }
            if not (self.stems - {kind}) & (section | below):
                return text.lstrip("#= ").strip()
        return ""

    def _following(self, at: int, start: int, words: Sequence[StemmedWord]) -> str:
        """The named thing of the last sentence before that has a name for its subject, where the page's has one as well."""
        first = next((word.lower for word in words if not word.is_number), "")
        names = (word for word in words if word.text[:1].isupper() and not word.begins and word.lower not in STOP)
        if first not in _LEANING or any(names) or not self._is_proper(self.names[0]):
            return ""
        for before in self._before(at, start):
            name = self._subject(before)
            if name and not self._is_own(name):
                return " ".join(word.text for word in name)
            if self._has_name(before):
                return ""
        return ""

    def _before(self, at: int, start: int) -> Iterator[tuple[StemmedWord, ...]]:
        """The words of the sentences before ``start`` under the same heading, the last one first."""
        blocks = self.layout.blocks
        for block in range(at, -1, -1):
            if blocks[block].kind == "heading" or blocks[block].headings != blocks[at].headings:
                return
            spans = self.layout.sentences(block, blocks[block].start, blocks[block].end)
            texts = (self.layout.text[slice(*span)] for span in reversed(spans) if span[1] <= start)
            yield from (phrase(text).words for text in texts if not text.rstrip().endswith(","))  # "Hi Tom," is none
            if _SECTION.match(self.layout.of(blocks[block])):
                return

    def _subject(self, words: Sequence[StemmedWord]) -> Sequence[StemmedWord]:
        """The name that a sentence begins with; none where that may be a word that has a capital by custom."""
        at = next((n for n, word in enumerate(words) if word.lower not in ("the", "a", "an")), 0)
        end = next((n for n, word in enumerate(words) if n >= at and not word.text[:1].isupper()), len(words))
        name = [word for word in words[at:end] if not word.code]
        return name if any(map(self._is_strange, name)) and self._is_seen_within(name) else ()

    def _is_seen_within(self, name: Sequence[StemmedWord]) -> bool:
        """True where ``name`` has its capitals within a sentence or a title, too: ``Visitors`` has but the first one's."""
        words = r"\s+".join(re.escape(word.text) for word in name)
        return len(name) > 1 or re.search(rf"[\w,;]\s+{words}\b", self.layout.text) is not None

    @cached_property
    def _is_stated(self) -> bool:
        """The source has the page's name in full: it knows the one thing and the other."""
        return any(f" {' '.join(word.stem for word in name)} " in self.source.flat_stems for name in self.names)

    def _is_own(self, name: Sequence[StemmedWord]) -> bool:
        """True for a name that shares a word with the page's; the last one of both is what kind of thing it is."""
        *rest, kind = name
        is_kind = bool(rest) and any(each[1:] and each[-1].stem == kind.stem for each in self.names)
        return self._has_name(rest if is_kind else name)

    def _is_proper(self, name: Sequence[StemmedWord]) -> bool:
        return all(word.text[:1].isupper() for word in name) and any(map(self._is_strange, name))

    def _is_strange(self, word: StemmedWord) -> bool:
        """True for a word that is no common one, as far as anybody can tell."""
        is_known = word.lower in STOP or is_verb(word.lower) or is_modifier(word.lower)
        is_name = word.text.istitle() and word.text.isalpha() and not word.lower.endswith(("ing", "ed", "ly"))
        return is_name and len(word.text) > 1 and not is_known and word.lower not in self.source.vocabulary.lower_case

    def _has_name(self, words: Sequence[StemmedWord]) -> bool:
        return any(word.stem in self.stems for word in words)
