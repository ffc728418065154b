"""Review: a proposal waits as a commit beside the branch, until a person approves or rejects it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curator.cli.commands import review
from curator.ingest.result import IngestContext, IngestResult
from curator.ingest.take_in import take_in
from curator.models.proposal import Add, Claim, Mark, Proposal
from curator.repository.settings import Settings
from support import standard
from support.standard import curate, edited, ingest, scripted
from support.wikis import MORE, OOLONG, TEA, drop, git, proposal

root = standard.root
kept = standard.kept
BREWING = standard.BREWING


ALWAYS: dict[str, Any] = {"CURATOR_REVIEW": "always"}


def propose(root: Path, reply: Proposal = OOLONG, name: str = "oolong-notes.txt", text: str = TEA) -> str:
    """The name of the proposal that ``reply`` to a new source becomes."""
    result = ingest(root, name, text, reply, **ALWAYS)
    assert (result["status"], result["code"]) == ("held", "review_needed")
    assert not result["passes"], "nothing but a person's word changes that"
    return str(result["next"].rpartition(" ")[2])


def names(root: Path) -> list[str]:
    return [held["name"] for held in curate(root, "review", "list")["proposals"]]


def test_a_proposal_touches_neither_branch_nor_work_tree(root: Path) -> None:
    before, index = git(root, "rev-parse", "HEAD"), (root / "_index.md").read_text("utf-8")

    name = propose(root)

    assert names(root) == [name]
    assert git(root, "rev-parse", "HEAD") == before
    assert (root / "_index.md").read_text("utf-8") == index
    assert git(root, "status", "--porcelain") == "?? sources/oolong-notes.txt"
    assert git(root, "log", "-1", "--format=%P %s", f"refs/curator/proposals/{name}").startswith(f"{before} ingest: ")
    assert "oolong.md" in git(root, "diff", "--name-only", before, f"refs/curator/proposals/{name}")
    shown = curate(root, "review", "show", name[:10])
    assert "+Oolong is a tea that is oxidised in part." in shown["diff"] and shown["flags"] == []
    assert curate(root, "status")["parked"][0]["next"] == f"curate review show {name}"


def test_a_dry_run_says_that_it_would_wait_and_lint_what_to_do_about_what_waits(root: Path) -> None:
    dry = ingest(root, "oolong-notes.txt", TEA, OOLONG, options=("--dry-run",), **ALWAYS)
    assert dry["would_wait"] and names(root) == []
    assert not ingest(root, "oolong-notes.txt", TEA, OOLONG, options=("--dry-run",))["would_wait"]

    name = propose(root)

    (finding,) = curate(root, "lint", "--fail-on", "never")["findings"]
    assert (finding["code"], finding["hint"]) == ("source_unregistered", f"curate review show {name}")


def test_what_is_approved_is_what_would_have_been_committed(root: Path) -> None:
    name = propose(root)
    proposed = git(root, "rev-parse", f"refs/curator/proposals/{name}:concepts/oolong.md")

    approved = curate(root, "review", "approve", name)

    assert approved.status == 0, approved.data
    assert git(root, "rev-parse", "HEAD:concepts/oolong.md") == proposed
    assert git(root, "log", "-1", "--format=%(trailers:key=Curator-Source,valueonly)").startswith("sources/oolong")
    assert "approved by a person" in (root / "_log.md").read_text("utf-8")
    assert (root / "concepts" / "oolong.md").exists()
    assert names(root) == [] and git(root, "for-each-ref", "refs/curator") == ""
    assert curate(root, "status")["parked"] == []
    assert curate(root, "validate").status == 0


def test_an_approval_is_checked_against_the_branch_as_it_is_now(kept: Path) -> None:
    name = propose(kept, MORE, "deep/more.txt", TEA + BREWING)
    page = kept / "concepts" / "oolong.md"
    git(kept, "rm", "-q", "concepts/oolong.md")
    git(kept, "commit", "-qm", "gone")

    refused = curate(kept, "review", "approve", name)

    assert refused.status == 1
    assert [finding["code"] for finding in refused["results"][0]["findings"]] == ["page_unknown"]
    assert f"curate review edit {name}" in refused["results"][0]["next"]
    assert names(kept) == [name] and not page.exists()


def test_a_commit_in_between_is_no_hindrance(kept: Path) -> None:
    name = propose(kept, MORE, "deep/more.txt", TEA + BREWING)
    edited(kept, "concepts/oolong.md", ("oxidised in part", "partly oxidised"))

    assert curate(kept, "review", "approve", name).status == 0

    body = (kept / "concepts" / "oolong.md").read_text("utf-8")
    assert "partly oxidised" in body and "five brews" in body


def test_a_reason_for_a_rejection_is_in_the_next_prompt(root: Path) -> None:
    name = propose(root)

    assert curate(root, "review", "reject", name, "--why", "no page for a shop's  tea").status == 0

    assert names(root) == [] and git(root, "for-each-ref", "refs/curator") == ""
    (parked,) = curate(root, "status")["parked"]
    assert parked["reason"] == "its proposal was rejected: no page for a shop's tea"
    with scripted(OOLONG) as model:
        curate(root, "ingest", root / "sources" / "oolong-notes.txt", **ALWAYS)
    assert model.requests[0].rejected == ("no page for a shop's tea",)
    curate(root, "review", "approve", "sources/oolong-notes.txt")
    assert not list((root / ".git" / "curator" / "rejected").glob("*"))


def test_a_persons_edits_are_committed_and_proven(root: Path) -> None:
    name = propose(root)
    page = str(curate(root, "review", "show", name)["diff"])
    assert "oxidised in part" in page
    wanted = root.parent / "wanted.md"
    text = git(root, "show", f"refs/curator/proposals/{name}:concepts/oolong.md") + "\n"

    wanted.write_text(text.replace("oxidised in part", "oxidised five times"), "utf-8")
    assert curate(root, "review", "edit", name, "--page", "concepts/oolong.md", "--with", str(wanted)).status == 0
    refused = curate(root, "review", "approve", name)
    assert refused.status == 1 and "claim_unsupported" in json.dumps(refused["results"])

    wanted.write_text(text.replace("oxidised in part", "partly oxidised"), "utf-8")
    curate(root, "review", "edit", name, "--page", "concepts/oolong.md", "--with", str(wanted))
    again = ingest(root, "oolong-notes.txt", TEA, OOLONG, **ALWAYS)
    assert (again["status"], again["code"]) == ("held", "proposal_edited"), "edits are not thrown away"
    assert curate(root, "review", "approve", name).status == 0
    assert "partly oxidised" in (root / "concepts" / "oolong.md").read_text("utf-8")
    assert "approved by a person, who edited it" in (root / "_log.md").read_text("utf-8")


def test_an_emptied_page_is_left_out(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = propose(root)
    monkeypatch.setenv("EDITOR", "sh -c 'for file; do case $file in *-oolong.md) : > $file;; esac; done' -")
    monkeypatch.delenv("VISUAL", raising=False)

    assert curate(root, "review", "edit", name)["pages"] == ["concepts/oolong.md"]
    assert curate(root, "review", "approve", name).status == 0

    assert not (root / "concepts" / "oolong.md").exists()
    assert curate(root, "validate").status == 0


def test_only_what_gives_a_reason_waits_when_flagged(kept: Path) -> None:
    flagged: dict[str, Any] = {"CURATOR_REVIEW": "flagged"}
    assert ingest(kept, "deep/more.txt", TEA + BREWING, MORE, **flagged)["status"] == "ingested"
    said = "Oolong contradicts Oolong notes: its leaves are brewed once.\n"
    claim = Claim(text="- Its leaves are brewed once.", quotes=("its leaves are brewed once",))
    mark = Mark(op="mark", page="oolong", contradicts=("oolong-notes",), quotes=("Oolong contradicts Oolong notes",))

    result = ingest(
        kept, "once.txt", said, proposal(Add(op="add", page="oolong", section="", body=(claim,)), mark), **flagged
    )

    assert result["code"] == "review_needed", result["findings"]
    assert [finding["code"] for finding in result["findings"]] == ["relation_changed", "relation_changed"]


def test_a_source_that_changed_is_not_approved_unseen(root: Path) -> None:
    name = propose(root)
    drop(root, text=TEA + "\nMore.\n")

    refused = curate(root, "review", "approve", name)

    assert (refused.status, refused["results"][0]["code"]) == (1, "proposal_outdated")
    assert names(root) == [name]


def test_a_name_that_is_none_is_answered_with_those_there_are(root: Path) -> None:
    name = propose(root)

    refused = curate(root, "review", "show", "tea")

    assert (refused.status, refused.error) == (2, "proposal_unknown")
    assert name in refused["error"]["message"]


def test_a_page_whose_head_is_broken_changes_nothing(root: Path, tmp_path: Path) -> None:
    name = propose(root)
    (tmp_path / "broken.md").write_text("---\ntitle: [\n---\n\nOolong is a tea.\n")

    refused = curate(
        root, "review", "edit", name, "--page", "concepts/oolong.md", "--with", str(tmp_path / "broken.md")
    )

    assert (refused.status, refused.error) == (2, "edit_not_page")
    assert not curate(root, "review", "list")["proposals"][0]["edited"]


def test_a_text_that_is_not_utf8_changes_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = propose(root)
    wanted = root.parent / "wanted.md"
    wanted.write_bytes(b"caf\xe9")
    monkeypatch.delenv("VISUAL", raising=False)
    page = ("--page", "concepts/oolong.md")

    monkeypatch.setenv("EDITOR", f"cp '{wanted}'")
    for refused in (
        curate(root, "review", "edit", name, *page, "--with", str(wanted)),
        curate(root, "review", "edit", name, *page),
    ):
        assert (refused.status, refused.error) == (2, "edit_not_utf8")
        assert "byte 0xe9 at offset 3" in refused["error"]["message"]

    assert not curate(root, "review", "list")["proposals"][0]["edited"]


def test_a_proposal_brings_its_source_where_nobody_has_it(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = propose(root)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(root), str(clone))
    git(clone, "fetch", "--quiet", "origin", "refs/curator/*:refs/curator/*")

    there: list[bool] = []

    def looks(file: Path, context: IngestContext) -> IngestResult:
        there.append((clone / "sources/oolong-notes.txt").exists())
        return take_in(file, context)

    with monkeypatch.context() as patch:
        patch.setattr(review, "take_in", looks)
        dry = curate(clone, "review", "approve", name, "--dry-run")
    assert (dry.status, there) == (0, [False]) and dry["results"][0]["source"] == "sources/oolong-notes.txt"
    assert git(clone, "status", "--porcelain") == "" and not (clone / "sources/oolong-notes.txt").exists()
    assert curate(clone, "review", "approve", name).status == 0
    assert git(clone, "show", "HEAD:sources/oolong-notes.txt") == TEA.rstrip("\n")
    assert (git(clone, "status", "--porcelain"), names(clone)) == ("", [])


def test_what_was_said_of_the_source_at_its_ingest_is_approved_with_it(kept: Path) -> None:
    options = ("--authority", "primary", "--supersedes", "sources/oolong-notes.txt")
    held = ingest(kept, "more.txt", TEA + BREWING, MORE, options=options, **ALWAYS)
    assert held["code"] == "review_needed"
    shown = review.show(Settings(kept, {}, {}), "sources/more.txt")
    assert {"  authority: primary", "  supersedes: sources/oolong-notes.txt"} <= {*shown.lines}
    remarks = {"authority": "primary", "supersedes": ["sources/oolong-notes.txt"]}
    assert shown.data["remarks"] == {**remarks, "address": "", "date": "", "note": ""}

    assert curate(kept, "review", "approve", "sources/more.txt").status == 0

    sources = json.loads((kept / "_manifest.json").read_text("utf-8"))["sources"]
    assert sources["sources/more.txt"]["authority"] == "primary"
    assert sources["sources/oolong-notes.txt"]["supersededBy"] == sources["sources/more.txt"]["id"]


@pytest.mark.parametrize(
    "remarks", ['"primary"', '{"supersedes": "sources/a.txt"}', '{"authority": ["primary"]}', "null"]
)
def test_remarks_that_cannot_be_read_are_told_and_not_approved(root: Path, remarks: str) -> None:
    name = propose(root)
    kept = json.loads(git(root, "cat-file", "-p", f"refs/curator/replies/{name}"))
    (root.parent / "reply.json").write_text(json.dumps({**kept, "remarks": json.loads(remarks)}), "utf-8")
    written = git(root, "hash-object", "-w", str(root.parent / "reply.json"))
    git(root, "update-ref", f"refs/curator/replies/{name}", written)

    assert curate(root, "review", "approve", name).error == "proposal_unreadable"
    shown = curate(root, "review", "show", name)
    assert (shown.status, shown["remarks"], names(root)) == (0, None, [name])


def test_a_proposal_of_other_words_than_are_there_stays(root: Path, tmp_path: Path) -> None:
    """A clone that has fetched it, where the source has other words, which are in the wiki."""
    name = propose(root)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(root), str(clone))
    git(clone, "fetch", "--quiet", "origin", "refs/curator/*:refs/curator/*")
    assert ingest(clone, "oolong-notes.txt", f"{TEA}Oolong is drunk hot.\n", OOLONG)["status"] == "ingested"

    refused = curate(clone, "review", "approve", name)

    assert (refused.status, refused["results"][0]["code"], names(clone)) == (1, "proposal_outdated", [name])


def test_a_proposal_whose_source_is_gone_can_be_seen_and_put_an_end_to(root: Path) -> None:
    with (root / ".git" / "curator" / "curator.toml").open("a") as file:
        file.write("commit_sources = false\n")
    name = propose(root, name="two words.txt")
    (root / "sources" / "two words.txt").unlink()

    (parked,) = curate(root, "status")["parked"]
    assert parked["reason"].endswith("(its file is gone)") and parked["next"] == f"curate review show {name}"
    refused = curate(root, "review", "approve", name)
    assert (refused.status, refused["results"][0]["code"]) == (1, "source_unreadable")
    assert refused["results"][0]["next"] == f"put the file back, or: curate review reject {name} --why REASON"
    drop(root, "two words.txt", TEA)
    assert curate(root, "review", "reject", name, "--why", "no").status == 0
    (parked,) = curate(root, "status")["parked"]
    assert parked["next"].startswith("curate retry 'sources/two words.txt', or: ")


@pytest.mark.parametrize("proposed", ["Hall notes", "Valve notes"], ids=["another", "as it was"])
@pytest.mark.parametrize("title", ["Valve notes", "Notes on the station"], ids=["put back", "third"])
def test_a_title_that_the_reviewer_gives_a_summary_stays(root: Path, title: str, proposed: str) -> None:
    name, path, text = _summary_proposed(root, proposed)
    wanted = root.parent / "wanted.md"
    wanted.write_text(text.replace(proposed, title), "utf-8")
    assert curate(root, "review", "edit", name, "--page", path, "--with", wanted).status == 0

    assert curate(root, "review", "approve", name).status == 0

    page = (root / path).read_text("utf-8")
    assert f"title: {title}" in page and f"# {title}" in page and "in 1921" in page
    assert "title: Hall notes" not in git(root, "show", "HEAD") and curate(root, "validate").status == 0


def test_a_title_that_is_none_is_refused_in_a_review_too(root: Path) -> None:
    name, path, text = _summary_proposed(root, "Hall notes")
    (root.parent / "wanted.md").write_text(text.replace("Hall notes", "Hall notes " * 30), "utf-8")
    assert curate(root, "review", "edit", name, "--page", path, "--with", root.parent / "wanted.md").status == 0

    refused = curate(root, "review", "approve", name)["results"][0]["findings"]

    assert [each["code"] for each in refused] == ["title_invalid"]


def test_a_link_of_a_persons_own_keeps_the_name_that_it_goes_by(root: Path) -> None:
    assert curate(root, "ingest", drop(root, "kiln.md", "# Kiln Ostra\n\nThe kiln Ostra is heavy.\n")).status == 0
    name, path, text = _summary_proposed(root, "Hall notes")
    mine = next(root.glob("summaries/kiln*.md")).relative_to(root).as_posix()
    with (root / mine).open("a", encoding="utf-8") as page_of_mine:
        page_of_mine.write("\n<!-- human -->\n\nSee [[Valve notes]].\n\n<!-- /human -->\n")
    git(root, "commit", "-qm", "mine", "--", mine)
    (root.parent / "wanted.md").write_text(text.replace("Hall notes", "Notes on the station"), "utf-8")
    assert curate(root, "review", "edit", name, "--page", path, "--with", root.parent / "wanted.md").status == 0

    assert curate(root, "review", "approve", name).status == 0

    assert "[[Valve notes]]" in (root / mine).read_text("utf-8")
    page = (root / path).read_text("utf-8")
    assert "title: Notes on the station" in page and "- Valve notes" in page


def _summary_proposed(root: Path, title: str) -> tuple[str, str, str]:
    """A proposal of a source that was in as "Valve notes": its name, and path and text of the summary."""
    said = "# Valve notes\n\nThe hall of the station was built in 1920 by Berg Brothers.\n"
    assert curate(root, "ingest", drop(root, "hall.md", said)).status == 0
    changed = said.replace("Valve notes", title).replace("1920", "1921")
    assert curate(root, "ingest", drop(root, "hall.md", changed), **ALWAYS)["results"][0]["status"] == "held"
    (name,) = names(root)
    (path,) = (each.relative_to(root).as_posix() for each in root.glob("summaries/hall*.md"))
    text = git(root, "show", f"refs/curator/proposals/{name}:{path}") + "\n"
    assert f"title: {title}" in text
    return name, path, text
