"""What a statement said that its new wording does not say any more.

A citation proves the words it stood behind. Who rewords them while the citation stays has to keep what they say: every
word that tells something, every number, and nothing put in that turns it round. Words may be added and joined.
"""

from __future__ import annotations

from collections.abc import Sequence

from curator.wiki.english.stems import stem
from curator.wiki.english.words import Phrase, StemmedWord, phrase
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document
from curator.wiki.support.judge import Judge
from curator.wiki.support.rules.negating import NOT

_SMALL = frozenset(
    "a an the this that these those it its they them their he him his she her is are was were be been being am and or "
    "which who whom whose do does did has have had having as then there s".split()
)
"""Words that may go: without them a statement says the same."""
_UNDOING = frozenset(
    map(
        stem,
        "former formerly once earlier previously longer believe allege allegedly supposed supposedly claim deny legend "
        "rumour rumor nobody nothing hardly whether if unless unknown unclear unsure uncertain doubt doubtful question may "
        "might could perhaps possible possibly probably maybe seem appear would outdated obsolete imagine wish".split(),
    )
)
"""Words that take a statement back when they are put before it or into it."""
_FALSE = frozenset(
    map(
        stem,
        "myth false falsely wrong wrongly incorrect untrue mistaken mistakenly refute disprove debunk fiction nonsense lie "
        "hoax".split(),
    )
)
"""Words that do so behind it, too, in a few words: "which is false"."""
_FEW = 4
_TURNED = frozenset(
    "number_unknown date_unknown negation_turned quantifier_widened frequency_changed hedge_lost modal_raised turned_round "
    "sides_swapped places_swapped direction_turned status_unknown tense_turned no_longer_so".split()
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
    for words in open_:
        if undoing := _undoing(words, now, was):
            return f"{undoing!r} takes it back"
    findings = Judge(Evidence("page", Document.from_text(new))).judge_by_all(old).findings
    return next((finding.message for finding in findings if finding.code in _TURNED), "")


def _flat(words: Sequence[StemmedWord]) -> str:
    return " ".join(word.lower for word in words)


def _is_in(word: StemmedWord, held: set[str]) -> bool:
    return word.lower in held or (not word.is_number and word.stem in held)


def _undoing(old: Sequence[StemmedWord], now: Phrase, was: Phrase) -> str:
    """A word put before the old sentence, into it or close behind it, that takes it back."""
    told = {word.stem for word in old if word.lower not in _SMALL}
    known = {word.stem for word in was.words if not _is_month(word)}
    for sentence in now.sentences:
        if 2 * len(told & {word.stem for word in sentence}) < len(told):
            continue
        first = next(at for at, word in enumerate(sentence) if word.stem in told)
        for at, word in enumerate(sentence):
            clause = [each for each in sentence if each.clause == word.clause]
            is_old = at < first or _is_mostly(clause, told)
            few = sum(each.is_content for each in clause) <= _FEW
            if (
                word.stem not in known
                and not _is_month(word)
                and ((word.stem in _UNDOING and is_old) or (word.stem in _FALSE and (is_old or few)))
            ):
                return word.text
        if _negations(sentence, told) > _negations(old, told):
            return next(word.text for word in sentence if _is_not(word))
    return ""


def _is_mostly(clause: Sequence[StemmedWord], told: set[str]) -> bool:
    """True when at least half of what the clause tells was told before."""
    telling = [word.stem in told for word in clause if word.tells]
    return 2 * sum(telling) >= len(telling)


def _negations(sentence: Sequence[StemmedWord], told: set[str]) -> int:
    """How many "not" fall on one of the words that are ``told``, or end their clause; in clauses that are mostly old."""
    count = 0
    for at, word in enumerate(sentence):
        clause = [each for each in sentence if each.clause == word.clause]
        if _is_not(word) and _is_mostly(clause, told):
            behind = (each for each in sentence[at + 1 :] if each.clause == word.clause and each.lower not in _SMALL)
            next_ = next(behind, None)
            count += next_ is None or next_.stem in told
    return count


def _is_month(word: StemmedWord) -> bool:
    return word.text == "May" and not word.begins


def _is_not(word: StemmedWord) -> bool:
    return word.lower in NOT or word.lower.endswith("n't")
