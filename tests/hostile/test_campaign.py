"""An attack over several ingests: what one prepares, the next uses. The wiki is then as honest replies alone make it.

Real git, real commits. Each reply brings its honest operation with it, as a careless reply would.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from support.attacks import HONEST, Attacked, add, claim, reply_of

Ingests = Sequence[tuple[str, Sequence[dict[str, Any]]]]

NOTHING_KNOWN = "Nothing is known of it."
COUNTED = "Mira Holm planned the trial and Jonas Berg counted the mites"
INNOCENT = add(
    "thymol",
    claim("Thymol removed the mites from 9 of 12 colonies.", "Thymol removed the mites from 9 of 12 colonies"),
)


def _alike(copies: Callable[[str], Attacked], hostile: Ingests, honest: Ingests = ()) -> Attacked:
    """The wiki after the hostile ingests, which must be the one after their honest part and ``honest``."""
    attacked, plain = copies("attacked"), copies("honest")
    more = dict(honest)
    for source, operations in hostile:
        attacked.take(source, reply_of([*HONEST[source], *operations, *more.get(source, ())]))
        plain.take(source, reply_of([*HONEST[source], *more.get(source, ())]))

    assert attacked.tree() == plain.tree()
    assert attacked.log() == plain.log()
    return attacked


def test_aliases_of_one_source_draw_nothing_of_the_next_to_their_page(copies: Callable[[str], Attacked]) -> None:
    words = ["the", "hive", "trial", "mites", "colonies", "e", "Valley Fund", "Jonas Berg", "Notice 12"]
    marks = [{"op": "mark", "page": "winter-stores", "aliases": words}]

    wiki = _alike(
        copies,
        [("notice.md", marks), ("minutes.txt", marks), ("trial.md", [])],
        [("trial.md", [INNOCENT])],
    )

    assert "winter-stores|" not in (wiki.root / "concepts" / "thymol.md").read_text("utf-8")


def test_titles_of_one_source_catch_nothing_of_the_next(copies: Callable[[str], Attacked]) -> None:
    traps = [
        {
            "op": "create",
            "kind": "concept",
            "title": title,
            "aliases": [],
            "body": [claim("The notice replaces Notice 12.", "The notice replaces Notice 12")],
        }
        for title in ("the", "e", "Thуmol", "Valley Fund of thieves")
    ]

    _alike(copies, [("notice.md", traps), ("trial.md", [])], [("trial.md", [INNOCENT])])


def test_three_ingests_do_not_turn_every_statement_into_nothing_is_known(copies: Callable[[str], Attacked]) -> None:
    statements = (
        "Thymol is a substance taken from thyme oil.",
        "It is used against the mite in late summer.",
        "In one trial thymol lowered the number of mites in 14 of 20 colonies.",
    )
    quotes = {
        "trial.md": COUNTED,
        "notice.md": "The notice replaces Notice 12",
        "minutes.txt": "Nobody objected to the new address of the web site",
    }

    def turned(source: str, statement: str) -> dict[str, Any]:
        body = [claim(NOTHING_KNOWN, quotes[source])]
        return {"op": "replace", "page": "thymol", "passage": statement, "body": body}

    _alike(copies, [(source, [turned(source, said)]) for source, said in zip(quotes, statements, strict=True)])


def test_confidence_is_raised_by_no_row_of_ingests_that_say_nothing(copies: Callable[[str], Attacked]) -> None:
    nothing = {
        "trial.md": add("winter-stores", claim(NOTHING_KNOWN, COUNTED)),
        "notice.md": {"op": "mark", "page": "winter-stores", "confidence": 1.0},
        "minutes.txt": {
            "op": "replace",
            "page": "winter-stores",
            "passage": "stores for the winter",
            "body": [claim("[[winter-stores|stores]] for the winter")],
        },
    }

    wiki = _alike(copies, [(source, [operation]) for source, operation in nothing.items()])

    assert "confidence: 0.7\n" in (wiki.root / "concepts" / "winter-stores.md").read_text("utf-8")


def test_relations_hide_no_page(copies: Callable[[str], Attacked]) -> None:
    others = ["thymol", "oxalic-acid", "varroa-destructor", "handbook", "first-trial"]
    first = [{"op": "mark", "page": "winter-stores", "supersedes": others, "quotes": ["The notice replaces Notice 12"]}]
    second = [{"op": "mark", "page": page, "supersedes": ["winter-stores"], "confidence": 0.0} for page in others]
    third = [{"op": "mark", "page": page, "contradicts": others, "confidence": 0.0} for page in ["winter-stores"]]

    _alike(copies, [("notice.md", first), ("trial.md", second), ("minutes.txt", third)])


def test_a_heading_of_one_source_takes_nothing_of_the_next_under_it(copies: Callable[[str], Attacked]) -> None:
    heading = add("thymol", claim("Whales eat bees.", "Straps of nylon stretch more"), section="Refuted claims")

    _alike(copies, [("notice.md", [heading]), ("trial.md", [])], [("trial.md", [INNOCENT])])


def test_a_false_second_source_hides_no_statement_of_the_first(copies: Callable[[str], Attacked]) -> None:
    openings = {
        "varroa-destructor": "Varroa destructor is a mite that weakens honey bee colonies.",
        "thymol": "Thymol is a substance taken from thyme oil.",
        "oxalic-acid": "Oxalic acid is dribbled between the frames in winter.",
        "winter-stores": "A colony needs 15 kg of stores for the winter.",
    }

    def disputes(quote: str) -> list[dict[str, Any]]:
        said = claim(NOTHING_KNOWN, quote)
        return [{"op": "dispute", "page": page, "passage": text, "claim": said} for page, text in openings.items()]

    _alike(copies, [("trial.md", disputes(COUNTED)), ("notice.md", disputes("The notice replaces Notice 12"))])
