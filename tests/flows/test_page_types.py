"""Entity types of a wiki's own, as a model is told of them and gives them to pages."""

from __future__ import annotations

from pathlib import Path

from curator.ingest.drafting.drafted import Draft
from curator.models import search_replace
from curator.models.llm import prompts
from curator.models.port import Request
from curator.models.proposal import Create, Proposal, schema
from curator.repository.repository import Repository
from curator.wiki.workspace.schema import SCHEMA
from curator.wiki.workspace.workspace import CurationPolicy, PageType, Workspace
from support.fakes import ScriptedModel
from support.lints import commit
from support.pages import claim, draft, source, wiki
from support.wikis import concept, drop, proposal, summary, take_in

CUSTOMER = PageType("Customer", "entity", "Who buys.", ("lead_partner", "wonOn"))
BUYS = source("Acme buys tea in tins.\n")
OURS = CurationPolicy(types=(CUSTOMER, PageType("Rule", "concept")))


def filed(kind: str) -> Draft:
    """What becomes of a new page of this kind."""
    said = claim("Acme buys tea.", "Acme buys tea in tins.")
    return draft(wiki(), BUYS, Create(op="create", kind=kind, title="Acme", body=(said,)), policy=OURS)


def asked(policy: CurationPolicy) -> str:
    request = Request(BUYS, policy, "", (), (), "summary")
    return prompts.ingest(request, "json", None, ()).system


def test_a_model_is_told_of_them() -> None:
    told = "Customer (a kind of entity, with headings Lead partner, Won on): Who buys; Rule (a kind of concept)."

    assert f"Kinds of this wiki's own, to give as the kind where one fits better: {told}" in asked(OURS)
    assert "Kinds of this wiki's own" not in asked(CurationPolicy())


def test_very_many_types_do_not_make_the_prompt_grow() -> None:
    many = CurationPolicy(types=tuple(PageType(f"Type{n}", "entity", "What it is. " * 20) for n in range(60)))

    assert len(asked(many)) - len(asked(CurationPolicy())) < 2500
    assert "Type59" in asked(many)


def test_a_provider_that_enforces_the_form_lets_them_through() -> None:
    kinds = schema(["Customer"])["$defs"]["Create"]["properties"]["kind"]["enum"]

    assert kinds == ["summary", "entity", "concept", "comparison", "timeline", "Customer"]


def test_a_page_of_a_type_goes_where_its_kind_goes() -> None:
    made = filed("Customer")

    (page,) = made.wiki.changed.values()
    assert (page.path, page.kind, page.type) == ("entities/acme.md", "entity", "Customer")


def test_a_type_is_named_in_either_form() -> None:
    text = search_replace.to_json('<<<<<<< CREATE Customer | Acme\nIt buys.\n^ "words"\n>>>>>>> END')
    (create,) = Proposal.parse(text).operations

    assert isinstance(create, Create) and create.kind == "Customer"


def test_a_kind_is_known_as_the_type_it_is() -> None:
    assert [page.kind for page in filed("Concept").wiki.changed.values()] == ["concept"]
    assert [page.type for page in filed("CUSTOMER").wiki.changed.values()] == ["Customer"]


def test_a_kind_that_nobody_declared_goes_back() -> None:
    made = filed("Vendor")

    (fault,) = made.broken
    assert fault.code == "kind_unknown"
    assert fault.message == (
        "operation 1: kind: 'Vendor'; wanted: one of summary, entity, concept, comparison, timeline, Customer, Rule"
    )


def test_the_whole_way(root: Path) -> None:
    text = (root / "KNOWLEDGE.md").read_text()
    types = "entityTypes:\n  - name: Drink\n    parent: Concept\n    description: What is drunk.\n"
    (root / "KNOWLEDGE.md").write_text(text.replace("entityTypes:\n", types, 1))
    commit(root)
    model = ScriptedModel((proposal(summary(), concept(kind="Drink")),))

    with Repository(root) as repository:
        outcome = take_in(drop(root), repository, model)
        page = repository.view().wiki.page("oolong")

    assert outcome.created == ("oolong-notes", "oolong") and model.requests[0].policy.types[0].name == "Drink"
    assert page is not None and (page.kind, page.type, page.path) == ("concept", "Drink", "concepts/oolong.md")
    assert Workspace.parse((root / "KNOWLEDGE.md").read_text()).fields["schema"] == SCHEMA
