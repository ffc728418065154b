"""What a command has to say: one object for machines, lines for people, and the exit status."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Report:
    """``data`` gets ``ok`` and ``command`` added; ``lines`` is data too, for stdout."""

    data: dict[str, Any] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    exit_status: int = 0
    notes: tuple[str, ...] = ()
    """What a person should know beside: on stderr."""

    @property
    def ok(self) -> bool:
        return self.exit_status == 0
