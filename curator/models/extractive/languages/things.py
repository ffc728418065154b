"""What a source in another language speaks of, and where: things that it defines, names, or keeps telling of."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from curator.models.extractive.languages.language import Language
from curator.models.extractive.parsing.sentences import Sentence
from curator.models.extractive.terms import acronyms
from curator.models.extractive.terms.mentions import ABOUT, DEFINES, TOUCHES, Mention
from curator.models.extractive.terms.terms import Term
from curator.wiki.pages.names import name_key

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_BRACKET = re.compile(
    r"\s?[(（](?:(?:auf )?englisch|en anglais|en inglés|kurz|dit|英語|英文|简称|簡称|略称)?[ :：]*"
    r"[«„“\"「]?\s?([^()（）«»„“”\"「」,，、;]{2,40}?)\s?[»“”\"」]?[)）]",
    re.IGNORECASE,
)
_LONGEST = 4
"""Words of a name."""


def find_terms(language: Language, sentences: Sequence[Sentence], titles: Iterable[str]) -> dict[str, Term]:
    """The terms of the source by their keys."""
    found: dict[str, Term] = {}
    for sentence in sentences:
        for written, signal in _candidates(language, sentence):
            _put(language, found, written, signal)
    headed = {name_key(title) for title in titles}
    for term in found.values():
        term.signals |= {"heading"} if term.key in headed else set()
        _add_bracketed(term, sentences, language)
    return found


def _candidates(language: Language, sentence: Sentence) -> Iterator[tuple[str, str]]:
    if defined := defined_by(language, sentence.plain):
        yield defined, "defined"
    if not language.spaced:
        yield from (
            (match[1], "marked") for match in re.finditer(r"[「『《“]([^」』》”]{2,15})[」』》”]", sentence.plain)
        )
        return
    for match in re.finditer(
        r"(?<=[\w,;:] )[A-ZÀ-Þ][\w'’-]+(?: (?:de|von|du|del|la|der) | )(?:[A-ZÀ-Þ][\w'’-]+ ?){1,3}", sentence.plain
    ):
        words = match[0].split()
        if len(words) <= _LONGEST and words[0].casefold() not in language.stop and language.code != "de":
            yield " ".join(words), "name"


def defined_by(language: Language, plain: str) -> str:
    """The term that ``plain`` says the meaning of; or nothing."""
    for pattern in language.patterns:
        if (match := pattern.match(plain)) and _is_term(language, match["term"]):
            return match["term"].strip()
    return ""


def _is_term(language: Language, written: str) -> bool:
    words = _WORD.findall(written)
    if not words or language.leans(written):
        return False
    if not language.spaced:
        return written not in language.stop and not re.search(r"[的了在着和与及或]|どれ|何", written[1:])
    edges = {words[0].casefold(), words[-1].casefold()}
    is_noun = language.code != "de" or words[-1][:1].isupper()
    return is_noun and len(written) > 2 and edges.isdisjoint(language.stop | language.determiners)


def _put(language: Language, found: dict[str, Term], written: str, signal: str) -> None:
    written = " ".join(written.split()).strip("'\"“”‘’«»")
    key = name_key(written)
    if not key or not _is_term(language, written):
        return
    same = next((term for term in found.values() if _forms(language, term.key) == _forms(language, key)), None)
    term = same or found.setdefault(key, Term(key))
    term.signals.add(signal)
    term.named += signal == "name"
    term.written[written] += 1


_AND = frozenset("und oder et ou y o".split())


def _add_bracketed(term: Term, sentences: Sequence[Sentence], language: Language) -> None:
    """Other names, in brackets straight behind it where it is defined."""
    for written in term.written:
        for sentence in sentences:
            at = sentence.plain.find(written)
            match = _BRACKET.match(sentence.plain, at + len(written)) if at >= 0 else None
            if match is None or len(match[1].split()) > _LONGEST or re.search(r"\d{3}", match[1]):
                continue
            words = match[1].casefold().split()
            if words[0] in language.stop or _AND & {*words}:
                continue
            key = name_key(match[1])
            if (
                key
                and key != term.key
                and (len(match[1].split()) > 1 or acronyms.is_short(match[1]) or not match[1].isascii())
            ):
                term.aliases[key] = match[1]
                term.signals.add("short")


# -- mentions ------------------------------------------------------------------------------------------------------


def find_mentions(language: Language, sentences: Iterable[Sentence], terms: Iterable[Term]) -> dict[str, list[Mention]]:
    """The sentences that speak of each term, by its key."""
    found: dict[str, list[Mention]] = defaultdict(list)
    ways = [(way, term) for term in terms for key in term.keys if (way := _forms(language, key))]
    ways.sort(key=lambda each: -sum(map(len, each[0])))
    for sentence in sentences:
        defined = _forms(language, name_key(defined_by(language, sentence.plain)))
        best: dict[str, float] = {}
        words = list(map(language.folded, _WORD.findall(sentence.plain)))
        text = sentence.plain.casefold()
        for way, term in ways:
            about = DEFINES + 0.2 if way == defined else _aboutness(language, tuple(words), text, way)
            best[term.key] = max(best.get(term.key, 0.0), about)
            words, text = _without(language, words, text, way)
        for key, about in best.items():
            if about:
                found[key].append(Mention(sentence, 0, 0, about))
    for term in {id(term): term for _, term in ways}.values():
        term.used += len(found.get(term.key, ()))
    return found


def _without(language: Language, words: list[str], text: str, way: tuple[str, ...]) -> tuple[list[str], str]:
    """``words`` and ``text`` with blanks in the place of ``way``, so that no shorter name is found inside a longer one."""
    if not language.spaced:
        return words, text.replace(way[0], "\0" * len(way[0]))
    at = 0
    while at <= len(words) - len(way):
        if tuple(words[at : at + len(way)]) == way:
            words[at : at + len(way)] = [""] * len(way)
        at += 1
    return words, text


def _forms(language: Language, key: str) -> tuple[str, ...]:
    """The folded words of a name; of a language without spaces the name as it is."""
    return tuple(map(language.folded, _WORD.findall(key))) if language.spaced else (key,) if key else ()


def _aboutness(language: Language, words: tuple[str, ...], text: str, way: tuple[str, ...]) -> float:
    if not language.spaced:
        at = text.find(way[0])
        behind = text[at + len(way[0]) : at + len(way[0]) + 1]
        return 0.0 if at < 0 else ABOUT if at == 0 and behind not in "的の" else 0.7 if at <= 6 else TOUCHES + 0.1
    places = [at for at in range(len(words) - len(way) + 1) if words[at : at + len(way)] == way]
    if not places:
        return 0.0
    is_subject = places[0] == 0 or (
        places[0] == 1 and words[0] in {language.folded(each) for each in language.determiners}
    )
    return ABOUT if is_subject else 0.7 if places[0] <= 3 else TOUCHES + 0.1
