"""What the built-in curator answers from the passages that were found."""

from __future__ import annotations

import pytest

from curator.models.extractive import answer as built_in
from curator.models.question import Question
from curator.models.statements import Statement
from curator.wiki.passages.passage import Passage, Reading

FACTS = ("Hives are weighed on Sundays.", "The roof of the shed is green.", "Every keeper has a key to the gate.")


def source(*texts: str, path: str = "sources/notes.md") -> Reading:
    passages = tuple(Passage("source", text, anchor=f"L{n}", place=n) for n, text in enumerate(texts, start=1))
    return Reading(path, path, "Notes", ("Notes",), passages)


def answered(question: str, *texts: str, path: str = "sources/notes.md") -> list[Statement]:
    return list(built_in.answer(Question(question, (source(*texts, path=path),))).statements)


def test_what_words_mean_helps_to_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("What day are hives weighed on each week?", *FACTS)

    assert [each.text for each in answered(*asked)] == [FACTS[0]]
    monkeypatch.setattr(built_in, "word_vectors", lambda: None)
    assert answered(*asked) == []


@pytest.mark.parametrize(
    "asked",
    ["Who won the final of 1930?", "How do I paint the roof of a car?", "Which keepers were here before the war?"],
)
def test_what_nothing_says_is_not_answered(asked: str) -> None:
    assert answered(asked, *FACTS) == []


def test_of_two_that_are_as_like_the_question_the_one_that_was_found_first_is_told_first() -> None:
    two = ("The gate opens at seven on market days.", "The gate opens at nine on other days.")

    assert answered("When does the gate open?", *two)[0].text == two[0]
    assert answered("When does the gate open?", *reversed(two))[0].text == two[1]


def test_links_of_a_source_to_files_beside_it_are_words_and_its_quote_is_as_it_stands() -> None:
    text = "The fee of a call is set by [EIP-150](./eip-150.md), see [the list](https://example.org/list)."

    (statement,) = answered("What sets the fee of a call?", text)

    assert statement.text == "The fee of a call is set by EIP-150, see [the list](https://example.org/list)."
    assert [quote.words for quote in statement.quotes] == [text]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[b](./c.md "ti](tle") hangs on the wall of the shed.', "b hangs on the wall of the shed."),
        (
            "A [nail [of iron]](./n.md) hangs on the wall of the shed.",
            "A nail [of iron] hangs on the wall of the shed.",
        ),
        ("[A nail](#nails) hangs on the wall of the shed.", "A nail hangs on the wall of the shed."),
    ],
)
def test_of_such_a_link_its_label_is_left(text: str, said: str) -> None:
    assert [each.text for each in answered("What hangs on the wall of the shed?", text)] == [said]


def test_what_looks_like_a_link_in_plain_text_is_none() -> None:
    text = "A table row[column](key) gives the cell that is looked up."

    assert [each.text for each in answered("What does a table row give?", text, path="sources/notes.txt")] == [text]


def test_a_sentence_with_a_picture_is_left_to_who_tells_it_without() -> None:
    picture = "The [![crane logo](crane.png)](./crane.md) crane lifts forty tonnes over the quay."
    plain = "The crane lifts forty tonnes over the quay."

    assert [each.text for each in answered("How many tonnes does the crane lift?", picture, plain)] == [plain]


def test_fields_of_numbers_are_answers_as_any() -> None:
    data = "Maximum Kiln Temperature: 1280\nKiln Chamber Litres: 340"

    assert [each.text for each in answered("What is the maximum kiln temperature?", data)] == [" ".join(data.split())]


def test_words_before_two_colons_are_a_box_only_where_they_are_its_name() -> None:
    text = "std:: vectors grow by doubling their capacity each time."

    assert [each.text for each in answered("How do std vectors grow their capacity?", text)] == [text]


def test_boxes_code_and_idle_lines_of_a_head_are_no_answers() -> None:
    head = "PEP: 708\nTitle: The gate of the yard and when it opens\nResolution: https://example.org/gate"
    box = ".. note:: The gate of the yard opens at seven."
    code = "```sh\ngate --open. The gate of the yard opens then. gate --close\n```"

    texts = [each.text for each in answered("When does the gate of the yard open?", head, box, code)]

    assert texts == ["The gate of the yard opens at seven."]


def test_a_line_of_a_head_that_states_something_is_one() -> None:
    head = "Status: Rejected\nReplaces: the note on the gate of 2012"

    assert [each.text for each in answered("What does the note on the gate replace?", head)] == [" ".join(head.split())]


def test_in_other_languages_words_alone_decide() -> None:
    facts = ("Georg Haslinger war ein Mühlenbauer aus Passau.", "Das Wasserrad der Mühle wurde 1874 von ihm gebaut.")

    assert answered("Wie heißt die Frau von Georg Haslinger?", *facts) == []
    assert [each.text for each in answered("Wann wurde das Wasserrad gebaut?", *facts)] == [facts[1]]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("青云水库何时建成？", "青云水库于1958年建成。"),
        ("青云水库由谁设计？", "青云水库由王建国设计。"),
        ("水库的总库容是多少？", "水库的总库容为3.2亿立方米。"),
    ],
)
def test_what_only_asks_in_chinese_need_not_stand_in_the_answer(asked: str, said: str) -> None:
    facts = ("青云水库于1958年建成。", "青云水库由王建国设计。", "水库的总库容为3.2亿立方米。")

    assert [each.text for each in answered(asked, *facts)][:1] == [said]
