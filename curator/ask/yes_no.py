"""The yes or no that a statement begins with: its quotes have to be about exactly what was asked.

Where they are not, the statement is shown without the yes or no: what is quoted still holds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from curator.ask.subject import sentence_of
from curator.models.statements import Proof
from curator.wiki.english.words import Phrase, joined, phrase
from curator.wiki.support.rules.negating import NOT

_ANSWER = re.compile(r"\s*(?:[-*]\s+)?(yes|no)\b(?=\s*[,.:;–—-])", re.IGNORECASE)
_AUXILIARY = (
    r"(?:may|must|can|could|should|shall|will|would|might|is|are|was|were|do|does|did|has|have|had|need|isn't|aren't|don't"
    r"|doesn't|didn't|can't|mustn't)"
)
_ASKED = re.compile(
    rf"(?:\A|[.?!:;]\s+|,\s+(?:and|or|but)\s+)({_AUXILIARY}\b[^?]*?)(?=\?|\Z|,?\s(?:and|or)\s(?:what|which|who|how|when|where|why)\b)",
    re.IGNORECASE,
)
_DENYING = NOT | {"no", "never"}
_BOUNDS = frozenset("without alone only always every all never ever any".split())
"""Words of a question on which its yes depends."""


def without_yes(text: str) -> str:
    """What ``text`` says besides the yes or no that it begins with; empty where that is all."""
    answer = _ANSWER.match(text)
    rest = text[answer.end() :].lstrip(" \t,.:;–—-") if answer is not None else text
    bullet = "- " if answer is not None and text.lstrip()[:1] in "-*" else ""
    return f"{bullet}{rest[:1].upper()}{rest[1:]}" if re.search(r"\w", rest) else ""


def yes_unproven(text: str, proofs: Sequence[Proof], question: str) -> str:
    """Why the yes or no at the head of ``text`` is not borne out; empty where nothing is against it.

    It has to be quoted of what was asked: of something in it besides its names; for a yes of all its numbers
    and of the words that bound it, and without a "not" that the question does not have.
    """
    answer = _ANSWER.match(text)
    asked = [phrase(found) for found in _ASKED.findall(question)]
    if answer is None or not asked:
        return ""
    said = joined([phrase(sentence_of(each.passage.text, each.words)) for each in proofs])
    around = joined([said, *(phrase(" ".join((*each.passage.headings, each.passage.lead))) for each in proofs)])
    names = joined([phrase(name) for each in proofs for name in each.reading.names])
    found = [_against(one, said, around, names, is_yes=answer[1].lower() == "yes") for one in asked]
    return "" if "" in found else found[0]


def _against(asked: Phrase, said: Phrase, around: Phrase, names: Phrase, *, is_yes: bool) -> str:
    told = {word.stem: word for word in asked.content if word.stem not in names.stems}
    missing = [word for word in told.values() if not around.has_kin_of(word)]
    if told and len(missing) == len(told):
        return f"what it quotes says nothing of {', '.join(repr(word.text) for word in missing[:4])}, which was asked"
    if not is_yes:
        return ""
    numbers = [word.text for word in asked.words if word.is_number and word.stem not in around.stems | names.stems]
    bounds = sorted((_BOUNDS & asked.lowers) - around.lowers)
    if numbers or bounds:
        return f"a yes says {(numbers + bounds)[0]!r} with the question, and what it quotes does not"
    negated = said.lowers & _DENYING
    if negated and not asked.lowers & _DENYING:
        return f"a yes to this goes against the {min(negated)!r} of what it quotes"
    return ""
