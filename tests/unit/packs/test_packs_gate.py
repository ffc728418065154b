"""What may be loaded: by place and approval, then by status."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from curator.errors import ConfigError
from curator.packs import ContextRequest, select, wiki_reader, wrap
from curator.packs.discovery.loading import LoadingPolicy, gate
from curator.packs.discovery.scan import PackRoot
from curator.packs.pack import STATUSES
from curator.packs.pack_library import NotLoaded, PackLibrary
from curator.packs.reader import FolderFiles
from curator.repository.repository import Repository
from support.packs import known, library, pack
from support.wikis import git

PROJECT = "project/.agents/knowledge"


@pytest.mark.parametrize("status", STATUSES)
def test_a_status_decides_as_the_table_has_it(tmp_path: Path, status: str) -> None:
    one = known(pack(tmp_path / "one", status=status))

    verdict = gate(one, LoadingPolicy())

    assert verdict.loads == (status in ("ready", "needs-review", "stale"))
    assert bool(verdict.warnings) == (status in ("needs-review", "stale"))
    confirmed = gate(one, LoadingPolicy(confirmed=frozenset({"one"})))
    assert confirmed.loads and bool(confirmed.warnings) == (status != "ready")


def test_a_packs_own_word_about_its_trust_is_not_believed(tmp_path: Path) -> None:
    one = known(pack(tmp_path / "one", trust="official"), "workspace")

    assert (one.trust, gate(one, LoadingPolicy()).loads) == ("unreviewed", False)
    assert gate(replace(one, approved=True), LoadingPolicy()).loads


def test_a_pack_of_the_project_is_loaded_once_it_is_approved_and_asked_for_again_when_it_changed(
    tmp_path: Path,
) -> None:
    folder = pack(tmp_path / PROJECT / "one")
    with pytest.raises(NotLoaded):
        library(tmp_path).loaded("one")

    library(tmp_path).approve("one", "2026-05-01")
    assert library(tmp_path).loaded("one").pack.trust == "user-confirmed"

    (folder / "runs").mkdir()
    (folder / "runs" / "context-1.json").write_text("{}", "utf-8")
    assert library(tmp_path).loaded("one")

    (folder / "compiled" / "facts.md").write_text("other facts", "utf-8")
    with pytest.raises(NotLoaded):
        library(tmp_path).loaded("one")


def test_a_wiki_of_ones_own_may_be_approved_whatever_it_becomes(tmp_path: Path) -> None:
    folder = pack(tmp_path / PROJECT / "one")
    library(tmp_path).approve("one", "2026-05-01", follows=True)

    (folder / "compiled" / "facts.md").write_text("other facts", "utf-8")

    assert library(tmp_path).loaded("one")


def test_packs_of_the_user_and_of_the_organization_need_no_approval(tmp_path: Path) -> None:
    pack(tmp_path / "home/.agents/knowledge/one")
    pack(tmp_path / "org/two")

    shelf = library(tmp_path, organization=[str(tmp_path / "org")])

    assert [shelf.loaded(name).pack.trust for name in ("one", "two")] == ["user-confirmed", "official"]


def test_a_pack_that_is_switched_off_is_not_loaded(tmp_path: Path) -> None:
    pack(tmp_path / "home/.agents/knowledge/one")
    library(tmp_path).switch("one", on=False)

    with pytest.raises(NotLoaded, match="switched off"):
        library(tmp_path).loaded("one")

    library(tmp_path).switch("one", on=True)
    assert library(tmp_path).loaded("one")


def test_the_python_api_has_the_verbs(tmp_path: Path) -> None:
    import curator.packs as packs

    one, files = packs.read(pack(tmp_path / "one"))
    assert not packs.gate(one, packs.LoadingPolicy()).loads
    selection = packs.select(packs.ContextRequest("Is Acme Widget offline?"), [packs.ActivePack(one, files)])

    assert "works offline for 72 hours" in packs.wrap(packs.fitted(selection))
    assert packs.record(selection, datetime(2026, 5, 1, tzinfo=UTC)).name == "context-2026-05-01T00-00-00Z.json"
    with pytest.raises(ConfigError, match="pack_description_missing"):
        packs.read(pack(tmp_path / "two", description=None))


def test_a_persona_without_boundaries_is_loaded_and_told(tmp_path: Path) -> None:
    persona = {"runtime": {"mode": "persona"}}
    pack(tmp_path / "home/.agents/knowledge/one", {}, "# Voice\n\nShort.\n", **persona)
    pack(tmp_path / "home/.agents/knowledge/two", {}, "# Voice\n\n## Boundaries\n\nNo jokes.\n", **persona)

    codes = [[each.code for each in library(tmp_path).loaded(name).warnings] for name in ("one", "two")]

    assert codes == [["pack_persona_boundaries"], []]


def test_only_the_pack_that_is_asked_for_is_hashed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        pack(tmp_path / PROJECT / name)
        library(tmp_path).approve(name, "2026-05-01")
    hashed: list[str] = []
    digest = FolderFiles.digest

    def counted(files: FolderFiles) -> str:
        hashed.append(files.read("KNOWLEDGE.md") or "")
        return digest(files)

    monkeypatch.setattr(FolderFiles, "digest", counted)

    with library(tmp_path) as shelf:
        assert [each.approved for each in shelf.found.packs] == [False, False] and hashed == []
        assert shelf.loaded("one").pack.trust == shelf.loaded("one").pack.trust == "user-confirmed"

    assert len(hashed) == 1 and "name: one" in hashed[0]


def test_a_wiki_that_was_opened_is_closed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[Repository] = []

    class Counted(Repository):
        def __init__(self, root: Path, *, recovers: bool = True) -> None:
            super().__init__(root, recovers=recovers)
            left.append(self)

        def close(self) -> None:
            super().close()
            left.remove(self)

    monkeypatch.setattr(wiki_reader, "Repository", Counted)

    with PackLibrary((PackRoot(str(root), "user"),)) as shelf:
        assert shelf.loaded(str(root)).files.version and len(left) == 1
    (root / "KNOWLEDGE.md").write_text(
        (root / "KNOWLEDGE.md").read_text("utf-8").replace("status: ready", "status: stale")
    )
    git(root, "rm", "-q", "--cached", "KNOWLEDGE.md")
    git(root, "commit", "-qm", "no manifest")
    with PackLibrary((PackRoot(str(root), "user"),)) as shelf:
        assert shelf.loaded(str(root)).files.version == ""

    assert left == []


def test_a_pack_in_the_place_of_one_that_is_trusted_more_says_so_where_it_is_used(tmp_path: Path) -> None:
    pack(tmp_path / "home/.agents/knowledge/one", {"compiled/facts.md": "# Facts\n\nOffline: one hour.\n"})
    pack(tmp_path / "home/.agents/knowledge/two")
    pack(tmp_path / "org/one")

    with library(tmp_path, organization=[str(tmp_path / "org")]) as shelf:
        used, other = shelf.loaded("one"), shelf.loaded("two")
        text = wrap(select(ContextRequest("offline"), [used]))

    assert [each.code for each in used.warnings] == ["pack_shadows_trusted"] and other.warnings == ()
    assert "one: user, in the place of a pack of this name that is trusted more" in text


def test_a_link_out_of_a_pack_is_no_file_of_it(tmp_path: Path) -> None:
    folder = pack(tmp_path / "one")
    (tmp_path / "secret.md").write_text("the password", "utf-8")
    (folder / "wiki").mkdir()
    (folder / "wiki" / "out.md").symlink_to(tmp_path / "secret.md")
    (folder / "wiki" / "in.md").symlink_to(folder / "compiled" / "facts.md")

    files = FolderFiles(str(folder))

    assert "wiki/in.md" in files.paths and "wiki/out.md" not in files.paths
    assert files.read("wiki/out.md") is None and files.read("wiki/in.md")
