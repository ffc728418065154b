"""Passages are ranked by the vectors of their words, too."""

from __future__ import annotations

import subprocess
import sys

import pytest

from curator.ask import meaning
from curator.ask.meaning import ranked_by_word_vectors
from curator.models.word_vectors import WordVectors, word_vectors
from curator.wiki.passages.passage import Passage, Reading
from curator.wiki.passages.selection import Candidate


@pytest.fixture(scope="module")
def vectors() -> WordVectors:
    found = word_vectors()
    assert found is not None, "the development group brings the table"
    return found


def candidate(text: str, fused: float) -> Candidate:
    passage = Passage("", text)
    return Candidate(
        Reading(text[:3], f"concepts/{text[:3]}.md", text[:3], (), (passage,)), 0, passage, None, fused, fused
    )


def test_what_says_it_in_other_words_is_nearer(vectors: WordVectors) -> None:
    near, far = vectors.likeness("How hot is the water?", ["Heat it until it boils.", "The invoice is due in March."])
    assert near > far


def test_a_word_that_all_texts_have_counts_little(vectors: WordVectors) -> None:
    texts = ["the kettle whistles", "the kettle is red", "the kettle costs ten francs"]
    first, second, third = vectors.likeness("What does the kettle cost?", texts)
    assert third > max(first, second)


def test_nearness_is_the_same_whatever_stands_beside_a_text(vectors: WordVectors) -> None:
    asked, kettle = "How hot is the kettle?", "The kettle boils."

    (alone,) = vectors.nearness(asked, [kettle])
    beside, far = vectors.nearness(asked, [kettle, "An invoice is due."])

    assert alone == beside > far


@pytest.mark.parametrize("text", ["", " ", "\0", "\N{ZERO WIDTH SPACE}", "日本語の文です。"])
def test_any_text_has_a_likeness(vectors: WordVectors, text: str) -> None:
    texts = [text, "a kettle", ""]
    assert all(-1.001 <= each <= 1.001 for each in [*vectors.likeness(text, texts), *vectors.nearness(text, texts)])


BILLS = [candidate(f"The invoice of lamp {number} is due.", 1.0) for number in range(40)]
HOT = candidate("Boil it hot.", 0.9)


def test_the_nearest_comes_before_those_that_have_a_little_more_by_words() -> None:
    assert ranked_by_word_vectors("How hot is boiling water?", [*BILLS, HOT])[0] is HOT


def test_without_the_table_words_alone_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "word_vectors", lambda: None)

    assert ranked_by_word_vectors("How hot is boiling water?", [*BILLS, HOT]) == [*BILLS, HOT]


def test_a_few_passages_keep_their_places() -> None:
    assert ranked_by_word_vectors("How hot is boiling water?", [BILLS[0], HOT]) == [BILLS[0], HOT]


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    code = "import curator.ask.material, sys; print([each for each in ('numpy', 'tokenizers') if each in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
