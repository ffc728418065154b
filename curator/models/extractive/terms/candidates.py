"""What a source speaks of: names, files, and terms of its field.

A candidate needs a signal: it is written as a name, set as code, quoted or emphasised, defined, stands in a heading,
recurs, or is introduced with a short form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from curator.models.extractive.parsing.lexicon import NEVER_NAMES, STOP, VERBS
from curator.models.extractive.parsing.sentences import Sentence
from curator.models.extractive.terms import acronyms
from curator.models.extractive.terms.code_names import QUALIFIED, modules_of
from curator.models.extractive.terms.terms import LONGEST, Term, is_sound
from curator.wiki.pages.names import name_key

_CAPITAL = r"[A-Z][\w+#]*(?:[-.'’/][A-Za-z0-9][\w+#]*)*"
_RUN = re.compile(rf"(?<![\w@/.-]){_CAPITAL}(?:(?: (?:of|for|de|van|von|the) | ){_CAPITAL})*")
_FILE = re.compile(
    r"\.?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.(?:toml|txt|py|json|cfg|ini|ya?ml|lock|whl|md|rst|xml|html|csv|in|env)"
)
_LITERAL = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*(?: [a-z]{3,})?")
_IN_SAMPLE = re.compile(r"^[ \t]*(?:class ([A-Z]\w*)|([A-Z]\w*)(?: ?: ?\w+)? = )", re.MULTILINE)
"""What is made up to show something: a class, an alias."""
_QUOTED = re.compile(r"[\"“]([A-Za-z][\w' -]{3,40}?)[,.]?[\"”]")
_SUBJECT = r"[\"“'‘]?(?P<term>[A-Za-z][\w.-]*(?: [A-Za-z][\w.-]*){0,4}?)[\"”'’]?(?: \([^)]*\))?(?:,[^,]{3,120},)?"
_DEFINED = (
    re.compile(
        rf"^(?:An?|The|Each|Every|Any)? ?{_SUBJECT} (?:is|are|was|were|is simply|is essentially) "
        r"(?:an?|the|one|any|called|used|made|defined|those|where|when|how)\b"
    ),
    re.compile(
        rf"^(?:An?|The)? ?{_SUBJECT} (?:refers? to|means?|denotes?|consists? of|describes?|represents?|stands? for)\b"
    ),
    re.compile(
        r"\b(?:called|known as|termed|referred to as|so-called) (?:an? |the )?[\"“'‘](?P<term>[\w' -]{3,40}?)[,.]?[\"”'’]"
    ),
    re.compile(
        r"\b(?:is|are) (?:also )?(?:called|known as|termed|referred to as) (?:an? |the )?(?P<term>[\w' -]{3,40})[.,;]"
    ),
    re.compile(
        r"\b(?:term|concept|notion|idea) (?:of )?(?:an? |the )?[\"“](?P<term>[\w' -]{3,40}?)[,.]?[\"”](?! [a-z]+ name)"
    ),
)


def find_terms(sentences: Sequence[Sentence], headings: Iterable[str], title: str) -> dict[str, Term]:
    """Every term of the source by its key."""
    found: dict[str, Term] = {}
    modules = modules_of(sentences)
    lower = Counter(word.written for sentence in sentences for word in sentence.words if word.written.islower())
    for sentence in sentences:
        for written, signal in (
            *_names(sentence, lower),
            *_literals(sentence, modules),
            *_marked(sentence),
            *_definitions(sentence),
        ):
            _put(found, written, signal)
    headed = {key for heading in headings for key in _runs(name_key(heading).split())}
    titled = set(_runs(name_key(title).split()))
    for written, count in _recurring(sentences).items():
        key = name_key(written)
        if key in found:
            found[key].written[written] += 0
        elif count >= 2 and (key in headed or key in titled):
            _put(found, written, "heading" if key in headed else "title")
    for term in found.values():
        term.signals |= ({"heading"} if term.key in headed else set()) | ({"title"} if term.key in titled else set())
    _join_short_forms(found, sentences)
    _join_kinds(found)
    made_up = _only_in_samples(sentences)
    return {
        key: term
        for key, term in found.items()
        if is_sound(term) and (term.signals & {"heading", "title"} or made_up.isdisjoint(term.written))
    }


def _only_in_samples(sentences: Sequence[Sentence]) -> set[str]:
    """The names that a sample of code declares before any sentence speaks of them."""
    told: set[str] = set()
    found: set[str] = set()
    for sentence in sentences:
        told |= {word.written for word in sentence.words}
        declared = (
            name for names in _IN_SAMPLE.findall(sentence.code) for name in names if name and not name.isupper()
        )
        found |= set(declared) - told
    return found


def _put(found: dict[str, Term], written: str, signal: str) -> None:
    written = " ".join(written.split()).strip("'\"“”‘’")
    words = written.split()
    while words and words[0].casefold() in ("a", "an", "the"):
        words = words[1:]
    written = " ".join(words)
    key = name_key(written)
    if key and len(key.split()) <= LONGEST:
        term = found.setdefault(key, Term(key))
        term.signals.add(signal)
        term.named += signal in ("name", "code")
        term.written[written] += 1


# -- signals -----------------------------------------------------------------------------------------------------


def _names(sentence: Sentence, lower: Counter[str]) -> Iterator[tuple[str, str]]:
    """Runs of capitalised words; the first word of a sentence is no name when the source also writes it small."""
    plain = sentence.plain
    for match in _RUN.finditer(plain):
        words, start = match[0].split(" "), match.start()
        opens = start <= 1 or plain[:start].rstrip().endswith((":", ".", "?", "!"))
        if opens and (words[0].lower() in STOP or words[0].lower() in VERBS or lower[words[0].lower()]):
            words = words[1:]
        elif opens and len(words) == 1 and words[0][1:].islower():
            continue
        while words and (words[0].casefold() in STOP or words[0].casefold() in NEVER_NAMES - {"zip", "json", "html"}):
            words = words[1:]
        if words and not (len(words) == 1 and words[0].casefold() in NEVER_NAMES):
            yield " ".join(words), "name"


def _literals(sentence: Sentence, modules: Mapping[str, set[str]]) -> Iterator[tuple[str, str]]:
    """What is written as code: files, names, and names with what says that they are code, ``typing.Final``."""
    for style, words in sentence.rich.marks:
        if _FILE.fullmatch(words):
            yield words, "file"
        elif style == "code" and (code := QUALIFIED.fullmatch(words)):
            name = code["name"]
            is_word = name.islower() and not code["at"]  # ``clear()``
            if len(modules.get(name, ())) < 2 and len(name) > 2 and not is_word:
                written = f"{name} decorator" if code["at"] else name
                yield written, "code"
                yield written, "qualified"
        elif style == "code" and _LITERAL.fullmatch(words) and "." not in words and len(words) > 2:
            yield words, "code"


def _marked(sentence: Sentence) -> Iterator[tuple[str, str]]:
    phrases = [words for style, words in sentence.rich.marks if style != "code"]
    for words in (*phrases, *(match[1] for match in _QUOTED.finditer(sentence.plain))):
        if 0 < len(words.split()) <= 4 and words.replace(" ", "").replace("-", "").isalpha():
            yield words, "marked"


def _definitions(sentence: Sentence) -> Iterator[tuple[str, str]]:
    for pattern in _DEFINED:
        for match in pattern.finditer(sentence.plain):
            words = match["term"].split()
            if not re.search(r"\w[._]\w", match["term"]) and all(word.casefold() not in STOP for word in words):
                yield " ".join(words), "defined"
    if sentence.label and len(sentence.label.split()) <= 4 and not re.match(r"-|.*[<\[=(]", sentence.label):
        yield sentence.label.strip(".:"), "defined"


def _recurring(sentences: Sequence[Sentence]) -> Counter[str]:
    """Runs of one to three plain words that may be a term, the last perhaps in capitals, with how often they occur."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        words, plain = sentence.words, sentence.plain
        plainly = [w.written.islower() and w.written not in STOP and w.written not in VERBS for w in words]
        for first in range(len(words)):
            if plain[words[first].start - 1 : words[first].start] in (".", "/", "_", "-"):
                continue
            for last in range(first, min(first + 3, len(words))):
                is_short = last > first and words[last].written.isupper() and len(words[last].written) > 1
                if not (plainly[last] or is_short) or (
                    last > first and plain[words[last - 1].end : words[last].start] not in (" ", "-")
                ):
                    break
                counts[plain[words[first].start : words[last].end]] += 1
                if is_short:
                    break
    return counts


def _runs(keys: Sequence[str]) -> Iterator[str]:
    for start in range(len(keys)):
        for length in range(1, min(LONGEST, len(keys) - start) + 1):
            yield " ".join(keys[start : start + length])


# -- one thing, one term -----------------------------------------------------------------------------------------


def _join_short_forms(found: dict[str, Term], sentences: Sequence[Sentence]) -> None:
    for sentence in sentences:
        if "(" not in sentence.plain:
            continue
        for long, short in acronyms.pairs(sentence.plain):
            key, short_key = name_key(long), name_key(short)
            if not key or key == short_key or short.casefold() in STOP:
                continue
            _put(found, long, "short")
            term = found.get(key)
            if term is None:
                continue
            term.aliases[short_key] = _singular(short, short_key)
            if long[:1].isupper() and all(w[:1].isupper() for w in long.split() if w not in STOP):
                term.signals.add("name")
            other = found.pop(short_key, None)
            if other is not None and other is not term:
                term.signals |= other.signals - {"name", "code"}
                term.aliases |= other.aliases
            term.aliases.pop(key, None)


def _join_kinds(found: dict[str, Term]) -> None:
    """``wheel file`` is ``wheel``, where the source has both."""
    for key in list(found):
        shorter, _, kind = key.rpartition(" ")
        sets_apart = shorter in found and found[shorter].signals & {"name", "code", "defined", "short", "marked"}
        is_of_code = kind == "type" and shorter in found and {"name", "code"} <= found[shorter].signals
        if is_of_code or (kind in _KINDS and (sets_apart or (shorter in found and " " in shorter))):
            found[shorter].signals |= found.pop(key).signals - {"name", "code"}


def bare_key(key: str) -> str:
    """``super journal`` of ``super journal file``; empty where too little would be left."""
    shorter, _, kind = key.rpartition(" ")
    return shorter if kind in _KINDS | _TAILS and " " in shorter else ""


_KINDS = frozenset("attack file archive format command website page package".split())
_TAILS = frozenset("file module extension object library tool program system component".split())
"""Words behind a name of several words that only say what sort of thing it is."""


def _singular(short: str, key: str) -> str:
    return short[:-1] if short.casefold() == key + "s" else short
