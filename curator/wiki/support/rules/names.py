"""Names and code that neither what is quoted nor the page's or the source's names hold."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from curator.wiki.english.quantities import MONTHS
from curator.wiki.english.weekdays import weekdays_named
from curator.wiki.english.words import Phrase, StemmedWord, phrase
from curator.wiki.support.case import Case

_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}|[A-Za-z]\d|_|\+\+$|#$")
_FIXED = re.compile(r"[A-Z]{2}|[a-z][A-Z]|[A-Za-z]\d")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]+")
_IN_WORDS = 12
SHORT_NAMES = {
    "coordinated universal time": "utc",
    "universal time": "utc",
    "request for comments": "rfc",
    "greenwich mean time": "gmt",
    "extensible markup language": "xml",
    "hypertext transfer protocol": "http",
    "python package index": "pypi",
}
"""Names whose short forms are not made of their first letters."""
_BEGINS = frozenset((":", "|", "(", "["))
"""Marks behind which a first word has its capital by custom."""
_NO_NAMES = frozenset(
    "i it its the a an monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august september october november december true false none null ok yes no bc bce ad ce am pm".split()
)
OF_SOURCE = frozenset("article report document published issue minutes dated edition written".split())
"""Words with which a claim speaks of the source itself."""
TITLES = frozenset("mr mrs ms miss dr prof professor sir lady".split())
"""What may stand before a name, or its first name in its place."""
_SCALES = frozenset(("celsius", "fahrenheit", "kelvin"))
"""What a source may leave out behind its degrees."""
_RULES = frozenset("must should shall may only any all every each normalize normalized".split())
"""Words with which a source states a rule in general."""
_FOR_EXAMPLE = frozenset(("such as", "for example", "e g", "for instance"))
_KEYWORDS = frozenset(
    "def class import from return self cls pass if else for in is not and or int str lambda x y t".split()
)

_SHORTEST = 3
"""Letters of a short form that leaves letters of one word out."""
_SHORTEST_PLACE = 4
"""Letters of a place whose people are called by it: ``Egyptians``."""
_PEOPLE = ("n", "ns", "an", "ans", "ian", "ians", "ese", "n's", "ns'", "ans'", "ians'")


def name_unknown(case: Case) -> Iterator[str]:
    """A name that is not in the paragraphs quoted from, nor one of the page's or the source's."""
    for run in _runs(case.whole):
        missing = [word for word in run if not _is_held(case, word)]
        missing = [word for word in missing if word.lower not in MONTHS]  # days and months have a rule of their own
        if not missing or _is_spelled_out(case, run, missing):
            continue
        yield f"{' '.join(word.text for word in run)!r} is not in what is quoted"


def code_unknown(case: Case) -> Iterator[str]:
    """A code span with a word that is not in the paragraphs quoted from, nor in the names."""
    stated = case.context.stated
    states_rule = stated.lowers & _RULES and not stated.says(_FOR_EXAMPLE)
    examples = _written_in_two_ways(case.whole) if states_rule else frozenset()
    for word in case.whole.words:
        names = (
            word.code
            and word not in examples
            and not word.is_number
            and len(word.text) > 1
            and word.lower not in _KEYWORDS
        )
        in_address = word.lower in case.context.addresses or is_of_mail(
            case, word
        )  # read as no words where it is no code
        if names and not (in_address or _is_held(case, word) or _is_of_whole(case, word)):
            yield f"{word.text!r} is not in what is quoted"


def is_of_mail(case: Case, word: StemmedWord) -> bool:
    """True for a word of a mail address in code, all of which the source has."""
    spans = [span.strip().lower() for span in case.written.split("`")[1::2]]
    return word.code and any(word.lower in span for span in spans if span in case.context.mail_addresses)


def _is_of_whole(case: Case, word: StemmedWord) -> bool:
    """True for the ``toml`` of `Cargo.toml`, where Cargo is quoted and the source has all of it somewhere."""
    spans = [span.strip() for span in case.written.split("`")[1::2] if word.text in span]
    if any(span.startswith("-") or " " in span for span in spans):
        return False  # an option, or a whole command
    return bool(spans) and all(
        span in case.source.layout.text and any(_is_held(case, each) for each in phrase(span).content) for span in spans
    )


def _written_in_two_ways(text: Phrase) -> frozenset[StemmedWord]:
    """Code that differs from other code in case and marks only: worked examples, as ``Dev_Test`` and ``dev-test``."""
    spans: list[list[StemmedWord]] = []
    last = None
    for word in text.words:
        if word.code and last is not None and last.code and not word.after:
            spans[-1].append(word)
        elif word.code:
            spans.append([word])
        last = word
    letters = ["".join(filter(str.isalnum, "".join(word.lower for word in span))) for span in spans]
    return frozenset(word for span, key in zip(spans, letters, strict=True) if letters.count(key) > 1 for word in span)


def token_unknown(case: Case) -> Iterator[str]:
    """A number in digits, or a name that no grammar bends (``NASA``, ``iPhone``), that stands nowhere near the quotes."""
    near = f"{case.context.section.plain}\n{case.context.around.plain}\n{case.context.known.plain}"
    numbers, words = _digits(near), {word.casefold() for word in _WORD.findall(unicodedata.normalize("NFKC", near))}
    claim = unicodedata.normalize("NFKC", case.whole.plain)
    for number in _NUMBER.findall(claim):
        pieces = [_plain(number)] if number.count(".") + number.count(",") < 2 else re.findall(r"\d+", number)
        if any(not _may_be_worded(piece) and _plain(piece) not in numbers for piece in pieces):
            yield f"the number {number!r} is not in what is quoted"
    for word in _WORD.findall(claim):
        if _FIXED.search(word) and word.casefold() not in words:
            yield f"{word!r} is not in what is quoted"


def _may_be_worded(number: str) -> bool:
    """True for small and round numbers."""
    return number.isdecimal() and (int(number[:9]) <= _IN_WORDS or re.fullmatch(r"[1-9]0+", number) is not None)


def _digits(text: str) -> set[str]:
    """The numbers of a text, with and without what groups their digits."""
    text = unicodedata.normalize("NFKC", text)
    joined = re.sub(r"(?<=\d)[ .,'’\u00a0\u202f](?=\d{3}(?!\d))", "", text)
    return {_plain(number) for each in (text, joined) for number in (*_NUMBER.findall(each), *re.findall(r"\d+", each))}


def _plain(number: str) -> str:
    """``1.250`` and ``1,250`` as ``1250``, ``2,5`` as ``2.5``, ``04`` as ``4``."""
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", number):
        return re.sub(r"[.,]", "", number)
    return number.replace(",", ".").lstrip("0") or "0"


def _runs(text: Phrase) -> Iterator[list[StemmedWord]]:
    """The names in ``text``, each with all its words."""
    run: list[StemmedWord] = []
    for word in text.words:
        if _is_name(word):
            if run and (word.after or run[-1].sentence != word.sentence):
                yield run
                run = []
            run.append(word)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _is_name(word: StemmedWord) -> bool:
    if word.code or word.is_number or word.lower in _NO_NAMES or len(word.text) < 2:
        return False
    begins = word.begins or word.after in _BEGINS
    return bool(_CAMEL.search(word.text)) or (word.text[0].isupper() and not begins)


def _is_held(case: Case, word: StemmedWord) -> bool:
    """True for a word, or an identifier all of whose parts, that the quotes' surroundings or the names hold."""
    if any(_has(text, word) for text in (case.context.around, case.context.known)):
        return True
    if _has(case.context.section, word):  # a whole section, only where it has to be
        return True
    if word.lower in _SCALES and not _SCALES & case.context.around.lowers:
        return bool({"degree", "degrees"} & case.context.around.lowers)
    if word.lower in case.context.addresses and not word.code:
        return True
    if word.stem in weekdays_named(case.context.stated):
        return True  # "Tuesdays", where a note has "Tue"
    plural = word.text.removesuffix("s")
    return (plural if plural != word.text else f"{word.text}s").lower() in case.context.around.lowers


def _has(text: Phrase, word: StemmedWord) -> bool:
    if word.lower in text.lowers or word.stem in text.stems:
        return True
    return len(word.lower) >= _SHORTEST_PLACE and any(f"{word.lower}{end}" in text.lowers for end in _PEOPLE)


def _is_spelled_out(case: Case, run: Sequence[StemmedWord], missing: Sequence[StemmedWord]) -> bool:
    """True when the initials of the name are an acronym in what is quoted, or what is missing is one for words there."""
    at = case.whole.words.index(run[0])
    before = case.whole.words[at - 1] if at else run[0]
    long = (before, *run) if before.text[0].isupper() and before.sentence == run[0].sentence else run
    initials = "".join(word.text[0] for word in long).lower()
    claim, around = case.whole.flat, case.context.around
    forms = [(long, short) for long, short in SHORT_NAMES.items() if f" {long} " in claim and short in around.lowers]
    forms += [(short, long) for long, short in SHORT_NAMES.items() if short in claim and f" {long} " in around.flat]
    if any(all(word.lower in mine.split() for word in missing) for mine, _ in forms):
        return True
    whole = "".join(word.lower for word in run)  # "Raspberry Pis" of "raspberrypis"
    if (
        len(run) > 1
        and {initials, f"{initials}s", whole, f"{whole}s", whole.removesuffix("s")} & case.context.around.lowers
    ):
        return True
    if (
        len(run) == 1
        and run[0].lower in case.source.vocabulary.lowers
        and is_shortened(run[0], case.context.stated.words)
    ):
        return True
    words = case.context.around.words
    letters = ["".join(word.lower[0] for word in words), "".join(word.lower[0] for word in words if word.is_content)]
    return all(
        len(word.lower) > 1 and word.text.startswith(word.lower.upper()) and any(word.lower in each for each in letters)
        for word in missing
    )


def is_shortened(name: StemmedWord, words: Sequence[StemmedWord]) -> bool:
    """True for ``Subversion`` where ``words`` have SVN: letters of it in their order, the first one first."""
    shorts = {word.lower for word in words if word.text.isupper() and _SHORTEST <= len(word.text) < len(name.text)}
    return any(name.lower[0] == short[0] and _has_letters(name.lower, short) for short in shorts)


def _has_letters(word: str, letters: str) -> bool:
    rest = iter(word)
    return all(letter in rest for letter in letters)
