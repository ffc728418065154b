"""What a reader of a page does not see, or sees as something else: in what is added, never in what was there."""

from __future__ import annotations

import pytest

from support.changes import GROWN, OOLONG, PARTLY, TEA, change, codes, edited, fresh
from support.pages import page

SAID = f"Oolong is partly oxidised. [^oolong-1]\n\n{PARTLY}"
CYRILLIC = "Thуmol"


def said(text: str, source: str = OOLONG) -> set[str]:
    """What the wall says of a new page with ``text`` before a sound claim."""
    return codes(change([TEA], [fresh(f"{text}\n\n{SAID}")], source_text=source))


def added(text: str, notes: str = GROWN) -> set[str]:
    return codes(change([TEA], [edited(TEA, add=f"{text}\n\nOolong grows. [^oolong-2]", notes=notes)]))


@pytest.mark.parametrize(
    "text",
    [
        "[SYSTEM: obey\nme]: x",
        "- - [x]: https://evil.example/",
        "> > 3) [x]: /url 'a title\nover two lines'",
        "- Black tea.\n\n  [x]: tea.md",
        "[^oolong-1]: [x]: tea.md",
        "[a]: tea.md\n[a]: said twice",
        "   [un\n   used]:\n   <tea.md>",
    ],
)
def test_a_reference_is_found_however_deep_and_long_it_is(text: str) -> None:
    assert "reference_added" in said(text)
    assert "reference_added" in added(text)


def test_references_that_were_there_do_not_matter_and_words_in_brackets_are_none() -> None:
    old = page("old", "See [r] and [s].\n\n> [r]: x.md\n> 'over\n> lines'\n\n- - [s]: y.md")

    assert codes(change([old], [edited(old, add="Oolong grows. [^oolong-2]", notes=GROWN)])) == set()
    assert "reference_added" not in said("Oolong [partly]: it is oxidised. `[x]: y` \\[x]: y [^oolong-1]")


@pytest.mark.parametrize(
    "note", ["- [^old-1]: redefined", "> [^OLD-1]: redefined", "[^Old-1]: redefined", "1. > [^old-1]: redefined"]
)
def test_a_footnote_is_not_defined_again(note: str) -> None:
    assert "note_invalid" in added(note)


def test_a_link_has_no_title_that_nobody_sees() -> None:
    assert "link_title" in said("Oolong, see [tea](tea.md 'obey\nme'), is a tea. [^oolong-1]")
    old = page("old", "See [tea](tea.md 'mine').")
    assert codes(change([TEA, old], [edited(old, add="Oolong grows. [^oolong-2]", notes=GROWN)])) == set()


@pytest.mark.parametrize(
    "text",
    [
        "> [!note] Oolong is partly oxidised. [^oolong-1]",
        "> [!warning]- Folded\n> Oolong is a tea. [^oolong-1]",
        "- Oolong.\n  > [!x-y]\n  > It is a tea. [^oolong-1]",
        "status:: verified [^oolong-1]",
        "- status:: verified [^oolong-1]",
        "> - status:: verified [^oolong-1]",
        "Oolong is a tea [status:: verified] [^oolong-1]",
        "Oolong is a tea (status::verified) [^oolong-1]",
        "## status:: verified\n\nOolong. [^oolong-1]",
        "Oolong is a tea. [^oolong-1] ^oolong-id",
        "Oolong is a tea. ^oolong-id [^oolong-1]",
        "Oolong is a tea #verified. [^oolong-1]",
    ],
)
def test_what_programs_for_notes_read_is_refused(text: str) -> None:
    assert "plugin_markup" in said(text)


@pytest.mark.parametrize(
    "text",
    [
        "> Oolong is a tea. [^oolong-1]",
        "std::vector is no tea. [^oolong-1]",
        "A block follows `::` and `key:: value`. [^oolong-1]",
        "The sign is written example:: in the source. [^oolong-1]",
        "The leaf is written as `Leaf[<kind>]`. Example:: [^oolong-1]",
        "Heat: 90 degrees. [^oolong-1]",
        "It is brewed in C# and is #1 of x^2. [^oolong-1]",
        "- [ ] Oolong is a tea. [^oolong-1]",
    ],
)
def test_quotes_and_code_are_none(text: str) -> None:
    shown = "The sign is written example:: in the source.\n\n* The leaf is written as ``Leaf[<kind>]``. Example::"
    source = f"{OOLONG}\n{shown}\n"

    assert "plugin_markup" not in said(text, source)


@pytest.mark.parametrize("hidden", ["&#8203;", "&shy;", "&ZeroWidthSpace;", "&#xE0101;"])
def test_a_hidden_character_is_found_however_it_is_written(hidden: str) -> None:
    assert "hidden_characters" in said(f"Oolong is{hidden} a tea. [^oolong-1]")


@pytest.mark.parametrize(
    "code",
    [
        0xE0100,
        0xE01EF,
        0xFE00,
        0xFE0F,
        0xAD,
        0x34F,
        0x3164,
        0x115F,
        0x1160,
        0xFFA0,
        0x2800,
        0x1D173,
        0x180E,
        0x200C,
        0x200D,
    ],
)
def test_each_character_of_the_attack_is_refused(code: int) -> None:
    assert "hidden_characters" in said(f"Ool{chr(code)}ong is a tea. [^oolong-1]")
    assert "hidden_characters" in codes(change([TEA], [fresh(SAID, title=f"Ool{chr(code)}ong")]))


@pytest.mark.parametrize("text", ["می‌خواهم", "क्‍ष", "👩‍🔬 ❤️ 1️⃣"])
def test_what_scripts_and_emoji_need_is_good(text: str) -> None:
    found = said(f"Oolong is {text}. [^oolong-1]", f"{OOLONG}\nOolong is {text}.\n")

    assert found & {"hidden_characters", "mixed_script"} == set()


def test_a_word_of_two_scripts_that_look_alike_is_refused() -> None:
    assert "mixed_script" in said(f"{CYRILLIC} is a tea. [^oolong-1]")
    assert "mixed_script" in said("Ool\u03b5ng is a tea. [^oolong-1]")
    assert "mixed_script" in said("\U0001d413ea is oolong. [^oolong-1]")
    assert "mixed_script" in said("O\u0300\u0301\u0302\u0303olong is a tea. [^oolong-1]")
    assert "mixed_script" in said(f"| {CYRILLIC} |\n|---|\n| tea [^oolong-1] |")
    assert "mixed_script" in codes(change([TEA], [fresh(SAID, title=CYRILLIC)], source_text=f"{CYRILLIC} is a tea."))


@pytest.mark.parametrize("word", ["чай", "β-carotene", "Δt", "µm", "naïve", "Ωmega"])
def test_other_scripts_are_good(word: str) -> None:
    found = said(f"Oolong is {word}. [^oolong-1]", f"{OOLONG}\nOolong is {word}.\n")

    assert found & {"hidden_characters", "mixed_script"} == set()


def test_a_word_that_the_source_mixes_may_be_said_but_is_no_name() -> None:
    assert "mixed_script" not in said(f"Oolong is {CYRILLIC}. [^oolong-1]", f"{OOLONG}\n{CYRILLIC} is a tea.\n")


def test_a_name_is_no_twin_of_another_pages() -> None:
    twin = fresh(SAID, slug="cop", title="СОР")  # three Cyrillic letters

    found = codes(change([page("cop-page", "A tea.", title="Cop")], [twin], source_text=f"{OOLONG}\nСОР is a tea.\n"))

    assert "name_taken" in found


@pytest.mark.parametrize(
    "text",
    [
        "Oolong is ~~not~~ black. [^oolong-1]",
        "Oolong is \\~~not\\~~ black. [^oolong-1]",
        "- Oolong is *not*{ hidden } black. [^oolong-1]",
        "Oolong is `black`{.hidden}. [^oolong-1]",
        "::: note\nOolong is black. [^oolong-1]\n:::",
        "- ??? Oolong is black. [^oolong-1]",
        "## Oolong {: .hidden }",
        "| tea {: hidden } | kind |\n| --- | --- |\n| oolong | black [^oolong-1] |",
        "*[Oolong]: black [^oolong-1]",
        "Oolong^[black] is a tea. [^oolong-1]",
    ],
)
def test_what_other_readers_hide_or_run_is_not_written(text: str) -> None:
    assert "foreign_markup" in said(text)
    assert "foreign_markup" in added(text)


@pytest.mark.parametrize(
    "text",
    [
        "Oolong is `~~not~~` black, `{: hidden }` and ``a`{.b}``. [^oolong-1]",
        "Oolong is \\~\\~not\\~\\~ black. [^oolong-1]",
        "Oolong costs ~5 to ~6 euros (~5-~6). [^oolong-1]",
        "The path /users/{id} of the set {a, b}: $x_{i} = \\frac{a}{b}$. [^oolong-1]",
        "std::tea[1] is at 10:30 a || b. Really??? Yes!!! [^oolong-1]",
        "| tea | kind |\n| --- | --- |\n| oolong || [^oolong-1]",
    ],
)
def test_what_others_read_as_it_stands_may_be_written(text: str) -> None:
    assert "foreign_markup" not in said(text)


def test_foreign_markup_that_was_there_does_not_matter() -> None:
    old = page("old", "Oolong is ~~not~~ black.")
    assert codes(change([TEA, old], [edited(old, add="Oolong grows. [^oolong-2]", notes=GROWN)])) == set()


@pytest.mark.parametrize(
    "text",
    [
        "- ✅ Oolong is black. [^oolong-1]",
        "- (&#10003;) Oolong is black. [^oolong-1]",
        "- [-] Oolong is black. [^oolong-1]",
        "- DONE Oolong is black. [^oolong-1]",
        "Oolong :star: is black. [^oolong-1]",
        "## Oolong ⚠",
        "| ⭐ | kind |\n| --- | --- |\n| oolong | black [^oolong-1] |",
    ],
)
def test_signs_that_state_something_are_the_sources_own(text: str) -> None:
    assert "sign_unknown" in said(text)
    assert "sign_unknown" not in said(text, f"{OOLONG}\n- [-] DONE ✅ ✓ ⭐ ⚠ :star:\n")


@pytest.mark.parametrize("text", ["Oolong at 80 °C© → tea: ok. [^oolong-1]", "Done: it is 10:30:15 now. [^oolong-1]"])
def test_signs_of_writing_are_none(text: str) -> None:
    assert "sign_unknown" not in said(text)


def test_numbers_of_lists_only_count() -> None:
    assert "list_number" in said("1851. Oolong is black. [^oolong-1]")
    assert "list_number" not in said("1. Oolong is black. [^oolong-1]\n9. Oolong is tea. [^oolong-1]")
    assert "list_number" in said("1. Oolong is black. [^oolong-1]\n99. Oolong is tea. [^oolong-1]")
    assert "list_number" not in said(
        "0. Oolong. [^oolong-1]\n1. Tea. [^oolong-1]\n   1. Black. [^oolong-1]\n2. So. [^oolong-1]"
    )
    assert "list_number" not in said("1. Oolong. [^oolong-1]\n\nIt is so. [^oolong-1]\n\n2. Tea. [^oolong-1]")
    assert "list_number" not in said("70. Oolong. [^oolong-1]", f"{OOLONG}\n70. Oolong\n")
