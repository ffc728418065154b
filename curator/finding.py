"""A finding: one thing that is wrong, where it is, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Severity = Literal["error", "warn", "info"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""The worst first."""


@dataclass(frozen=True)
class Finding:
    """One broken rule. Prints as ``concepts/tea.md:3: link_broken: links to a missing page: oolong``."""

    code: str
    path: str
    message: str
    line: int | None = None
    severity: Severity = "error"
    hint: str = ""
    places: tuple[str, ...] = ()
    """Of a reply: the numbers of the operations or statements it is about, or of claims in them: `3`, `4.7`."""
    other: str = ""
    """The path of the other page, where it is about two."""

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.code}: {self.message}"

    def as_json(self) -> dict[str, object]:
        """The finding in the shape every command prints."""
        told = {**vars(self), "places": None}
        return {key: value for key, value in told.items() if value not in (None, "")}
