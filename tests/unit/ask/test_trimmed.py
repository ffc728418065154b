"""What of a passage is shown: the sentences that have something of the question, and what stands between them."""

from __future__ import annotations

from curator.wiki.passages.passage import Passage, Reading
from curator.wiki.passages.ranking import telling_terms
from curator.wiki.passages.selection import Candidate
from curator.wiki.passages.trimmed import trimmed, without_idle_ends

TEXT = "It was cold. The kettle is full. Nobody speaks. Then tea is poured. It steams. All go home."


def said(text: str, question: str, kind: str = "source") -> str:
    return without_idle_ends(Passage(kind, text), telling_terms(question)).text


def test_sentences_at_the_ends_without_a_word_of_the_question_are_left_out_but_for_one_behind() -> None:
    assert said(TEXT, "Where is the kettle?") == "The kettle is full. Nobody speaks."
    assert said(TEXT, "kettles and teas") == "The kettle is full. Nobody speaks. Then tea is poured. It steams."


def test_what_leads_in_to_a_list_stays_with_its_item_and_a_number_with_its_words() -> None:
    assert said("* 2021-11-16\n\n  * Tea inside class scope", "tea") == "* 2021-11-16\n\n  * Tea inside class scope"
    assert said("It is cold. Drinks are:\n\n- tea\n- milk\n- ale", "tea") == "Drinks are:\n\n- tea\n- milk"
    assert said("1. It is cold.\n2. If tea is hot, wait.", "tea") == "2. If tea is hot, wait."


def test_what_was_found_by_its_heading_alone_is_shown_whole_and_so_is_code() -> None:
    assert said(TEXT, "zebra") == TEXT
    assert said(TEXT, "kettle", "code") == TEXT


def test_passages_keep_their_order_and_what_cites_them() -> None:
    reading = Reading("a.md", "a.md", "A", ("A",), (Passage("source", TEXT), Passage("source", "The tea is hot.")))
    one, other = (Candidate(reading, number, passage) for number, passage in enumerate(reading.passages))
    one.twins, other.twins = [other], [one]

    shorter, same = trimmed([one, other], telling_terms("kettle"))

    assert (shorter.passage.text, same.passage.text) == ("The kettle is full. Nobody speaks.", "The tea is hot.")
    assert shorter.twins == [same] and same.twins == [shorter]
    assert one.passage.text == TEXT
