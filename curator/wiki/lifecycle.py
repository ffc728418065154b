"""Where a wiki stands in its life: empty, populated, linted, forked, frozen (ADDENDA, "Lifecycle")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from curator.wiki.log import LogEvent
from curator.wiki.workspace.workspace import Workspace

Lifecycle = Literal["empty", "populated", "linted", "forked", "frozen"]

FORK = "fork of "
"""How the subject of a fork's event begins."""


def lifecycle(pages: int, events: Sequence[LogEvent], *, is_archived: bool) -> Lifecycle:
    """``events``: the newest of the log, oldest first; of a wiki that is no longer changed only how it ended counts."""
    if is_archived:
        return "frozen"
    if not pages:
        return "empty"
    for event in reversed(events):
        if event.type == "manual" and event.subject.startswith(FORK):
            return "forked"
        if event.type == "lint":
            return "linted"
        if event.type != "manual":
            break
    return "populated"


def protections(workspace: Workspace) -> tuple[str, ...]:
    """What keeps the wiki, and what its manifest asks, from being changed freely, in words."""
    fields = workspace.fields
    metadata = fields.get("metadata") or {}
    layer = metadata.get("layer") if isinstance(metadata.get("layer"), dict) else {}
    said = {
        "status: archived, nothing is taken in": workspace.is_archived,
        f"governance: {fields.get('governance')}": bool(fields.get("governance")),
        "constraint: no view softens its lints": (layer or {}).get("mode") == "constraint",
        "signing: only signed sources are taken in": (fields.get("sources") or {}).get("signing") == "required",
    }
    return tuple(words for words, holds in said.items() if holds)
