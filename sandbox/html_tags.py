"""The tags of HTML, by what they do to a text."""

from __future__ import annotations

import re


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

_COMMENT = re.compile(r"<!--(?!-?>)(?:[^-]|-(?!->)){0,100000}+-->")
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


def with_plain_openers(text: str) -> str:
    """``text`` with the openers that nothing closes as words, as which the parser takes them too.

    But to find that out it would look through all that follows, at each of them.
    """
    text = _COMMENT.sub(lambda found: "" if _NO_END.search(found[0]) else found[0], text.replace("--!>", "-->"))
    begun = text.find("<!--", text.rfind("-->") + 1)
    if begun >= 0 and not _IS_CODE.search(text, begun):
        text = text[:begun]  # nothing closes it, and so it ends with the page
    for opener, closer in _OPENERS:
        at = text.rfind(closer) + 1
        text = text[:at] + opener.sub("&lt;", text[at:])
    return text
