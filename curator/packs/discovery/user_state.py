"""The user's decisions about packs: which are approved, by the hash of their content, and which are switched off.

Kept beside the user's settings, never in a pack: a pack cannot vouch for itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from curator.errors import ConfigError
from curator.system import atomic
from curator.system.filenames import printable

NAME = "packs.json"


@dataclass(frozen=True)
class Approval:
    """The user has looked at a pack: with this digest; ``follows``: whatever it becomes, as with a wiki of one's own."""

    digest: str
    at: str = ""
    follows: bool = False


@dataclass(frozen=True)
class UserState:
    """By the real path of each pack's folder."""

    approvals: Mapping[str, Approval] = field(default_factory=dict)
    disabled: frozenset[str] = frozenset()

    @classmethod
    def load(cls, file: Path | None) -> UserState:
        """Raises ConfigError for a file that cannot be read: what was switched off must not come back by that."""
        try:
            value = json.loads(file.read_text("utf-8")) if file is not None else {}
            approvals = {
                str(root): Approval(str(each["digest"]), str(each.get("at", "")), each.get("follows") is True)
                for root, each in value.get("approved", {}).items()
            }
            return cls(approvals, frozenset(map(str, value.get("disabled", ()))))
        except FileNotFoundError:
            return cls()
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            said = f"{printable(file or NAME)} cannot be read: {error}"
            raise ConfigError(
                "packs_state_unreadable", said, "mend it, or remove it and approve the packs again"
            ) from error

    def save(self, file: Path | None) -> None:
        if file is None:
            hint = "set HOME or XDG_CONFIG_HOME"
            raise ConfigError("no_home", "there is no place to remember it: no HOME in the environment", hint)
        file.parent.mkdir(parents=True, exist_ok=True)
        atomic.write(file, f"{json.dumps(self._as_json(), indent=2, sort_keys=True)}\n".encode())

    def _as_json(self) -> dict[str, Any]:
        approved = {
            root: {"digest": each.digest, "at": each.at, **({"follows": True} if each.follows else {})}
            for root, each in self.approvals.items()
        }
        return {"approved": approved, "disabled": sorted(self.disabled)}

    def approving(self, root: str, approval: Approval) -> UserState:
        return replace(self, approvals={**self.approvals, root: approval})

    def switching(self, root: str, *, on: bool) -> UserState:
        return replace(self, disabled=self.disabled - {root} if on else self.disabled | {root})
