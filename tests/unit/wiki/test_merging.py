"""Two pages become one: every statement with its proofs, every name, every link; nothing is said twice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from curator.wiki import merging
from curator.wiki.pages.page import Page
from support.pages import laws, page, wiki

QUOTES = {"a-1": ("sources/a.txt", 1), "a-2": ("sources/a.txt", 2), "b-1": ("sources/b.txt", 3)}


def notes(*labels: str) -> str:
    return "\n".join(f'[^{label}]: {QUOTES[label][0]}#L{QUOTES[label][1]} "words of {label} in it"' for label in labels)


DRIBBLE = page(
    "oxalic-acid-dribble",
    "It is a treatment. [^a-1]\n\n## Dose\n\n- 5 ml a seam. [^a-1]\n\nSee [[dribbling]].\n\n" + notes("a-1"),
    sources=["sources/a.txt"],
)
DRIBBLING = page(
    "dribbling",
    "Dribbling is done in winter. [^a-1] See [[oxalic-acid-dribble|the page]] and [one](../concepts/bee.md).\n\n"
    "## Dose\n\n- 5 ml a seam. [^b-1]\n- Once a year. [^b-1]\n\n## Tools\n\n"
    "| what | why |\n|---|---|\n| syringe | dose [^b-1] |\n\n"
    + notes("b-1")
    + '\n[^a-1]: sources/a.txt#L9 "quite other words here"',
    title="Dribbling",
    sources=["sources/a.txt", "sources/b.txt"],
    contradicts=["bee", "oxalic-acid-dribble"],
    metadata={"curator": {"aliases": ["OA dribble"]}},
)
BEE = page(
    "bee",
    "A [[dribbling]] of a bee, [[dribbling|it]]; [[OA dribble]].\n\n| a |\n|---|\n| [[dribbling]] |\n",
    contradicts=["dribbling"],
)


def merged(kept: Page = DRIBBLE, gone: Page = DRIBBLING) -> Page:
    after = merging.merged(wiki(kept, gone, BEE), kept, gone)
    assert gone.path in after.gone
    return after.changed[kept.path]


def test_every_statement_is_there_with_its_proofs_and_none_twice() -> None:
    both = merged()

    said = merging.statements(both)
    for one in (DRIBBLE, DRIBBLING):
        for words, cited in merging.statements(one).items():
            assert cited <= said[words]
    assert both.body.count("5 ml a seam") == 1
    assert both.body.count("## Dose") == 1
    assert "dribble|the page" not in both.body
    assert "[[dribbling]]" not in both.body
    assert "| syringe | dose [^b-1] |" in both.body


def test_names_sources_and_relations_go_along() -> None:
    both = merged()

    assert both.aliases == ("Dribbling", "OA dribble")
    assert both.sources == ("sources/a.txt", "sources/b.txt")
    assert both.contradicts == ("bee",)


def test_links_follow_and_are_read_as_before() -> None:
    after = merging.merged(wiki(DRIBBLE, DRIBBLING, BEE), DRIBBLE, DRIBBLING)

    bee = after.changed[BEE.path]
    assert "A [[oxalic-acid-dribble|Dribbling]] of a bee, [[oxalic-acid-dribble|it]]; [[OA dribble]]." in bee.body
    assert "| [[oxalic-acid-dribble\\|Dribbling]] |" in bee.body
    assert bee.contradicts == ("oxalic-acid-dribble",)
    assert after.named("dribbling") == after.entry("oxalic-acid-dribble")


def test_a_page_of_another_folder_keeps_where_its_links_lead() -> None:
    moved = page("dribbling", "See [one](../concepts/bee.md) and [two][t].\n\n[t]: bee.md\n", kind="entity")

    both = merged(gone=moved)

    assert "See [one](bee.md)" in both.body
    assert "[t]: ../entities/bee.md" in both.body


PIECES = st.lists(
    st.sampled_from(
        ["A fact. [^a-1]", "- One. [^a-2]", "- Two. [^b-1]", "## Dose", "### Fine", "## Tools", "A fact. [^b-1]",
         "| x | y |\n|---|---|\n| 1 | 2 [^a-2] |", "```\ncode\n```", "1. First. [^b-1]"]
    ),
    max_size=8,
).map("\n\n".join)  # fmt: skip


@laws
@given(PIECES, PIECES)
def test_nothing_is_lost_whatever_the_pages_are(one: str, two: str) -> None:
    kept = page("kept", f"{one}\n\n{notes('a-1', 'a-2', 'b-1')}")
    gone = page("gone", f'{two}\n\n{notes("b-1", "a-1")}\n[^a-2]: sources/a.txt#L7 "others of these words"')

    both = merging.merged(wiki(kept, gone), kept, gone).changed[kept.path]

    said = merging.statements(both)
    for each in (kept, gone):
        for words, cited in merging.statements(each).items():
            assert words in said
            assert cited <= said[words]
