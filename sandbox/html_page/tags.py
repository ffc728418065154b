"""The tags of HTML, by what they do to a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID = _names("area base br col embed hr img input link meta param source track wbr")
UNSEEN = _names(
    """
    head script style title template noscript iframe object applet canvas audio video datalist select textarea
    noembed noframes mphantom rp progress meter desc metadata defs symbol clippath mask annotation annotation-xml
    """
)
BLOCKS = _names(
    """
    address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption
    figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol p pre search section
    summary table tbody tfoot thead title tr ul
    """
)
IMPLIED_ENDS = {
    "li": ({"li"}, {"ul", "ol", "menu"}),
    "dt": ({"dt", "dd"}, {"dl"}),
    "dd": ({"dt", "dd"}, {"dl"}),
    "tr": ({"tr"}, {"table"}),
    "td": ({"td", "th"}, {"tr", "table"}),
    "th": ({"td", "th"}, {"tr", "table"}),
    "tbody": ({"thead", "tbody", "tfoot"}, {"table"}),
    "tfoot": ({"thead", "tbody", "tfoot"}, {"table"}),
}
"""Tags whose start ends an open one of the first set, sought up to one of the second: ``<li>a<li>b`` is two items."""
CLOSES_PARAGRAPH = BLOCKS - {"br", "body", "head", "html", "title", "caption", "tbody", "tfoot", "thead", "tr"}

_NO_END = re.compile(r"--\s+>")
"""What a parser of old takes for the end of a comment, and no browser does."""
_IS_CODE = re.compile(r"</(?:script|style|textarea|title|xmp)\b", re.IGNORECASE)
_OPENERS = (
    (re.compile(r"<(?=!--)"), "-->"),
    (re.compile(r"<(?=!\[(?:temp|cdata|ignore|include|rcdata))", re.IGNORECASE), "]]>"),
    (re.compile(r"<(?=!\[)"), "]>"),
    (re.compile(r"<"), ">"),
)
"""What begins a piece of markup, and what has to follow somewhere for it to end."""


def _with_whole_comments(text: str) -> Iterator[str]:
    """The pieces of ``text``, without comments that a parser of old would end too early."""
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 2)) >= 0:
        yield text[at:start]
        if not _NO_END.search(text, start, end):
            yield text[start : end + 3]
        at = end + 3
    yield text[at:]


def with_plain_openers(text: str) -> str:
    """``text`` with the openers that nothing closes as words, as which the parser takes them too.

    But to find that out it would look through all that follows, at each of them.
    """
    text = "".join(_with_whole_comments(text.replace("--!>", "-->")))
    begun = text.find("<!--", text.rfind("-->") + 1)
    if begun >= 0 and not _IS_CODE.search(text, begun):
        text = text[:begun]  # nothing closes it, and so it ends with the page
    for opener, closer in _OPENERS:
        at = text.rfind(closer) + 1
        text = text[:at] + opener.sub("&lt;", text[at:])
    return text


_EXPONENT = re.compile(r"[-+−–]?(?:\d{1,4}|[nkxm])(?:[-+−*/ ]{1,3}(?:\d{1,4}|[nkxm]))?")
_BASE = re.compile(r"(?:[\d)\]]|(?<![^\W\d_])[^\W\d_]{1,2})\Z")
"""A number, a bracket, a letter or a unit: what has a power."""


def raised(before: Sequence[str], words: str) -> str:
    """``words`` raised behind those ``before``: a power keeps its mark, for 2<sup>48</sup> is not 248."""
    base = "".join(before[-3:])
    is_power = _EXPONENT.fullmatch(words.strip()) and _BASE.search(base)
    return f"^{words.strip()}" if is_power else words
