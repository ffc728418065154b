"""Code on its way into a page: it stands below words that lead to it, and in the list item that they are."""

from __future__ import annotations

from textwrap import indent

from curator.ingest.drafting.claims.found_quotes import FoundQuotes
from curator.models.extractive.parsing.inline import read_inline
from curator.wiki.pages import editing, inline, markdown
from curator.wiki.pages.foreign import form_in
from curator.wiki.sources.evidence import Missing
from curator.wiki.support.code_blocks import is_untied, lead_to
from curator.wiki.support.source_context import SourceContext


def is_code(text: str) -> bool:
    """True for a text that is nothing but code blocks."""
    return {block.kind for block in markdown.scan(text).blocks} == {"code"}


def code_below(above: str, code: str) -> str:
    """``code`` below ``above``; below a list item as far in as its words, or it would end the list."""
    bullet = editing.BULLET.match(above)
    return editing.join([each for each in (above, indent(code, " " * len(bullet[0]) if bullet else "")) if each])


def words_to(code: str, source: SourceContext) -> tuple[str, FoundQuotes]:
    """The words that lead to one block of code in the source, and where they stand; empty for none."""
    blocks = markdown.scan(code).blocks
    span = lead_to(blocks[0].text, source) if len(blocks) == 1 else None
    lead = " ".join(source.layout.text[slice(*span)].split()) if span is not None else ""
    found = source.evidence.find(lead)
    if span is None or isinstance(found, Missing):
        return "", FoundQuotes([], [])
    start, end = span[0], span[0] + len(source.layout.text[slice(*span)].rstrip(": \n"))
    citation = source.evidence.cite(start, end, lead)  # of several such words those before this code
    lead = lead.removesuffix(":") if lead.endswith("::") else lead
    if is_untied(source.layout.text, span[0]) and lead.split(maxsplit=1)[0].islower():
        lead = f"{lead[:1].upper()}{lead[1:]}"  # ``However, it installs ...`` is told without the word that ties it
    return lead, FoundQuotes([citation], [])


def as_shown(lead: str, format: str) -> tuple[str, ...]:
    """How a page may show ``lead``: its code as code without other markup of ``format``, else each character as it is."""
    written = (read_inline(lead, format).text, inline.escape(lead))
    return tuple(each for each in written if each and form_in(each) is None)
