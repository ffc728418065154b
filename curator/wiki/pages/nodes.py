"""YAML in the text it is written in: where a value ends, and lists of which items change in their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

_BASE: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _Dumper(_BASE):  # type: ignore[misc]
    """Writes a value that stands in two places twice: a head with anchors is one that is not read."""

    def ignore_aliases(self, data: object) -> bool:
        return True


class _SlowDumper(yaml.SafeDumper):
    """The same in Python, which writes emoji as they are."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def written(value: Any, **style: Any) -> str:
    """``value`` as YAML, every character as it is: the parser in C knows none beyond the first plane and escapes them."""
    text: str = yaml.dump(value, Dumper=_Dumper, allow_unicode=True, **style)
    return yaml.dump(value, Dumper=_SlowDumper, allow_unicode=True, **style) if "\\U" in text else text


_IN_QUOTES = re.compile(r"[^\w ./-]")
"""What may mean something within quotes."""


def with_items(text: str, node: yaml.SequenceNode, old: list[Any], new: list[Any]) -> str:
    """``text`` with the list ``node`` made ``new``: items are set or cut out where they stand, and all else stays.

    The text is as it was, or is not what was meant, where that is not all it takes: read it before you keep it.
    """
    if len(node.value) != len(old) or not 0 < len(new) <= len(old):
        return text
    edits = list(_set(text, node, old, new) if len(new) == len(old) else _cut(text, node, old, new))
    for start, stop, written in reversed(edits):
        text = text[:start] + written + text[stop:]
    return text


def with_more(text: str, node: yaml.SequenceNode, more: list[Any]) -> str:
    """``text`` with ``more`` behind the last item of the list ``node``, which stands in brackets."""
    last = node.value[-1]
    at = end(last, text)
    return text[:at] + "".join(f", {_styled(value, last)}" for value in more) + text[at:]


def _set(text: str, node: yaml.SequenceNode, old: list[Any], new: list[Any]) -> Iterator[tuple[int, int, str]]:
    for item, was, value in zip(node.value, old, new, strict=True):
        start, stop = item.start_mark.index, end(item, text)
        if was != value and "\n" not in text[start:stop]:
            yield start, stop, _styled(value, item)


def _cut(text: str, node: yaml.SequenceNode, old: list[Any], new: list[Any]) -> Iterator[tuple[int, int, str]]:
    """The items of ``old`` that are not in ``new``, which has the others in the same order."""
    kept: list[int] = []
    for at, was in enumerate(old):
        if len(kept) < len(new) and was == new[len(kept)]:
            kept.append(at)
    for at, item in enumerate(node.value):
        start, stop = item.start_mark.index, end(item, text)
        if at in kept or not kept:
            continue
        if not node.flow_style:
            yield text.rfind("\n", 0, start) + 1, next_line(text, stop), ""
        elif at < kept[-1]:
            yield start, node.value[at + 1].start_mark.index, ""
        else:
            yield end(node.value[at - 1], text), stop, ""


def _styled(value: Any, node: yaml.Node) -> str:
    """A value as it stands in a list, in the quotes that ``node`` has."""
    quote = getattr(node, "style", None)
    if quote in ("'", '"') and isinstance(value, str) and not _IN_QUOTES.search(value):
        return f"{quote}{value}{quote}"
    return inline(value)


def inline(value: Any) -> str:
    """``value`` as YAML on one line, within a list or behind a key."""
    flow = written([value], default_flow_style=True, width=10_000)
    return flow.strip()[1:-1]


def end(node: Any, text: str) -> int:
    """Where a value's last word ends: a block's own mark stands behind the comments that follow it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return end(last[1] if isinstance(node, yaml.MappingNode) else last, text)
    return (
        len(text[: node.end_mark.index].rstrip())
        if node.end_mark.index > node.start_mark.index
        else node.end_mark.index
    )


def next_line(text: str, at: int) -> int:
    """Where the line after the one with ``at`` begins."""
    stop = text.find("\n", at)
    return len(text) if stop < 0 else stop + 1
