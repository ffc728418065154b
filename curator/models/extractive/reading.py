"""A source, read: its sentences with what they are worth, and the claims they make as evidence wants them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise

from curator.models.extractive import passages, standing, telling, whole_lists
from curator.models.extractive.languages.language import LANGUAGES, Language, language_of
from curator.models.extractive.parsing import blocks, grids, sections, sentences
from curator.models.extractive.parsing.examples import BREAK
from curator.models.extractive.parsing.lexicon import STOP
from curator.models.extractive.parsing.line import BRIEF, is_shouted
from curator.models.extractive.parsing.sentences import GOES_ON, Sentence, joined
from curator.models.extractive.terms import quality
from curator.models.proposal import MAX_QUOTES, Claim
from curator.wiki.naming.terms import Terms, terms_of
from curator.wiki.pages import inline, markdown
from curator.wiki.pages.foreign import form_in
from curator.wiki.pages.names import SPACELESS
from curator.wiki.sources.evidence import MIN_LETTERS, MIN_WORDS, Evidence
from curator.wiki.sources.folding import fold
from curator.wiki.sources.source import Document, Source

_ACRONYM = 7
"""Characters of a word in capitals that may be short for others."""
_ENGLISH = frozenset("the of and to is in that for with are be as by it on this from".split())


@dataclass(frozen=True)
class SourceReading:
    """What the extractive curator knows of a source."""

    source: Source
    evidence: Evidence
    """The source, ready to be searched for quotes."""

    @cached_property
    def text(self) -> blocks.SourceText:
        return blocks.read_blocks(self.written)

    @cached_property
    def written(self) -> Source:
        return blocks.as_written(self.source)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        return sentences.read_sentences(self.written, self.text)

    @cached_property
    def repeated(self) -> Counter[tuple[str, ...]]:
        """How often the words of a sentence stand in the source."""
        return Counter(sentence.keys for sentence in self.sentences)

    @cached_property
    def is_brief(self) -> bool:
        """It is short enough to be told whole, as a note or a letter is."""
        return len(self.source.document.text) <= BRIEF

    @cached_property
    def tables(self) -> tuple[grids.Grid, ...]:
        return tuple(grids.read_tables(self.written))

    # -- names ---------------------------------------------------------------------------------------------------

    @cached_property
    def short_name(self) -> str:
        """The name of a document in a series: ``PEP 427``; empty for others."""
        return self.terms.number

    @cached_property
    def own_title(self) -> str:
        """The title the document gives itself, without its series."""
        stem = re.sub(r"[-_]+", " ", self.source.path.rpartition("/")[2].rpartition(".")[0])
        given = self.terms.title
        is_section = given in self.text.headings and given != self.terms.layout.said_title
        is_none = given == stem or sections.is_name(given) or is_section
        written = "" if sections.is_name(self.text.title) else self.text.title
        title = (written or stem[:1].upper() + stem[1:]) if is_none else given
        title = _MANUAL.sub(r"\1", " ".join(title.split()))
        number = _SECTION.match(title)
        title = title[number.end() if number else 0 :]
        title = _uncapitalised(title) if is_shouted(title) and (" " in title or len(title) > _ACRONYM) else title
        return " ".join(title.split()).strip("#= ")[:150] or self.source.stem

    @cached_property
    def title(self) -> str:
        if self.short_name and self.short_name.casefold() not in self.own_title.casefold():
            return f"{self.short_name} – {self.own_title}"
        return self.own_title

    @cached_property
    def is_numbered(self) -> bool:
        """It is one of a series, whose documents take each other's place rule by rule."""
        return bool(self.short_name or _NUMBERED.search(self.own_title))

    def heading(self, title: str = "") -> str:
        """The heading of this source's statements on pages about things; ``title``: what its summary has to be called."""
        name = self.short_name or title or self.own_title
        if len(name) > 70 or len(name.split()) > 11:
            name = " ".join(name[:69].split()[:11][:-1]).rstrip(",;:–- ") + "…"
        end = standing.end_of(self)
        return f"From {name} ({end})" if end else f"From {name}"

    # -- worth ---------------------------------------------------------------------------------------------------

    @cached_property
    def english(self) -> bool:
        words = [word.written.casefold() for sentence in self.sentences[:400] for word in sentence.words]
        return sum(word in _ENGLISH for word in words) >= 0.12 * max(len(words), 1)

    @cached_property
    def language(self) -> Language | None:
        """The one it is written in, where it is known and not English."""
        return None if self.english else LANGUAGES.get(language_of(self.source.document.text))

    @cached_property
    def fitness(self) -> dict[int, float]:
        """How well each sentence stands alone, told with what it must not be without."""
        return telling.fitness(self, self.alone)

    @cached_property
    def own_fitness(self) -> dict[int, float]:
        """How well the words of each sentence stand on the page about the document itself."""
        return {s.index: quality.fitness(s, self.english, own=True) for s in self.sentences}

    @cached_property
    def alone(self) -> dict[int, float]:
        """How well the words of each sentence stand alone."""
        return {
            sentence.index: 0.0
            if self.language is not None and self.language.leans(sentence.plain)
            else quality.fitness(sentence, self.english)
            for sentence in self.sentences
        }

    @cached_property
    def passages(self) -> list[passages.Passage]:
        return list(passages.PassageReader(self).read())

    @cached_property
    def parts(self) -> dict[int, telling.Part]:
        return telling.find_parts(self)

    @cached_property
    def remarks(self) -> dict[int, telling.Part]:
        return telling.find_remarks(self)

    @cached_property
    def terms(self) -> Terms:
        """What headings are held against."""
        return terms_of(self.evidence)

    @cached_property
    def lists(self) -> whole_lists.ToldLists:
        return whole_lists.find_lists(self)

    @cached_property
    def gist(self) -> str:
        """The words of all sentences, as written and as other pages tell them, for asking whether a statement still stands
        in the source.
        """
        said = " ".join(key for sentence in self.sentences for key in sentence.keys)
        told = " ".join(key for sentence in self.sentences for key in telling.named(self, sentence).keys)
        return f"{said} {told} {telling.named_throughout(self, said).casefold()}"

    # -- claims --------------------------------------------------------------------------------------------------

    def claim(self, sentence: Sentence, bullet: str = "") -> Claim | None:
        """``sentence`` as a cited block, with its list below it, or None where no quote of it can be checked."""
        key = (
            sentence.text,
            sentence.quote,
            f"{sentence.index} {sentence.tied}",
            *(each for _, item in sentence.listed for each in (item.text, item.quote)),
        )
        if key not in self._proven:
            self._proven[key] = self._prove_list(sentence) if sentence.listed else self._prove(sentence)
        claim = self._proven[key]
        if claim is None:
            return None
        return Claim(text=claim.text if sentence.is_headless else bullet + claim.text, quotes=claim.quotes)

    @cached_property
    def _proven(self) -> dict[tuple[str, ...], Claim | None]:
        """The claims made so far, by the words of the sentence and its items, and their quotes."""
        return {}

    def _prove(self, sentence: Sentence) -> Claim | None:
        text, quote = self._written(sentence.bare), self._quoted_here(sentence, self._with_neighbours(sentence))
        return Claim(text=text, quotes=(quote,)) if text and quote else None

    def _with_neighbours(self, sentence: Sentence) -> Iterator[Sentence]:
        """``sentence``, one or several of the source, with the one before it and with the one behind it in its section."""
        start, end = sentence.index, sentence.index + 1
        if not 0 <= start < len(self.sentences):
            return
        told = self.sentences[start]
        while len(told.quote) < len(sentence.quote) and end < len(self.sentences):
            told, end = told.joined(self.sentences[end]), end + 1
        if told.quote != sentence.quote:
            return
        before, behind = self.sentences[max(0, start - 1) : start], self.sentences[end : end + 1]
        for pair in ((*before, sentence), (sentence, *behind)):
            if len(pair) > 1 and pair[0].path == pair[1].path:
                yield joined(pair)

    def _prove_list(self, sentence: Sentence) -> Claim | None:
        """All of a list, each part with its own words; what is too short to prove anything, with the parts beside it."""
        parts = [*([] if sentence.is_headless else [("", replace(sentence, listed=()).bare)]), *sentence.listed]
        near = [each for _, each in parts]
        texts, quotes = [], []
        for at, (_, part) in enumerate(parts):
            beside = [joined(near[max(0, at - back) : at + on]) for back, on in _BESIDE if at + on <= len(near)]
            text = self._written(part)
            quote = self._quoted_here(part, beside)
            if not text or not quote:
                return None
            texts.append(text)
            quotes.append(quote)
        bullets = [bullet for bullet, _ in parts]
        if not self._is_in_order(quotes):
            bullets = [
                f"{bullet[: len(bullet) - len(bullet.lstrip())]}- " if bullet.strip() else bullet for bullet in bullets
            ]
        lines = ("\n" * (bullet != GOES_ON) + bullet + text for bullet, text in zip(bullets, texts, strict=True))
        proofs = tuple(dict.fromkeys(quotes))
        return Claim(text="".join(lines).strip("\n"), quotes=proofs) if len(proofs) <= MAX_QUOTES else None

    def _is_in_order(self, quotes: Sequence[str]) -> bool:
        """True where each of ``quotes`` is found behind the one before it: so its numbers are those of the source."""
        found = [self.evidence.spans(quote) for quote in quotes]
        starts = [spans[0][0] for spans in found if isinstance(spans, list)]
        return len(starts) == len(quotes) and all(one <= other for one, other in pairwise(starts))

    def _written(self, sentence: Sentence) -> str:
        """``sentence`` as a page writes it; empty where it cannot."""
        text = sentence.text if _is_plain(sentence.text) else inline.escape(sentence.plain)
        if text.endswith(";"):
            text = f"{text[:-1]}."
        is_fit = len(text) <= _LONGEST and _is_plain(text) and not _ACTIVE.search(text) and form_in(text) is None
        return text if is_fit and not self.evidence.numbers_missing(text) else ""

    def _quoted(self, sentence: Sentence) -> str:
        """The words of ``sentence`` that are found in the source; empty where none prove anything."""
        # A quote that is found in its own lines is found in the source, which is much longer to fold.
        lines = Evidence(self.source.path, Document.from_text(sentence.raw))
        for quote in (sentence.quote, sentence.raw):
            found = lines.find(quote)
            if not isinstance(found, list) or len(found) > _MOST_PARTS or not all(map(lines.holds, found)):
                continue
            if all(says_enough(citation.quote) for citation in found):
                return quote
        return ""

    def _quoted_here(self, part: Sentence, beside: Iterable[Sentence]) -> str:
        """The words of ``part``, or else what stands ``beside`` it with it, that are found in one place: what is said there
        of one thing may stand elsewhere of another.
        """
        first = ""
        for each in chain((part,), beside):
            if quote := self._quoted(each):
                times = self._folded.count(fold(quote)[0])
                if times == 1:
                    return quote
                if times or isinstance(self.evidence.find(quote), list):
                    first = first or quote
        return first

    @cached_property
    def _folded(self) -> str:
        return fold(self.source.document.text)[0]

    def is_one_quote(self, run: Sequence[Sentence]) -> bool:
        """True where the source has nothing between the sentences of ``run`` that is not told: no code, no footnote."""
        return len(run) < 2 or isinstance(self.evidence.find(joined(run).quote), list)

    def claims(self, chosen: Iterable[Sentence], bullet: str = "- ") -> list[Claim]:
        """``chosen`` as blocks, each with the code that its source shows below it."""
        found: list[Claim] = []
        for sentence in chosen:
            if (claim := self.claim(sentence, bullet)) is not None:
                found.append(claim)
                if sentence.code and not sentence.listed:
                    found += [Claim(text=f"```\n{code}\n```") for code in sentence.code.split(BREAK)]
        return found


_NUMBERED = re.compile(r"\b[^\W\d_]+ \d{1,4}\b(?![.\d])(?<!\b[12]\d\d\d)")
"""The title of a document in a series: ``Lantern Standard 4``; ``Trial of October 2034`` is none."""
_SECTION = re.compile(
    r"(?:(?:§ ?)?\d{1,3}(?:\.\d{1,3})*\.?"
    r"|(?:Chapter|Section|Part|Appendix|Kapitel|Chapitre|Capítulo) (?:\d{1,3}|[A-Z]|[IVX]{1,5})[.:]) +(?=[^\W\d_])"
)
"""The number of a section of a larger work, in the title of a page that has it alone."""
_MANUAL = re.compile(r"(?<!\S)(\S{1,60}\(\d\w{0,4}\)) .{0,200}\1$", re.IGNORECASE)
"""The head of a manual page: ``TAR(1) GNU TAR Manual TAR(1)``."""
_MOST_PARTS = 3
"""Of a quote, as the source parts it."""
_BESIDE = ((0, 2), (1, 1), (0, 3), (1, 2), (2, 1), (3, 1))
"""How many parts before one of a list, and from it on, its words are quoted with where they are too few."""
_LONGEST = 1_900
"""Characters of a claim: nobody says more in one sentence, and a proposal has room for no more than twice that."""
_ACTIVE = re.compile(r"\{\{|<%|%%")
"""What note-taking tools would run; the wall refuses it outside code."""


def says_enough(quote: str) -> bool:
    """False for what proves nothing, though it may be a line of its own."""
    letters = sum(map(str.isalnum, quote))
    return len(re.findall(r"\w+", quote)) >= MIN_WORDS or letters >= MIN_LETTERS or SPACELESS.search(quote) is not None


def _uncapitalised(title: str) -> str:
    """``OXALIC ACID TRIAL AT A FARM`` as ``Oxalic Acid Trial at a Farm``."""
    words = [_small(word) for word in title.split()]
    return " ".join([f"{words[0][:1].upper()}{words[0][1:]}", *words[1:]])


def _small(word: str) -> str:
    if not word.isupper():
        return word
    return word.lower() if word.lower() in STOP else word.capitalize()


def _is_plain(text: str) -> bool:
    """True when markdown reads ``text`` as one paragraph without links, footnotes and HTML."""
    outline = markdown.scan(text)
    kinds = [block.kind for block in outline.blocks]
    return kinds == ["paragraph"] and not outline.links and not outline.html and not outline.blocks[0].citations
