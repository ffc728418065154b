"""Code that a model shows: it stands in the list item above it, or below the source's own words that lead to it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from curator.models.proposal import Claim, Create
from support.pages import claim, draft, source, wiki

SOURCE = source("""# Kettle

A kettle is a pot that boils water. A kettle is heated by hand like this:

    kettle --heat 90

It can be emptied as well. Never do this with a full kettle:

    kettle --pour

This is done once a week:

    kettle --scrub

A lid keeps dust away. It is put on at night. It takes a size, as follows::

    kettle --lid 3

A kettle is stored dry.

::

    kettle --dry

## Filling

A kettle is filled from above. It holds 2 litres.

Example::

    kettle --fill 2

    kettle --fill 1 --slow

This pseudo-code approximates what a kettle does:

    while cold: heat

For example, if you had a kettle with:

    lid = 4

Its lid falls off.

For example, if you had a kettle with:

    lid = 5

Here is an example of a whistle::

    whistle = 1

However, by the size of the lid, the order of kettles can be changed::

    kettle --sort lid

To empty it, in two steps:

1. kettle --off

Wait for a minute.

2. kettle --pour --all
""")
OPENING = claim("A kettle is a pot that boils water.", "A kettle is a pot that boils water")
LED = claim("- A kettle is heated by hand.", "A kettle is heated by hand like this")


def code(text: str) -> Claim:
    return Claim(text=f"```\n{text}\n```", quotes=())


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ((OPENING, LED, code("kettle --heat 90")), "by hand. [^1]\n\n  ```\n  kettle --heat 90\n  ```\n"),
        (
            (OPENING, code("kettle --lid 3")),
            "A lid keeps dust away. It is put on at night. It takes a size, as follows: [^1]\n\n```",
        ),
        ((OPENING, code("kettle --pour")), "Never do this with a full kettle: [^1]\n\n```\nkettle --pour\n```\n"),
        ((OPENING, LED, code("kettle --pour")), "Never do this with a full kettle: [^1]\n\n```\nkettle --pour\n```\n"),
        ((OPENING, code("kettle --dry")), "A kettle is stored dry. [^1]\n\n```\nkettle --dry\n```\n"),
        (
            (OPENING, claim("A kettle holds 2 litres.", "It holds 2 litres"), code("kettle --fill 2")),
            "A kettle holds 2 litres. [^1]\n\n```\nkettle --fill 2\n```\n",
        ),
        (
            (OPENING, code("kettle --fill 2"), code("kettle --fill 1 --slow")),
            "A kettle is filled from above. [^1]\n\n```\nkettle --fill 2\n```\n\n```\nkettle --fill 1 --slow\n```\n",
        ),
        (
            (OPENING, code("while cold: heat")),
            "This pseudo-code approximates what a kettle does: [^1]\n\n```\nwhile cold: heat\n```\n",
        ),
        (
            (OPENING, claim("It is emptied in two steps.", "To empty it, in two steps"), code("kettle --pour --all")),
            "It is emptied in two steps. [^1]\n\n```\nkettle --pour --all\n```\n",
        ),
        (
            (OPENING, code("lid = 5")),
            'lid = 5\n```\n\n[^1]: sources/tea.txt#L3 "A kettle is a pot that boils water."\n[^1]: sources/tea.txt#L45',
        ),
        ((OPENING, code("whistle = 1")), "Here is an example of a whistle: [^1]\n\n```\nwhistle = 1\n```\n"),
        (
            (OPENING, code("kettle --sort lid")),
            "By the size of the lid, the order of kettles can be changed: [^1]\n\n```\nkettle --sort lid\n```\n",
        ),
    ],
    ids=[
        "in its item",
        "with what they point back at",
        "below its own words",
        "never below another's",
        "below words behind which stands a mark",
        "an example, below what its section says",
        "examples, below the first words of their section",
        "below words that point at the code itself",
        "a step, below the words that lead to all steps",
        "below the words that lead to it, of several alike",
        "below words that show it",
        "without the word that ties them to others",
    ],
)
def test_code_stands_below_the_words_that_lead_to_it(body: tuple[Claim, ...], said: str) -> None:
    found = draft(wiki(), SOURCE, Create(op="create", kind="concept", title="Kettle", aliases=(), body=body))

    page = found.wiki.page("kettle")
    assert page is not None
    assert found.left_out == ()
    assert said in re.sub(r"\[\^tea-\d\]", "[^1]", page.body)


def test_words_that_point_at_what_stood_before_them_do_not_lead_to_code_elsewhere() -> None:
    body = (OPENING, code("kettle --scrub"))
    found = draft(wiki(), SOURCE, Create(op="create", kind="concept", title="Kettle", aliases=(), body=body))

    assert [each.code for each in found.left_out] == ["code_unled"]


@pytest.mark.parametrize(
    ("lead", "shown"),
    [
        ("*Note: `//` is integer division, round down:*", "Note: `//` is integer division, round down:"),
        ("The [kettle](https://pot.org) is <b>read</b> by `kettle`:", "The kettle is read by `kettle`:"),
        ("A kettle says `a`{.off} as follows:", ""),
        ("A kettle of 3 * 4 * 5 &lt;b&gt; is read as `<b>`:", "A kettle of 3 \\* 4 \\* 5 \\<b\\> is read as `<b>`:"),
    ],
    ids=["emphasis and code", "no links and tags", "nothing that hides words elsewhere", "what only looks like markup"],
)
def test_the_words_that_lead_to_code_are_shown_as_their_reader_sees_them(lead: str, shown: str) -> None:
    notes = replace(source(f"# Kettle\n\nA kettle is a pot.\n\n{lead}\n\n    kettle // 3\n"), format="markdown")
    body = (claim("A kettle is a pot.", "A kettle is a pot"), code("kettle // 3"))
    found = draft(wiki(), notes, Create(op="create", kind="concept", title="Kettle", aliases=(), body=body))

    page = found.wiki.page("kettle")
    assert page is not None
    told = (
        f"{shown} [^tea-2]\n\n```\nkettle // 3\n```" if shown else '[^tea-1]: sources/tea.txt#L3 "A kettle is a pot."'
    )
    assert page.body.startswith(f"\n# Kettle\n\nA kettle is a pot. [^tea-1]\n\n{told}\n")
