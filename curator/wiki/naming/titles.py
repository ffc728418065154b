"""Titles of pages: a title is a name that the source states, or for a history or comparison made of such names."""

from __future__ import annotations

import re

from curator.wiki.english.words import phrase
from curator.wiki.naming.aliases import is_common
from curator.wiki.naming.brackets import bracket_fault
from curator.wiki.naming.labels import SWEEPING, USUAL, IsPage, statement_in
from curator.wiki.naming.terms import PlacedWords, Terms, key

QUALIFIED = re.compile(r"(?P<name>\S(?:.*\S)?)\s*\((?P<by>[^()]+)\)\s*\Z")
"""A name with its field, which tells it from another thing's: ``Capability (Linux)``."""
_ARTICLE = re.compile(r"\A(?:the|an?) (?=[a-z])")
"""What ``(the elder)`` begins with."""
_HISTORY = re.compile(
    r"\A(?:(?:a |the )?(?:history|timeline|chronology|chronicle|development|story|evolution|milestones) (?:of|in|at|for) |"
    r"(?:events|dates) (?:of|in|at) )|(?:'s|’s)? (?:history|timeline|chronology|over time|through the years)\Z|"
    r"\A(?:timeline|history|chronology)\s*[:–—-]\s*",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\A(?:a |the )?comparison (?:of|between) |\A(?:comparing|comparison:|differences? between) ?|"
    r",? (?:compared|in comparison|side by side|comparison|differences)\Z|,? (?:compared|in comparison) (?:with|to) ",
    re.IGNORECASE,
)
_AND = re.compile(
    r"(?:(?<!\s)\s+)?(?:,|/|&|:|;|\s[–—-]\s|\b(?:and|or|vs\.?|versus|compared (?:with|to)|against|to|from|of|the)\b)\s*",
    re.I,
)
_PIECES = re.compile(r"(?:(?<!\s)\s+)?(?:[,:;/|()\[\]]|\s[–—-]\s)\s*")
_COINED = re.compile(r"[A-Z]{2}|[a-z][A-Z]|\d|[a-z]-[a-z]")
"""What no word of a title in capitals has: the mark of a name that somebody made."""
_PARTS = USUAL | frozenset(
    map(key, "attribute call command directive flag header hook keyword mode module object operator tag target".split())
)
"""What a part of a thing is called, or the thing itself."""
_NUMBER = re.compile(r"[0-9a-f-]{4,10}", re.I)
"""A day or the end of a digest, which tell two sources of one title apart."""
_OF_A_SOURCE = frozenset(map(key, "summary notes source report article paper transcript log minutes".split()))


def title_fault(kind: str, title: str, terms: Terms, is_page: IsPage) -> str:
    """What is wrong with the title of a new page; empty when nothing is. A summary is titled as its source is."""
    if is_common(title):
        return "a word like this means other things everywhere"
    if terms.is_english and kind != "summary" and (fault := qualified_fault(title, terms, is_page)):
        return fault
    if not terms.is_english or is_titled(kind, title, terms, is_page):
        is_said = terms.states(title) or (kind == "summary" and _is_of_own_names(title, terms))
        return "" if is_said or not (reason := statement_in(phrase(title))) else f"a title names ({reason})"
    if kind == "summary":
        return f"the source is not called so; it is called {terms.title!r}"
    return "no name that the source states"


def qualified_fault(title: str, terms: Terms, is_page: IsPage) -> str:
    """What is wrong with the field or kind that a title has in brackets; empty where nothing is."""
    qualified = QUALIFIED.match(_HISTORY.sub("", title))
    if qualified is None or is_page(qualified[0]) or (" (" not in title and title in terms.text):
        return ""
    name, by = qualified["name"], _ARTICLE.sub("", qualified["by"])
    if is_page(f"{by} {name}"):
        return f"{f'{by} {name}'!r} is a page"
    if _is_of_its_subject(name, by, terms):
        return ""
    return bracket_fault(name, by, (*terms.sentences, *map(PlacedWords.of, terms.own)))


def _is_of_its_subject(name: str, by: str, terms: Terms) -> bool:
    """True for a term with what the source is about by its title: ``Journal (UBIFS)``, ``Key (dm-crypt)``."""
    is_term = re.search(rf"(?<![\w-]){re.escape(name.lower())}(?:e?s)?(?![\w-])", terms.text) is not None
    is_subject = any(next(iter(PlacedWords.of(own).places(by)), None) is not None for own in terms.own)
    return is_term and is_subject and _COINED.search(by) is not None


def is_titled(kind: str, title: str, terms: Terms, is_page: IsPage) -> bool:
    """True for a title that the source gives to a page of this kind."""
    if kind == "summary":
        return _is_of_own_names(title, terms) or (bool(key(title)) and _is_of_own_words(title, terms))
    if terms.states(title) or terms.states_turned(title) or _is_part(title, terms):
        return True
    is_history = kind == "timeline" or (
        kind == "concept" and title.startswith("History of ")
    )  # without years, it is one
    if is_history and _HISTORY.search(title):
        return _all_named(_HISTORY.sub("", title), terms, is_page)
    if qualified := QUALIFIED.match(title):
        return terms.states(qualified["name"]) and terms.states(qualified["by"])
    compared = _COMPARED.sub(" and ", title)
    named = (compared, _without_aspect(compared, terms))
    return kind == "comparison" and any(_all_named(each, terms, is_page) for each in named)


def _without_aspect(title: str, terms: Terms) -> str:
    """``A, B and C`` of ``A, B and C metadata fields``: in what they are compared, in words that the source has."""
    words = title.split()
    while words and words[-1].islower() and {*key(words[-1]).split()} <= terms.stems | USUAL:
        words.pop()
    return " ".join(words)


def _is_part(title: str, terms: Terms) -> bool:
    """True for a name with a part that the source has of it: of what it is all about, or a few words behind the name."""
    words = title.split()
    parted = ((" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words)))
    return any(
        _is_of_its_subject(part, name, terms) or (key(part) in _PARTS and terms.states_apart(name, part))
        for name, part in parted
    )


def _all_named(title: str, terms: Terms, is_page: IsPage) -> bool:
    def named(name: str) -> bool:
        return is_page(name) or (terms.states(name) and not qualified_fault(name, terms, is_page))

    pieces = [piece for piece in _AND.split(title) if key(piece)]
    return named(title) or (bool(pieces) and all(map(named, pieces)))


def _is_of_own_names(title: str, terms: Terms) -> bool:
    """True for ``EIP 6780: SELFDESTRUCT only in same transaction``, each part of which is a name of the source."""
    pieces = [piece for piece in _PIECES.split(title) if key(piece)]
    return bool(pieces) and all(_names_source(piece, terms) for piece in pieces)


def _names_source(piece: str, terms: Terms) -> bool:
    is_number = _NUMBER.fullmatch(piece) is not None and (piece.isalnum() or terms.states(piece))
    return terms.is_own(piece) or key(piece) in _OF_A_SOURCE or key(piece) in terms.headings or is_number


def _is_of_own_words(title: str, terms: Terms) -> bool:
    """True for the words of the source's names in another order: no matter which, where none of them turns what is said."""
    own = [word for name in terms.own for word in phrase(name).words]
    stems = {part for word in own for part in key(word.text).split()} | _OF_A_SOURCE
    turned = any(word.lower in SWEEPING for word in own)
    said = phrase(title).content
    return bool(said) and not turned and all(set(key(word.text).split()) <= stems for word in said)
