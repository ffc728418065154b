"""How well a sentence opens the page of a thing: whether it says what the thing is, or what it is for, or neither."""

from __future__ import annotations

import re
from dataclasses import replace

from curator.models.extractive.parsing.lexicon import DETERMINERS, VERBS
from curator.models.extractive.parsing.sentences import Sentence
from curator.models.extractive.terms.code_names import before_module, is_brought
from curator.models.extractive.terms.mentions import ABOUT, CALLED, DEFINES, GIVES_WAY, Mention, is_introduced
from curator.models.extractive.terms.terms import Term

NOTHING, PURPOSE, DEFINITION = 0.0, 1.0, 2.0
_SORT = (
    r"(?: [a-z-]+){0,2}? (?:file|command|format|field|option|object|function|method|class|module|ioctl|syscall|flag|macro"
    r"|attribute|attacks?|decorator|qualifier|form|construct|constructor|annotation|hook|keyword|operator|type|key|table)\b"
)
_BEHIND = (
    rf"[\"”'’`]?(?:{_SORT})?"
    r"(?: \([^)]*\))?(?:,[^,]{3,120},)? "
)
_IS_A = re.compile(
    rf"{_BEHIND}(?:(?:is|are|was|were) (?:(?:also|simply|just|essentially|usually|basically|literally) )?"
    r"(?:an?|one of|any|those|the(?! same\b))\b"
    r"(?! (?:few|lot|bit|little|common|good|bad|great|best|better|different|only)\b)"
    r"|(?:is|are) (?:one (?:with|which|that|where|whose)|(?:made up|composed) of)\b"
    r"|are (?:[\w-]+ ){1,4}?(?:which|that|whose|intended|designed|meant|made|provided)\b"
    r"|(?:\w+ )?(?:refers? to|means?|denotes?|consists? of|stands? for)\b)"
)
_SERVES = re.compile(
    rf"{_BEHIND}(?:(?:is|are|was|were) (?:\w+ )?(?:(?:used|designed|meant|made) (?:to|for|as|by|in)"
    rf"|responsible for|defined (?:as|by|to)|similar to|based on)\b|{GIVES_WAY})"
)
_DOES = re.compile(
    rf"{_BEHIND}(?:allows?|lets?|enables?|records?|stores?|holds?|contains?|provides?|serves?|produces?|consumes?|describes?"
    r"|specif(?:y|ies)|represents? (?:an?|the)|adds?|makes?|manages?|includes?|combines?|causes?)\b"
)
"""What an ordinary thing is for; what a named one does is no more than one thing that it does."""
_DASH = re.compile(r"\A(?: file| command)? [-–—] (\w)")
"""``journal - Holds what was said``"""
_WAS_MADE = re.compile(
    rf"{_BEHIND}(?:is|was|were) (?:\w+ )?(?:built|written in|created|founded|introduced|elected|appointed)\b"
)
_SAYS_NOTHING = re.compile(
    r"(?:is|are) (?:[a-z]+ )?what (?:it|they|(?:the|its|their) names?) (?:sounds?|says?|suggests?|implies|imply)\b"
    r"|(?:is|are) an? (?:benefit|duty|favou?r|privilege|promise|right),? (?:and|but)? ?not an? [\w-]+\W*\Z"
)
"""``is exactly what it sounds like``, ``is a privilege and not an entitlement``: what is thought of it, not what it is."""
_RIGHT_BEHIND = 40
"""Characters from a name on within which what is said of it begins."""
_SO_CALLED = re.compile(r"\bso-called [\"“'‘`]?\Z")


def kind_of(mention: Mention, term: Term, english: bool = True) -> float:
    """What the sentence says of ``term``, which it mentions: what it is, what for, something that it does, or nothing."""
    if not english:
        return DEFINITION if mention.about >= DEFINES else PURPOSE if mention.about >= ABOUT else NOTHING
    sentence = mention.sentence
    words, plain = sentence.words, sentence.plain
    said_before = plain[: words[mention.first].start]
    says_nothing = _SAYS_NOTHING.search(plain, len(said_before))
    if says_nothing and says_nothing.start() - len(said_before) < _RIGHT_BEHIND:
        return NOTHING
    if sentence.label and mention.about >= DEFINES:
        does = re.match(r"\W*(\w+s)\b", plain.partition(": ")[2])
        is_done = does is not None and does[1].casefold() in VERBS
        return NOTHING if is_done or (sentence.label.isupper() and " " not in sentence.label) else DEFINITION
    if CALLED.search(said_before) and mention.about >= DEFINES:
        return NOTHING if _SO_CALLED.search(said_before) else DEFINITION
    is_new = is_introduced(sentence, mention.first, mention.last) or is_brought(sentence, mention.first, mention.last)
    if mention.about >= DEFINES and is_new:
        return PURPOSE
    before = [word.written for word in before_module(sentence, mention.first)]
    is_kind = any(word.casefold() not in DETERMINERS for word in before) and not (
        len(before) == 1 and before[0].istitle()
    )
    if mention.about < ABOUT or (is_kind and not term.is_name):
        return NOTHING
    behind = _DASH.sub(lambda dash: f" {dash[1].lower()}", plain[words[mention.last].end :])
    if _IS_A.match(behind):
        return DEFINITION
    is_for = _WAS_MADE.match(behind) if term.is_name else _DOES.match(behind)
    return PURPOSE if is_for or _SERVES.match(behind) else NOTHING


def spelled_out(sentence: Sentence, term: Term) -> Sentence:
    """The entry of a glossary as a sentence: ``A locker is a tool which ...`` for ``locker: A tool which ...``."""
    if not sentence.label or sentence.label.casefold().endswith("s"):
        return sentence
    article = "" if term.is_name else "An " if sentence.label[:1].casefold() in "aeiou" else "A "
    text, plain = (_as_sentence(form, article) for form in (sentence.text, sentence.plain))
    return replace(sentence, rich=replace(sentence.rich, text=text, plain=plain)) if text and plain else sentence


def _as_sentence(form: str, article: str) -> str:
    entry = _ENTRY.match(form)
    if entry is None:
        return ""
    head = entry["head"] if article else f"{entry['head'][:1].upper()}{entry['head'][1:]}"
    return f"{article}{head} is {entry['kind'].lower()} {form[entry.end() :]}"


_ENTRY = re.compile(r"(?P<head>[^:]{2,80}): (?P<kind>An?|The) ")
