"""Where on a page a line stands: the elements around it, and whether they are what every page of a site has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from css.selectors import Element

FURNITURE = "menus, page headers, footers and the like"
COMMENTS = "comments of readers"
NOTE_MARKS = "marks of footnotes"

_TAGS = {"nav": FURNITURE, "footer": FURNITURE, "header": FURNITURE, "menu": FURNITURE, "button": FURNITURE}
_ROLES = frozenset(
    "navigation banner contentinfo search complementary menu menubar toolbar tablist dialog alertdialog".split()
)
_NAMES = frozenset(
    """
    nav navbar navigation navigator menu menubar topmenu topbar toolbar sidebar sidenav breadcrumb breadcrumbs footer
    masthead cookie cookies consent gdpr newsletter advert advertisement ads adsense sponsored pagination pager paginator
    searchbox skiplink skiplinks sphinxsidebar headerlink editsection navheader navfooter navbox catlinks tagcloud popup
    """.split()
)
"""Of classes and ids, whole or as the last or first part of one: ``site-nav``, ``footer__links``."""
_TOPICS = frozenset(
    """
    ad share sharing shares social socials related recommended recirculation subscribe subscription promo promotion
    promotions search login signin signup skip copyright siblings widget widgets modal banner author-bio read-more
    """.split()
)
"""The same, but words that a text may be about: whole, or before one of these."""
_GROUPS = frozenset(
    "posts articles links stories content buttons bar icons box form list tools media area section block".split()
)
_COMMENTS = frozenset("comments comment-list commentlist disqus respond".split())
_NOT_THESE = re.compile(
    r"(?:^|[-_])(?:has|with|no|without|is|layout|page|wrapper|wrap|container|content|main|body)(?:[-_]|$)"
)
_PARTS = re.compile(r"[-_]+|(?<=[a-z])(?=[A-Z])")
_NEVER = frozenset("html body main article p td th tr tbody pre code em strong b i h1 h2 h3 h4 h5 h6".split())
_MARK = re.compile(r"\[?(?:\d{1,3}|[a-z*†‡§])\]?", re.IGNORECASE)
_FARTHEST = 60
_SIGNS = frozenset("¶#§🔗↩⏎^↑")


@dataclass(slots=True, eq=False)
class Place:
    """An open element within another."""

    element: Element
    outside: Place | None = None
    left_out: Place | None = None
    """The outermost element around it that is furniture, itself included."""
    why: str = ""
    main: Place | None = None
    """The innermost element around it that a page marks as its main text."""
    items: int | None = None
    """The number of the newest item of a list; None before the first."""
    is_kept: bool = field(default=False)
    """A page's header stays where the title of the text is in it."""
    depth: int = 0
    """Lists around it."""

    @classmethod
    def inside(cls, outside: Place | None, element: Element) -> Place:
        place = cls(element, outside)
        if outside is not None:
            place.left_out, place.main, place.depth = outside.left_out, outside.main, outside.depth
        place.depth += element.tag in ("ul", "ol", "menu")
        if place.left_out is None and (why := _furniture(element, place.main)):
            place.left_out, place.why = place, why
        if _is_main(element) and place.left_out is None:
            place.main = place
        return place

    def upwards(self) -> Iterator[Place]:
        """It and the elements around it, as far as it takes: pages that nest deeper do so to cost time."""
        place: Place | None = self
        for _ in range(_FARTHEST):
            if place is None:
                return
            yield place
            place = place.outside

    def keep_for_title(self) -> None:
        """A heading of the first rank stands here."""
        if self.left_out is not None and _is_header(self.left_out.element):
            self.left_out.is_kept = True

    @property
    def reason(self) -> str:
        """Why its text is no text of the page; empty when it is."""
        return self.left_out.why if self.left_out is not None and not self.left_out.is_kept else ""


def is_note_mark(place: Place | None, words: str) -> bool:
    """True for the number of a footnote, and for the sign that links a heading to itself."""
    words = words.strip()
    if len(words) > 5 or place is None or not words:
        return False
    if words in _SIGNS:
        return place.element.tag == "a"
    around = (place, place.outside, place.outside.outside if place.outside else None)
    tags = [each.element.tag for each in around if each is not None]
    leads = any(each is not None and each.element.attributes.get("href", "").startswith("#") for each in around)
    return leads and "sup" in tags and bool(_MARK.fullmatch(words))


def _furniture(element: Element, main: Place | None) -> str:
    """What an element is that is no text of its page; empty when it may be."""
    tag, attributes = element.tag, element.attributes
    if tag in _NEVER:
        return ""
    if tag in ("header", "footer") and main is not None and main.element.tag != "main":
        return ""  # of an article: its title, its author
    if tag in _TAGS:
        return _TAGS[tag]
    if attributes.get("role", "").lower() in _ROLES:
        return FURNITURE
    names = [(name, True) for name in attributes.get("class", "").split()[:20]]
    for name, is_class in [*names, (attributes.get("id", ""), False)]:
        lowered = name.lower()
        if lowered in _COMMENTS:
            return COMMENTS
        if lowered in _NAMES or lowered in _TOPICS:
            return FURNITURE
        parts = [part.lower() for part in _PARTS.split(name) if part]
        if len(parts) < 2 or _NOT_THESE.search(lowered):
            continue
        # The id of a section is made of the words of its heading.
        if parts[-1] in _NAMES or (is_class and parts[0] in _NAMES):
            return FURNITURE
        if is_class and parts[-1] in _GROUPS and _TOPICS.intersection(parts):
            return FURNITURE
    return ""


def _is_header(element: Element) -> bool:
    said = f"{element.tag} {element.attributes.get('class', '')} {element.attributes.get('id', '')}".lower()
    return "header" in said or "banner" in said or "masthead" in said


def _is_main(element: Element) -> bool:
    attributes = element.attributes
    return (
        element.tag in ("main", "article")
        or attributes.get("role", "").lower() in ("main", "article")
        or attributes.get("itemprop", "").lower() == "articlebody"
    )
