"""Whether a sentence means what its names say: not a dream, an error, a condition, or words that it only tells of.

``In a play, "A (B)" is a clown`` and ``If A were also called B`` give nothing another name.
"""

from __future__ import annotations

import re

_FALSE = re.compile(
    r"\b(?:misprint\w*|misspel\w+|misnam\w+|typos?|mistakenly|wrongly|incorrectly|erroneously|falsely|jokingly|in jest|"
    r"(?:only|nobody|no one|fools) (?:[\w-]+ ){0,2}(?:says?|calls?|writes?)|by mistake|in error|as a joke|"
    r"(?:error|mistake|wrong) to|so-called|"
    r"(?:in|of|for) (?:an?|the|his|her|their|some|one|this|that|my|our) (?:[\w-]+ ){0,2}?"
    r"(?:play|novel|fiction|story|tale|dream|film|movie|poem|song|joke|game|fable|fairy tale|sketch|picture|drawing))\b",
    re.IGNORECASE,
)
"""What says that names are not used in earnest."""
_UNREAL = re.compile(
    r"\b(?:errors?|mistak\w+|misprint\w*|typos?|wrong\w*|false\w*|incorrect\w*|erroneous\w*|jok\w+|plays?|novels?|fiction\w*|"
    r"dream\w*|poems?|satire|parod\w+|hoax\w*|myths?|rumou?rs?|fables?|tales?|pretend\w*|imagin\w+|suppos\w+|alleg\w+|"
    r"confus\w+|mix(?:ed)? up|mix-ups?)\b",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"\b(?:thinks?|thought|believ\w+|claim(?:s|ed)?|assum\w+|says?|said|guess\w*|doubt\w*|deny|denie[sd]|hop(?:e|es|ed)|"
    r"ask(?:s|ed)?|rumou?rs?|seems?|perhaps|maybe|possibly|probably)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|whether|would|could|might|should|may|suppose|imagine|lest|wish\w*)\b|\A\W*were\b", re.I
)
_DENIAL = re.compile(
    r"\b(?:not|no|never|neither|nor|none|nobody|nothing|hardly|without|cannot)\b|n['’]t\b", re.IGNORECASE
)
_PREDICATE = re.compile(r"\b(?:is|are|was|were|be|been|being)\b", re.IGNORECASE)
_QUOTED = re.compile(
    r"\"[^\"]{0,300}\"|“[^”]{0,300}”|«[^»]{0,300}»|„[^“”]{0,300}[“”]|‘[^’]{0,300}’(?!\w)|(?<!\w)'[^']{0,300}'(?!\w)"
)
_BRACKETS = re.compile(r"\([^()]*(?:\([^()]*\)[^()]*)*\)")
_APART = re.compile(
    r"\b(?:differ\w*|distinct\w*|unlike|separate|two|both|another|other than|versus|confus\w+)\b", re.IGNORECASE
)


def is_framed(sentence: str, first: tuple[int, int], second: tuple[int, int]) -> bool:
    """True where ``sentence`` does not itself give the two places, in their order, to one thing."""
    if _within(_QUOTED, sentence, first, second) or _FALSE.search(sentence[: second[0]]):
        return True
    before, between = sentence[: first[0]], sentence[first[1] : second[0]]
    if not _PREDICATE.search(between):
        return False
    return any(each.search(before) or each.search(between) for each in (_UNREAL, _TOLD, _CONDITION, _DENIAL))


def is_doubtful(sentence: str, first: tuple[int, int], second: tuple[int, int]) -> bool:
    """True where anything in ``sentence`` keeps it from being proof enough to make one page of two."""
    loose = sentence.count('"') % 2 or sentence.count("“") != len(re.findall("”", sentence))
    return (
        is_framed(sentence, first, second)
        or bool(loose)
        or _within(_BRACKETS, sentence, first, second)
        or any(each.search(sentence) for each in (_UNREAL, _TOLD, _CONDITION, _DENIAL))
        or "/" in sentence[first[1] : second[0]]
    )


def tells_apart(sentence: str, first: tuple[int, int], second: tuple[int, int]) -> bool:
    """True where ``sentence`` names both and says that they are not one: ``A is not the same as B``, ``A and B differ``."""
    between, behind = sentence[first[1] : second[0]], sentence[second[1] :]
    if _DENIAL.search(between) and _PREDICATE.search(between) and not re.search(r"[,;:]", between):
        return True
    return bool(re.fullmatch(r"\W*(?:and|or|nor)\W*(?:the |an? )?", between, re.I)) and bool(
        re.match(r"\W*(?:is|are|was|were|do|does|did)?\b", behind)
        and (_APART.search(behind[:40]) or re.search(r"\bnot the same\b", behind[:40]))
    )


def is_denied(text: str) -> bool:
    """True where a word of ``text`` turns round what is said."""
    return any(each.search(text) for each in (_DENIAL, _CONDITION))


def _within(marked: re.Pattern[str], sentence: str, first: tuple[int, int], second: tuple[int, int]) -> bool:
    return any(found.start() < first[0] and second[1] < found.end() for found in marked.finditer(sentence))
