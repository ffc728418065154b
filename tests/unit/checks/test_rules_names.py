"""What nobody can cite: titles, aliases, headings, heads of tables, the words of links."""

from __future__ import annotations

import pytest

from curator.wiki.workspace.workspace import CurationPolicy
from support.changes import GROWN, OOLONG, PARTLY, PATH, TEA, change, codes, edited, fresh
from support.pages import page

SAID = f"Oolong is partly oxidised. [^oolong-1]\n\n{PARTLY}"
THYMOL = page("thymol", "Thymol is a remedy.")
TRIAL = """# Thymol trial

Thymol (the plain name of 2-isopropyl-5-methylphenol) was laid on the hive in autumn. The trial took 6 weeks.
Oxalic acid dribble (OAD), also known as the dribble method, is a winter treatment. Thymol or formic acid kill mites.
The hive is not approved by the EU, and thymol does not kill all bees.
"""


def named(title: str, kind: str = "concept") -> set[str]:
    return codes(change([TEA], [fresh(SAID, kind=kind, title=title)]))


def aliased(*aliases: str, title: str = "Thymol", text: str = TRIAL) -> set[str]:
    new = fresh(SAID.replace("Oolong is", f"{title} is"), title=title, metadata={"curator": {"aliases": list(aliases)}})
    return codes(change([TEA], [new], source_text=text, path=PATH)) & {"alias_unknown"}


@pytest.mark.parametrize(
    "title",
    [
        "the",
        "Miracle cure",
        "Oolong cures colds",
        "Oolong is not a tea",
        "Fujian tea ceremony",
        "Thymol",
        "Oolong and thymol",
    ],
)
def test_a_title_that_the_source_does_not_state_is_refused(title: str) -> None:
    assert "title_unknown" in named(title)


@pytest.mark.parametrize(
    "title", ["Oolong", "OOLONGS", "The pot of oolong", "Oolong pot", "kettle heat", "Fujian", "Oolong (tea)"]
)
def test_a_title_is_a_name_of_the_source_however_it_is_spelt(title: str) -> None:
    assert named(title) == set()


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("timeline", "History of oolong"),
        ("timeline", "Oolong timeline"),
        ("comparison", "Fujian and Taiwan compared"),
        ("comparison", "Oolong compared with tea"),
        ("comparison", "Comparison of Fujian, Taiwan and tea"),
        ("summary", "Oolong notes"),
        ("summary", "Oolong notes, 2026-03-01"),
        ("summary", "Notes on oolong"),
    ],
)
def test_a_history_a_comparison_and_a_summary_are_titled_by_such_names(kind: str, title: str) -> None:
    assert "title_unknown" not in named(title, kind)


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("timeline", "History of thymol"),
        ("comparison", "Oolong and thymol compared"),
        ("summary", "Why oolong cures colds"),
        ("summary", "Partly oxidised before it is fired"),
    ],
)
def test_not_by_others(kind: str, title: str) -> None:
    assert "title_unknown" in named(title, kind)


def test_a_source_in_another_language_is_titled_freely() -> None:
    german = "# Wintervorrat\n\nDer Wintervorrat ist nicht mit dem Futter zu verwechseln, das die Bienen sammeln.\n"

    found = codes(change([TEA], [fresh(SAID, title="Winter stores")], source_text=german))

    assert "title_unknown" not in found


def test_where_claims_need_no_evidence_titles_need_none() -> None:
    policy = CurationPolicy(grounding="recommended")

    assert codes(change([TEA], [fresh(SAID, title="A lovely drink")], policy=policy)) == set()


@pytest.mark.parametrize(
    "alias",
    ["the", "hive", "trial", "e", "x" * 61, "Thymol kills all mites", "formic acid", "oxalic acid dribble", "EU"],
)
def test_an_alias_that_the_source_does_not_give_this_thing_is_refused(alias: str) -> None:
    assert aliased(alias) == {"alias_unknown"}


@pytest.mark.parametrize(
    ("title", "alias"),
    [
        ("Oxalic acid dribble", "OAD"),
        ("Oxalic acid dribble", "dribble method"),
        ("Oxalic acid dribble", "Oxalic-acid dribbles"),
        ("OAD", "Oxalic acid dribble"),
    ],
)
def test_an_alias_that_it_gives_is_good(title: str, alias: str) -> None:
    assert aliased(alias, title=title) == set()


def test_aliases_are_few() -> None:
    names = [f"{letter}ola".upper() for letter in "abcdef"]
    text = "Thymol is a tea." + "".join(f" Thymol, also called {name}, is a tea." for name in names)

    assert aliased(*names[:5], text=text) == set()
    assert aliased(*names, text=text) == {"alias_unknown"}


def test_a_name_that_the_page_gives_itself_is_good() -> None:
    old = page("oolong", "Oolong, also known as Wulong, is a tea.")
    new = edited(old, add="It grows. [^oolong-2]", notes=GROWN, metadata={"curator": {"aliases": ["Wulong"]}})

    assert "alias_unknown" not in codes(change([old], [new]))
    assert "alias_unknown" in codes(change([TEA], [edited(TEA, metadata={"curator": {"aliases": ["Wulong"]}})]))


def labelled(heading: str, text: str = OOLONG) -> set[str]:
    body = f"Oolong is partly oxidised. [^oolong-1]\n\n## {heading}\n\nIt is a tea. [^oolong-1]\n\n{PARTLY}"
    return codes(change([TEA], [fresh(body)], source_text=text))


@pytest.mark.parametrize(
    "heading",
    [
        "Approved by the EU",
        "Kills all bees",
        "Oolong cures colds",
        "Water when nobody was looking",
        "Kills all bees when Tea was written",
        "Harmless",
        "Safe for tea",
        "Oolong is proven",
        "Miracle butterfly",
        "Never brewed",
        "Oolong approved",
        "How oolong kills tea",
        "Run `rm -rf`",
        "Rejected",
        "Brewed coffee",
    ],
)
def test_a_heading_that_states_is_refused(heading: str) -> None:
    assert "label_unknown" in labelled(heading, OOLONG + "It is not approved by the EU, and kills all bees never.\n")


@pytest.mark.parametrize(
    "heading",
    [
        "Key points",
        "Compared with tea",
        "Discovery",
        "What has changed",
        "Related",
        "Before brewing",
        "How to brew it",
        "Growing",
        "Fujianese tea",
        "Fujianese",
        "Pots and water",
        "From Oolong notes",
        "From Tea",
        "The filter `{{ leaf }}`",
        "3. Rejected ideas",
        "Brewing temperature",
        "Oxidised leaf and tea",
        "Which pot for oolong?",
        "Oolong",
        "Water when Tea was written",
    ],
)
def test_a_heading_that_labels_is_good(heading: str) -> None:
    assert "label_unknown" not in labelled(heading)


def test_a_heading_may_name_the_rest_of_a_kind() -> None:
    text = OOLONG + "Some parts are not included.\n"

    assert "label_unknown" not in labelled("Parts not included", text)
    assert "label_unknown" in labelled("Oolong not included", text)


@pytest.mark.parametrize("heading", ["Why oolong is oxidised", "Do not brew oolong twice"])
@pytest.mark.parametrize("number", ["", "7.3.  ", "2. "])
def test_a_heading_of_the_source_is_good_as_it_is(heading: str, number: str) -> None:
    assert labelled(heading, f"{OOLONG}\n## {number}{heading}\n\nIt is a tea.\n") == set()


def test_a_heading_may_begin_with_a_word_that_the_source_names_in_quotes() -> None:
    named = f"{OOLONG}\nThe 'have' leaves are green.\n"

    assert labelled("Have leaves and pots", named) == set()
    assert "label_unknown" in labelled("Have pots and leaves", named)


def test_a_head_of_a_column_that_states_is_refused_and_an_empty_row_too() -> None:
    good = f"| Place | Kind of tea |\n|---|---|\n| Taiwan [^oolong-1] | oolong |\n\n{PARTLY}"

    assert codes(change([TEA], [fresh(good)])) == set()
    assert "label_unknown" in codes(change([TEA], [fresh(good.replace("Place", "Oolong cures colds"))]))
    empty = good.replace("| Taiwan", "| [^oolong-1] | |\n| Taiwan")
    assert "table_empty" in codes(change([TEA], [fresh(empty)]))


def linked(link: str) -> set[str]:
    pages = [
        TEA,
        THYMOL,
        page("oxalic-acid", "An acid."),
        page("pest-management", "x", title="Integrated Pest Management"),
    ]
    text = f"Oolong, see {link}, is partly oxidised. [^oolong-1]\n\n{PARTLY}"
    return codes(change(pages, [fresh(text)], source_text=f"{OOLONG}\nSee https://tea.example.org\n")) & {"link_label"}


@pytest.mark.parametrize(
    "link",
    [
        "[[thymol|oxalic acid]]",
        "[[thymol|the oxalic acid]]",
        "[[thymol|formic acid]]",
        "[[thymol|Fujian]]",
        "[formic acid](thymol.md)",
        "[https://good.example](https://tea.example.org/oolong?lang=en)",
    ],
)
def test_the_words_of_a_link_do_not_mislead(link: str) -> None:
    assert linked(link) == {"link_label"}


@pytest.mark.parametrize(
    "link",
    [
        "[[thymol]]",
        "[[thymol|Thymol]]",
        "[[thymol|treated with thymol]]",
        "[[thymol|the remedy]]",
        "[[thymol|here]]",
        "[[oxalic-acid|acids]]",
        "[[pest-management|IPM]]",
        "[https://tea.example.org](https://tea.example.org/oolong?lang=en)",
        "[a map](https://tea.example.org/oolong?lang=en)",
    ],
)
def test_words_that_name_the_page_or_nothing_are_good(link: str) -> None:
    assert linked(link) == set()


def test_links_that_were_there_are_not_judged() -> None:
    old = page("old", "See [[thymol|oxalic acid]].")

    assert (
        codes(change([THYMOL, old], [edited(old, add="It grows. [^oolong-2]", notes=GROWN)])) & {"link_label"} == set()
    )
