"""Which names and terms the extractive curator finds, and what it takes for none."""

from __future__ import annotations

import pytest

from curator.models.extractive.parsing import blocks, sentences
from curator.models.extractive.terms import acronyms, candidates, mentions
from curator.models.extractive.terms.terms import Term
from curator.wiki.sources.source import Document, Source


def terms_of(text: str, format: str = "markdown") -> dict[str, Term]:
    source = Source("sources/a.md", "sha256:0", Document.from_text(text), format)
    read = blocks.read_blocks(source)
    found = sentences.read_sentences(source, read)
    terms = candidates.find_terms(found, read.headings, read.title)
    mentions.find_mentions(found, terms.values())
    return terms


@pytest.mark.parametrize(
    ("text", "long", "short"),
    [
        ("They use Integrated Pest Management (IPM) here.", "Integrated Pest Management", "IPM"),
        ("A source distribution (sdist) is a file.", "source distribution", "sdist"),
        ("An sdist (source distribution) is a file.", "source distribution", "sdist"),
        ("It forms hydroxymethylfurfural (HMF), which harms.", "hydroxymethylfurfural", "HMF"),
        ("A Software Bill of Materials (SBOM) lists parts.", "Software Bill of Materials", "SBOM"),
    ],
)
def test_short_forms_are_paired_with_their_long_forms(text: str, long: str, short: str) -> None:
    assert list(acronyms.pairs(text)) == [(long, short)]


@pytest.mark.parametrize(
    "text", ["The queen (old) lays.", "Feed them sugar (white).", "It is warm (see below).", "The hive (in May) grew."]
)
def test_other_parentheses_are_no_short_forms(text: str) -> None:
    assert list(acronyms.pairs(text)) == []


def test_a_term_and_its_short_form_are_one() -> None:
    found = terms_of("A source distribution (sdist) is a file. An sdist is small. The `sdist` grows.")

    assert found["source distribution"].aliases == {"sdist": "sdist"}
    assert "sdist" not in found


def test_articles_plurals_and_case_make_no_new_term() -> None:
    found = terms_of("The AI Act is a law. Lawyers read AI Acts. The court cites the AI Act.")

    assert [key for key in found if "act" in key] == ["ai act"]


def test_two_names_joined_by_and_stay_two() -> None:
    found = terms_of("In 2023 the company joined Google Brain and Google Research in London.")

    assert {"google brain", "google research"} <= set(found)
    assert "google brain and google research" not in found


def test_names_may_have_a_small_word_inside() -> None:
    assert "bank of england" in terms_of("Rates are set by the Bank of England in spring.")


@pytest.mark.parametrize(
    "junk",
    [
        "The tool MUST NOT fail. Tools SHOULD work. Users MAY stop.",
        "In 2022 it rained. On Monday, in February, it snowed.",
        "Standards Track is a type. Final is a status. Abstract is a section.",
        "This PEP is a text. The PEP is long. The package manager has a `name`.",
    ],
)
def test_modals_dates_and_labels_are_no_terms(junk: str) -> None:
    found = terms_of(junk)

    assert not set(found) & {"must", "should", "may", "must not", "2022", "monday", "february", "final", "abstract"}
    assert not set(found) & {"pep", "this pep", "the", "standard track", "name", "this"}


def test_files_and_tools_keep_their_spelling_and_terms_get_a_capital() -> None:
    found = terms_of(
        "The file `pyproject.toml` is old. A build backend is a program. Use `pip` now. Then `pip` runs. So `pip` ends."
    )

    assert found["pyproject toml"].title == "pyproject.toml"
    assert found["build backend"].title == "Build backend"
    assert found["pip"].title == "pip" and found["pip"].is_name
    assert not found["build backend"].is_name


def test_a_word_for_a_kind_of_things_is_no_name_even_as_code() -> None:
    found = terms_of("A `wheel` is a file. All wheels are files. A wheel is small. Each `wheel` has a name.")

    assert not found["wheel"].is_name


def test_the_longer_of_two_terms_is_meant() -> None:
    text = "An oxalic acid dribble is a treatment. Oxalic acid is a liquid. The oxalic acid dribble helps."
    source = Source("sources/a.md", "sha256:0", Document.from_text(text), "markdown")
    read = sentences.read_sentences(source, blocks.read_blocks(source))
    found = mentions.find_mentions(read, candidates.find_terms(read, (), "").values())

    assert [m.sentence.index for m in found["oxalic acid dribble"]] == [0, 2]
    assert [m.sentence.index for m in found["oxalic acid"]] == [1]


def test_a_definition_tells_more_than_a_mention() -> None:
    text = "A brood break is a pause. Most colonies have a brood break. Brood breaks help keepers."
    source = Source("sources/a.md", "sha256:0", Document.from_text(text), "markdown")
    read = sentences.read_sentences(source, blocks.read_blocks(source))
    about = [m.about for m in mentions.find_mentions(read, candidates.find_terms(read, (), "").values())["brood break"]]

    assert about[0] >= mentions.DEFINES
    assert about[1] < mentions.ABOUT
