"""Where a wiki stands in its life, and what protects it."""

from __future__ import annotations

import pytest

from curator.wiki.lifecycle import lifecycle, protections
from curator.wiki.log import LogEvent
from curator.wiki.workspace.weakening import unversioned
from curator.wiki.workspace.workspace import Workspace
from support.manifests import text

FORKED = ("manual", "fork of Tea")


@pytest.mark.parametrize(
    "pages, events, expected",
    [
        (0, [], "empty"),
        (0, [FORKED], "empty"),
        (2, [], "populated"),
        (2, [("ingest", "a")], "populated"),
        (2, [("ingest", "a"), ("lint", "0 errors")], "linted"),
        (2, [("ingest", "a"), ("lint", "0 errors"), ("manual", "a note")], "linted"),
        (2, [("lint", "0 errors"), ("ingest", "a")], "populated"),
        (2, [("lint", "0 errors"), ("query", "a")], "populated"),
        (2, [FORKED], "forked"),
        (2, [FORKED, ("lint", "0 errors")], "linted"),
        (2, [FORKED, ("ingest", "a")], "populated"),
    ],
)
def test_the_newest_event_that_counts_says_where_it_stands(
    pages: int, events: list[tuple[str, str]], expected: str
) -> None:
    log = [LogEvent("2026-01-01T00:00:00Z", kind, subject) for kind, subject in events]

    assert lifecycle(pages, log, is_archived=False) == expected
    assert lifecycle(pages, log, is_archived=True) == "frozen"


def test_what_protects_a_wiki_is_told() -> None:
    said = text(
        "tea",
        governance="./policy.md",
        sources={"signing": "required"},
        metadata={"layer": {"mode": "constraint"}, "pack": {"status": "archived"}},
    )

    assert [each.partition(":")[0] for each in protections(Workspace.parse(said))] == [
        "status",
        "governance",
        "constraint",
        "signing",
    ]
    assert protections(Workspace.parse(text("tea"))) == ()


@pytest.mark.parametrize(
    "changes, shape",
    [
        ({}, ""),
        ({"title": "Coffee"}, ""),
        ({"metadata": {"x": 1}}, ""),
        ({"curation": {"depth": "deep"}}, "curation"),
        ({"entityTypes": [{"name": "Cup"}], "sources": {"retention": "days:9"}}, "entityTypes, sources"),
        ({"curation": {"depth": "deep"}, "version": "1.1.0"}, ""),
    ],
)
def test_a_new_shape_asks_for_a_new_version(changes: dict[str, object], shape: str) -> None:
    old = {"title": "Tea", "version": "1.0.0"}

    said = unversioned(old, {**old, **changes})

    assert said == (f"{shape} changed and version is 1.0.0 as before: raise it with the shape" if shape else "")
