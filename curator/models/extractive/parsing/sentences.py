"""The sentences of a source, each with its readable text and the very words of the source it is.

- A block ends a sentence; inside one, a full stop may (sentence_ends.py).
- A list item is a sentence even without a full stop. The paragraph below a term of a definition list is led by that term.
- Sections that speak of the document (references, copyright, history) have no sentences.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, zip_longest

from curator.models.extractive.parsing import inline, sections
from curator.models.extractive.parsing.blocks import SourceText
from curator.models.extractive.parsing.examples import code_below
from curator.models.extractive.parsing.lexicon import (
    AUXILIARIES,
    OPENERS,
    STOP,
    VERBS,
)
from curator.models.extractive.parsing.line import BRIEF, COLUMNS, OPTION, POINTS_ON, PROSE_ROW, TextBlock, indent
from curator.models.extractive.parsing.navigation import menu_items
from curator.models.extractive.parsing.sentence_ends import WORD, is_of_lines, sentence_spans
from curator.wiki.pages.names import SPACELESS, name_key
from curator.wiki.sources.chat import SENT
from curator.wiki.sources.source import Source

_TIES = re.compile(
    r"(?:(?:However|So|First(?:ly)?|Second(?:ly)?|Third(?:ly)?|Fourth(?:ly)?|Fifth|Finally|Lastly|Additionally|Furthermore"
    r"|Moreover|Further|Also|In addition|Therefore|Thus|Hence|Consequently|Accordingly|As a result|As such|Nevertheless"
    r"|Nonetheless|Unfortunately|Fortunately|Importantly|Ultimately), |(?:Therefore|Thus|Hence) |Here,? (?=[Ww]e )"
    r"|(?:Please )?[Nn]ote(?: also)? that |(?:Note|NOTE)(?: \d)?: )(?=\w|`)"
)
"""Words that tie a sentence to the one before it, and say nothing by themselves."""
_QUESTION_MARKS = re.compile(r"(\A[*_]*)(?:Q|Question)[:.)] +|(?<=\?)([*_]*\s+)(?:A|Answer)[:.)] +")
"""What is written before a question, and before its answer."""
_STRUCK = re.compile(r"~~(?=\S)[^~\n]+(?<=\S)~~")
"""What its author took back."""
_SENT_BETWEEN = re.compile(rf"\n{SENT.pattern}")
"""When an answer was sent, in a chat."""
_STRUCK_OUT = re.compile(rf"(?:,\s?|\s)?{_STRUCK.pattern}(?:\s*\([^()\n]*\))?")
"""With the comma before it, and what a bracket says of it: ``Bent, ~~Ole~~ (can't come), Ria``."""
_LEAST_LEFT = 4
"""Words behind what is struck out at the beginning that say something without it."""
_PUT_FOR = re.compile(r"(?:\[[ xX]\] )?~~(?=\S)[^~\n]+(?<=\S)~~\s*(?:→|->|=>)\s*(?=\S+\s+\S)")
_LINE_END = re.compile(r"(?<=[\w)%\"'])(?=[ \t]*\n)")
_FIELD_GAP = re.compile(r"(?<=\w|\.|\)): {2,}(?=\S)")
_LEAST_BEFORE_CODE, _LEAST_WEIGHED = 9, 2
_MARKER = re.compile(
    r"(?P<bullet>[\s>]*(?:[*.]{1,5}|[-+•‣–○▪◦·]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|#\.)[ \t]+)(?P<box>\[[ xX*]\][ \t]+)?"
)
"""What begins a list item, with the space and the marks of a quote before it, and the box that is ticked off."""


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

    def behind(self, mark: str) -> Sentence:
        """This one with the ``mark`` that stands before it: ``[x]``, ``+``."""
        text = f"\\{mark} {self.text}" if mark in "+-" else f"{mark} {self.text}"
        rich = replace(self.rich, text=text, plain=f"{mark} {self.plain}")
        return replace(self, rich=rich, quote=f"{mark} {self.quote}", raw=f"{mark} {self.raw}")

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
        return tuple(Word(m[0], name_key(m[0]), m.start(), m.end()) for m in WORD.finditer(self.plain))

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
        titles = [title for title in block.path if title not in text.coded]
        skipped = any(sections.is_skipped(title) and not sections.may_tell(title, block.kind) for title in titles)
        if skipped or block in menus:
            continue
        aside = any(map(sections.is_aside, block.path))
        words = whole[block.start : block.end]
        # What mail programs quote they fill up.
        of_lines = source.format == "text" and "\n>" not in words and is_of_lines(words)
        row = PROSE_ROW.match(words) if block.kind == "item" and not marker else None
        row = row or (_OPTION_ITEM.match(words) if marker else None)
        for number, (start, end) in enumerate(sentence_spans(whole, block)):
            if put := _PUT_FOR.match(whole, start, end):
                start = put.end()  # what its author wrote in the place of what is struck out
            label = "" if number else row["term"] if row is not None else block.label
            sentence = _sentence(
                len(found), whole, (start, end), block, source.format, label, number == 0, aside, keeps_lines=of_lines
            )
            if _is_of_contents(sentence, headed, found):
                continue
            if _STRUCK.search(sentence.raw):
                if len(whole) > BRIEF or not (left := _left(sentence, source.format)):
                    continue
                sentence = left
            if sentence.words:
                opens = "" if number else marker
                if (begins := _MARKER.fullmatch(opens)) is not None and begins["box"]:
                    opens, sentence = begins["bullet"], sentence.behind(begins["box"].strip())
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
            code = code_below(whole[block.end : end], words, column, source.format)
            if code:
                aside = any(map(sections.is_aside, [each for each in block.path if not sections.shows(each)]))
                found[-1] = replace(found[-1], code=code, aside=aside)
    return _with_names(_ended([*_weighed(found)])) or tuple(_bare_lines(source, (text.title, *text.headings)))


def _weighed(found: Sequence[Sentence]) -> Iterator[Sentence]:
    """``found``; where some items of a list begin with ``+`` and others with ``-``, they say so: these speak for a thing,
    and those against it. Two items, or one within another, are no such list.
    """
    for _, run in groupby(found, key=lambda each: (each.path, each.item)):
        items = list(run)
        marks = [each.marker for each in items if each.marker]
        is_level = len({*map(indent, marks)}) == 1 and len(marks) > _LEAST_WEIGHED
        is_weighed = is_level and {each.strip() for each in marks} == {"+", "-"}
        for each in items:
            mark = each.marker.strip()
            if is_weighed and mark:
                each = replace(each.behind(mark), marker=" " * len(each.marker))
            yield each


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


def _left(sentence: Sentence, format: str) -> Sentence | None:
    """``sentence`` of a note without the words that are struck out in it; None where what is left says too little."""
    text = _STRUCK_OUT.sub("", sentence.raw)
    begins = sentence.raw.lstrip("[ xX]-*+").startswith("~~")  # "the deposit is ~~2~~ 3 months" does not
    is_told = len(WORD.findall(text)) > (_LEAST_LEFT if begins else 1)
    return replace(sentence, rich=inline.read_inline(" ".join(text.split()), format)) if is_told else None


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
    titles = [WORD.findall(title) for title in headings]
    mark = "#" if source.format in ("text", "html") else ""  # there a short line without one may be no heading
    found = ((line, WORD.findall(line)) for _, line in source.document.lines)
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
    text = _columns_told(whole[start:end]) if format == "text" and not label else whole[start:end]
    text = _SENT_BETWEEN.sub(" ", text) if block.answer >= 0 else text
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


def _columns_told(text: str) -> str:
    """``Sarah – write to all – by May`` and ``Voltage: 12 V`` for what stands in columns."""
    if "\n" in text or text.rstrip().endswith((".", "!", "?")):
        return text
    return COLUMNS.sub(" – ", _FIELD_GAP.sub(": ", text))


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


def _unquoted(raw: str) -> str:
    """Without the marks of a block quote at the beginning of each line."""
    return re.sub(r"\n[ \t]*(?:>[ \t]?)+", "\n", raw) if ">" in raw else raw
