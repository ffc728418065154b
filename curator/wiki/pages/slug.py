"""Slugs: the kebab-case names of pages, and the rules they keep (AIP-10, layer 2; ADDENDA, frontmatter limits)."""

from __future__ import annotations

import re
import unicodedata

from curator.system.filenames import RESERVED

SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,94}[a-z0-9]\Z")
"""A leading digit is read although the public schema has none: the seed's own summaries start with a date."""

_IS_ONE = re.compile(r"(?=..)[a-z0-9]+(?:-[a-z0-9]+)*")
_MARKS = r"\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e\u3099\u309a"
_LETTER_MARK = re.compile(f"[{_MARKS}]")
LETTER = rf"(?:[^\W_]|[{_MARKS}])"
"""One letter or digit of a word, as a pattern; Python's ``\\w`` parts Hindi and Thai words at their vowels."""
_SIGNS = {re.compile(r"(?<=\w)\+\+"): "plus plus", re.compile(r"(?<=\w)#(?!\w)"): "sharp"}
"""``C``, ``C++`` and ``C#`` are three things."""
_LATIN = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i", "’": "", "'": ""}
)


def is_slug(text: str) -> bool:
    """True for 2 to 96 characters of a-z, 0-9 and inner hyphens that no file system reserves."""
    return bool(SLUG.match(text)) and not RESERVED.match(text)


def slugify(title: str, limit: int = 80) -> str:
    """The slug of ``title``: ``Café Noir (2nd)`` gives ``cafe-noir-2nd``; words in no Latin script give their code points.

    Returns an empty string when nothing nameable is left.
    """
    if len(title) <= limit and _IS_ONE.fullmatch(title) and not RESERVED.match(title):
        return title  # most names of files are
    lowered = unicodedata.normalize("NFKC", title).casefold().translate(_LATIN)
    for sign, word in _SIGNS.items():
        lowered = sign.sub(f" {word} ", lowered)
    words = re.findall(f"{LETTER}+", unaccented(lowered))
    slug = "-".join(word if word.isascii() else _code_points(word) for word in words)[:limit].strip("-")
    if not slug:
        return ""
    if len(slug) < 2 or RESERVED.match(slug):
        slug = f"{slug}-page"
    return slug


def slug_of_file(path: str) -> str:
    """The slug of the name of the file at ``path`` (with ``/``) without its suffix; empty as with ``slugify``."""
    name = path[path.rfind("/") + 1 :]
    at = name.rfind(".")
    return slugify(name[:at] if 0 < at < len(name) - 1 else name)


def unaccented(text: str) -> str:
    """``text`` without accents; marks that make it another letter, as in kana and the scripts of India, stay."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    kept = (c for c in decomposed if not unicodedata.combining(c) or _LETTER_MARK.match(c))
    return unicodedata.normalize("NFC", "".join(kept))


def _code_points(word: str) -> str:
    """A stable ASCII name for a word that has no Latin letters: ``研究`` gives ``u7814u7a76``."""
    return "".join(c if c.isascii() else f"u{ord(c):x}" for c in word)
