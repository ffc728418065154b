"""What a new version of a manifest or policy asks less of than the old one did, in words (AIP-10, "Schema poisoning").

"An attacker rewrites KNOWLEDGE.md to relax contradiction policy, expand the LLM's authority, or silently raise lint
severities to info": a reviewer of a diff should not have to see that by himself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from curator.wiki.workspace.constraints import DEFAULT_RESOLUTION, GROUNDINGS, RESOLUTIONS, softer
from curator.wiki.workspace.effective import flat
from curator.wiki.workspace.policy import ViewPolicy
from curator.wiki.workspace.schema import AUTHORITIES

Fields = Mapping[str, Any]

SHAPE = frozenset({"entityTypes", "lints", "sources", "curation"})
"""What a root "declares the base shape" by: types, lints, how it is curated, how long sources are kept."""
_LADDERS: Mapping[tuple[str, ...], tuple[Sequence[str], str]] = {
    ("curation", "conflictResolution"): (RESOLUTIONS, DEFAULT_RESOLUTION),
    ("metadata", "pack", "grounding"): (GROUNDINGS, "required"),
    ("sources", "signing"): (("none", "optional", "required"), "none"),
    ("sources", "authorityDefault"): (AUTHORITIES, "secondary"),
}
"""Fields whose values stand on a ladder, the weakest first, with what holds where nothing is said. To give sources of which
nothing is known a higher authority is to ask less of them."""


def of_manifest(old: Fields, new: Fields) -> list[str]:
    """What ``new`` asks less of than ``old``; both are frontmatters that keep the standard's shape."""
    rules = (_lints, _ladders, _governance, _constraint, _retention, _types, _parent)
    return [said for rule in rules for said in rule(old, new)]


def changed(old: Fields, new: Fields) -> list[str]:
    """The names of all fields that are not the same, such as ``lints.no-orphans.severity``."""
    before, after = dict(flat(old)), dict(flat(new))
    names = [path for path in {**before, **after} if before.get(path) != after.get(path)]
    return [".".join(path) for path in names]


def unversioned(old: Fields, new: Fields) -> str:
    """That the shape changed and the version did not, in words; else empty: "bump on shape changes"."""
    shape = sorted({name.partition(".")[0] for name in changed(old, new)} & SHAPE)
    if not shape or old.get("version") != new.get("version"):
        return ""
    return f"{', '.join(shape)} changed and version is {new.get('version')} as before: raise it with the shape"


def of_policy(old: ViewPolicy, new: ViewPolicy) -> list[str]:
    """What ``new`` lets views do that ``old`` did not."""
    said = ["views may now bind another policy"] if new.rebind and not old.rebind else []
    if wider := sorted(new.soften - old.soften):
        said.append(f"views may now soften {_all_or(wider, 'lints')}")
    if wider := sorted(new.resolutions - old.resolutions):
        said.append(f"views may now settle disputes by {_all_or(wider, 'means')}")
    return said


def _all_or(names: Sequence[str], everything: str) -> str:
    return f"all {everything}" if "*" in names else ", ".join(names)


def _lints(old: Fields, new: Fields) -> Iterator[str]:
    after = {lint["id"]: lint for lint in new.get("lints") or ()}
    for lint in old.get("lints") or ():
        name = lint["id"]
        if name not in after:
            yield f"lint {name} is gone"
        elif how := softer(after[name], lint):
            yield f"lint {name}: {how}"


def _ladders(old: Fields, new: Fields) -> Iterator[str]:
    for path, (ladder, otherwise) in _LADDERS.items():
        was, now = (str(_at(fields, path) or otherwise) for fields in (old, new))
        if was in ladder and (now not in ladder or ladder.index(now) < ladder.index(was)):
            yield f"{'.'.join(path)}: {was} weakened to {now}"


def _governance(old: Fields, new: Fields) -> Iterator[str]:
    was, now = old.get("governance"), new.get("governance")
    if was is not None and was != now:
        yield f"governance: {was} taken out" if now is None else f"governance: {was} replaced by {now}"


def _constraint(old: Fields, new: Fields) -> Iterator[str]:
    path = ("metadata", "layer", "mode")
    if _at(old, path) == "constraint" != _at(new, path):
        yield "metadata.layer.mode: no constraint any more, so views may soften its lints"


def _retention(old: Fields, new: Fields) -> Iterator[str]:
    was, now = (_days(_at(fields, ("sources", "retention"))) for fields in (old, new))
    if now < was:
        yield f"sources.retention: shortened to {now:g} days"


def _types(old: Fields, new: Fields) -> Iterator[str]:
    after = {each["name"]: each for each in new.get("entityTypes") or ()}
    for each in old.get("entityTypes") or ():
        name = each["name"]
        if name not in after:
            yield f"entity type {name} is gone"
        elif lost := [field for field in each.get("fields") or () if field not in (after[name].get("fields") or ())]:
            yield f"entity type {name}: no longer asks for {', '.join(lost)}"


def _parent(old: Fields, new: Fields) -> Iterator[str]:
    was, now = old.get("extends"), new.get("extends")
    if was != now:
        yield f"extends: {was or 'nothing'} replaced by {now or 'nothing'}"


def _at(fields: Fields, path: Sequence[str]) -> Any:
    value: Any = fields
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _days(retention: Any) -> float:
    written = str(retention or "forever")
    return float(written.removeprefix("days:")) if written.startswith("days:") else float("inf")
