"""Judges a claim by its quotes: does the source, read where they stand, say what the claim says?

The honest word for a pass is "nothing against it found". A claim or a source in another language than English is
judged by the few rules that need no English: numbers in digits, code, names that no grammar bends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from curator.finding import Finding
from curator.wiki.english.ordinary import is_everyday, is_modifier, is_verb
from curator.wiki.english.words import Phrase, is_english, small_words
from curator.wiki.pages.citation import Citation
from curator.wiki.sources.evidence import Evidence, Missing
from curator.wiki.sources.source import Document
from curator.wiki.support.case import Case
from curator.wiki.support.context import Context
from curator.wiki.support.rules.agents import agent_exchanged
from curator.wiki.support.rules.aside import lead_lost, set_aside
from curator.wiki.support.rules.bounds import bound_turned, direction_turned, interval_lost, limit_lost
from curator.wiki.support.rules.bygone import no_longer_so
from curator.wiki.support.rules.contrasts import halves_exchanged
from curator.wiki.support.rules.coverage import apart_from_claim, not_covered, part_uncovered, quote_says_little
from curator.wiki.support.rules.cuts import condition_lost, quote_cut
from curator.wiki.support.rules.days import date_unknown
from curator.wiki.support.rules.grave import grave_unknown
from curator.wiki.support.rules.hedges import hedge_lost, modal_raised
from curator.wiki.support.rules.items import item_unknown
from curator.wiki.support.rules.names import code_unknown, name_unknown, token_unknown
from curator.wiki.support.rules.namesakes import namesake_of
from curator.wiki.support.rules.negation import negation_turned
from curator.wiki.support.rules.numbers import number_unknown
from curator.wiki.support.rules.order import turned_round
from curator.wiki.support.rules.orders import order_to_reader
from curator.wiki.support.rules.other_things import (
    apart_from_name,
    cell_of_another,
    kind_unknown,
    place_lost,
)
from curator.wiki.support.rules.qualifiers import qualifier_lost
from curator.wiki.support.rules.readers import told_to_readers
from curator.wiki.support.rules.reasons import cause_unknown
from curator.wiki.support.rules.roles import roles_swapped
from curator.wiki.support.rules.sides import places_swapped, sides_swapped
from curator.wiki.support.rules.status import status_unknown
from curator.wiki.support.rules.strayed import said_of_another
from curator.wiki.support.rules.strength import frequency_changed, quantifier_widened
from curator.wiki.support.rules.subjects import subject_swapped
from curator.wiki.support.rules.symbols import foreign_markup, sign_turned, sign_unknown
from curator.wiki.support.rules.tenses import tense_turned
from curator.wiki.support.rules.undone import (
    label_apart,
    word_undoes,
)
from curator.wiki.support.rules.unreal import only_asked, only_told, speaker_exchanged
from curator.wiki.support.rules.values import values_exchanged
from curator.wiki.support.rules.wording import word_exchanged, words_put_in
from curator.wiki.support.source_context import SourceContext

Rule = Callable[[Case], Iterator[str]]

RULES: tuple[Rule, ...] = (
    foreign_markup,
    sign_unknown,
    date_unknown,
    number_unknown,
    negation_turned,
    quote_cut,
    condition_lost,
    quantifier_widened,
    frequency_changed,
    hedge_lost,
    modal_raised,
    name_unknown,
    code_unknown,
    turned_round,
    sides_swapped,
    places_swapped,
    halves_exchanged,
    direction_turned,
    bound_turned,
    limit_lost,
    interval_lost,
    qualifier_lost,
    values_exchanged,
    sign_turned,
    roles_swapped,
    agent_exchanged,
    subject_swapped,
    status_unknown,
    tense_turned,
    no_longer_so,
    cause_unknown,
    item_unknown,
    order_to_reader,
    told_to_readers,
    quote_says_little,
    not_covered,
    part_uncovered,
    word_exchanged,
    words_put_in,
    grave_unknown,
    only_asked,
    only_told,
    set_aside,
    lead_lost,
    speaker_exchanged,
    apart_from_name,
    cell_of_another,
    kind_unknown,
    namesake_of,
    said_of_another,
    place_lost,
    word_undoes,
    label_apart,
)
COMPARING: frozenset[Rule] = frozenset(
    (condition_lost, places_swapped, roles_swapped, agent_exchanged, subject_swapped)
)
"""Those that compare where words stand. They are asked only of a claim each sentence of which one sentence of the source
tells: what of one gathered from several belongs to what, nobody can tell without a grammar."""
ANY_LANGUAGE: tuple[Rule, ...] = (token_unknown, code_unknown, told_to_readers, foreign_markup, sign_unknown)
"""Those that hold for a claim or a source in any language; the others know English only."""

COVERING: frozenset[Rule] = frozenset((name_unknown, quote_says_little, not_covered, part_uncovered, words_put_in))
"""Those that ask whether a claim's words are there at all. They are not asked of what only points to a thing's history."""
NEAR: frozenset[Rule] = frozenset((condition_lost, agent_exchanged))
"""Those that hold one word against another. They are asked only of a claim near its source's words: in a claim of other
words what stands beside what is no sign, and ten sets of labelled claims showed them wrong there more often than right."""

TURNING: frozenset[Rule] = frozenset((turned_round, quantifier_widened, cause_unknown, status_unknown, roles_swapped))
"""Those that see one word turned. They are not asked of a claim that turns several ways at once (``is_turned_over``): it
may say the same by a double negation. On seventeen sets of labelled claims, each at first sight, these rules by themselves
refused 12 sound claims of that kind for 14 false ones."""

Span = tuple[int, int]
_FEWEST_KNOWN = 2
"""Common words of English by which a text without small words is English."""
_FEWEST_REPEATED = 3
_NO_QUOTE = Missing("", "quote_missing", "a claim without a quote")


@dataclass(frozen=True)
class Judgement:
    """What is against a claim, and what it was compared with."""

    findings: tuple[Finding, ...]
    passages: tuple[str, ...] = ()
    """The quotes, widened to whole sentences, list items, table rows."""
    uncovered: tuple[str, ...] = ()
    """The words of the claim that stand nowhere near the quotes."""
    translated: bool = False
    """The source is in English where it is quoted, and the claim is not."""
    abstained: bool = False
    """The claim or what is quoted is not in English: it was judged by the few rules that hold for any language."""

    @property
    def supported(self) -> bool:
        return not self.findings


class Judge:
    """One source, ready to judge any number of claims; it is parsed once, and each claim is judged once."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self._judged: dict[tuple[object, ...], Judgement] = {}

    @property
    def verdicts(self) -> dict[tuple[object, ...], Judgement]:
        """All that it has given; those of a fork of this process may be put to them."""
        return self._judged

    @cached_property
    def source(self) -> SourceContext:
        return SourceContext(self.evidence)

    def judge(self, claim: str, quotes: Sequence[str], names: Sequence[str] = ()) -> Judgement:
        """The verdict on ``claim``, which rests on ``quotes`` and stands on a page that has ``names``.

        A quote that is not in the source does no harm where the others carry the claim.
        """
        spans: list[Span] = []
        lost: list[Finding] = []
        for quote in quotes:
            found = self.evidence.spans(quote, claim)
            if isinstance(found, Missing):
                lost.append(self._lost(found))
            else:
                spans += [(start, end) for start, end, _ in found]
        if not spans:
            return Judgement(tuple(lost[:1]) or (self._lost(_NO_QUOTE),))
        judged = self._judge(claim, spans, names, ())
        is_carried = judged.supported and not judged.abstained
        return judged if is_carried else replace(judged, findings=(*lost, *judged.findings))

    def judge_by_all(self, claim: str) -> Judgement:
        """The verdict on ``claim``, which rests on all that the source says."""
        return self._judge(claim, [(block.start, block.end) for block in self.source.layout.blocks], (), ())

    def judge_cited(
        self,
        claim: str,
        citations: Sequence[Citation],
        names: Sequence[str] = (),
        lent: Sequence[str] = (),
        under: Sequence[str] = (),
    ) -> Judgement:
        """The same for a claim that rests on ``citations`` of this source; ``lent`` may be said besides, and what it stands
        ``under`` on its page is said of it.
        """
        spans: list[Span] = []
        for citation in citations:
            span = self.evidence.place(citation)
            if span is None:
                missing = Missing(citation.quote, "quote_missing", "these words are not where it says")
                return Judgement((self._lost(missing),))
            spans.append(span)
        return self._judge(claim, spans, names, lent, under) if spans else Judgement((self._lost(_NO_QUOTE),))

    def _lost(self, missing: Missing) -> Finding:
        return Finding(missing.code, self.evidence.path, f"{missing.message}: {missing.quote!r}")

    def _judge(
        self, claim: str, spans: Sequence[Span], names: Sequence[str], lent: Sequence[str], under: Sequence[str] = ()
    ) -> Judgement:
        key = (claim, tuple(spans), tuple(names), tuple(lent), tuple(under))
        if key not in self._judged:
            self._judged[key] = self._verdict(claim, spans, names, lent, under)
        return self._judged[key]

    def _verdict(
        self, claim: str, spans: Sequence[Span], names: Sequence[str], lent: Sequence[str], under: Sequence[str]
    ) -> Judgement:
        context = Context(self.source, tuple(spans), tuple(names), tuple(lent), tuple(under))
        case = Case.of(claim, context)
        stated = context.stated
        in_english = (
            is_english(stated) if self.source.is_english else _shows_english(stated) or _repeats(case.whole, stated)
        )
        if not (in_english and is_english(case.whole)):
            findings = list(self._findings(case, ANY_LANGUAGE))
            return Judgement(tuple(findings), context.passages, (), in_english, abstained=True)
        findings = list(self._findings(case, [rule for rule in RULES if _is_asked(rule, case)]))
        if lent:  # what is lent bears out its own words, but no quote that has nothing to do with them
            quoted = Context(self.source, tuple(spans), tuple(names))
            apart = apart_from_claim(Case.of(claim, quoted))
            findings += [Finding(not_covered.__name__, self.evidence.path, message) for message in apart]
        return Judgement(tuple(findings), context.passages, tuple(_uncovered(case, context)))

    def _findings(self, case: Case, rules: Sequence[Rule]) -> Iterator[Finding]:
        for rule in rules:
            for message in rule(case):
                yield Finding(rule.__name__, self.evidence.path, message)


def judge(claim: str, quotes: Sequence[str], document: Document, names: Sequence[str] = ()) -> Judgement:
    """The verdict on one claim; ``Judge`` is for many of one source."""
    return Judge(Evidence("source", document)).judge(claim, quotes, names)


def _is_asked(rule: Rule, case: Case) -> bool:
    if rule in COVERING and case.is_pointer:
        return False
    if rule in COMPARING and case.is_gathered:
        return False
    return (rule not in NEAR or case.is_close) and (rule not in TURNING or not case.is_turned_over)


def _uncovered(case: Case, context: Context) -> Iterator[str]:
    held = context.around.stems | context.known.stems
    seen = set()
    for word in case.claim.content:
        if word.stem not in held and word.stem not in seen:
            seen.add(word.stem)
            yield word.text


def _repeats(claim: Phrase, text: Phrase) -> bool:
    """True for a claim in English that says all it says in words of ``text``: they are compared as English."""
    foreign, own = small_words(claim)
    told = {word.stem for word in claim.content if not word.is_number}
    return bool(own) and not foreign and len(told) >= _FEWEST_REPEATED and told <= text.stems


def _shows_english(text: Phrase) -> bool:
    """True for a text that is more English than not by its small words, of a document in another language; one without
    any, by its common words.
    """
    foreign, own = small_words(text)
    told = [word.lower for word in text.content if not word.is_number]
    known = sum(is_everyday(word) or is_verb(word) or is_modifier(word) for word in told)
    is_known = known >= _FEWEST_KNOWN and 3 * known >= len(told)
    return (len(own) > len(foreign) or (not foreign and is_known)) and is_english(text)
