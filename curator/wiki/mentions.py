"""Whether a page is meant where its name stands in a text: ``go`` and ``Go``, ``an extra`` and ``extra work``.

Case tells, where a page's name has capitals that its kind of name would not have, or where the page itself writes its name
with a capital within sentences. A word that is mostly a verb or an adjective names a page only where its sentence shows a
noun. What is in doubt is not meant: a link that is missing costs a reader less than one that misleads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from curator.wiki.english.ordinary import is_modifier, is_verb
from curator.wiki.english.stop_words import STOP
from curator.wiki.naming.aliases import is_common
from curator.wiki.pages import inline
from curator.wiki.pages.names import WORD, name_key, singular
from curator.wiki.pages.page import Page
from curator.wiki.pages.slug import unaccented
from curator.wiki.wiki import PageEntry

_LONGER_NAME = re.compile(r" [A-Z][a-z]")
_PARTED = re.compile(r"[.!?;:,]\s|[\n*_`\[\]()<>|]")
_BEGINS = re.compile(r"\A\W*\Z|[.!?:]\W*\Z|[\n|]\W*\Z|[“\"(]\Z")
_WORDS = re.compile(WORD)
_LAST = re.compile(rf"(?P<word>{WORD})(?P<gap>[^\w]*)\Z")
_FIRST = re.compile(rf"\A(?P<gap>(?:\[\[[^\[\]|]*\|)?[^\w]*)(?P<word>{WORD})")
_DETERMINERS = frozenset(
    "a an the this that these those its their his her our your each every any no some another".split()
)
_PRONOUNS = frozenset("i we you he she it they who which that one".split())
_AUXILIARY = frozenset(
    "is are was were be been has have had does do did can may must will would should could might".split()
)
_BEFORE_VERBS = frozenset(
    "to can cannot may must will would shall should could might do does did don't doesn't didn't can't won't not let be "
    "been being is are was were get gets got please and-or then also never always only".split()
)
_FOR_DOING = frozenset("for during upon after before until".split())
_OBJECTS = frozenset("the a an this these those its their his her our your them it us him me all each every".split())
_SET_PHRASES = frozenset(
    "at runtime|at run|at compile|at build|at install|at test|at hand|at first|at last|at least|at most|by default|by hand|"
    "in general|in practice|in place|in time|in use|in part|in order|in turn|in fact|in case|in addition|of course|on time|"
    "on demand|on disk|for example|for instance|for now|to date|up front".split("|")
)
_IN_SENTENCE = 40
"""Uses of its own name that a page is asked for."""


@dataclass(frozen=True)
class Place:
    """Where a name stands in a text."""

    text: str
    start: int
    end: int

    @property
    def mention(self) -> str:
        return self.text[self.start : self.end]

    @property
    def before(self) -> str:
        """The word before, in lower case; empty where a sentence, a cell or the text begins."""
        match = _LAST.search(self.text, max(0, self.start - 60), self.start)
        return "" if self.begins or match is None else match["word"].casefold()

    @property
    def after(self) -> str:
        """The word behind, in lower case; empty where a mark parts them or the text ends."""
        match = _FIRST.match(self.text[self.end : self.end + 120])
        return "" if match is None or re.search(r"[^\s\[\]|\w-]|\n", match["gap"]) else match["word"].casefold()

    @property
    def begins(self) -> bool:
        """True where anything would have a capital: at the beginning of a sentence, an item, a cell."""
        return _BEGINS.search(self.text, max(0, self.start - 8), self.start) is not None or self.start == 0


def is_meant(place: Place, entry: PageEntry, page: Callable[[], Page | None]) -> bool:
    """True when ``entry`` is what its name stands for at ``place``; ``page`` gives it with its body."""
    mention = place.mention
    if _PARTED.search(mention) or _is_half_quoted(mention) or is_common(mention) or _crosses_phrase(place):
        return False
    names = _names(mention, entry)
    if entry.kind == "summary":
        return any(_is_title(mention, name) for name in names)
    if not names:
        return False
    single = len(_WORDS.findall(mention)) == 1 and "-" not in mention
    if not single:
        return any(_alike(mention, name) or not is_coded(name) for name in names)
    return any(_is_word_of(place, name, entry, page) for name in names)


def is_coded(name: str) -> bool:
    """True for what is written as programs or makers write it: ``TYPE_CHECKING``, ``ForwardRef``, ``os.path``."""
    return bool(re.search(r"_|\w[.(\[]\w", name)) or (len(name.split()) == 1 and has_inner_capital(name))


def has_inner_capital(word: str) -> bool:
    return any(letter.isupper() for letter in word[1:])


def _names(mention: str, entry: PageEntry) -> tuple[str, ...]:
    """The names of the page that ``mention`` may be; its slug only where no name has these words in other capitals."""
    key = name_key(mention)
    given = tuple(name for name in (entry.title, *entry.aliases) if name_key(name) == key)
    slug = entry.slug.replace("-", " ")
    return given or ((slug,) if name_key(slug) == key else ())


def _alike(mention: str, name: str) -> bool:
    """True for the same letters, capitals and all, but for accents and the plural."""
    return singular(unaccented(mention)) == singular(unaccented(name))


def _is_title(mention: str, name: str) -> bool:
    """True for a document's name as it is written, or with a number, which is no name of a thing."""
    several = len(name.split()) > 1
    return (several and mention == name) or any(letter.isdigit() for letter in mention)


def _is_half_quoted(mention: str) -> bool:
    """True for ``Locations" metadata``: a link would begin or end within quotation marks."""
    return mention.count('"') % 2 == 1 or any(mention.count(one) != mention.count(other) for one, other in ("“”", "«»"))


def _crosses_phrase(place: Place) -> bool:
    """True for ``runtime protocol`` in "at runtime protocol classes", and for "to lock files" that locks them."""
    words = _WORDS.findall(place.mention)
    before = place.before
    if len(words) < 2:
        return False
    if f"{before} {words[0].casefold()}" in _SET_PHRASES:
        return True
    return before in _BEFORE_VERBS - _AUXILIARY and is_verb(words[0])


def _is_word_of(place: Place, name: str, entry: PageEntry, page: Callable[[], Page | None]) -> bool:
    """True for one word that means the page: by its capitals, and where it is an ordinary word by its sentence."""
    mention = place.mention
    word = singular(unaccented(mention)).casefold()
    if mention.islower() and _is_of_another(place, word):
        return False
    ordinary = is_verb(word) or is_modifier(word)
    exact = _alike(mention, name)
    is_title = mention[:1].isupper() and mention[1:].islower() and entry.kind == "concept"
    if is_title and _LONGER_NAME.match(place.text, place.end) and _is_written_small(word, page()):
        return False  # "the Relay Service" is no relay
    if not exact and (is_coded(name) or (has_inner_capital(mention) and not mention.isupper())):
        return False
    if not exact and not mention.islower() and not place.begins:
        return False
    if mention[:1].isupper() and not place.begins:
        return exact
    if not ordinary:
        return exact or _is_written_small(word, page())
    if name != entry.title and len(entry.title.split()) > 1:
        return False  # "typing" is more than a short form of "Typing module"
    if word.endswith("ing"):
        return (exact or _is_written_small(word, page())) and _is_noun(place, word)
    if place.begins and exact and mention[:1].isupper() and _begins_as_name(place):
        return True
    return _is_noun(place, word) and is_noun_on(page(), word)


def _is_of_another(place: Place, word: str) -> bool:
    """True for the doing in "distribution of notes", "for distribution", and for what a thing has: "a shop's packages"."""
    is_doing = word.endswith(("tion", "sion", "ment")) and (
        (place.after == "of" and place.before not in _DETERMINERS)
        or (place.before in _FOR_DOING and not _is_plural(place.mention) and not is_plain_noun(place.after))
    )
    return is_doing or place.before.endswith(("'s", "’s"))


def _begins_as_name(place: Place) -> bool:
    """True for ``Go is ...``, and not for ``Go to ...``."""
    return place.after in _AUXILIARY or place.text[place.end : place.end + 2] in ("'s", "’s")


def _is_written_small(word: str, page: Page | None) -> bool:
    """True unless the page writes its name with a capital within sentences, and never without."""
    small = capital = 0
    for found in _uses(word, page):
        small += found.mention.islower()
        capital += not found.mention.islower() and not found.begins
    return small > 0 or not capital


def is_noun_on(page: Page | None, word: str) -> bool:
    """True when the page uses the word as a noun itself: "an extra is", "extras", "package: a unit of ..."."""
    for found in _uses(word, page):
        is_counted = _is_plural(found.mention) or (found.mention[:1].islower() and found.before in _DETERMINERS)
        is_defined = found.begins and re.match(r":? an? ", found.text[found.end :], re.IGNORECASE)
        if is_defined or (is_counted and _is_noun(found, word)):
            return True
    return False


def _uses(word: str, page: Page | None) -> Iterable[Place]:
    """The places on the page, and in what it quotes, where the word stands."""
    if page is None:
        return
    text = re.sub(r"\[\^[^\]\s]+\]:? ?|sources/\S+|\[\[[^\]|]*\||[\[\]]", "", page.body)
    for start, end in reversed(inline.code_spans(text)):
        text = text[: start - 1] + "`" + text[end + 1 :]
    for count, match in enumerate(re.finditer(rf"\b{re.escape(word)}(?:e?s)?\b", text, re.IGNORECASE)):
        if count == _IN_SENTENCE:
            return
        yield Place(text, *match.span())


def _is_noun(place: Place, word: str) -> bool:
    """True where an ordinary word stands as a noun does: not as the verb, and not before what it would qualify."""
    before, after, plural = place.before, place.after, _is_plural(place.mention)
    if before in _PRONOUNS or (not plural and before in _BEFORE_VERBS):
        return False
    if is_verb(word) and after in _OBJECTS:
        return False
    if is_verb(word) and not plural and is_plain_noun(after):
        return False  # "the build tree" is a tree
    if plural or word.endswith("ing") or not is_modifier(word):
        return True
    hyphen = place.text[place.end : place.end + 1] == "-"
    return not hyphen and (not after or after in STOP or after in _AUXILIARY) and before in _DETERMINERS


def may_precede_verb(word: str) -> bool:
    """True for what stands before a verb, in lower case; empty where a sentence begins."""
    return not word or word in _PRONOUNS | _BEFORE_VERBS | {"and", "or"} or word.endswith(("s", "ly"))


def is_plain_noun(word: str) -> bool:
    """True for a word that can go on with the name before it: no small word, and none that is a verb, too."""
    if not word or word in STOP | _AUXILIARY or word.endswith(("ed", "ly")):
        return False
    return not is_verb(word) and not is_verb(singular(word))


def _is_plural(mention: str) -> bool:
    return mention.endswith("s") and singular(mention) != mention
