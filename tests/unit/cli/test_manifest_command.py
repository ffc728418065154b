"""``curate manifest``: which files it reads, and from where."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from curator.cli.commands import manifest as command
from curator.cli.console import Report
from curator.errors import ConfigError, CuratorError, WikiError
from curator.repository.settings import Settings
from support.manifests import lint, policy, text
from support.wikis import git


def show(path: Path | None, root: Path | None = None, **options: Any) -> Report:
    def settings() -> Settings:
        assert root is not None, "no wiki is asked for"
        return Settings(root, {}, {})

    chosen = {"explain": None, "dimensions": (), "worktree": False, **options}
    return command.run(settings, path, chosen["explain"], chosen["dimensions"], chosen["worktree"])


def write(folder: Path, written: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "KNOWLEDGE.md").write_text(written, "utf-8")
    return folder


def committed(folder: Path) -> Path:
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "all")
    return folder


def codes(report: Report) -> list[str]:
    return [each["code"] for each in report.data["warnings"]]


def test_the_wikis_own_manifest_is_printed_with_its_chain(root: Path) -> None:
    report = show(None, root)

    assert report.exit_status == 0
    assert report.data["effective"]["name"] == "tea"
    chain = {"path": str(root / "KNOWLEDGE.md"), "name": "tea", "version": "1.0.0", "mode": "root", "layer": "lens"}
    about = {"title": "Tea", "description": report.data["effective"]["description"]}
    assert report.data["chain"] == [{**chain, **about}]
    assert report.data["warnings"] == []


def test_each_file_is_read_from_the_commit_of_its_own_repository(tmp_path: Path) -> None:
    wiki = committed(write(tmp_path / "wiki", text("wiki", curation={"tone": "old"})))
    view = committed(write(tmp_path / "view", text("view", extends="../wiki/KNOWLEDGE.md")))
    write(wiki, text("wiki", curation={"tone": "new"}))

    assert show(view).data["effective"]["curation"] == {"tone": "old"}
    assert show(view, worktree=True).data["effective"]["curation"] == {"tone": "new"}


def test_a_view_in_a_repository_sees_a_wiki_in_one_inside_it(tmp_path: Path) -> None:
    outer = write(tmp_path / "outer" / "view", text("view", extends="../wiki/KNOWLEDGE.md"))
    committed(outer.parent)
    committed(write(outer.parent / "wiki", text("wiki")))

    assert [each["name"] for each in show(outer).data["chain"]] == ["wiki", "view"]


def test_a_plain_folder_is_read_from_the_disk(tmp_path: Path) -> None:
    write(tmp_path / "wiki", text("wiki", lints=[lint()], governance="p.yaml"))
    (tmp_path / "wiki" / "p.yaml").write_text(policy(soften="*"))
    view = write(tmp_path / "view", text("view", extends="../wiki/KNOWLEDGE.md", lints=[lint(severity="info")]))

    report = show(view / "KNOWLEDGE.md")

    assert codes(report) == ["governance:lint_softened"]
    assert report.data["governance"] == str(tmp_path / "wiki" / "p.yaml")


def test_a_file_that_is_gone_from_the_disk_is_still_in_the_commit(tmp_path: Path) -> None:
    top = tmp_path / "top"
    write(top / "wiki", text("wiki"))
    view = write(top / "view", text("view", extends="../wiki/KNOWLEDGE.md"))
    committed(top)
    (top / "wiki" / "KNOWLEDGE.md").unlink()
    (top / "wiki").rmdir()

    assert codes(show(view)) == []
    assert codes(show(view, worktree=True)) == ["knowledge_extends_missing"]


def test_a_repository_without_a_commit_has_no_manifest(tmp_path: Path) -> None:
    folder = write(tmp_path / "new", text("new"))
    git(folder, "init", "-q")

    with pytest.raises(WikiError) as caught:
        show(folder)

    assert (caught.value.code, caught.value.exit_status) == ("schema_missing", 2)
    assert "is not committed" in caught.value.message


def test_a_parent_that_is_a_pipe_or_no_text_is_missing(tmp_path: Path) -> None:
    view = write(tmp_path / "view", text("view", extends="../wiki/KNOWLEDGE.md"))
    (tmp_path / "wiki").mkdir()
    parent = tmp_path / "wiki" / "KNOWLEDGE.md"

    os.mkfifo(parent)
    assert codes(show(view)) == ["knowledge_extends_missing"]
    parent.unlink()
    parent.write_bytes(b"---\nschema: \xff\n---\n")
    assert codes(show(view)) == ["knowledge_extends_missing"]
    parent.unlink()
    parent.mkdir()
    assert codes(show(view)) == ["knowledge_extends_missing"]


def test_a_chain_through_a_symbolic_link_is_found(tmp_path: Path) -> None:
    write(tmp_path / "wiki", text("wiki"))
    view = write(tmp_path / "real" / "view", text("view", extends="../../wiki/KNOWLEDGE.md"))
    (tmp_path / "link").symlink_to(view)

    report = show(tmp_path / "link")

    assert [each["path"] for each in report.data["chain"]] == [
        str(tmp_path / "wiki" / "KNOWLEDGE.md"),
        str(view / "KNOWLEDGE.md"),
    ]


@pytest.mark.parametrize("kind", ["operators", "companies", "skills"])
def test_a_consumer_is_a_folder_here_or_above(tmp_path: Path, kind: str) -> None:
    write(tmp_path / "wiki", text("wiki"))
    fields = {"extends": "../../wiki/KNOWLEDGE.md", "appliesTo": [f"ws://{kind}/sales"]}
    view = write(tmp_path / "views" / "sales", text("view", **fields))

    refused = show(view)
    (tmp_path / kind / "sales").mkdir(parents=True)

    assert (refused.exit_status, refused.data["effective"], refused.data["chain"]) == (1, None, [])
    assert [each["code"] for each in refused.data["findings"]] == ["knowledge_appliesto_unresolvable"]
    assert show(view).exit_status == 0


def test_explain_adds_who_said_what(tmp_path: Path) -> None:
    write(tmp_path / "wiki", text("wiki", metadata={"v": {"a": 1, "odd": "\x1b[31m red"}}))
    view = write(tmp_path / "view", text("view", extends="../wiki/KNOWLEDGE.md", metadata={"v": {"a": [1, 2]}}))

    report = show(view, explain="metadata.v")

    assert [(each["field"], each["value"], each["standing"]) for each in report.data["explain"]] == [
        ("metadata.v.a", 1, "overridden"),
        ("metadata.v.odd", "\x1b[31m red", "holds"),
        ("metadata.v.a", [1, 2], "holds"),
    ]
    assert report.lines[:3] == (
        "metadata.v.a",
        f"  holds        1, 2  {view / 'KNOWLEDGE.md'}",
        f"  overridden   1  {tmp_path / 'wiki' / 'KNOWLEDGE.md'}",
    )
    assert "\x1b" not in "".join(report.lines)


@pytest.mark.parametrize("options", [{"explain": "tone"}, {"dimensions": ("fr",)}, {"dimensions": ("ws://skills/a",)}])
def test_a_wrong_option_is_said_before_anything_is_read(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        show(None, **options)


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(CuratorError) as caught:
        show(tmp_path / "nowhere" / "at" / "all")

    assert caught.value.code == "schema_missing"


@pytest.mark.parametrize("how", ["disk", "commit", "worktree"])
def test_a_views_pages_cannot_take_away_those_of_a_constraint(tmp_path: Path, how: str) -> None:
    top = tmp_path / "top"
    wiki = write(top / "wiki", text("wiki", metadata={"layer": {"mode": "constraint"}}))
    view = write(top / "view", text("view", extends="../wiki/KNOWLEDGE.md"))
    for file in (
        wiki / "concepts/a.md",
        wiki / "concepts/b.md",
        view / "concepts/a.md",
        view / "concepts/b.md.whiteout",
    ):
        file.parent.mkdir(exist_ok=True)
        file.write_text("# A page\n")
    for folder in (wiki, view):
        (folder / "README.md").write_text("no page")
    if how != "disk":
        committed(top)

    report = show(view, worktree=how == "worktree")

    assert [(each["code"], each["message"].partition(":")[0]) for each in report.data["warnings"]] == [
        ("knowledge_tombstone_blocked", "concepts/b.md.whiteout"),
        ("knowledge_constraint_conflict", "concepts/a.md"),
    ]
    assert {each["at"] for each in report.data["warnings"]} == {str(view / "KNOWLEDGE.md")}
    assert report.exit_status == 0
    assert codes(show(wiki)) == []


def test_a_wiki_at_the_top_of_its_repository_has_its_pages_there(tmp_path: Path) -> None:
    wiki = write(tmp_path / "wiki", text("wiki", metadata={"layer": {"mode": "constraint"}}))
    view = write(tmp_path / "view", text("view", extends="../wiki/KNOWLEDGE.md"))
    for folder, name in ((wiki, "a.md"), (view, "a.md.whiteout")):
        (folder / name).write_text("")
    committed(wiki)

    assert codes(show(view)) == ["knowledge_tombstone_blocked"]
