"""The texts of sources, to hold quotes against.

A text is read in the jail. One that is plain UTF-8 without anything hidden in it needs none: its lines are what the reader
in there would give, and no parser runs. Those that were asked for last are kept at hand.
"""

from __future__ import annotations

import os
import re
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath

from curator.errors import SourceError
from curator.models.sandbox import client
from curator.models.sandbox.extracted import as_answer, parse
from curator.models.sandbox.hidden_characters import hidden_characters
from curator.repository.runtime.runtime import Runtime
from curator.repository.source_files import SourcesFolder
from curator.system.beneath import open_beneath
from curator.system.bounded_cache import BoundedCache
from curator.wiki.sources.formats import FORMATS, PLAIN, Limits, format_of
from curator.wiki.sources.quick_evidence import QuickEvidence
from curator.wiki.sources.source import Document

_SMALL = 4_000_000
"""Bytes of a file that is read without the jail; a larger one is any source's business, with its limits."""
_KEPT = 100_000
"""Lines of sources that are kept at hand."""


def is_plain(path: str) -> bool:
    """True for a source in a format that is read as it is."""
    return FORMATS.get(PurePosixPath(path).suffix.lower()) in _AS_IT_IS


@lru_cache(maxsize=1024)
def has_reader(path: str) -> bool:
    """True for a source in a format that is read."""
    return PurePosixPath(path).suffix.lower() in FORMATS


_AS_IT_IS = (*PLAIN, "markdown")
_HIDING_MARKDOWN = re.compile(
    r"<[!?/a-z%]|\]\([^\s()]{0,600}+(?:\([^\s()]{0,300}+\))?\s|\]\(\s*+<|!\[|(?<!!)\[[^\w\[\]\n]*+\][(\[]|\\[hv]?phantom|\\(?:text)?color"
    r"|^[>*+ -]{0,9}(?:`{3}|~{3})[^\n]*\S[ ]|^ {0,3}(?:> ?)*+\[[^\[\]]+\]:|^\*\["
    r"|\{\{[!<]|\\begin\{comment|\\[hm]?(?:space|skip|kern)|\[\[[^\[\]|\n]{13,500}\|"
    r"|\{[ \t]?[:#.%*/>-]|\]\{|^\$\$|\{\{/|%%|^:::|\A(?:---|\+\+\+)"
    r"|^[ >]*+[:|-][ :|-]*+$|^% "
    r"|^[>*+ -]{0,9}(?:`{3}|~{3})\s*\{"
    r"|(?<![;\s])(?:[ \t\u00a0\u2000-\u200a\u3000]|&(?:nbsp|e[nm]sp|#160|#x[aA]0);){200}",
    re.IGNORECASE | re.MULTILINE,
)
"""What ``sandbox/formats/markdown.py`` looks for, and more."""
_NAME = r"[^\W_]+(?:[-._+:][^\W_]+)*+"
_HIDING = {
    "markdown": _HIDING_MARKDOWN,
    "rst": re.compile(
        rf"^[^\S\n]*+\.\.(?:$|[^\S\n]++(?!\[(?:[#*]|#?{_NAME})\](?:\s|$)|[_|](?!\s|$)|{_NAME} ?::(?:\s|$)))",
        re.MULTILINE,
    ),
    "asciidoc": re.compile(r"^(?:[^\S\n]*+//|\[comment\])", re.MULTILINE),
    "org": re.compile(r"^[^\S\n]*+#(?:\s|$|\+begin_comment)", re.MULTILINE | re.IGNORECASE),
}
"""What readers in the jail look for, and more: by ``sandbox/formats/remarks.py`` but for Markdown."""


class SourceTexts:
    """The sources of one wiki, read when they are asked for."""

    def __init__(self, root: Path, runtime: Runtime, limits: Limits) -> None:
        self._root, self._runtime, self._limits = root, runtime, limits
        self._folder = SourcesFolder(root)
        self._recent: BoundedCache[str, QuickEvidence] = BoundedCache(_KEPT, lambda each: len(each.document.lines))

    def evidence(self, path: str) -> QuickEvidence:
        """The source at ``path`` from the wiki root, ready to be asked for quotes. Raises SourceError."""
        return self._recent.get_or_make(path, lambda: QuickEvidence(path, self._document(path)))

    def _document(self, path: str) -> Document:
        file = self._root / path
        if not self._folder.has(path):
            raise SourceError("source_unreadable", f"{path} is not in sources/", "cite a source of this wiki")
        form = format_of(PurePosixPath(path))
        document = _plain(self._root, path) if form in _AS_IT_IS else None
        if document is not None and not may_hide(form, document.text):
            return document
        limits = self._limits()
        spooled = self._runtime.spool(file, "sha256", limits.bytes, self._root)
        try:
            document = kept_document(self._runtime, spooled.digest, path)
            if document is None:
                with spooled.open() as stream:
                    most, weak = limits.characters, limits.allow_weak
                    document = client.read_source(stream, format=form, name=path, max_chars=most, allow_weak=weak)[0]
                self._runtime.texts.put(spooled.digest, form, as_answer(document))
            return document
        finally:
            self._runtime.drop_spool(spooled)


def kept_document(runtime: Runtime, digest: str, path: str, *, of_any_reader: bool = False) -> Document | None:
    """What was read before of the bytes with this digest, of the source at ``path``; None where it was not kept."""
    form = FORMATS.get(PurePosixPath(path).suffix.lower(), "")
    kept = runtime.texts.get(digest, form, of_any_reader=of_any_reader)
    return parse(kept) if kept is not None else None


def _plain(root: Path, path: str) -> Document | None:
    """The text of a file that needs no reader; None for one that does."""
    try:
        descriptor = open_beneath(root, path)
        try:
            size = os.fstat(descriptor).st_size
            data = os.read(descriptor, min(size, _SMALL) + 1)
        finally:
            os.close(descriptor)
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return plain_document(text) if len(data) == size else None


def plain_document(text: str) -> Document | None:
    """A text as the reader in the jail would give it; None where it hides something, which is for that reader to say."""
    if text.encode().translate(None, _shown()) if text.isascii() else hidden_characters().search(text):
        return None
    return Document.from_text(text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n"))


def may_hide(format: str, text: str) -> bool:
    """True for a text in which the reader in the jail may find something that nobody sees."""
    return format in _HIDING and _HIDING[format].search(text) is not None


@cache
def _shown() -> bytes:
    """The bytes of ASCII that hide nothing: to delete them is the fastest look for others."""
    return bytes(code for code in range(128) if not hidden_characters().match(chr(code)))
