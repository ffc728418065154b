"""How well a sentence stands alone: what a reader of a wiki can understand without the text around it.

0 means not at all: it leans on the sentence before, asks, announces, breaks off, or is mostly code. Sentences that speak of
the document itself, in the first person, or of an alternative, count less.
"""

from __future__ import annotations

import re

from curator.extractive.lexicon import AUXILIARIES, LEANING, OPENERS, STOP, VERBS
from curator.extractive.sentences import Sentence

LONGEST = 350
_ENDED = re.compile(r"[.!。！…][\"'”’»)\]」』）]*$|[.!][)\]]*$")
_SELF = re.compile(
    r"(?:This|The present|The current) (?:PEP|RFC|ADR|document|specification|proposal|paper|article|report|standard|memo|note"
    r"|study|guide|page|policy|text|survey|review)s?\b"
)
_FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|we|We|we're|We're|our|Our|us|my|My|me|let's|Let's|mine|ours)\b")
_SECOND_PERSON = re.compile(r"\b(?:you|your|You|Your|you're|yours)\b")
_POINTING = re.compile(
    r"\b(?:see|section|described|listed|shown|discussed|outlined|defined|noted|mentioned|given|specified|explained|example|as)"
    r" (?:\w+ )?(?:above|below|previously|earlier)\b|\b(?:above|below)[,.);]|\b(?:above|following|aforementioned) "
    r"(?:\w+ )?(?:section|example|scheme|list|table|criteria|rules?|steps?|points?|way|code|snippet|figure|constraints?)\b"
    r"|\bthe (?:former|latter|previous|above)\b|\bthis (?:section|example|table|chapter)\b|\bsee (?:also )?[A-Z`]|\bas follows\b"
    r"|\b(?:previous|next|preceding) (?:section|paragraph|sentence|chapter|example)s?\b|\bat the time of writing\b",
    re.IGNORECASE,
)
_DEICTIC = re.compile(
    r"\b(?:this|these|those|such|that) (?:PEP|approach|change|proposal|case|field|key|file|name|value|option|mechanism|process"
    r"|behaviou?r|feature|problem|issue|information|data|format|method|requirement|rule|choice|design|restriction|policy"
    r"|step|steps|specification|limitation|purpose|reason|way|point|situation|list|kind|sort|tools?|cases|fields|attacks?)\b",
    re.IGNORECASE,
)
_URL = re.compile(r"https?://|www\.")
_PAIRS = ("()", "[]", "“”", "{}")


def fitness(sentence: Sentence) -> float:
    """0 to 1: how well ``sentence`` stands alone."""
    plain = sentence.plain
    if not _is_whole(sentence) or _leans(sentence):
        return 0.0
    fit = 1.0
    if len(plain) > 220:
        fit *= 0.85 if len(plain) <= 280 else 0.7
    if len(plain) < 45:
        fit *= 0.75
    if sentence.item:
        fit *= 0.9
    if sentence.rich.rough:
        fit *= 0.5
    if _FIRST_PERSON.search(plain):
        fit *= 0.3
    if _SECOND_PERSON.search(plain):
        fit *= 0.6
    if _POINTING.search(plain):
        fit *= 0.4
    if speaks_of_itself(sentence):
        fit *= 0.8
    elif _DEICTIC.search(plain):
        fit *= 0.55
    return fit * (0.25 if sentence.aside else 1.0)


def speaks_of_itself(sentence: Sentence) -> bool:
    """``This PEP describes ...``: fit for the page about the document, less for others."""
    return _SELF.match(sentence.plain) is not None


def _is_whole(sentence: Sentence) -> bool:
    plain = sentence.plain
    spaced = " " in plain.strip()
    if len(plain) > LONGEST or (spaced and len(sentence.words) < 5) or (not spaced and len(plain) < 8):
        return False
    if _URL.search(plain) or plain.rstrip("\"'”’)").endswith((":", "?", ",", "？", "：")) or not _balanced(plain):
        return False
    if not _ENDED.search(plain) and not (sentence.item and has_verb(sentence)):
        return False
    code = sum(len(words) for style, words in sentence.rich.marks if style == "code")
    symbols = len(re.findall(r"[=<>{}|\\$#@~^]", plain))
    return code <= 0.4 * len(plain) and symbols <= 4


def _leans(sentence: Sentence) -> bool:
    plain = sentence.plain
    first = plain[:1]
    if not sentence.words or not (first.isalnum() or first in "\"“'‘.`$«„_"):
        return True
    if sentence.words[0].start > 1:
        return True
    opening = sentence.words[0].written.casefold().replace("’", "'")
    lowered = plain.casefold()
    code_first = sentence.text.startswith("`") or sentence.label or (sentence.rich.marks[:1] and lowered.startswith(
        sentence.rich.marks[0][1].casefold()
    ))
    if first.islower() and first.isascii() and not code_first and opening not in _LOWER_NAMES:
        return True
    if speaks_of_itself(sentence):
        return False
    if opening in OPENERS or opening.partition("'")[0] in OPENERS:
        return True
    return lowered.startswith(LEANING) or bool(re.match(r"\d+[.)]\s", plain)) or "todo" in lowered


_LOWER_NAMES = frozenset("pip conda npm git iOS macOS iphone ebay uv tox poetry setuptools distutils flit".split())


def has_verb(sentence: Sentence) -> bool:
    """True when a word is surely a verb; a list item without one is a fragment."""
    words = [word.written.casefold() for word in sentence.words]
    return any(word in AUXILIARIES or word in _SURE_VERBS for word in words[:14]) or (
        words[0] in VERBS and words[0] not in STOP and sentence.words[0].written[0].isupper()
    )


_SURE_VERBS = frozenset(word for word in VERBS if word.endswith("s") and word[:-1] in VERBS) - frozenset(
    "names files lists records sets places stores tests shares plays points changes checks claims covers".split()
)


def _balanced(plain: str) -> bool:
    return all(plain.count(pair[0]) == plain.count(pair[1]) for pair in _PAIRS) and plain.count('"') % 2 == 0
