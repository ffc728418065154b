"""Ontologies in JSON, cut into their entries: one concept, claim or constraint each, never a whole file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from curator.packs.context.sections import KnowledgeSection

_SOURCE = re.compile(r"sources/[^\s\"'\]]{1,1000}#[\w-]{1,100}")


def json_sections(path: str, text: str) -> tuple[KnowledgeSection, ...]:
    """The entries of the lists in a file, each with the name of its list; a value beside the lists is one, too.

    None of a file that is no JSON: what is wrong with it, ``curate packs validate`` says.
    """
    try:
        return tuple(_section(path, *each) for each in _entries(json.loads(text)))
    except (ValueError, RecursionError):
        return ()


def _entries(value: Any) -> Iterator[tuple[str, Any, str]]:
    """Each entry with the name over it, and where it stands."""
    if isinstance(value, list):
        yield from (("", each, f"/{number}") for number, each in enumerate(value))
    elif isinstance(value, dict):
        for name, below in value.items():
            at = f"/{quote(name.replace('~', '~0').replace('/', '~1'))}"
            if isinstance(below, list):
                yield from ((name, each, f"{at}/{number}") for number, each in enumerate(below))
            else:
                yield name, below, at


def _section(path: str, name: str, value: Any, at: str) -> KnowledgeSection:
    fields = value.items() if isinstance(value, dict) else [("", value)]
    lines = [f"- {key}: {_told(each)}" if key else f"- {_told(each)}" for key, each in fields]
    said = (
        "\n".join(" ".join(line.split()) for line in lines).encode("utf-8", "replace").decode()
    )  # JSON has halves of letters
    anchors = tuple(dict.fromkeys(_SOURCE.findall(said)))
    return KnowledgeSection(path, 1, (name,) if name else (), said, anchors, pointer=at)


def _told(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
