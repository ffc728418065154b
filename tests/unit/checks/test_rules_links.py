from __future__ import annotations

import pytest

from support.changes import GROWN, PARTLY, TEA, change, edited, form_codes, fresh
from support.pages import page

DEEP = page("deep", "Tea.\n\n## Winter, feeding in\n\nTea is hot. ^warm")
GREEN = page("green tea", "Green tea is a tea.")


def said(link: str) -> set[str]:
    """What the wall says of a new page with ``link`` in a sound claim."""
    text = (
        f"Oolong, see {link}, is partly oxidised. [^oolong-1]\n\n## Own notes\n\nIt is a tea. [^oolong-1]\n\n{PARTLY}"
    )
    return form_codes(change([TEA, DEEP, GREEN], [fresh(text)]))


@pytest.mark.parametrize(
    "link",
    [
        "[[tea]]",
        "[[tea|the drink]]",
        "[[Tea]]",
        "[[tea#Making]]",
        "[[tea#making|how]]",
        "[[deep#Winter, feeding in]]",
        "[[deep#^warm]]",
        "[[#Own notes]]",
        "[[oolong]]",
        "[tea](tea.md)",
        "[tea](../concepts/tea.md#making)",
        "[tea](/concepts/tea.md)",
        "[green](green%20tea.md)",
        "[green](<green tea.md>)",
        "[deep](deep.md#winter-feeding-in)",
        "[here](#own-notes)",
        "`[[nowhere]]`",
    ],
)
def test_a_link_to_a_page_of_the_wiki_is_good(link: str) -> None:
    assert said(link) == set()


@pytest.mark.parametrize(
    "link",
    [
        "[[nowhere]]",
        "[[nowhere|tea]]",
        "[x](nowhere.md)",
        "[x](../../concepts/tea.md)",
        "[x](tea)",
        "[x](/etc/passwd)",
        "[x](a.pdf)",
    ],
)
def test_a_link_to_no_page_is_broken(link: str) -> None:
    assert said(link) == {"link_broken"}


@pytest.mark.parametrize(
    "link", ["[[tea#Nowhere]]", "[[#Nowhere]]", "[x](tea.md#nowhere)", "[x](#nowhere)", "[[deep#^cold]]"]
)
def test_a_link_to_no_heading_is_broken(link: str) -> None:
    assert said(link) == {"link_anchor_broken"}


@pytest.mark.parametrize(
    "link",
    [
        "[[KNOWLEDGE]]",
        "[[KNOWLEDGE.md]]",
        "[[agents]]",
        "[[_index]]",
        "[[_log]]",
        "[x](../AGENTS.md)",
        "[x](../_log.md)",
        r"[x](..\AGENTS.md)",
        r"[[concepts\.git\config]]",
        r"[[concepts\_index]]",
        "[x](sub%5C_log.md)",
        "[[.git/config]]",
        "[x](../.obsidian/app.json)",
        "[x](../%2Egit/config)",
    ],
)
def test_no_link_leads_to_what_is_no_page(link: str) -> None:
    assert said(link) == {"link_protected"}


def test_a_page_may_be_called_like_a_contract_file() -> None:
    agents = page("agents", "Tea is drunk by agents.")
    text = f"Oolong, see [[agents]], is partly oxidised. [^oolong-1]\n\n{PARTLY}"

    assert form_codes(change([agents], [fresh(text)])) == set()


@pytest.mark.parametrize(
    "link",
    [
        "[[sources/oolong.txt]]",
        "[x](../sources/oolong.txt)",
        "[x](/sources/oolong.txt)",
        "[x](../%73ources/oolong.txt)",
        "[x](../Sources/oolong.txt)",
        "[x](../concepts/../sources/x.pdf)",
    ],
)
def test_a_source_is_cited_not_linked(link: str) -> None:
    assert said(link) == {"link_inline_to_source"}


@pytest.mark.parametrize(
    "link",
    ["![x](https://tea.example.org/oolong?lang=en)", "![x](tea.png)", "![[secret.pdf]]", "![x](<tea.png> 'title')"],
)
def test_no_picture_is_loaded(link: str) -> None:
    assert "embed_added" in said(link)


def test_a_page_of_the_wiki_may_be_embedded() -> None:
    assert said("![[tea]]") == set()


@pytest.mark.parametrize("line", ["[ref]: tea.md", "> [ref]: tea.md", "[un used]: <tea.md> 'title'"])
def test_no_word_becomes_a_link_by_reference(line: str) -> None:
    assert "reference_added" in form_codes(
        change([TEA], [edited(TEA, add=f"{line}\n\nOolong grows. [^oolong-2]", notes=GROWN)])
    )


def test_old_links_may_be_broken() -> None:
    old = page("old", "See [[nowhere]], ![x](http://evil.example/x.png), [s](../sources/a.txt) and [r].\n\n[r]: x.md")

    assert form_codes(change([old], [edited(old, add="Oolong grows. [^oolong-2]", notes=GROWN)])) == set()


def test_a_link_may_lead_to_a_page_of_the_same_change() -> None:
    one = fresh(f"Oolong, of [[fujian]], is a tea. [^oolong-1]\n\n{PARTLY}")
    two = fresh(f"Fujian has [[oolong]]. [^oolong-1]\n\n{PARTLY}", slug="fujian")

    assert form_codes(change([TEA], [one, two])) == set()
    assert form_codes(change([TEA], [one])) == {"link_broken"}
