"""The headings that tell what a section is for: to be skipped, weighed less, or read first."""

from __future__ import annotations

import re

from curator.models.extractive.parsing.lexicon import phrases_of

_NAMES = frozenset("name bezeichnung nom nombre nome naam 名前 名称".split())
"""What a manual page has over its first line."""
_SKIPPED = frozenset(
    """
    acknowledgement acknowledgements acknowledgment acknowledgments bibliography changelog colophon contents
    copyright credits footnote footnotes index licence license reference references thanks
    """.split()
)
_SKIPPED_PHRASES = phrases_of(
    """
    table of contents | change history | revision history | version history | change log | see also |
    further reading | external links | works cited | post history | document history | changes since |
    summary of changes | summary of differences | inhaltsverzeichnis | literatur | einzelnachweise | siehe auch |
    weblinks | sommaire | table des matières | références | bibliographie | voir aussi | liens externes | índice |
    referencias | bibliografía | véase también | enlaces externos | 目录 | 参考文献 | 参考资料 | 外部链接 | 参见 | 目次 |
    脚注 | 関連項目 | 外部リンク | customer reviews | user reviews | ratings and reviews | customers also |
    you may also | you might also | related articles | related posts | related products | related stories |
    recommended for you | leave a reply | leave a comment | thank you | about the author | share this | most popular |
    kundenbewertungen | kunden kauften | das könnte | ähnliche artikel | avis clients | vous aimerez |
    articles similaires | opiniones de | también te | artículos relacionados | 関連記事
    """
)
_ASIDE = phrases_of(
    """
    rejected | considered but | open issue | open question | deferred | out of scope | not included |
    example | appendix | prior art | survey of | use case | why not | future work | possible future | counter |
    objection | to discuss | to be discussed | how to teach | reference implementation | test case | user feedback
    """
)
_WEIGHED = re.compile(
    r"\balternativ(?:es|en|as|os)\b|\balternative\b(?! (?!approach|solution|design|proposal|idea|option|implementation"
    r"|syntax|name|spelling|mechanism|format|scheme|encoding|strateg|suggestion|choice|representation|way|to\b|consider|reject)\w)"
)
"""Alternatives; not what is one of its kind: ``Alternative worksite location``."""
_LEADING = phrases_of(
    """
    abstract | summary | simple summary | executive summary | tl;dr | tldr | introduction | overview | purpose
    | zusammenfassung | kurzfassung | résumé | einleitung
    """
)
_IN_SHORT = (*_LEADING[: _LEADING.index("introduction")], "zusammenfassung", "kurzfassung", "résumé")
_CLOSING = phrases_of(
    """
    conclusion | decision | recommendation | resolution | rejection | outcome | lessons | acceptance | takeaway |
    fazit
    """
)


_LEADS = re.compile(
    rf"(?:{'|'.join(_LEADING)})(?:\Z|[^\w\s-]|\s(?:[^\w\s]|(?:of|and|to|for|by|der|des|in|zur?|zum|du|de|et|à)\b))",
    re.IGNORECASE,
)
"""Not ``Abstract base classes``."""


def is_skipped(title: str) -> bool:
    """True for a section about the document: references, copyright, history."""
    folded = " ".join(re.findall(r"[^\W_]+", title.casefold()))
    return folded in _SKIPPED or any(phrase in folded for phrase in _SKIPPED_PHRASES)


def may_tell(title: str, kind: str) -> bool:
    """True for running text below ``Contents``, which is no list of what stands below: the contents of a pack."""
    return title.casefold().strip(" .:") in ("contents", "index") and kind == "paragraph"


_ENDS = re.compile(
    r"(?:reasons? (?:for|of) (?:the |its )?)?(?:rejection|withdrawal)( notice| of this .*)?\Z"
    r"|why (?:it|this|the|this \w+|the \w+) (?:was|is|has been) "
    r"(?:rejected|withdrawn|turned down|abandoned|replaced|superseded)\Z"
)


def tells_end(title: str) -> bool:
    """True for a section on why the document itself was rejected or withdrawn."""
    return _ENDS.match(title.casefold().strip(" .:")) is not None


def is_aside(title: str) -> bool:
    """True for a section that tells what was weighed or shown, not what holds."""
    folded = title.casefold()
    return (_WEIGHED.search(folded) or any(phrase in folded for phrase in _ASIDE)) and not tells_end(title)


def is_quoted(title: str) -> bool:
    """True for who wrote what a letter quotes below: ``On Mon, 13 Jan 2025, Tom Becker wrote``."""
    return _WROTE.search(title) is not None and (title.endswith("essage") or any(map(str.isdigit, title)))


_WROTE = re.compile(r"\b(?:wrote|schrieb|écrit|escribió)\Z|\A(?:Original|Forwarded) [Mm]essage\Z")


def forbids(title: str) -> bool:
    """True for what only leads to what is not to be done, and names no document: ``Do not``, ``Never``, ``Not allowed``."""
    return _FORBIDS.fullmatch(title.strip(" .:!*")) is not None


_FORBIDS = re.compile(
    r"(?:please )?(?:do not|don['’]?ts?|never|avoid|not (?:allowed|included|permitted)|forbidden|prohibited|nie(?:mals)?"
    r"|verboten|nicht (?:erlaubt|gestattet)|interdit|prohibido)",
    re.IGNORECASE,
)


def shows(title: str) -> bool:
    """True for a section of examples."""
    return title.casefold().startswith("example")


def is_name(title: str) -> bool:
    """True for the first section of a manual page."""
    return title.casefold() in _NAMES


def is_leading(path: tuple[str, ...]) -> bool:
    """True under an abstract, a summary, an introduction."""
    return any(_LEADS.match(title) and len(title.split()) <= 4 for title in path[:2])


def is_in_short(path: tuple[str, ...]) -> bool:
    """True under what tells the whole document in a few sentences: an abstract, a summary."""
    return any(title.casefold().strip(" .:") in _IN_SHORT for title in path[:2])


def is_closing(path: tuple[str, ...]) -> bool:
    """True under a conclusion, a decision, a recommendation."""
    return any(title.casefold().startswith(_CLOSING) and len(title.split()) <= 4 for title in path[:2])
