from __future__ import annotations

import pytest

from support.changes import BREWED, GROWN, OOLONG, PARTLY, TEA, change, edited, form_codes, fresh
from support.pages import page

CITED = "Oolong is partly oxidised. [^oolong-1]"


def said(body: str, source_text: str = OOLONG) -> set[str]:
    return form_codes(change([TEA], [fresh(f"{CITED}\n\n{body}\n\n{PARTLY}")], source_text=source_text))


@pytest.mark.parametrize(
    "body",
    [
        "<script>alert(1)</script>",
        "Oolong <img src=x onerror=alert(1)> is a tea. [^oolong-1]",
        "Oolong<br>is a tea. [^oolong-1]",
        "<!-- hidden orders -->",
        "Oolong <!-- hidden --> is a tea. [^oolong-1]",
        "<!-- human -->",
        "<div hidden>\n\nOolong is a tea. [^oolong-1]\n\n</div>",
        "<iframe\nsrc='x'>",
        "<?php x ?>",
        "<![CDATA[x]]>",
    ],
)
def test_no_html_is_added(body: str) -> None:
    assert "html_added" in said(body)


@pytest.mark.parametrize(
    "body", ["`<br>` is a tag. [^oolong-1]", "a \\<b> c [^oolong-1]", "2 < 3 or 3 > 2 [^oolong-1]"]
)
def test_what_only_looks_like_html_is_none(body: str) -> None:
    assert "html_added" not in said(body)


def test_html_that_was_there_stays_but_does_not_multiply() -> None:
    old = page("old", "Tea <b>is</b> a drink.\n\n<!-- mine -->\n\n<details>\n\nTea.\n\n</details>\n\nTea is sold.")

    assert form_codes(change([old], [edited(old, add="Oolong grows. [^oolong-2]", notes=GROWN)])) == set()
    assert "html_added" in form_codes(
        change([old], [edited(old, add="<!-- mine -->\n\nOolong. [^oolong-2]", notes=GROWN)])
    )


@pytest.mark.parametrize(
    "code",
    [
        "```\nkettle --heat 90\n```",
        "```sh\nkettle --heat 90\npour --minutes 3\n```",
        "~~~\npour   --minutes 3\n~~~",
        "    kettle --heat 90",
    ],
)
def test_code_of_the_source_may_be_shown_below_the_words_that_lead_to_it(code: str) -> None:
    led = f"Oolong is brewed with water of 90 degrees for 3 minutes. [^oolong-3]\n\n{code}\n\n{BREWED}"

    assert said(led) == set()
    assert said(code) == {"code_unled"}
    assert "code_unled" in said(f"{led}\n\n## Use\n\n```\npour   --minutes 3\n```".replace("\nkettle", ""))


def test_what_only_announces_code_is_not_all_that_leads_to_it() -> None:
    source_text = OOLONG.replace("for 3 minutes.\n", "for 3 minutes. For example:\n")
    led = f"Oolong is brewed with water of 90 degrees for 3 minutes. [^oolong-3]\n\n```\nkettle --heat 90\n```\n\n{BREWED}"

    assert said(led, source_text) == set()


@pytest.mark.parametrize(
    "code", ["```\nrm -rf /\n```", "```sh\nkettle --heat 95\n```", "    rm -rf /", "- x [^oolong-1]\n\n      rm -rf /"]
)
def test_code_that_the_source_does_not_have_is_refused(code: str) -> None:
    assert "code_not_in_source" in said(code)


def test_code_that_was_there_is_its_users() -> None:
    old = page("old", "```\nmine\n```\n\nTea is a drink.")

    assert form_codes(change([old], [edited(old, add="Oolong grows. [^oolong-2]", notes=GROWN)])) == set()


@pytest.mark.parametrize(
    "fence", ["```\nkettle --heat 90", "```sh\nkettle --heat 90\n``", "~~~\nkettle --heat 90\n```", "```"]
)
def test_a_fence_that_stays_open_is_refused(fence: str) -> None:
    text = fresh(f"{CITED}\n\n{PARTLY}").text

    assert "fence_open" in form_codes(
        change([TEA], [fresh(f"{CITED}\n\n{PARTLY}\n\n{fence}").with_body(text.split("---\n", 2)[2] + f"\n{fence}\n")])
    )


def test_nothing_is_added_below_a_fence_that_was_open_before() -> None:
    old = page("old", "Tea is a drink.\n\n```\nmine")

    assert "code_not_in_source" in form_codes(
        change([old], [edited(old, add="Oolong grows. [^oolong-2]", notes=GROWN)])
    )
    above = edited(old, ("Tea is a drink.", "Tea is a drink.\n\nOolong grows. [^oolong-2]\n\n" + GROWN))
    assert form_codes(change([old], [above])) == set()


@pytest.mark.parametrize(
    "body",
    [
        "```dataview\nkettle --heat 90\n```",
        "```DataviewJS\nkettle --heat 90\n```",
        "```tasks\nkettle --heat 90\n```",
        "```query\nkettle --heat 90\n```",
        "```meta-bind\nkettle --heat 90\n```",
        "```sh the moon is made of cheese\nkettle --heat 90\n```",
        "Oolong <% tp.file.title %> is a tea. [^oolong-1]",
        "Oolong {{title}} is a tea. [^oolong-1]",
        "Use {{ leaf }} in a template. [^oolong-1]",
        "Use `{{ other }}` in a template. [^oolong-1]",
        "Oolong %%hidden%% is a tea. [^oolong-1]",
        "Oolong is `= this.file.name`. [^oolong-1]",
        "Oolong is `$= dv.current()`. [^oolong-1]",
    ],
)
def test_nothing_is_added_that_plugins_run(body: str) -> None:
    assert "active_markup" in said(body)


def test_a_mermaid_drawing_has_no_links() -> None:
    source = f"{OOLONG}\ngraph TD\n  click A href x\n"

    assert "active_markup" in said("```mermaid\ngraph TD\n  click A href x\n```", source)


def test_a_footnote_may_quote_a_template() -> None:
    note = '[^oolong-1]: sources/oolong.txt#L10 "Use the filter {{ leaf }} in a template"'

    assert form_codes(change([TEA], [fresh(f"{CITED}\n\n{note}")])) == set()


@pytest.mark.parametrize("body", ["Use `{{ leaf }}` in a template. [^oolong-1]", "Oolong is 100% tea. [^oolong-1]"])
def test_a_template_of_the_source_may_be_spoken_of_in_code(body: str) -> None:
    assert "active_markup" not in said(body)


@pytest.mark.parametrize(
    "character",
    [
        "\x00",
        "\x07",
        "\x1b",
        "\x7f",
        "\x85",
        "\u200b",
        "\u2060",
        "\ufeff",
        "\u202e",
        "\u2066",
        "\u200f",
        "\u2028",
        "\U000e0041",
    ],
)
def test_no_hidden_character_is_added(character: str) -> None:
    assert "hidden_characters" in said(f"Oolong is{character} a tea. [^oolong-1]")
    made = fresh(f"{CITED}\n\n{PARTLY}", title=f"Oo{character}long")
    assert "hidden_characters" in form_codes(change([TEA], [made])) or "frontmatter_unreadable" in form_codes(
        change([TEA], [made])
    )


@pytest.mark.parametrize("words", ["می\u200cخواهم", "क\u094d\u200dष", "👩\u200d🔬", "a\u00a0b", "a\tb", "烏龍茶"])
def test_characters_that_scripts_need_may_be_added(words: str) -> None:
    assert said(f"Oolong is {words}. [^oolong-1]") <= {"sign_unknown"}  # a picture, which the source does not have


def test_hidden_characters_that_were_there_do_not_matter() -> None:
    old = page("old", "Tea\u200b is a drink.\n\nTea is sold.", title="Te\u200ba")

    assert form_codes(change([old], [edited(old, add="Oolong grows. [^oolong-2]", notes=GROWN)])) == set()
