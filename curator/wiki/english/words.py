"""A text as the words that rules compare: without markup, each word with its stem, its clause, and how it is written.

Only English is understood: stems, stop words and short forms are English ones.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise

from curator.wiki.english.stems import parts, stem
from curator.wiki.english.stop_words import STOP
from curator.wiki.pages.citation import NOTE

_SHARED = frozenset("die do no a i in so an or at not to was am us up by be he me we will war man".split())
"""Small words of English that are words of another language, too: they tell nothing."""
_FOREIGN = (
    frozenset(
        "bis vom zum zur "
        "der die das den dem des ein eine einen einem einer und oder ist sind nicht mit von zu auf für im wird werden "
        "auch sich bei aus nach über le la les un une du et ou est sont pas avec pour dans sur par qui que ne se au aux "
        "el los las una es son con para por en del al lo il gli che di non per della het een en van op voor met zijn och "
        "att är som av inte med om os um uma não com na da dos se więc nie jest".split()
    )
    - _SHARED
)
"""Small words of other languages that are none in English."""

_FAMILY = 5
"""Letters that the words of one family begin with."""

_CODE_OPEN, _CODE_CLOSE = "\ue000", "\ue001"
_MARKUP: tuple[tuple[str, re.Pattern[str], str], ...] = tuple(
    (needed, re.compile(pattern), by)
    for needed, pattern, by in (
        ("``", r"``+\s?(.+?)\s?``+", rf"{_CODE_OPEN}\1{_CODE_CLOSE}"),
        ("<", r"`([^`<>]*[^`<>\s])\s*<[^`>]*>`_{0,2}", r" \1 "),
        (":`", r":(?:\w{1,20}:){0,3}(pep|rfc|cve|issue|bug):`([^`]+)`", r"\1 \2"),
        (":`", r"(?<![\w:]):[\w:+-]{1,60}:`[~!]?([^`<]*[^`<\s])\s*(?:<[^`>]*>)?`", r"\1"),
        ("`_", r"(?<![`\w])`([^`\s](?:[^`]*[^`\s])?)`_{1,2}(?![\w`])", r"\1"),
        ("`", r"`([^`]+)`", rf"{_CODE_OPEN}\1{_CODE_CLOSE}"),
        ("[[", r"!?\[\[(?:[^\[\]|]*\\?\|)?([^\[\]|]*)\]\]", r"\1"),
        ("](", r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s\"[^\"]*\")?\)", r"\1"),
        ("", rf"{NOTE}|\[#?\w{{1,12}}\]_", " "),
        ("://", r"<?(?:https?|ftp)://[^\s>)\]]+>?", " "),
        ("@", r"<?(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}>?", " "),
        ("_", r"(?<=\w)_{1,2}(?=[\s.,;:!?)]|$)", ""),
        ("*", r"(?<![\w*\ue000])\*{1,3}(?=\S)|(?<=\S)\*{1,3}(?![\w*])", ""),
        ("_", r"(?<![\w_])_(?=[^\W_])|(?<=[^\W_])_(?![\w_(])", ""),
        ("", r"^\s*(?:[-*+•]|\d+[.)])\s+|^\s*#{1,6}\s+|^\s*>\s?", ""),
        ("\n", r"(?<=\w)[‐\u00ad]\n\s*(?=\w)", ""),
    )
)
"""What marks words up, and what stays of it; each is looked for only in a text that has what it needs."""
_UNITS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("000", re.compile(r"(?<=\d)(?<!\d{4})[ \u00a0\u202f](?=000(?!\d))"), ""),
    ("", re.compile(r"(?<=\d)(?:\s?½|\s1/2\b)"), ".5"),
    ("¼", re.compile(r"(?<=\d)\s?¼"), ".25"),
    ("¾", re.compile(r"(?<=\d)\s?¾"), ".75"),
    ("½", re.compile("½"), "0.5"),
    ("¼", re.compile("¼"), "0.25"),
    ("¾", re.compile("¾"), "0.75"),
    ("", re.compile(r"(?<=\d)\s?%(?!\w)|(?<=\w )per cent\b"), " percent"),
    ("°", re.compile(r"\s?°\s?C\b"), " degrees Celsius"),
    ("°", re.compile(r"\s?°\s?F\b"), " degrees Fahrenheit"),
    ("€", re.compile(r"(?<=\d)\s?€(?!\s?\d)"), " euros"),
    ("£", re.compile(r"(?<=\d)\s?£(?!\s?\d)"), " pounds"),
    (".", re.compile(r"(?<![\w.])\.(?=\d+(?![\w]))"), "0."),
    ("v", re.compile(r"(?<![\w.])v(?=\d+\.\d)"), ""),
    ("/", re.compile(r"(?<=\d/)(\d{1,4})(?:st|nd|rd|th)\b"), r"\1"),
    ("", re.compile(r"(?<!\w)['‘’](\w)['’](?=[a-z]{2})"), r"\1"),
)
_DUNDER = re.compile(r"(?<!\w)(?!_[A-Za-z]+_(?!\w))__?\w{1,60}?__?(?!\w)")
_NO_STOP = (
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bcf)(?<!\bca)(?<!\belev)(?<!\bapprox)"
    r"(?<!\bMrs)(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bProf)"
    r"(?!(?:(?<=\bpp)|(?<=\bv)|(?<=\bvv)|(?<=\bvol))\. \d)"
)
"""Behind a short form that ends in a point no sentence ends."""
_TOKEN = re.compile(
    rf"(?P<open>{_CODE_OPEN})|(?P<close>{_CODE_CLOSE})"
    r"|(?P<number>(?<!:)\d{1,2}:\d{2}(?::\d{2})?(?!\d|:\d)|\d+(?:[.,]\d+)*(?:\.x\b)?)|(?P<word>(?<![\w.])\.\d+[a-z]\w*|[^\W\d]\w*(?:['’]\w+)*(?:\+\+|\#(?!\w))?)"
    rf"|(?P<stop>{_NO_STOP}(?<![.!?])[.!?]++(?=[\s\"'”’)\ue001]|$))"
    r"|(?P<break>[;()\[\]{}|│—–]|(?<!\d):|:(?!\d)|,|\s-\s|\n\s*\n)|(?P<mark>[<>=%+~^$€£¥]+)"
)
_IN_NAME = re.compile(r"-(?!one\b)[^\W\d_]")
"""What follows the "no" of a name such as ``no-done``, which denies nothing."""
_WORDS = re.compile(r"[^\W\d_]\w*(?:'\w+)*")
_ALL_BUT = frozenset("all any anything anywhere everything everywhere nothing none".split())
_CLAUSE_WORDS = frozenset("but while whereas although though however unlike".split())


@dataclass(frozen=True, eq=False)
class StemmedWord:
    """One word or number of a text, at its place: the same word elsewhere is another one."""

    text: str
    """As written, without markup."""
    lower: str
    stem: str
    clause: int
    """Words of one clause have the same number."""
    sentence: int
    code: bool
    """It stands in a code span."""
    begins: bool
    """It is the first word of a sentence."""
    after: str
    """The mark between the word before and this one, as ``,`` or ``<=``; empty for none."""

    is_number: bool = field(init=False, compare=False, repr=False)
    is_content: bool = field(init=False, compare=False, repr=False)
    tells: bool = field(init=False, compare=False, repr=False)
    """Worked out once: each of many rules asks it of each word."""

    def __post_init__(self) -> None:
        is_number = self.text[0].isdecimal()
        object.__setattr__(self, "is_number", is_number)
        object.__setattr__(self, "is_content", not is_number and self.lower not in STOP and len(self.lower) > 1)
        object.__setattr__(self, "tells", is_number or self.is_content)


@dataclass(frozen=True, eq=False)
class Phrase:
    """A text as its words. Compared by identity: what is worked out of one is kept with it."""

    plain: str
    words: tuple[StemmedWord, ...]

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(stem for word in self.words for stem in (word.stem, *parts(word.text)))

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """What words of one family begin with: ``publi`` of ``publish`` and ``publication``."""
        return _beginnings(self.stems)

    def has_kin_of(self, word: StemmedWord) -> bool:
        """True when ``word``, or another word of its family, stands in the text."""
        return _has_kin(word, self.stems, self.beginnings)

    @cached_property
    def lowers(self) -> frozenset[str]:
        return frozenset(word.lower for word in self.words)

    @cached_property
    def flat(self) -> str:
        """The words in a row, in lower case with one space between and at both ends: to look up ``" so that "``."""
        return f" {' '.join(word.lower for word in self.words)} "

    @cached_property
    def clauses(self) -> tuple[tuple[StemmedWord, ...], ...]:
        found: dict[int, list[StemmedWord]] = {}
        for word in self.words:
            found.setdefault(word.clause, []).append(word)
        return tuple(tuple(words) for words in found.values())

    @cached_property
    def sentences(self) -> tuple[tuple[StemmedWord, ...], ...]:
        found: dict[int, list[StemmedWord]] = {}
        for word in self.words:
            found.setdefault(word.sentence, []).append(word)
        return tuple(tuple(words) for words in found.values())

    def parted(self, marks: Collection[str]) -> Iterator[tuple[StemmedWord, ...]]:
        """The sentences, parted where one of ``marks`` stands."""
        for sentence in self.sentences:
            ends = [at for at, word in enumerate(sentence) if at and word.after in marks and not word.code]
            yield from (sentence[start:end] for start, end in pairwise((0, *ends, len(sentence))))

    @cached_property
    def content(self) -> tuple[StemmedWord, ...]:
        return tuple(word for word in self.words if word.is_content)

    def says(self, terms: frozenset[str]) -> frozenset[str]:
        """Those of ``terms`` that stand in the text; a term may be of several words."""
        return frozenset(term for term in terms if f" {term} " in self.flat)


class Vocabulary:
    """The words of a long text, whatever they stand in: to tell "elsewhere" from "nowhere"."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lowers(self) -> frozenset[str]:
        return frozenset(word.removesuffix("'s") for word in set(_WORDS.findall(self.text.lower().replace("’", "'"))))

    @cached_property
    def lower_case(self) -> frozenset[str]:
        """The words that are written without a capital somewhere: no names."""
        return frozenset(word for word in set(_WORDS.findall(self.text)) if word.islower())

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(map(stem, self.lowers))

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        return _beginnings(self.stems)

    def has_kin_of(self, word: StemmedWord) -> bool:
        return _has_kin(word, self.stems, self._beginnings)


def _beginnings(stems: frozenset[str]) -> frozenset[str]:
    return frozenset(stem[:_FAMILY] for stem in stems if len(stem) >= _FAMILY)


def _has_kin(word: StemmedWord, stems: frozenset[str], beginnings: frozenset[str]) -> bool:
    return word.stem in stems or (len(word.lower) >= _FAMILY and word.stem[:_FAMILY] in beginnings)


def is_english(text: Phrase) -> bool:
    """False for a text with letters of another script, or more small words of another language than English ones."""
    shown = text.plain
    if not shown.isascii() and sum(letter.isalpha() and ord(letter) > 0x24F for letter in shown) * 4 > len(shown):
        return False
    foreign, own = small_words(text)
    return len(foreign) < 2 or len(foreign) <= len(own)


def small_words(text: Phrase) -> tuple[set[str], set[str]]:
    """Those of other languages, and those of English alone."""
    small = {word.lower if word.begins else word.text for word in text.words if not word.code}
    return small & _FOREIGN, small & (STOP - _FOREIGN - _SHARED)


@lru_cache(maxsize=4_096)
def phrase(text: str) -> Phrase:
    """``text``, Markdown or reStructuredText or neither, as its words."""
    shown = plain(text)
    return Phrase(shown.replace(_CODE_OPEN, "`").replace(_CODE_CLOSE, "`"), tuple(_words(shown)))


def joined(phrases: list[Phrase]) -> Phrase:
    """Several texts as one; no sentence or clause goes on from one to the next."""
    if len(phrases) == 1:
        return phrases[0]
    words: list[StemmedWord] = []
    for each in phrases:
        clause, sentence = (words[-1].clause + 1, words[-1].sentence + 1) if words else (0, 0)
        words += [_moved(word, clause, sentence) for word in each.words]
    return Phrase("\n\n".join(each.plain for each in phrases), tuple(words))


def plain(text: str) -> str:
    """``text`` without roles, links, emphasis and footnote marks; code spans between two private characters."""
    kept: list[str] = []

    def put_away(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\ue010{len(kept) - 1}\ue011"

    for at, (needed, pattern, by) in enumerate(_MARKUP):
        if needed in text:
            text = pattern.sub(by, text)
        if at == 5:  # what is code is not markup
            text = re.sub(f"{_CODE_OPEN}[^{_CODE_OPEN}{_CODE_CLOSE}]*{_CODE_CLOSE}", put_away, text)
            text = _DUNDER.sub(put_away, text)
    for needed, pattern, by in _UNITS:
        if needed in text:
            text = pattern.sub(by, text)
    for at in range(len(kept) - 1, -1, -1):
        text = text.replace(f"\ue010{at}\ue011", kept[at])
    return text


def _words(shown: str) -> list[StemmedWord]:
    words: list[StemmedWord] = []
    clause = sentence = opened = 0
    code = False
    begins, after = True, ""
    for match in _TOKEN.finditer(shown):
        kind, text = match.lastgroup or "", match[0]
        if kind in ("open", "close"):
            code = kind == "open"
        elif kind == "stop" and not code and not _is_initial(words, sentence, shown[match.end() :][:3]):
            clause, sentence, begins, after = clause + 1, sentence + 1, True, text
        elif kind == "break" and not code:
            opened = len(words) if text == "(" else opened
            closes_words = (after, text) == (")", ",") and opened < len(words)  # not "a(), b()"
            clause, after = clause + 1, after if closes_words else text.strip() or ";"
        elif kind in ("stop", "break", "mark"):
            after = text.strip()
        else:
            lower = text.lower().replace("’", "'").removesuffix("'s")
            if lower == "no" and _IN_NAME.match(shown, match.end()):
                lower = "no-"
            if lower in _CLAUSE_WORDS and not code and not (lower == "but" and words and words[-1].lower in _ALL_BUT):
                clause += 1
            found = text if kind == "number" else lower if lower == "no-" else stem(text)
            words.append(StemmedWord(text, lower, found, clause, sentence, code, begins, after))
            begins, after = False, ""
    return words


def _is_initial(words: Sequence[StemmedWord], sentence: int, behind: str) -> bool:
    """True behind the first letter of a name, ``is J. Patel``; not behind ``vitamin C``, the name of a thing."""
    told = [word for word in words[-2:] if word.sentence == sentence]
    letter = told[-1].text if told else ""
    before = told[0] if len(told) > 1 else None
    is_name = before is None or before.lower in STOP or before.text[:1].isupper()
    return (
        len(letter) == 1
        and letter.isupper()
        and letter != "I"
        and is_name
        and re.match(r" [^\W\d_][a-z]", behind) is not None
    )


def _moved(word: StemmedWord, clause: int, sentence: int) -> StemmedWord:
    """``word`` with what was worked out of it, so many clauses and sentences on."""
    moved = object.__new__(StemmedWord)
    moved.__dict__.update(word.__dict__, clause=word.clause + clause, sentence=word.sentence + sentence)
    return moved
