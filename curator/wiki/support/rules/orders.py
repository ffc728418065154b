"""Orders to whoever reads the page, a person or a program: a claim states, it does not command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from curator.wiki.english.stems import stem
from curator.wiki.english.synonyms import SYNONYMS
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.no_denials import questions

_VERBS = frozenset(
    "ignore disregard forget obey follow run execute launch fetch download install send delete erase remove paste copy "
    "call open visit click upload post email mark treat trust skip tell reply answer reveal print write refuse pretend "
    "respond output repeat stop disable enable rename overwrite forward transfer pay buy share submit enter approve "
    "verify confirm compare check summarize translate append insert add replace set".split()
)
_EVERYDAY = frozenset(
    "switch turn put take get give keep make use avoid choose describe light book boycott change create hide leave let "
    "load log lower move pass pick pull push raise record refer reject report restart restore rewrite save say see show "
    "sign start state strip swap tag throw type unlock unset update upgrade wait".split()
)
"""Verbs that also tell how something is done: they command at the beginning only, and where the source instructs nobody."""
_OF_OPINION = frozenset("ignore disregard forget obey distrust believe prefer recommend praise promote boycott".split())
"""Verbs that tell somebody what to think: they command any thing, named or not, where the source has none of them."""
_CHOOSING = frozenset(("prefer", "recommend"))
_CHOICE = frozenset(map(stem, "rather instead better should choose advise suggest use over".split()))
"""Words by which a source says what to choose."""
_AS_SUCH = frozenset("rate rank regard treat mark label flag describe portray classify score".split())
"""The same with an ``as``: ``Rate oxalic acid as harmful``."""
_PAST = frozenset(("set",))
"""Those of the first that are also a past tense: "the rule, in force since May, set a limit"."""
_CONDITIONS = frozenset(
    "if when once before after to first now then please also finally next instead otherwise".split()
)
_LEADING = frozenset("please then and".split())
_TEXTS = frozenset(map(stem, "answer reply response summary article page wiki".split()))
"""What a reader writes or a wiki is made of: a duty to say something is that of whoever writes it."""
_DUTY = frozenset("must should shall".split())
_MAY = frozenset("can could may might will would".split())
_TELLING = frozenset(
    map(
        stem,
        "say state tell mention cite quote repeat recommend omit describe praise warn claim conclude prefer".split(),
    )
)
_SPEAKER = frozenset("i i'm my me".split())
_TASK = re.compile(r"^\s*(?:[-*+]\s+)?\[[ xX]\]\s")
_ABOUT = frozenset(
    "the all every any each your this that these those it them me us a an no everything nothing off on out up down".split()
)
"""Words that follow a command."""
_OF_OTHERS = "".join(rf"(?<!\b{word} )" for word in "they we who that can could would may might will".split())
"""What stands before no order: somebody else does it, or may."""
_ADDRESS = re.compile(
    r"^\W*(?:dear )?(?:readers?|editors?|assistants?|agents?),"
    r"|(?<![a-z]\s)\b(?:system|assistant|user|developer|admin)\s*+(?:(?:prompt|message|note)\s*+)?:"
    r"|\b(?:system|assistant|user|developer|admin)\s(?:prompt|message|note)\s*+:|\bnote to (?:the|any|all|every)\b"
    r"|\b(?:you are|you're) (?:now|in|a|an|the|no longer)\b"
    rf"|{_OF_OTHERS}\b(?:ignore|disregard|forget)"
    r" (?:all|any|every|your|earlier|previous|the (?:above|rest|rules?|instructions?))\b"
    r"|\b(?:this|the|your) wiki\b|\bwhoever (?:maintains|reads|edits|sees|finds)"
    r" (?:this|it|these|the (?:page|wiki|article|answer|text|note))\b|\bciting this page\b"
    r"|\b(?:editors|readers|maintainers|agents|reviewers|curators|assistants)"
    r" (?:must|should|shall|are to|need to|may not)\b"
    r"|\b(?:assistants?|agents?|models?|readers?|editors?|maintainers?|reviewers?|curators?)"
    r" (?:can|could|may|might|would|will) (?:ignore|disregard|forget|never)\b"
    r"|\b(?:as an ai|language model|the (?:agent|assistant|reader|model) (?:that|who|must|should|shall|is to))"
    rf"|{_OF_OTHERS}\b(?:do not|don't|never)"
    r" (?:compare|verify|check|tell|trust|mention|reveal|read|cite)\b",
    re.IGNORECASE,
)


def order_to_reader(case: Case) -> Iterator[str]:
    """A command to the reader, or an address, that the source does not have."""
    address = _ADDRESS.search(case.whole.plain)
    held = case.context.around.lowers  # of programs that read, a source may say what readers must do
    if address and not set(address[0].lower().split()) <= held:
        yield f"a claim speaks to nobody: {address[0]!r}"
        return
    if _TASK.match(case.whole.plain) and not any(box in case.context.around.plain.lower() for box in ("[ ]", "[x]")):
        yield "a claim gives no orders: it is written as a task"
        return
    duty = _duty_to_tell(case)
    if duty is not None:
        yield f"a claim gives no orders: {duty.text!r} what is to be said"
        return
    has_commands = any(_commands(case.context.stated))
    instructs = case.is_close or has_commands
    command = next(
        (
            word
            for word in _commands(case.whole)
            if word.stem not in case.context.stated.stems
            and not (instructs and word.lower in _EVERYDAY)
            and not _has_subject(case, word)
        ),
        None,
    )
    command = command or _opinion(case, instructs=has_commands)
    if command is not None:
        yield f"a claim gives no orders: {command.text!r}"
        return
    you = [word for word in case.whole.words if word.lower in ("you", "your", "yours", "yourself") and not word.code]
    asked, stated = questions(case.context.stated), case.context.stated
    asks = any(word.lower in _SPEAKER for word in stated.words if word.sentence in asked)  # "Am I covered?"
    spoken = {"you", "your", "we", "us", "our", "user", "users", you[0].lower} if you else set()
    if you and not asks and not spoken & case.context.around.lowers:
        yield f"a claim speaks to nobody: {you[0].text!r}"


def _duty_to_tell(case: Case) -> StemmedWord | None:
    """The ``must`` of ``answers on mites must say``, where the source puts no such text under a duty."""
    for words in case.whole.clauses:
        text = next((word for word in words if word.is_content), None)
        if text is None or text.stem not in _TEXTS or (text.stem in case.context.around.stems and _is_duty(case)):
            continue
        duty = next((one for one, other in pairwise(words) if one.lower in _DUTY and other.stem in _TELLING), None)
        if duty is not None:
            return duty
    return None


def _is_duty(case: Case) -> bool:
    return bool(_DUTY & case.context.around.lowers)


def _opinion(case: Case, *, instructs: bool) -> StemmedWord | None:
    """The verb at the beginning of a sentence that tells what to think of something; none that the source has."""
    around = case.context.around
    for words in case.whole.sentences:
        first, others = words[0], words[1:]
        alike = SYNONYMS.get(first.stem, frozenset()) if first.lower in _OF_OPINION else frozenset()
        if around.has_kin_of(first) or (alike | (_CHOICE if first.lower in _CHOOSING else alike)) & around.stems:
            continue
        rates = first.lower in _AS_SUCH and not instructs and any(word.lower == "as" for word in others)
        orders = first.lower in _OF_OPINION or rates
        if orders and not first.code and others and not others[0].after:
            return first
    return None


def _commands(text: Phrase) -> Iterator[StemmedWord]:
    """The verbs that command: where a sentence or clause begins, straight before what they are about."""
    for before, word, behind in zip((None, *text.words), text.words, text.words[1:], strict=False):
        follows = word.after in (",", ":", ";") or (before is not None and before.lower in _LEADING)
        commands = (word.lower in _VERBS and (word.begins or follows)) or (word.lower in _EVERYDAY and word.begins)
        if word.lower in _PAST and follows and _is_inserted(text, word):
            continue
        commands = commands and not word.code and not behind.after
        if commands and (behind.lower in _ABOUT or behind.code):
            yield word


def _has_subject(case: Case, word: StemmedWord) -> bool:
    """True within a sentence in other words that begins with what it is about, as ``An installer should, at best, send``,
    and behind the ``and`` of ``it would keep these and add those``.
    """
    told = [each for each in case.whole.words if each.sentence == word.sentence]
    at = told.index(word)
    is_second = at > 0 and told[at - 1].lower == "and" and bool(_MAY & {each.lower for each in told[: at - 1]})
    return (case.is_reworded or is_second) and at > 0 and told[0].lower not in _CONDITIONS


def _is_inserted(text: Phrase, word: StemmedWord) -> bool:
    """True behind the second comma of a sentence that begins with what it is about: the two enclose an insertion."""
    told = [each for each in text.words if each.sentence == word.sentence]
    commas = [each for each in told[: told.index(word) + 1] if each.after == ","]
    return len(commas) > 1 and told[0].lower not in _CONDITIONS
