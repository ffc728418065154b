"""What a sentence is told with, for its sense hangs on it: its list, the contrast behind it, the reason before it.

- A list is told whole, or not at all.
- A sentence that is followed by ``But`` or ``However`` is told with what follows, and one that begins with ``Therefore``
  with what is before it; or neither is told.
- Behind the first sentence of a list item that names a term the others are told with it.
- What two sections say in the same words is told in the first.
- What stands behind ``Suppose`` or ``For example`` in a paragraph holds for the example alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from curator.models.extractive.parsing.line import OPTION
from curator.models.extractive.parsing.lists import names_a_term
from curator.models.extractive.parsing.sentences import Sentence, joined
from curator.models.extractive.terms import quality
from curator.models.extractive.whole_lists import announced
from curator.wiki.pages.names import SPACELESS

if TYPE_CHECKING:
    from curator.models.extractive.reading import SourceReading

_CONTRAST = re.compile(
    r"(?:But|However|Instead|Except|Nevertheless|Nonetheless|Yet|Still,|On the other hand|That said|Then again|Conversely"
    r"|In contrast|By contrast|Unfortunately|Only then|Aber|Jedoch|Doch|Allerdings|Dennoch|Trotzdem|Stattdessen|Hingegen"
    r"|Mais|Cependant|Toutefois|Pourtant|Néanmoins|En revanche|Pero|Sin embargo|No obstante|En cambio)\b"
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
_EXAMPLE = re.compile(
    r"(?:(?:And |So )?(?:[Ff]or (?:example|instance)|[Ll]ike (?:so|this)|[Ee]xamples?|E\.g\.|That is)\W*)\Z"
)
"""Words that only lead to code."""
_FOLLOWERS, _LEAST_WORDS, _LONGEST_RUN, _LONGEST_PAIR = 3, 6, 560, 300
"""Sentences that may follow the one they lean on, words of each, and characters of all together, and of neighbours."""
_MOST_BEFORE = 2
_LONGEST_SENSE = 560
"""Characters of sentences that mean something else apart."""
_LONGEST_ENTRY = 700
_LONGEST_LIST = 700
"""Characters of a list on a page about something else than its document."""
_PRONOUNS = ("It ", "He ", "She ", "They ", "Its ", "His ", "Her ", "Their ")
_LEANING, _TELLING, _HOLDS = 0.5, 0.4, 0.25
"""How well a sentence stands alone that needs the one before it, how well behind it, and behind it where it must."""


def fitness(reading: SourceReading, alone: Mapping[int, float]) -> dict[int, float]:
    """How well each sentence stands on the page of a thing, told with what it must not be without.

    ``alone``: how well its words do.
    """
    found = dict(alone)
    _fit_lists(reading, found, alone)
    in_example = False
    first_said: dict[str, tuple[str, ...]] = {}
    for sentence in reading.sentences:
        if first_said.setdefault(sentence.plain, sentence.path) != sentence.path:
            found[sentence.index] = 0.0  # its words prove what stands in another section
        supposes = _SUPPOSES.match(sentence.plain) is not None
        in_example = supposes or (in_example and not sentence.opens_block)
        if in_example and not supposes:
            found[sentence.index] = 0.0
        if found[sentence.index] and _sense(reading, sentence) is None:
            found[sentence.index] = 0.0
    return found


def _fit_lists(reading: SourceReading, found: dict[int, float], alone: Mapping[int, float]) -> None:
    lists = reading.lists
    for index in lists.untold:
        found[index] = 0.0
    for index, first in lists.parts.items():
        sentence, whole = reading.sentences[index], lists.whole[first]
        if whole.is_headless:
            found[index] = alone[index] if names_a_term(sentence) else 0.0
            continue
        if index != first and not names_a_term(sentence):
            found[first] = max(found[first], 0.9 * alone[index])
            found[index] = 0.0
        elif index == first:
            lead = quality.fitness(announced(sentence), reading.english)
            found[first] = max(lead, found[first] if alone[first] else 0.0)
        if sum(len(item.quote) for _, item in whole.listed) > _LONGEST_LIST:
            found[first] = 0.0


def led(reading: SourceReading, sentence: Sentence, *, by_pronoun: bool = False) -> Sentence:
    """``sentence`` with those behind it, in its paragraph, that lean on it: ``She sold the patent in 2029.``

    ``by_pronoun``: only those that begin with a word for its subject.
    """
    return joined(_run(reading, sentence, by_pronoun=by_pronoun))


def wholes(reading: SourceReading, chosen: Iterable[Sentence], but: Sentence | None = None) -> Iterator[Sentence]:
    """Each of ``chosen`` with what it must not be told without; none that is told already, or in ``but``."""
    shown: set[int] = set()
    for sentence in chosen:
        run = _sense(reading, sentence) or [sentence]
        indexes = {each.index for each in run} | {sentence.index}
        if indexes & shown or (but is not None and run[0].quote in but.quote):
            continue
        shown |= indexes
        yield joined(run)


def from_sound(reading: SourceReading, sentence: Sentence, least: float) -> Sentence | None:
    """``sentence``, with up to two before it where it leans on them; None where none of these stands by itself."""
    run = [sentence]
    while max(reading.own_fitness[run[0].index], reading.alone[run[0].index]) < least:
        if not run[0].index or _opens(run[0]) or len(run) > _MOST_BEFORE:
            return None
        run = [reading.sentences[run[0].index - 1], *run]
    fits = all(quality.fitness(each, reading.english, alone=False, own=True) >= _HOLDS for each in run[1:])
    return joined(run) if fits else None


def _sense(reading: SourceReading, sentence: Sentence) -> list[Sentence] | None:
    """``sentence`` with what its sense hangs on; None where that cannot be told."""
    sentences, lists = reading.sentences, reading.lists
    if (first := lists.parts.get(sentence.index)) is not None:
        is_apart = sentence.index != first or lists.whole[first].is_headless
        if not (is_apart and names_a_term(sentence)):
            return [lists.whole[first]]
    if sentence.term and OPTION.match(sentence.term):
        return _entry(sentences, sentence) if sentence.label else None
    run = [sentence]
    if sentence.index and (not _opens(sentence) or (sentence.item and not sentence.marker and not sentence.label)):
        before = sentences[sentence.index - 1]
        if _CONCLUSION.match(sentence.plain):
            run = [before, *run]
        elif sentence.item and (terms := _back_to_term(sentences, sentence)):
            run = terms
        elif (case := _case(sentences, sentence)) is not None:
            run = list(sentences[case : sentence.index + 1])
        elif _leans_on(reading, before, sentence):
            return [before, sentence]
    behind = sentences[sentence.index + 1] if sentence.index + 1 < len(sentences) else None
    contrasts = behind is not None and not behind.item and behind.path == sentence.path
    if behind is not None and contrasts and _CONTRAST.match(behind.plain):
        run = [*run, behind] if not behind.opens_block or len(behind.quote) <= _LONGEST_PAIR else run
    if len(run) == 1:
        return run
    if sum(len(each.quote) for each in run) > _LONGEST_SENSE:
        return None
    others = [each for each in run if each is not sentence]
    first_fits = run[0] is sentence or reading.alone[run[0].index] >= _HOLDS
    fits = all(quality.fitness(each, reading.english, alone=False, own=True) >= _HOLDS for each in others[1:] or others)
    return run if first_fits and fits else None


def _case(sentences: tuple[Sentence, ...], sentence: Sentence) -> int | None:
    """The number of the sentence before it, in its paragraph, that says for which case alone it holds."""
    at = sentence.index
    while at and not _opens(sentences[at]):
        at -= 1
        if _CASE.match(sentences[at].plain):
            return at if _opens(sentences[at]) else at - 1
    return None


def _leans_on(reading: SourceReading, before: Sentence, sentence: Sentence) -> bool:
    """True where ``sentence`` points back, and the one ``before`` it stands by itself: both are one statement."""
    fits = reading.alone[before.index] >= _LEANING and before.index not in reading.lists.parts and not before.code
    short = len(before.quote) + len(sentence.quote) <= _LONGEST_SENSE
    return fits and short and quality.points_back(sentence)


def _entry(sentences: tuple[Sentence, ...], first: Sentence) -> list[Sentence]:
    """What is said of an option, as far as there is room: without its name the rest would be of nothing."""
    run, length = [first], len(first.quote)
    for other in sentences[first.index + 1 :]:
        length += len(other.quote)
        if other.label or other.term != first.term or other.path != first.path or length > _LONGEST_ENTRY:
            break
        run.append(other)
    return run


def _back_to_term(sentences: tuple[Sentence, ...], sentence: Sentence) -> list[Sentence]:
    """The sentences of an item up to ``sentence``, where the first of them names what all of them tell of."""
    at = sentence.index
    while at and not sentences[at].opens_block:
        at -= 1
    return list(sentences[at : sentence.index + 1]) if names_a_term(sentences[at]) else []


def _run(reading: SourceReading, sentence: Sentence, *, by_pronoun: bool) -> list[Sentence]:
    """``sentence``, what it must not be told without, and those behind it that lean on it."""
    pronouns = reading.language.pronouns if reading.language is not None else _PRONOUNS
    run = _sense(reading, sentence) or [sentence]
    if run[-1].listed or run[-1].code:
        return run
    length = sum(len(each.quote) for each in run)
    after = run[-1].index + 1
    for other in reading.sentences[after : after + _FOLLOWERS]:
        if other.code and _EXAMPLE.match(other.plain) and other.path == run[-1].path:
            return [*run, other]
        if by_pronoun and not other.plain.startswith(pronouns):
            break
        length += len(other.quote)
        follows = not _opens(other) and (reading.alone[other.index] < _LEANING or other.bare is not other)
        if (
            not follows
            or (len(other.words) < _LEAST_WORDS and not SPACELESS.search(other.plain))
            or length > _LONGEST_RUN
            or quality.fitness(other, reading.english, alone=False) < _TELLING
        ):
            break
        run = [*run, other]
        if other.code:
            break
    return run


def is_for_a_case(sentence: Sentence) -> bool:
    """True for a sentence behind which its paragraph holds for one case, or an example, alone."""
    return bool(_SUPPOSES.match(sentence.plain) or _CASE.match(sentence.plain))


def concludes(sentence: Sentence) -> bool:
    return _CONCLUSION.match(sentence.plain) is not None


def contrasts(sentence: Sentence) -> bool:
    return _CONTRAST.match(sentence.plain) is not None and not sentence.item


def _opens(sentence: Sentence) -> bool:
    """True when ``sentence`` begins a paragraph."""
    return sentence.opens_block or bool(sentence.label)
