"""Whether a source names the thing of a page at all: what it says can be of that thing only if it does."""

from __future__ import annotations

from collections.abc import Sequence

from curator.wiki.english.ordinary import is_modifier, is_verb
from curator.wiki.english.synonyms import SYNONYMS
from curator.wiki.english.words import Phrase, StemmedWord, is_english, phrase
from curator.wiki.support.source_context import SourceContext

_LEAST_PART = 4
"""Letters of a word that may stand within a longer one."""


def is_unnamed(names: Sequence[str], source: SourceContext) -> bool:
    """True where an English source has no word of any of ``names``, no initials of one, and no word that means the same.

    Of a name with capitals one of the words that have them has to be there: "hive" alone is no Warrick hive. The first of
    ``names`` is the title; beside one of several such words, an alias of words that are anything's names nothing alone.
    """
    words = [found for name in names if (found := phrase(name)).content]
    if words and _is_proper(words[0]):
        words = [words[0], *(name for name in words[1:] if _is_name_of_its_own(name, source))]
    return bool(words) and is_english(source.opening) and not any(_is_named(name, source) for name in words)


def _is_proper(name: Phrase) -> bool:
    """True for a name of two words or more that all have capitals: ``Oskar Lind``."""
    return len(name.content) > 1 and all(word.text[0].isupper() for word in name.content)


def _is_name_of_its_own(name: Phrase, source: SourceContext) -> bool:
    """False for another name that may be any thing's, beside a proper one: ``the Thief`` for a thief, ``Old Light``."""
    words = [word for word in name.content if word.lower not in source.vocabulary.lower_case]
    return any(not _is_ordinary(word) for word in words)


def _is_named(name: Phrase, source: SourceContext) -> bool:
    proper = [word for word in name.content if word.text[0].isupper() and not _is_ordinary(word)]
    initials = "".join(word.text[0] for word in name.content).lower()
    if len(name.content) > 1 and initials in source.vocabulary.lowers:
        return True
    return any(_is_there(word, source, parts=not _is_proper(name)) for word in proper or name.content)


def _is_ordinary(word: StemmedWord) -> bool:
    return is_verb(word.lower) or is_modifier(word.lower)


def _is_there(word: StemmedWord, source: SourceContext, *, parts: bool) -> bool:
    """``parts``: a part of it is enough; "light" names no Varn Lighthouse."""
    vocabulary, names = source.vocabulary, source.names
    if word.stem in vocabulary.stems | names.stems or (
        parts and (vocabulary.has_kin_of(word) or names.has_kin_of(word))
    ):
        return True
    if SYNONYMS.get(word.stem, frozenset()) & (vocabulary.stems | names.stems):
        return True
    longer = (each for each in vocabulary.lowers if len(each) >= _LEAST_PART)
    return len(word.lower) >= _LEAST_PART and any(
        word.lower in each or (parts and each in word.lower) for each in longer
    )
