"""What a page states stays stated, however many sources come in one after the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.errors import ProposalError, Rejected
from curator.models.proposal import Add, Claim, Create, Mark, Operation, Replace
from curator.repository.repository import Repository
from curator.wiki.pages.page import Page
from support.fakes import ScriptedModel
from support.wikis import drop, git, proposal, take_in

THINGS = "comb queen drone brood honey frame smoker feeder scale stand".split()
FIRST = "Hive notes\n\n" + "\n".join(f"Every hive has a {thing}." for thing in THINGS) + "\n"
LATER = "Notes\n\nNothing is known of any hive. A hive of the valley is strong and wooden.\n"
NOTHING = "Nothing is known of any hive"
WOODEN = "A hive of the valley is strong and wooden"


def claim(text: str, *quotes: str) -> Claim:
    return Claim(text=text, quotes=quotes)


@pytest.fixture
def hive(root: Path, repository: Repository) -> Path:
    """A page of ten statements of one source."""
    said = [claim(f"Every hive has a {thing}.", f"Every hive has a {thing}.") for thing in THINGS]
    made = Create(op="create", kind="concept", title="Hive", body=tuple(said))
    taken(root, repository, "first.txt", FIRST, made)
    return root / "concepts/hive.md"


def taken(root: Path, repository: Repository, name: str, text: str, *operations: Operation) -> list[str]:
    """The codes of what was left out when a source came in, or of what it was refused for."""
    try:
        outcome = take_in(drop(root, name, text), repository, ScriptedModel((proposal(*operations),)))
    except Rejected as refused:
        (root / "sources" / name).unlink()
        return [finding.code for finding in refused.findings]
    except ProposalError as error:
        (root / "sources" / name).unlink()
        return [error.code]
    return [finding.code for finding in outcome.left_out]


def reworded(thing: str, number: int, text: str, quote: str) -> Replace:
    passage = f"Every hive has a {thing}. [^first-{number}]"
    return Replace(op="replace", page="hive", passage=passage, body=(claim(f"{text} [^first-{number}]", quote),))


def test_three_ingests_do_not_turn_a_page_into_nothing(root: Path, repository: Repository, hive: Path) -> None:
    before = hive.read_text()

    for at in range(3):
        wanted = [
            reworded(THINGS[n], n + 1, "Nothing is known of any hive.", NOTHING) for n in range(3 * at, 3 * at + 3)
        ]
        assert taken(root, repository, f"later-{at}.txt", f"{LATER}{at}\n", *wanted) == ["proposal_empty"]

    assert hive.read_text() == before
    assert git(root, "status", "--porcelain") == ""


PUMP = "The pump\n\nThe pump must be off while the tank is open. The tank holds 40 litres.\n"
OTHER = "Rounds\n\nThe pump must stay on while the tank is filled. The tank of the barn holds 60 litres.\n"
STAYS = "The pump must stay on while the tank is filled"
OFF = "The pump must be off while the tank is open."


@pytest.mark.parametrize(
    ("passage", "text", "code"),
    [
        (f"{OFF} [^pump-1]", "The pump must stay on while the tank is filled. [^pump-1]", "proof_changed"),
        (f"{OFF} [^pump-1]", f"Earlier: {OFF} The pump must stay on while the tank is filled. [^pump-1]", None),
        (
            f"# Pump\n\n{OFF} [^pump-1]",
            f"The pump must stay on while the tank is filled. {OFF} [^pump-1]",
            "title_changed",
        ),
        ("The tank holds 40 litres. [^pump-2]", "The pump must stay on. [^pump-2]", "proof_changed"),
    ],
)
def test_a_kept_mark_keeps_its_words(
    root: Path, repository: Repository, passage: str, text: str, code: str | None
) -> None:
    said = (claim(OFF, OFF), claim("The tank holds 40 litres.", "The tank holds 40 litres."))
    taken(root, repository, "pump.txt", PUMP, Create(op="create", kind="concept", title="Pump", body=said))
    page = root / "concepts/pump.md"
    before = page.read_text()
    litres = "The tank of the barn holds 60 litres."
    mine = Create(op="create", kind="concept", title="Tank", body=(claim(litres, litres),))
    replaces = Replace(op="replace", page="pump", passage=passage, body=(claim(text, STAYS),))

    codes = taken(root, repository, "rounds.txt", OTHER, mine, replaces)

    after = page.read_text()
    if code is None:
        assert (codes, "Earlier" in after, "must be off while" in after, "must stay on" in after) == (
            [],
            False,
            True,
            True,
        )
    else:
        assert (codes, after) == ([code], before)


def test_small_rewordings_add_up_over_the_ingests(root: Path, repository: Repository, hive: Path) -> None:
    codes = []
    for at in range(3):
        two = [
            reworded(THINGS[n], n + 1, f"Every wooden hive has a {THINGS[n]}.", WOODEN) for n in (2 * at, 2 * at + 1)
        ]
        codes.append(taken(root, repository, f"later-{at}.txt", f"{LATER}{at}\n", *two))

    assert codes == [[], [], ["statements_lost"]]
    assert hive.read_text().count("wooden hive has") == 4


def test_what_people_took_away_does_not_count(root: Path, repository: Repository, hive: Path) -> None:
    page = Page("concepts/hive.md", hive.read_text())
    kept = "\n".join(line for line in page.text.split("\n") if not any(f"[^first-{n}]" in line for n in range(5, 11)))
    hive.write_text(kept)
    git(root, "commit", "-qam", "by hand")

    assert (
        taken(root, repository, "later.txt", LATER, reworded("comb", 1, "Every wooden hive has a comb.", WOODEN)) == []
    )


def test_whole_statements_may_be_added_to_however_often(root: Path, repository: Repository, hive: Path) -> None:
    for at, thing in enumerate(THINGS[:6]):
        text = f"Every hive has a {thing}, and a hive of the valley is wooden."
        assert taken(root, repository, f"later-{at}.txt", f"{LATER}{at}\n", reworded(thing, at + 1, text, WOODEN)) == []


def test_a_link_led_elsewhere_makes_no_page_surer(root: Path, repository: Repository, hive: Path) -> None:
    before = Page("concepts/hive.md", hive.read_text())
    stand = Create(
        op="create", kind="concept", title="Valley", body=(claim("A hive of the valley is strong.", WOODEN),)
    )
    again = Replace(
        op="replace",
        page="hive",
        passage="Every hive has a comb. [^first-1]",
        body=(claim("Every hive has a [[comb]]. [^first-1]"),),
    )

    taken(root, repository, "later.txt", LATER, stand, again)

    after = Page("concepts/hive.md", hive.read_text())
    assert (after.sources, after.confidence) == (before.sources, before.confidence)


def test_a_reply_without_words_of_the_source_relates_nothing(root: Path, repository: Repository, hive: Path) -> None:
    before = hive.read_text()
    said = claim("A hive of the valley is strong.", WOODEN)
    made = Create(op="create", kind="concept", title="Valley", body=(said,))
    marks = (
        Mark(op="mark", page="hive", contradicts=("valley",), supersedes=("valley",), confidence=0.0),
        Mark(op="mark", page="valley", supersedes=("hive",), quotes=("A hive of the valley is strong",)),
    )

    codes = taken(root, repository, "later.txt", LATER, made, *marks)

    assert codes == ["relation_unproven"] * 4
    assert hive.read_text() == before


def test_no_summary_of_another_source_is_written_into(root: Path, repository: Repository) -> None:
    said = claim("Every hive has a comb.", "Every hive has a comb.")
    taken(root, repository, "first.txt", FIRST, Create(op="create", kind="summary", title="Hive notes", body=(said,)))
    summary = root / "summaries/first.md"
    before = summary.read_text()
    mine = claim("A hive of the valley is strong.", WOODEN)
    made = Create(op="create", kind="concept", title="Valley", body=(mine,))

    codes = taken(root, repository, "later.txt", LATER, made, Add(op="add", page="first", body=(mine,)))

    assert codes == ["summary_reworded"]
    assert summary.read_text() == before
