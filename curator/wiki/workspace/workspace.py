"""The workspace: what the manifest that holds asks of ingest, lint and search (AIP-10, layer 4).

It is made from the merged manifest (``knowledge.effective``): the wiki's own KNOWLEDGE.md, or a view of it. The pack
fields stand under ``metadata.pack`` (spec README), so that one file satisfies both standards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from curator.errors import WikiError
from curator.finding import Finding
from curator.wiki.pages.page import DIALECTS
from curator.wiki.workspace import effective, manifest, refs
from curator.wiki.workspace.constraints import GROUNDINGS, RESOLUTIONS
from curator.wiki.workspace.effective import BUILT_IN, Effective, Host, Refusal

_HINT = "mend the frontmatter of KNOWLEDGE.md and commit it; 'curate init' in an empty folder shows a complete one"


@dataclass(frozen=True)
class EntityType:
    """A kind of thing the wiki has pages for."""

    name: str
    description: str = ""
    fields: tuple[str, ...] = ()
    parent: str = ""


@dataclass(frozen=True)
class PageType:
    """An entity type that is none of the standard's kinds, as a page of it is filed."""

    name: str
    kind: str = "entity"
    description: str = ""
    fields: tuple[str, ...] = ()
    """Its own and those of the types it extends."""


@dataclass(frozen=True)
class CurationPolicy:
    """How this wiki wants to be curated: ``curation`` of the manifest, ``grounding`` of its pack metadata, and
    ``dialect`` of curator's own.
    """

    tone: str = ""
    depth: str = "medium"
    auto_link: str = "byName"
    conflict_resolution: str = "defer"
    new_entry_threshold: str = ""
    grounding: str = "required"
    types: tuple[PageType, ...] = ()
    """What pages may be beside the standard's kinds."""
    dialect: str = ""
    """Of new pages; empty: that of most pages that are there."""

    @property
    def section_names(self) -> tuple[str, ...]:
        """What the wiki's own types are called, and their fields: their pages have sections of these names."""
        return tuple(name.replace("_", " ") for each in self.types for name in (each.name, *each.fields))


@dataclass(frozen=True)
class QueryHints:
    """How pages are looked for (``queryHints``)."""

    prefer_recent: bool = False
    prefer_authoritative: bool = False
    scope: tuple[str, ...] = ()
    """Entity types; empty: all."""


@dataclass(frozen=True)
class Workspace:
    """A manifest as its readers want it."""

    name: str
    title: str
    description: str
    version: str
    policy: CurationPolicy = CurationPolicy()
    entity_types: tuple[EntityType, ...] = ()
    grouping: str = "kind"
    home_page: str = ""
    authority_default: str = "secondary"
    hash_algorithm: str = "sha256"
    hints: QueryHints = QueryHints()
    merged: Effective = field(default=Effective({}, ()), compare=False)
    """What all this was read from: the merged frontmatter, the chain, and what a reviewer of it should see."""

    @classmethod
    def parse(cls, text: str, path: str = refs.FILE) -> Workspace:
        """The workspace of a manifest that stands alone. Raises WikiError naming every problem."""
        found = effective.compose(text, path, lambda _: None, Host())
        if isinstance(found, Refusal):
            raise refused(found.findings, path)
        return cls.of(found, path)

    @classmethod
    def of(cls, found: Effective, path: str) -> Workspace:
        """The workspace of a merged manifest, read at ``path``. Raises WikiError for pack metadata that means nothing."""
        fields = found.fields
        curation, sources, display = (fields.get(name) or {} for name in ("curation", "sources", "display"))
        types = tuple(map(_entity_type, fields.get("entityTypes") or ()))
        return cls(
            name=str(fields["name"]),
            title=str(fields["title"]),
            description=str(fields["description"]),
            version=str(fields["version"]),
            policy=CurationPolicy(
                tone=curation.get("tone") or "",
                depth=curation.get("depth") or "medium",
                auto_link=curation.get("autoLink") or "byName",
                conflict_resolution=curation.get("conflictResolution") or "defer",
                new_entry_threshold=curation.get("newEntryThreshold") or "",
                grounding=_chosen(fields, "pack", "grounding", GROUNDINGS, path) or "required",
                dialect=_chosen(fields, "curator", "dialect", DIALECTS, path),
                types=tuple(_page_types(types)),
            ),
            entity_types=types,
            grouping=display.get("defaultGrouping") or "kind",
            home_page=display.get("homePage") or "",
            authority_default=sources.get("authorityDefault") or "secondary",
            hash_algorithm=sources.get("hashAlgo") or "sha256",
            hints=_hints(fields.get("queryHints") or {}),
            merged=found,
        )

    @property
    def fields(self) -> Mapping[str, Any]:
        """The merged frontmatter, vendor metadata included."""
        return self.merged.fields

    @property
    def is_archived(self) -> bool:
        """True where the manifest says so (``status: archived``): nothing is to be taken in any more."""
        return ((self.fields.get("metadata") or {}).get("pack") or {}).get("status") == "archived"

    @property
    def chain(self) -> tuple[str, ...]:
        """The manifests it was merged from, the root first, as absolute paths."""
        return tuple(each.path for each in self.merged.manifests)

    @property
    def parents(self) -> dict[str, str]:
        """The parent of each entity type that has one."""
        return {each.name: each.parent for each in self.entity_types if each.parent}

    def author_of(self, *path: str) -> str:
        """The manifest that has the last word on a field, such as ``lints``, ``no-orphans``; empty when none has."""
        said = [at for field, at, _, let_in in self.merged.said if let_in and field[: len(path)] == path]
        return said[-1] if said else ""

    def policy_over(self, own: Workspace) -> CurationPolicy:
        """How an ingest through this view curates the wiki whose own workspace is ``own``.

        The view adapts the lens and does "not affect the workspace" (AIP-10, composability table): what lands is grounded
        no worse than the wiki itself asks for. And where the view's chain is broken, so that no policy has looked at it,
        disputes are settled no easier either.
        """
        grounding = max(self.policy.grounding, own.policy.grounding, key=GROUNDINGS.index)
        policy = replace(self.policy, grounding=grounding, dialect=own.policy.dialect)
        if set(own.chain) <= set(self.chain):
            return policy
        resolutions = (policy.conflict_resolution, own.policy.conflict_resolution)
        return replace(policy, conflict_resolution=max(resolutions, key=RESOLUTIONS.index))


def lineage(name: str, parents: Mapping[str, str]) -> tuple[str, ...]:
    """An entity type, its parent, its parent's parent; a ring ends where it closes."""
    found = [name]
    while (parent := parents.get(found[-1], "")) and parent not in found:
        found.append(parent)
    return tuple(found)


def refused(findings: tuple[Finding, ...], path: str) -> WikiError:
    """What to say of a manifest that does not load: every problem, with field, what was seen, what is allowed."""
    seen = "\n".join(f"  {replace(finding, path=path)}" for finding in findings)
    if findings[0].code == effective.UNRESOLVABLE:
        hint = "make the consumer's folder, or take it out of appliesTo"
        return WikiError(effective.UNRESOLVABLE, f"{path} is a view for somebody who is not here:\n{seen}", hint)
    hint = _HINT if path == refs.FILE else "mend its frontmatter; commit it where it lies in a repository"
    return WikiError(manifest.INVALID, f"{path} is not a workspace manifest:\n{seen}", hint)


def _chosen(fields: Mapping[str, Any], vendor: str, name: str, known: Sequence[str], path: str) -> str:
    """``metadata.<vendor>.<name>``, one of ``known``; empty where it is not there."""
    theirs = (fields.get("metadata") or {}).get(vendor)
    if theirs is not None and not isinstance(theirs, Mapping):
        raise _wrong(f"metadata.{vendor}", theirs, "a mapping", path)
    chosen = (theirs or {}).get(name)
    if chosen in (None, ""):
        return ""
    if chosen not in known:
        raise _wrong(f"metadata.{vendor}.{name}", chosen, f"one of {', '.join(known)}", path)
    return str(chosen)


def _wrong(name: str, seen: object, wanted: str, path: str) -> WikiError:
    return refused((Finding(manifest.INVALID, path, f"{name}: {seen!r}; wanted: {wanted}"),), path)


def _entity_type(item: Mapping[str, Any]) -> EntityType:
    return EntityType(
        name=item["name"],
        description=item.get("description") or "",
        fields=tuple(item.get("fields") or ()),
        parent=item.get("parent") or "",
    )


def _page_types(types: Sequence[EntityType]) -> Iterator[PageType]:
    parents = {each.name: each.parent for each in types if each.parent}
    fields = {each.name: each.fields for each in types}
    for each in types:
        if each.name not in BUILT_IN:
            line = lineage(each.name, parents)
            kind = next((name for name in line if name in BUILT_IN), "Entity").lower()
            own = dict.fromkeys(field for name in reversed(line) for field in fields.get(name, ()))
            yield PageType(each.name, kind, each.description, tuple(own))


def _hints(written: Mapping[str, Any]) -> QueryHints:
    return QueryHints(
        written.get("preferRecent") is True,
        written.get("preferAuthoritative") is True,
        tuple(written.get("scopeTo") or ()),
    )
