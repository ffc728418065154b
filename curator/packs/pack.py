"""A knowledge pack as its KNOWLEDGE.md describes it, and as it was found: the values that all verbs work on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from curator.finding import Finding

Status = Literal["draft", "ready", "needs-review", "stale", "disputed", "archived"]
Trust = Literal["unreviewed", "user-confirmed", "official", "external"]
Profile = Literal["document-first", "wiki-first", "hybrid"]
Mode = Literal["data", "persona"]
Place = Literal["explicit", "workspace", "user", "organization", "built-in"]

STATUSES: tuple[Status, ...] = get_args(Status)
TRUSTS: tuple[Trust, ...] = get_args(Trust)
PROFILES: tuple[Profile, ...] = get_args(Profile)
MODES: tuple[Mode, ...] = get_args(Mode)
PLACES: tuple[Place, ...] = get_args(Place)
"""Where packs are found; of two of one name, the one from the earlier place is used."""
TYPES = (
    *("personal-profile", "brand-product", "organization-knowhow", "domain-reference", "research-wiki"),
    *("content-operations", "private-domain-operations", "content-ontology"),
)
GROUNDINGS = ("none", "recommended", "required")
TRUST_OF_PLACE: Mapping[Place, Trust] = {
    "explicit": "external",
    "workspace": "unreviewed",
    "user": "user-confirmed",
    "organization": "official",
    "built-in": "official",
}
"""What a pack is trusted by where it lies. What it says of itself counts for nothing."""


@dataclass(frozen=True)
class PackProperties:
    """The fields of a pack's head. ``folder``: the name of its directory."""

    name: str
    description: str
    type: str
    status: Status
    profile: Profile = "wiki-first"
    mode: Mode = "data"
    grounding: str = "recommended"
    version: str = ""
    language: str = ""
    scope: str = ""
    """Whom the pack says it is for."""
    compatibility: str = ""
    declared_trust: str = ""
    """What the pack says of its own trust: shown, never believed."""
    primary_document: str = ""
    primary_ontology: str = ""
    produced_by: Mapping[str, str] = field(default_factory=dict)
    is_workspace: bool = False
    """True for an AIP-10 manifest: the pack is a wiki."""


@dataclass(frozen=True)
class KnowledgePack:
    """A pack that was found and may be listed."""

    properties: PackProperties
    root: str
    """The absolute path of its folder; all its paths are from there."""
    place: Place
    approved: bool = False
    """True where the user has approved what it holds now."""
    diagnostics: tuple[Finding, ...] = ()

    @property
    def name(self) -> str:
        return self.properties.name

    @property
    def location(self) -> str:
        return f"{self.root}/KNOWLEDGE.md"

    @property
    def trust(self) -> Trust:
        """By its place; ``user-confirmed`` once the user has approved it."""
        trust = TRUST_OF_PLACE[self.place]
        return "user-confirmed" if self.approved and trust in ("unreviewed", "external") else trust

    @property
    def is_trusted(self) -> bool:
        return self.trust in ("user-confirmed", "official")

    def noted(self, *findings: Finding) -> KnowledgePack:
        return replace(self, diagnostics=(*self.diagnostics, *findings))

    def as_json(self) -> dict[str, Any]:
        """The entry of the catalog, nested fields flattened as well."""
        said = self.properties
        metadata = {"primaryDocument": said.primary_document, "primaryOntology": said.primary_ontology}
        nested: dict[str, Any] = {key: value for key, value in metadata.items() if value}
        if said.produced_by:
            nested["producedBy"] = dict(said.produced_by)
        values = dict(self._flat())
        return {
            **{key: value for key, value in values.items() if value},
            "runtime": {"mode": said.mode},
            **({"metadata": nested} if nested else {}),
            "diagnostics": [finding.as_json() for finding in self.diagnostics],
        }

    def _flat(self) -> Iterator[tuple[str, str]]:
        said = self.properties
        for key in ("name", "description", "type", "status"):
            yield key, getattr(said, key)
        yield "trust", self.trust
        for key in ("declared_trust", "profile", "grounding", "version", "language", "scope", "compatibility"):
            yield key, getattr(said, key)
        yield "runtime_mode", said.mode
        yield "primary_document", said.primary_document
        yield "primary_ontology", said.primary_ontology
        yield "place", self.place
        yield "location", self.location
        yield "packRoot", self.root
