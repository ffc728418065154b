"""Names that are written as code: with their module, brackets or an ``@``, and with a word for what sort they are."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from curator.models.extractive.parsing.lexicon import STOP, VERBS
from curator.models.extractive.parsing.sentences import Sentence, Word

QUALIFIED = re.compile(
    r"(?=.*\W)(?P<at>@?)(?P<module>(?:[a-z_]\w*\.)*)(?P<name>[A-Za-z]\w*)(?P<behind>\[(?:\.\.\.)?\]|\(\))?"
)
"""A name of code with what says that it is one: ``typing.Final``, ``Required[]``, ``@final``, ``clear()``."""
_BARE_CODE = re.compile(r"\A@?(?:[a-z_]\w*\.)*|(?:\[(?:\.\.\.)?\]|\(\))\Z")
"""What is left out of code to have the name in it."""
_CODE_KINDS = frozenset(
    "annotation attribute class command constant construct constructor decorator directive field flag form function header"
    " hook key keyword macro method module operator option parameter qualifier setting table type variable".split()
)
"""What a name written as code may be called: ``the `Final` type qualifier``."""
_INTRODUCES = re.compile(
    r"\A(?:This|The present) \w+ (?:proposes?|introduces?|adds?|defines?|specifies|creates?)"
    r"(?: (?:adding|introducing|defining|creating|the (?:addition|introduction|creation) of))?"
    r"(?: (?:an?|new|one|the|three|two)"
    r"(?: (?:(?:form|kind|sort|type) of|(?!(?:as|by|for|from|how|in|into|of|on|than|that|to|which|with)\b)[\w-]+)){0,5}?"
    r"[,:]?(?: (?:called|named))?)? (?:[\w.@\[\]()]+(?:, which [^:;.,]{5,120})?,? and )?\W*(?:[a-z]+\.)*\Z"
)
"""What stands before what a document brings: ``This PEP proposes a new special form, TypeNarrower``."""


def modules_of(sentences: Iterable[Sentence]) -> dict[str, set[str]]:
    """The modules that each name is written with as code: two of them have a thing each that is called so."""
    found: dict[str, set[str]] = defaultdict(set)
    for sentence in sentences:
        for style, words in sentence.rich.marks:
            if style == "code" and (name := QUALIFIED.fullmatch(words)) and name["module"]:
                found[name["name"]].add(name["module"])
    return found


def before_module(sentence: Sentence, first: int) -> Sequence[Word]:
    """The words before that at ``first``, without the module of ``typing.Final``."""
    words, end = sentence.words, first
    while end and sentence.plain[words[end - 1].end : words[end].start] == ".":
        end -= 1
    return words[:end]


def with_kind(sentence: Sentence, first: int, last: int) -> int:
    """The last word of what the code is called behind it, ``type qualifier``; its own last one where nothing is."""
    words, plain = sentence.words, sentence.plain
    if not is_code(sentence, first, last):
        return last
    for at in range(last + 1, min(last + 4, len(words))):
        written, gap = words[at].written, plain[words[at - 1].end : words[at].start]
        if gap.strip("`[]()") not in ("", " ") or not written.islower() or written in STOP | VERBS:
            break
        if words[at].key in _CODE_KINDS and (at + 1 == len(words) or words[at + 1].key not in _CODE_KINDS):
            return at
    return last


def is_code(sentence: Sentence, first: int, last: int) -> bool:
    """True for what is written as code, or within it: ``Final``, ``typing.Final``, ``Required[]``, ``@final`` decorator."""
    words, plain = sentence.words, sentence.plain
    ends = {last} | {at for at in range(first, last) if {word.key for word in words[at + 1 : last + 1]} <= _CODE_KINDS}
    written = {plain[words[first].start : words[end].end] for end in ends}
    return any(style == "code" and _BARE_CODE.sub("", code) in written for style, code in sentence.rich.marks)


def is_brought(sentence: Sentence, first: int, last: int) -> bool:
    """True for code that the document says to bring: ``This PEP proposes a new special form, `TypeNarrower```."""
    return is_code(sentence, first, last) and bool(_INTRODUCES.match(sentence.plain[: sentence.words[first].start]))
