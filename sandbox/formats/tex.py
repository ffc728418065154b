"""TeX and LaTeX: the text of the document, paragraph by paragraph, with the lines of the file it stands on.

Commands give way to what they show; formulas stay as they are written. What only programs read (comments, the preamble,
labels, drawings) is left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from extracted import Extracted, LeftOut, Line
from front_matter import Value, standard
from unicode_text import source_text

from formats.tex_hidden import DEFINITIONS, printed

_BEGIN, _END = "\\begin{document}", "\\end{document}"
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")
_VERBATIM = re.compile(r"\\(begin|end)\{(verbatim|lstlisting|minted|Verbatim|alltt)\*?\}")
_DROPPED = re.compile(r"\\(begin|end)\{(tikzpicture|picture|comment|filecontents|thebibliography|pspicture)\*?\}")
_DRAWINGS, _WHAT = "drawings and the like", {"comment": "comments"}
_SECTIONS = {
    "part": 1,
    "chapter": 1,
    "section": 2,
    "subsection": 3,
    "subsubsection": 4,
    "paragraph": 5,
    "subparagraph": 6,
}
_SECTION = re.compile(r"\\(part|chapter|(?:sub){0,2}section|(?:sub)?paragraph)\*?\s*+(?:\[[^\[\]]{0,300}\]\s*+)?(?=\{)")
_ALONE = re.compile(r"\\(?:begin|end)\s*\{[^{}]{0,40}\}(?:\[[^\[\]]{0,200}\])?(?:\{[^{}]{0,200}\})?")
_MATHS = re.compile(
    r"\$\$[^$]{1,5000}\$\$|\$[^$]{1,2000}\$|\\\((?:[^\\]|\\(?![()])){1,2000}\\\)|\\\[(?:[^\\]|\\(?![\[\]])){1,5000}\\\]"
)
_GONE = """
cite citep citet citeauthor citeyear autocite parencite nocite ref eqref pageref autoref cref Cref label index vspace hspace
includegraphics graphicspath input include bibliography bibliographystyle addbibresource setlength setcounter addtocounter
usepackage pagestyle thispagestyle vskip hskip hyphenation
"""
_ARGUMENT = r"(?:\[[^\[\]]{0,300}\]){0,2}\s?\{([^{}]{0,4000})\}"
_DROP = re.compile(rf"[~ ]?\\(?:{'|'.join(_GONE.split())})\*?{_ARGUMENT}(?:\{{[^{{}}]{{0,100}}\}})?")
_COLOUR = re.compile(r"\\color\s?(?:\[\w{1,9}\])?\s?\{[^{}]{0,60}\}\s?|\\fontsize\{[^{}]{0,20}\}\{[^{}]{0,20}\}\s?")
_LINK = re.compile(
    r"\\(?:href|hyperref|textcolor|colorbox|parbox|multicolumn\{\d+\})(?:\[[^\[\]]{0,200}\])?\{[^{}]{0,500}\}\s?\{([^{}]{0,2000})\}"
)
_NOTE = re.compile(r"\\(?:footnote|thanks|marginpar)(?:\[[^\[\]]{0,40}\])?\{([^{}]{0,4000})\}")
_COMMAND = re.compile(rf"\\[A-Za-z@]{{1,40}}\*?{_ARGUMENT}")
_WORD = re.compile(r"\\([A-Za-z@]{1,40})\*?(?:\[[^\[\]]{0,200}\])?(?:\s|\{\})?")
_ACCENT = re.compile(
    r"\\([`'^\"~=.uvHcdbr])\s?(?:\{\\?([A-Za-z])\}|\\?([A-Za-z])(?![A-Za-z]))|\\([`'^\"~=.])\s?\\?([A-Za-z])"
)
_MARKS = dict(
    zip(
        "`'^\"~=.uvHcdbr",
        "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0306\u030c\u030b\u0327\u0323\u0331\u030a",
        strict=True,
    )
)
_NAMED = {
    "ss": "ß",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "aa": "å",
    "AA": "Å",
    "i": "i",
    "j": "j",
    "LaTeX": "LaTeX",
    "TeX": "TeX",
    "BibTeX": "BibTeX",
    "dots": "…",
    "ldots": "…",
    "textellipsis": "…",
    "S": "§",
    "P": "¶",
    "copyright": "©",
    "textendash": "–",
    "textemdash": "—",
    "textbackslash": "\\",
    "item": "\n- ",
    "par": "\n",
    "newline": " ",
    "quad": " ",
    "qquad": " ",
    "textquotesingle": "'",
    "textasciitilde": "~",
    "pounds": "£",
    "euro": "€",
    "texttrademark": "™",
}
_FORMING = frozenset(
    """
    noindent indent centering raggedright raggedleft small large Large LARGE huge Huge tiny footnotesize scriptsize
    normalsize bfseries itshape ttfamily rmfamily sffamily scshape mdseries upshape em bf it tt rm sf sc maketitle
    tableofcontents newpage clearpage cleardoublepage appendix hline toprule midrule bottomrule hfill vfill bigskip
    medskip smallskip null protect relax linebreak pagebreak nopagebreak frontmatter mainmatter backmatter
    printbibliography listoffigures listoftables printindex makeatletter makeatother begingroup endgroup centerline
    leavevmode xspace fi else iftrue iffalse selectfont sloppy fussy doublespacing onehalfspacing
    """.split()
)
_SIGNS = (
    ("---", "—"),
    ("--", "–"),
    ("``", "“"),
    ("''", "”"),
    ("~", " "),
    ("\\,", " "),
    ("\\;", " "),
    ("\\-", ""),
    ("\\/", ""),
    ("\\@", ""),
    ("\\ ", " "),
    ("\\!", ""),
)
_ESCAPED = re.compile(r"\\([%&$#_{}])")
_MOST_ROUNDS = 12
"""Commands within commands."""


def read(data: bytes, max_chars: int) -> Extracted:
    """The text of the document in ``data``."""
    raw = source_text(data).removesuffix("\n").split("\n")
    gone = Counter[tuple[str, bool]]()
    text, counts = printed("\n".join(_uncommented(line, gone) for line in raw))
    gone.update({(what, what != DEFINITIONS): count for what, count in counts.items()})
    start = max(0, text.find(_BEGIN))
    stop = found if (found := text.find(_END, start)) >= 0 else len(text)
    around = text[:start] + text[stop:].removeprefix(_END)
    gone["what stands before and behind the document", False] += len(around.replace("\n", ""))
    above = text.count("\n", 0, start)
    lines = [""] * above + text[start:stop].removeprefix(_BEGIN).split("\n")
    blocks = list(_blocks(lines, above, gone))
    left_out = [LeftOut(what, count, hidden) for (what, hidden), count in gone.items() if count]
    return Extracted(blocks, "line", _head("\n".join(text.split("\n")[: above + 200])), left_out)


def preload() -> None:
    read(b"\\'e \\emph{a}", 100)


def _uncommented(line: str, gone: Counter[tuple[str, bool]]) -> str:
    kept = _COMMENT.sub(r"\1", line)
    gone["comments", False] += len(line) - len(kept)
    return kept if kept == line or kept.strip() else "%"


def _blocks(lines: list[str], start: int, gone: Counter[tuple[str, bool]]) -> Iterator[Line]:
    """The paragraphs, headings, items and pieces of code, each followed by an empty line."""
    held: list[str] = []
    first, inside, depth = 0, "", 0
    for at in range(start, len(lines)):
        line, number = lines[at], at + 1
        if line == "%":
            continue
        if inside:
            if (mark := (_VERBATIM if inside == "code" else _DROPPED).search(line)) and mark[1] == "end":
                depth -= 1
            elif mark:
                depth += 1
            if depth:
                if inside == "code":
                    yield number, line, number
                else:
                    gone[_WHAT.get(inside, _DRAWINGS), inside in _WHAT] += len(line)
                continue
            if inside == "code":
                yield number, "```", number
            inside = ""
            continue
        mark = _VERBATIM.search(line) or _DROPPED.search(line)
        begins = _SECTION.match(line.lstrip()) or "\\item" in line or (mark and mark[1] == "begin")
        if held and (begins or not line.strip()):
            yield from _block(held, first, at)
            held = []
        if mark and mark[1] == "begin":
            inside, depth = ("code" if _VERBATIM.search(line) else mark[2]), 1
            if inside == "code":
                yield number, "```", number
            continue
        if line.strip():
            first = first if held else number
            held.append(line)
            if _SECTION.match(line.lstrip()) and line.count("{") <= line.count("}"):
                yield from _block(held, first, number)
                held = []
    if held:
        yield from _block(held, first, len(lines))


def _block(held: list[str], first: int, last: int) -> Iterator[Line]:
    text = "\n".join(held).strip()
    starts = [0, *(found.start() for found in _SECTION.finditer(text)), len(text)]
    for piece in (text[start:end] for start, end in pairwise(starts)):
        rest = piece
        if section := _SECTION.match(piece):
            title, _, rest = _braced(piece[section.end() :])
            yield first, "#" * _SECTIONS[section[1]] + " " + _shown(title), last
            yield first, "", first
        for part in _shown(rest).split("\n"):
            if words := " ".join(part.split()):
                yield first, words, last
                yield first, "", first


def _braced(text: str) -> tuple[str, int, str]:
    """What stands in the braces that ``text`` begins with, and what is behind them."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return text[1:at], at, text[at + 1 :]
    return text.strip("{}"), len(text), ""


def _shown(text: str) -> str:
    """``text`` as it is read in print."""
    maths: list[str] = []

    def away(found: re.Match[str]) -> str:
        maths.append(" ".join(found[0].split()))
        return f"\ue000{len(maths) - 1}\ue001"

    text = _MATHS.sub(away, text.replace("\ue000", "").replace("\ue001", ""))
    rows = "tabular" in text or "array" in text or "longtable" in text
    text = _ALONE.sub("\n", text) if rows else _ALONE.sub(" ", text)
    text = _ACCENT.sub(_accented, _COLOUR.sub("", text)).replace("}{", "} {")
    for _ in range(_MOST_ROUNDS):
        before = text
        text = _COMMAND.sub(r"\1", _NOTE.sub(r" (\1)", _LINK.sub(r"\1", _DROP.sub("", text))))
        if text == before:
            break
    if rows:
        text = re.sub(r"(?<!\\)&", " | ", text)
    text = re.sub(r"\\\\(?:\[[^\[\]]{0,20}\])?", "\n" if rows else " ", text)
    text = _WORD.sub(_word, text)
    for sign, shown in _SIGNS:
        text = text.replace(sign, shown)
    text = _ESCAPED.sub(lambda found: {"{": "\ue002", "}": "\ue003"}.get(found[1], found[1]), text)
    text = text.replace("{", "").replace("}", "").replace("\ue002", "{").replace("\ue003", "}")
    if not rows:
        text = "\n".join(" ".join(part.split()) for part in re.split(r"\n(?=- )", text))
    text = re.sub(r"(?<![ \t])[ \t]++([.,;:!?)])", r"\1", text)
    return re.sub("\ue000(\\d+)\ue001", lambda found: maths[int(found[1])], text)


def _word(found: re.Match[str]) -> str:
    """A command without braces: its sign, nothing where it forms, else its name, which stands for something."""
    space = " " if found[0][-1:].isspace() else ""
    if found[1] in _NAMED:
        return _NAMED[found[1]]
    return space if found[1] in _FORMING else f"{found[1]}{space}"


def _accented(found: re.Match[str]) -> str:
    mark, letter = found[1] or found[4], found[2] or found[3] or found[5]
    return unicodedata.normalize("NFC", letter + _MARKS[mark])


def _head(text: str) -> dict[str, Value]:
    said: dict[str, str] = {}
    for name in ("title", "author", "date"):
        if found := re.search(rf"\\{name}\s*(?:\[[^\[\]]{{0,200}}\])?\s*(?=\{{)", text):
            said[name] = _braced(text[found.end() :])[0]
    authors = [
        " ".join(_shown(_NOTE.sub("", name).split("\\\\")[0]).split()) for name in said.get("author", "").split("\\and")
    ]
    title = " ".join(_shown(_NOTE.sub("", said.get("title", ""))).split())
    fields: dict[str, Value] = {"title": title, "authors": [name for name in authors if name]}
    return standard({**fields, "date": said.get("date", "")})
