"""The sentences of a source, each with its readable text and the very words of the source it is.

- A block ends a sentence; inside one, a full stop does when what follows can begin a sentence and no abbreviation, initial
  or ordinal stands before it. Code is not looked into.
- A list item is a sentence even without a full stop. The paragraph below a term of a definition list is led by that term.
- Sections that speak of the document (references, copyright, history) have no sentences.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, zip_longest

from curator.models.extractive.parsing import inline, sections
from curator.models.extractive.parsing.blocks import SourceText
from curator.models.extractive.parsing.examples import code_below
from curator.models.extractive.parsing.lexicon import (
    ABBREVIATIONS,
    AUXILIARIES,
    OPENERS,
    STOP,
    VERBS,
)
from curator.models.extractive.parsing.line import OPTION, POINTS_ON, PROSE_ROW, TextBlock
from curator.models.extractive.parsing.navigation import menu_items
from curator.wiki.pages.names import SPACELESS, name_key
from curator.wiki.sources.source import Source

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_STOP = re.compile(r"(?<=[.!?])[\"'”’»)\]*_`]*(?:\s+)(?=\S)|(?<=[。！？])[」』”’）)]*")
_BEGINS = re.compile(r"[\"'“‘„«(\[*_:`]*[A-Z0-9À-ÞĀ-Ž\u0400-\u042f]|[\"'“‘(\[*_:]*(?:\w{1,40}:)?`")
_NEAR = 200
"""Characters on either side of a full stop that are looked at: with the whole paragraph each stop would cost as much."""
_MASKED = re.compile(r"``.+?``|`[^`]+`|https?://\S+", re.DOTALL)
_MONTHS = re.compile(
    r"(?:jan|feb|mar|mär|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|jahr|januar|century|jh)", re.IGNORECASE
)
_MONTH = re.compile(r"(?:jan|feb|mar|apr|jun|jul|aug|sept?|o[ck]t|nov|de[cz])")
_PART = re.compile(r"(?:Kapitel|Abschnitt|Teil|Anhang|Chapitre|Partie|Capítulo|Chapter|Section|Part|Appendix)")
_TIES = re.compile(
    r"(?:(?:However|So|First(?:ly)?|Second(?:ly)?|Third(?:ly)?|Fourth(?:ly)?|Fifth|Finally|Lastly|Additionally|Furthermore"
    r"|Moreover|Further|Also|In addition|Therefore|Thus|Hence|Consequently|Accordingly|As a result|As such|Nevertheless"
    r"|Nonetheless|Unfortunately|Fortunately|Importantly|Ultimately), |(?:Therefore|Thus|Hence) |Here,? (?=[Ww]e )"
    r"|(?:Please )?[Nn]ote(?: also)? that |(?:Note|NOTE)(?: \d)?: )(?=\w|`)"
)
"""Words that tie a sentence to the one before it, and say nothing by themselves."""
_ASKED = re.compile(r"\?[*_\"'”’)]*\Z")
_MARKED_QUESTION = re.compile(r"[*_]|(?:Q|Question)[:.)] ")
_QUESTION_MARKS = re.compile(r"(\A[*_]*)(?:Q|Question)[:.)] +|(?<=\?)([*_]*\s+)(?:A|Answer)[:.)] +")
"""What is written before a question, and before its answer."""
_STRUCK = re.compile(r"~~(?=\S)[^~\n]+(?<=\S)~~")
"""What its author took back."""
_LINE_END = re.compile(r"(?<=[\w)%\"'])(?=[ \t]*\n)")
_WIDEST = 80
"""Characters of a line that was filled up."""
_LEAST_OF_ITEM = 4
_SUBJECTLESS = frozenset("it its they their them by only not no for from use see ask do".split())
_HEADED = re.compile(r"(\*\*|__)[^*_\n]{2,60}\1(?: \([^()]*\))? ?[:–—-] ?|(\*\*|__)[^*_\n]{2,60}:\2 ")
"""A name in bold that a paragraph begins with, and what sets it apart: ``**Drone**: male bee.``"""
_LEAST_BEFORE_CODE = 9
_MARKER = re.compile(
    r"[\s>]*(?:[*.]{1,5}|[-+•‣–○▪◦·]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|#\.)[ \t]+(?:\[[ xX*]\][ \t]+)?"
)
"""What begins a list item, with the space and the marks of a quote before it."""


GOES_ON = " "
_ARTICLE = re.compile(r"(?:An?|The) ")
_OPTION_ITEM = re.compile(r"(?P<term>--?[\w?#@\[][^\s:]*(?:,? {1,3}[^\s:]+){0,4}?)(?: \([^()]*\))?: +(?=\S)")
"""What an item begins with that is on an option."""


@dataclass(frozen=True)
class Word:
    """A word of a sentence: as written, folded as names are, and where it stands in ``plain``."""

    written: str
    key: str
    start: int
    end: int


@dataclass(frozen=True)
class Sentence:
    """One statement of the source."""

    index: int
    rich: inline.RichText
    quote: str
    raw: str
    """The quote with the source's line breaks."""
    path: tuple[str, ...]
    item: bool
    label: str
    opens_block: bool
    aside: bool
    """It stands in a section of examples, alternatives or rejected ideas."""
    marker: str = ""
    """What begins the list item that it opens, with the space before it: ``  2. ``"""
    term: str = ""
    """What the definition list is about that it stands in."""
    adjoins: bool = True
    """Nothing but white space parts its block from the one before."""
    is_tight: bool = False
    """It begins in the line below the one before, in Markdown."""
    listed: tuple[tuple[str, Sentence], ...] = ()
    """The items of the list that it leads in to, where they are told with it, each with its bullet; ``GOES_ON`` is that of
    what stands below an item as a paragraph of its own.
    """

    code: str = ""
    """What its source shows right below it."""
    tied: bool = False
    """It is told right below the paragraph that it goes on from."""
    named: bool = False
    """It begins with a name in lower case: a word that sentences of its source begin with again and again."""

    @property
    def is_headless(self) -> bool:
        """It is the first item of its list, and nothing leads in to them."""
        return bool(self.listed) and self.listed[0][1].quote.startswith(self.quote)

    @property
    def text(self) -> str:
        """As markdown."""
        return self.rich.text

    @property
    def plain(self) -> str:
        return self.rich.plain

    @cached_property
    def bare(self) -> Sentence:
        """The same as it is told alone: ``However, servers SHOULD ...`` without the word that ties it to what is before
        it."""
        if self.tied:
            return self
        shows = bool(self.code)
        text, plain = (_alone(form, shows=shows) for form in (self.rich.text, self.rich.plain))
        if (text, plain) == (self.rich.text, self.rich.plain):
            return self
        return replace(self, rich=replace(self.rich, text=text, plain=plain))

    def joined(self, other: Sentence) -> Sentence:
        """This one and the ``other``, which follows it in the source, as one statement."""
        mine, theirs = self.rich, other.rich
        gap = "" if SPACELESS.match(other.plain) or mine.plain.endswith(("。", "！", "？")) else " "
        rich = inline.RichText(
            f"{mine.text}{gap}{theirs.text}",
            f"{mine.plain}{gap}{theirs.plain}",
            (*mine.marks, *theirs.marks),
            mine.rough or theirs.rough,
        )
        raw = f"{self.raw}\n{other.marker}{other.raw}" if other.marker else f"{self.raw}{gap}{other.raw}"
        quote = f"{self.quote}{gap}{other.marker.lstrip()}{other.quote}"
        return replace(self, rich=rich, quote=quote, raw=raw, listed=other.listed, code=other.code)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return tuple(Word(m[0], name_key(m[0]), m.start(), m.end()) for m in _WORD.finditer(self.plain))

    @cached_property
    def keys(self) -> tuple[str, ...]:
        return tuple(word.key for word in self.words)


def _alone(text: str, *, shows: bool) -> str:
    if tie := _TIES.match(text):
        text = f"{text[tie.end()].upper()}{text[tie.end() + 1 :]}"
    return f"{text.rstrip(':')}:" if shows and text.endswith(":") else text


def joined(run: Sequence[Sentence]) -> Sentence:
    """The sentences of ``run``, which follow each other in the source, as one statement."""
    first, *others = run
    for other in others:
        first = first.joined(other)
    return first


def read_sentences(source: Source, text: SourceText) -> tuple[Sentence, ...]:
    """Every sentence of ``text`` that is about its subject."""
    found: list[Sentence] = []
    last: TextBlock | None = None
    whole = source.document.text
    before = 0
    headed = frozenset(map(name_key, text.headings))
    menus = frozenset(menu_items(whole, text.blocks))
    for number_of, block in enumerate(text.blocks):
        marker, gap = _before(whole, before, block)
        before = block.end
        skipped = any(sections.is_skipped(title) for title in block.path if title not in text.coded)
        if skipped or block in menus:
            continue
        aside = any(map(sections.is_aside, block.path))
        of_lines = source.format == "text" and _is_of_lines(whole[block.start : block.end])
        for number, (start, end) in enumerate(_with_answers(whole, block, [*_spans(whole, block)])):
            label = block.label if number == 0 else ""
            words = whole[block.start : block.end]
            row = PROSE_ROW.match(words) if block.kind == "item" and not marker else None
            row = row or (_OPTION_ITEM.match(words) if marker else None)
            label = row["term"] if row is not None and number == 0 else label
            sentence = _sentence(
                len(found), whole, (start, end), block, source.format, label, number == 0, aside, keeps_lines=of_lines
            )
            if _is_of_contents(sentence, headed, found) or _STRUCK.search(sentence.raw):
                continue
            if sentence.words:
                opens = marker if number == 0 else ""
                term = block.term or (row["term"] if row is not None else "")
                adjoins = number > 0 or not gap.strip()
                is_tight = number == 0 and adjoins and gap.count("\n") == 1 and source.format == "markdown"
                found.append(replace(sentence, marker=opens, term=term, adjoins=adjoins, is_tight=is_tight))
                last = block
        if found and last is block:
            end = len(whole)
            if number_of + 1 < len(text.blocks):
                following = text.blocks[number_of + 1]
                end = whole.rfind("\n", 0, max(following.label_start, following.start)) + 1
            column = block.start - whole.rfind("\n", 0, block.start) - 1
            code = code_below(whole[block.end : end], whole[block.start : block.end], column, source.format)
            if code:
                aside = any(map(sections.is_aside, [each for each in block.path if not sections.shows(each)]))
                found[-1] = replace(found[-1], code=code, aside=aside)
    return _with_names(_ended(found)) or tuple(_bare_lines(source, (text.title, *text.headings)))


def _is_of_contents(sentence: Sentence, headed: frozenset[str], found: Sequence[Sentence]) -> bool:
    """True for the line of a table of contents: an item that is a heading, and no sentence leads in to it."""
    before = found[-1] if found else None
    is_led = before is not None and (before.plain.endswith((":", "：")) or name_key(before.plain) in headed)
    return sentence.item and not is_led and name_key(sentence.plain) in headed


def _ended(found: Sequence[Sentence]) -> Iterator[Sentence]:
    """``found``; what leads to nothing that is told ends as a sentence, if it says something by itself."""
    for sentence, following in zip_longest(found, found[1:]):
        leads = following is not None and following.path == sentence.path
        leads = leads and bool(following.marker or following.label or (sentence.item and following.item))
        rich = sentence.rich
        # What stands between it and the next words of its section is not told: code that is too long, a picture.
        shows = following is not None and following.path == sentence.path and not following.adjoins
        points_on = shows or len(sentence.words) < _LEAST_BEFORE_CODE or POINTS_ON.search(rich.plain)
        if not (leads or sentence.code or points_on) and rich.plain.endswith(":") and rich.text.endswith(":"):
            text, plain = (f"{form.rstrip(':')}." for form in (rich.text, rich.plain))
            sentence = replace(sentence, rich=replace(rich, text=text, plain=plain))
        yield sentence


def _with_names(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """The same, those marked that begin with the name of a program: ``zstd does not ...``."""
    found = tuple(sentences)
    first = Counter(s.words[0].written for s in found if not s.item and s.plain[:1].islower())
    names = {word for word, times in first.items() if times > 1 and word not in STOP | VERBS | OPENERS}
    return tuple(replace(s, named=True) if s.words[0].written in names else s for s in found)


def _before(whole: str, end: int, block: TextBlock) -> tuple[str, str]:
    """The bullet or number that ``block`` is an item by, and what else stands behind the block that ends at ``end``."""
    start = block.start if block.label_start < 0 else block.label_start
    line = whole.rfind("\n", 0, start) + 1
    marker = whole[line:start] if block.kind == "item" else ""
    marker = marker if _MARKER.fullmatch(marker) else ""
    gap = whole[end : line if marker else start]
    return marker, gap


def _bare_lines(source: Source, headings: Iterable[str]) -> Iterator[Sentence]:
    """The lines of a source without running text: a table, a list of names; no heading that is marked as such."""
    titles = [_WORD.findall(title) for title in headings]
    mark = "#" if source.format in ("text", "html") else ""  # there a short line without one may be no heading
    found = ((line, _WORD.findall(line)) for _, line in source.document.lines)
    told = (line for line, words in found if len(words) >= 3 and not (words in titles and line.startswith(mark)))
    for index, line in enumerate(told):
        rich = inline.read_inline(line, "text")
        yield Sentence(index, rich, " ".join(line.split()), line, (), False, "", True, False)


def _sentence(
    index: int,
    whole: str,
    span: tuple[int, int],
    block: TextBlock,
    format: str,
    label: str,
    first: bool,
    aside: bool,
    *,
    keeps_lines: bool,
) -> Sentence:
    """``keeps_lines``: its lines are parted by semicolons."""
    start, end = span
    text = whole[start:end]
    text = _LINE_END.sub(";", text) if keeps_lines else text
    term = ""
    if label and block.label_start < 0:
        behind = text[len(label) :] if text.startswith(label) else text.partition("::")[2]
        term, text = label, (behind or text[len(label) :]).lstrip(" |:")
    rich = inline.read_inline(_QUESTION_MARKS.sub(r"\1\2", _unquoted(text)), format)
    if term or (label and (OPTION.match(label) or not _is_told_of(label, rich.plain))):
        lead = _term(term or _unquoted(whole[block.label_start : start]), format)
        rich = inline.RichText(
            f"{lead.text}: {rich.text}",
            f"{lead.plain}: {rich.plain}",
            (*lead.marks, *rich.marks) if term else rich.marks,
            rich.rough or lead.rough,
        )
        start = start if term else block.label_start
    raw = whole[start:end]
    quote = " ".join(inline.rejoined(_unquoted(raw)).split())
    return Sentence(index, rich, quote, raw, block.path, block.kind == "item", label, first, aside)


def _is_of_lines(text: str) -> bool:
    """True for a note, whose lines end where its author ended them: they were not filled up."""
    lines = [line.strip() for line in text.split("\n")]
    width = max((len(line) for line in lines if len(line) <= _WIDEST), default=0)
    early = sum(len(line) + 1 + len(below.split(" ")[0]) <= width for line, below in pairwise(lines))
    return len(lines) > 1 and early * 2 >= len(lines) - 1


def _is_told_of(label: str, plain: str) -> bool:
    """True for a sentence that its label is the subject of: ``A locker is a tool which ...``"""
    before, named, behind = name_key(plain).partition(f"{name_key(label)} ")
    return bool(named and not before and (_ARTICLE.match(plain) or behind.split()[0] in AUXILIARIES | VERBS))


def _term(raw: str, format: str) -> inline.RichText:
    """What a definition list is about; options are code, and several stand one behind the other."""
    lines = [line.strip().rstrip(".:") for line in raw.strip().split("\n")]
    if not OPTION.match(lines[0].lstrip("`'")):
        return inline.read_inline(" ".join(lines), format)
    names = " ".join(", ".join(filter(None, lines)).replace("`", "").split())
    return inline.RichText(f"`{names}`", names, (("code", names),))


def _spans(whole: str, block: TextBlock) -> Iterator[tuple[int, int]]:
    """The offsets of the sentences of ``block``."""
    raw = whole[block.start : block.end]
    masked = _MASKED.sub(lambda match: match[0][0] + "x" * (len(match[0]) - 2) + match[0][-1], raw)
    start = 0
    for stop in _STOP.finditer(masked):
        before = masked[max(start, stop.start() - _NEAR) : stop.start()]
        if stop.end() < len(masked) and not _ends(before, masked[stop.end() : stop.end() + _NEAR]):
            continue
        stripped = len(raw[start : stop.end()].rstrip())
        if stripped:
            yield block.start + start, block.start + start + stripped
        start = stop.end()
    if raw[start:].strip():
        yield block.start + start, block.end


def _with_answers(whole: str, block: TextBlock, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """``spans``; a question that is marked as one, or begins an item, is one with its answer: ``**Why?** For fun.``; and
    the few words that an item begins with are one with what is said of them: ``XML import. Use the converter.``
    """
    start = -1
    for number, span in enumerate(spans):
        start = span[0] if start < 0 else start
        words = whole[start : span[1]]
        is_headed = _HEADED.match(whole, block.start) is not None
        is_first = (block.kind == "item" or block.label or is_headed) and start == spans[0][0] == span[0]
        is_asked = _ASKED.search(words) and (is_first or _MARKED_QUESTION.match(words))
        is_piece = is_first and len(_WORD.findall(words)) < _LEAST_OF_ITEM
        following = whole[slice(*spans[number + 1])] if number + 1 < len(spans) else ""
        if following and (is_asked or (is_piece and (is_headed or _leans_on_a_name(following)))):
            continue
        yield start, span[1]
        start = -1


def _leans_on_a_name(text: str) -> bool:
    """True for what has no subject of its own: ``Use the converter.``"""
    first = _WORD.search(text)
    word = first[0].casefold() if first else ""
    return word in VERBS | AUXILIARIES | _SUBJECTLESS


def _ends(before: str, after: str) -> bool:
    """True when a sentence ends between ``before``, which ends with its stop, and ``after``."""
    if before[-1:] in "。！？":
        return True
    last = before.split()[-1:] if not before[-1:].isspace() else []
    word = last[0].lstrip("(\"'“‘[*") if last else ""
    bare = word.rstrip(".!?").casefold()
    if word.endswith("."):
        if bare == "etc" and after[:1].isupper():
            return True
        if bare in ABBREVIATIONS or re.fullmatch(r"[A-Za-zÀ-ž]", bare) or word.endswith(".."):
            return False
        if _MONTH.fullmatch(bare) and after[:1].isdigit():
            return False
        ahead = before[: -len(word)].split()[-1:]
        if re.fullmatch(r"\d{1,2}", bare) and (not ahead or _MONTHS.match(after) or _PART.fullmatch(ahead[0])):
            return False
    if _BEGINS.match(after):
        return True
    if before[-1:] != "." or before.count("(") > before.count(")"):
        return False
    return re.fullmatch(r"[^\W\d_]{3,}", bare) is not None and after[:1].isalpha()


def _unquoted(raw: str) -> str:
    """Without the marks of a block quote at the beginning of each line."""
    return re.sub(r"\n[ \t]*(?:>[ \t]?)+", "\n", raw) if ">" in raw else raw
