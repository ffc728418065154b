"""Rules on what a reader of a page does not see, or sees as something else than it is (research B2, B3, L3).

Judged on what the reader of Markdown makes of the page, not on how its lines look.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from curator.checks.rules.change import Change
from curator.checks.rules.edits import Edit, edits, folded, names_in, raw, unmarked
from curator.finding import Finding
from curator.wiki.pages import inline, markdown
from curator.wiki.pages.look_alikes import mixed_words, twin_words
from curator.wiki.sources.folding import fold

_CALLOUT = re.compile(r"\[![\w-]+\]")
_FIELD = re.compile(
    r"^(?:[^\S\n]|[>|#])*(?:(?:[-*+]|\d{1,9}[.)])[^\S\n]+)*(?P<line>[^\[\]():|\n]{1,60}?)::(?:\s|$)"
    r"|[\[(](?P<inline>[^\[\]():|\n]{1,60}?)::",
    re.MULTILINE,
)
_LONGEST_KEY = 100
_BLOCK_ID = re.compile(r"(?:^|\s)\^[A-Za-z0-9-]+[ \t]*$", re.MULTILINE)
_TAG = re.compile(r"(?<![^\s(])(?<!\]\()#[A-Za-z][\w/-]*")


def reference_added(change: Change) -> Iterator[Finding]:
    """reference_added (L3): no new link reference definition, however deep or long: nobody sees what stands in it, and
    it would turn words elsewhere on the page into links."""
    for edit in edits(change):
        known = Counter(text for _, text in markdown.unshown(edit.old.body)) if edit.old else Counter[str]()
        for line, text in markdown.unshown(edit.page.body):
            known[text] -= 1
            if known[text] < 0:
                message = f"links are written in place, not by reference: {text[:60]!r}"
                yield Finding("reference_added", edit.page.path, message, edit.page.line_of(line))


def link_title(change: Change) -> Iterator[Finding]:
    """link_title: a new link has no title, which is shown only to who points at it."""
    for edit in edits(change):
        known = {(link.target, link.title) for link in edit.old.outline.links} if edit.old else set()
        for link in edit.page.outline.links:
            if link.title and (link.target, link.title) not in known:
                message = f"a link's title cannot be cited: {link.title[:60]!r}"
                yield Finding("link_title", edit.page.path, message, edit.line(link))


def plugin_markup(change: Change) -> Iterator[Finding]:
    """plugin_markup (B2): no callouts, inline fields (``status:: verified``), tags or block ids, which programs for notes
    read otherwise than they stand there; but such as the source has itself."""
    source = folded(change.evidence.document.text)
    keys = [
        fold(source[max(0, found.start() - _LONGEST_KEY) : found.start()])[0] for found in re.finditer("::", source)
    ]
    for edit in edits(change):
        for block in (*edit.claims, *edit.added("heading")):
            written = unmarked(raw(edit.page, block))
            text = _code_blanked(written)
            fields = (folded(written[slice(*found.span(found.lastgroup or 0))]) for found in _FIELD.finditer(text))
            seen = [f"{key}::" for key in fields if not any(each.endswith(fold(key)[0]) for each in keys)]
            said = [found[0].strip() for pattern in (_BLOCK_ID, _TAG) for found in pattern.finditer(text)]
            seen += [piece for piece in said if piece not in source]
            if callout := _CALLOUT.match(text):
                seen.append(callout[0])
            if seen:
                message = f"{seen[0][:40]!r} is read by programs, not by people"
                yield Finding("plugin_markup", edit.page.path, message, edit.line(block))


def _code_blanked(text: str) -> str:
    """``text`` with backticks alone where its code stands, so that all else keeps its place."""
    for first, last in inline.code_spans(text):
        text = f"{text[:first]}{'`' * (last - first)}{text[last:]}"
    return text


def mixed_script(change: Change) -> Iterator[Finding]:
    """mixed_script (B3): no new word mixes Latin letters with Cyrillic, Greek or mathematical ones but such as the source
    has; and no name mixes them with letters that look the same."""
    source = change.evidence.document.text
    for edit in edits(change):
        old = set(names_in([edit.old.fields])) if edit.old else set[str]()
        names = [text for text in names_in([edit.page.fields]) if text not in old]
        found = [(word, 1) for name in names for word in twin_words(name)]
        for line, text in _shown(edit):
            found += [(word, line) for word in mixed_words(text) if word not in source]
        for word, line in found:
            yield Finding("mixed_script", edit.page.path, f"letters of two kinds in one word: {word!a}", line)


def _shown(edit: Edit) -> Iterator[tuple[int, str]]:
    """The words that the change adds, as they are shown, with their lines."""
    yield from ((edit.line(block), block.text) for block in (*edit.claims, *edit.added("heading")))
    yield from edit.lines  # heads of tables are no blocks
