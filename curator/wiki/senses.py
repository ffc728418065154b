"""Whether a source means the page's thing by a word that is spelled as the page is called, where words alone do not tell.

What a page's own words say of its name decides:

- An everyday word (``project``, ``version``) is linked only on the page of a thing that the word's own page names.
- A field, key or option that the page writes as code (the key ``versions``) is no word of a sentence.
- A word in capitals that is a common one too (``DELETE``) means what the source of the page's opening means by it.
- What something is said to be, as a status, ``is Final``, is no *Final* but in a sentence on what that page tells.
- The head of a compound is not the bare word: no ``overlay distribution`` is a *distribution*.
- In a source that a page does not cite, a common noun is meant only where the source names what the page says its thing has
  to do with: who never speaks of lock files has no *installer* of lock files.
- Of two things with a page each, ``Java`` and ``Java (language)``, that is meant of which the sentence, or else the source,
  has words; where it has words of both, or of neither, none is.
- A source that says what its thing of the name is, and means another one than the page, never means the page's.
- Two documents that are about different systems (SQLite, PostgreSQL), neither of which names the other's, mean different
  things by a term; so do they by a command in code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from curator.wiki.english.ordinary import is_everyday, is_modifier, is_verb
from curator.wiki.english.spelled import SCALES, WORDS
from curator.wiki.english.stems import stem
from curator.wiki.english.words import is_english, phrase
from curator.wiki.mentions import Place, is_plain_noun, may_precede_verb
from curator.wiki.naming.fields import SourceField, system_in
from curator.wiki.naming.homonyms import other_kind
from curator.wiki.naming.titles import QUALIFIED
from curator.wiki.pages import inline
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.editing import CLAIMS
from curator.wiki.pages.names import name_key, singular
from curator.wiki.pages.page import Page
from curator.wiki.pages.slug import slugify, unaccented
from curator.wiki.wiki import PageEntry, Wiki

_BEFORE = re.compile(r"(?<![\w'’-])(?P<word>[^\W\d_][\w'’-]*+)(?:\]\])? \Z")
_CAPITALS, _MORE = re.compile(r"(?<![\w-])[A-Z]{2,} \Z"), re.compile(r" [A-Z]{2,}(?![\w-])")
_PATH = re.compile(r"(?<!\S)sources/\S++")
_ENDS = re.compile(r"[.!?](?=\s)")
_LEAST_OF_SUMMARY = 3
"""Times that a summary has to write the name of what it is about."""
_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]")
_NO_NOUN = ("s", "ing", "fy", "ize", "ise", "ate")
"""How a word ends that is more than likely none before a noun that it would qualify."""
_PARTICIPLES = frozenset("broken built chosen drawn given grown held kept known made sent shown taken written".split())
_BEING = frozenset("is are was were be been being remains becomes stays".split())
_COUNTING = frozenset("a an each every one any no".split())
_in_code: WeakKeyDictionary[Page, frozenset[str]] = WeakKeyDictionary()
_said: WeakKeyDictionary[Page, str] = WeakKeyDictionary()
"""A page is read once."""


class Senses:
    """What the words of one source's statements mean on the page ``on``."""

    def __init__(self, wiki: Wiki, field: SourceField | None = None, on: Page | None = None) -> None:
        self._wiki, self._field, self._on = wiki, field, on
        self._namesakes: dict[str, list[Page]] = {}
        self._by_source: dict[tuple[str, ...], Page | None] = {}

    def namesake(self, place: Place, entry: PageEntry) -> PageEntry | None:
        """``entry`` or the page titled by its name and a field, whichever is meant at ``place``; None in doubt."""
        if entry.kind == "summary":
            return entry
        if entry.slug not in self._namesakes:
            entries = (entry, *self._wiki.qualified(entry.title))
            self._namesakes[entry.slug] = [
                page for each in entries if (page := self._wiki.page(each.slug)) is not None and page.is_readable
            ]
        pages = self._namesakes[entry.slug]
        if len(pages) < 2:
            return entry
        called = name_key(place.mention)
        pages = [page for page in pages if called in _keys_of(page)] or pages
        if place.mention.islower():
            pages = [page for page in pages if re.search(rf"\b{re.escape(place.mention)}", _told(page))] or pages
        citing = [page for page in pages if self._cites(page)]
        meant = (
            pages[0] if len(pages) == 1 else citing[0] if len(citing) == 1 else most_alike(pages, _sentence_at(place))
        )
        meant = meant or self._meant_in_source(pages)
        return None if meant is None else PageEntry.of(meant)

    def _meant_in_source(self, pages: Sequence[Page]) -> Page | None:
        """The one of ``pages`` that the source has the words of: it is read once for all places."""
        key = tuple(page.slug for page in pages)
        if key not in self._by_source:
            self._by_source[key] = most_alike(pages, self._field.text) if self._field is not None else None
        return self._by_source[key]

    def hold(self, place: Place, entry: PageEntry) -> bool:
        """True when ``entry``, by whose name something is called at ``place``, is what is meant there."""
        page = self._wiki.page(entry.slug) if entry.kind != "summary" else None
        if page is None or not page.is_readable:
            return True
        if self._is_of_another_kind(page):
            return False
        mention = re.sub(r"['’]s\Z", "", place.mention)
        if len(mention.split()) == 1 and mention.isalpha() and not self._is_sense_of_word(place, mention, page):
            return False
        is_common = entry.kind == "concept" and all(map(str.isalpha, mention.split())) and mention[1:].islower()
        if self._field is None or (entry.kind != "concept" and not mention.isupper()):
            return True
        return (not is_common or self._field.has(page)) and not self._is_of_another_system(page)

    def _is_sense_of_word(self, place: Place, mention: str, page: Page) -> bool:
        word = singular(unaccented(mention)).casefold()
        if mention.isupper():
            is_ordinary = is_verb(word) or is_modifier(word) or is_everyday(word)
            return not _is_part_of_keyword(place) and (not is_ordinary or self._is_of_opening(page))
        if not mention[1:].islower():
            return True
        if (mention.islower() or place.begins) and word in names_in_code(page):
            return False
        if mention.islower() and _is_head_of_compound(place):
            return False
        if mention[0].isupper() and place.before in _BEING and is_modifier(word) and not self._cites(page):
            return not _content(_sentence_at(place)).isdisjoint(_content(_told(page)) - {stem(word)})
        if is_everyday(word):
            return self._is_neighbour(page)
        return not mention.islower() or self._cites(page) or self._is_touched_by_source(page)

    def hold_for_code(self, code: str, entry: PageEntry) -> bool:
        """True when ``entry``, which is called so to the letter, is meant by ``code``; a plain word is many things."""
        page = self._wiki.page(entry.slug) if entry.kind != "summary" else None
        if page is None or not page.is_readable or (code.islower() and code.isalpha() and not self._cites(page)):
            return False
        return not self._is_of_another_system(page)

    def _cites(self, page: Page) -> bool:
        """True for a page that rests on the source, or that is being made of it."""
        return self._field is None or not self._field.path or not page.citations or page.cites(self._field.path)

    def _is_of_opening(self, page: Page) -> bool:
        """True where the statement that the page begins with is of the source."""
        home = home_of(page)
        return self._field is not None and (not home or home == self._field.path)

    def _is_neighbour(self, page: Page) -> bool:
        """True when ``page`` names the page that is written on."""
        if self._on is None or not self._on.is_readable or self._on.kind == "summary":
            return False
        said = f" {name_key(_told(page))} "
        return any(f" {name_key(name)} " in said for name in (self._on.title, *self._on.aliases))

    def _is_touched_by_source(self, page: Page) -> bool:
        """True unless the page's first sentence names other pages, and the source names none of them again and again."""
        opening = next((block for block in page.outline.blocks if block.kind in CLAIMS), None)
        if opening is None or self._field is None:
            return True
        sentence = _ENDS.search(page.body, opening.start, opening.end)
        end = sentence.start() if sentence else opening.end
        links = (link for link in page.outline.links if opening.start <= link.start < end)
        names = [_LINK.sub(r"\1", page.body[link.start : link.end]) for link in links if link.form == "wiki"]
        home = self._summary_of(home_of(page))
        names += [home.title, *home.aliases] if home is not None and names else []
        return not names or any(map(self._field.names, names))

    def _is_of_another_kind(self, page: Page) -> bool:
        """True where the source says what it means by the page's name, and that is another thing."""
        if self._field is None or self._cites(page):
            return False
        return bool(said := self._field.said_of((page.title, *page.aliases))) and bool(other_kind(page, said))

    def _is_of_another_system(self, page: Page) -> bool:
        """True where the source and that of the page's opening are of two systems, each with documents of its own."""
        home = home_of(page)
        summary = self._summary_of(home)
        if self._field is None or summary is None or home == self._field.path:
            return False
        mine, told = self._field.system, _PATH.sub("", without_marks(summary.body))
        theirs = system_in(told, _LEAST_OF_SUMMARY) if mine else ""
        if not theirs or self._field.writes(theirs) or mine.casefold() in told.casefold():
            return False
        ours, others = (set(entry.sources) if entry else set() for entry in map(self._wiki.named, (mine, theirs)))
        return bool(ours) and len(others) > 1 and len(ours & others) * 2 < min(len(ours), len(others))

    def _summary_of(self, path: str) -> Page | None:
        """The summary of the source at ``path``, as far as its name tells where it is."""
        slug = slugify(path.rpartition("/")[2].partition(".")[0]) if path else ""
        page = self._wiki.page(slug) if slug else None
        return page if page is not None and page.is_readable and page.kind == "summary" else None


def _keys_of(page: Page) -> set[str]:
    """What a page is called by, without the field in brackets."""
    bare = QUALIFIED.match(page.title)
    return set(map(name_key, (page.title, *page.aliases, *([bare["name"]] if bare else []))))


def home_of(page: Page) -> str:
    """The path of the source that the first statement of ``page`` cites; empty where it cites none."""
    for block in page.outline.blocks:
        if block.kind in CLAIMS:
            cited = (page.citations[label].path for label in block.citations if label in page.citations)
            if path := next(cited, ""):
                return path
    return ""


def _sentence_at(place: Place) -> str:
    starts = [found.end() for found in _ENDS.finditer(place.text, 0, place.start)]
    end = _ENDS.search(place.text, place.end)
    return place.text[starts[-1] if starts else 0 : end.start() if end else len(place.text)]


def _content(text: str) -> set[str]:
    return {word.stem for word in phrase(text).content}


def most_alike(pages: Sequence[Page], text: str) -> Page | None:
    """The one of ``pages`` of whose own words ``text`` has more than twice as many as of another one's; None in doubt."""
    said, *words = map(_content, (text, *(f"{page.title} {_told(page)}" for page in pages)))
    own = [each - set().union(*words[:at], *words[at + 1 :]) for at, each in enumerate(words)]
    first, second = [*sorted(((len(each & said), -at) for at, each in enumerate(own)), reverse=True), (0, 0)][:2]
    return pages[-first[1]] if first[0] > 2 * second[0] else None


def names_in_code(page: Page) -> frozenset[str]:
    """The one-word names of ``page`` that it first writes as code, and never counts as a thing: ``a cast``."""
    if page not in _in_code:
        claims = (block for block in page.outline.blocks if block.kind in CLAIMS)
        text = "\n".join(page.body[block.start : block.end] for block in claims)
        spans = inline.code_spans(text)
        names = {singular(name).casefold() for name in (page.title, *page.aliases) if name.isalpha()}
        _in_code[page] = frozenset(name for name in names if _is_in_code(name, text, spans))
    return _in_code[page]


def _is_in_code(word: str, text: str, spans: Sequence[tuple[int, int]]) -> bool:
    coded = [start for start, end in spans if singular(text[start:end].strip()).casefold() == word]
    if not coded:
        return False
    inside = {at for start, end in spans for at in range(start, end)}
    plain = [use for use in re.finditer(rf"\b{re.escape(word)}(?:e?s)?\b", text, re.I) if use.start() not in inside]
    if plain and plain[0].start() < coded[0]:
        return False
    uses = (Place(text, *use.span()) for use in plain)
    return not any(use.before in _COUNTING and not is_plain_noun(use.after) for use in uses)


def _is_head_of_compound(place: Place) -> bool:
    """True behind another common noun of English: ``overlay distribution``, ``package installer``."""
    found = _BEFORE.search(place.text, max(0, place.start - 80), place.start)
    if found is None or not is_english(phrase(place.text)):
        return False
    first, word = Place(place.text, found.start("word"), found.end("word")), found["word"]
    word = word[0].lower() + word[1:] if first.begins else word
    if not (word.isalpha() and word.islower()) or len(word) < 3 or word.endswith(_NO_NOUN):
        return False
    if word in _PARTICIPLES or word in WORDS or word in SCALES:
        return False
    if is_verb(word):
        return not may_precede_verb(first.before)
    return is_plain_noun(word) and not is_modifier(word)


def _is_part_of_keyword(place: Place) -> bool:
    """True for ``ROWID`` in ``WITHOUT ROWID``."""
    before = _CAPITALS.search(place.text, max(0, place.start - 40), place.start)
    return before is not None or _MORE.match(place.text, place.end) is not None


def _told(page: Page) -> str:
    if page not in _said:
        claims = (block.text for block in page.outline.blocks if block.kind in CLAIMS)
        _said[page] = without_marks("\n".join(claims))
    return _said[page]
