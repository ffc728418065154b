"""AIP-10: the package, layer 1 (raw sources), and the files that are generated."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from curator.models.proposal import Add, Claim, Create
from support import standard
from support.curates import curate_words
from support.lints import commit, page, plant
from support.standard import (
    BREWING,
    SAID,
    curate,
    edited,
    events,
    head,
    ingest,
    lab,
    manifest,
    pages,
    printed,
    state,
    tree,
)
from support.wikis import MORE, OOLONG, TEA, concept, drop, git, proposal, summary

root, kept, full = standard.root, standard.kept, standard.full


# -- the package ---------------------------------------------------------------------------------------------------


def test_a_wiki_is_a_tree_of_four_layers(full: Path) -> None:
    """Specification: “A conforming agentknowledge/v1 package is a directory tree of four layers: the workspace
    manifest, the immutable sources, the curated entries, and the optional human-readable schema file.”
    """
    assert set(tree(full)) == {
        *("KNOWLEDGE.md", "AGENTS.md", "_index.md", "_log.md", "_manifest.json"),
        *("sources/oolong-notes.txt", "sources/more.txt"),
        *("concepts/oolong.md", "entities/fujian.md", "summaries/oolong-notes.md", "summaries/more.md"),
    } | {path for path in tree(full) if path.endswith((".gitkeep", ".gitignore", ".gitattributes"))}
    assert curate(full, "validate").status == 0


def test_without_a_manifest_there_is_no_wiki(root: Path) -> None:
    """Specification: “KNOWLEDGE.md # workspace manifest (REQUIRED, root, machine config)”"""
    git(root, "rm", "-q", "KNOWLEDGE.md")
    commit(root)

    assert curate(None, "validate", root).codes == ["schema_missing"]
    assert curate(root, "search", "tea").error == "not_a_wiki"


def test_a_wiki_without_prose_is_kept_all_the_same(root: Path) -> None:
    """Specification: “AGENTS.md # human-readable schema (RECOMMENDED, prose companion)”"""
    git(root, "rm", "-q", "AGENTS.md")
    commit(root)

    assert curate(root, "validate").status == 0
    assert ingest(root, "oolong-notes.txt", TEA)["status"] == "ingested"


def test_the_index_is_required_and_made_by_the_next_ingest(root: Path) -> None:
    """Specification: “_index.md # generated catalog (REQUIRED, root)”"""
    git(root, "rm", "-q", "_index.md")
    commit(root)
    missing = curate(root, "validate")
    assert (missing.status, missing["findings"][0]["path"]) == (1, "_index.md")

    ingest(root, "oolong-notes.txt", TEA, OOLONG)

    assert "[[oolong]]" in (root / "_index.md").read_text()
    assert curate(root, "validate").status == 0


def test_the_log_is_required_and_only_grows(root: Path) -> None:
    """Specification: “_log.md # append-only activity log (REQUIRED, root)”"""
    git(root, "mv", "_log.md", "sources/log")
    commit(root)
    missing = curate(root, "validate")
    assert (missing.status, missing["findings"][0]["path"]) == (1, "_log.md")

    ingest(root, "oolong-notes.txt", TEA, OOLONG)
    before = (root / "_log.md").read_text()
    for act in (
        ("lint",),
        ("rename", "oolong", "blue-tea"),
        ("remove", "blue-tea", "--why", "a test"),
        ("undo", "sources/oolong-notes.txt"),
    ):
        curate(root, *act)
        after = (root / "_log.md").read_text()
        assert after.startswith(before) and after != before, act
        before = after


def test_each_kind_of_page_has_its_folder(full: Path) -> None:
    """Specification: “entities/ # one page per real-world entity”"""
    for path, file in pages(full).items():
        assert (
            path.partition("/")[0]
            == {"entity": "entities", "concept": "concepts", "summary": "summaries"}[head(file)["kind"]]
        )


@pytest.mark.parametrize("title", ["oolong", "OOLONG", "The oolong"])
def test_one_thing_has_one_page(kept: Path, title: str) -> None:
    """Specification: “concepts/ # one page per abstract concept”"""
    brewed = Claim(text="It gives five brews.", quotes=("Oolong can be brewed five times",))
    ingest(kept, "more.txt", TEA + BREWING, proposal(summary(brewed, title="More"), concept(brewed, title=title)))

    assert [path for path in pages(kept) if path.startswith("concepts/")] == ["concepts/oolong.md"]
    assert "five brews" in (kept / "concepts/oolong.md").read_text()


def test_each_source_has_one_summary_however_often_it_comes_in(full: Path) -> None:
    """Specification: “summaries/ # one page per ingested source”"""
    ingest(full, "more.txt", TEA + BREWING + "Oolong is sold in tins.\n")

    found = {path: head(file)["sources"] for path, file in pages(full).items() if path.startswith("summaries/")}

    assert found == {
        "summaries/oolong-notes.md": ["sources/oolong-notes.txt"],
        "summaries/more.md": ["sources/more.txt"],
    }


def test_sources_that_are_called_alike_have_a_summary_each(root: Path) -> None:
    """Specification: “summaries/ # one page per ingested source”"""
    ingest(root, "notes.txt", TEA)
    ingest(root, "notes.md", standard.GREEN)

    found = [head(file)["sources"] for path, file in pages(root).items() if path.startswith("summaries/")]

    assert sorted(found) == [["sources/notes.md"], ["sources/notes.txt"]]


def test_a_timeline_is_in_order(root: Path) -> None:
    """Specification: “timelines/ # optional ordered narratives”"""
    said = "The mill was built in 1998.\nThe mill was planned in 1995 by the town.\nIn 2001 the mill was painted red.\n"
    quotes = (
        "In 2001 the mill was painted red",
        "The mill was planned in 1995 by the town",
        "The mill was built in 1998",
    )
    events = ("- 2001: It was painted.", "- 1995: It was planned.", "- 1998: It was built.")
    body = tuple(Claim(text=text, quotes=(quote,)) for text, quote in zip(events, quotes, strict=True))
    mill = Create(op="create", kind="timeline", title="The mill's history", body=body)

    ingest(root, "mill.txt", said, proposal(summary(body[0], title="The mill"), mill))

    (path,) = (path for path in pages(root) if path.startswith("timelines/"))
    assert re.findall(r"^- (\d{4}):", (root / path).read_text(), re.MULTILINE) == ["1995", "1998", "2001"]

    wheel = Claim(text="- 1997: It got a wheel.", quotes=("In 1997 the mill got a wheel",))
    put = Add(op="add", page=Path(path).stem, section="", body=(wheel,))
    ingest(root, "wheel.txt", "In 1997 the mill got a wheel.\n", proposal(summary(wheel, title="The wheel"), put))

    assert re.findall(r"^- (\d{4}):", (root / path).read_text(), re.MULTILINE) == ["1995", "1997", "1998", "2001"]


def test_views_live_beside_their_consumers(root: Path) -> None:
    """Specification: “Per-context views live alongside their consumer, not under the wiki root.”"""
    plant(root, page("oolong"))
    before = tree(root)

    view = lab(root, queryHints={"scopeTo": ["Concept"]})

    assert curate(root, "search", "oolong", "--view", view)["view"] == "lab"
    assert tree(root) == before


def test_a_view_is_no_page_wherever_it_lies(root: Path) -> None:
    """Layer 2 — Wiki pages (everywhere except sources/, KNOWLEDGE.md, and AGENTS.md): “Layer 2 — Wiki pages
    (everywhere except sources/, KNOWLEDGE.md, and AGENTS.md)”
    """
    manifest(root / "operators" / "lab", extends="../../KNOWLEDGE.md")
    commit(root)

    ingest(root, "oolong-notes.txt", TEA, OOLONG)

    assert "KNOWLEDGE" not in (root / "_index.md").read_text()
    assert curate(root, "search", "lab")["hits"] == []
    assert "source_required" not in curate(root, "lint", "--no-log").codes


# -- layer 1 -------------------------------------------------------------------------------------------------------


def stamps(root: Path) -> dict[str, tuple[bytes, int, int]]:
    """Each source with its bytes, its mode and when it was written."""
    found = {path: (root / path).stat() for path in tree(root, "sources")}
    return {path: ((root / path).read_bytes(), seen.st_mode, seen.st_mtime_ns) for path, seen in found.items()}


def test_no_command_touches_a_source(full: Path) -> None:
    """Layer 1 — Raw sources (sources/): “The runtime MUST treat any file under sources/ as immutable.”"""
    drop(full, "crlf.txt", "One.\r\nTwo \r\n\tThree: oolong is a tea.")
    before = stamps(full)

    for act in (
        ("ingest", full / "sources"),
        ("lint", "--fix"),
        ("rename", "oolong", "oolong-tea"),
        ("undo", "sources/more.txt"),
        ("doctor", "--repair"),
        ("remove", "oolong-tea", "--why", "a test"),
        ("remove", "sources/more.txt", "--why", "a test"),
        ("sources", "set", "sources/oolong-notes.txt", "--authority", "primary"),
        ("approve",),
    ):
        curate(full, *act)
        assert stamps(full) == before, act
    assert git(full, "rev-parse", "HEAD:sources/crlf.txt") == git(
        full, "hash-object", "--no-filters", "sources/crlf.txt"
    )


HOSTILE = {
    "replace": {
        "op": "replace",
        "page": "sources/oolong-notes.txt",
        "passage": "Oolong",
        "body": [{"text": "x", "quotes": []}],
    },
    "add": {
        "op": "add",
        "page": "../sources/oolong-notes",
        "section": "",
        "body": [{"text": "x", "quotes": ["Oolong"]}],
    },
    "delete": {"op": "delete", "path": "sources/oolong-notes.txt"},
    "rename": {"op": "rename", "from": "sources/oolong-notes.txt", "to": "sources/x.txt"},
}


@pytest.mark.parametrize("name", [*HOSTILE, "create"])
def test_a_reply_cannot_reach_a_source(kept: Path, name: str) -> None:
    """Layer 1 — Raw sources (sources/): “The LLM reads these files but MUST NOT modify, rename, or delete them.”"""
    before = stamps(kept)
    said = {"text": "Oolong is grown in Fujian.", "quotes": ["Oolong is grown in Fujian and on Taiwan."]}
    titled = {"op": "create", "kind": "summary", "title": "../sources/oolong-notes.txt", "aliases": [], "body": [said]}
    reply = json.dumps({"operations": [HOSTILE.get(name, titled)]})

    result = ingest(kept, "more.txt", TEA + BREWING, reply)

    assert result["status"] == ("ingested" if name == "create" else "parked")
    now = stamps(kept)
    assert {path: now[path] for path in before} == before and set(now) == {*before, "sources/more.txt"}


def test_a_new_source_triggers_an_ingest(root: Path) -> None:
    """Layer 1 — Raw sources (sources/): “New sources are added by humans (or upstream automation) and trigger
    ingest.”
    """
    drop(root, "oolong-notes.txt", TEA)

    assert curate_watch(root) == 0

    assert "ingest: sources/oolong-notes.txt" in git(root, "log", "--format=%s")
    assert "summaries/oolong-notes.md" in pages(root)


def curate_watch(root: Path) -> int:
    command = [*curate_words(), "--wiki", str(root), "watch", "--once"]
    return subprocess.run(command, env=os.environ, capture_output=True, timeout=60, check=False).returncode


# -- the generated files -------------------------------------------------------------------------------------------


def listed(root: Path) -> Iterator[tuple[str, str, str, str]]:
    """The heading, the slug, the title and the summary of each line of ``_index.md``."""
    heading = ""
    for line in (root / "_index.md").read_text("utf-8").splitlines()[1:]:
        if line.startswith("## "):
            heading = line.removeprefix("## ")
        elif line:
            found = re.fullmatch(r"- \[\[([^\]|]+)(?:\]\] |\|)(.+?)(?:\]\])?(?:: (.+))?", line)
            assert found, f"{line!r} is no line of an index"
            yield heading, found[1], found[2], found[3] or ""


def plain(text: str) -> str:
    """The words of a page, without the marks of its links."""
    return re.sub(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]", r"\1", text)


def test_the_index_lists_every_page_by_kind(root: Path) -> None:
    """Required generated files: “_index.md — content catalog. Lists every page (excluding sources/) grouped by
    kind, with the slug, title, and a one-line summary extracted from the page body.”
    """
    drop(root, "notes.md", "# A source\n\nIt is no page.\n")
    plant(
        root,
        page("oolong", "Oolong is a tea. It is good. [^tea-1]"),
        page("assam", kind="entity"),
        page("mint", kind="recipe"),
    )
    ingest(root, "oolong-notes.txt", TEA)  # the index that is looked at was made by an ingest

    found = list(listed(root))

    heads = {path: head(file) for path, file in pages(root).items()}
    assert sorted(slug for _, slug, _, _ in found) == sorted(each["slug"] for each in heads.values())
    assert {slug: title for _, slug, title, _ in found} == {each["slug"]: each["title"] for each in heads.values()}
    kinds = {each["slug"]: each["kind"] for each in heads.values()}
    plurals = {"entity": "Entities", "summary": "Summaries"}
    assert all(heading == plurals.get(kinds[slug], f"{kinds[slug]}s".capitalize()) for heading, slug, _, _ in found)
    assert ("Concepts", "oolong", "Oolong") in [row[:3] for row in found]
    words = {path.rpartition("/")[2]: plain((root / path).read_text()) for path in heads}
    assert all(said and said in words[f"{slug}.md"] for _, slug, _, said in found)
    assert next(said for _, slug, _, said in found if slug == "assam") == "Assam is partly oxidised."


def test_the_index_is_made_anew_by_every_ingest(root: Path) -> None:
    """Required generated files: “The runtime MUST regenerate _index.md on every ingest.”"""
    plant(root, page("oolong"))
    (root / "_index.md").write_text("# Index\n\n- [[gone]] Nobody knows\n")
    commit(root)

    for name in ("one.txt", "two.txt"):
        (root / "concepts" / f"by-hand-{name[:3]}.md").write_text(page(f"by-hand-{name[:3]}")[1])
        commit(root)
        ingest(root, name, f"{TEA}This is of {name}.\n", proposal(summary(SAID, title=name)))

        assert sorted(slug for _, slug, _, _ in listed(root)) == sorted(
            head(file)["slug"] for file in pages(root).values()
        )
        assert "_index.md" in git(root, "show", "--format=", "--name-only", "HEAD").split("\n")


def test_every_ingest_and_every_lint_pass_appends_to_the_log(kept: Path) -> None:
    """Required generated files: “Every ingest, query that produced a new page, and lint pass MUST append a line:”"""
    assert [(event.type, event.subject) for event in events(kept)] == [("ingest", "sources/oolong-notes.txt")]

    curate(kept, "lint")
    assert [event.type for event in events(kept)] == ["ingest", "lint"]

    ingest(kept, "more.txt", TEA + BREWING, MORE)
    assert [(event.type, event.subject) for event in events(kept)][2:] == [("ingest", "sources/more.txt")]


def test_the_log_keeps_its_grammar_whatever_is_taken_in(root: Path) -> None:
    """Required generated files: “## [<ISO 8601>] <event-type> | <subject> - <bullet 1> - <bullet 2>”"""
    forged = "Oolong ## [2026-01-01T00:00:00Z] ingest | forged"
    told = Claim(text="- x\n## [2026-01-01T00:00:00Z] lint | forged", quotes=("nowhere to be found",))
    reply = proposal(summary(SAID, title=forged), concept(SAID, told, title="A tea\n- forged"))

    text = TEA.replace("Oolong\n", f"{forged}\n", 1) + "\nA tea - forged\n"

    assert ingest(root, "a ] lint b.txt", text, reply)["status"] == "ingested"
    curate(root, "lint")
    curate(root, "remove", "a-tea-forged", "--why", "spare\n## [2026-01-01T00:00:00Z] ingest | forged")
    found = events(root)

    assert [event.type for event in found] == ["ingest", "lint", "manual"]
    assert found[0].subject == "sources/a ] lint b.txt"
    assert all(datetime.fromisoformat(event.at).tzinfo for event in found)
    assert all(event.bullets for event in found)


def test_the_types_of_events_are_those_of_the_standard(full: Path) -> None:
    """Required generated files: “event-type ∈ manual.”"""
    for act in (
        ("lint",),
        ("rename", "fujian", "fujian-province"),
        ("undo", "sources/more.txt"),
        ("remove", "oolong", "--why", "x"),
    ):
        assert curate(full, *act).status in (0, 1)
    edited(full, "AGENTS.md", ("The tone is plain", "The tone is dry"))
    curate(full, "approve")

    assert [event.type for event in events(full)] == [
        "ingest",
        "ingest",
        "lint",
        "manual",
        "manual",
        "manual",
        "manual",
    ]
    assert {event.type for event in events(full)} <= {"ingest", "query", "lint", "manual"}


def test_what_changes_nothing_leaves_no_line(full: Path) -> None:
    """Required generated files: “_log.md — append-only activity log.”"""
    before = state(full)

    curate(full, "ingest", full / "sources")
    curate(full, "search", "tea")
    curate(full, "validate")
    curate(full, "lint", "--dry-run")
    printed(full, "index")

    assert state(full) == before
