"""Code on a page, which no mark can stand behind: it rests on the words that lead to it, on the page and in the source.

The same lines under other words say something else: a command that one must never run, below "Setting it up:".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from curator.system.text import shortened
from curator.wiki.english.pointing import POINTS_BACK
from curator.wiki.pages import markdown
from curator.wiki.pages.citation import Citation
from curator.wiki.pages.editing import CLAIMS
from curator.wiki.pages.markdown import Block
from curator.wiki.support.source_context import SourceContext

NOT_IN_SOURCE = "this code is not in the source"
_SHORT = 4
"""Words of a sentence that only announces the code: ``Here is an example:``."""
_SECTION = 20
"""Blocks before what only announces code, among which what leads to it is."""
_LONGEST = 700
"""Characters of a lead that is shown above its code."""
_ANNOUNCES = re.compile(
    r"\W*+(?:(?:for|an?|another|the|here is|simple|basic|minimal|complete|full|typical|code|command)\W++)*+"
    r"(?:examples?|instance|usage|synopsis|syntax|e\.g|output|like this|as follows)\W*+\Z",
    re.IGNORECASE,
)
"""A paragraph of such words leads to nothing by itself: what stands before it in its section does."""
_TIES = re.compile(
    r"\W*+(?:however|but|so|then|thus|hence|therefore|also|and|similarly|likewise),\s+"
    rf"(?!{POINTS_BACK.pattern})",
    re.IGNORECASE,
)
"""What ties a sentence to the one before it, and is no part of what it says."""
_NEAR = 80
"""Characters before a lead-in in which such a word ends."""
_SHOWS = re.compile(
    r"\W*+here(?:['’]s| is| are) (?!.*\b(?:it|its|this|that|these|those|they|them|their)\b).*:\Z"
    r"|\W*+(?:this|these|that|those|such) (?:an? )?(?:[\w-]+ )?(?:pseudo-?code|code|examples?|snippets?|programs?|commands?"
    r"|scripts?|output|listing|functions?|quer(?:y|ies)|files?|config\w*|manifests?|diagram|form|formats?|syntax)\b.*:\Z",
    re.IGNORECASE,
)
"""Words that point at the code they lead to, and not at something before them: ``This code reads a file:``."""
Span = tuple[int, int]


def faults_of_code(text: str, citations: Mapping[str, Citation], source: SourceContext) -> Iterator[tuple[Block, str]]:
    """The code blocks of ``text`` that do not stand right below words that lead to them, and why; each with its marks.

    ``citations``: those of this source, by label.
    """
    above: Block | None = None
    for block in markdown.scan(text).blocks:
        if block.kind == "code":
            labels = above.citations if above is not None and above.kind in CLAIMS else ()
            if fault := code_fault(block.text, [citations[each] for each in labels if each in citations], source):
                yield block, fault
        elif block.kind != "note":
            above = block


def code_fault(code: str, citations: Iterable[Citation], source: SourceContext) -> str:
    """What is wrong with a code block below words that rest on ``citations``; empty for nothing."""
    places = [at for at, block in enumerate(source.layout.blocks) if _folded(code) in _folded(source.layout.of(block))]
    if not places and _folded(code) not in _folded(source.layout.text):
        return NOT_IN_SOURCE
    cited = [span for each in citations if (span := source.evidence.place(each)) is not None]
    leads = [lead for at in places for lead in _leads(at, source)]
    if not places and cited:  # it goes on over several blocks of the source
        return ""
    if any(start < lead[1] and end > lead[0] for start, end in cited for lead in leads):
        return ""
    own = {(source.layout.blocks[at].start, source.layout.blocks[at].end) for at in places} & {*leads}
    if leads and own == {*leads}:
        return "in the source no words lead to this code: quote some of its own in those right above it"
    shown = shortened(" ".join(source.layout.text[slice(*leads[0])].split())) if leads else ""
    quoted = f" ({shown})" if shown else ""
    unrested = "the words right above this code do not rest on those that lead to it in the source"
    return f"{unrested}{quoted}: quote them there{', or some of its own' if own else ''}"


def lead_to(code: str, source: SourceContext) -> Span | None:
    """The source's own words that lead to ``code``, to stand above it; None where they do not stand by themselves."""
    for at, block in enumerate(source.layout.blocks):
        text = _folded(source.layout.of(block))
        is_code = block.kind == "code" and _folded(code) in text
        if is_code or (block.kind == "paragraph" and text.startswith(_folded(code))):  # a plain text marks no code
            spans = [span for span in _leads(at, source) if span[1] <= block.start]
            place = _place_before(at, source)
            spans = spans[:1] if any(_announced(place, source)) else spans
            start, end = _as_told(spans[0][0], spans[-1][1], place, source) if spans else (0, 0)
            start = tie.end() if (tie := _TIES.match(source.layout.text, start, end)) else start
            lead = _folded(source.layout.text[start:end])
            return (start, end) if lead and len(lead) <= _LONGEST and not _leans(lead) else None
    return None


def is_untied(text: str, start: int) -> bool:
    """True where what leads to code begins behind a word that was left out of it: ``However, it installs ...``."""
    return text[max(0, start - _NEAR) : start].rstrip().endswith(",")


def _as_told(start: int, end: int, at: int, source: SourceContext) -> Span:
    """From ``start`` to ``end``, with the sentences before them in block ``at`` that they point back at."""
    told = source.layout.sentences(at, source.layout.blocks[at].start, end) if at >= 0 else ()
    for earlier, _ in reversed([span for span in told if span[0] < start]):
        if not _leans(_folded(source.layout.text[start:end])):
            break
        start = earlier
    return start, end


def _place_before(at: int, source: SourceContext) -> int:
    """The place of the block above code, and above other code right before it; -1 for none."""
    blocks, first = source.layout.blocks, at
    while first and blocks[first - 1].kind == "code" and blocks[at].kind == "code":
        first -= 1
    return source.layout.above(first)


def _announced(at: int, source: SourceContext) -> Iterator[Span]:
    """The sentences of the section before ``Example:`` in block ``at``; none for any other block."""
    blocks, layout = source.layout.blocks, source.layout
    if at >= 0 and blocks[at].kind == "paragraph" and _ANNOUNCES.match(layout.of(blocks[at])):
        for place in range(max(0, at - _SECTION), at):
            block = blocks[place]
            if block.headings == blocks[at].headings and block.kind in ("paragraph", "item", "row"):
                yield from layout.sentences(place, block.start, block.end)


def _led_in(at: int, source: SourceContext) -> Iterator[Span]:
    """The sentence with a colon that leads to the list of an item, whatever stands between."""
    blocks, layout = source.layout.blocks, source.layout
    for place in range(at - 1, max(-1, at - _SECTION), -1):
        if blocks[place].headings != blocks[at].headings:
            return
        if blocks[place].kind == "paragraph" and layout.of(blocks[place]).rstrip().endswith(":"):
            yield layout.sentences(place, blocks[place].start, blocks[place].end)[-1]
            return


def _leads(at: int, source: SourceContext) -> Iterator[Span]:
    """The last sentence before a block of code, else the first one behind it; of code within words those, too.

    ``For example:`` is no sentence by itself: the one before it leads to the code as well.
    """
    blocks, layout = source.layout.blocks, source.layout
    if blocks[at].kind != "code":
        yield blocks[at].start, blocks[at].end
    if blocks[at].kind == "item":
        yield from _led_in(at, source)
    place = _place_before(at, source)
    before = blocks[place] if place >= 0 else None
    if before is not None and before.kind != "heading":
        told = layout.sentences(place, before.start, before.end)
        is_short = len(told) > 1 and len(layout.text[slice(*told[-1])].split()) <= _SHORT
        yield from list(_announced(place, source)) or (told[-2:] if is_short else told[-1:])
    elif at + 1 < len(blocks) and blocks[at + 1].kind != "heading":
        behind = blocks[at + 1]
        yield layout.sentences(at + 1, behind.start, behind.end)[0]
    if before is None or before.kind in ("heading", "code"):
        yield blocks[at].start, blocks[at].end


def _leans(lead: str) -> bool:
    return POINTS_BACK.match(lead) is not None and not _SHOWS.match(lead)


def _folded(text: str) -> str:
    return " ".join(text.split())
