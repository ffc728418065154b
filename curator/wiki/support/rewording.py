"""What a statement said that its new wording does not say any more.

A citation proves the words it stood behind. Who rewords them while the citation stays has to keep what they say: every
word that tells something, every number, and nothing put in that turns it round. Words may be added and joined.
"""

from __future__ import annotations

from collections.abc import Sequence

from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document
from curator.wiki.support.judge import Judge
from curator.wiki.support.negation import NOT
from curator.wiki.support.words import Phrase, StemmedWord, phrase, stem

_SMALL = frozenset(
    "a an the this that these those it its they them their he him his she her is are was were be been being am and or "
    "which who whom whose do does did has have had having as then there s".split()
)
"""Words that may go: without them a statement says the same."""
_UNDOING = frozenset(
    map(
        stem,
        "myth false falsely wrong wrongly incorrect untrue mistaken mistakenly refute disprove debunk outdated obsolete "
        "former formerly once earlier previously longer believe allege allegedly supposed supposedly claim deny fiction "
        "legend rumour rumor nobody hardly nonsense lie hoax".split(),
    )
)
"""Words that take a statement back when they are put beside it."""
_TURNED = frozenset(
    "number_unknown date_unknown negation_turned quantifier_widened frequency_changed hedge_lost modal_raised turned_round "
    "sides_swapped places_swapped direction_turned status_unknown tense_turned".split()
)
"""What the judge finds when the new wording says other than the old one."""


def lost(old: str, new: str) -> str:
    """What of ``old`` is not said in ``new`` any more, for a message; empty when all of it is."""
    was, now = phrase(old), phrase(new)
    sentences = {_flat(words) for words in now.sentences}
    open_ = [words for words in was.sentences if _flat(words) not in sentences]
    if not open_:
        return ""
    held = {*now.stems, *now.lowers}
    missing = [word.text for words in open_ for word in words if word.lower not in _SMALL and not _is_in(word, held)]
    if missing:
        return f"it says nothing of {', '.join(repr(word) for word in dict.fromkeys(missing[:8]))} any more"
    if undoing := _undoing(open_, now, was):
        return f"{undoing!r} takes it back"
    if negated := _negated(open_, now, was):
        return f"it negates {negated!r} now"
    findings = Judge(Evidence("page", Document.from_text(new))).judge_by_all(old).findings
    return next((finding.message for finding in findings if finding.code in _TURNED), "")


def _flat(words: Sequence[StemmedWord]) -> str:
    return " ".join(word.lower for word in words)


def _is_in(word: StemmedWord, held: set[str]) -> bool:
    return word.lower in held or (not word.is_number and word.stem in held)


def _undoing(sentences: Sequence[Sequence[StemmedWord]], now: Phrase, was: Phrase) -> str:
    """A word in the new sentence that has most of an old one, and takes it back."""
    for old in sentences:
        stems = {word.stem for word in old if word.lower not in _SMALL}
        for new in now.sentences:
            if 2 * len(stems & {word.stem for word in new}) >= len(stems):
                for word in new:
                    if word.stem in _UNDOING and word.stem not in was.stems:
                        return word.text
    return ""


def _negated(sentences: Sequence[Sequence[StemmedWord]], now: Phrase, was: Phrase) -> str:
    """A word of the old sentences before which a "not" stands that was not there."""
    told = {word.lower for sentence in sentences for word in sentence if word.lower not in _SMALL}
    for clause in now.clauses:
        for at, word in enumerate(clause):
            if (word.lower in NOT or word.lower.endswith("n't")) and word.lower not in was.lowers:
                next_ = next((each for each in clause[at + 1 :] if each.lower not in _SMALL), None)
                if next_ is not None and next_.lower in told:
                    return next_.text
    return ""
