"""What a governance policy lets a view do (AIP-10, Security Considerations: schema poisoning, view shadowing).

The standard leaves the policy's form to AIP-7 and says only what it may permit. curator reads three fields of it, in the
place every file of these standards has for vendors; any other policy file is one that permits nothing:

    metadata:
      curator:
        views:
          rebind: true                    # a view may bind another policy
          soften: [no-orphans]            # the lints a view may soften; "*" for all
          conflictResolution: [recency]   # the weaker resolutions a view may choose; "*" for all

A file whose name ends in .md has them in its frontmatter, any other file is YAML.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from curator.errors import FrontmatterError
from curator.wiki.pages import frontmatter
from curator.wiki.validation import FLAG, Fields, Items, Value, matching, one_of

_ALL = "*"


@dataclass(frozen=True)
class ViewPolicy:
    """What views may do beyond the merge table's harmless part."""

    ref: str = ""
    """The policy's absolute path, or its ref; empty where none is bound."""
    rebind: bool = False
    soften: frozenset[str] = frozenset()
    resolutions: frozenset[str] = frozenset()
    why: str = ""
    """Why it permits nothing, when it was not read."""

    def may_soften(self, lint: str) -> bool:
        return bool({_ALL, lint} & self.soften)

    def may_resolve_by(self, resolution: str) -> bool:
        return bool({_ALL, resolution} & self.resolutions)

    @property
    def says_no(self) -> str:
        """For the end of a sentence."""
        return f"{self.ref} does not permit it" + (f": {self.why}" if self.why else "")


UNGOVERNED = ViewPolicy("", True, frozenset({_ALL}), frozenset({_ALL}))
"""Where no manifest binds a policy the merge table alone decides: the child wins."""


def parse(text: str | None, ref: str) -> ViewPolicy:
    """The policy at ``ref``. One that cannot be read or is malformed permits nothing."""
    if text is None:
        return ViewPolicy(ref, why="it cannot be read")
    try:
        views = _views(frontmatter.read(text if ref.endswith(".md") else _as_head(text)))
    except FrontmatterError as error:
        return ViewPolicy(ref, why=error.message)
    wrong = next(_VIEWS.problems(views, ("metadata", "curator", "views")), None)
    if wrong is not None:
        return ViewPolicy(ref, why=str(wrong))
    return ViewPolicy(
        ref,
        views.get("rebind") is True,
        _names(views.get("soften")),
        _names(views.get("conflictResolution")),
    )


def _views(fields: Mapping[str, Any]) -> Any:
    value: Any = fields
    for name in ("metadata", "curator", "views"):
        value = value.get(name) if isinstance(value, Mapping) else None
    return {} if value is None else value


def _as_head(text: str) -> str:
    inside = text.removeprefix("\ufeff").removeprefix("---\n").rstrip().removesuffix("...")
    return f"---\n{inside}\n---\n"


def _names(value: Any) -> frozenset[str]:
    return frozenset({value} if isinstance(value, str) else value or ())


def _all_or(item: Value) -> Value:
    names = Items(item)

    def fits(value: Any) -> bool:
        return value == _ALL or not any(names.problems(value, ()))

    return Value(fits, f'"*", or a list, each {item.allowed}')


_VIEWS = Fields(
    {
        "rebind": FLAG,
        "soften": _all_or(matching(r"[a-z][a-z0-9-]*", "a lint's id")),
        "conflictResolution": _all_or(one_of("recency", "observation-count", "authority", "keep-both")),
    },
    others="only rebind, soften and conflictResolution",
)
