"""What a view cannot take back, and what only a policy can let it (AIP-10, Security Considerations; layers).

A view's manifest is looked at before it is merged, and what it may not say is taken out of it, each with a notice:

- a lint of a *constraint* (``metadata.layer.mode: constraint``) may be made harder, never softer, by nobody;
- under a bound ``governance``, "a child cannot escape a parent's policy by pointing ``governance:`` elsewhere unless the
  parent permits it", nor soften a lint or weaken ``curation.conflictResolution`` unless the policy says so;
- under none the merge table decides and the child wins.

What is let through is told too: "View shadowing" is a threat only while it is silent. A view is judged by the policy
that was in force before it, never by the one it binds itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from curator.wiki.workspace import refs
from curator.wiki.workspace.chain import Notice
from curator.wiki.workspace.manifest import KnowledgeManifest
from curator.wiki.workspace.policy import UNGOVERNED, ViewPolicy
from curator.wiki.workspace.schema import SEVERITIES

CONSTRAINT_CONFLICT = "knowledge_constraint_conflict"
SOFTENING_REFUSED = "governance:lint_softening_refused"
SOFTENED = "governance:lint_softened"
REBINDING_REFUSED = "governance:rebinding_refused"
REBOUND = "governance:rebound"
WEAKENING_REFUSED = "governance:conflict_resolution_refused"
WEAKENED = "governance:conflict_resolution_weakened"
GROUNDING_KEPT = "governance:grounding_kept"

GROUNDINGS = ("none", "recommended", "required")
"""The softest first."""

RESOLUTIONS = ("recency", "observation-count", "authority", "keep-both", "defer")
"""The weakest first, by who can decide a dispute: whoever adds the newest source, or several, or a source of rank; nobody,
with the dispute closed; nobody, with the dispute left open for people."""
DEFAULT_RESOLUTION = "defer"

Path = tuple[str, ...]
Lint = Mapping[str, Any]


@dataclass(frozen=True)
class InheritedConstraints:
    """What is in force when the next manifest is merged."""

    policy: ViewPolicy = UNGOVERNED
    floors: Mapping[str, tuple[Lint, str]] = field(default_factory=dict)
    """The lints of constraints by id, each with its manifest: what all above must be as hard as."""


@dataclass(frozen=True)
class AllowedFields:
    """A manifest's fields without what it may not say."""

    fields: Mapping[str, Any]
    refused: tuple[Path, ...] = ()
    notices: tuple[Notice, ...] = ()


def hold(manifest: KnowledgeManifest, before: Mapping[str, Any], force: InheritedConstraints) -> AllowedFields:
    """``manifest`` as it may be merged into ``before``."""
    fields: dict[str, Any] = dict(manifest.fields)
    refused: list[Path] = []
    notices: list[Notice] = []

    def note(code: str, message: str, *path: str) -> None:
        notices.append(Notice(code, message, manifest.path))
        refused.extend([path] if path else [])

    _hold_governance(manifest, force.policy, fields, note)
    _hold_resolution(before, force.policy, fields, note)
    _hold_lints(before, force, fields, note)
    _note_grounding(before, fields, note)
    return AllowedFields(fields, tuple(refused), tuple(notices))


def raise_floors(
    manifest: KnowledgeManifest, merged: Mapping[str, Any], force: InheritedConstraints
) -> Mapping[str, tuple[Lint, str]]:
    """The floors above ``manifest``: if it is a constraint, its own lints are among them, as they came out."""
    if not manifest.is_constraint:
        return force.floors
    own = {lint["id"] for lint in manifest.fields.get("lints") or ()}
    of_it = {lint["id"]: (lint, manifest.path) for lint in merged.get("lints") or () if lint["id"] in own}
    return {**force.floors, **of_it}


def _hold_governance(manifest: KnowledgeManifest, policy: ViewPolicy, fields: dict[str, Any], note: Any) -> None:
    written = fields.get("governance")
    ref = "" if written is None else refs.policy(manifest.path, str(written))
    if not ref or not policy.ref or ref == policy.ref:
        return
    if policy.rebind:
        note(REBOUND, f"governance: bound to {ref}, as {policy.ref} permits")
    else:
        del fields["governance"]
        note(REBINDING_REFUSED, f"governance: {ref} is refused: {policy.says_no}", "governance")


def _hold_resolution(before: Mapping[str, Any], policy: ViewPolicy, fields: dict[str, Any], note: Any) -> None:
    new = (fields.get("curation") or {}).get("conflictResolution")
    old = (before.get("curation") or {}).get("conflictResolution")
    if new is None or not before or RESOLUTIONS.index(new) >= RESOLUTIONS.index(old or DEFAULT_RESOLUTION):
        return
    change = f"curation.conflictResolution: {old or f'{DEFAULT_RESOLUTION} (the default)'} weakened to {new}"
    if policy.may_resolve_by(new):
        note(WEAKENED, change)
    else:
        fields["curation"] = {name: value for name, value in fields["curation"].items() if name != "conflictResolution"}
        note(WEAKENING_REFUSED, f"{change} is refused: {policy.says_no}", "curation", "conflictResolution")


def _note_grounding(before: Mapping[str, Any], fields: Mapping[str, Any], note: Any) -> None:
    """``metadata.pack.grounding`` is merged as all metadata is; what an ingest keeps to is the stricter one."""
    old, new = (_pack(each).get("grounding") for each in (before, fields))
    if (
        before
        and new in GROUNDINGS
        and GROUNDINGS.index(new) < GROUNDINGS.index(old if old in GROUNDINGS else "required")
    ):
        kept = old or "required"
        note(GROUNDING_KEPT, f"metadata.pack.grounding: {kept} weakened to {new}; an ingest keeps to {kept}")


def _pack(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    pack = (fields.get("metadata") or {}).get("pack")
    return pack if isinstance(pack, Mapping) else {}


def _hold_lints(before: Mapping[str, Any], force: InheritedConstraints, fields: dict[str, Any], note: Any) -> None:
    olds = {lint["id"]: lint for lint in before.get("lints") or ()}
    kept = []
    for lint in fields.get("lints") or ():
        name = lint["id"]
        floor, owner = force.floors.get(name, (None, ""))
        below_floor = softer(lint, floor) if floor is not None else ""
        below = softer(lint, olds[name]) if name in olds else ""
        if below_floor:
            note(CONSTRAINT_CONFLICT, f"lints.{name}: {below_floor} is refused: {owner} is a constraint", "lints", name)
            continue
        if below and not force.policy.may_soften(name):
            note(SOFTENING_REFUSED, f"lints.{name}: {below} is refused: {force.policy.says_no}", "lints", name)
            continue
        if below:
            note(SOFTENED, f"lints.{name}: {below}")
        kept.append(lint)
    if "lints" in fields:
        fields["lints"] = kept


def softer(new: Lint, old: Lint) -> str:
    """In what way ``new`` finds less than ``old``; empty when it finds at least as much, and says it as loud.

    What cannot be compared counts as softer: another kind, another type than "*", other params than a limit's.
    """
    if new["kind"] != old["kind"]:
        return f"kind {old['kind']} replaced by {new['kind']}"
    if new["appliesTo"] not in ("*", old["appliesTo"]):
        return f"appliesTo {old['appliesTo']} narrowed to {new['appliesTo']}"
    if SEVERITIES.index(new["severity"]) < SEVERITIES.index(old["severity"]):
        return f"severity {old['severity']} softened to {new['severity']}"
    return _looser_params(new["kind"], new.get("params") or {}, old.get("params") or {})


def _looser_params(kind: str, new: Lint, old: Lint) -> str:
    for name in sorted({*new, *old}):
        was, now = old.get(name), new.get(name)
        if was != now and not _is_harder(kind, name, was, now):
            return f"params.{name} changed from {_told(was)} to {_told(now)}"
    return ""


def _is_harder(kind: str, name: str, was: Any, now: Any) -> bool:
    """True for a limit that leaves less through than it did."""
    if not isinstance(was, (int, float)) or not isinstance(now, (int, float)):
        return False
    return (kind == "max-age" and name == "days" and now < was) or (
        kind == "min-confidence" and name == "min" and now > was
    )


def _told(value: Any) -> str:
    return "nothing" if value is None else repr(value)
