"""Where terms stand in sentences, and how much a sentence is about the term in it."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from curator.models.extractive.parsing.lexicon import BEHIND_A_NAME, DETERMINERS, STOP, VERBS
from curator.models.extractive.parsing.sentences import Sentence, Word
from curator.models.extractive.terms.code_names import before_module, is_brought, is_code, with_kind
from curator.models.extractive.terms.terms import Term
from curator.wiki.pages.names import name_key

TOUCHES, ABOUT, DEFINES = 0.35, 1.0, 1.8
_IN_ANOTHERS, _OF_KEY = 0.3, 0.5
"""What is said of a thing in the definition of another one, and at most of the key of a file that is called like it."""
_KINDS = frozenset("file archive format command ioctl syscall attack".split())
"""Words that only say what sort of thing the term before them is: ``wheel file``."""
_CONDITIONS = frozenset("if when while as".split())
_OPPOSITES = frozenset("without no non not".split())
"""Before a term they make another one of it: ``WITHOUT ROWID tables``."""
_ARTICLES = frozenset("a an the each every any all".split())
GIVES_WAY = (
    r"(?:specif(?:y|ie[sd])|provide[sd]?|describe[sd]?|define[sd]?|introduce[sd]?) (?:an?|the) (?:[\w-]+ ){0,2}?"
    r"(?:mechanism|way|means|method|format|protocol|scheme|interface|syntax)\b"
)
"""What a document is: ``PEP 658 specified a mechanism to host the metadata``."""
_IS = re.compile(
    r"[\"”'’`]?(?: \([^)]*\))?(?:,[^,]{3,120},)? (?:(?:is|are|was|were) (?:(?:also|simply|just|essentially|usually) )?"
    r"(?:an?|the|one|any|those|where|when|called|made|defined|used|meant|designed|intended|how)\b"
    r"|(?:refers? to|means?|denotes?|consists? of|describes?|represents?|contains?|specif(?:y|ies)|defines?|stands? for)\b"
    rf"|{GIVES_WAY})"
)
_APPOSED = re.compile(r", an? (?:[\w-]+ ){1,3}(?:of|that|which|for|where|who)\b")
"""``contains an access list, a list of addresses``"""
_DONE_BY = re.compile(
    r"\b(?:is|are) (?:done|performed|made|built|handled|run|carried out) by (?:an?|the|each|every) (?:[\w'’]+ ){0,3}\Z"
)
"""``Building is done by each tree's build backend.``"""
CALLED = re.compile(
    r"(?:(?<!has )(?<!have )(?<!had )(?<!previously )called"
    r"|known as|termed|referred to as|file named|so-called|term|concept of|notion of)(?: an?| the)? [\"“'‘`]?$"
)


@dataclass(frozen=True)
class Mention:
    """One occurrence. ``about``: DEFINES the term, or more; is ABOUT it; TOUCHES it; or less."""

    sentence: Sentence
    first: int
    last: int
    about: float


def find_mentions(sentences: Iterable[Sentence], terms: Iterable[Term]) -> dict[str, list[Mention]]:
    """The mentions of each term, by its key; where two terms overlap, the longer one is meant."""
    starts: dict[str, list[tuple[tuple[str, ...], Term]]] = defaultdict(list)
    for term in terms:
        for key in term.keys:
            words = tuple(key.split())
            starts[words[0]].append((words, term))
    for ways in starts.values():
        ways.sort(key=lambda way: (-len(way[0]), way[0]))
    found: dict[str, list[Mention]] = defaultdict(list)
    for sentence in sentences:
        for first, last, term in _longest(sentence, starts):
            written = sentence.plain[sentence.words[first].start : sentence.words[last].end]
            _note_use(term, sentence, first, last, written)
            most = _OF_KEY if _is_key(sentence, sentence.words[first : last + 1], term) else math.inf
            found[term.key].append(Mention(sentence, first, last, min(most, _aboutness(sentence, first, last))))
    return found


def _note_use(term: Term, sentence: Sentence, first: int, last: int, written: str) -> None:
    """Remember how ``term`` is written; at the beginning of a sentence a capital says nothing."""
    if sentence.words[first].start <= 1 and written[1:] == written[1:].lower() and written[:1].isupper():
        return
    if " ".join(sentence.keys[first : last + 1]) == term.key:
        term.written[written] += 1
    term.used += 1
    term.common += first > 0 and sentence.words[first - 1].written.casefold() in _ARTICLES


def _longest(
    sentence: Sentence, starts: dict[str, list[tuple[tuple[str, ...], Term]]]
) -> Iterator[tuple[int, int, Term]]:
    keys, at = sentence.keys, 0
    while at < len(keys):
        for words, term in starts.get(keys[at], ()):
            last = at + len(words) - 1
            if keys[at : last + 1] == words and _is_meant(sentence, at, last, term):
                yield at, last, term
                at = last
                break
        at += 1


def _is_meant(sentence: Sentence, first: int, last: int, term: Term) -> bool:
    words, plain = sentence.words, sentence.plain
    if term.exact and words[first].written.removesuffix("s") != term.exact:
        return False
    if term.is_code_alone and not is_code(sentence, first, last):
        return False
    if _is_shouted(sentence, words[first : last + 1]) and not term.is_shouted:
        return False
    if plain[: words[first].start].casefold().endswith("non-"):
        return False
    if term.cased and not words[first].written[:1].isupper():
        return False
    if "_" in (plain[words[first].start - 1 : words[first].start], plain[words[last].end : words[last].end + 1]):
        return False  # a piece of a longer identifier
    gaps = (plain[words[i].end : words[i + 1].start] for i in range(first, last))
    return all(len(gap) <= 1 or gap in ("``", "() ") for gap in gaps)


def _is_shouted(sentence: Sentence, words: Sequence[Word]) -> bool:
    """True for what stands in capitals alone, and is not called so by its term: the file ``WHEEL``, and a wheel."""
    return all(word.written.isupper() and len(word.written) > 2 for word in words) and not sentence.plain.isupper()


def _aboutness(sentence: Sentence, first: int, last: int) -> float:
    words, plain = sentence.words, sentence.plain
    said_before = plain[: words[first].start]
    before = [word.written.casefold() for word in words[:first]]
    if not _OPPOSITES.isdisjoint(before[-2:]):
        return 0.2
    if words[last + 1 :] and words[last + 1].key in _KINDS and plain[words[last].end : words[last + 1].start] == " ":
        last += 1
    last = with_kind(sentence, first, last)
    before = before[: len(before_module(sentence, first))]
    behind = plain[words[last].end :]
    is_head = _ends_a_phrase(words, last, plain)
    if " " not in " ".join(sentence.keys[first : last + 1]) and _is_modified(words, first, plain):
        return 0.2
    if sentence.label and words[last].end <= len(sentence.label) + 1 and plain.startswith(sentence.label):
        return DEFINES if first == 0 else 0.5
    is_its_own = " ".join(sentence.keys[first : last + 1]) in name_key(sentence.label)
    if sentence.label and not sentence.item and not is_its_own:
        return min(_IN_ANOTHERS, _aboutness(replace(sentence, label=""), first, last))
    named_before = all(word.written[:1].isupper() for word in words[1:first])
    if CALLED.search(said_before) and is_head:
        return DEFINES
    if (is_introduced(sentence, first, last) and is_head) or is_brought(sentence, first, last):
        return DEFINES
    if first <= 3 and (all(word in DETERMINERS for word in before) or (before[0] in DETERMINERS and named_before)):
        if not _CONDITIONS.isdisjoint(before):
            return 0.7
        if _IS.match(behind):
            return 2.0 if all(word in DETERMINERS for word in before) else ABOUT
        if re.match(r" (?:that|which|who|whose|with|without)\b", behind):
            return 0.7
        return ABOUT if is_head else 0.45
    if not is_head:
        return 0.15
    if first <= 4 and not any(word in VERBS for word in before):
        return 0.7
    return 0.5 if first <= 12 else TOUCHES


def is_introduced(sentence: Sentence, first: int, last: int) -> bool:
    """True for a term that is explained in passing, or set off where something is said to be done by it."""
    start, end = sentence.words[first].start, sentence.words[last].end
    before, behind = sentence.plain[:start], sentence.plain[end:]
    is_apposed = before.endswith((" a ", " an ")) and _APPOSED.match(behind)
    is_marked = any(style != "code" and sentence.plain[start:end] == words for style, words in sentence.rich.marks)
    return bool(is_apposed) or (is_marked and behind == "." and _DONE_BY.search(before) is not None)


def _is_key(sentence: Sentence, words: Sequence[Word], term: Term) -> bool:
    """True for the name of an entry of a file, as code: ``build-backend``; a build backend is another thing."""
    written = sentence.plain[words[0].start : words[-1].end]
    return (
        len(words) > 1
        and written.islower()
        and not re.search(r"\s", written)
        and ("code", written) in sentence.rich.marks
        and any(" " in form for form in term.written)
    )


def _is_modified(words: Sequence[Word], first: int, plain: str) -> bool:
    """True for one word at the end of a longer phrase: ``distribution`` in ``Linux distribution``."""
    if not first or plain[words[first - 1].end : words[first].start] != " ":
        return False
    before = words[first - 1].written.casefold()
    return (
        before not in STOP and before not in VERBS and not before.isdigit() and not before.endswith(("ly", "ed", "ing"))
    )


def _ends_a_phrase(words: Sequence[Word], last: int, plain: str) -> bool:
    """True when no noun follows that the term would only modify: ``wheel`` in ``wheel file``."""
    if last + 1 >= len(words):
        return True
    word, behind = words[last], words[last + 1]
    gap = plain[word.end : behind.start]
    if gap.strip("\"'”’` *") or gap != " ":
        return gap != "-" and gap != "."
    following = behind.written.casefold()
    return (
        following in BEHIND_A_NAME
        or following in VERBS
        or following.endswith(("ly", "n't"))
        or (following.endswith("ed") and len(following) > 4)
        or behind.written.isupper()
        or _has_object(words, last + 1, plain)
    )


def _has_object(words: Sequence[Word], at: int, plain: str) -> bool:
    """True for a verb that only shows by what is behind it: ``weighs 12 kg``, ``lifts the lid``."""
    if not words[at].written.endswith("s") or words[at].written.endswith("ss") or at + 1 >= len(words):
        return False
    behind = words[at + 1]
    is_next = plain[words[at].end : behind.start] == " "
    return is_next and (behind.written[0].isdigit() or behind.written in DETERMINERS - _CONDITIONS)
