"""How names are compared, so that one thing has one page: ``the AI Act``, ``AI Acts`` and ``ai-act`` are the same name."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from curator.wiki.pages.slug import LETTER, unaccented

WORD = rf"{LETTER}+(?:['’]{LETTER}+)*(?:\+\+|#(?!\w))?"
"""A word of a name, as a pattern: ``C++`` and ``C#`` are not ``C``."""
_WORD = re.compile(WORD)
SPACELESS = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
ARTICLES = {"the", "a", "an", "der", "die", "das", "le", "la", "les", "el", "los", "las"}
_SENTENCE_ENDS = re.compile(r"[.!?;]\s+|\n\s*\n|[。！？]")
_KEY = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)+")
"""A name as programs have it."""
_LONGEST = 6
"""Words in the longest name that is looked for in a text."""
_LONGEST_SPACELESS = 12


@lru_cache(maxsize=8_192)  # 2 MB; a language's usual words and a source's names fit in
def name_key(name: str) -> str:
    """What two spellings of one name share: case, accents, hyphens, a leading article and the plural are folded."""
    words = [_singular(word) for word in words_of(name)]
    if len(words) > 1 and words[0] in ARTICLES:
        words = words[1:]
    return " ".join(words)


def plain(path: str) -> str:
    """A path as the most forgiving file system reads it."""
    return unicodedata.normalize("NFKC", path).casefold()


def keys_in(text: str) -> dict[str, int]:
    """Every name key that occurs in ``text`` as a run of 1 to 6 words, with how often.

    Scripts that write no spaces give their runs of 2 to 12 characters.
    """
    found = Counter[str]()
    for sentence in _SENTENCE_ENDS.split(text):
        words = [_singular(word) for word in words_of(sentence)]
        found.update(_runs(words))
        if SPACELESS.search(" ".join(words)):
            for word in words:
                if SPACELESS.search(word):
                    found.update(_pieces(word))
    return found


def _runs(words: list[str]) -> Iterator[str]:
    for start, key in enumerate(words):
        yield key
        for word in words[start + 1 : start + _LONGEST]:
            key = f"{key} {word}"
            yield key


def _pieces(word: str) -> Iterator[str]:
    for start in range(len(word)):
        for end in range(start + 2, min(len(word), start + _LONGEST_SPACELESS) + 1):
            yield word[start:end]


def words_of(text: str) -> list[str]:
    """The words of ``text``, as names are compared: in lower case, without accents and the 's of the possessive."""
    plain = unaccented(text).casefold()
    return [word.replace("’", "'").removesuffix("'s") for word in _WORD.findall(plain)]


def singular(name: str) -> str:
    """``name`` with each word without the possessive and the plural, capitals as they are."""
    return " ".join(_singular(re.sub(r"(?i)['’]s\Z", "", word)) for word in name.split())


def spelling_tells(one: str, other: str, text: str = "") -> bool:
    """True where capitals make two names of words that are spelt alike: ``ForwardRef`` and ``FORWARDREF``.

    So does the first letter where ``text`` writes both as code, as ``Final`` and ``@final``; and the plural where ``text``
    has one of them as a key: ``default-features = false`` is no default feature.
    """
    if _is_key(one, other, text) or _is_key(other, one, text):
        return True
    one, other = singular(unaccented(one)), singular(unaccented(other))
    if one == other or len(words_of(one)) != 1 or one.casefold() != other.casefold():
        return False
    if all(any(letter.isupper() for letter in word[1:]) for word in (one, other)):
        return True
    return all(re.search(rf"[`@.]{re.escape(word)}(?!\w)", text) for word in (one, other))


def _is_key(name: str, words: str, text: str) -> bool:
    """True for ``default-features`` beside ``default feature``, where ``text`` writes it as code or gives it a value."""
    if not _KEY.fullmatch(name) or " " not in words or words_of(name) == words_of(words):
        return False
    key = re.escape(name)
    return bool(re.search(rf"`{key}`|(?<![\w-]){key} ?[=:] ?[\w\"'\[{{]", text))


def _singular(word: str) -> str:
    """English plurals only: rules that are wrong for a word fold it the same way everywhere, which is all that counts."""
    if len(word) < 4 or not word.isascii() or not word.isalpha() or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    return word.removesuffix("s")


SERIES = tuple("adr bep bip cip cve dep din eip erc ecma ietf iso jep jsr kep nep pep rfc sep tc39 wcag xep".split())
"""What documents are called by their number of."""
_IN_SERIES = re.compile(r"(?P<name>[^\W\d_][\w ]{0,40} \d{1,6})(?::| [-–—]) \S")


def series_name(title: str) -> str:
    """``Kite Note 6`` for ``Kite Note 6: Lines of braided fibre``: the number of a document in its series; or nothing."""
    match = _IN_SERIES.match(title)
    return match["name"] if match else ""
