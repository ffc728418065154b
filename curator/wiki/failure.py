"""A failure: a finding that names its field; the error that carries failures, and the object that answers with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from curator.errors import WikiError
from curator.finding import Finding
from curator.wiki.pages import frontmatter
from curator.wiki.validation import Problem

SCHEMA_MISSING = "schema_missing"
ENTRY_INVALID = "entry_invalid"
LINK_BROKEN = "link_broken"
LINK_TO_SOURCE = "link_inline_to_source"
SOURCE_NOT_FOUND = "source_not_found"
SOURCE_MISMATCH = "source_hash_mismatch"
SOURCE_MUTATED = "source_mutation_refused"
SOURCE_UNRESOLVED = "source_unresolved"


@dataclass(frozen=True)
class Failure(Finding):
    """A finding that also names the field it is about, such as ``lints[2].severity``."""

    field: str = ""
    step: str = ""
    """The part of the handshake that found it."""


class KnowledgeError(WikiError):
    """What was to be defined is not as the standard wants it. ``code`` is that of the first of its ``findings``."""

    def __init__(self, command: str, name: str, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        self.command = command
        self.name = name
        super().__init__(self.findings[0].code, "\n".join(map(str, self.findings)), self.findings[0].hint)

    @property
    def envelope(self) -> dict[str, Any]:
        """The error as an object for JSON."""
        return envelope(self.command, self.name, self.findings)


def envelope(command: str, name: str, findings: Iterable[Finding]) -> dict[str, Any]:
    """The object that maintenance commands answer with; ``pack`` is the name of what was looked at."""
    listed = list(findings)
    ok = not any(finding.severity == "error" for finding in listed)
    return {
        "ok": ok,
        "status": "valid" if ok else "invalid",
        "command": command,
        "pack": name,
        "findings": [finding.as_json() for finding in listed],
    }


def of_problem(problem: Problem, path: str, line: int | None = None) -> Failure:
    """A problem of an entry, or of a source's record: the standard has no code of its own for the latter."""
    is_schema = problem.field == ("schema",) and problem.seen == "missing"
    code = SCHEMA_MISSING if is_schema else ENTRY_INVALID
    return Failure(code, path, str(problem), line, field=problem.name)


def composed(command: str, path: str, fields: Mapping[str, Any], body: str = "", code: str = ENTRY_INVALID) -> str:
    """The text of a file with these fields as its head. Raises KnowledgeError where they are nothing YAML can say."""
    try:
        return frontmatter.compose(fields, body)
    except yaml.YAMLError as error:
        raise KnowledgeError(command, path, [Failure(code, path, f"this is no YAML: {error}")]) from error
