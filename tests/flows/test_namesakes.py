"""Sources that are called alike, and a summary that is called otherwise by now: nothing is put down to another source."""

from __future__ import annotations

from pathlib import Path

from support import standard
from support.lints import page, plant
from support.standard import BREWING, GREEN, curate, edited, head, ingest, pages
from support.wikis import MORE, OOLONG, TEA

root = standard.root

BLACK = "Black tea\n\nBlack tea is a tea that is fully oxidised.\nBlack tea is sold in Fujian.\n"


def test_a_summary_is_found_again_whatever_it_is_called_by_now(root: Path) -> None:
    for name, said in (
        ("notes.txt", TEA),
        ("notes.md", GREEN),
        ("notes.rst", BLACK),
    ):
        ingest(root, name, said)
    assert curate(root, "rename", "notes", "All of it").status == 0
    (root / "sources" / "notes.md").unlink()
    assert curate(root, "remove", "sources/notes.md", "--why", "a test").status == 0

    ingest(root, "notes.txt", TEA + "Oolong is sold in tins.\n")
    ingest(root, "notes.rst", BLACK + "Black tea is drunk with milk.\n")

    found = {path: head(file)["sources"] for path, file in pages(root).items() if path.startswith("summaries/")}
    assert found == {
        "summaries/all-of-it.md": ["sources/notes.txt"],
        "summaries/notes-summary-2.md": ["sources/notes.rst"],
    }


def test_what_is_taken_back_is_no_other_source_of_a_like_name(root: Path) -> None:
    edited(root, "KNOWLEDGE.md", ("metadata:\n", "metadata:\n  curator: {dialect: knowledge.entry/v1}\n"))
    curate(root, "approve")
    ingest(root, "notes.txt", TEA, OOLONG)
    ingest(root, "notes-2.txt", TEA + BREWING, MORE)
    assert head(root / "concepts/oolong.md")["sources"] == ["notes", "notes-2"]

    assert curate(root, "undo", "sources/notes-2.txt").status == 0
    assert head(root / "concepts/oolong.md")["sources"] == ["notes"]


def test_a_page_is_as_authoritative_as_the_sources_it_lists_by_id(root: Path) -> None:
    listed = {"schema": "knowledge.entry/v1", "sources": "[law]"}
    plant(root, page("tea-a", **{**listed, "sources": "[tea]"}), page("tea-b", **listed))
    ingest(root, "law.txt", TEA, options=("--authority", "primary"))
    edited(root, "KNOWLEDGE.md", ("\ndisplay:", "\nqueryHints: {preferAuthoritative: true}\n\ndisplay:"))

    hits = [hit["slug"] for hit in curate(root, "search", "oxidised")["hits"]]
    assert hits.index("tea-b") < hits.index("tea-a")


def test_a_dog_and_a_language_of_one_name_have_a_page_each_and_links_go_to_the_one_that_is_meant(root: Path) -> None:
    dog = "# Our dog\n\nRuby is a brown dog. Ruby sleeps in the kitchen and eats twice a day.\n"
    ingest(root, "dog.md", dog)
    tools = "# Our tools\n\nRuby is a programming language from Japan. We use it for scripts.\n"
    ingest(root, "tools.md", tools)

    made = {path: file.read_text() for path, file in pages(root).items()}
    assert "language" not in made["concepts/ruby.md"]
    assert "from Japan" in made["concepts/ruby-language.md"]
    assert "[[ruby-language|Ruby]]" in made["summaries/tools-summary.md"]
