"""What a YAML head may hold, as a small language: every problem is found; a failure is a finding that names its field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import yaml

from curator.errors import WikiError, meant
from curator.finding import Finding
from curator.wiki.pages import frontmatter

SCHEMA_MISSING = "schema_missing"
ENTRY_INVALID = "entry_invalid"
LINK_BROKEN = "link_broken"
LINK_TO_SOURCE = "link_inline_to_source"
SOURCE_NOT_FOUND = "source_not_found"
SOURCE_MISMATCH = "source_hash_mismatch"
SOURCE_MUTATED = "source_mutation_refused"
SOURCE_UNRESOLVED = "source_unresolved"

Step = str | int
_SHOWN = 80


@dataclass(frozen=True)
class Problem:
    """One value that is not as it must be."""

    field: tuple[Step, ...]
    seen: str
    allowed: str

    @property
    def name(self) -> str:
        return field_name(self.field)

    def __str__(self) -> str:
        return f"{self.name}: {self.seen}; wanted: {self.allowed}"


def field_name(field: Sequence[Step]) -> str:
    """``lints[2].severity``."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in field).removeprefix(".")


@dataclass(frozen=True)
class Value:
    """A scalar, judged as a whole."""

    fits: Callable[[Any], bool]
    allowed: str

    def problems(self, value: Any, field: tuple[Step, ...]) -> Iterator[Problem]:
        if not self.fits(value):
            yield Problem(field, quoted_value(value), self.allowed)


@dataclass(frozen=True)
class Fields:
    """A mapping. A field without a value counts as one that is not there."""

    fields: Mapping[str, Shape]
    required: tuple[str, ...] = ()
    others: str = ""
    """What to do with a field that is not in ``fields``; where this is empty, any may stand there."""

    def problems(self, value: Any, field: tuple[Step, ...]) -> Iterator[Problem]:
        if not isinstance(value, Mapping):
            yield Problem(field, quoted_value(value), "a mapping")
            return
        for name in self.required:
            if value.get(name) is None:
                shape = self.fields[name]
                yield Problem((*field, name), "missing", shape.allowed if isinstance(shape, Value) else "a value")
        for name, held in value.items():
            shape_of = self.fields.get(name)
            if shape_of is None and self.others:
                yield Problem(
                    (*field, name), "no field of the standard", f"{self.others}{meant(str(name), self.fields)}"
                )
            elif shape_of is not None and held is not None:
                yield from shape_of.problems(held, (*field, name))


@dataclass(frozen=True)
class Items:
    """A list; of mappings that go by ``key``, or of values. ``once``: none may stand there again."""

    item: Shape
    key: str = ""
    once: bool = True

    def problems(self, value: Any, field: tuple[Step, ...]) -> Iterator[Problem]:
        if not isinstance(value, list):
            yield Problem(field, quoted_value(value), "a list")
            return
        seen: list[Any] = []
        for index, held in enumerate(value):
            yield from self.item.problems(held, (*field, index))
            name = held.get(self.key) if self.key and isinstance(held, Mapping) else held
            where = (*field, index, self.key) if self.key else (*field, index)
            if self.once and name is not None and name in seen:
                yield Problem(where, f"{quoted_value(name)}, which stands there before", "each only once")
            seen.append(name)


Shape = Value | Fields | Items


def quoted_value(value: Any) -> str:
    """What was seen, short enough for a line."""
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


# -- values --------------------------------------------------------------------------------------------------------


def text(limit: int, least: int = 1) -> Value:
    """Words; a number is read as the words it was written as, so that a title may be a year."""
    allowed = f"{least} to {limit} characters" if least else f"at most {limit} characters"
    return Value(lambda value: _is_text(value) and least <= len(str(value).strip()) <= limit, allowed)


def _is_text(value: Any) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def matching(pattern: str, allowed: str, longest: int | None = None) -> Value:
    def fits(value: Any) -> bool:
        return isinstance(value, str) and re.fullmatch(pattern, value) is not None and len(value) <= (longest or 10_000)

    return Value(fits, allowed)


def one_of(*choices: str) -> Value:
    return Value(lambda value: isinstance(value, str) and value in choices, f"one of {', '.join(choices)}")


def _is_moment(value: Any) -> bool:
    try:
        return isinstance(value, str) and value[4:5] == "-" and datetime.fromisoformat(value) is not None
    except ValueError:
        return False


MOMENT = Value(_is_moment, "an ISO 8601 time like 2026-04-15T09:30:00Z")
"""A day, or a time."""
FLAG = Value(lambda value: isinstance(value, bool), "true or false")
ANYTHING = Value(lambda _: True, "anything")


@dataclass(frozen=True)
class Failure(Finding):
    """A finding that also names the field it is about, such as ``lints[2].severity``."""

    field: str = ""
    step: str = ""
    """The step of ``curate validate`` that found it."""

    @classmethod
    def of(cls, finding: Finding) -> Failure:
        """A finding as a failure; it names no field unless it did."""
        return finding if isinstance(finding, cls) else cls(**vars(finding))


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


def composed(command: str, path: str, fields: Mapping[str, Any], body: str = "") -> str:
    """The text of a file with these fields as its head. Raises KnowledgeError where they are nothing YAML can say."""
    try:
        return frontmatter.compose(fields, body)
    except yaml.YAMLError as error:
        raise KnowledgeError(command, path, [Failure(ENTRY_INVALID, path, f"this is no YAML: {error}")]) from error
