"""AIP-10, ingest contract and query contract: what is read, what is changed, how it lands, and that files answer."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from curator.models.llm.language_model import Completion, LanguageModel
from curator.models.llm.prompts import Prompt
from curator.models.port import FREE
from curator.models.proposal import Add, Claim, Dispute, Mark, Replace
from curator.repository.repository import Repository
from support import standard
from support.lints import page, plant
from support.standard import BREWING, FUJIAN, SAID, curate, edited, events, head, ingest, pages, scripted, state, tree
from support.wikis import MORE, OOLONG, TEA, concept, drop, git, proposal, summary, take_in

root, kept = standard.root, standard.kept


@dataclass
class Provider:
    """A provider whose model answers so, and that remembers what it was sent."""

    answer: str
    name: str = "scripted/model"
    prompts: list[Prompt] = field(default_factory=list)

    def reply_format(self) -> str:
        return "json"

    def complete(self, prompt: Prompt, listen: object = None) -> Completion:
        self.prompts.append(prompt)
        return Completion(self.answer, "stop", self.name, FREE)

    @property
    def sent(self) -> str:
        return "\n".join(message["content"] for prompt in self.prompts for message in prompt.messages)


# -- 1: what is read -----------------------------------------------------------------------------------------------


def test_the_source_and_the_current_prose_are_read(root: Path) -> None:
    """Ingest contract: “The runtime MUST read S and the current AGENTS.md.”"""
    edited(root, "AGENTS.md", ("The tone is plain and factual", "The tone is that of a sea shanty"))
    (root / "AGENTS.md").write_text((root / "AGENTS.md").read_text() + "\nNot committed, so not in force.\n")
    provider = Provider(OOLONG.dumps())

    with Repository(root) as repository:
        take_in(drop(root), repository, LanguageModel(provider, 24_000))  # type: ignore[arg-type]

    assert all(line in provider.sent for line in TEA.split("\n") if line)
    assert "The tone is that of a sea shanty" in provider.sent
    assert "Not committed" not in provider.sent


def test_the_prose_is_read_anew_for_every_source(root: Path) -> None:
    """Ingest contract: “The runtime MUST read S and the current AGENTS.md.”"""
    with scripted(OOLONG, MORE) as model:
        curate(root, "ingest", drop(root))
        edited(root, "AGENTS.md", ("The tone is plain and factual", "The tone is dry"))
        curate(root, "approve")
        curate(root, "ingest", drop(root, "more.txt", TEA + BREWING))

    assert ["The tone is dry" in request.conventions for request in model.requests] == [False, True]
    assert [BREWING.strip() in request.source.document.text for request in model.requests] == [False, True]


# -- 2: what is affected -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "slug, fields, body",
    [
        ("oolong", {}, "It is a drink."),
        ("blue-tea", {"metadata": "{curator: {aliases: [Oolong]}}"}, "It is a drink."),
        ("firing-leaves", {}, "Leaves are partly oxidised before they are fired, then brewed in a pot. [^tea-1]"),
        ("brewing-water", {}, "A pot is brewed with water of 70 degrees. [^tea-1]"),
    ],
    ids=["entity", "alias", "concept", "conflict"],
)
def test_affected_pages_are_found_and_read_whole(root: Path, slug: str, fields: dict[str, str], body: str) -> None:
    """Ingest contract: “It MUST identify wiki pages affected by S (entities mentioned, concepts touched,
    conflicting claims) by reading _index.md plus the relevant page bodies.”
    """
    others = [page(f"kettle-{n}", f"Kettle number {n} whistles a tune of {n} notes. " * 40) for n in range(40)]
    plant(root, page(slug, body, **fields), *others)

    with scripted(proposal(summary(SAID))) as model:
        curate(root, "ingest", drop(root), CURATOR_MODEL="scripted/model")  # so that pages cost tokens

    (request,) = model.requests
    shown = {each.slug: each.text for each in request.pages}
    assert shown[slug] == (root / f"concepts/{slug}.md").read_text()
    assert sum(name.startswith("kettle-") for name in shown) < 20


# -- 3: diffs, all or nothing --------------------------------------------------------------------------------------


def test_a_page_is_patched_and_no_other_is_touched(root: Path) -> None:
    """Ingest contract: “It MUST produce page diffs — minimal markdown patches per affected page — and apply them
    atomically (all or nothing). Monolithic rewrites of unaffected pages are non-conforming.”
    """
    odd = "Odd  spacing.  \n\n* star\n+ plus [^tea-1]\n\n\n\nEnd\\\nof it."
    plant(root, page("oolong", odd), page("assam", odd), page("green", "Green tea.\r\n\r\nIt is green. [^tea-1]"))
    before = {path: file.read_bytes() for path, file in pages(root).items()}

    ingest(root, "more.txt", TEA + BREWING, MORE)

    after = {path: file.read_bytes() for path, file in pages(root).items()}
    assert {path for path in before if before[path] != after[path]} == {"concepts/oolong.md"}
    patch = git(root, "diff", "-U0", "HEAD~", "--", "concepts/oolong.md").split("\n")
    removed = [line for line in patch if line.startswith("-") and not line.startswith("---")]
    assert all(re.match(r"-(sources|confidence|updated_at):", line) for line in removed), removed
    assert f"{odd}\n" in after["concepts/oolong.md"].decode()


@pytest.mark.parametrize(
    "wrong",
    [
        Add(op="add", page="no-such-page", section="", body=(SAID,)),
        Replace(op="replace", page="oolong", passage="words that are nowhere", body=(SAID,)),
        Mark(op="mark", page="oolong", supersedes=("no-such-page",)),
    ],
    ids=lambda operation: operation.op,
)
def test_all_of_a_reply_lands_or_nothing_of_it(kept: Path, wrong: Add | Replace | Mark) -> None:
    """Ingest contract: “apply them atomically (all or nothing)”"""
    file = drop(kept, "more.txt", TEA + BREWING)
    before = state(kept)

    with scripted(proposal(summary(SAID, title="More"), FUJIAN, wrong)):
        (result,) = curate(kept, "ingest", file)["results"]

    assert (result["status"], result["commit"]) == ("parked", None)
    assert state(kept) == before


# -- 4: new pages --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by_model", [True, False])
def test_new_things_get_pages(root: Path, by_model: bool) -> None:
    """Ingest contract: “It MUST create new pages for entities/concepts not yet covered.”"""
    answers = (proposal(summary(SAID), concept(), FUJIAN),) if by_model else ()
    text = f"{TEA}\nThe Fujian Tea Board is an office that grades oolong.\nThe Fujian Tea Board was founded in 1951.\n"

    result = ingest(root, "oolong-notes.txt", text, *answers)

    assert {"oolong", "fujian" if by_model else "fujian-tea-board"} <= set(result["created"])
    kinds = {head(file)["kind"] for file in pages(root).values()}
    assert {"summary", "concept"} <= kinds


def test_new_things_get_pages_whatever_they_are_called(root: Path) -> None:
    """Ingest contract: “It MUST create new pages for entities/concepts not yet covered.”"""
    assert (
        ingest(root, "oolong-notes.txt", TEA, proposal(summary(SAID), concept(SAID, title="C#")))["status"]
        == "ingested"
    )


# -- 5: one transaction --------------------------------------------------------------------------------------------


def test_pages_index_and_log_land_in_one_commit(kept: Path) -> None:
    """Ingest contract: “It MUST update _index.md and append to _log.md in the same transaction.”"""
    before = git(kept, "rev-parse", "HEAD")

    ingest(kept, "more.txt", TEA + BREWING, MORE)

    assert git(kept, "rev-list", "--count", f"{before}..HEAD") == "1"
    assert git(kept, "show", "--format=", "--name-status", "HEAD").split("\n") == [
        "M\t_index.md",
        "M\t_log.md",
        "M\t_manifest.json",
        "M\tconcepts/oolong.md",
        "A\tsources/more.txt",
        "A\tsummaries/more.md",
    ]
    assert git(kept, "status", "--porcelain") == ""


# -- 6: contradictions ---------------------------------------------------------------------------------------------

NINETY = Claim(text="Oolong takes 90 degrees.", quotes=("water of 90 degrees",))
EIGHTY = Claim(text="Oolong takes 80 degrees.", quotes=("water of 80 degrees",))
COOLER = TEA.replace("90", "80").replace("2026-03-01", "2026-04-01") + "\nThese notes replace the oolong notes.\n"


def disputing(root: Path, resolution: str, *more: Mark) -> None:
    """Two sources that say otherwise of one thing, in a wiki that settles disputes so."""
    if resolution != "recency":
        edited(root, "KNOWLEDGE.md", ("conflictResolution: recency", f"conflictResolution: {resolution}"))
    ingest(root, "oolong-notes.txt", TEA, proposal(summary(NINETY), concept(NINETY)))
    dispute = Dispute(op="dispute", page="oolong", passage="Oolong takes 90 degrees.", claim=EIGHTY)
    ingest(root, "cooler.txt", COOLER, proposal(summary(EIGHTY, title="Cooler"), dispute, *more))


def test_confidence_is_set_by_the_policy(root: Path) -> None:
    """Ingest contract: “It SHOULD set confidence and supersedes based on the schema's contradiction policy.”"""
    disputing(root, "defer")
    assert head(root / "concepts/oolong.md")["confidence"] == 0.6  # disputed

    settled = root.parent / "settled" / "wiki"
    shutil.copytree(root, settled)
    git(settled, "reset", "-q", "--hard", git(settled, "rev-list", "--max-parents=0", "HEAD"))
    disputing(settled, "recency")
    assert head(settled / "concepts/oolong.md")["confidence"] == 0.75  # two sources, nothing open


def test_what_a_source_replaces_is_superseded(root: Path) -> None:
    """Ingest contract: “It SHOULD set confidence and supersedes based on the schema's contradiction policy.”"""
    said = ("These notes replace the oolong notes",)
    disputing(root, "recency", Mark(op="mark", page="cooler", supersedes=("oolong-notes",), quotes=said))

    assert head(root / "summaries/cooler.md")["supersedes"] == ["oolong-notes"]
    assert head(root / "concepts/oolong.md")["confidence"] == 0.7  # what is superseded bears nothing out


@pytest.mark.parametrize("resolution, is_open", [("defer", True), ("recency", False)])
def test_what_is_not_settled_is_flagged_on_both_pages(root: Path, resolution: str, is_open: bool) -> None:
    """Ingest contract: “Unresolved conflicts MUST be flagged via contradicts.”"""
    disputing(root, resolution)

    flags = [head(root / path).get("contradicts") for path in ("concepts/oolong.md", "summaries/cooler.md")]
    assert flags == ([["cooler"], ["oolong"]] if is_open else [None, None])
    text = (root / "concepts/oolong.md").read_text()
    assert "Oolong takes 90 degrees." in text and "Oolong takes 80 degrees." in text


# -- queries -------------------------------------------------------------------------------------------------------


def reader(root: Path) -> Callable[[str], list[tuple[str, str, str]]]:
    """Somebody who has nothing but the files: finds pages by the index, follows links, looks citations up."""

    def answer(word: str) -> list[tuple[str, str, str]]:
        index = (root / "_index.md").read_text("utf-8")
        waiting = [slug for slug, line in re.findall(r"^- \[\[([^\]|]+)(.*)$", index, re.MULTILINE) if word in line]
        seen: list[str] = []
        found = []
        while waiting:
            slug = waiting.pop(0)
            if slug in seen:
                continue
            seen.append(slug)
            (file,) = root.glob(f"*/{slug}.md")
            text = file.read_text("utf-8")
            waiting += re.findall(r"\[\[([^\]|#]+)", text)
            for path, line, quote in re.findall(r'^\[\^[^\]]+\]: (\S+)#L(\d+)\S* "(.*)"$', text, re.MULTILINE):
                told = (root / path).read_text("utf-8").splitlines()[int(line) - 1]
                assert quote in told
                found.append((slug, quote, path))
        return found

    return answer


def test_files_alone_answer(kept: Path, tmp_path: Path) -> None:
    """Query contract: “Querying a wiki MUST be possible with file reads alone — no runtime DB or vector index is
    required to be conforming.”
    """
    ingest(kept, "more.txt", TEA + BREWING, MORE)
    copy = tmp_path / "copy"
    shutil.copytree(kept, copy, ignore=shutil.ignore_patterns(".git"))

    found = reader(copy)("oxidised")

    assert ("oolong", "Oolong can be brewed five times from the same leaves.", "sources/more.txt") in found
    assert {path for _, _, path in found} == {"sources/oolong-notes.txt", "sources/more.txt"}


def test_indices_beside_the_files_add_nothing_that_is_true(root: Path) -> None:
    """Query contract: “A runtime MAY add auxiliary indices (BM25, embeddings, graph) on top, but the wiki files
    remain the source of truth.”
    """
    plant(root, page("oolong", "Oolong is of the zyzzyva family. [^tea-1]"), page("assam"))
    first = curate(root, "search", "zyzzyva")["hits"]
    assert [hit["slug"] for hit in first] == ["oolong"]

    shutil.rmtree(root / ".git" / "curator")
    assert curate(root, "search", "zyzzyva")["hits"] == first

    edited(root, "concepts/oolong.md", ("zyzzyva", "quokka"))
    assert curate(root, "search", "zyzzyva")["hits"] == []
    assert [hit["slug"] for hit in curate(root, "search", "quokka")["hits"]] == ["oolong"]
    assert not [path for path in tree(root) if path.endswith((".db", ".sqlite"))]


def test_a_question_whose_answer_is_kept_leaves_a_line(root: Path) -> None:
    """Required generated files: “query that produced a new page”"""
    ingest(root, "oolong-notes.txt", TEA)
    before = set(pages(root))

    curate(root, "ask", "Where is oolong grown?")
    assert (set(pages(root)), [event.type for event in events(root)]) == (before, ["ingest"])

    said = curate(root, "ask", "--save", "Where is oolong grown?")

    assert said.status == 0
    assert [path.rpartition("/")[2] for path in set(pages(root)) - before] == [f"{said['created'][0]}.md"]
    assert [event.type for event in events(root)] == ["ingest", "query"]
    assert f"[[{said['created'][0]}]]" in (root / "_index.md").read_text()
