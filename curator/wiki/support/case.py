"""A claim beside what it is compared with, and how near it is to that: its own words, what it turns, what it gathers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from curator.wiki.english.opposites import turning
from curator.wiki.english.stems import stem
from curator.wiki.english.words import Phrase, StemmedWord, phrase
from curator.wiki.support.context import Context
from curator.wiki.support.source_context import SourceContext

_CODE = re.compile(r"`[^`]*`")
_LEAD = re.compile(
    r"\s*+(?:[-*+]\s++)?(?:([^:.;!?]{2,90}):\s++(?=\S)|[*_]{1,3}[^*_:.;!?]{2,60}(?:[.:][*_]{1,3}|[*_]{1,3}\s?[-–—:.])\s++(?=\S))"
)
_STATES = re.compile(r"\b(?:is|are|was|were|has|have|had|will|did|does)\b")
_FEW = 3
"""A verb by which what stands before a colon and so few words is no label: ``The bridge was painted: 2031``."""
_TO_HISTORY = re.compile(r"\[\[(?:history|timeline)-of-[\w-]+\|(?:History|Timeline) of ([^\[\]|]*)\]\]")
_POINTING = frozenset(map(stem, "event date dated told stand listed course order page".split()))
"""Words of a line that leads to the page of a thing's history."""
_PARTING, _JOINING = frozenset((";", ",")), frozenset("and but while whereas".split())
_GATHERED = 2
"""Words of other sentences than the one that tells most of a claim's sentence, by which it is gathered from several."""


@dataclass(frozen=True, eq=False)
class Case:
    """One claim to be judged, and what the source says where its quotes stand: what a rule is given."""

    whole: Phrase
    claim: Phrase
    """The claim without the ``Label:`` it may begin with, which states nothing by itself."""
    context: Context
    written: str = ""
    """The claim as it is written, with the addresses that its words leave out."""

    @classmethod
    def of(cls, claim: str, context: Context) -> Case:
        masked = _CODE.sub(lambda found: "x" * len(found[0]), claim)
        label = _LEAD.match(masked)
        if label and _STATES.search(label[0]) and len(claim[label.end() :].split()) <= _FEW:
            label = None
        return cls(phrase(claim), phrase(claim[label.end() :] if label else claim), context, claim)

    @property
    def source(self) -> SourceContext:
        return self.context.source

    @cached_property
    def is_pointer(self) -> bool:
        """It says but where more stands: ``The events of the party stand under [[history-of-street-party|...]]``."""
        links = _TO_HISTORY.findall(self.written)
        told = {word.stem for word in phrase(_TO_HISTORY.sub(" ", self.written)).content} - self.context.known.stems
        of_known = all({word.stem for word in phrase(text).content} <= self.context.known.stems for text in links)
        return (
            bool(links)
            and of_known
            and told <= _POINTING
            and self.whole.lowers.isdisjoint(("not", "no", "never", "nothing", "cannot"))
        )

    @cached_property
    def told(self) -> frozenset[str]:
        """The stems of what the claim says, but for the names of page and source."""
        return frozenset(word.stem for word in self.claim.content) - self.context.known.stems

    @property
    def is_close(self) -> bool:
        """True for a claim most of whose words are those of the sentences quoted: what it adds is no rewording."""
        return 4 * (len(self.claim.content) - len(self._own_words)) >= 3 * (len(self.claim.content) - 1)

    def keeps_to_source(self, but: Sequence[StemmedWord]) -> bool:
        """True where most words of the claim ``but`` these are those of the sentences quoted."""
        told, own = ([word for word in words if word not in but] for words in (self.claim.content, self._own_words))
        return 4 * (len(told) - len(own)) >= 3 * len(told)

    @property
    def is_verbatim(self) -> bool:
        """True for a claim that has at most one word of its own."""
        return len(self._own_words) <= 1

    @property
    def is_reworded(self) -> bool:
        """True for a claim with more words of its own than of the sentences quoted."""
        return 2 * len(self._own_words) > len(self.claim.content)

    def rewords(self, clause: int) -> bool:
        """The same of one clause of it, by its number."""
        own, told = (
            [word for word in words if word.clause == clause] for words in (self._own_words, self.claim.content)
        )
        return 2 * len(own) > len(told)

    @cached_property
    def is_gathered(self) -> bool:
        """True where a sentence of the claim is told in several of those quoted, and in none of them alone.

        A single word of another sentence is the name of what a pronoun stands for.
        """
        known = self.context.known.stems
        held = [telling(sentence) for sentence in self.context.stated.sentences]
        for sentence in self.claim.sentences:
            told = telling(sentence) - known
            shared = [told & each for each in held]
            if len(set().union(*shared)) - max(map(len, shared), default=0) >= _GATHERED:
                return True
        return False

    @cached_property
    def is_turned_over(self) -> bool:
        """True for a claim in other words that turns round what the quotes do not, and leaves as it is what they turn.

        ``Less than a tenth is not reused`` says what ``more than nine tenths are reused`` does.
        """
        mine, theirs = turning(self.claim.words), turning(self.context.stated.words)
        return not self.is_verbatim and bool(mine - theirs) and bool(theirs - mine)

    @cached_property
    def _own_words(self) -> list[StemmedWord]:
        known, stated = self.context.known.stems, self.context.stated
        return [word for word in self.claim.content if word.stem not in known and not stated.has_kin_of(word)]


def telling(words: Iterable[StemmedWord]) -> frozenset[str]:
    return frozenset(word.stem for word in words if word.tells)


def begins_part(word: StemmedWord) -> bool:
    """True where another part of a sentence may begin: behind a comma or semicolon, or with a word that joins two."""
    return word.after in _PARTING or word.lower in _JOINING
