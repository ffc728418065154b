"""What holds in the end: the merged manifest, the chain it came from, and who said what (AIP-10, Composition semantics).

"The runtime MUST expose both the merged effective config AND the resolution chain", and "tooling uses the chain to explain
why a field has the value it does".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from curator.finding import Finding
from curator.wiki.workspace import chain, constraints, manifest, policy, refs
from curator.wiki.workspace.chain import Notice, Read
from curator.wiki.workspace.constraints import AllowedFields, InheritedConstraints
from curator.wiki.workspace.manifest import INVALID, KnowledgeManifest
from curator.wiki.workspace.merge import LOCAL, merge
from curator.wiki.workspace.schema import WORKSPACE

UNRESOLVABLE = "knowledge_appliesto_unresolvable"
INERT = "knowledge_view_inert"
BUILT_IN = ("Entity", "Concept", "Summary", "Comparison", "Timeline")
"""The kinds of pages are types too, whether a manifest declares them or not (AIP-10, layer 2)."""
LIMITS = {"max-age": "days", "min-confidence": "min"}
"""The parameter that a kind of lint cannot do without."""
LIMITLESS = "lint_invalid"
"""The code of a lint that lacks it."""

Path = tuple[str, ...]
Standing = Literal["holds", "adds", "overridden", "refused", "not inherited"]


@dataclass(frozen=True)
class Host:
    """What a view's ``appliesTo`` is held against."""

    has: Callable[[refs.Consumer | refs.Folder, str], bool] = lambda ref, at: False
    """Whether a consumer exists, as seen from the manifest at a path."""
    dimensions: frozenset[str] = frozenset()
    """The dimension refs that are true here, such as ``region/fr``."""


@dataclass(frozen=True)
class FieldValue:
    """One manifest's word on one field."""

    field: str
    at: str
    value: Any
    standing: Standing


@dataclass(frozen=True)
class Effective:
    """The manifest that consumers use, and the chain that explains it."""

    fields: Mapping[str, Any]
    manifests: tuple[KnowledgeManifest, ...]
    """The root first: "ordered list of absolute paths consumed during merge"."""
    notices: tuple[Notice, ...] = ()
    governance: str = ""
    """The policy in force, as an absolute path or a ref."""
    said: tuple[tuple[Path, str, Any, bool], ...] = field(default=(), repr=False)
    """Field, manifest, value and whether it was let in, in the order of the merge."""

    def explain(self, name: str) -> list[FieldValue]:
        """Who said what on the field ``name`` and all below it, such as ``lints.no-orphans``; the root first."""
        wanted = name.replace("[", ".").replace("]", "")
        return [said for said in self._all_said() if f"{said.field}.".startswith(f"{wanted}.")]

    def _all_said(self) -> Iterator[FieldValue]:
        values = dict(flat(self.fields))
        last = {path: at for path, at, _, let_in in self.said if let_in}
        for path, at, value, let_in in self.said:
            yield FieldValue(".".join(path), at, value, self._standing(path, at, let_in, last, values))

    def _standing(
        self, path: Path, at: str, let_in: bool, last: Mapping[Path, str], values: Mapping[Path, Any]
    ) -> Standing:
        if not let_in:
            return "refused"
        if path[0] in LOCAL and at != self.manifests[-1].path:
            return "not inherited"
        if path[0] == "entityTypes" and path[2:] == ("fields",):
            return "adds"
        return "holds" if last.get(path) == at and path in values else "overridden"


@dataclass(frozen=True)
class Refusal:
    """A manifest that does not load: it is none, or binds to a consumer that does not exist."""

    findings: tuple[Finding, ...]


def compose(text: str, path: str, read: Read, host: Host | None = None) -> Effective | Refusal:
    """What the manifest ``text`` at the absolute ``path`` comes to, with the parents that ``read`` finds."""
    leaf = manifest.parse(text, path)
    if not isinstance(leaf, KnowledgeManifest):
        return Refusal(leaf)
    missing, inert = _binding(leaf, host or Host())
    if missing:
        return Refusal(tuple(Finding(UNRESOLVABLE, path, message) for message in missing))
    found = chain.resolve(leaf, read)
    effective = fold(found.manifests[:-1] if inert else found.manifests, read)
    if inert:
        notice = Notice(INERT, f"{path} is for {', '.join(inert)}, which is not here: it changes nothing", path)
        effective = replace(effective, notices=(*effective.notices, notice))
    return replace(effective, notices=(*found.notices, *effective.notices))


def fold(manifests: Sequence[KnowledgeManifest], read: Read) -> Effective:
    """Merge bottom-up: from the root to the leaf, each as far as the ones before let it."""
    fields: dict[str, Any] = {}
    force = InheritedConstraints()
    notices: list[Notice] = []
    said: list[tuple[Path, str, Any, bool]] = []
    for each in manifests:
        held = constraints.hold(each, fields, force)
        fields = merge(fields, held.fields)
        force = InheritedConstraints(_in_force(each, held, force, read), constraints.raise_floors(each, fields, force))
        notices += held.notices
        said += ((path, each.path, value, not _under(path, held.refused)) for path, value in flat(each.fields))
    owners = {path: at for path, at, _, let_in in said if let_in}
    notices += loose_ends(fields, owners)
    fields = {name: fields[name] for name in WORKSPACE.fields if name in fields}
    return Effective(fields, tuple(manifests), tuple(notices), force.policy.ref, tuple(said))


def _in_force(
    each: KnowledgeManifest, held: AllowedFields, force: InheritedConstraints, read: Read
) -> policy.ViewPolicy:
    written = held.fields.get("governance")
    ref = "" if written is None else refs.policy(each.path, str(written))
    if not ref or ref == force.policy.ref:
        return force.policy
    if "://" in ref:
        return policy.ViewPolicy(ref, why="curator reads policies from files only")
    return policy.parse(read(ref), ref)


def _binding(leaf: KnowledgeManifest, host: Host) -> tuple[list[str], list[str]]:
    """The entries of ``appliesTo`` that do not exist, and the dimensions that are not here.

    "Hosts MUST refuse a view whose appliesTo references a non-existent consumer" (Cross-AIP refs). Only the leaf's are
    looked at: "a parent's bindings do not leak into the child".
    """
    missing: list[str] = []
    inert: list[str] = []
    for index, written in enumerate(leaf.applies_to):
        ref = refs.consumer(written, leaf.path)
        if isinstance(ref, refs.Dimension):
            inert += [] if written in host.dimensions else [written]
        elif ref is None or not host.has(ref, leaf.path):
            missing.append(f"appliesTo[{index}]: {written!r}; wanted: a consumer that exists")
    return missing, inert


def flat(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every field with its value; the entries of entityTypes and lints go by their names. An empty mapping says nothing."""
    key = _KEYS.get(path)
    if key is not None and isinstance(value, list):
        for entry in value:
            yield from flat(entry, (*path, entry[key]))
    elif isinstance(value, Mapping):
        for name, held in value.items():
            if held is not None or path[:1] == ("metadata",):
                yield from flat(held, (*path, name))
    elif value is not None or path[:1] == ("metadata",):
        yield path, value


_KEYS: Mapping[Path, str] = {("entityTypes",): "name", ("lints",): "id"}


def _under(path: Path, prefixes: Sequence[Path]) -> bool:
    return any(path[: len(prefix)] == prefix for prefix in prefixes)


def loose_ends(fields: Mapping[str, Any], owners: Mapping[Path, str]) -> Iterator[Notice]:
    """What a merged manifest leaves open, a notice each: types that are not declared, lints without the limit they check.

    It can be judged only when all parents are in (AIP-10, entity model). ``owners`` tells which manifest said a field.
    """
    parents = {entry["name"]: entry.get("parent") for entry in fields.get("entityTypes") or ()}
    types = {*parents, *BUILT_IN}
    for name, parent in parents.items():
        path = ("entityTypes", name, "parent")
        if parent is not None and parent not in types:
            yield _notice(path, f"{parent!r}; wanted: an entity type that is declared", owners)
        elif parent is not None and name in _above(name, parents):
            yield _notice(path, f"{parent!r}; wanted: a type that does not extend {name} itself", owners)
    for lint in fields.get("lints") or ():
        if lint["appliesTo"] not in {"*", *types}:
            path = ("lints", lint["id"], "appliesTo")
            yield _notice(path, f"{lint['appliesTo']!r}; wanted: an entity type that is declared", owners)
        number = LIMITS.get(lint["kind"])
        if number is not None and (lint.get("params") or {}).get(number) is None:
            message = f"lints.{lint['id']}.params.{number}: missing; {lint['kind']} is not run without"
            yield Notice(LIMITLESS, message, owners.get(("lints", lint["id"], "kind"), ""))
    for name in (fields.get("queryHints") or {}).get("scopeTo") or ():
        if name not in types:
            yield _notice(("queryHints", "scopeTo"), f"{name!r}; wanted: entity types that are declared", owners)


def _notice(path: Path, message: str, owners: Mapping[Path, str]) -> Notice:
    return Notice(INVALID, f"{'.'.join(path)}: {message}", owners.get(path, ""))


def _above(name: str, parents: Mapping[str, Any]) -> list[str]:
    """The types that ``name`` extends, nearest first, until there is none or one comes again."""
    found: list[str] = []
    at = parents.get(name)
    while at is not None and at not in found:
        found.append(at)
        at = parents.get(at)
    return found
