"""What looks like HTML and is words: ``List<String>``, and the ``<oid>`` that a source has in just these letters."""

from __future__ import annotations

import re

from curator.wiki.pages import inline, markdown

_TAG = re.compile(r"(?<=\w)<(?=[A-Za-z])|<(?P<name>[A-Za-z][\w-]{0,40}|[A-Za-z][\w.+-]{0,40}@[A-Za-z]\w{0,40})>")
"""Within a word; or with no attribute and no slash, where an address without a host is no mailbox's."""


def as_words(text: str, source: str) -> str:
    """``text`` in which such things are escaped; any other tag is left for the wall to refuse.

    ``source`` is the whole text that it is told from: a placeholder that stands there is told, and hides nothing.
    """
    if not _TAG.search(text) or not ("@" in text or markdown.scan(text).html):
        return text
    inside = {at for start, end in inline.code_spans(text) for at in range(start, end)}

    def escaped(match: re.Match[str]) -> str:
        is_code = match.start() in inside or text[: match.start()].endswith("\\")
        is_tag = match["name"] is not None and (match[0] not in source or f"</{match['name']}" in text)
        return match[0] if is_code or is_tag else f"\\{match[0]}"

    return _TAG.sub(escaped, text)
