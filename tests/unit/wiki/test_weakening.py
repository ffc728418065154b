"""What a new version of a manifest asks less of, in words."""

from __future__ import annotations

from typing import Any

import pytest

from curator.wiki.workspace import weakening
from curator.wiki.workspace.policy import ViewPolicy

LINT = {"id": "fresh", "kind": "max-age", "appliesTo": "*", "severity": "error", "params": {"days": 30}}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ({"lints": [LINT]}, {}, "lint fresh is gone"),
        ({"lints": [LINT]}, {"lints": [{**LINT, "severity": "info"}]}, "lint fresh: severity error softened to info"),
        (
            {"lints": [LINT]},
            {"lints": [{**LINT, "params": {"days": 90}}]},
            "lint fresh: params.days changed from 30 to 90",
        ),
        (
            {"curation": {"conflictResolution": "keep-both"}},
            {"curation": {"conflictResolution": "recency"}},
            "curation.conflictResolution: keep-both weakened to recency",
        ),
        (
            {},
            {"curation": {"conflictResolution": "recency"}},
            "curation.conflictResolution: defer weakened to recency",
        ),
        (
            {"metadata": {"pack": {"grounding": "recommended"}}},
            {"metadata": {"pack": {"grounding": "none"}}},
            "metadata.pack.grounding: recommended weakened to none",
        ),
        ({}, {"metadata": {"pack": {"grounding": "no"}}}, "metadata.pack.grounding: required weakened to no"),
        ({"sources": {"signing": "required"}}, {}, "sources.signing: required weakened to none"),
        (
            {"sources": {"authorityDefault": "rumour"}},
            {"sources": {"authorityDefault": "primary"}},
            "sources.authorityDefault: rumour weakened to primary",
        ),
        ({"governance": "./a.yaml"}, {}, "governance: ./a.yaml taken out"),
        ({"governance": "./a.yaml"}, {"governance": "./b.yaml"}, "governance: ./a.yaml replaced by ./b.yaml"),
        (
            {"metadata": {"layer": {"mode": "constraint"}}},
            {"metadata": {"layer": {"mode": "lens"}}},
            "metadata.layer.mode: no constraint any more, so views may soften its lints",
        ),
        ({}, {"sources": {"retention": "days:9"}}, "sources.retention: shortened to 9 days"),
        ({"entityTypes": [{"name": "Hive"}]}, {}, "entity type Hive is gone"),
        (
            {"entityTypes": [{"name": "Hive", "fields": ["frames", "queen"]}]},
            {"entityTypes": [{"name": "Hive", "fields": ["queen"]}]},
            "entity type Hive: no longer asks for frames",
        ),
        ({}, {"extends": "../x/KNOWLEDGE.md"}, "extends: nothing replaced by ../x/KNOWLEDGE.md"),
    ],
)
def test_what_got_weaker_is_said(old: dict[str, Any], new: dict[str, Any], said: str) -> None:
    assert weakening.of_manifest(old, new) == [said]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"lints": [{**LINT, "severity": "info"}]}, {"lints": [LINT]}),
        ({}, {"lints": [LINT]}),
        ({"curation": {"conflictResolution": "recency"}}, {}),
        ({"sources": {"retention": "days:9"}}, {"sources": {"retention": "days:90"}}),
        ({"sources": {"signing": "none"}}, {"sources": {"signing": "required"}}),
        ({}, {"governance": "./a.yaml"}),
        ({}, {"entityTypes": [{"name": "Hive", "fields": ["frames"]}], "metadata": {"x": {"y": 1}}}),
        ({"curation": {"tone": "dry"}}, {"curation": {"tone": "wet"}}),
    ],
)
def test_what_asks_as_much_or_more_is_not_weaker(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert weakening.of_manifest(old, new) == []
    assert weakening.changed(old, new)


def test_what_changed_is_named_by_field() -> None:
    old = {"lints": [LINT], "curation": {"tone": "dry"}, "version": "1.0.0"}
    new = {"lints": [{**LINT, "severity": "warn"}], "curation": {"depth": "deep"}, "version": "1.0.0"}

    assert weakening.changed(old, new) == ["lints.fresh.severity", "curation.tone", "curation.depth"]


def test_a_wider_permission_is_said() -> None:
    old = ViewPolicy("p", soften=frozenset({"a"}))

    assert weakening.of_policy(old, ViewPolicy("p", True, frozenset({"a", "b"}), frozenset({"*"}))) == [
        "views may now bind another policy",
        "views may now soften b",
        "views may now settle disputes by all means",
    ]
    assert weakening.of_policy(old, ViewPolicy("p")) == []
