"""Pages about things and terms: which ones a source gives something to say about, and what it says."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from curator.models.extractive.known import KnownPage, KnownPages, cites
from curator.models.extractive.known_terms import find_terms
from curator.models.extractive.languages import things
from curator.models.extractive.openings import DEFINITION, PURPOSE, kind_of
from curator.models.extractive.own_sections import OwnSections
from curator.models.extractive.parsing.sentences import Sentence
from curator.models.extractive.reading import SourceReading
from curator.models.extractive.telling import Part
from curator.models.extractive.terms import mentions, ranking
from curator.models.extractive.terms.code_names import is_brought
from curator.models.extractive.terms.mentions import ABOUT, CALLED, DEFINES, TOUCHES, Mention
from curator.models.extractive.terms.quality import points_back, speaks_of_itself, weight_of_rule
from curator.models.extractive.terms.terms import Term
from curator.wiki.english.ordinary import is_modifier, is_verb
from curator.wiki.mentions import Place, is_meant, is_noun_on
from curator.wiki.pages.page import Page
from curator.wiki.senses import most_alike
from curator.wiki.workspace.workspace import CurationPolicy

_DEPTH = {"shallow": 0.6, "medium": 1.0, "deep": 1.6}
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5}
_THRESHOLD = re.compile(
    r"\b(two|three|four|five|[2-9])\s+(?:\w+\s)?(?:things|statements|claims|facts|sentences)\b", re.IGNORECASE
)
_SPECIAL = re.compile(
    r"(?:If|Like|When|While|Where|As|Since|To|In|On|At|For|With|Without|Because|Although|Unlike|Given|Most|Some|Many|Few|Both|Any|Only"
    r"|Older|Newer|Future|Additional) "
)
"""How a sentence on a special case begins."""
_PAGES_A_SENTENCE = 2
_MOST_ADDITIONS, _MOST_PAGES, _WORDS_A_PAGE = 20, 16.0, 500
_SHORT = 40
"""Sentences of a source all of whose statements on a thing its page has room for."""
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_CLOSE = 0.7
"""How much a sentence must be about a single word that the source uses all the time."""
_LEAST_ABOUT, _LEAST_OF_WORDS = 2, 3
"""Statements of a thing that nobody defines; those of an option."""
_OPTION = re.compile(r"\A[^ ]*[a-z0-9][_:=<][^ ]*\Z|\A--?\w")
"""How an option or a field is written: its row of a list makes no page."""
_FIELD = re.compile(r"\A\W+(?:An? |The )?(?:optional|required|mandatory|equivalent to)\b", re.IGNORECASE)
"""How its text begins."""
_OF_ITSELF, _IN_ITEM = 0.6, 0.6
"""What a statement of the document about itself weighs on the page of a thing, and a list that an item of tells of it."""
_RULED = 0.5
"""How much a rule must be about a thing to be told where there is no more room for others."""
_MUCH = 1_200
"""Characters of a thing's own sections from which on its page has, from elsewhere, only what it is the subject of."""
FIT, _FIT_DEFINITION = 0.5, 0.38
"""How well a sentence must stand alone to be told on a page about something else than its document: one of what it is may
lean a little more, one that is counted may not."""


@dataclass(frozen=True)
class SubjectStatements:
    """What a source says about one thing; ``known``: the page it already has."""

    term: Term
    lead: Sentence
    opening: Part
    """What a page on it begins with: ``lead`` and what it is told with."""
    own: tuple[Part, ...]
    """The passages on it that stand together."""
    others: tuple[Sentence, ...]
    known: KnownPage | None = None
    opens: bool = True
    """The first sentence says what the thing is, or what it is for."""

    @property
    def all(self) -> tuple[Sentence, ...]:
        own = (sentence for run in self.own for sentence in run)
        return (*self.opening, *own, *self.others)

    @property
    def chosen(self) -> tuple[Sentence, ...]:
        return tuple(sorted((self.lead, *self.others), key=lambda s: s.index))


def find_subjects(
    reading: SourceReading, known_pages: KnownPages, policy: CurationPolicy, taken: frozenset[str]
) -> list[SubjectStatements]:
    """The statements for known pages, then for new ones, best first. No new one goes by a name in ``taken``."""
    found = find_terms(reading, known_pages)
    if reading.language is None:
        where = mentions.find_mentions(reading.sentences, found.values())
    else:
        where = things.find_mentions(reading.language, reading.sentences, found.values())
    known = {slug: k for k in known_pages.subjects(reading.source) if (slug := k.slug)}
    namesakes = _namesakes(known.values())
    for term in found.values() if reading.english else ():
        if term.slug and not cites(known[term.slug].entry.sources, reading.source):
            pages = [known[term.slug], *namesakes.get(known[term.slug].entry.title, ())]
            meant = _most_alike(pages, reading.source.document.text)
            where[term.key] = [m for m in where.get(term.key, ()) if _is_meant(m, pages, meant)]
    where = {key: [_in_list(reading, mention) for mention in told] for key, told in where.items()}
    scale = _DEPTH.get(policy.depth, 1.0)
    used: Counter[int] = Counter()
    sections = OwnSections(reading)
    ranked = sorted(found.values(), key=lambda term: (-_rank(term, where.get(term.key, []), reading), term.key))
    additions: list[SubjectStatements] = []
    for term in (term for term in ranked if term.slug):
        chosen = _choose(reading, term, where.get(term.key, []), round(4 * scale), used, 0.4, True)
        if chosen and len(additions) < _MOST_ADDITIONS:
            opens = any(
                _opens_well(mention, term, reading)[0] >= PURPOSE
                for mention in where[term.key]
                if mention.sentence is chosen[0]
            )
            additions.append(_statements(sections, term, where[term.key], chosen, known[term.slug], opens))
    created: list[SubjectStatements] = []
    if reading.english or reading.language is not None:
        for term in (term for term in ranked if not term.slug and taken.isdisjoint(term.keys)):
            most = _most_pages(reading, scale)
            if len(created) < most or ("defined" in term.signals and len(created) < most * 1.5):
                made = _new_page(sections, term, where.get(term.key, []), used, scale, policy)
                created += [made] if made else []
    return [*additions, *created]


def _namesakes(pages: Iterable[KnownPage]) -> dict[str, list[KnownPage]]:
    """Those that are titled by a name and a field, ``Java (language)``, by the name."""
    found: dict[str, list[KnownPage]] = defaultdict(list)
    for page in pages:
        for field in re.finditer(r" \(", page.entry.title):
            found[page.entry.title[: field.start()]].append(page)
    return found


def _most_alike(pages: Sequence[KnownPage], text: str) -> Page | None:
    told = [each.page for each in pages if each.page is not None]
    return most_alike(told, text) if len(told) > 1 else pages[0].page


def _is_meant(mention: Mention, pages: Sequence[KnownPage], meant: Page | None) -> bool:
    """False for an ordinary word that is no noun where it stands, "must be cast", "a swift reply", and for what another one
    of ``pages`` may be about that is called as the first.

    ``meant`` is that of the source, where the sentence has words of none. Code is meant, and the noun of the page before
    another one: "extra names" are names of extras.
    """
    known, sentence, word = pages[0], mention.sentence, mention.sentence.words[mention.first]
    if (_most_alike(pages, sentence.plain) or meant) is not known.page:
        return False
    if mention.first != mention.last or f"`{word.written}`" in sentence.text:
        return True
    if not is_verb(word.key) and (not is_modifier(word.key) or is_noun_on(known.page, word.key)):
        return True
    return is_meant(Place(sentence.plain, word.start, word.end), known.entry, lambda: known.page)


def _in_list(reading: SourceReading, mention: Mention) -> Mention:
    """Of what an item mentions that is told with its list alone, the list does."""
    index = mention.sentence.index
    first = reading.lists.parts.get(index, index)
    whole = reading.sentences[first]
    if first == index or index in reading.parts or not whole.words:
        return mention
    return Mention(whole, 0, 0, _IN_ITEM * min(mention.about, ABOUT))


def _new_page(
    sections: OwnSections, term: Term, found: list[Mention], used: Counter[int], scale: float, policy: CurationPolicy
) -> SubjectStatements | None:
    reading = sections.reading
    sound = [m for m in found if m.about >= ABOUT and _is_fit(reading, m)]
    defining = any(m.about >= DEFINES for m in sound)
    if not defining and len(sound) < _LEAST_ABOUT:
        return None
    if not defining and not (term.is_name or term.signals & {"marked", "short"} or " " in term.key):
        return None
    spent = Counter(used)
    chosen = _choose(reading, term, found, round(10 * scale), spent, 0.25)
    if not chosen:
        return None
    if (label := chosen[0].label) and (_FIELD.search(chosen[0].plain[len(label) :]) or not label[0].isalnum()):
        return None
    if label and _OPTION.search(term.title) and len(chosen) < _LEAST_OF_WORDS:
        return None
    opening, _ = max(_opens_well(mention, term, reading) for mention in found if mention.sentence is chosen[0])
    if opening < PURPOSE:
        return None
    made = _statements(sections, term, found, chosen)
    told = {each.index for s in chosen for each in reading.parts.get(s.index, ())}
    told |= {each.index for run in made.own for each in run}
    if len(told) < (1 if defining and _may_be_short(term, chosen[0], policy) else _threshold(policy)):
        return None
    used |= spent
    return made


def _statements(
    sections: OwnSections,
    term: Term,
    found: Sequence[Mention],
    chosen: Sequence[Sentence],
    known: KnownPage | None = None,
    opens: bool = True,
) -> SubjectStatements:
    """Those ``chosen``, the first of which is the lead, behind what stands together on ``term``."""
    reading = sections.reading
    lead, *others = chosen
    named = {mention.sentence.index for mention in found}
    own = sections.runs(term, lead, named)
    if sum(len(each.quote) for run in own for each in run) >= _MUCH:
        others = [each for each in others if any(m.about >= ABOUT for m in found if m.sentence is each)]
    says_what = any(_opens_well(each, term, reading)[0] >= DEFINITION for each in found if each.sentence is lead)
    part = reading.parts.get(lead.index, (lead,)) if says_what else sections.opening(lead, named)
    part = (lead,) if part[0].is_headless else part
    return SubjectStatements(term, lead, part, own, tuple(others), known, opens)


def _is_plain_word(mention: Mention) -> bool:
    """One word without a name's capital; at the beginning of a sentence a capital says nothing."""
    written = mention.sentence.words[mention.first].written
    return mention.first == mention.last and (written.islower() or (mention.first == 0 and written[1:].islower()))


def _is_fit(reading: SourceReading, mention: Mention) -> bool:
    """True for a sentence that may be told elsewhere; a definition may lean a little more."""
    return (
        reading.fitness[mention.sentence.index] >= (_FIT_DEFINITION if mention.about >= DEFINES else FIT)
        and not mention.sentence.aside
    )


def _choose(
    reading: SourceReading,
    term: Term,
    found: list[Mention],
    limit: int,
    used: Counter[int],
    least: float,
    term_is_known: bool = False,
) -> list[Sentence]:
    """The best sentences about a term, the one to open its page with first, the others in the order of the source.

    Without one it is the subject of, a new term has none and a known one at most two.
    """
    floor = _CLOSE if len(found) > 10 and all(map(_is_plain_word, found)) else TOUCHES
    best: dict[int, tuple[float, Mention]] = {}
    for mention in found:
        index = mention.sentence.index
        fit = reading.fitness[index]
        is_spent = used[index] >= _PAGES_A_SENTENCE and mention.about < ABOUT
        if mention.about < floor or not _is_fit(reading, mention) or is_spent:
            continue
        score = fit * mention.about * (_OF_ITSELF if speaks_of_itself(mention.sentence) else 1.0)
        if score >= least and (index not in best or score > best[index][0]):
            best[index] = (score, mention)
    if not any(mention.about >= ABOUT for _, mention in best.values()):
        if not term_is_known:
            return []
        limit = min(limit, 2)
    scores = {index: score for index, (score, _) in best.items()}
    if dated := [(max(years), index) for index in best if (years := _YEAR.findall(reading.sentences[index].plain))]:
        scores[max(dated)[1]] = math.inf  # what holds now
    chosen = ranking.choose_sentences([m.sentence for _, m in best.values()], scores, limit)
    rules = [m.sentence for _, m in best.values() if m.about >= _RULED and weight_of_rule(m.sentence.plain) > 1]
    scores |= {sentence.index: math.inf for sentence in chosen}
    chosen = ranking.choose_sentences([*chosen, *(s for s in rules if s not in chosen)], scores, limit + limit // 3 + 1)
    if len(reading.sentences) <= _SHORT:
        chosen = [reading.sentences[index] for index in sorted(best)]
    if not chosen:
        return []
    if not term_is_known:
        # A definition is looked for in all that the source says, not only in what it says best.
        opening = max(best, key=lambda index: (_opens_well(best[index][1], term, reading), -index))
        lead = best[opening][1].sentence
        if _opens_well(best[opening][1], term, reading)[1] < TOUCHES:
            return []
        chosen = chosen if lead in chosen else [*chosen, lead]
    else:
        lead = max(chosen, key=lambda s: (_opens_well(best[s.index][1], term, reading), -s.index))
    for sentence in chosen:
        used[sentence.index] += 1
    return [lead, *(s for s in chosen if s is not lead)]


def _opens_well(mention: Mention, term: Term, reading: SourceReading) -> tuple[float, float]:
    """How well a sentence opens the page of what it mentions: one on a special case, less."""
    plain = mention.sentence.plain
    is_special = _SPECIAL.match(plain) or ("this document" in plain and not mention.sentence.label)
    of_itself = speaks_of_itself(mention.sentence) and not is_brought(mention.sentence, mention.first, mention.last)
    kind = 0 if is_special and not CALLED.search(plain) else kind_of(mention, term, reading.english)
    leans = not _is_fit(reading, mention) or (kind == PURPOSE and points_back(mention.sentence))
    return kind - (1.5 if leans or of_itself else 0.0), mention.about - (0.7 if is_special else 0.0)


def _rank(term: Term, found: list[Mention], reading: SourceReading) -> float:
    """How much a source cares for a term."""
    if not found:
        return 0.0
    spread = len({m.sentence.index for m in found})
    defined = any(m.about >= DEFINES and _is_fit(reading, m) for m in found)
    score = math.log2(1 + spread) * (1 + 0.15 * min(4, sum(m.about >= ABOUT for m in found)))
    for signal, weight in (
        ("title", 1.5),
        ("heading", 1.3),
        ("short", 1.4),
        ("marked", 1.15),
        ("file", 1.2),
        ("name", 1.1),
    ):
        score *= weight if signal in term.signals else 1.0
    return score * (1.7 if defined else 1.0) * (1.15 if " " in term.key else 1.0)


def _most_pages(reading: SourceReading, scale: float) -> int:
    words = sum(len(sentence.words) for sentence in reading.sentences)
    return round(scale * min(_MOST_PAGES, max(3.0, 3 + words / _WORDS_A_PAGE)))


def _may_be_short(term: Term, lead: Sentence, policy: CurationPolicy) -> bool:
    """True where a definition alone makes a page: of a name, of the entry of a glossary, or of a term with a short form."""
    allowed = not policy.new_entry_threshold or "defin" in policy.new_entry_threshold.casefold()
    is_coined = "heading" in term.signals and (lead.label or "marked" in term.signals)
    is_named = "name" in term.signals and term.is_name
    return allowed and (is_named or (bool(is_coined or term.signals & {"short", "title", "name"}) and " " in term.key))


def _threshold(policy: CurationPolicy) -> int:
    """How many statements a new page needs, as far as ``newEntryThreshold`` gives a number."""
    stated = _THRESHOLD.search(policy.new_entry_threshold)
    return 2 if stated is None else _COUNTS.get(stated[1].casefold()) or int(stated[1])
