"""What ``make quality`` asks a wiki of curator's: no answer is a figure, a refusal ends the run."""

from __future__ import annotations

from pathlib import Path

import pytest

from quality.curated import answer


def test_a_question_of_which_the_pages_say_nothing_has_an_empty_answer(root: Path) -> None:
    told = answer(root, "Who was the third emperor of Byzantium?", None)

    assert (told.text, told.statements, told.left_out) == ("", 0, 0)


def test_a_refusal_ends_the_run_and_is_told(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="not_a_wiki"):
        answer(tmp_path, "What is what?", None)
