"""Where packs are found, which of them are used, and what is said of the others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from curator.packs.discovery.properties import VALIDATION
from curator.packs.discovery.scan import PackRoot, ScanLimits, find
from curator.packs.pack import Place
from support.packs import FILES, known, library, pack

LIMITS = ScanLimits()


def names(tmp_path: Path, limits: ScanLimits = LIMITS, place: Place = "user") -> list[str]:
    return [each.name for each in find([PackRoot(str(tmp_path), place)], limits).packs]


def test_a_folder_with_a_knowledge_md_is_a_pack_and_what_lies_below_it_is_not_looked_at(tmp_path: Path) -> None:
    pack(tmp_path / "shelf" / "one")
    pack(tmp_path / "shelf" / "one" / "operators" / "two")
    (tmp_path / "three").mkdir()
    (tmp_path / "three" / "knowledge.md").write_text("no", "utf-8")

    assert names(tmp_path) == ["one"]


@pytest.mark.parametrize("folder", [".git", "node_modules", "build", "dist", ".cache", "indexes"])
def test_caches_builds_and_indexes_are_passed_over(tmp_path: Path, folder: str) -> None:
    pack(tmp_path / folder / "one")

    assert names(tmp_path) == []


def test_links_in_a_ring_and_several_ways_to_a_pack_lead_to_it_once(tmp_path: Path) -> None:
    pack(tmp_path / "a" / "one")
    (tmp_path / "a" / "ring").symlink_to(tmp_path)
    (tmp_path / "b").symlink_to(tmp_path / "a" / "one")

    assert names(tmp_path) == ["one"]


def test_limits_of_depth_and_folders_are_told(tmp_path: Path) -> None:
    pack(tmp_path / "a" / "b" / "deep")
    pack(tmp_path / "near")

    for limits in (ScanLimits(depth=1), ScanLimits(folders=1)):
        found = find([PackRoot(str(tmp_path), "user")], limits)
        assert "deep" not in [each.name for each in found.packs]
        assert "scan_limit" in [each.code for each in found.diagnostics]


def test_a_body_is_never_read(tmp_path: Path) -> None:
    folder = pack(tmp_path / "one")
    file = folder / "KNOWLEDGE.md"
    file.write_bytes(file.read_bytes() + b"\xff\xfe no text at all" * 100)

    assert names(tmp_path) == ["one"]


def test_a_pipe_in_the_place_of_a_head_is_not_waited_for(tmp_path: Path) -> None:
    import os

    (tmp_path / "one").mkdir()
    os.mkfifo(tmp_path / "one" / "KNOWLEDGE.md")

    assert [each.code for each in find([PackRoot(str(tmp_path), "user")]).left_out] == ["pack_without_head"]


@pytest.mark.parametrize(
    ("head", "code"),
    [
        ({"description": None}, "pack_description_missing"),
        ({"name": None}, "pack_name_missing"),
        ({"name": "Not a name"}, "pack_name_invalid"),
        ({"type": None}, "pack_type_missing"),
        ({"type": "cookbook"}, "pack_type_unknown"),
        ({"status": None}, "pack_status_missing"),
        ({"status": "finished"}, "pack_status_unknown"),
        ({"extends": "../wiki/KNOWLEDGE.md"}, "pack_is_view"),
        ({"name": "other"}, "pack_name_differs"),
        ({"profile": None}, "pack_profile_missing"),
        ({"profile": "best-first"}, "pack_profile_unknown"),
        ({"runtime": {"mode": "system"}}, "pack_mode_unknown"),
        ({"grounding": "much"}, "pack_grounding_unknown"),
        ({"trust": "official"}, "pack_trust_claimed"),
        ({"metadata": {"pack": {"status": "draft"}}}, "pack_fields_differ"),
        ({"description": "x" * 1025}, "pack_description_long"),
        ({"type": None, "schema": "knowledge.workspace/v1"}, "pack_type_assumed"),
        ({"status": None, "schema": "knowledge.workspace/v1"}, "pack_status_assumed"),
    ],
)
def test_each_issue_has_its_row_of_the_policy(tmp_path: Path, head: dict[str, Any], code: str) -> None:
    pack(tmp_path / "one", **head)

    found = find([PackRoot(str(tmp_path), "user")])

    told = [*found.left_out, *(each for one in found.packs for each in one.diagnostics)]
    assert code in [each.code for each in told]
    assert bool(found.packs) == VALIDATION[code].let_in


@pytest.mark.parametrize(
    ("text", "code"),
    [("no head", "pack_without_head"), ("", "pack_without_head"), ("---\nname: [\n---\n", "pack_not_yaml")],
)
def test_a_file_that_is_no_head_is_named_for_what_it_is(tmp_path: Path, text: str, code: str) -> None:
    (tmp_path / "KNOWLEDGE.md").write_text(text, "utf-8")

    found = find([PackRoot(str(tmp_path), "user")])

    assert (found.packs, [each.code for each in found.left_out]) == ((), [code])
    assert (found.left_out[0].line is not None) == (code == "pack_not_yaml")


def test_a_document_first_pack_without_a_document_is_let_in_and_told(tmp_path: Path) -> None:
    def codes(name: str, files: Mapping[str, str], **head: Any) -> list[str]:
        return [each.code for each in known(pack(tmp_path / name, files, **head)).diagnostics]

    document = {"documents/a.md": "A"}
    assert codes("one", {}) == codes("two", {}, metadata=None) == ["pack_document_missing"]
    assert codes("three", document, metadata=None) == codes("four", {}, profile="wiki-first") == []
    assert codes("five", {"brief.md": "A"}, metadata={"primaryDocument": "brief.md"}) == []


def test_types_with_a_namespace_and_types_that_are_allowed_are_let_in(tmp_path: Path) -> None:
    pack(tmp_path / "one", type="custom:cooking")
    pack(tmp_path / "two", type="cookbook")

    assert names(tmp_path) == ["one"]
    assert len(find([PackRoot(str(tmp_path), "user")], types=["cookbook"]).packs) == 2


def test_pack_fields_may_stand_under_metadata_pack(tmp_path: Path) -> None:
    own = {"type": "research-wiki", "status": "stale", "profile": "hybrid", "runtime": {"mode": "persona"}}
    said = known(pack(tmp_path / "one", type=None, status=None, profile=None, metadata={"pack": own})).properties

    assert (said.type, said.status, said.profile, said.mode) == ("research-wiki", "stale", "hybrid", "persona")


def test_precedence_is_by_place_and_each_hidden_pack_is_told(tmp_path: Path) -> None:
    folders: dict[Place, Path] = {
        "organization": tmp_path / "org",
        "user": tmp_path / "home",
        "workspace": tmp_path / "project",
        "explicit": tmp_path / "named",
    }
    roots = [PackRoot(str(folder), place) for place, folder in folders.items()]
    for folder in folders.values():
        pack(folder / "one")

    found = find(roots)

    assert [each.place for each in found.packs] == ["explicit"]
    assert [each.place for each in found.shadowed] == ["workspace", "user", "organization"]
    told = [each.code for each in found.diagnostics if each.code != "scanned"]
    assert told == ["pack_shadowed", "pack_shadows_trusted", "pack_shadows_trusted"]
    assert find(reversed(roots)) == found


def test_every_place_that_was_looked_at_is_told(tmp_path: Path) -> None:
    places = [each.message for each in library(tmp_path, organization=["/nowhere"]).found.diagnostics]

    assert places == ["workspace: not there", "workspace: not there", "user: not there", "organization: not there"]


def test_a_pack_that_is_switched_off_hides_no_other(tmp_path: Path) -> None:
    mine = pack(tmp_path / "home/.agents/knowledge/one")
    theirs = pack(tmp_path / "project/.agents/knowledge/one", FILES)
    assert library(tmp_path).found.packs[0].root == str(theirs.resolve())

    library(tmp_path).switch("one", on=False)

    assert library(tmp_path).found.packs[0].root == str(mine.resolve())
