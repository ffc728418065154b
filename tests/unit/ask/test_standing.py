"""What pages cite is held against the sources before it is shown as an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.asked import OOLONG, PARTLY, TEA, asked, planted, said
from support.fakes import ScriptedRespondent
from support.lints import page
from support.standard import root

__all__ = ["root"]


def changed(root: Path, old: str, new: str) -> None:
    file = root / "sources" / "tea.txt"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def test_a_claim_whose_words_the_source_has_no_more_is_neither_shown_nor_said(root: Path) -> None:
    planted(root)
    changed(root, "Oolong is partly oxidised.", "Oolong is something else.")

    model = ScriptedRespondent((said(PARTLY),))
    answer = asked(root, model)

    assert all("partly oxidised" not in reading.text for question in model.questions for reading in question.readings)
    assert answer.statements == ()
    told = [(each.code, each.path, each.message) for each in answer.left_out]
    why = "a claim is not shown: sources/tea.txt does not have the words that it cites"
    assert ("citation_unproven", "concepts/oolong.md", why) in told


def test_nothing_is_asked_when_nothing_stands(root: Path) -> None:
    planted(root, page("mate", 'Mate is a tea. [^tea-1]\n\n[^tea-1]: sources/tea.txt#L1 "Mate is a tea of its own"\n'))

    model = ScriptedRespondent((said(),))
    answer = asked(root, model, "What is mate?")

    assert (model.questions, [each.code for each in answer.left_out]) == ([], ["citation_unproven"])


def test_words_that_stand_elsewhere_are_shown(root: Path) -> None:
    planted(root)
    changed(root, TEA, f"A new first line.\n\n{TEA}")

    answer = asked(root, ScriptedRespondent((said(PARTLY),)))

    assert [each.text for each in answer.statements] == [PARTLY[0]]
    assert answer.left_out == ()


def test_a_source_that_is_not_there_is_nobodys_proof_of_the_contrary(root: Path) -> None:
    planted(root)
    (root / "sources" / "tea.txt").unlink()

    assert len(asked(root, ScriptedRespondent((said(PARTLY),))).statements) == 1


def test_one_proof_that_stands_is_enough_and_the_other_is_not_shown(root: Path) -> None:
    name, text = OOLONG
    two = text.replace("oxidised. [^tea-1]", "oxidised. [^tea-1] [^tea-3]")
    planted(root, (name, f'{two}[^tea-3]: sources/tea.txt#L1 "Oolong is oxidised, people say"\n'))

    answer = asked(root, ScriptedRespondent((said(PARTLY),)))

    assert [[each.quote for each in one.citations] for one in answer.statements] == [["Oolong is partly oxidised."]]


@pytest.mark.parametrize(("words", "stands"), [("Oolong is partly oxidised.", True), ("Oolong is blue.", False)])
def test_a_source_that_only_the_jail_reads_is_asked_when_an_answer_rests_on_it(
    root: Path, words: str, stands: bool
) -> None:
    name, text = OOLONG
    planted(root, (name, text.replace("sources/tea.txt#L1", "sources/tea.html#L1")))
    (root / "sources" / "tea.html").write_text(f"<p>{words}</p>\n", "utf-8")

    answer = asked(root, ScriptedRespondent((said(PARTLY),)))

    assert (len(answer.statements), [each.code for each in answer.left_out]) == (
        (1, []) if stands else (0, ["citation_unproven"])
    )
