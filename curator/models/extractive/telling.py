"""What a statement of a source is told with on pages about other things: the part of its passage that its sense hangs on.

- A sentence is told with its passage and a warning below it; one that leans with those before it; or neither is told.
- A list is told whole, or not at all; its items that name a term are told by themselves as well.
- What two sections say in the same words is told in the first.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import chain, groupby, pairwise, takewhile, zip_longest
from operator import itemgetter
from typing import TYPE_CHECKING

from curator.models.extractive.parsing.line import OPTION
from curator.models.extractive.parsing.lists import names_a_term
from curator.models.extractive.parsing.sentences import Sentence, joined
from curator.models.extractive.terms import quality
from curator.models.extractive.whole_lists import announced

if TYPE_CHECKING:
    from curator.models.extractive.reading import SourceReading

_WARNS = re.compile(
    r"(?:(?:Note|Warning|Caution|Important|Beware|Attention|Hinweis|Achtung|Warnung|Remarque|Nota|Advertencia)\b"
    r"|Be (?:aware|careful)|Do not|Never|[^.]{0,60}\b(?:is|are) (?:deprecated|discouraged|obsolete|not recommended)\b)"
)
"""How a remark begins without which what stands above it is told wrongly."""
_LONGEST_LIST = 700
"""Characters of a list on a page about something else than its document."""
_OF_LIST = 0.9
Part = tuple[Sentence, ...]


def find_parts(reading: SourceReading) -> dict[int, Part]:
    """Of each sentence that can be told, by its number, the part of its passage that it belongs to."""
    found: dict[int, Part] = {}
    for passage in reading.passages:
        starts = [at for at, each in enumerate(passage.run) if each.index in passage.standing]
        for start, end in zip_longest(starts, starts[1:]):
            part = passage.run[start:end]
            found |= dict.fromkeys((each.index for each in part), part)
    lists = reading.lists
    for index, first in lists.parts.items():
        sentence = reading.sentences[index]
        if names_a_term(sentence) and (index != first or lists.whole[first].is_headless):
            behind = takewhile(lambda each: not each.opens_block, reading.sentences[index + 1 :])
            whole = (sentence, *behind)
            found[index] = whole if reading.is_one_quote(whole) else (sentence,)
    return found


def find_runs(reading: SourceReading) -> dict[int, Part]:
    """Of each sentence its passage, by its number, as far as that does not speak of the document itself or its authors.

    A rule that another document may replace is told by itself.
    """
    found: dict[int, Part] = {}
    for passage in () if reading.is_numbered else reading.passages:
        units = [unit for unit, _ in groupby(reading.parts.get(each.index, ()) for each in passage.run)]
        own = [unit[:1] == () or unit[0] not in passage.run or any(map(quality.is_of_document, unit)) for unit in units]
        for is_own, group in groupby(zip(own, units, strict=True), itemgetter(0)):
            run = () if is_own else tuple(chain.from_iterable(unit for _, unit in group))
            found |= dict.fromkeys((each.index for each in run), run)
    return found


def find_warnings(reading: SourceReading) -> dict[int, Part]:
    """The passages that begin as a warning does, by the number of the sentence before each."""
    return {
        one.run[-1].index: other.run
        for one, other in pairwise(reading.passages)
        if other.first.path == one.first.path and _WARNS.match(other.first.plain)
    }


def fitness(reading: SourceReading, alone: Mapping[int, float]) -> dict[int, float]:
    """How well each sentence stands on the page of a thing, in its part; ``alone``: how well its words do."""
    found = dict.fromkeys(alone, 0.0)
    first_said: dict[str, tuple[str, ...]] = {}
    for index, part in reading.parts.items():
        first, sentence = part[0], reading.sentences[index]
        if sentence.path and OPTION.match(sentence.path[-1]):
            continue  # elsewhere nobody knows which option it is on
        if first_said.setdefault(sentence.plain, sentence.path) != sentence.path:
            continue  # its words prove what stands in another section
        found[index] = alone[first.index]
        if part[-1].listed:
            found[index] = _of_list(reading, part[-1], alone)
        elif sentence is not first:
            found[index] = min(found[index], quality.fitness(sentence, reading.english, alone=False))
    return found


def _of_list(reading: SourceReading, whole: Sentence, alone: Mapping[int, float]) -> float:
    if sum(len(item.quote) for _, item in whole.listed) > _LONGEST_LIST:
        return 0.0
    lead = 0.0 if whole.is_headless else quality.fitness(announced(whole), reading.english)
    return max(lead, *(_OF_LIST * alone[item.index] for _, item in whole.listed))


def led(reading: SourceReading, sentence: Sentence) -> Sentence:
    """``sentence`` with what it leans on, and with the rest of its passage."""
    return joined(_led(reading, sentence))


def _led(reading: SourceReading, sentence: Sentence) -> Part:
    first, *_ = part = reading.parts.get(sentence.index, (sentence,))
    run = reading.runs.get(sentence.index, ())
    return run[run.index(first) :] if first in run else part


def wholes(
    reading: SourceReading, chosen: Iterable[Sentence], but: Sentence | None = None, said: Container[str] = ()
) -> Iterator[Sentence]:
    """The passages of ``chosen``, each with the warning below it; none that is told already, as ``but`` is.

    ``said``: what the page has already; its passage is not told again with what is new in it.
    """
    lead = () if but is None else _led(reading, but)
    shown = {each.index for each in lead}
    for part in [lead, *(_passage(reading, sentence, said) for sentence in chosen)]:
        for told in (part, reading.warnings.get(part[-1].index, ()) if part else ()):
            if new := [each for each in told if each.index not in shown]:
                yield joined(new)
            shown |= {each.index for each in new}


def _passage(reading: SourceReading, sentence: Sentence, said: Container[str]) -> Part:
    run = reading.runs.get(sentence.index, ())
    return (
        run if run and not any(each.plain in said for each in run) else reading.parts.get(sentence.index, (sentence,))
    )


def up_to(reading: SourceReading, sentence: Sentence) -> Sentence | None:
    """``sentence`` with those before it that it leans on; None where it cannot be told."""
    part = reading.parts.get(sentence.index, ())
    run = [each for each in part if each.index <= sentence.index]
    return joined(run) if run else None
