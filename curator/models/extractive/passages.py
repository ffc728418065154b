"""The passages of a source: what the page about it tells whole or not at all.

A passage is a paragraph, as far as one quote reaches; a list with its lead-in; each with the code below it. A sentence that
leans on the one before it is told behind that one, or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, pairwise, zip_longest
from typing import TYPE_CHECKING

from curator.models.extractive.noted import says_something
from curator.models.extractive.parsing.line import OPTION
from curator.models.extractive.parsing.sentences import Sentence, joined
from curator.models.extractive.terms import quality, ranking
from curator.models.extractive.whole_lists import announced, names_its_items, shows_an_example
from curator.wiki.pages.names import name_key

if TYPE_CHECKING:
    from curator.models.extractive.languages.language import Language
    from curator.models.extractive.reading import SourceReading

LONGEST, _LONG = 560, 300
"""Characters that one quote may have, and from which on a sentence that stands alone begins a passage of its own."""
_BRIEF = re.compile(r"(?:\w+ ){1,2}\w+\.")
_FEW = 4
"""Words of one that follows, and of what is little more than a title of the code below it."""
_BEGINS = 60
"""Characters of what a sentence begins with."""
_CONTRAST = re.compile(
    r"(?:But|However|Instead(?! of\b)|Except|Nevertheless|Nonetheless|Yet|Still,|On the other hand|That said|Then again"
    r"|Conversely|In contrast|By contrast|Unfortunately|Only then|Aber|Jedoch|Doch|Allerdings|Dennoch|Trotzdem|Stattdessen"
    r"|Hingegen|Mais|Cependant|Toutefois|Pourtant|Néanmoins|En revanche|Pero|Sin embargo|No obstante|En cambio)\b"
    r"|(?:但是?|然而|不过|可是|しかし|だが|ただし|ところが)"
)
_CONCLUSION = re.compile(
    r"(?:Therefore|Thus|Hence|Consequently|As a result|As a consequence|For this reason|So,|Daher|Deshalb|Deswegen|Folglich"
    r"|Donc|Ainsi|C'est pourquoi|Par conséquent|Por (?:lo )?tanto|Por eso|Así que)\b|(?:因此|所以|したがって|そのため)"
)
_SUPPOSES = re.compile(
    r"(?:(?:For|As an?) (?:example|instance),? )?(?:[Ss]uppose|[Cc]onsider|[Ii]magine|[Aa]ssume|[Ss]ay,|[Ll]et us"
    r"|[Ll]et's)\b"
    r"|(?:For example|For instance|To illustrate|As an example|Zum Beispiel|Angenommen|Par exemple|Supposons|Por ejemplo"
    r"|Supongamos|例如|比如|たとえば|例えば)"
)
_CASE = re.compile(r"(?:In (?:this|that|such|the special|the exceptional) (?:an? )?case|As a special case)\b")
_ANEW = re.compile(
    r"It (?:is|was) (?:\w+ly )?(?:recommended|required|suggested|advised|important|necessary|expected|allowed|valid)"
    r" (?:that|to)\b|(?:See(?: also)?|Another|The (?:first|second|third|last)|Now that|As to) ",
    re.IGNORECASE,
)
"""How a paragraph begins on a matter of its own, though such words may lean on those before."""
_UNDONE = re.compile(r"\b(?:TODO|FIXME|TBD)\b")
_NAMED_ABOVE = re.compile(
    r"\b(?:(?:The|An?|This) )?((?:[A-Z]\w* ){1,4}[A-Z]\w*) above(?= (?:is|are|was|must|may|to|and|for)\b|[.,;)])"
)
"""``the Event Request Form above``"""
_ALONE, _HOLDS = 0.25, 0.1
"""How well a sentence stands that begins a passage, and that follows another one."""


@dataclass(frozen=True)
class Passage:
    """``run``: its sentences; the last one has the list and the code that come with it."""

    run: tuple[Sentence, ...]
    worth: float
    leans: bool
    """It means nothing without the passage before it."""
    standing: frozenset[int] = frozenset()
    """The numbers of its sentences that stand by themselves."""

    @property
    def first(self) -> Sentence:
        return self.run[0]

    @property
    def whole(self) -> Sentence:
        return joined(self.run)

    @cached_property
    def paragraphs(self) -> tuple[Sentence, ...]:
        """Each of its paragraphs; what one announces is told with it."""
        starts = [0]
        for at, (before, each) in enumerate(pairwise(self.run), 1):
            if each.opens_block and not (each.item or _announces(before) or shows_an_example(each)):
                starts.append(at)
        told = (joined(self.run[start:end]) for start, end in zip_longest(starts, starts[1:]))
        return tuple(replace(each, tied=True) if at else each for at, each in enumerate(told))

    def goes_on_with(self, other: Passage) -> bool:
        """True where ``other`` is the next part of the paragraph that this one ends in."""
        return not other.first.opens_block and self.run[-1].index == other.first.index - 1


class PassageReader:
    """One walk over the sentences of a source."""

    def __init__(self, reading: SourceReading) -> None:
        self.reading = reading
        self.run: list[Sentence] = []
        self.leans = False
        self.standing: set[int] = set()
        self.said: list[str] = []
        """What is told so far."""
        self.last: Sentence | None = None
        """The one told last."""
        self.headed = frozenset(_headed(reading.sentences, 1 if reading.is_brief else _FEW))
        self.in_case = False
        """The paragraph goes on with an example, or a case, that was told or left out."""

    def read(self) -> Iterator[Passage]:
        lists, shown = self.reading.lists, -1
        for sentence, following in zip_longest(self.reading.sentences, self.reading.sentences[1:]):
            if sentence.opens_block:
                self.in_case = False
            if (first := lists.parts.get(sentence.index)) is not None:
                if first != shown:
                    yield from self._take(lists.whole[first])
                    shown = first
                elif self.last is not None and self.last.index == sentence.index - 1:
                    self.last = sentence
            elif sentence.index not in lists.untold and not self._is_half(sentence, following):
                yield from self._take(sentence)
            if _SUPPOSES.match(sentence.plain) or _CASE.match(sentence.plain):
                self.in_case = True
        yield from self._close()

    def _take(self, sentence: Sentence) -> Iterator[Passage]:
        alone = self._stands(sentence)
        begins = alone or self._is_noted(sentence)
        follows = self._follows(sentence)
        begins = begins or (not follows and self._is_noted(sentence, _BEGINS))
        points = _NAMED_ABOVE.search(sentence.plain)
        is_title = not sentence.index and name_key(sentence.plain) == name_key(self.reading.own_title)
        if is_title:
            self.last = sentence  # the page has it above all others
        if is_title or not (begins or follows) or (points and not self._has_named(points[1], sentence)):
            return
        if not self._goes_on(sentence, alone=begins):
            tail = [] if begins else self._tail(sentence)
            del self.run[len(self.run) - len(tail) :]
            yield from self._close()
            self.run = tail
            self.leans = tail[0].index not in self.standing if tail else not begins
        self.run.append(sentence)
        self.said += [each.plain for each in (sentence, *(item for _, item in sentence.listed))]
        self.standing |= {sentence.index} if alone else set()
        self.last = sentence

    def _has_named(self, name: str, sentence: Sentence) -> bool:
        return any(name.casefold() in said.casefold() for said in (*self.said, *sentence.path))

    def _goes_on(self, sentence: Sentence, *, alone: bool) -> bool:
        """True where ``sentence`` is told in one with those before it."""
        last = self.run[-1] if self.run else None
        size = sum(len(each.quote) + 1 for each in self.run) + len(sentence.quote)
        if last is None or last.index != sentence.index - 1 or last.code or last.listed or size > LONGEST:
            return False
        if sentence.marker or sentence.label:
            return False
        goes_on = _announces(last) or not (alone and (sentence.opens_block or size > _LONG))
        return goes_on and self.reading.is_one_quote((*self.run, sentence))

    def _tail(self, sentence: Sentence) -> list[Sentence]:
        """What of the run is told with ``sentence``, which leans on it, where all of it is too long: its paragraph, or
        the part of it that stands by itself.
        """
        if not self.run or self.run[-1].index != sentence.index - 1 or sentence.marker or sentence.label:
            return []
        if self.run[-1].code or self.run[-1].listed:
            return []
        places = [at for at in range(1, len(self.run)) if not _announces(self.run[at - 1])]
        begins = [at for at in places if self.run[at].opens_block]
        stands = [at for at in places if self.run[at].index in self.standing]
        for at in (*begins[-1:], *stands[-1:]):
            tail = self.run[at:]
            size = sum(len(each.quote) + 1 for each in tail) + len(sentence.quote)
            if size <= LONGEST and self.reading.is_one_quote((*tail, sentence)):
                return tail
        return []

    def _is_half(self, sentence: Sentence, following: Sentence | None) -> bool:
        """True where a ``But`` or ``However`` comes behind it that cannot be told."""
        contrasts = following is not None and following.path == sentence.path and not following.item
        contrasts = contrasts and following is not None and _CONTRAST.match(following.plain) is not None
        return contrasts and following is not None and self._fit(following, alone=False) < _HOLDS

    def _close(self) -> Iterator[Passage]:
        if self.run and _announces(self.run[-1]):
            self.run.pop()
        if len(self.run) > 1 and _announces(self.run[0]) and self.reading.claim(self.whole) is None:
            self.run.pop(0)
        if self.run:
            importance = ranking.importance(self.run[0], len(self.reading.sentences))
            said = (*self.run, *(item for _, item in self.run[-1].listed))
            importance *= max(quality.weight_of_rule(each.plain) for each in said)
            worth = importance * max(self._fit(each, alone=False) for each in self.run)
            yield Passage(tuple(self.run), worth, self.leans, frozenset(self.standing))
        self.run = []

    @property
    def whole(self) -> Sentence:
        return joined(self.run)

    def _goes_on_below(self, sentence: Sentence) -> bool:
        """True for the first words of an item that says more."""
        below = self.reading.sentences[sentence.index + 1 : sentence.index + 2]
        return any(each.item and not each.marker and each.path == sentence.path for each in below)

    def _stands(self, sentence: Sentence) -> bool:
        """True for what may begin a passage: it needs nothing from before it."""
        if self.reading.lists.parted.get(sentence.index):
            return False
        if sentence.aside or self.in_case or _CONCLUSION.match(sentence.plain):
            return False
        if sentence.term and OPTION.match(sentence.term) and not sentence.label:
            return False
        if sentence.is_headless:
            return True  # what its items are of, the heading says
        if sentence.index in self.headed:
            return self._fit(sentence, alone=False) >= _ALONE
        return self._fit(sentence, alone=True) >= _ALONE and not quality.points_back(_led(sentence))

    def _follows(self, sentence: Sentence) -> bool:
        """True for what may be told behind the sentence told last."""
        before = self.last
        if before is None or before.index != sentence.index - 1 or before.path != sentence.path:
            return False
        if sentence.aside and not self.reading.is_brief:
            return False
        if quality.is_field(before) and sentence.opens_block and not sentence.marker:
            return False  # nothing below its list leans on a field
        if self.reading.is_brief and (sentence.listed or says_something(sentence)):
            return True
        return self._fit(sentence, alone=False) >= _HOLDS

    def _is_noted(self, sentence: Sentence, within: int | None = None) -> bool:
        """True for what begins a paragraph or an item of a note, however it is written, and goes on from no other.

        ``within``: the characters that tell that it does.
        """
        is_begun = self.reading.is_brief and sentence.opens_block
        if not (is_begun and (sentence.listed or says_something(sentence))):
            return False
        leans = quality.leans_by_words(sentence) or quality.is_deictic(sentence, within)
        leans = leans or _goes_on_from_others(sentence.plain, self.reading.language)
        return not sentence.index or sentence.index in self.headed or not leans or _is_labelled(sentence)

    def _fit(self, sentence: Sentence, *, alone: bool) -> float:
        """How well it is told; a lead-in, as if it were no more than a sentence."""
        if sentence.is_headless:
            return 1.0
        if not alone and _BRIEF.fullmatch(sentence.plain):
            return _HOLDS
        is_short = len(sentence.words) <= _FEW
        is_title = (
            is_short and sentence.plain.endswith(":") and (sentence.code or (sentence.item and _announces(sentence)))
        )
        if is_title or (is_short and sentence.marker and self._goes_on_below(sentence)):
            return 0.5
        if shows_an_example(sentence) and sentence.listed:
            return 0.0 if alone else 0.5
        if sentence.listed and names_its_items(sentence):
            return 0.5
        language = self.reading.language
        if alone and language is not None and language.leans(sentence.plain):
            return 0.0
        if _UNDONE.search(sentence.plain):
            return 0.0
        return quality.fitness(_led(sentence), self.reading.english, alone=alone, own=True)


def _is_labelled(sentence: Sentence) -> bool:
    """True for what a label in bold leads to: ``**What it is for:** sleep.``"""
    label = next((words for style, words in sentence.rich.marks if style == "emphasis"), "")
    return label.endswith(":") and sentence.plain.startswith(label)


def leans_back(sentence: Sentence, language: Language | None) -> bool:
    """True for what begins as the words before it go on, be it below them in a paragraph of its own."""
    leans = quality.leans(sentence.bare) and not _ANEW.match(sentence.bare.plain)
    return leans or _goes_on_from_others(sentence.plain, language)


def _goes_on_from_others(plain: str, language: Language | None) -> bool:
    is_tied = any(tie.match(plain) for tie in (_CONTRAST, _CONCLUSION, _SUPPOSES, _CASE))
    return is_tied or (language is not None and language.leans(plain))


def _headed(sentences: Sequence[Sentence], least: int) -> Iterator[int]:
    """The numbers of those that begin the text of a section whose heading the page has, and of the item that it begins
    with: ``This`` is what the heading says. ``least``: the words of a sentence.
    """
    if any(len({each.path[:deep] for each in sentences if each.path}) > 1 for deep in (1, 2)):
        for path, section in groupby(sentences, key=lambda each: each.path):
            first, *others = section
            text = [each for each in (first, *others) if not each.item and len(each.words) >= least][:1]
            yield from (each.index for each in ([first, *text] if first.item else text) if path)


def _led(sentence: Sentence) -> Sentence:
    """A lead-in as if it were no more than a sentence."""
    return announced(sentence) if sentence.listed or sentence.code or _announces(sentence) else sentence


def _announces(sentence: Sentence) -> bool:
    """True for what is not told without the words behind it."""
    return sentence.plain.endswith((":", "：")) and not (sentence.code or sentence.listed)
