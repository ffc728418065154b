"""The text of sources as passages: how it is cut, kept by its bytes, and found."""

from __future__ import annotations

from curator.repository.source_index import IndexedSource, SourceIndex
from curator.wiki.passages.of_source import passages_of
from curator.wiki.passages.passage import Reading
from curator.wiki.sources.evidence import Missing
from curator.wiki.sources.source import Document

RST = (
    "Tea\n===\n\nTea is a drink.\n\nBrewing\n-------\n\nIt takes:\n\n- a pot,\n- hot water.\n\n"
    "Water\n~~~~~\n\nIt is soft.\n"
)


def test_a_passage_keeps_its_headings_and_its_place_and_a_list_what_leads_in_to_it() -> None:
    title, passages = passages_of(Document.from_text(RST), "rst")

    assert title == "Tea"
    assert [(each.headings, each.anchor, " ".join(each.text.split())) for each in passages] == [
        ((), "L4", "Tea is a drink."),
        (("Brewing",), "L9-L12", "It takes: - a pot, - hot water."),
        (("Brewing", "Water"), "L17", "It is soft."),
    ]


def test_a_long_paragraph_is_cut_between_sentences_wherever_its_lines_end() -> None:
    sentences = [f"Sentence {n} of the long paragraph tells, e.g. of tea, as much as any other one." for n in range(20)]
    words = " ".join(sentences).split(" ")
    text = "\n".join(" ".join(words[at : at + 11]) for at in range(0, len(words), 11))

    _, passages = passages_of(Document.from_text(f"It is first.\n\n{text}\n"), "text")

    said = [" ".join(each.text.split()) for each in passages[1:]]
    assert len(said) == 5 and " ".join(said) == " ".join(sentences)
    assert all(each.startswith("Sentence") and each.endswith("one.") for each in said)
    lines = text.split("\n")
    for each in passages[1:]:
        first, last = (int(number) - 3 for number in each.anchor.replace("L", "").split("-"))
        assert each.text in "\n".join(lines[first : last + 1]) and each.text.count("\n") == last - first


def test_the_head_of_a_document_is_cut_between_its_fields() -> None:
    head = (
        "PEP: 751\nTitle: A file format to record dependencies\nAuthor: Ann Bee <ann@example.org>,\n        Cee Dee\n"
        "Status: Final\nCreated: 24-Jul-2024\nPost-History:\n  `25-Jul-2024 <https://example.org/t/59173>`__\n"
        "  `30-Oct-2024 <https://example.org/t/69721>`__\nReplaces: 665\n"
    )

    _, passages = passages_of(Document.from_text(f"{head}\nIt is a proposal.\n"), "rst")

    assert [(each.text.split(":")[0], each.anchor) for each in passages] == [
        ("PEP", "L1-L2"),
        ("Author", "L3-L6"),
        ("Post-History", "L7-L9"),
        ("Replaces", "L10"),
        ("It is a proposal.", "L12"),
    ]
    found = Reading("a", "a", "A", ("A",), passages).find(
        "Status: Final"
    )  # a whole field is quoted, few as its words are
    assert not isinstance(found, Missing) and found == (passages[1],)


def test_a_field_of_a_head_in_small_letters_may_be_quoted_whole() -> None:
    head = "---\neip: 2930\ntitle: Access lists\nstatus: Draft\ntype: Core\n---\n\nIt is a proposal.\n"

    _, passages = passages_of(Document.from_text(head), "md")

    found = Reading("a", "a", "A", ("A",), passages).find("status: Draft")
    assert not isinstance(found, Missing) and "status: Draft" in found[0].text


def test_a_list_is_cut_before_the_numbers_of_its_items_and_a_sentence_nowhere_while_one_ends_near() -> None:
    items = "\n".join(f"{n}. If a field {'is marked as dynamic and ' * 9}so on, then wait." for n in range(1, 4))
    long = f"It is first. {'It goes on and on (``so it does``), with no end in sight ' * 9}now. So it ends.\n"

    for text, starts in ((items, "123"), (long, "II")):
        _, passages = passages_of(Document.from_text(text), "rst")
        assert [each.text[0] for each in passages][: len(starts)] == list(starts), passages


def test_only_what_is_new_is_read_and_what_is_gone_is_found_no_more() -> None:
    index = SourceIndex.open(None)
    read: list[str] = []

    def source(path: str) -> IndexedSource:
        read.append(path)
        return IndexedSource(path, "Tea", passages_of(Document.from_text(RST), "rst")[1])

    index.refresh({"sources/a.rst": "1", "sources/b.rst": "1"}, source)
    index.refresh({"sources/a.rst": "2", "sources/c.rst": "1"}, source)

    assert read == ["sources/a.rst", "sources/b.rst", "sources/a.rst", "sources/c.rst"]
    assert sorted(each.path for each in index.any_of(["soft"], 9)) == ["sources/a.rst", "sources/c.rst"]
    assert (index.count(), index.holding(["pot"])) == (6, {"pot": 2})
