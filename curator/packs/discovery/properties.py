"""The head of a KNOWLEDGE.md becomes the properties of a pack, or a finding that says what the file is instead.

Pack fields stand at the top level (Agent Knowledge 0.5) or under ``metadata.pack`` (which strict readers of AIP-10 accept);
where both are there and differ, the top level holds and a finding says so. ``VALIDATION`` is the policy, row by row: what
an issue is called, whether the pack is let in, and what is done about it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from curator.errors import FrontmatterError
from curator.finding import Finding
from curator.packs.pack import GROUNDINGS, MODES, PROFILES, STATUSES, TRUSTS, TYPES, PackProperties
from curator.wiki.pages import frontmatter
from curator.wiki.workspace.schema import SCHEMA

LONGEST_DESCRIPTION = 1024
_NAME = re.compile(r"[a-z0-9-]{1,64}")
_NAMESPACED = re.compile(r"[a-z0-9-]+:[A-Za-z0-9][A-Za-z0-9._/-]*")


@dataclass(frozen=True)
class ValidationRow:
    """What is done about one issue. ``let_in``: the pack stands in the catalog, with the issue as a warning."""

    let_in: bool
    behaviour: str


LEAVE_OUT = False
VALIDATION: Mapping[str, ValidationRow] = {
    "pack_unreadable": ValidationRow(LEAVE_OUT, "make it a UTF-8 file that curator may read"),
    "pack_not_yaml": ValidationRow(LEAVE_OUT, "mend its frontmatter"),
    "pack_without_head": ValidationRow(LEAVE_OUT, "give it a frontmatter with name, description, type and status"),
    "pack_is_view": ValidationRow(LEAVE_OUT, "name the wiki it extends instead; curate --view looks through views"),
    "pack_name_missing": ValidationRow(LEAVE_OUT, "give it a name: that of its folder"),
    "pack_name_invalid": ValidationRow(LEAVE_OUT, "a name has 1 to 64 of a-z, 0-9 and -"),
    "pack_description_missing": ValidationRow(LEAVE_OUT, "say in its description when it is of use"),
    "pack_type_missing": ValidationRow(LEAVE_OUT, "give it a type, such as domain-reference"),
    "pack_type_unknown": ValidationRow(
        LEAVE_OUT, f"use one of {', '.join(TYPES)}; or one with a namespace: custom:NAME"
    ),
    "pack_status_missing": ValidationRow(LEAVE_OUT, f"give it a status: {', '.join(STATUSES)}"),
    "pack_status_unknown": ValidationRow(LEAVE_OUT, f"its status has to be one of {', '.join(STATUSES)}"),
    "pack_name_differs": ValidationRow(True, "give its folder the name of the pack"),
    "pack_type_assumed": ValidationRow(True, "say metadata.pack.type"),
    "pack_status_assumed": ValidationRow(True, "say metadata.pack.status"),
    "pack_profile_missing": ValidationRow(True, "say its profile; read as wiki-first, as in 0.5"),
    "pack_profile_unknown": ValidationRow(True, f"use one of {', '.join(PROFILES)}; read as wiki-first"),
    "pack_mode_unknown": ValidationRow(True, f"use one of {', '.join(MODES)}; read as data"),
    "pack_grounding_unknown": ValidationRow(True, f"use one of {', '.join(GROUNDINGS)}; read as required"),
    "pack_trust_claimed": ValidationRow(True, "its place and the user's approval say how far it is trusted"),
    "pack_fields_differ": ValidationRow(True, "say it in one place; the top level holds"),
    "pack_description_long": ValidationRow(True, f"at most {LONGEST_DESCRIPTION} characters are shown"),
    "pack_document_missing": ValidationRow(True, "make documents/, or name metadata.primaryDocument"),
    "pack_persona_boundaries": ValidationRow(True, "say in a heading or a file what the persona must not be used for"),
}
"""The validation policy (adding support, step 2), and what is met in practice beside it."""


def issue(code: str, path: str, message: str) -> Finding:
    row = VALIDATION[code]
    return Finding(code, path, message, severity="warn" if row.let_in else "error", hint=row.behaviour)


def properties_of(
    head: str, path: str, folder: str, types: Collection[str] = ()
) -> tuple[PackProperties | None, tuple[Finding, ...]]:
    """What the text of a KNOWLEDGE.md says of its pack, and all that is wrong with that; None where it is left out.

    ``folder``: the name of the directory it lies in. ``types``: what is allowed beside the standard's types.
    """
    try:
        fields = frontmatter.read(head)
    except FrontmatterError as error:
        return None, (replace(issue("pack_not_yaml", path, error.message), line=error.line),)
    if not fields:
        return None, (issue("pack_without_head", path, "no frontmatter: not a pack"),)
    if fields.get("extends") is not None:
        return None, (issue("pack_is_view", path, f"a view of {str(fields['extends'])!r}, not a pack"),)
    reader = _HeadReader(fields, path)
    said = reader.properties(folder, types)
    found = tuple(reader.findings)
    return (None if any(finding.severity == "error" for finding in found) else said), found


class _HeadReader:
    """Reads one head; ``findings`` grow meanwhile."""

    def __init__(self, fields: Mapping[str, Any], path: str) -> None:
        self.fields = fields
        self.path = path
        self.findings: list[Finding] = []
        self.metadata = _mapping(fields.get("metadata"))
        self.pack = _mapping(self.metadata.get("pack"))

    def properties(self, folder: str, types: Collection[str]) -> PackProperties:
        is_workspace = self.fields.get("schema") == SCHEMA
        produced_by = _mapping(self.metadata.get("producedBy") or self.pack.get("producedBy"))
        return PackProperties(
            name=self._name(folder),
            description=self._description(),
            type=self._type(types, is_workspace),
            status=self._status(is_workspace),  # type: ignore[arg-type]
            profile=self._choice("profile", PROFILES, "wiki-first", must=True),  # type: ignore[arg-type]
            mode=self._choice("runtime.mode", MODES, "data"),  # type: ignore[arg-type]
            grounding=self._choice("grounding", GROUNDINGS, "required" if is_workspace else "recommended", "required"),
            version=self._said("version"),
            language=self._said("language"),
            scope=self._said("scope"),
            compatibility=self._said("compatibility"),
            declared_trust=self._declared_trust(),
            primary_document=self._of_metadata("primaryDocument"),
            primary_ontology=self._of_metadata("primaryOntology"),
            produced_by={key: word for key, value in produced_by.items() if (word := _word(value))},
            is_workspace=is_workspace,
        )

    def _tell(self, code: str, message: str) -> None:
        self.findings.append(issue(code, self.path, message))

    def _name(self, folder: str) -> str:
        name = _word(self.fields.get("name"))
        if not name:
            self._tell("pack_name_missing", "no name")
        elif not _NAME.fullmatch(name):
            self._tell("pack_name_invalid", f"the name {name[:80]!r}")
        elif name != folder:
            self._tell("pack_name_differs", f"the name {name!r} is not that of its folder, {folder!r}")
        return name

    def _description(self) -> str:
        said = " ".join(_word(self.fields.get("description")).split())
        if not said:
            self._tell("pack_description_missing", "no description: nobody could tell when to use it")
        elif len(said) > LONGEST_DESCRIPTION:
            self._tell("pack_description_long", f"a description of {len(said):,} characters")
        return said[:LONGEST_DESCRIPTION]

    def _type(self, types: Collection[str], is_workspace: bool) -> str:
        said = self._said("type")
        if not said and is_workspace:
            self._tell("pack_type_assumed", "a wiki that does not say its type: taken for a research-wiki")
            return "research-wiki"
        if not said:
            self._tell("pack_type_missing", "no type")
        elif said not in TYPES and said not in types and not _NAMESPACED.fullmatch(said):
            self._tell("pack_type_unknown", f"the type {said[:80]!r}")
        return said

    def _status(self, is_workspace: bool) -> str:
        said = self._said("status")
        if not said and is_workspace:
            self._tell("pack_status_assumed", "a wiki that does not say its status: taken for needs-review")
            return "needs-review"
        if not said:
            self._tell("pack_status_missing", "no status")
        elif said not in STATUSES:
            self._tell("pack_status_unknown", f"the status {said[:80]!r}")
        return said

    def _choice(self, field: str, known: tuple[str, ...], absent: str, wrong: str = "", must: bool = False) -> str:
        said = self._said(field)
        code = f"pack_{field.rpartition('.')[2]}"
        if not said and must:
            self._tell(f"{code}_missing", f"no {field}")
        if said and said not in known:
            self._tell(f"{code}_unknown", f"{field}: {said[:80]!r}")
            return wrong or absent
        return said or absent

    def _declared_trust(self) -> str:
        said = self._said("trust")
        if said and said != "unreviewed":
            self._tell("pack_trust_claimed", f"it says of itself that its trust is {said[:80]!r}")
        return said if said in TRUSTS else ""

    def _of_metadata(self, field: str) -> str:
        return _word(self.metadata.get(field)) or _word(self.pack.get(field))

    def _said(self, field: str) -> str:
        """A pack field, from the top level or ``metadata.pack``."""
        above, below = (next(_spellings(fields, field), "") for fields in (self.fields, self.pack))
        if above and below and above != below:
            self._tell(
                "pack_fields_differ", f"{field} is {above[:80]!r} at the top and {below[:80]!r} in metadata.pack"
            )
        return above or below


def _spellings(fields: Mapping[str, Any], name: str) -> Iterator[str]:
    """What ``fields`` say: ``runtime: {mode: x}``, ``runtime.mode: x`` and ``runtime_mode: x`` are the same."""
    outer, _, inner = name.partition(".")
    values = [_mapping(fields.get(outer)).get(inner)] if inner else []
    values += [fields.get(name), fields.get(name.replace(".", "_"))]
    yield from filter(None, map(_word, values))


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _word(value: object) -> str:
    return "" if value is None or isinstance(value, (dict, list)) else str(value).strip()
