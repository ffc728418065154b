"""A dispute speaks of the page's thing: what is said of another harbour, printer or animal contradicts nothing."""

from __future__ import annotations

import pytest

from curator.ingest.drafting.other_subject import speaks_of_another
from curator.wiki.sources.evidence import Evidence
from curator.wiki.support.judge import Judge
from support.pages import claim, page, source

HARBOUR = page(
    "port-elsin",
    "Port Elsin is a harbour. [^old-1]\n\n- The speed limit in the inner basin is 4 knots. [^old-1]\n",
    title="Port Elsin",
    kind="entity",
)


LINE = page(
    "halden-line",
    "The Halden Line is a tram line. [^old-1]\n\n- Trams run every ten minutes. [^old-1]\n",
    title="Halden Line",
    kind="entity",
)


@pytest.mark.parametrize(
    ("said", "is_another"),
    [
        ("The Berg Line has conductors, and its trams run every twelve minutes.", True),
        ("Its trams run every twelve minutes.", False),
        ("Trams of the line run every twelve minutes.", False),
        ("The Halden Tram Company has trams run every twelve minutes.", False),
        ("Director Anna Berg says the line has trams run every twelve minutes.", False),
        ("Today Lisk Council said that trams of the line run every twelve minutes.", False),
        ("Director Anna Berg says the Berg Line has shops, and its trams run every twelve minutes.", True),
        ("The Berg Line is said to be old, and its trams run every twelve minutes.", True),
    ],
)
def test_a_name_that_shares_the_kind_of_thing_alone_is_another_things(said: str, is_another: bool) -> None:
    taken = source(f"News of the Halden Line\n\n{said}\n")
    block = next(each for each in LINE.outline.blocks if each.kind == "item")
    claimed = claim("Trams run every twelve minutes.", "trams run every twelve" if is_another else said)

    assert speaks_of_another(LINE, block, claimed, Judge(Evidence(taken.path, taken.document))) is is_another


def is_of_another(text: str, quote: str) -> bool:
    taken = source(f"{text}\n")
    block = next(each for each in HARBOUR.outline.blocks if each.kind == "item")
    said = claim("The speed limit in the inner basin is 30 knots.", quote)
    return speaks_of_another(HARBOUR, block, said, Judge(Evidence(taken.path, taken.document)))


LIMIT = "The speed limit in the inner basin is 30 knots."


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (f"On Port Elsin\n\nThe harbour board met in May. {LIMIT}", LIMIT),
        (f"News\n\nPort Elsin was dredged. {LIMIT}", LIMIT),
        (
            "News\n\nIn Port Elsin boats may go at 30 knots in the inner basin.",
            "In Port Elsin boats may go at 30 knots",
        ),
        (
            "News\n\nElsin was dredged. Nobody needs to go slower than 30 knots there.",
            "Nobody needs to go slower than 30 knots",
        ),
    ],
)
def test_the_thing_is_named_in_the_source(text: str, quote: str) -> None:
    assert not is_of_another(text, quote)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (f"Harbour of Lisk\n\nThe harbour board of Lisk met in May. {LIMIT}", LIMIT),
        (
            "News\n\nPort Elsin was dredged. The speed limit in the inner basin of Lisk is 30 knots.",
            "The speed limit in the inner basin of Lisk is 30 knots",
        ),
        (
            "News\n\nPort Elsin was dredged. Trams may go at 30 knots in the old town.",
            "Trams may go at 30 knots in the old town",
        ),
    ],
)
def test_another_thing_is_spoken_of(text: str, quote: str) -> None:
    assert is_of_another(text, quote)
