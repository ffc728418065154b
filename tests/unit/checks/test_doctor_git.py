"""What ``curate doctor`` finds in the user's git: each state is made with git itself, found, and healed as it is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curator.checks.doctor.git_settings import Setup
from curator.repository.git import Git
from support.examined import codes, diagnoses, run, the_only
from support.wikis import git

PAGE = "concepts/oolong.md"


def severities(root: Path) -> dict[str, str]:
    return {diagnosis.finding.code: diagnosis.finding.severity for diagnosis in diagnoses(root)}


def commit_all(root: Path, message: str = "By hand") -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)


# -- settings -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        (["core.sparseCheckout=true"], "sparse_checkout"),
        (["commit.gpgSign=yes"], "gpg_sign"),
        (["core.fsync=none"], "fsync_off"),
        (["remote.origin.promisor=true"], "partial_clone"),
    ],
)
def test_a_setting_that_matters_is_told(wiki: Path, settings: list[str], code: str) -> None:
    for setting in settings:
        git(wiki, "config", *setting.split("="))

    assert severities(wiki) == {code: "info"}


@pytest.mark.parametrize("key", ["core.autocrlf", "core.splitIndex", "core.untrackedCache"])
def test_a_setting_that_works_is_shown_and_no_finding(wiki: Path, key: str) -> None:
    git(wiki, "config", key, "true")

    report = run(wiki)

    assert report.data["findings"] == []
    assert report.data["repository"]["settings"][key.lower()] == "true"


def test_the_form_of_the_index_is_told(wiki: Path) -> None:
    git(wiki, "update-index", "--index-version", "4")

    report = run(wiki)

    assert report.data["findings"] == []
    assert report.data["repository"]["index_version"] == 4


def test_settings_of_curators_own_are_not_taken_for_the_users(wiki: Path) -> None:
    repository = Git(wiki)

    found = Setup(repository).configuration
    repository.close()

    assert "core.hookspath" not in found
    assert found["core.bare"] == "false"


def test_a_shallow_clone_is_told_and_not_blamed(wiki: Path) -> None:
    git(wiki.parent, "clone", "-q", "--depth=1", f"file://{wiki}", "shallow")

    assert severities(wiki.parent / "shallow") == {"shallow_clone": "info"}


# -- HEAD ---------------------------------------------------------------------------------------------------------


def test_a_detached_head_is_found(wiki: Path) -> None:
    git(wiki, "checkout", "-q", "--detach")

    assert "git switch" in the_only(wiki, "detached_head").repair


def test_an_unfinished_merge_is_found(wiki: Path) -> None:
    (wiki / ".git" / "MERGE_HEAD").write_text(git(wiki, "rev-parse", "HEAD"))

    assert "git merge --abort" in the_only(wiki, "git_busy").repair


def test_of_an_unfinished_bisect_it_is_told_how_that_ends_and_not_to_switch_branches(wiki: Path) -> None:
    git(wiki, "bisect", "start")
    git(wiki, "checkout", "-q", "--detach")

    assert "git bisect reset" in the_only(wiki, "git_busy").repair


# -- the tree -----------------------------------------------------------------------------------------------------


def test_pages_in_a_filter_are_found(wiki: Path) -> None:
    (wiki / ".gitattributes").write_text("*.md filter=lfs\n")
    commit_all(wiki)

    found = the_only(wiki, "page_filtered")

    assert "'lfs'" in found.finding.message
    assert "more" in found.finding.message


def test_sources_in_a_filter_are_the_users_own_business(wiki: Path) -> None:
    (wiki / ".gitattributes").write_text("sources/** filter=lfs\n")
    commit_all(wiki)

    assert codes(wiki) == []


def test_names_that_collide_are_found(wiki: Path) -> None:
    (wiki / "concepts" / "Oolong.md").write_text((wiki / PAGE).read_text().replace("slug: oolong", "slug: Oolong"))
    commit_all(wiki)

    assert "path_collides" in codes(wiki)


def test_a_link_among_the_pages_is_found(wiki: Path) -> None:
    (wiki / "concepts" / "link.md").symlink_to("oolong.md")
    commit_all(wiki)

    assert the_only(wiki, "page_is_a_link").finding.path == "concepts/link.md"


def test_a_submodule_in_the_wiki_is_found(wiki: Path) -> None:
    head = git(wiki, "rev-parse", "HEAD")
    git(wiki, "update-index", "--add", "--cacheinfo", f"160000,{head},concepts/other")
    git(wiki, "commit", "-q", "-m", "A submodule")

    assert the_only(wiki, "path_is_a_submodule").finding.path == "concepts/other"


def test_a_folder_that_is_a_link_is_found(wiki: Path) -> None:
    (wiki / "concepts").rename(wiki.parent / "elsewhere")
    (wiki / "concepts").symlink_to(wiki.parent / "elsewhere")

    assert the_only(wiki, "folder_is_a_link").finding.path == "concepts"


# -- the index and the work tree ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda root: git(root, "update-index", "--assume-unchanged", PAGE), "page_assumed_unchanged"),
        (lambda root: git(root, "update-index", "--skip-worktree", PAGE), "page_not_checked_out"),
        (lambda root: _new(root) and git(root, "add", "-N", "concepts/new.md"), "page_to_be_added"),
    ],
)
def test_entries_that_hide_a_file_are_found(wiki: Path, change: Callable[[Path], object], code: str) -> None:
    change(wiki)

    assert severities(wiki) == {code: "warn"}


def test_a_page_in_conflict_is_found(wiki: Path) -> None:
    oid = git(wiki, "rev-parse", f"HEAD:{PAGE}")
    entries = "".join(f"100644 {oid} {stage}\t{PAGE}\n" for stage in (1, 2, 3))
    git(wiki, "update-index", "--force-remove", PAGE)
    _feed(wiki, entries)

    assert severities(wiki) == {"page_unmerged": "warn"}


def test_the_users_work_in_progress_is_no_fault(wiki: Path) -> None:
    (wiki / PAGE).write_text("Mine.\n")
    (wiki / "summaries" / "oolong-notes.md").write_text("Mine too.\n")
    git(wiki, "add", "summaries")
    _new(wiki)

    assert severities(wiki) == {"page_uncommitted": "info", "page_staged": "info", "not_committed": "info"}
    assert run(wiki).exit_status == 0


def test_a_contract_that_is_not_committed_is_an_error(wiki: Path) -> None:
    git(wiki, "rm", "-q", "--cached", "KNOWLEDGE.md")
    git(wiki, "commit", "-q", "-m", "Forget it")

    found = severities(wiki)

    assert found == {"not_committed": "error", "schema_missing": "error"}


def test_a_broken_index_is_a_finding(wiki: Path) -> None:
    (wiki / ".git" / "index").write_bytes(b"DIRC" + b"\xff" * 64)

    assert "git_failed" in codes(wiki)
    assert run(wiki).exit_status == 1


@pytest.mark.parametrize("is_catalogued", [True, False])
def test_a_page_whose_bytes_are_lost_is_a_finding(wiki: Path, is_catalogued: bool) -> None:
    if is_catalogued:
        codes(wiki)
    oid = git(wiki, "rev-parse", f"HEAD:{PAGE}")
    (wiki / ".git" / "objects" / oid[:2] / oid[2:]).unlink()

    found = {diagnosis.finding.code: diagnosis for diagnosis in diagnoses(wiki)}

    assert found["objects_missing"].finding.path == PAGE


def _new(root: Path) -> Path:
    file = root / "concepts" / "new.md"
    file.write_text("---\nslug: new\n---\nNew.\n")
    return file


def _feed(root: Path, entries: str) -> None:
    import subprocess

    subprocess.run(["git", "update-index", "--index-info"], cwd=root, input=entries, text=True, check=True)
