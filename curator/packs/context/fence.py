"""The wrappers around knowledge: what stands inside is data, and cannot close one, or open another.

Two things see to that. In the text, whatever a reader could take for a tag of a wrapper loses its bracket: in any case,
with full-width or look-alike letters, invisible characters in between, or entities in place of characters. And the text
stands between two lines with a number made from the text itself: it cannot contain the number, whoever wrote it. So the
same text gives the same bytes; nothing here is left to chance.
"""

from __future__ import annotations

import hashlib
import html
import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache

from curator.models.sandbox.hidden_characters import hidden_characters
from curator.wiki.pages.look_alikes import as_latin

_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});?|\\u00([0-9a-f]{2})|%([0-9a-f]{2})", re.IGNORECASE)
"""A character written in the way of HTML, JSON or addresses."""
_BRACKETS = str.maketrans(dict.fromkeys("‹〈⟨〈˂ᐸ❮❬≺⋖𐅃≪《«﹤＜", "<"))
_TAG = re.compile(r"<(?:[^\w<]|_){0,12}(?:available[\W_]{0,4})?know[l1i|]edge[\W_]{0,4}(?:packs?|resources?)")
"""The bracket next to the name: of ``<!--</knowledge_pack>`` the second."""
_NESTED = 4
"""How many times an entity may stand for another's ampersand."""
_LEAST_DIGITS = 16


def neutral(text: str) -> str:
    """``text`` without hidden characters, and with ``{`` for each bracket that could begin a wrapper's tag."""
    text = hidden_characters().sub("", text)
    if text.isascii() and "edge" not in text.casefold() and not set(text) & {*"&%\\"}:
        return text
    skeleton, places = _skeleton(_decoded(text))
    pieces, at = [], 0
    for tag in _TAG.finditer(skeleton):
        start, end = places[tag.start()]
        if start >= at:
            pieces += [text[at:start], "{"]
            at = end
    return "".join([*pieces, text[at:]])


def _plain(text: str) -> str:
    return _skeleton(_decoded(text))[0]


def _decoded(text: str) -> list[tuple[str, int, int]]:
    """Each character with where it stands in ``text``; an entity is the character it stands for."""
    found = [(c, at, at + 1) for at, c in enumerate(text)]
    for _ in range(_NESTED):
        flat = "".join(c for c, _, _ in found)
        again: list[tuple[str, int, int]] = []
        at = 0
        for entity in _ENTITY.finditer(flat):
            meant = _meant(entity)
            if len(meant) == 1:
                again += [*found[at : entity.start()], (meant, found[entity.start()][1], found[entity.end() - 1][2])]
                at = entity.end()
        if not at:
            break
        found = [*again, *found[at:]]
    return found


def _meant(entity: re.Match[str]) -> str:
    if code := entity[1] or entity[2]:
        return chr(int(code, 16))
    return html.unescape(entity[0] if entity[0].endswith(";") else f"{entity[0]};")


def _skeleton(characters: Iterable[tuple[str, int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """The text as it looks: folded, in Latin letters, without what cannot be seen; and where each character stands."""
    seen: list[str] = []
    places: list[tuple[int, int]] = []
    for c, start, end in characters:
        for each in _looks(c):
            seen.append(each)
            places.append((start, end))
    return "".join(seen), places


@cache
def _looks(character: str) -> str:
    folded = unicodedata.normalize("NFKD", character.translate(_BRACKETS))
    shown = "".join(c for c in folded if unicodedata.category(c) not in ("Cf", "Mn", "Me", "Cc", "Cn") or c in "\n\t")
    return as_latin(shown).translate(_BRACKETS).casefold()


def attributes(values: Mapping[str, str]) -> str:
    """`` name="acme" status="ready"``, each value on one line; those without a value are left out."""
    return "".join(f' {key}="{escaped(value)}"' for key, value in values.items() if value)


def escaped(value: str) -> str:
    """A value from a pack as it stands in an attribute or an element: one line, no markup."""
    return html.escape(neutral(" ".join(value.split())), quote=True)


def number_of(*texts: str) -> str:
    """A number made from ``texts`` that occurs in none of them."""
    digest = hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
    seen = [_plain(text) for text in texts]
    while any(digest[:_LEAST_DIGITS] in text for text in seen):
        digest = hashlib.sha256(digest.encode()).hexdigest()
    return digest[:_LEAST_DIGITS]


def wrapped(tag: str, about: Mapping[str, str], instructions: Iterable[str], text: str, after: str = "") -> str:
    """``text`` as data in a wrapper ``tag`` with the attributes ``about``; ``after``: markup of our own behind the text."""
    body = neutral(text).strip("\n")
    number = number_of(body)
    lines = [f"<{tag}{attributes(about)}>", *instructions, f"[data {number} begins]", body, f"[data {number} ends]"]
    return "\n".join([*lines, *([after] if after else []), f"</{tag}>"])
