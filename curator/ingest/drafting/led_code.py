"""Code on its way into a page: it stands below words that lead to it, and in the list item that they are."""

from __future__ import annotations

from textwrap import indent

from curator.wiki.pages import editing, markdown
from curator.wiki.support.code_blocks import lead_to
from curator.wiki.support.source_context import SourceContext


def is_code(text: str) -> bool:
    """True for a text that is nothing but code blocks."""
    return {block.kind for block in markdown.scan(text).blocks} == {"code"}


def code_below(above: str, code: str) -> str:
    """``code`` below ``above``; below a list item as far in as its words, or it would end the list."""
    bullet = editing.BULLET.match(above)
    return editing.join([each for each in (above, indent(code, " " * len(bullet[0]) if bullet else "")) if each])


def words_to(code: str, source: SourceContext) -> str:
    """The words that lead to one block of code in the source; empty for several."""
    blocks = markdown.scan(code).blocks
    return lead_to(blocks[0].text, source) if len(blocks) == 1 else ""


def as_shown(lead: str) -> str:
    """Words that lead to code, with one colon for the two of reStructuredText."""
    return lead.removesuffix(":") if lead.endswith("::") else lead
