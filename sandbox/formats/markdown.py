"""Markdown: every line of the file is a line of the text, without what no reader of the rendered page sees.

Comments, titles of references that lead nowhere, and HTML elements that tags, attributes or styles hide are blanked out; in
code they are shown, and stay.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape

from css.look import Look
from css.rules import StyleRules
from css.selectors import Element
from extracted import Extracted, LeftOut
from front_matter import read_head
from html_page.attributes import FOLDED, as_text, folds_are_contents, hidden_by_attribute, own_styles
from html_page.page_sheets import sheets
from html_page.tags import UNSEEN, VOID
from unicode_text import source_text

from formats.markdown_beside import ATTRIBUTES, SEEN_ELSEWHERE, Span, beside

_FENCE = re.compile(r"^ {0,3}(?:[-*+>] *)*(`{3,}|~{3,})(.*)$")
_INDENTED = re.compile(r"^(?: {4}|\t)")
_SPAN = re.compile(r"(?<!`)(`{1,8})(?!`)[^\n]{0,400}?(?<!`)\1(?!`)")
_COMMENT = re.compile(r"<!--(?:>|->)?|<!\[CDATA\[|<\?|<%|<!(?=[A-Za-z])|\{\{?/\*|\{\{!--|\{\{!|\{#(?= )")
_CLOSERS = {
    "<!--": "-->",
    "<![CDATA[": "]]>",
    "<?": "?>",
    "<!": ">",
    "{/*": "*/}",
    "{{/*": "*/}}",
    "<%": "%>",
    "{{!--": "--}}",
    "{{!": "}}",
    "{#": "#}",
}
_DEFINITION = re.compile(
    r"^ {0,3}(?:> ?){0,4}\[(?!\^)((?:[^\[\]\\\n]|\\.){1,200})\]:[ \t]*+(?:\n[ \t]*+)?(<[^<>\n]{0,500}>|[^\s<]\S{0,1000}+)"
    r"(?:[ \t]*+(?:\n[ \t]*+)?(\"(?:[^\"\\]|\\.){0,2000}\"|'(?:[^'\\]|\\.){0,2000}'|\((?:[^()\\]|\\.){0,2000}\)))?[ \t]*+$",
    re.MULTILINE | re.DOTALL,
)
_NOWHERE = ("#", "<>", "<#>", "/", ".")
_TAG = re.compile(r"<(/?)([a-zA-Z][\w-]{0,40})((?:\s(?:[^<>\"']|\"[^\"\n]{0,2000}\"|'[^'\n]{0,2000}'){0,200})?)/?>")
_ATTRIBUTE = re.compile(r"([\w:-]{1,60})(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")
_ATTRIBUTES = re.compile(r"(?:\s+[\w:.@-]+(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'=<>`]++))?+)*+\s*+")
_MOST_TAGS = 20_000

_REMARKS = ("{comment}", "{=comment}")
"""Names of the language of what some programs take for a comment."""
_UNPRINTED = re.compile(r"^\s{0,9}\{.{0,200}\binclude\s{0,3}=\s{0,3}F")
_KEPT = frozenset("href src id name class open hidden align".split())
"""Attributes that say nothing in words."""
_CODE = "\uffff"
"""Stands for what is code within a line."""


_LINES_OF = {
    **{f"h{rank}": re.compile(rf"^ {{0,3}}#{{{rank}}}[ \t][^\n]*", re.MULTILINE) for rank in range(1, 7)},
    "p": re.compile(r"^ {0,3}(?=[^\s#<>|*+\-\d`~])[^\n]+", re.MULTILINE),
    "li": re.compile(r"^[ \t]{0,20}(?:[-*+]|\d{1,9}[.)])[ \t][^\n]+", re.MULTILINE),
    "blockquote": re.compile(r"^ {0,3}>[^\n]+", re.MULTILINE),
    "table": re.compile(r"^ {0,3}\|[^\n]+", re.MULTILINE),
    "strong": re.compile(r"\*\*[^*\n]{1,2000}\*\*"),
    "em": re.compile(r"(?<!\*)\*(?!\*)[^*\n]{1,2000}\*(?!\*)|(?<![\w_])_(?!_)[^_\n]{1,2000}_(?![\w_])"),
    "del": re.compile(r"~~[^~\n]{1,2000}~~"),
}
"""What Markdown makes of lines and words, where style rules may ask for it."""


def read(data: bytes, max_chars: int) -> Extracted:
    """The lines of the file in ``data``."""
    whole = source_text(data)
    text, counts = visible(whole)
    lines = text.removesuffix("\n").split("\n")
    left_out = [LeftOut(what, count, what not in SEEN_ELSEWHERE) for what, count in sorted(counts.items())]
    numbered = [(number, line, number) for number, line in enumerate(lines, start=1)]
    return Extracted(numbered, head=read_head(whole.split("\n")), left_out=left_out)


def preload() -> None:
    read(b"a <b style='color:red'>b</b> <!-- c -->", 100)


def visible(text: str) -> tuple[str, Counter[str]]:
    """``text`` with what is hidden taken out, every line where it was; and how many characters went, by what hides them."""
    counts = Counter[str]()
    plain, infos = _without_code(text)
    spans = [*infos, *_comments(plain), *_definitions(plain), *beside(plain), *_styled(plain)]
    elements = list(_elements(plain, folds=True))
    folds = [end - start for start, end, why in elements if why == FOLDED and plain[start:end].strip()]
    if folds_are_contents(len(folds), sum(folds), len(_TAG.sub("", plain))):
        elements = list(_elements(plain, folds=False))
    parts, at = [], 0
    for start, end, why in sorted((*spans, *elements)):
        start = max(start, at)
        if end > start:
            gone = text[start:end]
            counts[why] += sum(not character.isspace() for character in gone)
            parts += [text[at:start], "\n" * gone.count("\n")]
            at = end
    return "".join((*parts, text[at:])), counts


def _without_code(text: str) -> tuple[str, list[Span]]:
    """``text``, as long as it was, with code blanked out: what looks hidden in there is shown.

    And what stands behind the name of a language, where code begins, and the comments of drawings.
    """
    lines, fence, was_blank, at = [], "", True, 0
    is_drawn = is_comment = False
    infos: list[Span] = []
    for line in text.split("\n"):
        opened = _FENCE.match(line)
        is_code = bool(fence) or (was_blank and _INDENTED.match(line) is not None)
        if fence:
            if is_comment or (is_drawn and line.lstrip().startswith("%%")):
                infos.append((at, at + len(line), "comments"))
            if opened and opened[1].startswith(fence) and not opened[2].strip():
                fence = ""
        elif opened and "`" not in opened[2]:
            fence, is_code = opened[1], True
            is_drawn = opened[2].split()[:1] == ["mermaid"]
            is_comment = opened[2].strip().lower() in _REMARKS or _UNPRINTED.search(opened[2]) is not None
            if " " in (said := opened[2].strip()):
                infos.append((at + line.index(said) + said.index(" "), at + len(line), ATTRIBUTES))
        was_blank = not line.strip() or (was_blank and is_code and not fence)
        lines.append(" " * len(line) if is_code else line)
        at += len(line) + 1
    return _SPAN.sub(lambda match: _CODE * len(match[0]), "\n".join(lines)), infos


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
    found = [match for match in _DEFINITION.finditer(text) if "\n\n" not in (match[3] or "")]
    if not found:
        return
    used = Counter(_label(said) for said in re.findall(r"\[([^\[\]]{1,200})\](?!:)", text))
    for match in found:
        if match[3] and (match[2] in _NOWHERE or not used[_label(match[1])]):
            yield match.start(1), match.end(), "titles of references that nothing shows"
        elif not used[_label(match[1])]:
            yield match.start(1), match.end(), "references that nothing refers to"
        elif match[3]:
            yield match.start(3), match.end(), "titles of links"
        if " " in match[2]:
            yield match.start(2), match.end(2), ATTRIBUTES


def _styled(text: str) -> Iterator[Span]:
    """What style rules of the file hide of its own headings, paragraphs and the like."""
    if "<style" not in text.lower():
        return
    styles = StyleRules(sheets(text))
    for tag, lines in _LINES_OF.items():
        if why := Look().inside(styles.of([Element(tag)])).hidden:
            yield from ((*match.span(), why) for match in lines.finditer(text))


def _label(said: str) -> str:
    return " ".join(said.split()).casefold()


def _elements(text: str, *, folds: bool) -> Iterator[Span]:
    """The elements that are not seen, from the end of their tag to their closing tag, and what tags say in words."""
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
                    element, look, start, why = opened.pop()
                    if why:
                        yield start, match.start(), why
                    if element.tag == tag:
                        break
                if tag == "summary" and opened and opened[-1][3] == FOLDED:
                    opened[-1] = (*opened[-1][:2], match.end(), FOLDED)
            continue
        for said in _ATTRIBUTE.finditer(match[3]) if _ATTRIBUTES.fullmatch(match[3]) else ():
            if said[1].lower() not in _KEPT or re.search(r"\s", said[2] or said[3] or ""):
                yield match.start(3) + said.start(), match.start(3) + said.end(), ATTRIBUTES
        if tag not in VOID:
            element = Element(
                tag,
                {
                    found[1].lower(): unescape(found[2] or found[3] or found[4] or "")
                    for found in _ATTRIBUTE.finditer(match[3])
                },
            )
            outside = opened[-1][1] if opened else Look()
            path = [*(each for each, *_ in opened[-20:]), element]
            declared = as_text(element, {**own_styles(element), **styles.of(path)})
            look = outside.inside(declared)
            why = look.hidden or hidden_by_attribute(element, folds)
            if tag == "summary" and opened and opened[-1][3] == FOLDED:
                yield opened[-1][2], match.start(), FOLDED
            why = why or ("for no reader" if tag in UNSEEN and closed[tag] > 0 else "")
            opened.append((element, look, match.end(), why))
    yield from ((start, len(text), why) for element, _, start, why in opened if why and element.tag not in UNSEEN)
