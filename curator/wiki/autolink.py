"""Links by name: the first mention of a page's title or alias becomes a wikilink (``curation.autoLink: byName``)."""

from __future__ import annotations

import re
from collections.abc import Callable

from curator.wiki.english.words import phrase
from curator.wiki.naming.aliases import is_common
from curator.wiki.pages import inline, markdown
from curator.wiki.pages.names import keys_in, name_key
from curator.wiki.pages.slug import LETTER
from curator.wiki.wiki import PageEntry, Wiki

_MENTION_WORD = re.compile(rf"{LETTER}+(?:['’./-]{LETTER}+)*(?:\+\+|#(?!\w))?")
_LONGEST = 6
_URL = re.compile(r"https?://\S+|\[\^[^\[\]\s]+\]|</?[A-Za-z!][^<>]*>")


def link_first_mentions(text: str, wiki: Wiki, already: set[str]) -> str:
    """``text`` with the first mention of each page of ``wiki`` linked; slugs in ``already`` are left, and added to it."""
    links = markdown.scan(text).links
    already.update(link.target for link in links if link.form == "wiki")
    taken = [(link.start, link.end) for link in links] + _closed_spans(text)
    words = [(m.start(), m.end()) for m in _MENTION_WORD.finditer(text)]
    known = wiki.named_all(keys_in(text))
    begin_names = {key.split(" ", 1)[0] for key in known}
    found: list[tuple[int, int, str]] = []
    at = 0
    while at < len(words):
        may_begin = begin_names.intersection(name_key(text[slice(*words[at])]).split(" "))
        hit = _longest_at(text, words, at, known) if may_begin else None
        if hit is None:
            at += 1
            continue
        last, entry = hit
        start, end = words[at][0], words[last][1]
        at = last + 1
        if entry.slug in already or any(start < stop and begin < end for begin, stop in taken):
            continue
        already.add(entry.slug)
        found.append((start, end, entry.slug))
    for start, end, slug in reversed(found):
        text = f"{text[:start]}{_wikilink(slug, text[start:end], text, start)}{text[end:]}"
    return text


def settle_links(text: str, resolve: Callable[[str], PageEntry | None]) -> str:
    """Wikilinks by title get their slug; links to pages that do not exist, or by words that mislead, become their label."""
    for link in reversed(markdown.scan(text).links):
        if link.form != "wiki":
            continue
        label = text[link.start : link.end].removeprefix("[[").removesuffix("]]").rpartition("|")[2]
        entry = resolve(link.target)
        if entry is None or not leads_aright(label.partition("#")[0] or label, entry, resolve, link.anchor):
            settled = label.partition("#")[0] or label
        elif entry.slug == link.target:
            continue
        else:
            anchor = f"#{link.anchor}" if link.anchor else ""
            settled = _wikilink(entry.slug + anchor, label.partition("#")[0], text, link.start)
        text = text[: link.start] + settled + text[link.end :]
    return text


def leads_aright(label: str, entry: PageEntry, resolve: Callable[[str], PageEntry | None], anchor: str = "") -> bool:
    """True for the words of a link to ``entry`` that name the page, or the heading ``anchor``, or share a word with a name
    of it, or are no name.

    "The drink" and "here" name nothing; "oxalic acid" is the name of something else than thymol, page or not.
    """
    called = (*entry.names, *filter(None, [anchor.replace("-", " ")]))
    if name_key(label) in map(name_key, called):
        return True
    other = resolve(label)
    if other is not None and other.slug != entry.slug:
        return False
    said, names = phrase(label), [phrase(name) for name in called]
    if any(word.stem in name.stems for word in said.content for name in names) or not said.content:
        return True
    initials = {"".join(word.text[0] for word in name.words).casefold() for name in names}
    return label.strip().casefold() in initials or (len(said.content) == 1 and not said.words[0].is_content)


def _longest_at(
    text: str, words: list[tuple[int, int]], first: int, known: dict[str, PageEntry]
) -> tuple[int, PageEntry] | None:
    for last in range(min(first + _LONGEST, len(words)) - 1, first - 1, -1):
        mention = text[words[first][0] : words[last][1]]
        key = name_key(mention)
        entry = known.get(key)
        # "A wheel" goes by the key "wheel", but the article is not part of the name.
        led = last > first and key == name_key(text[words[first + 1][0] : words[last][1]])
        if entry is not None and not led and _meant(mention, entry):
            return last, entry
    return None


def _meant(mention: str, entry: PageEntry) -> bool:
    """A short all-capitals name is meant only where it is written so: ``US`` is not ``us``; breaks and marks part names.

    Words such as "the" are nobody's name, whatever aliases a page has.
    """
    if re.search(r"[.!?;:,]\s|[\n*_`\[\]()<>|]", mention) or is_common(mention):
        return False
    if mention.islower() and len(mention) <= 4:
        names = [name for name in (entry.title, *entry.aliases) if name_key(name) == name_key(mention)]
        return not names or not all(name.isupper() for name in names)
    return True


def _closed_spans(text: str) -> list[tuple[int, int]]:
    """Where no link may be put: code, HTML, URLs, citation marks."""
    return [*inline.code_spans(text), *(match.span() for match in _URL.finditer(text))]


def _wikilink(slug: str, words: str, text: str, at: int) -> str:
    """A link to be put at ``at``; in a table the bar is escaped, or it would end the cell."""
    in_table = text[text.rfind("\n", 0, at) + 1 : at].lstrip().startswith("|")
    bar = "\\|" if in_table else "|"
    return f"[[{slug}]]" if words == slug else f"[[{slug}{bar}{words}]]"
