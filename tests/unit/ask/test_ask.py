"""Questions answered from the pages: each statement proven by their words, told with its sources, filed as a page."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curator.ask import file_answer
from curator.ask import flow as asking
from curator.ask.answer import Answer
from curator.ask.flow import Saved
from curator.ask.prove import context_names
from curator.ask.source_proofs import Provable, SourceProofs
from curator.cli.commands import ask, edit, validate
from curator.cli.commands.ask import AskRequest
from curator.errors import ConfigError, Conflict, ModelError, ProposalError
from curator.models import question
from curator.models.port import FREE, Usage
from curator.models.statements import Proof, Quote, Statement, Statements
from curator.repository.repository import Repository
from curator.wiki import log
from curator.wiki.pages.page import Page
from curator.wiki.passages.of_page import read_page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document
from support.asked import FULLY, GREEN, OOLONG, PARTLY, TEA, WATER, asked, head, planted, said, saved, settings, terms
from support.fakes import ScriptedRespondent
from support.lints import commit, examined, page, run, taken_in
from support.wikis import NOW, git

NONE = Statements(statements=())
ABOUT_OOLONG = "How is oolong oxidised?"
TABLE = Statement(
    text="| Tea | Oxidised |\n| --- | --- |\n| Green tea | not at all |\n| Black tea | fully |",
    quotes=(
        Quote(page="green-tea", words="| Green tea | not at all |"),
        Quote(page="green-tea", words="| Black tea | fully oxidised |"),
    ),
)


@pytest.fixture
def tea(made: Callable[..., Path]) -> Path:
    return made(planted)


def the_page(done: object) -> str:
    assert isinstance(done, Saved)
    return done.filed.page.text


# -- an answer -----------------------------------------------------------------------------------------------------


def test_a_statement_comes_with_its_pages_and_the_footnotes_behind_them(tea: Path) -> None:
    model = ScriptedRespondent((said(PARTLY, FULLY),), usage=Usage(100, 20, 0.5))

    answer = asked(tea, model, "How are oolong and black tea oxidised?")

    one, two = answer.statements
    assert (one.text, one.slugs) == ("Oolong is oxidised in part.", ("oolong",))
    assert [(each.path, each.anchor, each.quote) for each in one.citations] == [
        ("sources/tea.txt", "L1", "Oolong is partly oxidised.")
    ]
    assert [each.anchor for each in two.citations] == ["L3"]
    assert answer.left_out == ()
    assert answer.reply.usage == Usage(100, 20, 0.5)


def test_the_words_are_found_whatever_links_and_marks_stand_in_them(tea: Path) -> None:
    model = ScriptedRespondent((said(("It takes hot water.", "oolong", "It is brewed with hot water.")),))

    (one,) = asked(tea, model).statements

    assert [each.anchor for each in one.citations] == ["L4"]


def test_a_statement_that_is_not_proven_is_left_out_without_its_words(tea: Path) -> None:
    bad = said(PARTLY, ("Oolong is BLUE.", "oolong", "Oolong is as blue as the sky."), ("X is Y.", "nowhere", "X is Y"))
    unquoted = Statement(text="Oolong is RED.", quotes=())
    model = ScriptedRespondent((Statements(statements=(*bad.statements, unquoted)),))

    answer = asked(tea, model)

    assert [one.text for one in answer.statements] == ["Oolong is oxidised in part."]
    assert [(each.code, each.path) for each in answer.left_out] == [
        ("quote_missing", "concepts/oolong.md"),
        ("page_unknown", "reply"),
        ("statement_unquoted", "reply"),
    ]
    assert not any(word in str(answer.left_out) for word in ("BLUE", "blue", "nowhere", "RED"))


def test_what_does_not_hold_goes_back_once_by_its_number_and_for_its_author_in_words(tea: Path) -> None:
    first = said(PARTLY, ("Black tea is oxidised by 7 percent.", *FULLY[1:]))
    model = ScriptedRespondent((first, said(PARTLY, FULLY)), usage=Usage(10, 1, 0.1))

    answer = asked(tea, model, "How are oolong and black tea oxidised?")

    assert [one.text for one in answer.statements] == [PARTLY[0], FULLY[0]]
    (fault,) = model.questions[1].faults
    assert (fault.code, fault.places, "'7'" in fault.message) == ("number_unknown", ("2",), True)
    assert answer.reply.usage == Usage(20, 2, 0.2)


def test_a_repair_that_spoils_what_was_sound_is_not_taken(tea: Path) -> None:
    bad = ("Oolong is blue.", "oolong", "Oolong is as blue as the sky.")

    answer = asked(tea, ScriptedRespondent((said(PARTLY, FULLY, bad), said(PARTLY, bad, bad))), "oolong and black tea")

    assert [one.text for one in answer.statements] == [PARTLY[0], FULLY[0]]


def test_a_statement_may_begin_with_the_name_of_a_page_when_what_it_quotes_has_the_name(tea: Path) -> None:
    named = ("Water that is hot is what it is brewed with.", "oolong", "It is brewed with hot water.")
    foreign = ("Green tea is partly oxidised.", *PARTLY[1:])
    row = ("| What | How |\n| --- | --- |\n| Green tea | partly oxidised |", *PARTLY[1:])

    answer = asked(tea, ScriptedRespondent((said(PARTLY, named, foreign, row),)), "oolong, green tea and water")

    assert [one.text for one in answer.statements] == [PARTLY[0], named[0]]
    assert [each.code for each in answer.left_out] == ["subject_unquoted"] * 2


def test_of_a_question_counts_what_the_quoted_pages_name() -> None:
    reading = read_page(Page(*page("rule", "Rule 12 bids that tea of Assam be weighed.")))
    proofs = (Proof(reading, reading.passages[0]),)

    found = context_names(proofs, "Does Rule 12 of Bayer bid that 99 teas of Assam be weighed 12 times?")

    assert found == ("Rule", "rule", "Rule", "12", "Assam")


def test_a_number_that_the_passages_do_not_state_is_no_answer(tea: Path) -> None:
    wrong = ("Oolong is oxidised by 40 percent.", *PARTLY[1:])
    right = ("Hot water has 90 degrees.", "water", "Water of 90 degrees is hot.")

    answer = asked(tea, ScriptedRespondent((said(wrong, right),)), "oolong and hot water")

    assert [one.text for one in answer.statements] == ["Hot water has 90 degrees."]
    assert [each.code for each in answer.left_out] == ["number_unknown"]


def test_nothing_that_holds_goes_back_once_with_what_was_wrong(tea: Path) -> None:
    bad = ("Oolong is blue.", "oolong", "Oolong is as blue as the sky.")
    model = ScriptedRespondent((said(bad), said(PARTLY)), usage=Usage(10, 1, 0.1))

    answer = asked(tea, model)

    assert [one.text for one in answer.statements] == ["Oolong is oxidised in part."]
    assert [each.code for each in model.questions[1].faults] == ["quote_missing"]
    assert model.questions[1].previous == said(bad).dumps()
    assert answer.reply.usage == Usage(20, 2, 0.2)


def test_a_repair_that_fails_leaves_the_first_answer(tea: Path) -> None:
    bad = ("Oolong is blue.", "oolong", "Oolong is as blue as the sky.")
    down = ModelError("model_unavailable", "down", retryable=True)

    for second in (down, "prose"):
        answer = asked(tea, ScriptedRespondent((said(bad), second)))

        assert answer.statements == ()
        assert [each.code for each in answer.left_out] == ["quote_missing"]


def test_a_reply_that_cannot_be_read_twice_is_an_error(tea: Path) -> None:
    model = ScriptedRespondent(("I would rather write prose.",))

    with pytest.raises(ProposalError) as caught:
        asked(tea, model)

    assert caught.value.code == "reply_not_json"
    assert "prose" not in caught.value.message and "--ask-again" in caught.value.hint
    assert len(model.questions) == 2


def test_that_the_pages_do_not_say_is_an_answer_and_is_not_asked_twice(tea: Path) -> None:
    model = ScriptedRespondent((NONE,))

    answer = asked(tea, model)

    assert (answer.statements, answer.left_out) == ((), ())
    assert "[[oolong]]" in answer.looked_at
    assert len(model.questions) == 1


def test_without_a_page_no_model_is_asked(tea: Path) -> None:
    model = ScriptedRespondent((said(PARTLY),))

    answer = asked(tea, model, "zebra crossings")

    assert (answer.looked_at, answer.statements, model.questions) == ((), (), [])
    assert answer.reply.usage == FREE


def test_the_links_of_a_statement_are_those_of_the_wiki(tea: Path) -> None:
    text = "[[Oolong]] is oxidised in part, says [[nobody|no one]]. [^made-up]"

    (one,) = asked(tea, ScriptedRespondent((said((text, *PARTLY[1:])),))).statements

    assert one.text == "[[oolong|Oolong]] is oxidised in part, says no one."


# -- the page ------------------------------------------------------------------------------------------------------


def test_an_answer_is_filed_with_the_footnotes_of_the_sources(tea: Path) -> None:
    answer = asked(tea, ScriptedRespondent((said(PARTLY, FULLY),), usage=Usage(100, 20, 0.5)))

    done = saved(tea, answer)

    assert (
        the_page(done)
        == f"""---
schema: knowledge/v1
slug: oxidation-of-teas
kind: concept
title: Oxidation of teas
sources:
- sources/tea.txt
confidence: 0.7
updated_at: '{NOW:%Y-%m-%dT%H:%M:%SZ}'
metadata:
  curator:
    question: How is oolong oxidised?
---

# Oxidation of teas

[[oolong|Oolong]] is oxidised in part. [^tea-1]

Black tea is oxidised in full. [^tea-2]

## Pages

- [[oolong|Oolong]]
- [[green-tea|Green tea]]

[^tea-1]: sources/tea.txt#L1 "Oolong is partly oxidised."
[^tea-2]: sources/tea.txt#L3 "Black tea is fully oxidised."
"""
    )
    assert (tea / "concepts" / "oxidation-of-teas.md").read_text("utf-8") == the_page(done)


def test_the_commit_holds_the_page_the_index_the_log_and_the_manifest(root: Path) -> None:
    taken_in(root)
    words = ("Oolong is oxidised in part.", "sources/oolong-notes.txt", "Oolong is a tea that is partly oxidised")
    answer = asked(root, ScriptedRespondent((said(words),), usage=Usage(100, 20, 0.5)), "What is oolong?")

    done = saved(root, answer, "What is oolong?")

    assert git(root, "status", "--porcelain") == ""
    assert git(root, "show", "--format=%s", "--name-only").splitlines() == [
        "query: What is oolong?",
        "",
        "_index.md",
        "_log.md",
        "_manifest.json",
        "concepts/what-is-oolong.md",
    ]
    assert git(root, "log", "-1", "--format=%(trailers)").strip().splitlines() == [
        "Curator-Query: What is oolong?",
        "Curator-Model: scripted/model",
        "Curator-Tokens: 100/20",
        "Curator-Cost: 0.500000 USD",
    ]
    event = log.parse((root / "_log.md").read_text("utf-8"))[-1]
    assert (event.type, event.subject) == ("query", "What is oolong?")
    assert event.bullets[0] == "created [[what-is-oolong]] What is oolong?"
    assert event.bullets[1] == "looked at [[oolong]], sources/brewing.txt, sources/oolong-notes.txt"
    assert event.bullets[-1] == "answered by scripted/model"
    assert "- [[what-is-oolong]] What is oolong?: Oolong is oxidised in part." in (root / "_index.md").read_text(
        "utf-8"
    )
    known = json.loads((root / "_manifest.json").read_text("utf-8"))["sources"]
    assert "what-is-oolong" in known["sources/oolong-notes.txt"]["slugs"]
    assert "what-is-oolong" not in known["sources/brewing.txt"]["slugs"]
    assert isinstance(done, Saved) and done.commit == head(root)


def test_a_filed_answer_is_no_error_to_lint_and_validate(root: Path) -> None:
    taken_in(root)
    words = ("Oolong is oxidised in part.", "oolong", "Oolong is a tea that is oxidised in part.")

    saved(root, asked(root, ScriptedRespondent((said(words),)), "What is oolong?"), "What is oolong?")

    assert [each for each in examined(root).findings if each.severity == "error"] == []
    assert run(root).exit_status == 0
    report = validate.run(root, (), {}, everything=True, staged=False, index="")
    assert report.exit_status == 0, report.lines


def test_a_table_of_several_things_is_a_comparison(tea: Path) -> None:
    answer = asked(tea, ScriptedRespondent((Statements(statements=(TABLE,)),)), "Compare green tea and black tea")

    done = saved(tea, answer)

    assert isinstance(done, Saved) and done.filed.page.path == "comparisons/oxidation-of-teas.md"
    assert "| [[green-tea\\|Green tea]] | not at all [^tea-1] |\n| Black tea | fully [^tea-2] |" in the_page(done)


def test_a_statement_without_a_footnote_is_told_and_not_filed(tea: Path) -> None:
    bare = ("Nobody knows its taste.", "oolong", "It tastes of nobody knows what.")
    answer = asked(tea, ScriptedRespondent((said(PARTLY, bare),)))

    done = saved(tea, answer)

    assert [one.text for one in answer.statements] == ["Oolong is oxidised in part.", "Nobody knows its taste."]
    assert "taste" not in the_page(done)
    assert isinstance(done, Saved)
    assert [(each.code, each.message) for each in done.filed.left_out] == [
        ("statement_uncited", "statement 2 rests on no footnote, so no source proves it")
    ]


def test_nothing_without_a_footnote_is_filed_at_all(tea: Path) -> None:
    answer = asked(tea, ScriptedRespondent((said(("Nobody knows.", "oolong", "It tastes of nobody knows what.")),)))
    before = head(tea)

    done = saved(tea, answer)

    assert isinstance(done, tuple) and [each.code for each in done] == ["statement_uncited"]
    assert head(tea) == before


def test_a_footnote_that_does_not_hold_proves_nothing(root: Path) -> None:
    made_up = page("moon", 'The moon is a cheese. [^tea-1]\n\n[^tea-1]: sources/tea.txt#L1 "The moon is a cheese."\n')
    gone = page("sun", 'The sun is a lamp. [^old-1]\n\n[^old-1]: sources/old.txt#L1 "The sun is a lamp."\n')
    planted(root, OOLONG, made_up, gone)
    lies = said(
        PARTLY, ("The moon is cheese.", "moon", "The moon is a cheese."), ("A lamp is it.", "sun", "The sun is a lamp.")
    )
    answer = asked(root, ScriptedRespondent((lies,)), "oolong, moon and sun")

    done = saved(root, answer)

    assert len(answer.statements) == 2  # nothing tells against the lamp: its source is not there
    assert [each.code for each in answer.left_out] == ["page_unknown", "citation_unproven"]
    assert isinstance(done, Saved)
    assert [each.code for each in done.filed.left_out] == ["citation_unproven"]
    assert "cheese" not in the_page(done) and "lamp" not in the_page(done)


def test_a_page_moved_meanwhile_is_read_anew(tea: Path) -> None:
    answer = asked(tea, ScriptedRespondent((said(PARTLY, FULLY),)))
    file = tea / "concepts" / "oolong.md"
    file.write_text(file.read_text("utf-8").replace("Oolong is partly oxidised. [^tea-1]", "Oolong is blue."), "utf-8")
    commit(tea)

    done = saved(tea, answer)

    assert "in part" not in the_page(done) and "in full" in the_page(done)


def test_a_branch_that_moves_while_it_is_written_is_no_matter(tea: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = asked(tea, ScriptedRespondent((said(PARTLY),)))
    drafted = file_answer.file_answer
    moves = [1]

    def file(*arguments: object) -> file_answer.Filed:
        if moves:
            moves.pop()
            commit(tea, "meanwhile")
        return drafted(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(file_answer, "file_answer", file)
    done = saved(tea, answer)

    assert isinstance(done, Saved) and done.commit == head(tea)
    assert git(tea, "log", "-2", "--format=%s").splitlines()[1] == "meanwhile"


def test_a_dry_run_shows_the_page_and_writes_nothing(tea: Path) -> None:
    before = head(tea)

    done = saved(tea, asked(tea, ScriptedRespondent((said(PARTLY),))), dry_run=True)

    assert isinstance(done, Saved) and done.commit is None
    assert done.diff.startswith("--- /dev/null\n+++ b/concepts/oxidation-of-teas.md\n")
    assert head(tea) == before and git(tea, "status", "--porcelain") == ""


def test_a_name_that_is_taken_is_said_before_anything_is_asked(tea: Path) -> None:
    with Repository(tea) as repository:
        with pytest.raises(ConfigError) as caught:
            asking.check_title("oolongs", repository, terms())
        asking.check_title("Oolong and its kin", repository, terms())

    assert caught.value.code == "title_taken"
    assert "concepts/oolong.md" in caught.value.message and "--title" in caught.value.hint


@pytest.mark.parametrize(
    ("asks", "title", "called", "unknown"),
    [
        ("How is oolong oxidised?", "", "How is oolong oxidised?", ""),
        ("Why did Oolong poison a king in 1931?", "", "About Oolong", ""),
        ("Oolong cures gout", "", "About Oolong", ""),
        ("Is [[water]] in oolong?", "", "About Oolong", ""),
        ("Oolong?", "Oxidation of oolong", "Oxidation of oolong", ""),
        ("Oolong?", "How oolong tea is made", "How oolong tea is made", ""),
        ("Oolong?", "Oolong tea is oxidised", "", "'is' is a verb"),
        ("Oolong?", "Oolong cures gout (proven)", "", "'cures', 'gout', 'proven'"),
        ("Oolong?", "Oolong in 1931", "", "'1931'"),
        ("Oolong?", "Oolong: [[water]]", "", "markup"),
    ],
)
def test_a_filed_answer_is_called_by_what_it_and_its_pages_say(
    tea: Path, asks: str, title: str, called: str, unknown: str
) -> None:
    answer = asked(tea, ScriptedRespondent((said(PARTLY),)), asks)

    if unknown:
        with pytest.raises(ConfigError) as caught:
            saved(tea, answer, title, dry_run=True)
        assert (caught.value.code, caught.value.hint) == ("title_unproven", "this would do: --title 'About Oolong'")
        assert unknown in caught.value.message
    else:
        done = saved(tea, answer, title or asks, dry_run=True)
        assert isinstance(done, Saved) and done.filed.page.title == called
        assert done.filed.page.ours["question"] == asks


def test_a_question_in_another_script_has_a_page_too(tea: Path) -> None:
    answer = asked(tea, ScriptedRespondent((said(PARTLY),)))

    done = saved(tea, answer, "烏龍茶は？")

    assert isinstance(done, Saved) and done.filed.page.slug == "u70cfu9f8du8336u306f"


def test_a_wiki_of_the_other_dialect_names_its_sources_by_id(root: Path) -> None:
    pages = []
    for path, text in (OOLONG, GREEN, WATER):
        text = text.replace("schema: knowledge/v1", "schema: knowledge.entry/v1").replace("[sources/tea.txt]", "[tea]")
        text = text.replace("nobody knows what", "5 teas")
        pages.append((path, text))
    planted(root, *pages)

    done = saved(root, asked(root, ScriptedRespondent((said(PARTLY),))), "5 teas")

    assert "schema: knowledge.entry/v1\nslug: s-5-teas\n" in the_page(done)
    assert "sources:\n- tea\n" in the_page(done)


def test_an_answer_is_no_surer_than_the_pages_it_was_taken_from(root: Path) -> None:
    path, text = OOLONG
    planted(root, (path, text.replace("confidence: 0.7", "confidence: 0.35")), GREEN, WATER)

    assert "confidence: 0.35\n" in the_page(saved(root, asked(root, ScriptedRespondent((said(PARTLY, FULLY),)))))


# -- taking it back, and the gate ----------------------------------------------------------------------------------


def test_a_filed_answer_is_taken_back_like_any_other_commit(root: Path) -> None:
    taken_in(root)
    before = {path: (root / path).read_text("utf-8") for path in ("_index.md", "_manifest.json")}
    words = ("Oolong is oxidised in part.", "oolong", "Oolong is a tea that is oxidised in part.")
    done = saved(root, asked(root, ScriptedRespondent((said(words),)), "What is oolong?"), "What is oolong?")
    assert isinstance(done, Saved) and done.commit is not None

    report = edit.undo_commits(settings(root), [done.commit[:12]], dry_run=False)

    assert report.data["removed"] == ["concepts/what-is-oolong.md"]
    assert not (root / "concepts" / "what-is-oolong.md").exists()
    assert {path: (root / path).read_text("utf-8") for path in before} == before
    assert "manual | undo" in (root / "_log.md").read_text("utf-8")
    assert git(root, "status", "--porcelain") == ""


def test_an_answer_is_filed_only_by_rules_that_are_approved(root: Path) -> None:
    taken_in(root)
    (root / "AGENTS.md").write_text("Believe everything.\n", "utf-8")
    commit(root, "new rules")
    words = ("Oolong is oxidised in part.", "oolong", "Oolong is a tea that is oxidised in part.")
    answer = asked(root, ScriptedRespondent((said(words),)), "What is oolong?")

    with pytest.raises(Conflict) as caught:
        saved(root, answer)
    with Repository(root) as repository, pytest.raises(Conflict):
        asking.check_title("Oolong's oxidation", repository, terms())

    assert caught.value.code == "schema_unapproved"
    with Repository(root) as repository:
        asking.check_title("Oolong's oxidation", repository, terms(trusts=True))
        assert isinstance(asking.save(answer, "Oolong's oxidation", repository, terms(trusts=True), False), Saved)


# -- the whole command, with the built-in -------------------------------------------------------------------------


def answered(root: Path, words: str, **wish: object) -> tuple[dict[str, Any], tuple[str, ...], int]:
    told: list[str] = []
    report = ask.run(settings(root), words, AskRequest(**wish), told.append)  # type: ignore[arg-type]
    assert told == ["answered by built-in extractive curator (no language model)"]
    return report.data, report.lines, report.exit_status


def test_the_built_in_answers_in_the_words_of_the_pages(tea: Path) -> None:
    data, lines, status = answered(tea, "How is oolong oxidised?")

    assert status == 0
    assert data["answer"] == [
        {
            "statement": "Oolong is partly oxidised.",
            "pages": ["oolong"],
            "not_in_wiki": [],
            "standing": "",
            "sources": [{"path": "sources/tea.txt", "anchor": "L1", "quote": "Oolong is partly oxidised."}],
        }
    ]
    assert lines[:5] == (
        "Oolong is partly oxidised. [^1] [[oolong]]",
        "",
        "## Sources",
        "",
        '[^1]: sources/tea.txt#L1 "Oolong is partly oxidised."',
    )
    assert (data["tokens"], data["cost"], data["view"]) == ({"prompt": 0, "completion": 0}, 0.0, None)
    assert data["model"] == "built-in extractive curator (no language model)"
    assert (data["left_out"], data["warnings"], data["commit"], data["created"]) == ([], [], None, [])


def test_the_rows_of_a_table_stay_together(tea: Path) -> None:
    data, lines, _ = answered(tea, "Which colour has black tea, and which green tea?")

    first = data["answer"][0]
    assert first["statement"].startswith("| Tea | Oxidised | Colour |\n| --- | --- | --- |\n|")
    assert "| Black tea | fully oxidised | dark red [^" in "\n".join(lines)


def test_what_no_page_says_is_told_with_the_pages_looked_at(tea: Path) -> None:
    data, lines, status = answered(tea, "Who sells oolong in Paris to tourists?")

    assert (data["answer"], status) == ([], 1)
    assert lines[0] == "the pages do not say"
    assert lines[1] == "nearest    [[oolong]] L13: Oolong is partly oxidised."
    assert lines[-1].startswith("looked at  [[oolong]]")
    assert data["nearest"][0] == {
        "name": "oolong",
        "anchor": "L13",
        "text": "Oolong is partly oxidised.",
        "standing": "",
    }
    assert answered(tea, "Zebras?")[1:] == (("the pages do not say: none is about any of these words",), 1)


def test_what_is_nearest_is_told_shortly_and_nothing_of_it_reaches_the_terminal_as_it_is(tea: Path) -> None:
    rows = "| Town | Depth |\n| --- | --- |\n" + "".join(f"| Paris \x1b[31m{n} {'x' * 300} | 5 m |\n" for n in range(5))
    (tea / "sources" / "plan.txt").write_text("Tourists of Paris: " + "茶" * 300 + "。\n")
    (tea / "concepts" / "plan.md").write_text(
        "---\nschema: knowledge/v1\nkind: concept\nslug: plan\ntitle: Plan\nsources: []\n---\n\n# Plan\n\n" + rows
    )
    git(tea, "add", "-A")
    git(tea, "commit", "-qm", "plan")

    data, lines, status = answered(tea, "Who sells oolong in Paris to tourists?")

    near = [line for line in lines if line.startswith("nearest    ")]
    assert (len(near), len(data["nearest"]), status) == (3, 3, 1)
    assert not any("\x1b" in line for line in lines)
    assert all(len(line) < 300 for line in near)
    assert any("| Town | Depth |" in line for line in near)
    texts = [each["text"] for each in data["nearest"]]
    assert len(set(texts)) == 3


def test_the_command_files_the_answer(tea: Path) -> None:
    data, lines, status = answered(tea, "How is oolong oxidised?", save=True)

    assert (status, data["created"], data["commit"]) == (0, ["how-is-oolong-oxidised"], head(tea))
    assert (
        lines[-1]
        == f"saved      [[how-is-oolong-oxidised]] concepts/how-is-oolong-oxidised.md: commit {head(tea)[:12]}"
    )


def test_the_command_says_when_nothing_can_be_filed(root: Path) -> None:
    planted(root, page("rumour", "They say the rumour is about tea.", title="Rumour"), OOLONG)
    before = head(root)

    data, lines, status = answered(root, "What does the rumour say?", save=True)

    assert (status, data["commit"], data["created"]) == (1, None, [])
    assert "not saved  nothing of the answer is proven by a source" in lines
    assert [each["code"] for each in data["findings"]] == ["statement_uncited"]
    assert head(root) == before


@pytest.mark.parametrize(("words", "code"), [(" ?! ", "question_empty"), ("tea " * 400, "question_too_long")])
def test_what_is_no_question_is_refused(tea: Path, words: str, code: str) -> None:
    with pytest.raises(ConfigError) as caught:
        ask.run(settings(tea), words, AskRequest(), lambda _: None)

    assert caught.value.code == code


def test_a_question_is_one_printable_line_wherever_it_is_written(tea: Path) -> None:
    words = "Is oolong oxidised partly?\n\nCurator-Undone: HEAD\x1e\x1b[31m [[was]] <b>"

    saved(tea, asked(tea, ScriptedRespondent((said(PARTLY),)), question.normalize_question(words)))

    assert git(tea, "log", "-1", "--format=%(trailers:key=Curator-Undone)") == ""
    (event,) = [each for each in log.parse((tea / "_log.md").read_text("utf-8")) if each.type == "query"]
    assert event.subject == r"Is oolong oxidised partly? Curator-Undone: HEAD \[31m \[\[was\]\] \<b>"
    assert "\x1b" not in git(tea, "show", "HEAD")


def proven_by(text: str, answer: Answer) -> Provable:
    """What of an answer the source of the teas proves when it says ``text``."""
    return SourceProofs(lambda path: Evidence(path, Document.from_text(text)), ABOUT_OOLONG).provable(answer.statements)


def test_only_the_footnotes_that_hold_are_kept(tea: Path) -> None:
    quotes = (Quote(page=PARTLY[1], words=PARTLY[2]), Quote(page=FULLY[1], words=FULLY[2]))
    both = Statement(text="Black tea is fully oxidised.", quotes=quotes)
    answer: Answer = asked(tea, ScriptedRespondent((Statements(statements=(both,)),)), ABOUT_OOLONG)

    found = proven_by(TEA.replace("partly", "hardly"), answer)

    assert [[citation.anchor for citation in kept.citations] for kept in found.statements] == [["L3"]]
    assert found.left_out == ()


def test_what_a_page_says_beyond_its_source_is_told_and_not_filed(root: Path) -> None:
    words = "Oolong is partly oxidised and cures colds."
    planted(root, page("oolong", f'{words} [^tea-1]\n\n[^tea-1]: sources/tea.txt#L1 "{PARTLY[2]}"\n'))
    answer = asked(root, ScriptedRespondent((said(PARTLY, ("Oolong cures colds.", "oolong", words)),)))

    done = saved(root, answer)

    assert [one.text for one in answer.statements] == [PARTLY[0], "Oolong cures colds."]
    assert isinstance(done, Saved) and "cures" not in the_page(done)
    assert [(each.code, each.message) for each in done.filed.left_out] == [
        ("statement_unproven", "statement 2 says what the sources of its footnotes do not (not_covered)")
    ]


def test_a_statement_may_rest_on_two_sources_together(root: Path) -> None:
    (root / "sources" / "more.txt").write_text("Pu-erh is aged in caves.\n", "utf-8")
    aged = page("pu-erh", 'It is aged in caves. [^m-1]\n\n[^m-1]: sources/more.txt#L1 "Pu-erh is aged in caves."\n')
    planted(root, OOLONG, aged)
    quotes = (Quote(page="oolong", words=PARTLY[2]), Quote(page="pu-erh", words="It is aged in caves."))
    both = Statement(text="Oolong is partly oxidised, and Pu-erh is aged in caves.", quotes=quotes)

    done = saved(root, asked(root, ScriptedRespondent((Statements(statements=(both,)),)), "oolong and pu-erh"))

    assert isinstance(done, Saved) and done.filed.left_out == ()
    assert {each.path for each in done.filed.page.citations.values()} == {"sources/tea.txt", "sources/more.txt"}


def test_a_title_that_is_too_long_is_told_before_anything_is_asked(tea: Path) -> None:
    with Repository(tea) as repository, pytest.raises(ConfigError, match="300 characters; at most 200"):
        asking.check_title("x" * 300, repository, terms())
