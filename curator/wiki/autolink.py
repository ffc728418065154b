"""Links by name: the first mention of a page's title or alias becomes a wikilink (``curation.autoLink: byName``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from curator.wiki.english.words import phrase
from curator.wiki.mentions import Place, is_meant
from curator.wiki.naming.titles import QUALIFIED
from curator.wiki.pages import inline, markdown
from curator.wiki.pages.markdown import Link
from curator.wiki.pages.names import keys_in, name_key
from curator.wiki.pages.slug import LETTER
from curator.wiki.senses import Senses
from curator.wiki.wiki import PageEntry, Wiki

_MENTION_WORD = re.compile(rf"{LETTER}+(?:['’./-]{LETTER}+)*(?:\+\+|#(?!\w))?")
_UNLINKED = re.compile(r"\[\[!([^\[\]|]{1,80})\]\]")
_LONGEST = 6
_SHORT = 20
"""Characters of a name by which a document is called in passing."""
_SECTION = re.compile(r"\([1-9][a-z]{0,3}\)")
_URL = re.compile(r"https?://\S+|\[\^[^\[\]\s]+\]|</?[A-Za-z!][^<>]*>")


def unlinked(text: str) -> tuple[str, tuple[str, ...]]:
    """``text`` without the marks of words that no page is meant by, as in ``[[!go]]``, and those words."""
    return _UNLINKED.sub(r"\1", text), tuple(match[1] for match in _UNLINKED.finditer(text))


def link_first_mentions(
    text: str,
    wiki: Wiki,
    already: set[str],
    but: Collection[str] = (),
    senses: Senses | None = None,
) -> str:
    """``text`` with the first mention of each page of ``wiki`` linked; slugs in ``already`` are left, and added to it.

    ``but``: words that are not linked here; ``senses``: what words mean in the text's source, on its page.
    """
    senses = senses or Senses(wiki)
    links = markdown.scan(text).links
    already.update(link.target for link in links if link.form == "wiki")
    taken = [(link.start, link.end) for link in links]
    taken += [*inline.code_spans(text), *(match.span() for match in _URL.finditer(text))]
    words = [(m.start(), m.end()) for m in _MENTION_WORD.finditer(text)]
    known = wiki.called(keys_in(text))
    closed = [f" {name_key(words)} " for words in but]
    begin_names = {key.split(" ", 1)[0] for key in known}
    found: list[tuple[int, int, str]] = []
    at = 0
    while at < len(words):
        may_begin = begin_names.intersection(name_key(text[slice(*words[at])]).split(" "))
        hit = _longest_at(text, words, at, known, wiki) if may_begin else None
        if hit is None:
            at += 1
            continue
        last, entry = hit[0], senses.namesake(Place(text, words[at][0], words[hit[0]][1]), hit[1])
        section = _in_brackets(text, words[last][1])
        if _goes_on(text, words, at, last, known, wiki):
            at += 1
            continue
        start, end = words[at][0], words[last][1] + len(section)
        at = last + 1
        if text.startswith("(", end):
            continue  # "](" would make a link of another kind
        if any(words in f" {name_key(text[start:end])} " for words in closed):
            continue
        if entry is None or entry.slug in already or any(start < stop and begin < end for begin, stop in taken):
            continue
        if _is_within_code(text, start, end) or not senses.hold(Place(text, start, end), entry):
            continue
        already.add(entry.slug)
        found.append((start, end, entry.slug))
    found += _code_to_link(text, links, known, already, senses)
    for start, end, slug in sorted(found, reverse=True):
        text = f"{text[:start]}{_wikilink(slug, text[start:end], text, start)}{text[end:]}"
    return text


def _code_to_link(
    text: str, links: Sequence[Link], known: dict[str, list[PageEntry]], already: set[str], senses: Senses
) -> Iterator[tuple[int, int, str]]:
    """The code spans that are a page's name to the letter, with their backticks; each page is added to ``already``."""
    for start, end in inline.code_spans(text):
        code = text[start:end]
        entries = known.get(name_key(code), ())
        entry = next((each for each in entries if code in (each.title, *each.aliases)), None)
        if entry is None or entry.slug in already or "\n" in code or text[max(0, start - 2) : start] == "``":
            continue
        if not any(link.start < end and start < link.end for link in links) and senses.hold_for_code(code, entry):
            already.add(entry.slug)
            yield start - 1, end + 1, entry.slug


def _is_within_code(text: str, start: int, end: int) -> bool:
    """True for ``modules`` in ``node_modules``, ``REGEX`` in ``string(REGEX)``, ``wal`` in ``-wal``, without backticks."""
    before, after = text[max(0, start - 3) : start], text[end : end + 3]
    if re.search(r"\w\\?_\Z|(?:\A|[\s(\"“])-{1,2}\Z", before) or re.match(r"\\?_\w", after):
        return True
    return re.search(r"\w\(\Z", before) is not None and after.startswith(")")


def settle_links(text: str, resolve: Callable[[str], PageEntry | None], *, bare: bool = False) -> str:
    """Wikilinks by title get their slug; links to pages that do not exist, or by words that mislead, become their label.

    A link by its slug alone gets words, unless ``bare``.
    """
    for link in reversed(markdown.scan(text).links):
        if link.form != "wiki":
            continue
        target, bar, label = text[link.start : link.end].removeprefix("[[").removesuffix("]]").partition("|")
        label = label if bar else target
        words, anchor = label.partition("#")[0] or label, f"#{link.anchor}" if link.anchor else ""
        entry, section, end = resolve(link.target), _in_brackets(text, link.end), link.end
        is_other = not section and text.startswith("(", end)
        if entry is None or is_other or not leads_aright(words, entry, resolve, link.anchor):
            settled = words
        elif entry.slug == link.target and not section:
            if bar or bare or anchor or (words := _words_for(entry, text, link.start)) == entry.slug:
                continue
            settled = _wikilink(entry.slug, words, text, link.start)
        else:
            settled, end = _wikilink(entry.slug + anchor, f"{words}{section}", text, link.start), end + len(section)
        text = text[: link.start] + settled + text[end:]
    return text


def _in_brackets(text: str, at: int) -> str:
    """The ``(5)`` of a manual page that stands at ``at``: it belongs to the name, and behind ``]`` it would be a target."""
    found = _SECTION.match(text, at)
    return found[0] if found else ""


def _words_for(entry: PageEntry, text: str, at: int) -> str:
    """What a link that has no words of its own is read as: the title, as it stands within a sentence; not the slug."""
    names = (entry.title, *entry.aliases)
    if entry.title[1:].islower() and ("-" not in entry.slug or entry.title.casefold() == entry.slug):
        return entry.slug
    if entry.kind == "summary":
        numbered = (name for name in names if len(name) <= _SHORT and re.search(r"\d", name) and name != entry.slug)
        return inline.escape(next(numbered, entry.title))
    first, _, others = entry.title.partition(" ")
    is_plain = others.islower() and first[1:].islower() and not Place(text, at, at).begins
    small = first.lower() + " " + others
    return inline.escape(small if is_plain and (entry.kind == "concept" or small in entry.summary) else entry.title)


def leads_aright(label: str, entry: PageEntry, resolve: Callable[[str], PageEntry | None], anchor: str = "") -> bool:
    """True for the words of a link to ``entry`` that name the page, with its field in brackets or without, or the heading
    ``anchor``, or share a word with a name of it, or are no name.

    "The drink" and "here" name nothing; "oxalic acid" is the name of something else than thymol, page or not.
    """
    of_two = QUALIFIED.match(entry.title) if entry.kind != "summary" else None
    called = (*entry.names, *filter(None, [anchor.replace("-", " "), of_two and of_two["name"]]))
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
    text: str, words: list[tuple[int, int]], first: int, known: dict[str, list[PageEntry]], wiki: Wiki
) -> tuple[int, PageEntry] | None:
    for last in range(min(first + _LONGEST, len(words)) - 1, first - 1, -1):
        place = Place(text, words[first][0], words[last][1])
        key = name_key(place.mention)
        # "A wheel" goes by the key "wheel", but the article is not part of the name.
        if last > first and key == name_key(text[words[first + 1][0] : words[last][1]]):
            continue
        entries = known.get(key, ())
        for entry in entries:
            if is_meant(place, entry, partial(wiki.page, entry.slug)):
                return last, entry
    return None


def _goes_on(
    text: str, words: list[tuple[int, int]], first: int, last: int, known: dict[str, list[PageEntry]], wiki: Wiki
) -> bool:
    """True for "Debian Project" in "Debian Project Leader", when that has a page: a phrase ends with its thing."""
    later = (_longest_at(text, words, at, known, wiki) for at in range(first + 1, last + 1))
    return any(other is not None and other[0] > last for other in later)


def _wikilink(slug: str, words: str, text: str, at: int) -> str:
    """A link to be put at ``at``; in a table the bar is escaped, or it would end the cell."""
    in_table = text[text.rfind("\n", 0, at) + 1 : at].lstrip().startswith("|")
    bar = "\\|" if in_table else "|"
    return f"[[{slug}]]" if words == slug else f"[[{slug}{bar}{words}]]"
