"""What a statement of a source is told with on pages about other things: the part of its passage that its sense hangs on.

- A sentence is told with what leans on it and a warning below it; one that leans with those before it; or neither is told.
- A list is told whole, or not at all, with what goes on from it; its items that name a term are told by themselves as well.
- What two sections say in the same words is told in the first.
- A document that has a number is called by it: on the page of a thing nobody knows which one ``this PEP`` is. What another
  document says of itself is not told there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby, pairwise, takewhile, zip_longest
from typing import TYPE_CHECKING

from curator.models.extractive.parsing.lexicon import AUXILIARIES, BEHIND_A_NAME, STOP
from curator.models.extractive.parsing.line import OPTION
from curator.models.extractive.parsing.lists import names_a_term
from curator.models.extractive.parsing.sentences import Sentence, joined
from curator.models.extractive.passages import LONGEST, Passage, leans_back
from curator.models.extractive.terms import quality
from curator.models.extractive.whole_lists import announced
from curator.wiki.pages.names import SERIES

if TYPE_CHECKING:
    from curator.models.extractive.reading import SourceReading

_WARNS = re.compile(
    r"(?:(?:Note|Warning|Caution|Important|Beware|Attention|Hinweis|Achtung|Warnung|Remarque|Nota|Advertencia)\b"
    r"|Be (?:aware|careful)|Do not|Never|[^.]{0,60}\b(?:is|are) (?:deprecated|discouraged|obsolete|not recommended)\b)"
)
"""How a remark begins without which what stands above it is told wrongly."""
_QUALIFIES = re.compile(
    r"\b(?:but|however|yet|except\w*|unless|instead|although|though|while|whereas|only|if|when|until|without|not|no|never"
    r"|none|nor|neither|cannot|forbid\w*|prohibit\w*|disallow\w*|deprecat\w*|discourag\w*|obsolete|beware|careful|warn\w*"
    r"|caution)\b|n['’]t\b",
    re.IGNORECASE,
)
"""A contrast, a condition, a denial or a warning."""
_ASIDE = re.compile(r"(?:See|For (?:more information|example|instance))\b")
_LONGEST_LIST = 700
"""Characters of a list on a page about something else than its document."""
_OF_LIST, _POINTING = 0.9, 0.45
"""What an item of a list, and a paragraph that points to the one before, weigh at most: less than what is counted."""
_GOES_ON = "|".join(map(re.escape, sorted((STOP | AUXILIARIES | BEHIND_A_NAME | {"regarding"}) - {"use", "need"})))
_ALONE = (
    rf"(?=(?:\*\*|[*_])?(?:\Z|['’]s\b|[.,;:!?)\]\"”]|\s+[(\[–—]|\s-\s|\s+(?:\*\*|[*_])?(?:(?:{_GOES_ON}|\w+ly)(?![\w-])"
    r"|(?-i:[a-z]+(?:ed|(?<!author)(?<!editor)(?<!serie)(?<![ius])s)(?![\w-])))))"
)
"""Behind a noun that no other one goes on with: ``this PEP``, not ``this PEP editor``."""
_ITS_DOCUMENT = re.compile(
    rf"\bthe (?:PEP|EIP|ERC|RFC|ADR)\b{_ALONE}|\bthe present document\b|\bthis (?:PEP|EIP|ERC|RFC|ADR|document"
    r"|specification|proposal|paper|article|standard|memo|guide|section|page)\b",
    re.IGNORECASE,
)
_ITSELF = re.compile(
    rf"\bth(?:is|e present|e current) (?P<series>{'|'.join(SERIES)})\b{_ALONE}|(?<!\bin )(?<!\bof )(?<!\bto )(?<!\bby )"
    r"(?<!\bon )(?<!\bfor )(?<!\bfrom )(?<!\bwith )\bthis document(?= (?:(?:will|does not|also|further|only) ){0,2}"
    r"(?:address|defin|describ|explain|introduc|obsolet|outlin|propos|recommend|specif|standardi[sz])(?:es?|y|ies|s)?\b)",
    re.IGNORECASE,
)
"""The words for a numbered document; ``this document`` may be one that it is about, unless it does what its own does."""
Part = tuple[Sentence, ...]


def find_parts(reading: SourceReading) -> dict[int, Part]:
    """Of each sentence that can be told, by its number, the part of its passage that it belongs to."""
    found: dict[int, Part] = {}
    last: Part = ()
    for passage in reading.passages:
        starts = [at for at in range(len(passage.run)) if _begins(reading, passage, at)]
        runs = [passage.run[start:end] for start, end in zip_longest(starts, starts[1:])]
        if passage.leans and last and last[-1].index == passage.first.index - 1:
            runs.insert(0, _with_more(reading, last, passage.run[: (*starts, len(passage.run))[0]]))
        for run in runs:
            part = without_its_place(reading, run)
            found |= dict.fromkeys((each.index for each in part), part)
        last = runs[-1] if runs else ()
    lists = reading.lists
    for index, first in lists.parts.items():
        sentence = reading.sentences[index]
        if names_a_term(sentence) and (index != first or lists.whole[first].is_headless):
            behind = takewhile(lambda each: not each.opens_block, reading.sentences[index + 1 :])
            whole = without_its_place(reading, (sentence, *behind))
            found[index] = whole if reading.is_one_quote(whole) else (sentence,)
    return {index: part for index, part in found.items() if part}


def _with_more(reading: SourceReading, part: Part, more: Part) -> Part:
    """``part`` with as much of ``more``, which leans on it, as one quote has room for."""
    for end in range(len(more), 0, -1):
        whole = (*part, *more[:end])
        if sum(len(each.quote) + 1 for each in whole) <= LONGEST and reading.is_one_quote(whole):
            return whole
    return part


def _begins(reading: SourceReading, passage: Passage, at: int) -> bool:
    """True where ``passage`` may be parted: before what stands by itself, and between paragraphs that nothing ties."""
    each = passage.run[at]
    is_tied = _WARNS.match(each.plain) or leans_back(each, reading.language)
    stands = each.index in passage.standing and not (at > 0 and _WARNS.match(each.plain))
    return stands or (at > 0 and each.opens_block and not is_tied)


def without_its_place(reading: SourceReading, part: Part) -> Part:
    """``part`` up to where it goes on with what its document says of itself, or shows in another place; nothing of what
    would be told wrongly without that.
    """
    for at, each in enumerate(part):
        if at and (speaks_of_its_document(reading, each) or (quality.points_elsewhere(each) and not each.listed)):
            said = (form.plain for one in part[at:] for form in (one, *(item for _, item in one.listed)))
            is_lost = any(_QUALIFIES.search(plain) and not _ASIDE.match(plain) for plain in said)
            return () if is_lost else part[:at]
    return part


def speaks_of_its_document(reading: SourceReading, sentence: Sentence) -> bool:
    """True for what is told on no other page than that of its document, it or one of its items; the entry of a glossary is
    on its term.
    """
    told = named(reading, sentence)
    parts = (told, *(item for _, item in told.listed))
    return any(_ITS_DOCUMENT.search(one.plain) and not (one.label and one.plain.startswith(one.label)) for one in parts)


def named(reading: SourceReading, sentence: Sentence) -> Sentence:
    """``sentence`` as another page tells it: ``PEP 714 renames ...`` for ``This PEP renames ...``."""
    series = reading.short_name.partition(" ")[0].casefold()

    def by_number(found: re.Match[str]) -> str:
        return reading.short_name if (found["series"] or series).casefold() == series else found[0]

    text, plain = (_ITSELF.sub(by_number, form) if series else form for form in (sentence.text, sentence.plain))
    listed = tuple((bullet, named(reading, item)) for bullet, item in sentence.listed)
    if (text, plain, listed) == (sentence.text, sentence.plain, sentence.listed):
        return sentence
    return replace(sentence, rich=replace(sentence.rich, text=text, plain=plain), listed=listed)


def named_throughout(reading: SourceReading, words: str) -> str:
    """``words`` as pages have them that were written when each ``the PEP`` was told as this document's number."""
    if not reading.short_name:
        return words
    series = re.escape(reading.short_name.partition(" ")[0])
    wherever = rf"\b(?:this|the) (?:present |current )?{series}\b(?! ?\d)|\bthis document\b"
    return re.sub(wherever, reading.short_name, words, flags=re.IGNORECASE)


def find_remarks(reading: SourceReading) -> dict[int, Part]:
    """What warns of what stands before it, or goes on from a list there, by the number of the sentence before."""
    return {
        one.run[-1].index: other.run
        for one, other in pairwise(reading.passages)
        if other.first.path == one.first.path and (_WARNS.match(other.first.plain) or _goes_on(reading, one.run, other))
    }


def _goes_on(reading: SourceReading, before: Part, passage: Passage) -> bool:
    """True for what leans on the list before it, and speaks of no other document."""
    is_plain = passage.leans and not passage.run[-1].listed
    return bool(before[-1].listed) and is_plain and not any(speaks_of_its_document(reading, one) for one in passage.run)


def fitness(reading: SourceReading, alone: Mapping[int, float]) -> dict[int, float]:
    """How well each sentence stands on the page of a thing, in its part; ``alone``: how well its words do."""
    found = dict.fromkeys(alone, 0.0)
    first_said: dict[str, tuple[str, ...]] = {}
    standing = frozenset[int]().union(*(passage.standing for passage in reading.passages))
    for index, part in reading.parts.items():
        first, sentence = part[0], reading.sentences[index]
        if sentence.path and OPTION.match(sentence.path[-1]):
            continue  # elsewhere nobody knows which option it is on
        if first_said.setdefault(sentence.plain, sentence.path) != sentence.path:
            continue  # its words prove what stands in another section
        found[index] = alone[first.index]
        if speaks_of_its_document(reading, first):
            found[index] = 0.0
        elif part[-1].listed:
            found[index] = _of_list(reading, part, alone)
        elif first.index not in standing and not names_a_term(first):
            found[index] = min(found[index], _POINTING)
        elif sentence is not first:
            found[index] = min(found[index], quality.fitness(sentence, reading.english, alone=False))
    return found


def _of_list(reading: SourceReading, part: Part, alone: Mapping[int, float]) -> float:
    whole = part[-1]
    if whole.index in reading.lists.parted or sum(len(item.quote) for _, item in whole.listed) > _LONGEST_LIST:
        return 0.0
    if not whole.is_headless:
        return quality.fitness(announced(whole), reading.english, alone=len(part) == 1)
    return _OF_LIST * max(alone[item.index] for _, item in whole.listed)


def led(reading: SourceReading, sentence: Sentence) -> Sentence:
    """``sentence`` with what it leans on, and what leans on it, as another page tells it."""
    return named(reading, joined(reading.parts.get(sentence.index, (sentence,))))


def wholes(
    reading: SourceReading, chosen: Iterable[Sentence], own: Iterable[Part] = (), before: Part = ()
) -> Iterator[Sentence]:
    """``own``, then the parts of ``chosen``, each with the remark below it; none that is told ``before``."""
    shown = {each.index for each in before}
    for part in (before, *own, *(reading.parts.get(each.index, (each,)) for each in chosen)):
        for told in (part, reading.remarks.get(part[-1].index, ()) if part else ()):
            new = [each for each in told if each.index not in shown]
            for _, run in groupby(enumerate(new), lambda each: each[1].index - each[0]):
                yield named(reading, joined([each for _, each in run]))
            shown |= {each.index for each in new}


def up_to(reading: SourceReading, sentence: Sentence) -> Sentence | None:
    """``sentence`` with those before it that it leans on; None where it cannot be told."""
    part = reading.parts.get(sentence.index, ())
    run = [each for each in part if each.index <= sentence.index]
    return named(reading, joined(run)) if run else None
