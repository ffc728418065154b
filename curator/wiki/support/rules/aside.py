"""What the layout of a source says of a statement: the headings, labels, heads of columns and sentences it stands under."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.wiki.english.words import phrase
from curator.wiki.support.case import Case, telling
from curator.wiki.support.rules.unreal import FRAMED, UNREAL

_ASIDE = re.compile(rf"\b(?:{UNREAL}|turned down|thrown out|voted down)\b", re.IGNORECASE)
"""What a heading says of all that stands under it."""
_EACH = re.compile(
    r"\b(?:each|every|all|the|none|any|these|those)\b[^.:]{0,30}?\b(?:below|following|that follows?|here)\b",
    re.IGNORECASE,
)
_UNREAL_WORDS = re.compile(
    rf"\b(?:{UNREAL}|false|untrue|wrong|incorrect|nonsense|(?:as|for) (?:an? )?(?:warnings?|deterrents?|bad examples?))\b",
    re.IGNORECASE,
)
"""What a sentence says of those that follow it."""
_FORBIDS = re.compile(
    r"(?i)(?!.*\b(?:if|when|where|unless|because|as|(?:approaches|ways|options|methods) [^.:]{0,60}\bwhich do not)\b)"
    r".*\b(?:(?:must|should|may|shall|do|can)(?: not|n['’]t| never)"
    r"|never|avoid|cannot|not allowed|forbidden|prohibited)\b[^.!?]{0,30}:?\s*\Z"
)
"""A lead-in to what nobody is to do."""
_ENDS = re.compile(r"(?<=[.:!?])\s")
_LABEL = re.compile(
    r"(?:\A|\n|(?<=[.!?])\s)\s*(?:[-*+•]\s+|\d+[.)]\s+)?[*_]{0,3}(?P<label>[^\W\d_][^:.!?*_\n|]{0,30}?)[*_]{0,3}:[*_]{0,3}(?=\s|\Z)"
)
_WRONG = re.compile(
    rf"(?:(?:an?|the|common|popular|old|usual|widespread|frequent|typical)\s)*"
    rf"(?:{UNREAL}|beliefs?|errors?|mistakes?|wrong|false|incorrect|untrue|bad|don['’]?ts?|do not|never|avoid|claim(?:ed)?"
    r"|allegations?|assertions?|objections?|rejected|refused|turned down|propos(?:al|ed)s?|suggestions?|hypothes[ie]s"
    r"|counter-?examples?|anti-?patterns?)(?:\s(?:no\.?\s?)?\d+)?",
    re.IGNORECASE,
)
"""Labels of what is not so, must not be, or is but said."""
_OLD = re.compile(r"(?:before|old|earlier|former(?:ly)?|previous(?:ly)?|until now|superseded)", re.IGNORECASE)
_PAST = re.compile(r"\b(?:was|were|had|used|until|once|before|ago|old\w*|earl\w+|former\w*|previous\w*|\w+ed)\b", re.I)
_POINTING = re.compile(
    r"\bthis (?:sheet|table|list|section|document|guide|page|leaflet)\b|\b(?:below|following)\b", re.I
)
_OF_ALL = re.compile(
    r"(?:\A|[.;]\s)\W*(?:all|the|these|those|each|every|both)\s[^.:;,]{2,60}?\b(?:are|is|were|was|hold|apply)\s"
    r"(?:\w+\s)?(?P<what>(?P<by>per|for (?:an? \w+ of|each|every|two|three|four|five|six|ten|twelve|twenty|\d+"
    r"|a (?:dozen|hundred|thousand)))\s[^.;:]+|(?:guess|estimat|provisional|unverified|preliminary)\w*)",
    re.IGNORECASE,
)


def set_aside(case: Case) -> Iterator[str]:
    """What stands in the source among myths, errors, rejected points or simulations, told as if it were so."""
    for span in case.context.places if case.is_close else ():
        at = case.source.layout.touched(*span)[0]
        is_framed = FRAMED.search(case.written) is not None
        found = None if is_framed else _framed(case, at, span[0])
        if found and not _says_so(case, found):
            yield f"the source says {found!r} of what stands there: say so"
            return
        told = case.told or case.claim.stems
        said = " ".join((*case.context.under, case.written, *case.context.names)).lower()
        is_told = len(told & phrase(case.source.layout.text[slice(*span)]).stems) >= max(1, len(told) - 1)
        for label in (_label(case, at, span[0]), *_heads(case, at)) if is_told else ():
            is_wrong = _WRONG.fullmatch(label) and not is_framed
            is_old = _OLD.fullmatch(label) and not _PAST.search(case.written)
            if (is_wrong or is_old) and not re.search(rf"\b{re.escape(label.lower()[:5])}", said):
                yield f"the source says {label!r} of it: say so"
                return


def _says_so(case: Case, found: str) -> bool:
    """True where the claim says it, or stands on its page under the source's own heading or lead-in that does."""
    if found.lower() in case.written.lower():
        return True
    layout, wanted = case.source.layout, found.lower().split("\n\n")[0]
    own = {_bare(layout.of(block)) for block in layout.blocks} | {_bare(found)}
    return any(wanted.rstrip(" :") in under.lower() and _bare(under) in own for under in case.context.under)


def _bare(line: str) -> str:
    return re.sub(r"[\W_]+", " ", line).strip().lower()


def _framed(case: Case, at: int, start: int) -> str:
    """What a heading above a passage, or a sentence that leads to it, says of all that stands there."""
    blocks, layout = case.source.layout.blocks, case.source.layout
    above = (layout.of(blocks[place]) for place in blocks[at].headings if blocks[place].headings)
    lead = case.context.led.plain if blocks[at].kind in ("item", "row") else ""
    before = (each for text in (lead, layout.text[blocks[at].start : start]) for each in _ENDS.split(text))
    framing = (_UNREAL_WORDS.search(each) for each in before if _EACH.search(each))
    forbids = _FORBIDS.match(_ENDS.split(lead.strip())[-1]) if blocks[at].kind == "item" else None
    found = next(filter(None, (*map(_ASIDE.search, above), *framing, forbids)), None)
    return found[0] if found else ""


def _label(case: Case, at: int, start: int) -> str:
    """The last label before a passage in its paragraph or item; else the block that is but a label and leads to it."""
    layout = case.source.layout
    block = layout.blocks[at]
    own = _LABEL.match(layout.text[start:].partition("\n")[0])
    labels = [own] if own else [*_LABEL.finditer(layout.text[block.start : start])]
    return labels[-1]["label"].strip() if labels and block.kind != "row" else ""


def _heads(case: Case, at: int) -> Iterator[str]:
    """The label of a row, and the head of the one column that has most of the claim."""
    if columns := case.context.columns(at):
        told = {word.stem for word in case.claim.content}
        *_, second, most = sorted((len(told & cell.stems), head.plain.strip()) for head, cell in columns)
        yield columns[0][1].plain.strip()
        yield most[1] if most[0] > second[0] else ""


def lead_lost(case: Case) -> Iterator[str]:
    """``900 ml``, in a table of which the source says that all its doses are for ten hives, or were guessed."""
    said = case.whole.stems.union(*(phrase(name).stems for name in case.context.names))
    for sentence in _leading(case) if any(word.is_number for word in case.claim.words) else ():
        if found := _OF_ALL.search(sentence):
            told = telling(phrase(found["what"]).words)
            if not (told & said or (not found["by"] and FRAMED.search(case.written))):
                yield f"the source says of all that stands there: {' '.join(sentence.split())!r}; say so"
                return


def _leading(case: Case) -> Iterator[str]:
    """The sentences of the paragraph that leads to the list or table quoted, and those that point to what follows them."""
    layout = case.source.layout
    for block, first in ((layout.blocks[at], next(layout.run(at))) for at in case.context.touched):
        for other, before in enumerate(layout.blocks[:first]):
            is_above = before.kind == "paragraph" and before.headings == block.headings
            leads = other == first - 1 and block.kind in ("item", "row")
            spans = layout.sentences(other, before.start, before.end) if is_above else ()
            texts = (layout.text[slice(*span)] for span in spans)
            yield from (text for text in texts if leads or _POINTING.search(text))
