"""Whether two forms of one text, the one that is shown and a hidden plain one, have the same words."""

from __future__ import annotations

import re

OTHER_PLAIN = "a plain form that says something else"
_ADDRESS = re.compile(r"<?\b(?:https?://|mailto:|cid:)[^\s<>\[\]]{1,2000}>?")
_BEGINS = re.compile(r"^[> ]{1,50}", re.MULTILINE)
_SAYING = re.compile(r"[^\W_]|(?<![\w-])[-−](?=\d)|[<>≤≥≠±+%‰€$£¥°]")


def words_of(text: str) -> str:
    """Letters, figures and the signs that go with these, without addresses, which each form writes where it has room."""
    return "".join(_SAYING.findall(_BEGINS.sub("", _ADDRESS.sub(" ", text.casefold()))))
