"""Where additions that name no heading go on a page: to the section on their matter, else to the opening part.

Never behind whatever happens to stand last: a rule is not one of the "Rejected ideas". What stands there is not moved.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from curator.wiki.english.words import phrase
from curator.wiki.pages import editing, markdown
from curator.wiki.pages.citation import mark, marks_in, without_marks
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page
from curator.wiki.support.rewording import lost

_SET_ASIDE = re.compile(
    r"\b(?:rejected|deferred|postponed|abandoned|alternatives?|unresolved|open|questions?|issues?|related|references"
    r"|see also|further reading|changes?|changelog|acknowledge?ments?)\b",
    re.IGNORECASE,
)
"""Headings of what does not hold, or is about the page itself: only what names their matter goes there."""
_LEAST_SHARED, _LEAST_AHEAD = 3, 2
"""Words that an addition shares with the text of a section, and how many more of them than with the opening part."""
_LONGEST_OPENING = 700
"""Characters up to which an opening takes up another sentence that says what the thing is."""
_IS = r"(?:is|are|was|were|means|denotes|refers to|stands for)"


@dataclass(frozen=True)
class PagePart:
    """The opening part of a page (``heading`` empty), or what stands under one heading up to the next."""

    heading: str
    end: int
    """The offset behind its last block."""
    words: frozenset[str]
    is_bare: bool = False
    """Nothing stands in it but its heading."""

    def shares(self, stems: frozenset[str]) -> int:
        return len(self.words & stems)


def with_additions(page: Page, blocks: Sequence[str]) -> str:
    """The body of ``page`` with each of ``blocks`` where it belongs; a heading among them takes those behind it along."""
    body, heading = page.body, ""
    for block in _with_lead_ins(blocks):
        if block.startswith("#"):
            heading = block
            if editing.end_of_section(body, heading) is None:
                body = editing.insert(body, editing.end_of_text(body), heading)
            continue
        if not heading and (opening := _like_opening(page, body, block)) is not None:
            start, end = opening.start, opening.end
            is_more = any(end <= each.start and each.kind in editing.CLAIMS for each in markdown.scan(body).blocks)
            body = f"{body[:start]}{_worked_in(page, body[start:end], block, is_more)}{body[end:]}"
            continue
        at = editing.end_of_section(body, heading) if heading else _place(page, body, block)
        body = editing.insert(body, editing.end_of_text(body) if at is None else at, block)
    return body


def _place(page: Page, body: str, block: str) -> int:
    """The offset behind which ``block`` goes."""
    blocks = [found for found in markdown.scan(body).blocks if found.kind != "note"]
    opening, *sections = _parts(page, body, blocks)
    if not _is_list_or_table(block) and (opening.is_bare or _says_what(page, block)):
        return _behind_opening(page, body, blocks, block, opening)
    stems = _stems(block) - _names(page)
    fitting = [part for part in sections if _fits(part, opening, stems)]
    if fitting:
        return max(fitting, key=lambda part: (part.shares(stems), -part.end)).end
    return opening.end if _is_list_or_table(block) else _behind_opening(page, body, blocks, block, opening)


def _fits(part: PagePart, opening: PagePart, stems: frozenset[str]) -> bool:
    if _stems(part.heading) & stems:
        return True
    shared = part.shares(stems)
    return not _SET_ASIDE.search(part.heading) and shared >= max(_LEAST_SHARED, opening.shares(stems) + _LEAST_AHEAD)


def _parts(page: Page, body: str, blocks: Sequence[Block]) -> list[PagePart]:
    """The opening part, which holds the title line, and the sections in their order."""
    found: list[tuple[str, list[Block]]] = [("", [])]
    for block in blocks:
        if block.kind == "heading" and block.level > 1:
            found.append((block.text, []))
        found[-1][1].append(block)
    names = _names(page)
    return [
        PagePart(
            heading,
            editing.line_end(body, max((block.end for block in part), default=0)),
            frozenset[str]().union(*(_stems(block.text) for block in part)) - names,
            all(block.kind == "heading" for block in part),
        )
        for heading, part in found
    ]


def _behind_opening(page: Page, body: str, blocks: Sequence[Block], block: str, opening: PagePart) -> int:
    """A paragraph goes to the paragraphs the page opens with: first, when it alone says what the thing is."""
    title = next((found.end for found in blocks if found.kind == "heading" and found.level == 1), 0)
    run = [found for found in blocks if title <= found.start < opening.end and found.kind != "heading"]
    if run and _says_what(page, block) and not _says_what(page, run[0].text):
        return editing.line_end(body, title) if title else 0
    last = title
    for found in run:
        if found.kind not in ("paragraph", "code"):
            break
        last = found.end
    return editing.line_end(body, last) if last > title else opening.end


def repeats_opening(page: Page, statement: str) -> bool:
    """True for ``X is a pump`` on a page that opens with ``X is a rotary pump``: there is nothing new in it."""
    first = next((found for found in page.outline.blocks if found.kind != "heading"), None)
    if first is None or first.kind != "paragraph" or not _says_what(page, statement):
        return False
    return any(_has_all_of(statement, line) for line in page.body[first.start : first.end].split("\n"))


def _like_opening(page: Page, body: str, block: str) -> Block | None:
    """The opening paragraph, when it says what the thing is and so does ``block``: they become one."""
    first = next((found for found in markdown.scan(body).blocks if found.kind != "heading"), None)
    if first is None or first.kind != "paragraph" or _is_list_or_table(block) or "\n" in block.strip():
        return None
    is_short = first.end - first.start + len(block) <= _LONGEST_OPENING
    return first if is_short and _says_what(page, first.text) and _says_what(page, block) else None


def _worked_in(page: Page, opening: str, block: str, is_more: bool) -> str:
    """``opening`` with the sentence ``block``: in the place of a line that says a part of it, else behind all of it.

    A line stays that has links, or is all that the page says: ``is_more`` is false.
    """
    lines, block = opening.rstrip("\n").split("\n"), block.strip()
    rest = opening[len(opening.rstrip("\n")) :]
    for at, line in enumerate(lines if is_more or len(lines) > 1 else ()):
        if _says_what(page, line) and _has_all_of(line, block) and not markdown.scan(line).links:
            said = without_marks(block).strip()
            lines[at] = " ".join((said, *map(mark, dict.fromkeys((*marks_in(line), *marks_in(block))))))
            return "\n".join(lines) + rest
    return "\n".join((*lines, block)) + rest


def _has_all_of(shorter: str, longer: str) -> bool:
    """True when ``longer`` says all that ``shorter`` says, in its order, and takes nothing of it back.

    What it says more stands behind, or is of a word of it: ``a rotary pump``; not ``capital of the district and of X``.
    """
    one, other = _plain(shorter), _plain(longer)
    wanted, words = [word.stem for word in phrase(one).content], phrase(other).words
    loose = False
    for word, behind in zip(words, [*words[1:], None], strict=True):
        if wanted and word.is_content and word.stem == wanted[0]:
            del wanted[0]
        elif wanted and word.is_content:
            loose |= behind is None or not behind.is_content
    is_one = all(len(phrase(each).sentences) == 1 for each in (one, other))
    return is_one and not wanted and not loose and not lost(one, other)


def _says_what(page: Page, text: str) -> bool:
    """True for ``The X (Y) is a ...`` on the page of X."""
    names = "|".join(sorted(map(re.escape, (page.title, *page.aliases)), key=len, reverse=True))
    start = rf"\W*(?:(?:an?|the)\s+)?(?:{names})\W*(?:\([^)]*\)\W*)?{_IS}\b"
    return bool(re.match(start, _plain(text), re.IGNORECASE))


def _is_list_or_table(block: str) -> bool:
    """True for such, with the words that lead it in and the code that stands below it."""
    kinds = [found.kind for found in markdown.scan(block).blocks if found.kind != "code"]
    return kinds[-1:] in (["item"], ["row"]) or block.lstrip().startswith("|")


def _with_lead_ins(blocks: Sequence[str]) -> list[str]:
    """``blocks`` with what leads in a list joined to it: alone it would lead in what stands there already."""
    joined: list[str] = []
    for block in blocks:
        first, _, rest = joined[-1].partition("\n\n") if joined else ("", "", "")
        is_lead_in = without_marks(first).rstrip().endswith(":") and not _is_list_or_table(first)
        if _is_list_or_table(block) and is_lead_in and (not rest or _is_list_or_table(rest)):
            joined[-1] = editing.join([joined[-1], block])
        else:
            joined.append(block)
    return joined


def _names(page: Page) -> frozenset[str]:
    return frozenset[str]().union(*map(_stems, (page.title, *page.aliases)))


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.stem for word in phrase(_plain(text)).content)


def _plain(text: str) -> str:
    return re.sub(r"\[\[(?:[^\]|]*\|)?|\]\]", "", without_marks(text))
