"""The built-in curator on sources that are not in English: what they are written in, and the pages they get."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from curator.cli import cli
from curator.models.extractive.answer import answer
from curator.models.extractive.languages.language import LANGUAGES, language_of
from curator.models.extractive.languages.things import defined_by, find_mentions
from curator.models.extractive.parsing import blocks, sentences
from curator.models.extractive.terms.terms import Term
from curator.models.question import Question
from curator.wiki.passages.passage import Passage, Reading
from curator.wiki.sources.source import Document, Source
from support.places import TESTS

SOURCES = sorted((TESTS / "fixtures" / "languages").iterdir())


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_the_language_is_told_by_script_and_common_words(path: Path) -> None:
    assert language_of(path.read_text("utf-8")) == path.name[:2]


def test_english_is_english_and_a_list_of_names_is_nothing() -> None:
    assert language_of("The keeper checks each lantern, and writes it into the book that is in the house.") == "en"
    assert language_of("Torrin Brekk Lessing Nordhafen") == ""


@pytest.mark.parametrize(
    ("code", "sentence", "term"),
    [
        ("de", "Eine Wassermühle ist eine Mühle am Bach.", "Wassermühle"),
        ("de", "Unter einer Blende versteht man eine Scheibe.", "Blende"),
        ("de", "Es ist eine Mühle.", ""),
        ("de", "Die Mühle ist alt.", ""),
        ("fr", "Un phare est une tour.", "phare"),
        ("fr", "L'équipe de garde est un groupe de gardiens.", "équipe de garde"),
        ("fr", "C'est une tour.", ""),
        ("es", "Una acequia es un canal.", "acequia"),
        ("es", "Esta es la mayor.", ""),
        ("zh", "水车是一种利用水流转动的机械。", "水车"),
        ("zh", "这是一种机械。", ""),
        ("ja", "水車とは、水の流れで回る機械である。", "水車"),
        ("ja", "これは機械である。", ""),
    ],
)
def test_a_definition_is_known_by_its_beginning(code: str, sentence: str, term: str) -> None:
    assert defined_by(LANGUAGES[code], sentence) == term


def test_what_is_said_of_a_longer_name_is_not_said_of_the_shorter_one() -> None:
    language = LANGUAGES["es"]
    text = "Un faro es una torre con luz. El faro de Arne es una torre de hierro. El faro guía a los barcos."
    read = Source("sources/a.md", "sha256:0", Document.from_text(text), "markdown")
    said = sentences.read_sentences(read, blocks.read_blocks(read))
    terms = [Term("faro"), Term("faro de arne")]

    found = find_mentions(language, said, terms)

    assert [mention.sentence.index for mention in found["faro"]] == [0, 2]
    assert [mention.sentence.index for mention in found["faro de arne"]] == [1]


def test_a_spanish_sentence_without_its_subject_leans() -> None:
    language = LANGUAGES["es"]

    assert language.leans("Se fabricó en Arne en 1871.") and language.leans("Llegó en barco.")
    assert not language.leans("Se llama aljibe al depósito.") and not language.leans("El barco llegó tarde.")


def test_every_language_gets_pages_of_its_own_words(tmp_path: Path) -> None:
    runner = CliRunner()
    runner.invoke(cli, ["init", str(tmp_path)])

    done = runner.invoke(cli, ["--wiki", str(tmp_path), "ingest", *map(str, SOURCES)])

    assert done.exit_code == 0, done.output
    pages = {path.stem: path.read_text("utf-8") for path in (tmp_path / "concepts").iterdir()}
    text = "\n".join(pages.values())
    for said in (
        "Das Mühlrad ist ein Rad mit 24 Schaufeln, das sich im Bach dreht.",
        "Eine Wassermühle ist eine Mühle, die von der Kraft des Wassers angetrieben wird. Sie braucht keinen Wind",
        "La lentille de Fresnel (en anglais « Fresnel lens ») est une lentille",
        "El tribunal de aguas es una junta de ocho vecinos que reparte el agua.",
        "水车是一种利用水流转动的机械。",
        "水車とは、水の流れで回る機械である。",
        "先行書き込みログ（WAL）とは、変更を先に記録する方法をいう。",
    ):
        assert said in text
    assert "- Fresnel lens" in pages["lentille-de-fresnel"]
    assert "left out" not in done.output


@pytest.mark.parametrize(
    ("asked", "told", "other"),
    [
        (
            "Wie oft werden die Schaufeln erneuert?",
            "Alle zehn Jahre erneuert man Schaufeln aus Eiche.",
            "Der Hof ist auf dem Berg.",
        ),
        ("Combien d'ailes a le moulin ?", "Le moulin a quatre ailes de toile.", "La cour est sur le mont."),
        (
            "¿Cuántos vecinos hay en la junta?",
            "Ocho vecinos forman junta, dice ella.",
            "El patio es lo más alto del monte.",
        ),
    ],
)
def test_the_small_words_of_a_question_do_not_count_in_its_language(asked: str, told: str, other: str) -> None:
    passages = tuple(Passage("paragraph", text) for text in (told, other))
    page = Reading("page", "concepts/page.md", "Page", ("Page",), passages)

    said = answer(Question(asked, (page,)))

    assert [statement.text for statement in said.statements] == [told]
