"""The built-in answer to a question: passages of the pages, word for word, that are most like it, by words and meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice

from curator.models.extractive.languages.language import LANGUAGES, Language, language_of
from curator.models.extractive.terms.matching import Match, meaningful_words, stems
from curator.models.extractive.terms.ranking import alike
from curator.models.question import Question
from curator.models.statements import Quote, Statement, Statements
from curator.models.word_vectors import WordVectors, word_vectors
from curator.wiki.pages import markdown
from curator.wiki.pages.link_targets import scheme_of
from curator.wiki.pages.names import SERIES, SPACELESS, keys_in, name_key
from curator.wiki.passages.passage import Passage, Reading
from curator.wiki.passages.ranking import has_wanted
from curator.wiki.sources.evidence import MAX_CHARACTERS, MIN_LETTERS, MIN_WORDS

_MOST = {"shallow": 3, "medium": 5, "deep": 8}
_SURE, _SURE_BY_WORDS = 0.6, 0.5
"""How like the question the passage likest to it must be for an answer, with the vectors of words and without. Asked of
wikis on other matters, two questions in a hundred get an answer so; of wikis that answer them, three in five."""
_NEAR_BEST = 0.6
"""How like the question the others must be, compared to that one."""
_REST = 0.3
"""The share of the question that what is left of a passage must cover, when some of it was told already."""
_MEANT = 0.5
"""What counts how near a passage is by the vectors of words, compared to the share of the question that it covers."""
_PLACE, _PLACES = 0.3, 10
"""What the best of what was found is ahead by, and of how many at least the worst is ahead by nothing."""
_SAME = 0.8
_STOP = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_RULED = re.compile(r"={4}|-{4}|!\[|\|.*\|")
"""What a table of a source looks like that was not read cell by cell, or a picture: no statement to answer with."""
_FIELD = re.compile(r"\n(?=[A-Z][\w-]*(?: [\w-]+){0,2}:[ \t])")
"""Where a line of a document's head begins: ``Status: Final``."""
_DIRECTIVE = re.compile(r"\A(?:\.\. )?(?:note|warning|tip|hint|important|attention|caution|danger|seealso)::\s+")
"""What reStructuredText opens a box with: ``.. note::``."""
_IDLE_FIELD = re.compile(rf"(?i:title: .*|(?:{'|'.join(SERIES)}): \d+|[a-z][\w-]*(?: [\w-]+){{0,2}}: \S*://\S*)")
"""A line of a head that states nothing: the document's own name or number, or an address."""
_LABEL = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]{0,80}\]){0,200})\]\(")
"""What a link of Markdown is read as."""
_MARKDOWN = (".md", ".markdown")
_OPENING = 0.1
"""What the first passage of a thing's page is ahead by: it says what the thing is."""
_TOLD = 0.15
"""What a passage is ahead by that has a number or a time where the question wants one."""
_SPOKEN_OF = 0.2
"""What a passage is ahead by of a page that the answer before rests on, where the question names no other."""
_AGAIN = 0.05
"""What a passage is behind by that was told right before."""


@dataclass(frozen=True)
class _Candidate:
    reading: Reading
    passage: Passage
    likeness: float
    """How like the question it is, by itself."""
    score: float = 0.0
    """And by its place among what was found."""

    @property
    def bag(self) -> frozenset[str]:
        return frozenset(stems(meaningful_words(self.passage.text)))


def answer(question: Question) -> Statements:
    """The best passages, the best first; rows of one table stay together. None where none is like enough the question."""
    found: list[_Candidate] = []
    match = _match(question)
    vectors = _vectors_for(question)
    candidates = _candidates(question, match, vectors)
    likest = max((each.likeness for each in candidates), default=0.0)
    if likest < (_SURE if vectors is not None else _SURE_BY_WORDS):
        return Statements(statements=())
    near = (each for each in candidates if each.likeness >= _NEAR_BEST * likest)
    for each in sorted(_placed(list(near)), key=lambda each: -each.score):
        candidate = _untold(each, found)
        is_new = candidate is each or (candidate is not None and match.share(candidate.passage.text) >= _REST)
        if candidate is not None and is_new and all(alike(candidate.bag, other.bag) < _SAME for other in found):
            found.append(candidate)
    best = found[: _MOST.get(question.policy.depth, 5)]
    return Statements(statements=tuple(_statements(best, match)))


def _placed(candidates: Sequence[_Candidate]) -> Iterator[_Candidate]:
    places = max(_PLACES, *(each.passage.place for each in candidates))
    for each in candidates:
        place = each.passage.place or places + 1
        yield replace(each, score=each.likeness + _PLACE * (1 - (place - 1) / places))


def _untold(candidate: _Candidate, found: Sequence[_Candidate]) -> _Candidate | None:
    """What ``candidate`` says besides sentences that are ``found`` already: the longest run of others; None for none."""
    told = {sentence for each in found for sentence in _STOP.split(each.passage.text)}
    sentences = _STOP.split(candidate.passage.text)
    if candidate.passage.head or told.isdisjoint(sentences):
        return candidate
    runs = [list(run) for is_told, run in groupby(sentences, key=told.__contains__) if not is_told]
    text = " ".join(max(runs, key=lambda run: sum(map(len, run)), default=[]))
    rest = replace(candidate, passage=replace(candidate.passage, text=text))
    return rest if text in candidate.passage.text and _is_quotable(text) else None


def _candidates(question: Question, match: Match, vectors: WordVectors | None) -> list[_Candidate]:
    """Summaries and sources last: they say again what the pages of things say."""
    spoken_of = question.earlier[-1].pages if _followed(question) else ()
    found: list[_Candidate] = []
    for reading in sorted(question.known, key=lambda reading: (reading.is_source, reading.is_summary)):
        claims = [claim for passage in reading.passages if passage.kind != "code" for claim in _claims(passage)]
        is_thing = not (reading.is_summary or reading.is_source)
        opening = [each.anchor for each in (reading.whole or reading).passages[:1] if is_thing]
        for passage in claims:
            if match.share(passage.text) and _is_quotable(_fitting(passage.text, match)):
                score = match.share(passage.text, f"{reading.title} {passage.heading} {passage.head}")
                likeness = (
                    score
                    + _OPENING * (passage.anchor in opening)
                    + _TOLD * has_wanted(question.text, passage.text)
                    + _SPOKEN_OF * (reading.name in spoken_of)
                    - _AGAIN * any(passage.text in turn.told for turn in question.earlier[-1:])
                )
                found.append(_Candidate(reading, passage, likeness))
    texts = [f"{each.reading.title} {each.passage.text}" for each in found]
    near = vectors.nearness(question.text, texts) if vectors else [0.0] * len(found)
    return [replace(each, likeness=each.likeness + _MEANT * one) for each, one in zip(found, near, strict=True)]


def _claims(passage: Passage) -> Sequence[Passage]:
    """A passage of a page as it is; of a source its sentences, for it was not cut into claims yet."""
    if passage.kind != "source":
        return (passage,)
    if all(_IDLE_FIELD.fullmatch(" ".join(field.split())) for field in _FIELD.split(passage.text)):
        return ()
    text = passage.text.partition("```")[0]  # what follows is code, or cannot be told from it
    sentences = (_DIRECTIVE.sub("", each) for each in _STOP.split(" ".join(text.split())))
    return [replace(passage, text=sentence) for sentence in sentences if not _RULED.search(sentence)]


def _vectors_for(question: Question) -> WordVectors | None:
    """The table is of English: in other languages all is near to all."""
    return word_vectors() if language_asked(question) is None else None


def language_asked(question: Question) -> Language | None:
    """Another language than English that question and pages are in, if one."""
    passages = islice((passage.text for reading in question.known for passage in reading.passages), 20)
    return LANGUAGES.get(language_of("\n".join([question.text, *passages])))


def _match(question: Question) -> Match:
    passages = (passage.text for reading in question.known for passage in reading.passages)
    language = language_asked(question)
    return Match.of(question.text, passages, _followed(question), language.stop if language else frozenset())


def _followed(question: Question) -> str:
    """What a follow-up speaks of besides its own words; nothing where it names a page that was not spoken of."""
    if not question.earlier:
        return ""
    last = question.earlier[-1]
    subject = next((turn.names[0] for turn in reversed(question.earlier) if turn.names), "")
    named = keys_in(question.text)
    others = (reading for reading in question.known if not reading.is_source and reading.name not in last.pages)
    is_new = any(name_key(name) in named for reading in others for name in reading.names)
    return "" if is_new else f"{last.question} {subject}"


def _is_quotable(text: str) -> bool:
    words = len(re.findall(r"\w+", text)) + len(SPACELESS.findall(text))
    return words > MIN_WORDS or sum(map(str.isalnum, text)) >= MIN_LETTERS


def _statements(found: Sequence[_Candidate], match: Match) -> Iterator[Statement]:
    told: set[str] = set()
    for candidate in found:
        head = candidate.passage.head
        if not head:
            words = _fitting(candidate.passage.text, match)
            text = _without_own_links(words) if candidate.reading.path.endswith(_MARKDOWN) else words
            yield Statement(text=text, quotes=(Quote(page=candidate.reading.name, words=words),))
        elif (where := f"{candidate.reading.name}\n{head}") not in told:
            told.add(where)
            rows = [each for each in found if each.reading is candidate.reading and each.passage.head == head]
            text = "\n".join([head, *(each.passage.text for each in rows)])
            yield Statement(text=text, quotes=tuple(Quote(page=e.reading.name, words=e.passage.text) for e in rows))


def _without_own_links(text: str) -> str:
    """Links to files beside a source become their words: ``[EIP-1](./eip-1.md)`` leads nowhere from an answer."""
    for link in reversed(markdown.scan(text).links):
        label = _LABEL.match(text, link.start, link.end)
        if link.form == "inline" and not scheme_of(link.target) and label is not None:
            text = text[: link.start] + label[1] + text[link.end :]
    return text


def _fitting(text: str, match: Match) -> str:
    """``text``, or of a long one the sentence that fits best, with as many after it as a quote may hold; or nothing."""
    if len(text) <= MAX_CHARACTERS:
        return text
    sentences = [sentence.strip() for sentence in _STOP.split(text)]
    quotable = [number for number, sentence in enumerate(sentences) if len(sentence) <= MAX_CHARACTERS]
    if not quotable:
        return ""
    first = max(quotable, key=lambda number: match.share(sentences[number]))
    chosen = sentences[first]
    for sentence in sentences[first + 1 :]:
        if len(chosen) + 1 + len(sentence) > MAX_CHARACTERS:
            break
        chosen += f" {sentence}"
    return chosen
