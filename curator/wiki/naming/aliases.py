"""Aliases: another name of a page is one that the source, or the page, gives to this thing, recognisably.

It is an acronym of the title or the title of it, another spelling, or it stands beside the title as a name does: "X (Y)",
"X, also called Y", "Y is short for X". Of a person or a thing the last word alone is a name where the source uses it
so, without an article. Whatever the source says, an alias is short, and no word that means other things everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from curator.wiki.english.stop_words import STOP
from curator.wiki.english.words import phrase
from curator.wiki.naming.framing import is_doubtful, is_framed, tells_apart
from curator.wiki.naming.labels import statement_in
from curator.wiki.naming.terms import PlacedWords, Terms, key
from curator.wiki.pages.names import WORD, name_key

LONGEST = 60
MOST_WORDS = 6
MOST_AT_ONCE = 5
"""New aliases of one page."""
MOST_AN_INGEST = 40

_WORD = re.compile(WORD)
_TIES = frozenset(
    "called known aka alias named formerly short abbreviated abbreviation stands dubbed termed nicknamed".split()
)
_IDLE = frozenset(
    "is are was were also as often sometimes commonly usually simply previously originally officially now for in under the "
    "a an name names acronym synonym term it its of by just referred to hereafter or "
    "en anglais auf englisch inglés kurz dit 英語 英文 简称 略称".split()
)
"""Words that may stand with those that tie two names."""
_LONGEST_TIE = 60
_LIKE = 0.75
"""From which two names are spellings of one."""
_WESTERN = str.maketrans("（），；「」«»„", '(),;"""""')
"""The brackets and quotation marks of other languages, as English writes them."""
_KIND_WITHIN = 5
"""Words behind a name within which "is a" says what kind of thing it is."""
_DETERMINERS = frozenset(
    "a an the this that these those its his her their our your my each every any some no all both".split()
)


def alias_fault(alias: str, title: str, kind: str, terms: Terms, page_text: str = "") -> str:
    """What is wrong with a new alias of a page; empty when nothing is. ``page_text``: what the page says already."""
    if reason := form_fault(alias):
        return reason
    if kind == "summary":
        return "" if _is_of_source(alias, terms) else f"the source {terms.path} is not called so"
    is_spelling = "".join(key(alias).split()) == "".join(key(title).split())
    if is_spelling or (terms.states(alias) and _is_acronym(alias, title)):
        return ""
    if key(alias) in map(key, terms.own) and key(title) in map(key, terms.own):
        return ""
    texts = (*terms.sentences, *map(PlacedWords.of, re.split(r"(?<=[.!?])\s|\n", page_text)))
    if any(are_beside(title, alias, text) for text in texts) or _is_last_name(alias, title, texts):
        return ""
    if any(_is_with_kind(*pair, texts) for pair in ((alias, title), (title, alias))):
        return ""
    return f"the source does not call {title!r} so"


def form_fault(alias: str) -> str:
    """What makes ``alias`` no name of anything."""
    words = key(alias).split()
    if len(alias) > LONGEST or len(words) > MOST_WORDS or "\n" in alias:
        return f"an alias has at most {MOST_WORDS} words and {LONGEST} characters"
    if not words or is_common(alias) or (len(alias) == 1 and alias.isascii()):
        return "a word like this means other things everywhere"
    if re.search(r"[<>`{}]|://|\[\[|\]\]|\]\(|^\[|\[\^|(?<!\s)\||\|(?!\s)", alias):
        return "an alias is words, without markup"
    reason = statement_in(phrase(alias))
    return f"an alias names ({reason})" if reason else ""


def is_common(name: str) -> bool:
    """True for what is no name of anything: a small letter, or words such as ``the`` and ``which``."""
    if name.isupper():
        return False  # "IT" and "C" are names
    words = name.casefold().split()
    return all(word in STOP or (len(word) == 1 and word.isascii()) for word in words)


def is_one_thing(one: str, other: str, terms: Terms) -> bool:
    """True when the source says that these are two names of one thing. Spaces and hyphens alone make no other name.

    Likeness, initials and last names, which tell an alias, do not tell that.
    """
    if not terms.states(one) or not terms.states(other):
        return False
    if "".join(name_key(one).split()) == "".join(name_key(other).split()):
        return True
    if any(tells_apart(text.text, *pair) for text in terms.sentences for pair in _pairs(one, other, text)):
        return False
    pairs = ((one, other), (other, one))
    return any(are_beside(one, other, text, is_proof=True) for text in terms.sentences) or any(
        _is_with_kind(*pair, terms.sentences) for pair in pairs
    )


def are_alike(names: Sequence[str], others: Sequence[str]) -> bool:
    """True when one of ``names`` has a word, the initials or the spelling of one of ``others``."""
    for one in names:
        for other in others:
            shared = set(key(one).split()) & set(key(other).split())
            if _are_siblings(key(one).split(), key(other).split()):
                continue
            if any(word not in STOP for word in shared) or _is_acronym(one, other):
                return True
            first, second = ("".join(key(name).split()) for name in (one, other))
            if _are_letters_of(one, other) or _are_letters_of(other, one):
                return True
            if SequenceMatcher(None, first, second, autojunk=False).ratio() >= _LIKE:
                return True
    return False


def _are_siblings(one: Sequence[str], other: Sequence[str]) -> bool:
    """True for the names of two things of a kind: formic acid, oxalic acid."""
    return one[-1:] == other[-1:] and bool(one[:-1]) and bool(other[:-1]) and not {*one[:-1]} & {*other[:-1]}


def are_beside(title: str, alias: str, sentence: PlacedWords, *, is_proof: bool = False) -> bool:
    """True when ``sentence`` gives one thing both names: ``X (Y)``, ``X, also known as Y``, ``Y, short for X``.

    ``is_proof``: nothing in it may be a reason to doubt that.
    """
    is_other = is_doubtful if is_proof else is_framed
    return any(
        _are_tied(sentence.text, *pair, alias, title) and not is_other(sentence.text, *pair)
        for pair in _pairs(title, alias, sentence)
    )


def _pairs(one: str, other: str, sentence: PlacedWords) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Where both names stand, neither within the other, in their order."""
    if f" {key(one)} " not in sentence.flat:
        return
    for place in sentence.places(other):
        for also in sentence.places(one):
            first, second = sorted((also, place))
            if first[1] <= second[0]:
                yield first, second


def _are_tied(sentence: str, first: tuple[int, int], second: tuple[int, int], alias: str, title: str) -> bool:
    sentence = sentence.translate(_WESTERN)
    between, behind = sentence[first[1] : second[0]], sentence[second[1] :].lstrip("\"'”’ ")
    if len(between) > _LONGEST_TIE:
        return False
    between = re.sub(r"\([^()]*\)", "", between)  # "X (Z), also called Y"
    marks = re.sub(r"[\w\s\"'“‘”’]", "", between)
    words = [word.casefold() for word in _WORD.findall(re.sub(r"\ba\.?k\.?a\.?(?=\s)", "aka", between))]
    if any(word not in _IDLE and word not in _TIES for word in words):
        return False
    if _TIES & set(words):
        return True
    if marks == "(" and behind[:1] in (")", ",", ";"):
        return bool(words) or _is_name(alias, title, sentence)
    if marks in ("/", "=") and not words:
        return True
    # "X, or Y," names X again; "X, Y, or Z" and "X or Z" do not.
    is_listed = re.search(r",\s*\Z", sentence[: first[0]]) is not None
    return marks == "," and words == ["or"] and behind[:1] in (",", "", ")", ":") and not is_listed


def _is_name(alias: str, title: str, sentence: str) -> bool:
    """True for what can be nothing but a name in a parenthesis: capitals, several words, or letters of the title."""
    written = re.search(re.escape(alias), sentence, re.IGNORECASE)
    shown = written[0] if written else alias
    return any(letter.isupper() for letter in shown) or len(key(alias).split()) > 1 or _are_letters_of(alias, title)


def _are_letters_of(short: str, name: str) -> bool:
    """True when ``short`` begins as ``name`` does and its letters stand in it in the same order: ``sdist``."""
    letters = iter("".join(key(name).split()))
    return key(short)[:1] == key(name)[:1] and all(letter in letters for letter in "".join(key(short).split()))


def _is_acronym(alias: str, title: str) -> bool:
    """True when one of the two is the initials of the other's words."""
    for short, long in ((alias, title), (title, alias)):
        letters = re.sub(r"[^A-Za-z0-9]", "", short)
        capitals = letters.removesuffix("s") if not letters.isupper() else letters
        words = re.findall(r"[^\W_]+", long)
        initials = {
            "".join(word[0] for word in words).casefold(),
            "".join(word[0] for word in words if word.casefold() not in STOP).casefold(),
            "".join(re.findall(r"[A-Z]", long)).casefold(),
        }
        if len(capitals) > 1 and len(words) > 1 and capitals.isupper() and capitals.casefold() in initials:
            return True
    return False


def _is_of_source(alias: str, terms: Terms) -> bool:
    """True for one of the source's own names, or for a piece of one that has two words or a number."""
    pieces = {key(piece) for name in terms.own for piece in (name, *re.split(r"\s[–—-]\s|[:(),]\s?", name))}
    return key(alias) in pieces and (key(alias) in map(key, terms.own) or len(key(alias).split()) > 1)


def _is_with_kind(long: str, short: str, texts: Sequence[PlacedWords]) -> bool:
    """True for ``Oolong tea`` and ``Oolong``, where the text says that oolong is a tea."""
    whole, name = key(long).split(), key(short).split()
    if len(whole) != len(name) + 1 or whole[:-1] != name:
        return False
    for text in texts:
        for _, end in text.places(short):
            behind = [word for word, start, _ in text.words if start >= end][:_KIND_WITHIN]
            if behind[:1] in (["is"], ["are"]) and behind[1:2] != ["not"] and whole[-1] in behind:
                return True
    return False


def _is_last_name(alias: str, title: str, texts: Sequence[PlacedWords]) -> bool:
    """True for the last word of the title that stands alone somewhere, and nowhere as a common noun would."""
    wanted, whole = key(alias), key(title).split()
    if len(whole) < 2 or wanted != whole[-1]:
        return False
    alone = 0
    for text in texts:
        words = [word for word, _, _ in text.words] if f" {wanted} " in text.flat else []
        for at, word in enumerate(words):
            if word != wanted or words[max(0, at - len(whole) + 1) : at + 1] == whole:
                continue
            before = text.text[slice(*text.words[at - 1][1:])].casefold() if at else ""
            if before in _DETERMINERS or (at and words[at - 1] not in STOP):
                return False
            alone += 1
    return alone > 0
