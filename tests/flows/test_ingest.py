"""The flow: one source in, one commit out, or no change and a reason."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from curator.errors import Conflict, ModelError, ProposalError, Rejected
from curator.models.extractive import ExtractiveCurator
from curator.models.port import Usage
from curator.models.proposal import Add, Claim, Create, Dispute, Replace
from curator.repository.repository import Repository
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document
from support.fakes import ScriptedModel
from support.wikis import MORE, OOLONG, TEA, concept, drop, git, proposal, summary, take_in


def test_a_source_becomes_exactly_one_commit(root: Path, repository: Repository) -> None:
    before = git(root, "rev-parse", "HEAD")

    outcome = take_in(drop(root), repository, ScriptedModel((OOLONG,)))

    assert git(root, "rev-parse", "HEAD") == outcome.commit
    assert git(root, "rev-parse", "HEAD^") == before
    assert git(root, "status", "--porcelain") == ""
    assert set(git(root, "diff", "--name-only", "HEAD^", "HEAD").split("\n")) == {
        "_index.md",
        "_log.md",
        "_manifest.json",
        "concepts/oolong.md",
        "sources/oolong-notes.txt",
        "summaries/oolong-notes.md",
    }


def test_the_log_says_that_a_source_came_in_without_a_summary(root: Path, repository: Repository) -> None:
    said = Claim(text="Oolong is grown in Fujian.", quotes=("Oolong is grown in Fujian and on Taiwan.",))
    lost = Claim(text="Oolong is never drunk in Peru.", quotes=("Oolong is grown in Fujian and on Taiwan.",))

    take_in(drop(root), repository, ScriptedModel((proposal(summary(lost), concept(said)),)))

    assert "- no summary of it was made\n" in (root / "_log.md").read_text()


def test_the_commit_says_what_was_done_in_its_trailers(root: Path, repository: Repository) -> None:
    model = ScriptedModel((OOLONG,), usage=Usage(1200, 300, 0.0042))

    take_in(drop(root), repository, model)

    message = git(root, "log", "-1", "--format=%B")
    assert message.startswith("ingest: sources/oolong-notes.txt\n\n- created [[oolong-notes]] Oolong notes\n")
    trailers = git(root, "log", "-1", "--format=%(trailers)")
    assert "Curator-Source: sources/oolong-notes.txt sha256:" in trailers
    assert "Curator-Model: scripted/model" in trailers
    assert "Curator-Tokens: 1200/300" in trailers
    assert "Curator-Cost: 0.004200 USD" in trailers
    assert "Curator-Sandbox: read " in trailers


def test_an_unknown_cost_is_called_unknown(root: Path, repository: Repository) -> None:
    take_in(drop(root), repository, ScriptedModel((OOLONG,), usage=Usage()))

    trailers = git(root, "log", "-1", "--format=%(trailers)")

    assert "Curator-Tokens: unknown/unknown" in trailers
    assert "Curator-Cost: unknown" in trailers


def test_every_claim_cites_words_of_the_source(root: Path, repository: Repository) -> None:
    take_in(drop(root), repository, ScriptedModel((OOLONG,)))

    page = Page("concepts/oolong.md", (root / "concepts" / "oolong.md").read_text())
    evidence = Evidence("sources/oolong-notes.txt", Document.from_text(TEA))

    assert page.citations
    assert all(evidence.holds(citation) for citation in page.citations.values())
    assert all(block.citations for block in page.outline.blocks if block.kind == "paragraph")


def test_a_claim_without_evidence_goes_back_once_and_is_then_left_out(root: Path, repository: Repository) -> None:
    lie = Claim(text="Oolong cures colds.", quotes=("oolong is known to cure the common cold",))
    model = ScriptedModel((proposal(summary(), concept(*concept().body, lie)),))

    outcome = take_in(drop(root), repository, model)

    assert len(model.requests) == 2
    assert [fault.code for fault in model.requests[1].faults] == ["quote_missing"]
    assert [finding.code for finding in outcome.left_out] == ["quote_missing"]
    assert "cures colds" not in (root / "concepts" / "oolong.md").read_text()
    assert "left out" in (root / "_log.md").read_text()


def test_the_log_says_that_a_source_has_a_second_name(root: Path, repository: Repository, tmp_path: Path) -> None:
    file = drop(root)
    os.link(file, tmp_path / "elsewhere.txt")

    take_in(file, repository, ScriptedModel((OOLONG,)))

    assert "- where it lies: it has 2 names on its disk (hard links)" in (root / "_log.md").read_text("utf-8")


def test_a_repaired_answer_is_the_one_that_counts(root: Path, repository: Repository) -> None:
    lie = Claim(text="Oolong cures colds.", quotes=("oolong is known to cure the common cold",))
    truth = Claim(text="Oolong grows on Taiwan.", quotes=("Oolong is grown in Fujian and on Taiwan.",))
    model = ScriptedModel((proposal(concept(lie)), proposal(concept(truth))), usage=Usage(10, 5, 1.0))

    outcome = take_in(drop(root), repository, model)

    assert outcome.left_out == ()
    assert "grows on Taiwan" in (root / "concepts" / "oolong.md").read_text()
    assert outcome.reply.usage == Usage(20, 10, 2.0)


def test_a_repair_that_fails_costs_only_the_claims_in_doubt(root: Path, repository: Repository) -> None:
    lie = Claim(text="Oolong cures colds.", quotes=("oolong is known to cure the common cold",))
    down = ModelError("model_unavailable", "connection refused", retryable=True)
    model = ScriptedModel((proposal(summary(), concept(*concept().body, lie)), down))

    outcome = take_in(drop(root), repository, model)

    assert [finding.code for finding in outcome.left_out] == ["quote_missing"]
    assert (root / "concepts" / "oolong.md").exists()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[Oolong](#oolong 'the best') is grown in Fujian.", "link_title"),
        ("Oolong is grown in Fujian #bargain.", "plugin_markup"),
    ],
)
def test_a_rule_that_one_statement_breaks_costs_that_statement(
    root: Path, repository: Repository, text: str, code: str
) -> None:
    faulty = Claim(text=text, quotes=("Oolong is grown in Fujian and on Taiwan.",))
    model = ScriptedModel((proposal(summary(), concept(*concept().body, faulty)),))

    outcome = take_in(drop(root), repository, model)

    number = f"2.{len(concept().body) + 1}"
    assert [(fault.code, fault.places) for fault in model.requests[1].faults] == [(code, (number,))]
    assert [finding.code for finding in outcome.left_out] == [code]
    assert "Oolong" in (root / "concepts" / "oolong.md").read_text()
    assert "Fujian" not in (root / "concepts" / "oolong.md").read_text()


def test_a_rule_that_is_of_more_than_a_statement_costs_the_proposal(root: Path, repository: Repository) -> None:
    smuggled = Claim(
        text="Oolong is grown in [Fujian](https://evil.example).", quotes=("Oolong is grown in Fujian and on Taiwan.",)
    )
    titled = Claim(
        text="[Oolong](#oolong 'x') is grown on Taiwan.", quotes=("Oolong is grown in Fujian and on Taiwan.",)
    )
    model = ScriptedModel((proposal(summary(), concept(*concept().body, smuggled, titled)),))

    with pytest.raises(Rejected, match="url_not_in_source"):
        take_in(drop(root), repository, model)

    last = len(concept().body) + 2
    assert {fault.code: fault.places for fault in model.requests[1].faults} == {
        "url_not_in_source": (f"2.{last - 1}",),  # all that is asked for
        "link_title": (f"2.{last}",),
    }


GROWN = Claim(text="Oolong is grown in Fujian.", quotes=("Oolong is grown in Fujian and on Taiwan.",))


def test_of_too_many_statements_on_one_sentence_the_last_ones_are_left_out(root: Path, repository: Repository) -> None:
    words = ("", " and on Taiwan", ", as tea", ", and on Taiwan as tea", ", Taiwan", " or Taiwan", "; on Taiwan")
    said = [GROWN.model_copy(update={"text": f"Oolong is grown in Fujian{more}."}) for more in words]

    outcome = take_in(drop(root), repository, ScriptedModel((proposal(summary(), concept(*said)),)))

    assert {each.code for each in outcome.left_out} == {"quote_stretched"}
    assert "Oolong is grown in Fujian, as tea." in (root / "concepts" / "oolong.md").read_text("utf-8")


def test_whatever_rule_a_statement_of_the_built_in_curator_breaks_it_costs_that_statement(
    root: Path, repository: Repository
) -> None:
    text = "# Kiln\n\nA kiln is an oven that dries tea.\n\nThe kiln reads its plan from file:///etc/kiln at seven.\n"

    outcome = take_in(drop(root, "kiln.md", text), repository, ExtractiveCurator())

    assert "link_scheme" in {finding.code for finding in outcome.left_out}
    pages = "".join(page.read_text() for page in root.glob("*/*.md") if page.parent.name != "sources")
    assert "A kiln is an oven that dries tea." in pages
    assert "file:" not in pages


def test_a_proposal_of_nothing_but_lies_is_parked_and_not_done(root: Path, repository: Repository) -> None:
    before = git(root, "rev-parse", "HEAD")
    lie = Claim(text="Oolong cures colds.", quotes=("oolong is known to cure the common cold",))

    with pytest.raises(ProposalError, match="nothing is left"):
        take_in(drop(root), repository, ScriptedModel((proposal(concept(lie)),)))

    assert git(root, "rev-parse", "HEAD") == before
    assert git(root, "status", "--porcelain") == "?? sources/oolong-notes.txt"
    assert "oolong" not in (root / "_manifest.json").read_text()


@pytest.mark.parametrize(
    "answer",
    [
        "I would rather write prose.",
        "",
        '{"operations": []',
        '{"operations": [], "extra": 1}',
        '{"operations": [{"op": "delete", "page": "tea"}]}',
    ],
)
def test_a_bad_answer_goes_back_once_and_changes_nothing(root: Path, repository: Repository, answer: str) -> None:
    before = git(root, "rev-parse", "HEAD")
    model = ScriptedModel((answer,))

    with pytest.raises(Rejected):
        take_in(drop(root), repository, model)

    assert len(model.requests) == 2
    assert model.requests[1].previous == answer
    assert git(root, "rev-parse", "HEAD") == before
    assert git(root, "status", "--porcelain") == "?? sources/oolong-notes.txt"


def test_a_model_that_is_down_changes_nothing(root: Path, repository: Repository) -> None:
    down = ModelError("model_unavailable", "connection refused", retryable=True)

    with pytest.raises(ModelError):
        take_in(drop(root), repository, ScriptedModel((down,)))

    assert git(root, "status", "--porcelain") == "?? sources/oolong-notes.txt"


def test_a_dry_run_shows_the_diffs_and_writes_nothing(root: Path, repository: Repository) -> None:
    before = git(root, "rev-parse", "HEAD")

    outcome = take_in(drop(root), repository, ScriptedModel((OOLONG,)), dry_run=True)

    assert outcome.commit is None
    assert "+Oolong is a tea that is oxidised in part." in outcome.diffs["concepts/oolong.md"]
    assert git(root, "rev-parse", "HEAD") == before
    assert git(root, "status", "--porcelain") == "?? sources/oolong-notes.txt"


def test_a_second_source_adds_to_the_page_that_is_there(root: Path, repository: Repository) -> None:
    take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    file = drop(root, "brewing.txt", "Brewing\n\nOolong can be brewed five times from the same leaves.\n")
    five = Claim(text="- It gives five brews.", quotes=("Oolong can be brewed five times from the same leaves.",))
    more = proposal(summary(five, title="Brewing"), Add(op="add", page="oolong", section="", body=(five,)))

    outcome = take_in(file, repository, ScriptedModel((more,)))

    page = Page("concepts/oolong.md", (root / "concepts" / "oolong.md").read_text())
    assert outcome.updated == ("oolong",) or "concepts/oolong.md" in git(
        root, "show", "--name-only", "--format=", "HEAD"
    )
    assert page.sources == ("sources/oolong-notes.txt", "sources/brewing.txt")
    assert {citation.path for citation in page.citations.values()} == {
        "sources/oolong-notes.txt",
        "sources/brewing.txt",
    }


def test_an_anchor_in_the_head_of_a_page_does_not_park_the_source(root: Path, repository: Repository) -> None:
    take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    page = root / "concepts" / "oolong.md"
    page.write_text(page.read_text().replace("kind: concept", "kind: &kind concept"))
    git(root, "commit", "-qam", "an anchor")
    before = page.read_text()

    model = ScriptedModel((MORE,))
    report = take_in(
        drop(root, "more.txt", TEA + "Oolong can be brewed five times from the same leaves.\n"), repository, model
    )

    assert [finding.code for finding in report.left_out] == ["frontmatter_unreadable"]
    assert page.read_text() == before
    assert "left out: operation" in (root / "_log.md").read_text()


def test_a_page_is_never_made_twice_under_another_spelling(root: Path, repository: Repository) -> None:
    take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    file = drop(root, "brewing.txt", "Brewing\n\nOolongs can be brewed five times from the same leaves.\n")
    five = Claim(text="It gives five brews.", quotes=("Oolongs can be brewed five times from the same leaves.",))

    outcome = take_in(file, repository, ScriptedModel((proposal(concept(five, title="The Oolongs")),)))

    assert outcome.created == ()
    assert sorted(path.name for path in (root / "concepts").glob("*.md")) == ["oolong.md"]


def test_the_operations_are_worked_in_again_when_the_branch_moves_while_the_model_thinks(
    root: Path, repository: Repository
) -> None:
    def commit_meanwhile(_: object) -> str:
        (root / "concepts" / "sencha.md").write_text(
            "---\nslug: sencha\nkind: concept\ntitle: Sencha\n---\n# Sencha\n\nGreen.\n"
        )
        git(root, "add", "concepts/sencha.md")
        git(root, "commit", "-qm", "by hand")
        return OOLONG.dumps()

    model = ScriptedModel((commit_meanwhile, OOLONG))

    take_in(drop(root), repository, model)

    assert len(model.requests) == 1
    assert "[[sencha]]" in (root / "_index.md").read_text()
    assert "[[oolong]]" in (root / "_index.md").read_text()
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "log", "--format=%s").split("\n")[:2] == ["ingest: sources/oolong-notes.txt", "by hand"]


def test_a_passage_that_changed_meanwhile_is_asked_about_again(root: Path, repository: Repository) -> None:
    taiwan = Claim(text="It grows on Taiwan.", quotes=("Oolong is grown in Fujian and on Taiwan.",))
    take_in(drop(root), repository, ScriptedModel((proposal(summary(), concept(*concept().body, taiwan)),)))
    page = root / "concepts" / "oolong.md"
    file = drop(root, "brewing.txt", "Brewing\n\nOolong is a semi-oxidised tea of great variety.\n")
    new = Claim(
        text="Oolong is a semi-oxidised tea that is oxidised in part. [^oolong-notes-1]",
        quotes=("Oolong is a semi-oxidised tea of great variety.",),
    )
    replaces = Replace(
        op="replace", page="oolong", passage="Oolong is a tea that is oxidised in part. [^oolong-notes-1]", body=(new,)
    )

    def edit_meanwhile(_: object) -> str:
        page.write_text(page.read_text().replace("that is oxidised in part", "of many kinds"))
        git(root, "commit", "-qam", "by hand")
        return proposal(replaces).dumps()

    kept = new.model_copy(update={"text": "Oolong is a semi-oxidised tea of many kinds. [^oolong-notes-1]"})
    fits = Replace(
        op="replace", page="oolong", passage="Oolong is a tea of many kinds. [^oolong-notes-1]", body=(kept,)
    )
    model = ScriptedModel((edit_meanwhile, proposal(fits)))

    take_in(file, repository, model)

    assert len(model.requests) == 2
    assert "semi-oxidised" in page.read_text()


def _dispute_90_degrees(root: Path, repository: Repository, date: str) -> None:
    """A source says 90 degrees; then another one, which begins with ``date``, says 95 and disputes it."""
    ninety = Claim(
        text="Oolong is brewed at 90 degrees.", quotes=("A pot of oolong is brewed with water of 90 degrees.",)
    )
    take_in(drop(root), repository, ScriptedModel((proposal(summary(), concept(ninety)),)))
    text = f"Hotter\n\n{date}A pot of oolong is brewed with water of 95 degrees.\n"
    hotter = Claim(text="Oolong is brewed at 95 degrees.", quotes=("oolong is brewed with water of 95 degrees",))
    disputes = Dispute(op="dispute", page="oolong", passage="Oolong is brewed at 90 degrees.", claim=hotter)
    replied = proposal(summary(hotter, title="Hotter"), disputes)
    take_in(drop(root, "hotter.txt", text), repository, ScriptedModel((replied,)))


def test_recency_puts_the_newer_claim_first_and_keeps_the_older(root: Path, repository: Repository) -> None:
    _dispute_90_degrees(root, repository, "Date: 2026-04-01\n\n")

    body = (root / "concepts" / "oolong.md").read_text()
    assert "is brewed at 95 degrees. [^hotter-1]" in body
    assert "Earlier: Oolong is brewed at 90 degrees. [^oolong-notes-1]" in body
    assert body.index("95 degrees") < body.index("Earlier:")
    assert "contradicts" not in body


def test_what_recency_cannot_decide_is_marked_on_both_pages(root: Path, repository: Repository) -> None:
    _dispute_90_degrees(root, repository, "")

    page = Page("concepts/oolong.md", (root / "concepts" / "oolong.md").read_text())
    other = Page("summaries/hotter.md", (root / "summaries" / "hotter.md").read_text())
    assert page.contradicts == ("hotter",)
    assert other.contradicts == (page.slug,)
    assert "90 degrees" in page.body and "95 degrees" in page.body


@pytest.mark.parametrize(("degrees", "proof"), [(95, "[^b-page-1] [^c-page-1]"), (97, "[^c-page-1]")])
def test_the_latest_source_settles_what_two_others_disagree_on(
    root: Path, repository: Repository, degrees: int, proof: str
) -> None:
    def said(degrees: int) -> Claim:
        return Claim(
            text=f"Oolong is brewed at {degrees} degrees.", quotes=(f"Oolong is brewed at {degrees} degrees.",)
        )

    for name, date, told in (("a", "2024", 90), ("b", "2024", 95), ("c", "2025-03-01", degrees)):
        disputes = Dispute(op="dispute", page="oolong", passage="Oolong is brewed at 90 degrees.", claim=said(told))
        replied = proposal(summary(said(told), title=name.upper()), concept(said(told)) if name == "a" else disputes)
        text = f"{name.upper()}\n\nDate: {date}\n\nOolong is brewed at {told} degrees.\n"
        take_in(drop(root, f"{name}.txt", text), repository, ScriptedModel((replied,)))

    pages = [Page(name, (root / name).read_text()) for name in ("concepts/oolong.md", "summaries/b-page.md")]
    lines = [line.partition(" [^")[0] for line in pages[0].body.splitlines() if "degrees. [" in line]
    assert lines[:2] == [f"Oolong is brewed at {degrees} degrees.", "Earlier: Oolong is brewed at 90 degrees."]
    assert f"at {degrees} degrees. {proof}\n" in pages[0].body
    assert [(page.contradicts, page.confidence > 0.6) for page in pages] == [((), True), ((), True)]


def test_changed_bytes_are_taken_in_again(root: Path, repository: Repository) -> None:
    take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    new = TEA + "Oolong keeps for two years in a tin.\n"
    keeps = Claim(text="- Oolong keeps for two years.", quotes=("Oolong keeps for two years in a tin.",))

    outcome = take_in(
        drop(root, text=new),
        repository,
        ScriptedModel((proposal(Create(op="create", kind="summary", title="Oolong notes", body=(keeps,))),)),
    )

    assert outcome.created == ()
    assert git(root, "show", "HEAD:sources/oolong-notes.txt") == new.rstrip("\n")
    assert "keeps for two years" in (root / "summaries" / "oolong-notes.md").read_text()


def test_an_archived_wiki_takes_nothing_in(root: Path, repository: Repository) -> None:
    file = root / "KNOWLEDGE.md"
    file.write_text(file.read_text("utf-8").replace("status: ready", "status: archived"), "utf-8")
    git(root, "commit", "-qam", "archived")
    model = ScriptedModel((OOLONG,))

    with pytest.raises(Conflict, match="the wiki is archived") as refused:
        take_in(drop(root), repository, model)

    assert refused.value.code == "wiki_archived" and "status: ready" in refused.value.hint
    assert git(root, "log", "-1", "--format=%s") == "archived" and not model.requests
