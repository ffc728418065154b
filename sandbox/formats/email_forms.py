"""The forms in which a message says what it says: plain text, and the HTML that programs for mail show where it is there.

The plain form is the better one to read, as long as it has the same words; else nobody who reads the mail has seen it.
"""

from __future__ import annotations

import re
from email.message import EmailMessage, Message
from typing import NamedTuple

from extracted import Extracted, LeftOut
from html_page.page import Page, read_page
from html_page.place import Place
from unicode_text import source_text, with_plain_line_ends

from formats import html
from formats.shown_words import OTHER_PLAIN, words_of

TRIPPED = (AttributeError, LookupError, OverflowError, TypeError, ValueError)
"""What the standard library's parser raises of headers that are none."""
QUOTED = "what it quotes of other messages"
NOT_SHOWN = "a form that is shown to nobody"
_QUOTING = re.compile(
    r"(?:gmail|yahoo|protonmail|tutanota|zmail)_(?:quoted?|attr)\b|moz-cite-prefix|OutlookMessageHeader"
)
_QUOTING_IDS = ("divRplyFwdMsg", "appendonsend", "mail-editor-reference-message-container")


class Forms(NamedTuple):
    """What is known of a message's text."""

    plain: str | None
    shown: Page | None
    """Of its HTML."""
    parts: list[Message]
    """Those that the text stands in."""
    unseen: list[LeftOut]
    is_plain: bool = False
    """True where the plain form is there and has the words of the HTML, if there is one."""


def forms_of(message: EmailMessage) -> Forms:
    """The forms of what ``message`` says."""
    body = _form(message, "plain", "html")
    if body is None:
        return Forms(None, None, [], [])
    choices = (each for each in message.walk() if each.get_content_type() == "multipart/alternative")
    around = next((each for each in choices if any(it is body for it in each.walk())), None)
    shown: Message | None = body if body.get_content_type() == "text/html" else None
    others: list[Message] = []
    if around is not None:
        shown = _last_html(around)
        forms = (each for each in around.walk() if each.get_content_type() == "text/html")
        others = [each for each in forms if each is not shown and each.get_filename() is None]
    hidden = [" ".join(line.words for line in read_page(text_of(each)).lines) for each in others]
    unseen = [LeftOut(NOT_SHOWN, len(words), is_hidden=True) for words in hidden]
    plain = text_of(body) if body.get_content_type() != "text/html" else None
    page = read_page(text_of(shown)) if shown is not None else None
    shown_words = "" if page is None else words_of("\n".join(line for _, line, _ in html.numbered(page.lines)))
    is_plain = plain is not None and (page is None or words_of(plain) == shown_words)
    if plain is not None and not is_plain:
        unseen.append(LeftOut(OTHER_PLAIN, len(plain.strip()), is_hidden=True))
    return Forms(plain, page, [body, *others, *([shown] if shown is not None else [])], unseen, is_plain)


def text_of(part: Message) -> str:
    """The text of a part."""
    data = part.get_payload(decode=True)
    data = data if isinstance(data, bytes) else b""
    try:
        return with_plain_line_ends(data.decode(part.get_content_charset("utf-8")))
    except (LookupError, ValueError):
        return source_text(data)


def said_in(page: Page) -> Extracted:
    """What a message of HTML says itself: no program shows its title, and what it quotes is another's."""
    quoted = sum(len(line.words) for line in page.lines if _is_quoted(line.place))
    page.lines = [line for line in page.lines if not _is_quoted(line.place)]
    page.dropped[QUOTED] += quoted
    return html.main_text(page, is_titled=False)


def _form(message: EmailMessage, *kinds: str) -> Message | None:
    try:
        return message.get_body(kinds)
    except TRIPPED:
        return None


def _last_html(around: Message) -> Message | None:
    """The last of the forms to choose from that is HTML: programs show the last one that they can."""
    for part in reversed(list(around.iter_parts())) if isinstance(around, EmailMessage) else ():
        if isinstance(part, EmailMessage) and (found := _form(part, "html")) is not None:
            return found
    return None


def _is_quoted(place: Place | None) -> bool:
    for each in place.upwards() if place is not None else ():
        attributes = each.element.attributes
        if each.element.tag == "blockquote" and attributes.get("type", "").lower() == "cite":
            return True
        if _QUOTING.search(attributes.get("class", "")) or attributes.get("id", "") in _QUOTING_IDS:
            return True
    return False
