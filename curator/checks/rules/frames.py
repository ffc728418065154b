"""Rules on words put over, under or around existing statements: they can change what these mean without editing them.

"The following is wrong:" before an old list, "All of this is outdated" below it, "Grandmother says that" before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from curator.checks.rules.change import Change
from curator.checks.rules.edits import Edit, edits, folded, wording
from curator.finding import Finding
from curator.wiki.pages.citation import replace_marks, without_marks
from curator.wiki.pages.editing import CLAIMS, is_navigation, lead_of, words_of
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page

ADVICE = "state it of the thing, in a statement of its own"
_NEXT = re.compile(
    r"[:：]\W*\Z|\b(?:the |as )?(?:following|follows?)\W*\Z|"
    r"\bthe following (?!(?:\w+ )?(?:days?|weeks?|months?|years?|seasons?|"
    r"mornings?|nights?|evenings?|springs?|summers?|autumns?|winters?|decades?|centur(?:y|ies)|hours?|minutes?|seconds?)\b)",
    re.IGNORECASE,
)
"""A statement that speaks of what stands behind it."""
_PAGE = re.compile(
    r"\b(?:everything|all|anything|nothing|none|any|most|much|what|statements?|claims?|advice|rules?|texts?|lists?|items?|points?|"
    r"facts?|notes?|sentences?|information|words?|figures?)(?: of| in| on)?(?: the)?(?: (?:is|was|are|were))?"
    r"(?: (?:said|stated|written|told|given|listed|described|mentioned|shown))? (?:above|below|foregoing|preceding)"
    r"(?! (?:\d|the|an?|its|zero|average|sea|ground|freezing))\b|"
    r"\b(?:the|all|see|none of|any of) (?:above|foregoing|aforementioned)"
    r"(?! (?:ground|average|sea)\b)|\beverything (?:else )?(?:said |stated |written |told |listed )?(?:here|on this)\b|"
    r"\bthis (?:wiki |whole )?(?:page|entry) (?:is|was|has|does|says|tells|contains|lists|should|must|may|can|cannot|"
    r"will)\b|\b(?:on|of|in) this (?:page|entry)\b|\bthe (?:rest|remainder) of (?:this|the) (?:page|entry|list|text)\b|"
    r"\A\W*(?:all|much|most|none|nothing|every (?:bit|word)|no word) of (?:this|that)\b|"
    r"\A\W*(?:none|nothing|no word) of (?:these|it|them)\b|"
    r"\A\W*(?:all|any) (?:this|that) (?:is|was|has|had|should|must|may|can|will)\b",
    re.IGNORECASE,
)
"""A statement that speaks of the page's own text."""
_BACK = re.compile(
    r"\W*(?:(?:this|that) (?:is|was|has|had|does|did|will|would|may|might|can|cannot|could|must|should|no|never|not|turned|"
    r"proved)\b(?! (?:because|why|due|done|caused|called|known|used|also|how|where|when)\b)|"
    r"(?:nobody|no one|none|nothing)\b|(?:or so|allegedly|supposedly|wrongly|not)\b|"
    r"(?:which|but|though|although|yet|however|and)\b.*\b(?:false|wrong|untrue|not true|jok\w+|lies?|myths?|rumou?rs?|"
    r"nonsense|believ\w+|den(?:y|ies|ied)|doubt\w*|disput\w+|outdated|obsolete|error|mistaken?|hoax|prank|they say|"
    r"no longer)\b)",
    re.IGNORECASE,
)
"""How words begin that speak of the statement before them."""
_TELLING = re.compile(
    r"\b(?:that|whether|if|how|says?|said|claims?|claimed|believes?|believed|thinks?|thought|according to [\w ]+|allegedly|"
    r"supposedly|denies|denied|false(?:ly)?|wrong(?:ly)?|never|used to be so)\W*\Z",
    re.IGNORECASE,
)
"""Words before a statement that make it somebody's, or a mere thought."""


def statement_framed(change: Change) -> Iterator[Finding]:
    """statement_framed: no new words stand over, under or around what others say and turn it: no lead-in before old
    statements, nothing that speaks of the page's own text ("the following", "all of the above"), no "X says that" before
    an old statement and no "This was a joke" behind its mark; and no old item goes below a new one.
    """
    for edit in edits(change):
        for message, block in framed(edit, change.source.path):
            if not _was_there(change, edit.page, block):
                yield Finding("statement_framed", edit.page.path, message, edit.line(block), hint=ADVICE)


def frame_fault(old: Page, page: Page, source: str) -> Finding | None:
    """The first such words with which ``page`` takes the place of ``old``, for the author of one edit by ``source``."""
    found = next(framed(Edit(page, old), source), None)
    return Finding("statement_framed", old.path, found[0], hint=ADVICE) if found else None


def framed(edit: Edit, source: str) -> Iterator[tuple[str, Block]]:
    """What frames statements that were there before, and the block that does."""
    old = edit.old
    if old is None:
        return
    shown = [block for block in edit.page.outline.blocks if block.kind != "note"]
    new = {block.start for block in edit.claims}
    if not any(block.kind in CLAIMS and block.start not in new for block in shown):
        return
    for at, block in enumerate(shown):
        if block.start in new:
            text = without_marks(edit.page.body[block.start : block.end]).strip()
            if not is_navigation(block) and not lead_of(block.text):
                if _NEXT.search(folded(text)) and _leads_to_old(edit, shown, at, new):
                    yield f"it leads in what was there before: {folded(text)[:80]!r}", block
                elif _PAGE.search(folded(text)):
                    yield f"it speaks of the page's own text: {folded(text)[:80]!r}", block
            if _is_wrapped(edit, old, block, source):
                yield f"it turns the statement that it stands around: {folded(text)[:80]!r}", block
    yield from _deeper(edit, old, shown, new)


def _leads_to_old(edit: Edit, shown: Sequence[Block], at: int, new: set[int]) -> bool:
    """True where a statement that was there comes behind the one at ``at``: at once, or in the list that begins there."""
    behind = shown[at + 1 :]
    if not behind or behind[0].kind not in CLAIMS:
        return False
    if behind[0].kind == "item":
        run = next((n for n, block in enumerate(behind) if block.kind != "item"), len(behind))
        follows = [block for block in behind[:run] if block.start not in new]
    else:
        follows = [behind[0]] if behind[0].start not in new else []
    return bool(follows) and not _was_led_in(edit, follows[0])


def _was_led_in(edit: Edit, block: Block) -> bool:
    """True where a lead-in stood before that statement already: it is reworded, not put there."""
    before = [each for each in edit.old.outline.blocks if each.kind != "note"] if edit.old else []
    words = wording(edit.page, block)
    at = next((n for n, each in enumerate(before) if edit.old and wording(edit.old, each) == words), 0)
    return at > 0 and _NEXT.search(folded(without_marks(before[at - 1].text))) is not None


def _is_wrapped(edit: Edit, old: Page, block: Block, source: str) -> bool:
    """True where a new block has an old statement whole in it, with words before or behind it that turn it."""
    foreign = [label for label in block.citations if label in old.citations and old.citations[label].path != source]
    if not foreign:
        return False
    raw = edit.page.body[block.start : block.end]
    last = max((raw.rfind(f"[^{label}]") + len(label) + 3 for label in foreign), default=0)
    behind = replace_marks(raw[last:], lambda label: "").strip(" \n.,;:—–-")
    if behind and _BACK.match(behind):
        return True
    now = f" {words_of(wording(edit.page, block))} "
    for words, was in edit.old_claims.items():
        said = f" {words_of(words)} "
        at = now.find(said) if set(was.citations) & set(foreign) and len(said) > 2 else -1
        if at > 0 and _TELLING.search(now[:at]):
            return True
    return False


def _deeper(edit: Edit, old: Page, shown: Sequence[Block], new: set[int]) -> Iterator[tuple[str, Block]]:
    """Items that were there before and stand below a new item, not below the one that they stood under."""
    before = [block for block in old.outline.blocks if block.kind != "note"]
    for block, was in edit.kept_claims:
        if block.kind != "item" or was.kind != "item":
            continue
        parent = parent_of(edit.page, shown, block)
        if parent is not None and parent.start in new and parent_of(old, before, was) is None:
            yield f"it is put below a new item: {folded(block.text)[:80]!r}", parent


def parent_of(page: Page, shown: Sequence[Block], item: Block) -> Block | None:
    """The item that ``item`` is nested in."""
    indent = _indent(page, item)
    for block in reversed([each for each in shown if each.start < item.start]):
        if block.kind != "item":
            return None
        if _indent(page, block) < indent:
            return block
    return None


def _indent(page: Page, block: Block) -> int:
    line = page.body[page.body.rfind("\n", 0, block.start) + 1 : block.end]
    return len(line) - len(line.lstrip())


def _was_there(change: Change, page: Page, block: Block) -> bool:
    """True for words that another page had, and that have moved here."""
    words = wording(page, block)
    others = filter(None, map(change.old, (*change.after.gone, *change.after.changed)))
    return any(
        words == wording(other, each) for other in others for each in other.outline.blocks if each.kind in CLAIMS
    )
