"""A source, read: its sentences with what they are worth, and the claims they make as evidence wants them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from curator.models.extractive.languages.language import LANGUAGES, Language, language_of
from curator.models.extractive.parsing import blocks, sentences
from curator.models.extractive.parsing.lexicon import STOP
from curator.models.extractive.parsing.sentences import Sentence, joined
from curator.models.extractive.terms import quality, ranking
from curator.models.proposal import Claim
from curator.wiki.pages import inline, markdown
from curator.wiki.pages.names import SPACELESS
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document, Source

_ENGLISH = frozenset("the of and to is in that for with are be as by it on this from".split())


@dataclass(frozen=True)
class SourceReading:
    """What the extractive curator knows of a source."""

    source: Source
    evidence: Evidence
    """The source, ready to be searched for quotes."""

    @cached_property
    def text(self) -> blocks.SourceText:
        return blocks.read_blocks(self.source)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        return sentences.read_sentences(self.source, self.text)

    # -- names ---------------------------------------------------------------------------------------------------

    @cached_property
    def short_name(self) -> str:
        """The name of a document in a series: ``PEP 427``; empty for others."""
        for name in ("pep", "rfc", "adr", "nep", "jep", "dep", "kep", "eip", "bip", "iso"):
            number = self.text.header.fields.get(name, "")
            if re.fullmatch(r"\d{1,5}", number):
                return f"{name.upper()} {int(number)}"
        return ""

    @cached_property
    def own_title(self) -> str:
        """The title the document gives itself, without its series."""
        head = self.source.document.head.title or self.text.header.get("title", "subject")
        stem = re.sub(r"[-_]+", " ", self.source.path.rpartition("/")[2].rpartition(".")[0])
        first = self.text.headings[0] if self.text.headings and not self.text.blocks[:1] else ""
        title = head or self.text.title or first or stem[:1].upper() + stem[1:]
        title = _MANUAL.sub(r"\1", " ".join(title.split()))
        title = _uncapitalised(title) if title.isupper() and " " in title else title
        return " ".join(title.split()).strip("#= ")[:150] or self.source.stem

    @cached_property
    def title(self) -> str:
        if self.short_name and self.short_name.casefold() not in self.own_title.casefold():
            return f"{self.short_name} – {self.own_title}"
        return self.own_title

    @cached_property
    def heading(self) -> str:
        """The heading that this source's statements stand under on pages about other things."""
        name = self.short_name or self.own_title
        if len(name) > 70:
            name = name[:69].rsplit(" ", 1)[0].rstrip(",;:–- ") + "…"
        return f"From {name}"

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
        return {
            sentence.index: 0.0
            if self.language is not None and self.language.leans(sentence.plain)
            else quality.fitness(sentence, self.english)
            for sentence in self.sentences
        }

    @cached_property
    def own_fitness(self) -> dict[int, float]:
        """How well each sentence stands on the page about the document itself."""
        return {
            sentence.index: quality.fitness(sentence, self.english, own=True)
            if self.language is None
            else self.fitness[sentence.index]
            for sentence in self.sentences
        }

    def led(self, sentence: Sentence, *, by_pronoun: bool = False) -> Sentence:
        """``sentence`` with those behind it, in its paragraph, that lean on it: ``She sold the patent in 2029.``

        ``by_pronoun``: only those that begin with a word for its subject.
        """
        return joined(self._run(sentence, by_pronoun=by_pronoun))

    def told(self, chosen: Iterable[Sentence], *, together: bool = True) -> list[list[Sentence]]:
        """``chosen`` as runs in the order of the source: what leans on one comes with it, neighbours stay ``together``."""
        runs: list[list[Sentence]] = []
        for sentence in chosen:
            last = runs[-1][-1] if runs else None
            if any(sentence in run for run in runs):
                continue
            run = [*self._announced(sentence), *self._run(sentence)]
            follows = together and last is not None and sentence.index == last.index + 1 and not _opens(sentence)
            if follows and sum(len(s.quote) for s in (*runs[-1], *run)) <= _LONGEST_PAIR:
                runs[-1] += run
            else:
                runs.append(run)
        return runs

    def _announced(self, sentence: Sentence) -> list[Sentence]:
        """The sentence before, where it announces the list that ``sentence`` is the first item of."""
        before = (
            self.sentences[sentence.index - 1] if sentence.item and sentence.opens_block and sentence.index else None
        )
        if before is None or before.item or before.path != sentence.path or not before.plain.endswith(":"):
            return []
        told = replace(before, rich=replace(before.rich, plain=f"{before.plain.rstrip(':')}."))
        is_short = len(before.quote) + len(sentence.quote) <= _LONGEST_RUN
        if not is_short or quality.fitness(told, self.english, own=True) < _TELLING_ITEMS:
            return []
        # Both are one quote, which a number or a bold bullet between them would break.
        return [before] if isinstance(self.evidence.find(before.joined(sentence).quote), list) else []

    def _run(self, sentence: Sentence, *, by_pronoun: bool = False) -> list[Sentence]:
        """``sentence`` and those behind it that lean on it."""
        pronouns = self.language.pronouns if self.language is not None else _PRONOUNS
        run, length = [sentence], len(sentence.quote)
        for other in self.sentences[sentence.index + 1 : sentence.index + 1 + _FOLLOWERS]:
            if by_pronoun and not other.plain.startswith(pronouns):
                break
            length += len(other.quote)
            follows = not _opens(other) and (self.fitness[other.index] < _LEANING or other.bare is not other)
            if (
                not follows
                or (len(other.words) < _LEAST_WORDS and not SPACELESS.search(other.plain))
                or length > _LONGEST_RUN
                or quality.fitness(other, self.english, alone=False) < _TELLING
            ):
                break
            run.append(other)
        return run

    @cached_property
    def centrality(self) -> dict[int, float]:
        return dict(enumerate(ranking.centrality(self.sentences)))

    @cached_property
    def worth(self) -> dict[int, float]:
        """What each sentence says of the whole, when it stands alone."""
        count = len(self.sentences)
        return {
            s.index: self.own_fitness[s.index] * (0.25 + self.centrality[s.index]) * ranking.importance(s, count)
            for s in self.sentences
        }

    @cached_property
    def gist(self) -> str:
        """The words of all sentences, for asking whether a statement still stands in the source."""
        return " ".join(" ".join(sentence.keys) for sentence in self.sentences)

    # -- claims --------------------------------------------------------------------------------------------------

    def claim(self, sentence: Sentence, bullet: str = "") -> Claim | None:
        """``sentence`` as a cited block, or None where no quote of it can be checked."""
        if sentence.quote not in self._proven:
            self._proven[sentence.quote] = self._prove(sentence)
        claim = self._proven[sentence.quote]
        return claim and Claim(text=bullet + claim.text, quotes=claim.quotes)

    @cached_property
    def _proven(self) -> dict[str, Claim | None]:
        """The claims made so far, by the sentence's quote."""
        return {}

    def _prove(self, sentence: Sentence) -> Claim | None:
        told = sentence.bare
        text = told.text if _is_plain(told.text) else inline.escape(told.plain)
        if text.endswith(";"):
            text = f"{text[:-1]}."
        if len(text) > _LONGEST or not _is_plain(text) or _ACTIVE.search(text) or self.evidence.numbers_missing(text):
            return None
        # A quote that is found in its own lines is found in the source, which is much longer to fold.
        lines = Evidence(self.source.path, Document.from_text(sentence.raw))
        for quote in (sentence.quote, sentence.raw):
            found = lines.find(quote)
            if isinstance(found, list) and len(found) <= 3 and all(map(lines.holds, found)):
                return Claim(text=text, quotes=(quote,))
        return None

    def claims(self, chosen: Iterable[Sentence], bullet: str = "- ") -> list[Claim]:
        return [claim for sentence in chosen if (claim := self.claim(sentence, bullet)) is not None]


_MANUAL = re.compile(r"(?<!\S)(\S{1,60}\(\d\w{0,4}\)) .{0,200}\1$", re.IGNORECASE)
"""The head of a manual page: ``TAR(1) GNU TAR Manual TAR(1)``."""
_FOLLOWERS, _LEAST_WORDS, _LONGEST_RUN, _LONGEST_PAIR = 2, 6, 420, 300
"""Sentences that may follow the one they lean on, words of each, and characters of all together, and of neighbours."""
_PRONOUNS = ("It ", "He ", "She ", "They ", "Its ", "His ", "Her ", "Their ")
_TELLING_ITEMS = 0.25
"""How well a sentence stands alone that announces a list."""
_LEANING, _TELLING = 0.2, 0.4
"""How well a sentence stands alone that needs the one before it, and how well behind it."""
_LONGEST = 1_900
"""Characters of a claim: nobody says more in one sentence, and a proposal has room for no more than twice that."""
_ACTIVE = re.compile(r"\{\{|<%|%%")
"""What note-taking tools would run; the wall refuses it outside code."""


def _opens(sentence: Sentence) -> bool:
    """True when ``sentence`` begins a paragraph."""
    return sentence.opens_block or bool(sentence.label)


def _uncapitalised(title: str) -> str:
    """``OXALIC ACID TRIAL AT A FARM`` as ``Oxalic Acid Trial at a Farm``."""
    words = [word if word in STOP else word.capitalize() for word in title.lower().split()]
    return " ".join([words[0].capitalize(), *words[1:]])


def _is_plain(text: str) -> bool:
    """True when markdown reads ``text`` as one paragraph without links, footnotes and HTML."""
    outline = markdown.scan(text)
    kinds = [block.kind for block in outline.blocks]
    return kinds == ["paragraph"] and not outline.links and not outline.html and not outline.blocks[0].citations
