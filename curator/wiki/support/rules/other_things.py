"""What a source says of something else: another sentence's year or name, a cell of another row, an option it has not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from curator.wiki.english.quantities import MONTHS
from curator.wiki.english.words import Phrase, StemmedWord, phrase
from curator.wiki.support.case import Case, telling
from curator.wiki.support.rules.negating import NOT

REFERS = frozenset("it they he she this these those its their his her who which that such both".split())
_APPOSED = re.compile(
    r"(?P<name>[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*)(?: \(|, )(?:an? |the )?(?P<kind>[a-z]{3,})[),.]"
    r"|\b[Aa]n? (?=[a-z])(?P<what>[a-z]{3,}) [^.:]+: (?P<who>[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*)\.?\Z"
)
_DOING = re.compile(
    r"[^,(]+, (?:specifies|defines|proposes|describes|requires|introduces|states|says|adds|recommends|deprecates)\W"
)
_CALLING = frozenset("is was are were be been as called named became become becomes like".split())
_CALLED = 5
_PLACING = frozenset("to of in at near from".split())
_FEWEST = 2


def apart_from_name(case: Case) -> Iterator[str]:
    """Somebody of one sentence with what another one says of somebody else: ``Anna Holt was dismissed``."""
    yield from _of_other_subject(case)
    stated = case.context.stated
    sentences = [words for words in stated.sentences if len(words) > _FEWEST]
    known = case.context.known.stems
    names = {word.stem for word in case.whole.words if _is_name(word)} - known
    if len(sentences) < _FEWEST or not names or "and" in case.claim.lowers or " | " in case.written:
        return
    told = {word.stem for word in case.whole.content} - known - names
    first = [words for words in sentences if names & {word.stem for word in words}]
    saying = [words for words in sentences if words not in first]
    for words in saying:
        own = {word.stem for word in words if _is_name(word)} - known
        subject = {word.stem for word in words[:4] if _is_name(word) or (word.begins and word.stem in own)} - known
        there = {word.stem for word in words if word.is_content} & told
        elsewhere = {word.stem for each in first for word in each if word.is_content}
        alone = there - elsewhere
        titled = {word.stem for word in words[:2]} & {word.stem for each in first for word in each[:2]}
        undergoes = any(word.lower in ("was", "were") for word in words[1:_CALLED])
        is_other = subject and (titled or undergoes) and not subject & {word.stem for word in case.whole.words}
        if is_other and words[0].lower not in REFERS and len(alone) >= max(1, len(told) // 2):
            yield f"{' '.join(word.text for word in words[:6])!r}: the source says this of somebody else"
            return


def _of_other_subject(case: Case) -> Iterator[str]:
    """``Visitors pay nothing``, of two sentences that say what visitors pay and that members pay nothing."""
    told = [word for word in case.claim.words if _weighs(word) and word.stem not in case.context.known.stems]
    is_prose = case.context.kinds == {"paragraph"} and " | " not in case.written
    if len(told) < _FEWEST or not told[0].is_content or not is_prose:
        return
    first, rest = told[0], {word.stem for word in told[1:]}
    sentences = [(words, {word.stem for word in words if _weighs(word)}) for words in case.context.stated.sentences]
    own = [
        (words, stems) for words, stems in sentences if (each := _opens(words)) is not None and first.stem == each.stem
    ]
    rest -= {word.stem for word in told if _is_name(word)} & frozenset().union(*(stems for _, stems in own))
    for words, stems in sentences if own and rest else ():
        subject = _opens(words)
        if subject is None or words[0].lower in REFERS or not rest <= stems or first.stem in stems:
            continue
        is_other = subject.stem not in case.whole.stems | case.context.known.stems
        is_alike = any(
            {word.lower for word in words[1:_CALLED]} & {word.lower for word in each[1:_CALLED]} for each, _ in own
        )
        if is_other and is_alike and not any(rest <= each or subject.stem in each for _, each in own):
            yield f"{' '.join(word.text for word in words[:6])!r}: the source says this of something else"
            return


def _opens(words: Sequence[StemmedWord]) -> StemmedWord | None:
    """The thing or the name that a sentence opens with, behind an article at most."""
    at = words[0].lower in ("a", "an", "the")
    is_thing = len(words) > at and words[at].is_content and not words[at].lower.endswith("ly")
    return words[at] if is_thing else None


def _weighs(word: StemmedWord) -> bool:
    return word.tells or word.lower in NOT


def _is_name(word: StemmedWord) -> bool:
    return word.text[:1].isupper() and not word.begins and not word.code and len(word.text) > 1


def _of_other_row(case: Case) -> Iterator[str]:
    """A cell's words with the name of another row than theirs: ``Ines Rau keeps the West lock``."""
    mine, rows = case.whole.stems, dict[frozenset[str], set[frozenset[str]]]()
    for cell, _, row in case.context.cells:
        is_name = bool(cell.words) and all(word.is_number or word.text[0].isupper() for word in cell.words)
        rows.setdefault(telling(row.words), set()).add(telling(cell.words) if is_name else frozenset())
    named = [name for name in rows if name and name <= mine]
    if (
        len(named) != 1
        or case.context.kinds != {"row"}
        or " | " in case.written
        or any(each and each <= mine for each in rows[named[0]])
    ):
        return
    own = rows[named[0]]
    for other, held in rows.items():
        if not other & mine and any(each and each <= mine and each not in own for each in held):
            yield "what is quoted says this of another row of the table"
            return


def kind_unknown(case: Case) -> Iterator[str]:
    """Somebody or something called what no sentence calls it: ``Anna (a thief)``, where the source says she met one."""
    for found in _APPOSED.finditer(case.written):
        if re.search(r", (?:an?|the) \Z", case.written[: found.start()]):
            continue  # ", a Standards Track PEP, defines": the name is the kind
        if _DOING.fullmatch(found[0]):
            continue  # "a proposal with the status Final, defines": no kind of one thing ends so
        one, kind = found["name"] or found["who"], found["kind"] or found["what"]
        name, called = phrase(one).content, phrase(kind).content
        held = [words for words in case.context.stated.sentences if telling(called) & telling(words)]
        if name and len(called) == 1 and held and not any(_calls(words, called[-1], telling(name)) for words in held):
            yield f"what is quoted does not say that {one!r} is {kind!r}"
            return


def _calls(words: Sequence[StemmedWord], kind: StemmedWord, name: frozenset[str]) -> bool:
    """True where ``kind`` stands right beside the name, or behind an ``is``, an ``as`` or its own opening of an aside."""
    for at, word in enumerate(words):
        if word.stem != kind.stem:
            continue
        near = [*words[max(0, at - 2) : at], *words[at + 1 : at + 3]]
        before = {each.lower for each in words[max(0, at - _CALLED) : at]}
        if before & _CALLING or name & telling(near) or any(each.after for each in words[max(0, at - 1) : at + 1]):
            return True
    return False


def place_lost(case: Case) -> Iterator[str]:
    """``1910: plague came``, on the page of a town, where the source says that it came to another one."""
    known, mine = case.context.known.stems, case.whole
    for words in case.context.stated.sentences:
        stems = telling(words)
        if stems & known or any(word.lower in REFERS for word in words) or any(map(_is_name, case.claim.words[1:])):
            continue
        told = telling(mine.words) - known
        for before, word in pairwise(words):
            is_place = (
                before.lower in _PLACING
                and _is_name(word)
                and word.lower not in MONTHS
                and word.lower not in case.source.vocabulary.lower_case
            )
            if is_place and told and told <= stems and word.stem not in mine.stems:
                yield f"the source says this of {word.text!r}"
                return


def cell_of_another(case: Case) -> Iterator[str]:
    """A cell of a table made of prose, whose words the source says of another thing than its row is about."""
    yield from _of_other_row(case)
    pieces = [_cell(piece, case.context.names) for piece in case.written.split(" | ")]
    if not any(head for head, _ in pieces[1:]) or case.context.kinds != {"paragraph"} or "\n" in case.written:
        return
    known = case.context.headings.stems | case.source.names.stems
    row = telling(pieces[0][1].words)
    if not row or row <= known:
        return
    is_thing = any(_is_name(word) for word in pieces[0][1].words)
    sentences = case.context.stated.sentences
    for head, cell in pieces[1:]:
        told = telling(cell.words) - known
        having = [words for words in sentences if told and told <= telling(words)]
        about = row if is_thing else row | telling(phrase(head).words)
        over, others = (
            telling(phrase(head).words),
            {stem for each, _ in pieces[1:] for stem in telling(phrase(each).words)},
        )
        is_of_column = is_thing or any(
            over & telling(words) or not (others - over) & telling(words) for words in having
        )
        if having and not (
            is_of_column
            and any(
                about & telling(words) or words[0].lower in REFERS or _is_labelled(case, words, about)
                for words in having
            )
        ):
            row_name = pieces[0][1].plain.strip()
            yield f"no sentence quoted has {cell.plain.strip()!r} with {row_name!r}: quote one that has both"
            return
    yield from _of_another_kind(case, pieces[0], row)


def _is_labelled(case: Case, words: Sequence[StemmedWord], about: frozenset[str]) -> bool:
    """True where the paragraph that the sentence opens stands below a ``Complete:`` of a few words, which is its name."""
    blocks, layout = case.source.layout.blocks, case.source.layout
    for at in case.context.touched:
        label = layout.of(blocks[at - 1]).strip() if at else ""
        is_label = label.endswith(":") and len(label.split()) <= _CALLED and about & telling(phrase(label).words)
        if is_label and phrase(layout.of(blocks[at])).flat.startswith(f" {' '.join(word.lower for word in words)} "):
            return True
    return False


def _of_another_kind(case: Case, first: tuple[str, Phrase], row: frozenset[str]) -> Iterator[str]:
    """``Wreck: the Maid``, where the source says of another thing that it is a wreck."""
    kind = {word.stem for word in phrase(first[0]).content}
    told = [(words, telling(words)) for words in case.context.section.sentences] if len(kind) == 1 else []
    if any(row & stems and kind & stems for _, stems in told):
        return
    for words, _ in told:
        stems = [word.stem for word in words]
        at = next((at for at, each in enumerate(stems) if each in kind), 0)
        is_kind = at > 1 and words[at - 1].lower in ("a", "an") and words[at - 2].lower in ("is", "was")
        if is_kind and not row & {*stems}:
            yield f"the source does not say of {first[1].plain.strip()!r} that it is {first[0]!r}"
            return


def _cell(piece: str, heads: tuple[str, ...]) -> tuple[str, Phrase]:
    head = max((each for each in heads if each and piece.startswith(each)), key=len, default="")
    return head, phrase(piece[len(head) :])
