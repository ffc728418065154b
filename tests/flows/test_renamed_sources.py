"""Files in ``sources/`` with other names: what they brought follows, and all that is done to a source goes on working."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curator.ingest import renamed_source
from curator.repository.source_files import IncomingFile
from support import standard
from support.depth import light_litellm
from support.standard import Said, curate, ingest, pages, printed, state
from support.wikis import drop, git

root = standard.root
kept = standard.kept

ORLA = "# Pump Orla\n\nThe pump Orla weighs 12 kg.\nThe pump Orla was built by Acme Works in 2019.\n"
VALVE = "# Valve K7\n\nThe valve K7 is a relief valve made by Acme Works.\nThe valve K7 opens at 3 bar.\n"
BOILER = "# Boiler B2\n\nThe boiler B2 holds 40 litres of water.\n"


def _two(root: Path) -> None:
    ingest(root, "orla.md", ORLA)
    ingest(root, "valve.md", VALVE)


@pytest.fixture
def two(made: Callable[..., Path]) -> Path:
    """A wiki with two sources."""
    return made(_two)


def moved(root: Path, *names: str) -> None:
    """Each file gets the next one's name, the last one that of the first where that is named again."""
    files = [root / "sources" / name for name in names]
    aside = files[0].rename(root.parent / "aside")
    for file, other in zip(files[-2:0:-1], files[:1:-1], strict=True):
        file.rename(other)
    aside.rename(files[1])


def took_in(root: Path, *files: Path) -> list[str]:
    return [result["status"] for result in curate(root, "ingest", *(files or [root / "sources"]))["results"]]


def cited(root: Path) -> set[str]:
    """The sources that pages cite or list."""
    said = "".join(file.read_text("utf-8") for file in pages(root).values())
    return set(re.findall(r"\bsources/[\w.-]+\.md", said))


def known(root: Path) -> set[str]:
    return set(json.loads((root / "_manifest.json").read_text("utf-8"))["sources"])


def sound(root: Path) -> bool:
    assert curate(root, "validate", "--all")["findings"] == []
    assert [f for f in curate(root, "doctor")["findings"] if f["path"].startswith(("sources/", "_"))] == []
    return git(root, "status", "--porcelain") == "" and cited(root) == known(root)


@pytest.mark.parametrize("command", ["mv", "git mv", "git mv and commit"])
def test_the_commit_takes_the_old_file_away_as_well(two: Path, command: str) -> None:
    before = "sources/orla.md", "sources/pump.md"
    moved(two, "orla.md", "pump.md") if command == "mv" else git(two, "mv", *before)
    if command.endswith("commit"):
        git(two, "commit", "-qm", "by hand")

    assert took_in(two) == ["ingested", "skipped"]

    assert sound(two) and known(two) == {"sources/pump.md", "sources/valve.md"}
    assert curate(two, "status")["missing"] == [] and took_in(two) == ["skipped", "skipped"]


def test_a_dry_run_and_an_estimate_say_so_and_change_nothing(two: Path) -> None:
    moved(two, "orla.md", "pump.md")
    before = state(two)

    (result,) = curate(two, "ingest", "--dry-run", two / "sources/pump.md")["results"]
    shown = printed(two, "ingest", "--dry-run", two / "sources/pump.md")
    with light_litellm():
        (told,) = curate(two, "estimate", two / "sources/pump.md", "--model", "openai/gpt-4o")["estimates"]

    assert (result["renamed_from"], result["commit"]) == ("sources/orla.md", None) and "+[^orla" in result["diff"]
    assert shown.startswith("would rename sources/pump.md: was sources/orla.md\n")
    assert (told["status"], told["reason"]) == ("renamed", "it was sources/orla.md: nobody is asked")
    assert state(two) == before


def removed(root: Path, name: str) -> Said:
    (root / "sources" / name).unlink()
    return curate(root, "remove", f"sources/{name}", "--why", "wrong")


def test_what_it_brought_goes_with_it_by_its_new_name(two: Path) -> None:
    moved(two, "orla.md", "pump.md")
    took_in(two)

    assert removed(two, "pump.md").status == 0
    assert sound(two) and known(two) == {"sources/valve.md"}


@pytest.mark.parametrize("name", ["sources/pump.md", "HEAD~2"])
def test_its_ingest_is_taken_back_by_its_new_name_and_by_its_commit(two: Path, name: str) -> None:
    moved(two, "orla.md", "pump.md")
    took_in(two)

    done = curate(two, "undo", name if "/" in name else git(two, "rev-parse", name))

    assert done.status == 0 and cited(two) == known(two) == {"sources/valve.md"}
    assert [each["source"] for each in curate(two, "status")["undone"]] == ["sources/pump.md"]
    assert took_in(two) == ["ingested", "skipped"] and sound(two)


def test_the_renaming_itself_is_taken_back_by_the_old_name(two: Path) -> None:
    moved(two, "orla.md", "pump.md")
    took_in(two)

    refused = curate(two, "undo", git(two, "rev-parse", "HEAD"))
    moved(two, "pump.md", "orla.md")

    assert refused.error == "undo_rename" and "mv sources/pump.md sources/orla.md" in refused["error"]["hint"]
    assert took_in(two) == ["ingested", "skipped"]
    assert sound(two) and known(two) == {"sources/orla.md", "sources/valve.md"}
    assert removed(two, "orla.md").status == 0 and sound(two)


@pytest.mark.parametrize("command", ["undo", "remove"])
def test_after_a_renaming_was_reverted_it_goes_by_its_old_name(two: Path, command: str) -> None:
    moved(two, "orla.md", "pump.md")
    took_in(two)
    git(two, "revert", "--no-edit", "HEAD")

    done = curate(two, "undo", "sources/orla.md") if command == "undo" else removed(two, "orla.md")

    assert done.status == 0 and cited(two) == known(two) == {"sources/valve.md"}


def test_a_source_that_git_knows_to_be_gone_is_removed(two: Path) -> None:
    git(two, "rm", "-q", "sources/orla.md")

    assert curate(two, "remove", "sources/orla.md", "--why", "wrong").status == 0
    assert sound(two) and known(two) == {"sources/valve.md"}


@pytest.mark.parametrize("first", ["orla.md", "valve.md"])
def test_two_that_have_swapped_their_names_follow_in_one_commit(two: Path, first: str) -> None:
    moved(two, "orla.md", "valve.md", "orla.md")
    head = git(two, "rev-parse", "HEAD")

    assert took_in(two, two / "sources" / first) == ["ingested"]

    assert git(two, "rev-list", "--count", f"{head}..HEAD") == "1" and sound(two)
    assert took_in(two) == ["skipped", "skipped"]
    (page,) = two.glob("*/valve-k7.md")
    assert "sources/orla.md#" in page.read_text("utf-8") and (two / "sources/orla.md").read_text("utf-8") == VALVE
    assert removed(two, "orla.md").status == 0 and sound(two) and not page.exists()


@pytest.mark.parametrize("lost", ["all", "one digest"])
def test_a_lost_registry_is_made_again_of_two_that_have_swapped_their_names(two: Path, lost: str) -> None:
    moved(two, "orla.md", "valve.md", "orla.md")
    took_in(two)
    file = two / "_manifest.json"
    before = json.loads(file.read_text("utf-8"))["sources"]
    if lost == "all":
        file.unlink()
    else:
        file.write_text(file.read_text("utf-8").replace(before["sources/orla.md"]["contentHash"], "0" * 64))
    git(two, "commit", "-qam", "by hand")

    curate(two, "doctor", "--repair")

    after = json.loads(file.read_text("utf-8"))["sources"]
    assert {path: record["contentHash"] for path, record in after.items()} == {
        path: record["contentHash"] for path, record in before.items()
    }
    assert sound(two)


def test_two_that_are_taken_in_at_once_are_not_swapped_back(two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved(two, "orla.md", "valve.md", "orla.md")
    head, with_others = git(two, "rev-parse", "HEAD"), renamed_source.with_others

    def another_is_faster(*about: Any) -> IncomingFile:
        monkeypatch.undo()
        assert took_in(two, two / "sources/valve.md") == ["ingested"]
        return with_others(*about)

    monkeypatch.setattr(renamed_source, "with_others", another_is_faster)

    assert took_in(two, two / "sources/orla.md") == ["skipped"]
    assert git(two, "rev-list", "--count", f"{head}..HEAD") == "1" and sound(two)


@pytest.mark.parametrize("first", ["a.md", "valve.md", "orla.md"])
def test_three_that_have_passed_their_names_on_follow_too(two: Path, first: str) -> None:
    ingest(two, "a.md", BOILER)
    moved(two, "a.md", "orla.md", "valve.md", "a.md")

    assert took_in(two, two / "sources" / first) == ["ingested"] and sound(two)
    assert took_in(two) == ["skipped"] * 3


@pytest.mark.parametrize("first", ["valve.md", "z.md"])
def test_one_that_takes_the_name_of_another_that_has_a_new_one(two: Path, first: str) -> None:
    moved(two, "orla.md", "valve.md", "z.md")
    took_in(two, two / "sources" / first)
    took_in(two)

    assert sound(two) and known(two) == {"sources/valve.md", "sources/z.md"}


def test_one_that_was_put_in_the_place_of_another_is_that_ones_new_text(two: Path) -> None:
    (two / "sources/orla.md").replace(two / "sources/valve.md")

    assert took_in(two) == ["ingested"]
    assert "3 bar" not in "".join(file.read_text("utf-8") for file in pages(two).values())
    assert curate(two, "remove", "sources/orla.md", "--why", "it has another name").status == 0
    assert sound(two) and known(two) == {"sources/valve.md"}


def test_a_copy_of_what_a_source_said_before_it_was_edited_is_a_source_of_its_own(two: Path) -> None:
    (two / "sources/old.md").write_text(ORLA)
    (two / "sources/orla.md").write_text(ORLA.replace("12", "14"))

    assert took_in(two) == ["ingested", "ingested", "skipped"]
    assert took_in(two) == ["skipped"] * 3 and known(two) == cited(two) == {
        f"sources/{n}.md" for n in ("old", "orla", "valve")
    }


def test_one_with_another_name_and_other_words_is_a_new_one_and_the_old_one_is_to_be_removed(two: Path) -> None:
    git(two, "mv", "sources/orla.md", "sources/pump.md")
    (two / "sources/pump.md").write_text(ORLA.replace("12", "14"))
    git(two, "commit", "-qam", "by hand")

    assert took_in(two) == ["ingested", "skipped"]
    (gone,) = curate(two, "status")["missing"]
    assert gone["source"] == "sources/orla.md" and gone["next"].startswith("curate remove sources/orla.md")
    assert curate(two, "remove", "sources/orla.md", "--why", "it has another name").status == 0
    assert sound(two) and "12 kg" not in "".join(file.read_text("utf-8") for file in pages(two).values())


def test_one_that_changes_after_its_name_did_is_proven_again(two: Path) -> None:
    moved(two, "orla.md", "pump.md")
    took_in(two)

    ingest(two, "pump.md", ORLA.replace("12", "14"))

    said = "".join(file.read_text("utf-8") for file in pages(two).values())
    assert sound(two) and "14 kg" in said and "12 kg" not in said


def test_a_name_that_differs_in_case_alone(two: Path) -> None:
    moved(two, "orla.md", "Orla.md")

    assert took_in(two) == ["ingested", "skipped"] and sound(two)


def test_one_that_is_gone_is_followed_to_a_file_from_elsewhere(two: Path) -> None:
    file = (two / "sources/orla.md").rename(two.parent / "pump.md")

    assert took_in(two, file) == ["ingested"]
    assert sound(two) and known(two) == {"sources/pump.md", "sources/valve.md"}


def test_a_file_from_elsewhere_may_take_a_name_that_was_passed_on(two: Path) -> None:
    file = (two / "sources/orla.md").rename(two.parent / "valve.md")
    moved(two, "valve.md", "z.md")

    assert took_in(two, file) == ["ingested"]

    assert sound(two) and known(two) == {"sources/valve.md", "sources/z.md"}
    assert (two / "sources/valve.md").read_text("utf-8") == ORLA


def test_a_pipe_in_the_place_of_a_source_is_not_waited_for(two: Path) -> None:
    (two / "sources/orla.md").rename(two / "sources/pump.md")
    os.mkfifo(two / "sources/orla.md")

    assert took_in(two, two / "sources/pump.md") == ["ingested"]


def test_what_a_sparse_checkout_leaves_out_is_not_gone(two: Path) -> None:
    git(two, "update-index", "--skip-worktree", "sources/orla.md")
    (two / "sources/orla.md").unlink()
    drop(two, "copy.md", ORLA)

    assert took_in(two, two / "sources/copy.md") == ["duplicate"]


def test_one_whose_file_is_on_another_machine_is_not_gone(root: Path) -> None:
    (root / ".git/curator/curator.toml").write_text("commit_sources = false\n")
    ingest(root, "orla.md", ORLA)
    clone = root.parent / "clone"
    git(root.parent, "clone", "--quiet", str(root), str(clone))
    drop(clone, "pump.md", ORLA)

    (result,) = curate(clone, "ingest", clone / "sources/pump.md")["results"]

    assert (result["status"], result["duplicate_of"]) == ("duplicate", "sources/orla.md")
    git(root, "add", "sources/orla.md")
    git(root, "commit", "-qm", "its owner commits it")
    (root / "sources/orla.md").rename(root / "sources/pump.md")
    assert took_in(root) == ["ingested"] and known(root) == {"sources/pump.md"}
