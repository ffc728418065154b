"""Markup that the reader of this wiki shows as it stands, and other readers of Markdown hide, strike out or run.

A page is opened in editors, site builders and note programs. What reads ``It is ~~not~~ safe`` here reads "It is safe"
to whoever skips what is struck, and ``*not*{ hidden }`` is gone altogether where attributes are understood.
"""

from __future__ import annotations

import re

from curator.wiki.pages import inline

_LINE = r"^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t]|\\?\[.\][ \t])*"
"""What may stand before the words of a line."""
_FORMS = tuple(
    (does, re.compile(pattern, re.MULTILINE))
    for does, pattern in (
        ("strikes words out", r"~~+|(?<!~)~(?=[^\s~])[^~\n]*(?:(?<=\w)~(?!~)|(?<=[^\w\s~])~(?=[^\w~]|\Z))"),
        ("edits or hides words (CriticMarkup)", r"\{(?:--|\+\+|>>|==|~~)|(?:--|\+\+|<<|==|~~)\}"),
        ("gives words attributes, which hide or run something", r"\{[ \t]*[:.#][^}\n]*\}?|[])`\"]\{[^}\n]*\}?"),
        ("gives words attributes, which hide or run something", r"\*\{[^}\n]*\}?|(?<![\w\\])_[^_\n]*\S_\{[^}\n]*\}?"),
        ("gives a line attributes, which hide or run something", r"(?:^|[ \t])\{[^{}\n]*\}[ \t]*$"),
        ("is filled in from elsewhere", r"\{[%!][^}\n]*\}?"),
        ("is filled in from elsewhere", r"-8<-|@import\b|![Ii](?:nclude|NCLUDE)\b|<<[\[(]|" + _LINE + r"include::"),
        ("is filled in from elsewhere", r"\[\[?_?(?:toc|TOC)_?\]|\(\([^()\s]+\)\)"),
        ("is a role or directive, which runs or hides words", r"\{[\w:+-]+\}`|(?<![\w:]):{1,3}[A-Za-z][\w-]*[\[{]"),
        (
            "begins a box, which may be folded or hidden",
            _LINE + r"(?::::+|!!!|\?\?\?|///(?=[ \t]*\w)|===[!+]*[ \t]*\")",
        ),
        ("is a footnote in place, which cannot be cited", r"\^\[[^]\n]*\]?"),
        (
            "hides words until somebody points at them",
            r"\|\|[^|\s](?:[^|\n]*[^|\s])?\|\||>![^\n]*|" + _LINE + r"\*\[[^]\n]+\]:",
        ),
        (
            "hides or colours words in formulas",
            r"\\(?:[hv]?phantom|color|textcolor|colorbox|[bx]?cancel|sout|[lr]lap|smash|html\w+|cssId|style|class"
            r"|href|url|require|def|newcommand)(?![A-Za-z])",
        ),
    )
)
"""What a form does where it is understood, and the form; looked for outside of code and where nothing is escaped."""
_SHOWN = 40


def form_in(text: str) -> tuple[str, str] | None:
    """The first form in ``text`` of which another reader makes something else, and what that is."""
    plain = inline.without_code_and_escapes(text)
    for does, pattern in _FORMS:
        if found := pattern.search(plain):
            return does, found[0].strip()[:_SHOWN]
    return None


def foreign_fault(text: str) -> str | None:
    """What is wrong with such a form in ``text``."""
    found = form_in(text)
    if found is None:
        return None
    does, form = found
    return (
        f"{form!r} {does} in other readers of Markdown: leave it out, or put it between backticks if the source has it"
    )
