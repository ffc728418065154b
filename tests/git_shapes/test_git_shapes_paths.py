"""What may be at a path that a commit writes: each shape lands with the user's work untouched, or is refused by name."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from curator.errors import Conflict
from curator.repository.repository import Repository
from support.fakes import ScriptedModel
from support.shapes import NEW, PAGE, TEXT, add, feed, land, lands, refused, said, stage, whole
from support.wikis import OOLONG, drop, git, take_in


@pytest.fixture
def wiki(root: Path) -> Path:
    """A wiki with a page of its user's."""
    (root / PAGE).write_text("# Tea\n")
    add(root)
    return root


# -- in the commit that is built upon ----------------------------------------------------------------------------------


def test_a_page_that_is_a_committed_link_is_not_written_through(wiki: Path) -> None:
    (wiki / NEW).symlink_to("../AGENTS.md")
    add(wiki)

    assert said(refused(wiki, {NEW: TEXT})) == ("page_is_a_link", f"{NEW} is a symbolic link")
    assert said(refused(wiki, {NEW: None})) == ("page_is_a_link", f"{NEW} is a symbolic link")


def test_a_committed_link_is_no_page_to_a_model_either(wiki: Path) -> None:
    (wiki / NEW).symlink_to("../AGENTS.md")
    add(wiki)

    with Repository(wiki) as repository, pytest.raises(Conflict) as caught:
        take_in(drop(wiki), repository, ScriptedModel((OOLONG,)))

    assert said(caught.value) == ("page_is_a_link", f"{NEW} is a symbolic link")


def test_a_committed_link_on_the_way_is_not_followed(wiki: Path) -> None:
    (wiki / "people").symlink_to("concepts")
    add(wiki)

    error = refused(wiki, {"people/ada.md": TEXT})

    assert said(error) == ("folder_is_a_link", "'people' on the way to people/ada.md is a symbolic link")


def test_a_committed_file_on_the_way_is_named(wiki: Path) -> None:
    (wiki / "people").write_text("a file\n")
    add(wiki)

    error = refused(wiki, {"people/ada.md": TEXT})

    assert said(error) == ("folder_is_a_file", "'people' on the way to people/ada.md is a file")


def test_a_folder_at_the_place_of_a_page_is_named(wiki: Path) -> None:
    (wiki / NEW).mkdir()
    assert said(refused(wiki, {NEW: TEXT})) == ("page_is_a_folder", f"{NEW} is a folder")

    (wiki / NEW / "note.txt").write_text("mine\n")
    add(wiki)
    assert said(refused(wiki, {NEW: TEXT})) == ("page_is_a_folder", f"{NEW} is a folder")


def test_a_submodule_in_the_wiki_is_never_written_into(wiki: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q", "-b", "main")
    git(other, "commit", "-q", "--allow-empty", "-m", "other")
    git(wiki, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "people")
    add(wiki)

    error = refused(wiki, {"people/ada.md": TEXT})
    assert error.code == "path_is_a_submodule"
    assert error.message.startswith("'people' is a submodule")

    git(wiki, "submodule", "deinit", "-q", "-f", "people")
    assert refused(wiki, {"people/ada.md": TEXT}).code == "path_is_a_submodule"


def test_a_repository_in_a_folder_of_the_wiki_is_never_written_into(wiki: Path) -> None:
    (wiki / "people").mkdir()
    git(wiki / "people", "init", "-q")

    error = refused(wiki, {"people/ada.md": TEXT})

    assert said(error)[0] == "folder_is_a_repository"
    assert "'people' on the way to people/ada.md" in error.message


def test_an_executable_page_stays_executable(wiki: Path) -> None:
    (wiki / PAGE).chmod(0o755)
    add(wiki)

    lands(wiki, {PAGE: TEXT})

    assert git(wiki, "ls-tree", "HEAD", PAGE).startswith("100755 ")
    assert (wiki / PAGE).stat().st_mode & 0o777 == 0o755


def test_a_source_is_committed_with_the_mode_it_has(wiki: Path) -> None:
    source = drop(wiki)
    source.chmod(0o755)

    with Repository(wiki) as repository:
        take_in(source, repository, ScriptedModel((OOLONG,)))

    assert git(wiki, "ls-tree", "HEAD", "sources/oolong-notes.txt").startswith("100755 ")
    whole(wiki)


@pytest.mark.parametrize(("there", "wanted"), [("Concepts", "concepts"), ("ÉTUDES", "études"), ("e\u0301t", "ét")])
def test_a_new_folder_that_is_the_twin_of_another_is_refused(root: Path, there: str, wanted: str) -> None:
    git(root, "rm", "-q", "concepts/.gitkeep")
    (root / there).mkdir()
    (root / there / "note.txt").write_text("mine\n")
    add(root)

    error = refused(root, {f"{wanted}/oolong.md": TEXT})

    assert said(error) == (
        "path_collides",
        f"{wanted} would be the same as {there} where file names have no case and no composed letters",
    )


def test_twin_folders_that_are_both_there_are_the_users_wish(wiki: Path) -> None:
    (wiki / "Concepts").mkdir()
    (wiki / "Concepts" / "note.txt").write_text("mine\n")
    add(wiki)

    lands(wiki, {NEW: TEXT})


def test_a_new_page_that_is_the_twin_of_a_file_is_refused(wiki: Path) -> None:
    (wiki / "concepts" / "OOLONG.MD").write_text("no page\n")
    add(wiki)

    error = refused(wiki, {NEW: TEXT})

    assert said(error) == (
        "path_collides",
        f"{NEW} would be the same as concepts/OOLONG.MD where file names have no case and no composed letters",
    )


def test_a_new_page_that_is_the_twin_of_a_file_in_another_form_is_refused(wiki: Path) -> None:
    (wiki / "concepts" / "cafe\u0301.md").write_text("# Mine\n")
    add(wiki)

    assert refused(wiki, {"concepts/caf\u00e9.md": TEXT}).code == "path_collides"


@pytest.mark.parametrize(
    "name",
    ["green tea", "-rf", "--force", "[a-z]*?", ":(top)x", "a:b", "caf\u00e9", "cafe\u0301", "茶", 'q"uo\\te', "#x!"],
)
def test_a_page_may_have_any_name_its_user_gave_it(wiki: Path, name: str) -> None:
    path = f"concepts/{name}.md"
    (wiki / path).write_text("# Mine\n")
    (wiki / "concepts" / "a.md").write_text("a bystander that the glob would match\n")
    add(wiki)

    lands(wiki, {path: TEXT})
    lands(wiki, {path: None})


def test_a_file_name_that_is_no_utf_8_is_no_hindrance(wiki: Path) -> None:
    Path(os.fsdecode(os.fsencode(wiki) + b"/concepts/caf\xe9.txt")).write_text("mine\n")
    add(wiki)

    lands(wiki, {NEW: TEXT})


# -- in the index ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [PAGE, NEW])
def test_an_unfinished_merge_of_a_page_is_waited_for(wiki: Path, path: str) -> None:
    oid = git(wiki, "rev-parse", f"HEAD:{PAGE}")
    feed(wiki, "".join(f"100644 {oid} {n}\t{path}\n" for n in (2, 3)), "update-index", "--index-info")

    assert said(refused(wiki, {path: TEXT})) == ("page_unmerged", f"{path} has an unfinished merge")


def test_a_page_that_git_was_told_to_assume_unchanged_is_not_written(wiki: Path) -> None:
    git(wiki, "update-index", "--assume-unchanged", PAGE)
    (wiki / PAGE).write_text("mine\n")

    error = refused(wiki, {PAGE: TEXT})

    assert said(error) == ("page_assumed_unchanged", f"git was told not to look for changes of {PAGE}")
    assert error.hint == f"git update-index --no-assume-unchanged -- {PAGE}"


def test_a_page_with_skip_worktree_is_not_written(wiki: Path) -> None:
    git(wiki, "update-index", "--skip-worktree", PAGE)
    (wiki / PAGE).write_text("mine\n")

    error = refused(wiki, {PAGE: TEXT})

    assert error.code == "page_not_checked_out"
    assert error.message.startswith(f"{PAGE} is left out of your work tree")


def test_a_page_that_is_marked_to_be_added_is_the_users(wiki: Path) -> None:
    (wiki / NEW).write_text("mine\n")
    git(wiki, "add", "-N", NEW)

    assert said(refused(wiki, {NEW: TEXT})) == ("page_to_be_added", f"{NEW} is marked to be added (git add -N)")


def test_what_is_staged_at_a_page_is_the_users(wiki: Path) -> None:
    def waits(path: str) -> None:
        assert said(refused(wiki, {path: TEXT})) == ("page_dirty", f"waiting for {path}: it has staged changes")

    (wiki / NEW).write_text("mine\n")
    git(wiki, "add", NEW)
    waits(NEW)

    (wiki / NEW).unlink()  # added, then deleted
    waits(NEW)

    git(wiki, "rm", "-q", "--cached", PAGE)
    waits(PAGE)

    git(wiki, "reset", "-q")
    (wiki / PAGE).chmod(0o755)
    git(wiki, "add", PAGE)
    waits(PAGE)


def test_a_staged_submodule_at_a_page_is_the_users(wiki: Path) -> None:
    stage(wiki, NEW, "160000", git(wiki, "rev-parse", "HEAD"))

    assert refused(wiki, {NEW: TEXT}).code == "page_dirty"


def test_a_staged_file_where_a_folder_is_needed_is_the_users(wiki: Path) -> None:
    stage(wiki, "people", "100644", git(wiki, "rev-parse", f"HEAD:{PAGE}"))

    error = refused(wiki, {"people/ada.md": TEXT})

    assert error.code == "folder_is_a_file"


# -- in the work tree --------------------------------------------------------------------------------------------------


def test_a_mode_that_was_changed_is_an_uncommitted_change(wiki: Path) -> None:
    (wiki / PAGE).chmod(0o755)

    assert said(refused(wiki, {PAGE: TEXT})) == ("page_dirty", f"waiting for {PAGE}: it has uncommitted changes")


def test_a_same_size_edit_in_the_same_moment_is_seen(wiki: Path) -> None:
    (wiki / PAGE).write_text("# Oat\n")
    os.utime(wiki / PAGE, ns=((wiki / ".git" / "index").stat().st_mtime_ns,) * 2)

    assert refused(wiki, {PAGE: TEXT}).code == "page_dirty"


def test_a_file_touched_without_a_change_is_no_hindrance(wiki: Path) -> None:
    os.utime(wiki / PAGE, (1, 1))

    lands(wiki, {PAGE: TEXT})


def test_a_folder_replaced_by_a_file_or_a_pipe_at_a_page_is_named(wiki: Path) -> None:
    os.mkfifo(wiki / NEW)
    assert said(refused(wiki, {NEW: TEXT})) == ("page_is_no_file", f"{NEW} is no plain file")

    (wiki / "people").write_text("not committed\n")
    error = refused(wiki, {"people/ada.md": TEXT})
    assert said(error) == ("folder_is_a_file", "'people' on the way to people/ada.md is a file")


def test_a_new_page_is_made_as_the_umask_says(wiki: Path) -> None:
    before = os.umask(0o027)
    try:
        lands(wiki, {"people/ada.md": TEXT})
    finally:
        os.umask(before)

    assert stat.S_IMODE((wiki / "people/ada.md").stat().st_mode) == 0o640
    assert stat.S_IMODE((wiki / "people").stat().st_mode) == 0o750


@pytest.mark.parametrize("shape", ["edited", "staged", "link", "merge"])
def test_a_page_is_taken_away_only_when_nothing_of_the_users_is_there(wiki: Path, shape: str) -> None:
    if shape == "link":
        (wiki / PAGE).unlink()
        (wiki / PAGE).symlink_to("../AGENTS.md")
    elif shape == "merge":
        oid = git(wiki, "rev-parse", f"HEAD:{PAGE}")
        feed(wiki, f"100644 {oid} 2\t{PAGE}\n", "update-index", "--index-info")
    else:
        (wiki / PAGE).write_text("mine\n")
        git(wiki, *(["add", PAGE] if shape == "staged" else ["status"]))

    code = {"link": "page_is_a_link", "merge": "page_unmerged"}.get(shape, "page_dirty")
    assert refused(wiki, {PAGE: None}).code == code


def test_a_branch_that_was_switched_meanwhile_is_not_written_to(wiki: Path) -> None:
    from curator.repository.transaction.transaction import BranchMoved

    with Repository(wiki) as repository:
        transaction = repository.begin()
        git(wiki, "switch", "-q", "-c", "side")
        with pytest.raises(BranchMoved):
            transaction.commit({NEW: TEXT}, None, "manual: test\n")

    assert git(wiki, "rev-parse", "main") == git(wiki, "rev-parse", "side")
    assert land(wiki, {NEW: TEXT}) == git(wiki, "rev-parse", "side")
