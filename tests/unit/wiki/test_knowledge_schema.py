"""KNOWLEDGE.md, one file: every field of the standard's shape, and every problem of a file at once."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from curator.errors import WikiError
from curator.finding import Finding
from curator.wiki.workspace import manifest, schema
from curator.wiki.workspace.manifest import KnowledgeManifest
from curator.wiki.workspace.workspace import Workspace
from support.pages import laws

LEAST: dict[str, Any] = {
    "schema": "knowledge.workspace/v1",
    "name": "bees",
    "title": "Bees",
    "description": "All about bees.",
    "version": "1.0.0",
}

ROOT = """---
schema: knowledge.workspace/v1
name: research-notes
title: Research notes
description:
  What the group has read, over several
  lines of YAML.
version: 1.0.0
curator: ws://operators/librarian
governance: policies/wiki.yaml

entityTypes:
  - name: Concept
    icon: 🧠
    fields: [definition, related]
    description: An idea that comes up again.
  - name: Person
    fields: [name, role]
  - name: Investor
    parent: Person
    fields: [lead_partner]

lints:
  - id: require-source
    kind: require-source
    appliesTo: Concept
    severity: error
  - id: max-age-90
    kind: max-age
    appliesTo: "*"
    severity: warn
    params:
      days: 90

sources:
  retention: days:365
  signing: optional
  hashAlgo: sha256
  authorityDefault: secondary

curation:
  tone: neutral
  depth: medium
  autoLink: byName
  conflictResolution: defer
  newEntryThreshold: three mentions

queryHints:
  preferRecent: true
  preferAuthoritative: false

display:
  homePage: start-here
  defaultGrouping: kind

metadata:
  guilde:
    council: {seats: 5}
---
# Research notes

## Purpose
"""

VIEW = """---
schema: knowledge.workspace/v1
name: analyst-view
title: The analyst's view
description: Concepts first.
version: 1.0.0
extends: ../../wiki/KNOWLEDGE.md
appliesTo:
  - ws://operators/analyst
  - ws://companies/acme
  - ws://skills/sales-assist
  - ../analyst
  - region/fr
queryHints:
  scopeTo: [Concept]
---
"""


def text(**changes: Any) -> str:
    fields = {name: value for name, value in {**LEAST, **changes}.items() if value is not ...}
    return f"---\n{yaml.safe_dump(fields, sort_keys=False, allow_unicode=True)}---\n\n# Bees\n"


def read(written: str) -> KnowledgeManifest:
    found = manifest.parse(written, "/w/KNOWLEDGE.md")
    assert isinstance(found, KnowledgeManifest), found
    return found


def findings(written: str) -> tuple[Finding, ...]:
    found = manifest.parse(written, "/w/KNOWLEDGE.md")
    assert not isinstance(found, KnowledgeManifest)
    return found


# -- what is right -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("written", [ROOT, VIEW, text()], ids=["root", "view", "least"])
def test_the_standards_shape_is_read(written: str) -> None:
    assert read(written).fields["schema"] == "knowledge.workspace/v1"


def test_root_and_view_are_told_apart_by_extends() -> None:
    assert read(ROOT).mode == "root"
    assert read(VIEW).mode == "view"
    assert read(VIEW).applies_to[0] == "ws://operators/analyst"
    assert read(ROOT).applies_to == ()


def test_vendor_metadata_is_untouched() -> None:
    vendors = {"guilde": {"council": None, "list": [1, {"a": "b"}]}, "simone": "as she likes", "other.vendor": 1.5}

    assert read(text(metadata=vendors)).fields["metadata"] == vendors


def test_a_field_without_a_value_is_not_there() -> None:
    assert read(text(extends=None, lints=None, curation={"tone": None}, metadata=None)).mode == "root"


@pytest.mark.parametrize("mode, expected", [("lens", False), ("constraint", True), (None, False)])
def test_a_constraint_says_so_itself(mode: str | None, expected: bool) -> None:
    assert read(text(metadata={"layer": {"mode": mode}})).is_constraint == expected


@pytest.mark.parametrize(
    "field, value",
    [
        ("version", "1.0.0-rc.1+build.5"),
        ("title", 1984),
        ("extends", "../KNOWLEDGE.md"),
        ("extends", "./x/KNOWLEDGE.md"),
        ("extends", "My Wiki/KNOWLEDGE.md"),
        ("appliesTo", []),
        ("entityTypes", [{"name": "Hive", "fields": ["frames", "frames"]}]),
    ],
)
def test_the_seed_has_the_last_word(field: str, value: Any) -> None:
    assert read(text(**{field: value})).fields[field] == value


# -- what is wrong -------------------------------------------------------------------------------------------------

WRONG: list[tuple[str, Any, str]] = [
    ("schema", "knowledge.workspace/v2", "schema: 'knowledge.workspace/v2'; wanted: one of knowledge.workspace/v1"),
    ("name", "Bees", "name: 'Bees'; wanted: 2 to 96 characters a-z, 0-9, -"),
    ("name", "b", "name: 'b'; wanted: 2 to 96 characters a-z, 0-9, -"),
    ("title", "", "title: ''; wanted: 1 to 200 characters"),
    ("title", "   ", "title: '   '; wanted: 1 to 200 characters"),
    ("title", True, "title: True; wanted: 1 to 200 characters"),
    ("description", ["a"], "description: ['a']; wanted: 1 to 2000 characters"),
    ("title", "x" * 201, "title: ..."),
    ("version", "1.0", "version: '1.0'; wanted: a version like 1.0.0"),
    ("version", 1.0, "version: 1.0; wanted: a version like 1.0.0"),
    ("extends", "/etc/KNOWLEDGE.md", "extends: '/etc/KNOWLEDGE.md'; wanted: a relative path to a KNOWLEDGE.md, ..."),
    ("extends", "../wiki", "extends: '../wiki'; wanted: a relative path to a KNOWLEDGE.md, ..."),
    ("extends", "file://x/KNOWLEDGE.md", "extends: 'file://x/KNOWLEDGE.md'; wanted: ..."),
    ("extends", "", "extends: ''; wanted: ..."),
    ("extends", "..\\w/KNOWLEDGE.md", "extends: ..."),
    ("appliesTo", ["ws://operators/a"], "appliesTo: ['ws://operators/a']; wanted: nothing in a workspace root; ..."),
    ("curator", "ws://skills/a", "curator: 'ws://skills/a'; wanted: ws://operators/<slug>"),
    ("governance", "a\nb", "governance: 'a\\nb'; wanted: a path or a ref, on one line"),
    ("entityTypes", {}, "entityTypes: {}; wanted: a list"),
    ("entityTypes", ["Hive"], "entityTypes[0]: 'Hive'; wanted: a mapping"),
    ("entityTypes", [{"fields": []}], "entityTypes[0].name: missing; wanted: a PascalCase name"),
    ("entityTypes", [{"name": "hive"}], "entityTypes[0].name: 'hive'; wanted: a PascalCase name"),
    ("entityTypes", [{"name": "A"}, {"name": "A"}], "entityTypes[1].name: 'A', which stands there before; wanted: ..."),
    (
        "entityTypes",
        [{"name": "A", "fields": ["B"]}],
        "entityTypes[0].fields[0]: 'B'; wanted: a name like lead_partner",
    ),
    (
        "entityTypes",
        [{"name": "A", "fields": "b"}],
        "entityTypes[0].fields: 'b'; wanted: a list",
    ),
    ("entityTypes", [{"name": "A", "icon": "a long icon"}], "entityTypes[0].icon: 'a long icon'; wanted: 1 to 8 ..."),
    ("entityTypes", [{"name": "A", "parent": "b"}], "entityTypes[0].parent: 'b'; wanted: a PascalCase name"),
    ("entityTypes", [{"name": "A", "colour": "b"}], "entityTypes[0].colour: no field of the standard; wanted: ..."),
    ("lints", [{"id": "a"}], "lints[0].kind: missing; wanted: one of require-source, ..."),
    ("sources", {"retention": "days:"}, "sources.retention: 'days:'; wanted: forever or days:<n>"),
    ("sources", {"signing": "never"}, "sources.signing: 'never'; wanted: one of required, optional, none"),
    ("sources", {"hashAlgo": "md5"}, "sources.hashAlgo: 'md5'; wanted: one of sha256, sha512, blake3"),
    ("sources", {"authorityDefault": "rumor"}, "sources.authorityDefault: 'rumor'; wanted: one of primary, ..."),
    ("sources", ["sources/a.pdf"], "sources: ['sources/a.pdf']; wanted: a mapping"),
    ("curation", ["deep"], "curation: ['deep']; wanted: a mapping"),
    ("curation", {"tone": "x" * 201}, "curation.tone: ..."),
    ("curation", {"conflictResolution": []}, "curation.conflictResolution: []; wanted: one of defer, ..."),
    ("curation", {"depth": "abyssal"}, "curation.depth: 'abyssal'; wanted: one of shallow, medium, deep"),
    ("curation", {"autoLink": "on"}, "curation.autoLink: 'on'; wanted: one of byName, manual, off"),
    ("curation", {"conflictResolution": "fight"}, "curation.conflictResolution: 'fight'; wanted: one of defer, ..."),
    ("curation", {"newEntryThreshold": []}, "curation.newEntryThreshold: []; wanted: at most 1000 characters"),
    ("queryHints", {"preferRecent": "yes"}, "queryHints.preferRecent: 'yes'; wanted: true or false"),
    ("queryHints", {"preferAuthoritative": 1}, "queryHints.preferAuthoritative: 1; wanted: true or false"),
    ("queryHints", {"scopeTo": "Concept"}, "queryHints.scopeTo: 'Concept'; wanted: a list"),
    ("queryHints", {"scopeTo": ["concept"]}, "queryHints.scopeTo[0]: 'concept'; wanted: a PascalCase name"),
    ("display", {"homePage": "Home"}, "display.homePage: 'Home'; wanted: a page's slug"),
    ("display", {"defaultGrouping": "type"}, "display.defaultGrouping: 'type'; wanted: one of kind, tag, source"),
    ("metadata", "guilde", "metadata: 'guilde'; wanted: a mapping"),
    ("metadata", {"layer": {"mode": "constrain"}}, "metadata.layer.mode: 'constrain'; wanted: one of lens, constraint"),
    ("tags", ["bees"], "tags: no field of the standard; wanted: fields of vendors under metadata.<vendor>"),
]


@pytest.mark.parametrize("field, value, expected", WRONG, ids=lambda value: str(value)[:30])
def test_a_wrong_value_is_named_with_what_is_allowed(field: str, value: Any, expected: str) -> None:
    (found,) = [each for each in findings(text(**{field: value})) if expected.partition("...")[0] in each.message]

    assert (found.code, found.path) == ("knowledge_workspace_invalid", "/w/KNOWLEDGE.md")
    assert found.message.startswith(expected.partition("...")[0])
    assert found.severity == "error"


@pytest.mark.parametrize(
    "written", ["region", "region/", "/fr", "Region/fr", "region/eu/fr", "ws://tools/a", "http://a/b", 5]
)
def test_a_malformed_consumer_is_refused(written: Any) -> None:
    (found,) = findings(text(extends="../w/KNOWLEDGE.md", appliesTo=[written]))

    assert found.message.startswith(f"appliesTo[0]: {written!r}; wanted: ws://operators/<slug>, ")


LINT = {"id": "a-lint", "kind": "orphan", "appliesTo": "*", "severity": "warn"}


@pytest.mark.parametrize(
    "change, expected",
    [
        ({"id": "A"}, "lints[0].id: 'A'; wanted: a name of a-z, 0-9 and -"),
        ({"kind": "spelling"}, "lints[0].kind: 'spelling'; wanted: one of require-source, max-age, "),
        ({"appliesTo": "concept"}, "lints[0].appliesTo: 'concept'; wanted: a PascalCase name or \"*\""),
        ({"severity": "warning"}, "lints[0].severity: 'warning'; wanted: one of error, warn, info"),
        ({"params": [1]}, "lints[0].params: [1]; wanted: a mapping"),
        (
            {"kind": "max-age", "params": {"days": "soon"}},
            "lints[0].params.days: 'soon'; wanted: a number of days above 0",
        ),
        ({"kind": "max-age", "params": {"days": 0}}, "lints[0].params.days: 0; wanted: a number of days above 0"),
        ({"kind": "min-confidence", "params": {"min": 60}}, "lints[0].params.min: 60; wanted: a number from 0 to 1"),
        ({"message": "x"}, "lints[0].message: no field of the standard"),
    ],
)
def test_a_wrong_lint_is_named(change: dict[str, Any], expected: str) -> None:
    (found,) = findings(text(lints=[{**LINT, **change}]))

    assert found.message.startswith(expected)


@pytest.mark.parametrize("field", LEAST)
def test_what_is_required_is_missed(field: str) -> None:
    (found,) = findings(text(**{field: ...}))

    assert found.message.startswith(f"{field}: missing; wanted: ")
    assert found.code == ("schema_missing" if field == "schema" else "knowledge_workspace_invalid")


def test_all_that_is_wrong_is_said_at_once_with_its_line() -> None:
    written = (
        ROOT.replace("1.0.0", "one").replace("appliesTo: Concept", "appliesTo: concept").replace("5}", "5}\ntags: [a]")
    )

    found = {each.message.partition(";")[0]: each.line for each in findings(written)}

    lines = written.split("\n")
    assert {name: lines[line - 1].strip() for name, line in found.items() if line} == {
        "version: 'one'": "version: one",
        "lints[0].appliesTo: 'concept'": "appliesTo: concept",
        "tags: no field of the standard": "tags: [a]",
    }


@pytest.mark.parametrize("written, line", [("schema: [a\nname: b", 3), ("a: [", 3), ("a: *b", 2)])
def test_a_file_that_is_no_yaml_says_where(written: str, line: int) -> None:
    (found,) = findings(f"---\n{written}\n---\n")

    assert (found.code, found.line) == ("knowledge_workspace_invalid", line)


def test_a_file_without_a_head_has_no_schema() -> None:
    assert next(each.code for each in findings("# Tea\n")) == "schema_missing"


# -- laws ----------------------------------------------------------------------------------------------------------

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | st.text("aA*/-.:", max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "id", "fields", "x"]), inner),
    max_leaves=8,
)


@laws
@given(st.dictionaries(st.sampled_from([*schema.WORKSPACE.fields, "tags"]), JUNK))
def test_whatever_stands_there_is_judged_and_never_crashes(fields: dict[str, Any]) -> None:
    for problem in schema.problems(fields):
        assert problem.field
        assert str(problem).startswith(problem.name)


@laws
@given(st.dictionaries(st.sampled_from([*schema.WORKSPACE.fields]), JUNK, max_size=4))
def test_any_manifest_is_read_or_refused(fields: dict[str, Any]) -> None:
    try:
        assert Workspace.parse(text(**fields)).name
    except WikiError as error:
        assert error.code in ("knowledge_workspace_invalid", "schema_missing")


@laws
@given(st.sampled_from(sorted({*schema.WORKSPACE.fields} - {"extends", "appliesTo"})), JUNK)
def test_one_wrong_field_hides_no_other(name: str, value: Any) -> None:
    alone = {problem.field for problem in schema.problems({**LEAST, name: value})}
    beside = {problem.field for problem in schema.problems({**LEAST, name: value, "tags": 1})}

    assert beside == alone | {("tags",)}
