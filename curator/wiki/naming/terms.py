"""The names that a source states: whether it has a name at all, and whether it gives one thing two of them.

Names are compared as they are elsewhere (case, accents, hyphens, markup, a leading article are nothing), by the stems of
their words, so that a plural or a well-known short form is the same name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import PurePosixPath
from weakref import WeakKeyDictionary

from curator.wiki.english.stems import stem
from curator.wiki.english.stop_words import STOP
from curator.wiki.english.words import is_english, phrase
from curator.wiki.pages import inline
from curator.wiki.pages.names import ARTICLES, SERIES, SPACELESS, WORD, words_of
from curator.wiki.sources.chat import SENT
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.layout import Layout
from curator.wiki.sources.source import Document

_WORD = re.compile(WORD)
_SENTENCE_END = re.compile(r"(?<![\s.(]\w)[.!?;](?=\s)|\n\s*\n|\n(?=[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t])|[。！？]")
_MARKUP = re.compile(r"(?<=\])\([^()\s]*\)|\[\^[^\[\]\s]+\]|\[#?\w{1,12}\]_|[*`|]|(?<!\w)_+|_+(?!\w)|:\w+:(?=`)")
_BOLD_HEAD = re.compile(r"\*\*([^*\n]{1,70}[^*\n!?])\*\*:?[ \t]*(?:\n|\Z)")
_LIST_NAME = re.compile(r"[^\W\d_][^\W_]*(?:[ /&-]+[^\W_]+){0,2}\s*")
_RUN_IN = re.compile(r"\s*(?:[-*+]\s+)?\*\*([^*\n:]{2,60})(?::\*\*|\*\*:)\s")
"""A label in bold before what it is of: ``**Not so good:** no room for the dog``."""
_UNTITLED = re.compile(
    rf"[-*+•]\s|(?:Q|A|Question|Frage): |.*,\Z|{SENT.pattern}|[A-Z][\w.'’ -]{{1,40}} {{1,4}}\d{{1,2}}:\d{{2}}(?: ?[AP]M)?\Z"
    r"|[^\W\d_][\w .-]{1,30}, (?:den|le) \d{1,2}\.? ?(?:\d{1,2}|[^\W\d_]{3,9})\.? ?\d{2,4}\Z"
)
"""A first line that is no title: an item, a question with its mark, how a letter begins, where and when it was written."""
_ANSWERS = re.compile(r"\A(?:(?:re|aw|sv|antw|fwd?|wg|tr|rv)(?:\[\d\])?: *)+", re.IGNORECASE)
"""What mail programs put before the subject of a letter that answers one, or passes it on."""
_NAME_FIELDS = frozenset("pep rfc number no id issue version report standard part title subject name".split())
"""Head fields that name the source itself."""
_JOINTS = tuple(map(stem, ("of", "for", "in", "from", "with", "by", "on", "to", "against")))
_NUMBERED = re.compile(r":(pep|rfc|cve|issue|bug):`(\w[^`<>]*)`", re.IGNORECASE)
"""A role that is read as the name of another document: ``PEP 658``."""
_RFC = re.compile(r"^Request for Comments: {1,4}(\d{1,5})(?!\w)", re.MULTILINE)
_ROOT = 5
"""Letters that words of one root begin with."""
_LONGEST_LINE = 120
_SAMPLE = 20_000
"""Characters by which the language of a source is told."""


@dataclass(frozen=True)
class PlacedWords:
    """A sentence and its words, each as names are compared, with where it stands."""

    text: str
    words: tuple[tuple[str, int, int], ...]
    flat: str
    """The words in a row, with one space between and at both ends."""

    @classmethod
    def of(cls, text: str) -> PlacedWords:
        words = tuple((key(found[0]), found.start(), found.end()) for found in _WORD.finditer(text))
        return cls(text, words, f" {' '.join(word for word, _, _ in words)} ")

    def places(self, name: str) -> Iterator[tuple[int, int]]:
        """Where the words of ``name`` stand one behind the other."""
        wanted = key(name).split()
        if not wanted or f" {' '.join(wanted)} " not in self.flat:
            return
        for at in range(len(self.words) - len(wanted) + 1):
            if all(self.words[at + n][0] == part for n, part in enumerate(wanted)):
                yield self.words[at][1], self.words[at + len(wanted) - 1][2]


def is_name_of_list(line: str) -> bool:
    """True for what may stand over a list as its heading, and leads nowhere: ``Kitchen``, ``No need``, ``To do:``."""
    named = line.rstrip(": ")
    return _LIST_NAME.fullmatch(named) is not None and (named != line or line.split()[-1] not in STOP)


def without_number(heading: str) -> str:
    """``5. Results`` and ``## 5.2 Results`` as ``Results``."""
    return re.sub(r"\A\s*(?:[#=*]{1,6}\s+)?(?:[A-Z]?\d{1,2}[.):]|\d{1,2}(?:\.\d{1,2})+[.):]?)\s", "", heading, count=1)


class Terms:
    """What a source calls things."""

    def __init__(self, path: str, document: Document) -> None:
        self.path = path
        self.text = document.text
        self.layout = Layout(document)

    @cached_property
    def is_english(self) -> bool:
        return is_english(phrase(self.text[:_SAMPLE]))

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(self._flat.split(" "))

    @cached_property
    def headings(self) -> frozenset[str]:
        """Its headings, as the stems of their words; so are bold labels, bold lines above a text, names of lists."""
        texts = [(block.kind, self.layout.of(block)) for block in self.layout.blocks]
        bold = (_BOLD_HEAD.match(text) for kind, text in texts[:-1] if kind == "paragraph")
        found = [text for kind, text in texts if kind == "heading"] + [head[1] for head in bold if head]
        found += [label[1] for _, text in texts if (label := _RUN_IN.match(text))]
        above = ((text, kind, below) for (kind, text), (below, _) in pairwise(texts))
        found += [text for text, *kinds in above if kinds == ["paragraph", "item"] and is_name_of_list(text)]
        return frozenset(key(text) for each in found for text in (each, without_number(each)))

    @cached_property
    def passages(self) -> tuple[str, ...]:
        """Its text, parted where a sentence or a paragraph ends."""
        return tuple(_SENTENCE_END.split(self.text))

    def has_root_of(self, word: str) -> bool:
        """True when a word of the text begins as this lower-case one does: referral, refer."""
        return len(word) >= _ROOT and word[:_ROOT] in self._roots

    @cached_property
    def _roots(self) -> frozenset[str]:
        return frozenset(word[:_ROOT] for word in _WORD.findall(self.text.lower()) if len(word) >= _ROOT)

    def states(self, name: str) -> bool:
        """True when the words of ``name`` stand in the text one behind the other."""
        wanted = key(name)
        if SPACELESS.search(name) and "".join(name.split()) in "".join(self.text.split()):
            return True
        return bool(wanted) and (f" {wanted} " in self._flat or f" {wanted} " in self._own_flat)

    def states_turned(self, name: str) -> bool:
        """True when the text has "stores for the winter" for ``winter stores``."""
        *before, last = key(name).split() or [""]
        joint = rf"(?:{'|'.join(_JOINTS)})(?: (?:{'|'.join(ARTICLES)}))?"
        return (
            bool(before)
            and re.search(rf" {re.escape(last)} {joint} {re.escape(' '.join(before))} ", self._flat) is not None
        )

    def states_apart(self, name: str, part: str) -> bool:
        """True when the text has "the package.workspace manifest key" for ``package.workspace`` and ``key``."""
        gap = re.search(rf" {re.escape(key(name))} ((?:[^ .]+ ){{1,2}}){re.escape(key(part))} ", self._flat)
        return gap is not None and STOP.isdisjoint(gap[1].split())

    def is_own(self, name: str) -> bool:
        """True when ``name`` is one of the source itself: of its title, its first line, its number, its file."""
        wanted = key(name)
        return bool(wanted) and f" {wanted} " in self._own_flat

    @cached_property
    def title(self) -> str:
        """What it is called; its first heading, a short first line, or its file's name."""
        first = next((line.strip() for line in self.text.split("\n") if line.strip()), "")
        subject = _ANSWERS.sub("", self._field("subject")) if self._field("from") else ""
        first = "" if _UNTITLED.match(first) else _plain(first)
        headed = _plain(self.layout.title)
        headed = "" if _UNTITLED.match(headed) else headed
        for name in (self._field("title"), subject, headed, first):
            if name and len(name) <= _LONGEST_LINE and not name.endswith((".", ":")):
                return name
        return self._file_name

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The names of the source itself."""
        first = [line.strip() for line in self.text.split("\n") if line.strip()][:1]
        fields = [
            f"{name.strip()} {value.strip()}"
            for name, _, value in (self.layout.of(block).partition(":") for block in self.layout.head)
            if name.strip(" :").lower() in _NAME_FIELDS
        ]
        return tuple(filter(None, (*first, self.layout.title, self.title, self.number, *fields, self._file_name)))

    @cached_property
    def number(self) -> str:
        """``PEP 427``, by a field of its head; ``RFC 2119`` where it begins as one does, in columns; else empty."""
        for name in SERIES:
            if re.fullmatch(r"\d{1,5}", number := self._field(name)):
                return f"{name.upper()} {int(number)}"
        found = _RFC.search(self.text[: self.layout.blocks[0].end]) if self.layout.blocks else None
        return f"RFC {int(found[1])}" if found else ""

    @cached_property
    def sentences(self) -> tuple[PlacedWords, ...]:
        """The text in sentences, markup left out."""
        return tuple(map(PlacedWords.of, self._sentences))

    def _field(self, wanted: str) -> str:
        for block in self.layout.head:
            name, _, value = self.layout.of(block).partition(":")
            if name.strip(" :").lower() == wanted:
                return " ".join(value.split()).strip("\"'")
        return ""

    @property
    def _file_name(self) -> str:
        return re.sub(r"[-_]+", " ", PurePosixPath(self.path).stem)

    @cached_property
    def _sentences(self) -> tuple[str, ...]:
        plain = _MARKUP.sub("", _NUMBERED.sub(r"\1 \2", self.text))
        return tuple(" ".join(each.split()) for each in _SENTENCE_END.split(plain) if each.strip())

    @cached_property
    def _flat(self) -> str:
        return f" {' . '.join(' '.join(_stems(each)) for each in self._sentences)} "

    @cached_property
    def _own_flat(self) -> str:
        return f" {' . '.join(' '.join(_stems(each)) for each in self.own)} "


def terms_of(evidence: Evidence) -> Terms:
    """The names in one source; a source is read once, however often it is asked."""
    if evidence not in _read:
        _read[evidence] = Terms(evidence.path, evidence.document)
    return _read[evidence]


@lru_cache(maxsize=8_192)
def key(name: str) -> str:
    """The stems of the words of ``name``, a leading article apart; ``0345`` is ``345``."""
    words = words_of(name)
    if len(words) > 1 and words[0] in ARTICLES:
        words = words[1:]
    return " ".join(map(_folded, words))


_read: WeakKeyDictionary[Evidence, Terms] = WeakKeyDictionary()


def _stems(text: str) -> list[str]:
    return [_folded(word) for word in words_of(text)]


def _folded(word: str) -> str:
    return word.lstrip("0") or "0" if word.isdecimal() else stem(word)


def _plain(line: str) -> str:
    """``line`` without its markup; what stands in code, and a bar between words, is as it is written."""
    shown, at = [], 0
    for start, end in (*inline.code_spans(line), (len(line), len(line))):
        shown += [" | ".join(_MARKUP.sub("", part) for part in line[at:start].split(" | ")), line[start:end]]
        at = end
    return " ".join("".join(shown).lstrip("#= ").split())
