"""What a source says that it changes of a document that came before: told on that document's page, too.

Whoever reads the old document learns there what came of it. A sentence tells a change where it names the document by its
number or its whole title, and

- says that this document, or another, does something to it: ``this PEP extends PEP 503``; or
- says that something was done to it: ``PEP 376's RECORD is altered``, ``LS 4 gilt nicht mehr``; or
- gives a rule for what is in it: ``the metadata in the PEP 691 representation MUST be emitted``; or
- comes shortly before another that says that something was given up: ``signature uploads have been disabled``.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from curator.models.extractive import standing, telling
from curator.models.extractive.known import KnownPages
from curator.models.extractive.openings import kind_of
from curator.models.extractive.parsing.sentences import Sentence
from curator.models.extractive.reading import SourceReading
from curator.models.extractive.terms import mentions
from curator.models.extractive.terms.terms import Term
from curator.models.proposal import Claim, Create
from curator.wiki.pages.names import name_key

_DOES = re.compile(
    r"\b(?:replaces?|supersedes?|obsoletes?|amends?|repeals?|revokes?|abolishes|withdraws?|deprecates?|extends?|updates?"
    r"|renames?|changes|modif(?:y|ies)|alters?|relaxes|supplements|builds? on|clarif(?:y|ies)|removes?|adds?"
    r"|takes? the place of|does away with"
    r"|ersetzt|ändert|ergänzt|hebt|widerruft|remplace|modifie|abroge|complète|annule|sustituye|reemplaza|modifica|deroga)\b"
)
_DONE = re.compile(
    r"\b(?:(?:is|are|was|were|been|being|be) (?:\w+ )?(?:replaced|superseded|obsoleted|amended|repealed|revoked|abolished"
    r"|withdrawn|deprecated|extended|updated|renamed|changed|modified|altered|relaxed|supplemented|rejected|removed|dropped)"
    r"|no longer|gives? way to|gave way to"
    r"|(?:wird|wurde) (?:\w+ ){0,3}(?:ersetzt|geändert|ergänzt|aufgehoben)|gilt nicht mehr"
    r"|est (?:remplacée?|modifiée?|abrogée?)|n['’]est plus|(?:es|fue) (?:sustituid|reemplazad|modificad)[oa])\b"
)
_ITSELF = re.compile(r"\b(?:[Tt]his|[Tt]he present|[Tt]he new|[Ww]e|[Dd]iese[rs]?|[Cc]ett?e|[Ee]st[ea])\b")
_NOT = re.compile(r"\b(?:not|never|nicht|kein\w*|pas|no(?= (?:changes?|plans?))|would|could|might|if)\b")
_WITHIN, _MUST = re.compile(r"\b(?:in|of|under) the \Z"), re.compile(r"\b(?:MUST|SHALL|SHOULD|must|shall)\b")
_THEREBY = re.compile(
    r"[^.;]{0,20}, (?:extending|replacing|superseding|amending|changing|updating|adding|removing|renaming|relaxing)\b"
)
"""What is done to the document, behind its name: ``defined in PEP 518, extending the table in it with a key``."""
_NEAR = 70
"""Characters that may stand between what is done and what it is done to."""
_OVER = re.compile(
    r"\b(?:(?:has|have|had|is|are|was|were) (?:since |been |now )*(?:disabled|deprecated|removed|dropped|withdrawn"
    r"|abandoned|superseded|replaced|discontinued)|deprecated \w+|no longer (?:\w+ )?(?:supports?|accepts?|allows?))\b"
)
_SHORTLY = 4
"""Sentences before the one that says so, among which what it is of is named."""
_MOST, _MOST_PAGES = 3, 8
"""Statements for one page, and pages, as a source may have."""


def find_changes(reading: SourceReading, known_pages: KnownPages, own: str, heading: str) -> Iterator[Create]:
    """A page about each document that the source changes, under ``heading``; it becomes part of that document's summary
    (decision 0017), which may come in later.
    """
    others = dict(_documents(reading, known_pages, own))
    told: dict[str, list[Claim]] = defaultdict(list)
    for sentence in reading.sentences:
        claim = _claim(reading, sentence) if not sentence.aside else None
        if claim is None:
            continue
        for name, keys in others.items():
            if _tells_change(reading, sentence, keys):
                told[name].append(claim)
            elif _is_over(sentence) and (before := _named_before(reading, sentence, keys)) is not None:
                text = f"{before.text} {claim.text.removeprefix('- ')}"
                told[name].append(Claim(text=text, quotes=(*before.quotes, *claim.quotes)))
    for name, claims in list(told.items())[:_MOST_PAGES]:
        is_new = not (standing.end_of(reading) or known_pages.named((name,)))
        opening = _opening(reading, name, claims[:_MOST]) if is_new else []
        body = (*opening, Claim(text=f"## {heading}"), *claims[:_MOST])
        yield Create(op="create", kind="entity", title=name, body=body)


def _opening(reading: SourceReading, name: str, claims: Sequence[Claim]) -> list[Claim]:
    """What the document ``name`` is, where the source says so, and ``claims`` do not: ``PEP 658 specified a way ...``."""
    term = Term(name_key(name), Counter((name,)), {"name"})
    found = mentions.find_mentions(reading.sentences, (term,))[term.key]
    told = (each.sentence for each in found if reading.fitness[each.sentence.index] and kind_of(each, term))
    said = {claim.quotes for claim in claims}
    return next(([claim] for each in told if (claim := _claim(reading, each, "")) and claim.quotes not in said), [])


def _claim(reading: SourceReading, sentence: Sentence, bullet: str = "- ") -> Claim | None:
    """``sentence`` with what it leans on, as it is told there."""
    run = telling.up_to(reading, sentence)
    return reading.claim(run, bullet) if run is not None else None


def _documents(reading: SourceReading, known_pages: KnownPages, own: str) -> Iterator[tuple[str, frozenset[str]]]:
    """The documents that are known by a number in a series, and those of the source's own series that it names: by that
    number, with all their folded names.
    """
    known = [each for each in known_pages.pages if each.entry.kind == "summary" and each.slug != own]
    here = {name: each.document_keys for each in known if (name := _number_of(each.entry.names))}
    yield from here.items()
    if series := reading.short_name.partition(" ")[0]:
        named = re.findall(rf"\b{series} \d{{1,5}}\b", " ".join(sentence.plain for sentence in reading.sentences))
        yield from ((name, frozenset({name_key(name)})) for name in sorted({*named} - {*here, reading.short_name}))


def _number_of(names: Iterable[str]) -> str:
    """The name of the document by its number in a series, ``PEP 503``; empty where it has none."""
    return next((name for name in names if re.fullmatch(r"[A-Z]{2,6} \d{1,5}", name)), "")


def _is_over(sentence: Sentence) -> bool:
    """True for what says that something was given up."""
    over = _OVER.search(sentence.plain)
    return over is not None and not _NOT.search(re.split("[,;:]", sentence.plain[: over.start()])[-1])


def _named_before(reading: SourceReading, sentence: Sentence, keys: frozenset[str]) -> Claim | None:
    """What is said shortly before it, in its section, of the document that is called by ``keys``."""
    near = reading.sentences[max(0, sentence.index - _SHORTLY) : sentence.index]
    named = (each for each in reversed(near) if each.path == sentence.path and any(_places(each, keys)))
    return next((claim for each in named if (claim := _claim(reading, each)) is not None), None)


def _tells_change(reading: SourceReading, sentence: Sentence, keys: frozenset[str]) -> bool:
    """True when ``sentence`` says that the document that is called by ``keys`` is changed."""
    for start, end in _places(sentence, keys):
        before, behind = sentence.plain[:start], sentence.plain[end:]
        for verb in _DOES.finditer(before):
            subject = before[: verb.start()]
            is_near = len(before) - verb.end() <= _NEAR and not _NOT.search(subject[-30:])
            if is_near and (_ITSELF.search(subject) or _names(reading, subject)):
                return True
        if _WITHIN.search(before) and _MUST.search(behind):
            return True
        if _THEREBY.match(behind) and _ITSELF.search(before):
            return True
        done = _DONE.search(behind[:_NEAR])
        if done and not _NOT.search(behind[: done.end()]) and not re.search(r"[,;:.] ", behind[: done.start()]):
            return True
    return False


def _places(sentence: Sentence, keys: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Where the document is named: by its number in its series, or by a title of several words."""
    for key in sorted(keys):
        words = tuple(key.split())
        if len(words) < 2 or not (any(map(str.isdigit, words)) or len(words) > 2):
            continue
        for at in range(len(sentence.keys) - len(words) + 1):
            if sentence.keys[at : at + len(words)] == words:
                yield sentence.words[at].start, sentence.words[at + len(words) - 1].end


def _names(reading: SourceReading, text: str) -> bool:
    """True when ``text`` names the document that is read."""
    said = f" {name_key(text)} "
    return any(key and f" {key} " in said for key in map(name_key, (reading.short_name, reading.own_title)))
