"""Whether a pack may be loaded: by its place and the user's approval, then by its status, never because it says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from curator.finding import Finding
from curator.packs.pack import KnowledgePack, Status

Load = Literal["load", "warn", "confirm"]

STATUS_GATES: Mapping[Status, tuple[Load, str]] = {
    "ready": ("load", ""),
    "draft": ("confirm", "a draft: ask before use"),
    "needs-review": ("warn", "it needs review: there may be gaps"),
    "stale": ("warn", "it is stale: prefer newer alternatives"),
    "disputed": ("confirm", "it is disputed: use it only after explicit confirmation"),
    "archived": ("confirm", "it is archived: not used by default"),
}
"""Status-aware loading (discovery and loading)."""


@dataclass(frozen=True)
class LoadingPolicy:
    """What the user has said of packs."""

    confirmed: frozenset[str] = frozenset()
    """The names of the packs to be used although they are draft, disputed or archived."""
    disabled: frozenset[str] = frozenset()
    """The roots of packs that are switched off."""
    approves_all: bool = False
    """True: no approval is asked for, such as in tests of one's own packs."""


@dataclass(frozen=True)
class GateVerdict:
    """Whether the pack may be loaded, why not, and what has to be said where it is."""

    loads: bool
    refusals: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = field(default=())


def gate(pack: KnowledgePack, policy: LoadingPolicy) -> GateVerdict:
    """The verdict on a pack; more than its head is loaded only where it ``loads``."""
    at, name = pack.location, pack.name
    refusals, warnings = [], []
    if pack.root in policy.disabled:
        refusals.append(Finding("pack_disabled", at, f"{name} is switched off", hint=f"curate packs enable {name}"))
    if not pack.is_trusted and not policy.approves_all:
        said = f"{name} is {pack.trust}, and what it holds now was not approved"
        refusals.append(
            Finding("pack_not_approved", at, said, hint=f"look at it, then: curate packs approve {pack.root}")
        )
    load, reason = STATUS_GATES[pack.properties.status]
    said = f"{name}: {reason}"
    if load == "confirm" and name not in policy.confirmed:
        refusals.append(Finding("pack_not_confirmed", at, said, hint=f"to use it all the same: --confirm {name}"))
    elif load != "load":
        warnings.append(Finding(f"pack_{pack.properties.status.replace('-', '_')}", at, said, severity="warn"))
    if not pack.is_trusted and policy.approves_all:
        warnings.append(
            Finding("pack_unreviewed", at, f"{name} is {pack.trust}: nobody has reviewed it", severity="warn")
        )
    return GateVerdict(not refusals, tuple(refusals), tuple(warnings))
