"""Markdown: every line of the file is a line of the text, without what no reader of the rendered page sees.

Comments, titles of references that lead nowhere, and HTML elements that tags, attributes or styles hide are blanked out; in
code they are shown, and stay.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape

from css import Element, StyleRules
from extracted import Extracted, LeftOut
from front_matter import read_head
from html_hidden import hidden_by_attribute, own_styles
from html_text import UNSEEN, VOID
from look import Look
from page_sheets import sheets
from unicode_text import source_text

_FENCE = re.compile(r"^ {0,3}(?:[-*+>] *)*(`{3,}|~{3,})(.*)$")
_INDENTED = re.compile(r"^(?: {4}|\t)")
_SPAN = re.compile(r"(?<!`)(`{1,8})(?!`)[^\n]{0,400}?(?<!`)\1(?!`)")
_COMMENT = re.compile(r"<!--(?:>|->)?|<!\[CDATA\[|<\?|<!(?=[A-Za-z])")
_CLOSERS = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>", "<!": ">"}
_WORDLESS = re.compile(r"(?<!!)\[\]\((?:<[^<>\n]{0,500}>|[^()\s]{0,500})[^()\n]{0,500}\)")
_DEFINITION = re.compile(
    r"^ {0,3}\[(?!\^)((?:[^\[\]\\\n]|\\.){1,200})\]:[ \t]*+(?:\n[ \t]*+)?(<[^<>\n]{0,500}>|[^\s<]\S{0,1000}+)"
    r"(?:[ \t]*+(?:\n[ \t]*+)?(\"(?:[^\"\\]|\\.){0,2000}\"|'(?:[^'\\]|\\.){0,2000}'|\((?:[^()\\]|\\.){0,2000}\)))?[ \t]*+$",
    re.MULTILINE | re.DOTALL,
)
_NOWHERE = ("#", "<>", "<#>", "/", ".")
_TAG = re.compile(r"<(/?)([a-zA-Z][\w-]{0,40})((?:\s(?:[^<>\"']|\"[^\"\n]{0,2000}\"|'[^'\n]{0,2000}'){0,200})?)/?>")
_ATTRIBUTE = re.compile(r"([\w:-]{1,60})(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")
_MOST_TAGS = 20_000

Span = tuple[int, int, str]
"""From, to, and what hides it."""


def read(data: bytes, max_chars: int) -> Extracted:
    """The lines of the file in ``data``."""
    text, counts = visible(source_text(data))
    lines = text.removesuffix("\n").split("\n")
    left_out = [LeftOut(what, count, is_hidden=True) for what, count in sorted(counts.items())]
    numbered = [(number, line, number) for number, line in enumerate(lines, start=1)]
    return Extracted(numbered, head=read_head(lines), left_out=left_out)


def preload() -> None:
    read(b"a <b style='color:red'>b</b> <!-- c -->", 100)


def visible(text: str) -> tuple[str, Counter[str]]:
    """``text`` with what is hidden taken out, every line where it was; and how many characters went, by what hides them."""
    counts = Counter[str]()
    if "<" not in text and "]:" not in text and "[](" not in text:
        return text, counts
    plain = _without_code(text)
    parts, at = [], 0
    for start, end, why in sorted((*_comments(plain), *_definitions(plain), *_wordless(plain), *_elements(plain))):
        start = max(start, at)
        if end > start:
            gone = text[start:end]
            counts[why] += sum(not character.isspace() for character in gone)
            parts += [text[at:start], "\n" * gone.count("\n")]
            at = end
    return "".join((*parts, text[at:])), counts


def _without_code(text: str) -> str:
    """``text``, as long as it was, with code blanked out: what looks hidden in there is shown."""
    lines, fence, was_blank = [], "", True
    for line in text.split("\n"):
        opened = _FENCE.match(line)
        is_code = bool(fence) or (was_blank and _INDENTED.match(line) is not None)
        if fence:
            if opened and opened[1].startswith(fence) and not opened[2].strip():
                fence = ""
        elif opened and "`" not in opened[2]:
            fence, is_code = opened[1], True
        was_blank = not line.strip() or (was_blank and is_code and not fence)
        lines.append(" " * len(line) if is_code else line)
    return _SPAN.sub(lambda match: " " * len(match[0]), "\n".join(lines))


def _comments(text: str) -> Iterator[Span]:
    """Comments, and what else is between marks that a page shows neither."""
    at, unclosed = 0, set[str]()
    while opened := _COMMENT.search(text, at):
        start, at, closer = opened.start(), opened.end(), _CLOSERS.get(opened[0], "")
        end = text.find(closer, at) if closer and closer not in unclosed else -1
        if end >= 0:
            at = end + len(closer)
            yield start, at, "comments"
            continue
        unclosed.add(closer)
        if opened[0] == "<!--" and not text[: opened.start()].rpartition("\n")[2].strip():
            # Nothing closes it, and so it ends with the file.
            yield start, len(text), "comments"
            return


def _definitions(text: str) -> Iterator[Span]:
    """The titles of references that nothing refers to, or that lead nowhere."""
    found = [match for match in _DEFINITION.finditer(text) if match[3] and "\n\n" not in match[3]]
    if not found:
        return
    used = Counter(map(str.casefold, re.findall(r"\[([^\[\]\n]{1,200})\](?!:)", text)))
    for match in found:
        if match[2] in _NOWHERE or not used[match[1].casefold()]:
            yield match.start(3), match.end(3), "titles of references that nothing shows"


def _wordless(text: str) -> Iterator[Span]:
    for match in _WORDLESS.finditer(text):
        yield match.start(), match.end(), "links without words"


def _elements(text: str) -> Iterator[Span]:
    """The elements that are not seen, from the end of their tag to their closing tag."""
    styles = StyleRules(sheets(text))
    closed = Counter(match[2].lower() for match in _TAG.finditer(text) if match[1])
    opened: list[tuple[Element, Look, int, str]] = []
    for count, match in enumerate(_TAG.finditer(text)):
        tag = match[2].lower()
        if count > _MOST_TAGS:
            break
        if match[1]:
            closed[tag] -= 1
            if any(element.tag == tag for element, *_ in opened):
                while opened:
                    element, _, start, why = opened.pop()
                    if why:
                        yield start, match.start(), why
                    if element.tag == tag:
                        break
        elif tag not in VOID:
            element = Element(
                tag,
                {
                    found[1].lower(): unescape(found[2] or found[3] or found[4] or "")
                    for found in _ATTRIBUTE.finditer(match[3])
                },
            )
            outside = opened[-1][1] if opened else Look()
            declared = {**own_styles(element), **styles.of([*(each for each, *_ in opened[-20:]), element])}
            look = outside.inside(declared)
            why = look.hidden or hidden_by_attribute(element, folds=False)
            why = why or ("for no reader" if tag in UNSEEN and closed[tag] > 0 else "")
            opened.append((element, look, match.end(), why))
    yield from ((start, len(text), why) for element, _, start, why in opened if why and element.tag not in UNSEEN)
