"""What a language model answered to questions about the sample wiki, judged again: what holds, and what is left out."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from curator.ask.answer import Answer
from curator.ask.flow import Saved
from curator.ask.material import Material
from curator.repository.repository import Repository
from curator.wiki.passages.of_page import read_page
from scripts.audit import audit
from support.asked import asked, saved
from support.fakes import ScriptedRespondent
from support.lints import commit, examined
from support.places import FIXTURES, SAMPLE
from support.wikis import git

KEPT = FIXTURES / "model-answers"


@pytest.fixture
def bees(tmp_path: Path) -> Path:
    """The sample wiki, in a repository of its own."""
    root = tmp_path / "wiki"
    shutil.copytree(SAMPLE, root)
    git(root, "init", "-q")
    commit(root)
    return root


def answered(root: Path, name: str, question: str) -> Answer:
    """The model had been shown whole pages."""
    with Repository(root) as repository, pytest.MonkeyPatch.context() as patch:
        wiki = repository.view().wiki
        pages = (wiki.page_at(entry.path) for entry in wiki.entries())
        whole = Material(tuple(read_page(page) for page in pages if page is not None))
        patch.setattr("curator.ask.flow.material_for", lambda *_: whole)
        return asked(root, ScriptedRespondent(((KEPT / f"{name}.json").read_text("utf-8"),)), question)


def test_a_full_answer_is_proven_statement_by_statement(bees: Path) -> None:
    question = "When and how should a colony be treated against varroa mites, and how many mites are too many?"
    answer = answered(bees, "1-varroa-treatment", question)

    assert len(answer.statements) == 12 and answer.left_out == ()
    assert all(said.citations for said in answer.statements)
    both = next(said for said in answer.statements if "treatment threshold for the varroa mite" in said.text)
    assert {citation.path[8:12] for citation in both.citations} == {"2025"} and len(both.citations) == 2


def test_what_the_pages_do_not_say_is_not_said(bees: Path) -> None:
    answer = answered(bees, "2-hive-cost", "How much does a hive cost?")

    assert answer.statements == () == answer.left_out and answer.looked_at


def test_an_answer_in_another_language_is_held_to_the_same_quotes_and_numbers(bees: Path) -> None:
    """The pages have 2.2 and 11.2 kg, the answer 2,2 and 11,2."""
    answer = answered(bees, "3-wintervorrat", "Wie viel Vorrat braucht ein Volk für den Winter?")

    assert len(answer.statements) == 4 and answer.left_out == ()
    assert "2,2 kg" in "".join(said.text for said in answer.statements)


def test_a_comparison_is_kept_with_every_quote_and_the_rest_left_out(bees: Path) -> None:
    answer = answered(bees, "4-alcohol-wash-and-sugar-shake", "How do an alcohol wash and a sugar shake compare?")

    assert [finding.code for finding in answer.left_out] == ["quote_missing"]
    filed = saved(bees, answer, "Alcohol wash and sugar shake")
    assert isinstance(filed, Saved) and filed.filed.page.kind == "comparison"
    rows = [line for line in filed.filed.page.body.split("\n") if line.startswith("| [[")]
    assert [row.count("[^") for row in rows] == [2, 2]
    assert not [finding for finding in examined(bees).findings if finding.severity != "info"]
    # An answer is reached from the index; who wants it elsewhere links to it.
    assert audit(bees).faults == ["alcohol-wash-and-sugar-shake: no page links to it"]
