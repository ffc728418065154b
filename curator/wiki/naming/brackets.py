"""What a title says in brackets: ``Mercury (planet)``, ``Capability (Linux)``. It is the kind of the thing, or its field.

A bracket is a claim that nobody can cite: "Hanna Voss (thief)". So one clause of the source, or of the page, has to give
it to this very thing: ``X (kind)``, ``kind X``, ``X, a kind``, ``X is a ... kind``, ``X of FIELD``, ``In FIELD, X``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from curator.wiki.english.stop_words import STOP
from curator.wiki.naming.framing import is_denied, is_framed
from curator.wiki.naming.terms import PlacedWords

MOST_WORDS = 3
_WORD = re.compile(r"[^\W_][\w'’.+#-]*")
_JOINTS = frozenset("of for in and the on".split())
_PARTICIPLE = re.compile(r"[a-z]{2,}(?<!e)(?:ed|ened|idden|olen|oken)")
_IS_A = re.compile(
    r"(?:\s*\([^()]*\))?(?:(?P<comma>,)\s*(?:an?|the|one of the)|\s+(?:(?:is|was)\s+(?:also\s+|still\s+|now\s+)?"
    r"(?:an?|the|one of the)|(?:are|were)(?:\s+an?|\s+the)?))\s+"
    r"(?:(?:kind|type|sort|form)s? of (?:an? )?)?(?P<more>(?:[\w'’.+-]+,?\s+){0,5})"
)
_DOUBTED = frozenset(
    "alleged suspected supposed fake false so-called would-be former possible potential mock anti".split()
)
_BEFORE_SUBJECT = re.compile(
    r"(?:['’]s?|\b(?:of|for|in|with|to|from|by|on|at|about|against|than|like|as))\s+(?:an?\s+|the\s+)?\Z", re.IGNORECASE
)
_OPEN = re.compile(
    r"\s*(?:[,.;:)\"”]|\Z)|\s+\(|\s+[a-z]+(?:ed|en|ing)\b"
    r"|\s+(?:available|common|relevant|similar|specific|unique) (?:to|for)\b"
)
_CALLED = frozenset(
    "argument attribute command directive field flag header hook key keyword method mode module option parameter property "
    "variable".split()
)
"""Kinds that are told right behind the name of one: the ``"extra" variable``."""
_GOES_ON = re.compile(r"\s*,\s+(?:will|which|that|is|was|has|must|may|shall|should|can)\b")
"""Behind a name that tells what a thing is called: ``a new field, Dynamic, will be added``; not in a list of things."""
_DOES = frozenset("exists contains specifies defines gives tells takes indicates describes".split())
"""What such a thing does: ``where the lamp key exists``."""


def bracket_fault(name: str, by: str, texts: Iterable[PlacedWords]) -> str:
    """Why ``by`` is nothing to put in brackets behind ``name``; empty where one of ``texts`` gives it to that thing."""
    if fault := form_fault(by):
        return fault
    if any(_is_given(name, by, text) for text in texts):
        return ""
    return f"no sentence says that {name!r} is of the kind or field {by!r}"


def form_fault(by: str) -> str:
    """What makes ``by`` neither a kind nor a field."""
    words = _WORD.findall(by)
    is_name = all(word[0].isupper() or word.lower() in _JOINTS for word in words)
    if not words or (len(words) > MOST_WORDS and not is_name):
        return f"in brackets stands a kind or a field, of {MOST_WORDS} words at most"
    if is_name:
        return ""
    lower = [word.lower() for word in words]
    if lower[0] in STOP or lower[-1] in STOP or any(word in STOP and word not in _JOINTS for word in lower):
        return f"{by!r} is neither a kind nor a field"
    happens = (n for n, word in enumerate(lower) if _PARTICIPLE.fullmatch(word))
    if any(n + 1 == len(lower) or lower[n + 1] in STOP for n in happens):
        return f"{by!r} is neither a kind nor a field"
    return ""


def _is_given(name: str, by: str, text: PlacedWords) -> bool:
    kinds = list(text.places(by))
    if not kinds:
        return False
    for start, end in text.places(name):
        if re.search(r"['’]s?\Z", text.text[start:end]):
            continue  # a possessive speaks of something of its own
        for first, last in kinds:
            places = sorted(((start, end), (first, last)))
            if places[0][1] > places[1][0] or is_framed(text.text, *places):
                continue
            clause = re.split(r"[;:—]|,\s(?:and|but|while)\s", text.text[: places[1][0]])[-1]
            if not is_denied(clause) and any(_forms(text.text, (start, end), (first, last))):
                return True
    return False


def _forms(text: str, named: tuple[int, int], kind: tuple[int, int]) -> Iterator[bool]:
    """Whether the kind stands to the name as one of the forms wants it."""
    is_field = text[kind[0]].isupper()
    can_be_called = text[kind[0] : kind[1]].lower() in _CALLED
    if kind[0] >= named[1]:
        between, before, behind = text[named[1] : kind[0]], text[: named[0]], text[kind[1] :]
        yield re.fullmatch(r"\s*\((?:an?\s+|the\s+)?", between) is not None and behind.lstrip()[:1] in (")", ",", ";")
        is_called = can_be_called and re.fullmatch(r"[\"”'’]?\s+", between) is not None
        does = re.match(r"\s+(\w+)", behind)
        yield is_called and (_ends(behind, is_apposition=False) or (does is not None and does[1] in _DOES))
        joints = "of|in|for|on|from|by" if is_field else "of|in"
        yield re.fullmatch(rf"\s+(?:{joints})\s+(?:the\s+)?", between) is not None
        if found := _IS_A.fullmatch(between):
            more = _WORD.findall(found["more"].lower())
            is_plain = not _DOUBTED & set(more) and not any(word in STOP for word in more)
            yield is_plain and not _BEFORE_SUBJECT.search(before) and (is_field or _ends(behind, bool(found["comma"])))
    else:
        between, before, behind = text[kind[1] : named[0]], text[: kind[0]], text[named[1] :]
        is_new = re.search(r"\b(?:an?|one|another)\s+(?:new\s+|second\s+|third\s+)?\Z", before, re.I) is not None
        yield (can_be_called and is_new and re.fullmatch(r",\s+", between) is not None and bool(_GOES_ON.match(behind)))
        yield re.fullmatch(r"(?:\s+|-)[\"“'‘]?", between) is not None and not text[kind[0] : kind[1]].endswith(
            ("'s", "’s")
        )
        yield re.search(r"\b(?:in|on|of|for)\s+(?:the\s+)?\Z", before, re.I) is not None and (
            re.fullmatch(r",?\s+(?:an?\s+|the\s+)?", between) is not None
        )


def _ends(behind: str, is_apposition: bool) -> bool:
    """True where a kind is not the first half of another: ``a thief catcher``."""
    if _OPEN.match(behind):
        return True
    following = re.match(r"\s+([\w'’-]+)", behind)
    word = following[1].lower() if following else ""
    return word in STOP and not (is_apposition and word in ("and", "or"))
