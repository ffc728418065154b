"""Two sources disagree: nothing is dropped, and the wiki's policy says which claim is the current one."""

from __future__ import annotations

from datetime import date

import pytest

from curator.ingest.drafting.beside import holds_beside
from curator.ingest.drafting.dispute import decide, decided, is_about, settle
from curator.ingest.drafting.drafted import Draft
from curator.models.proposal import Add, Claim, Create, Dispute
from curator.wiki import confidence
from curator.wiki.disputes import pile_of
from curator.wiki.sources.authority import SourceWeights
from curator.wiki.sources.record import Record
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.sources.source import Source
from curator.wiki.workspace.constraints import RESOLUTIONS
from curator.wiki.workspace.workspace import CurationPolicy
from support.pages import claim, draft, page, source, wiki

OLD = "sources/2020-01-01-old.txt"
HIVE = page(
    "hive",
    f"""A hive needs 20 kg of honey. [^old-1]

- It is opened weekly. [^old-1]
  - In summer only. [^old-2]

| What | How |
|------|-----|
| Frames | ten [^old-1] |
| Bees | many [^old-2] |

After the table.

[^old-1]: {OLD}#L1 "20 kg of honey"
[^old-2]: sources/other.txt#L1 "in summer only"
""",
    sources=[OLD, "sources/other.txt"],
)
BASE = wiki(HIVE, page("bystander"))
NEWER = source("Date: 2026-03-01\nA hive needs 10 kg of honey.\nIt is opened never at all.\n", "sources/new.txt")
OLDER = source("Date: 2010-03-01\nA hive needs 10 kg of honey.\nIt is opened never at all.\n", "sources/new.txt")
UNDATED = source("A hive needs 10 kg of honey.\nIt is opened never at all.\n", "sources/new.txt")
MANY = source(
    f"{NEWER.document.text}\nIt is opened never.\nIn no summer is it opened.\nNo frames are in it.\n", "sources/new.txt"
)

SUMMARY = Create(op="create", kind="summary", title="New notes", body=(claim("Notes on hives.", "A hive needs 10 kg"),))
NEW_CLAIM = claim("A hive needs 10 kg of honey.", "A hive needs 10 kg of honey")


def disputed(passage: str, taken: object = NEWER, resolution: str = "defer", said: Claim = NEW_CLAIM) -> Draft:
    operation = Dispute(op="dispute", page="hive", passage=passage, claim=said)
    return draft(BASE, taken, SUMMARY, operation, policy=CurationPolicy(conflict_resolution=resolution))  # type: ignore[arg-type]


def body(found: Draft) -> str:
    hive = found.wiki.page("hive")
    assert hive is not None
    return hive.body


@pytest.mark.parametrize("resolution", RESOLUTIONS)
@pytest.mark.parametrize("taken", [NEWER, OLDER, UNDATED])
def test_both_claims_stand_whatever_the_policy(resolution: str, taken: object) -> None:
    found = disputed("A hive needs 20 kg of honey.", taken, resolution)

    assert found.broken == ()
    assert "A hive needs 20 kg of honey. [^old-1]" in body(found)
    assert "A hive needs 10 kg of honey. [^new-1]" in body(found)
    assert "[^new-1]: sources/new.txt#L" in body(found)


def test_the_newer_claim_comes_first_under_recency() -> None:
    text = body(disputed("A hive needs 20 kg of honey.", NEWER, "recency"))

    assert "A hive needs 10 kg of honey. [^new-1]\n\nEarlier: A hive needs 20 kg of honey. [^old-1]\n\n" in text


def test_the_older_claim_comes_second_under_recency() -> None:
    text = body(disputed("A hive needs 20 kg of honey.", OLDER, "recency"))

    expected = "20 kg of honey. [^old-1]\n\nAnother source, now outweighed: A hive needs 10 kg of honey. [^new-1]\n\n"
    assert expected in text


@pytest.mark.parametrize(
    ("passage", "said"),
    [
        (
            "Lorries heavier than 12 tonnes must not use the bridge.",
            "Buses longer than 12 metres must not use the bridge.",
        ),
        ("Lorries over 12 tonnes must not use it.", "Lorries over 16 tonnes must not use it in spring."),
        ("Lorries over 16 tonnes must not use it in spring.", "Lorries over 6 tonnes must not use it during a flood."),
        ("Inspectors found no cracks in the arch in 2017.", "Inspectors found cracks in the railing in 2023."),
        ("The engineer Vera Quist designed the bridge.", "The engineer Olaf Berg designed the lamps of the bridge."),
        ("The eastern bearing was replaced in 2018.", "The western bearing was replaced in 2024."),
        ("The bridge is closed above 4 metres.", "The path below the bridge is closed above 2 metres."),
        ("Visitors may climb the tower with a guide.", "Visitors may use the gallery without a guide."),
        ("The Tosk Bridge is closed in fog.", "Since the law of 2020 the path below the Tosk Bridge is closed in fog."),
    ],
)
def test_what_is_of_another_thing_or_a_case_of_its_own_outdates_nothing(passage: str, said: str) -> None:
    assert holds_beside(passage, said, ("Tosk Bridge",))


@pytest.mark.parametrize(
    ("passage", "said"),
    [
        ("Lorries heavier than 12 tonnes must not use it.", "Lorries heavier than 18 tonnes must not use it."),
        ("Inspectors found no cracks in the arch in 2017.", "Inspectors found deep cracks in the arch in 2023."),
        ("The engineer Vera Quist designed the bridge.", "Olaf Berg designed the bridge."),
        ("Vera Quist designed the bridge.", "Berg designed the bridge."),
        ("Every tea takes boiling water.", "A pot of oolong takes water of 90 degrees."),
        ("Stones cannot be cut with a saw.", "Since 1990, stones can be cut with a saw, if it is cooled with water."),
        ("Visitors may climb the tower in summer.", "Visitors may climb the tower in winter only."),
        ("The keeper wears gloves when handling acid.", "The keeper wears an apron when handling acid."),
        ("The Tosk Bridge cannot be lifted by hand.", "Since the law of 2020 the Tosk Bridge can be lifted by hand."),
        ("The Tosk Bridge is closed in fog.", "From version 3 on the Tosk Bridge is not closed in fog."),
        ("The Tosk Bridge must not be painted.", "Since the law of June it may be painted."),
        ("The Tosk Bridge takes one lorry.", "Law 655 lets the Tosk Bridge take two lorries."),
    ],
)
def test_another_value_of_the_same_is_no_case_of_its_own(passage: str, said: str) -> None:
    assert not holds_beside(passage, said, ("Tosk Bridge",))


@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_what_holds_beside_a_statement_stands_beside_it_unmarked(resolution: str) -> None:
    said = claim("A hive needs 10 kg of honey in spring.", "A hive needs 10 kg of honey in spring")
    taken = source("Date: 2026-03-01\nA hive needs 10 kg of honey in spring.\n", "sources/new.txt")

    found = disputed("A hive needs 20 kg of honey.", taken, resolution, said)

    assert "honey. [^old-1]\n\nA hive needs 10 kg of honey in spring. [^new-1]\n" in body(found)
    assert not any(page.contradicts for page in found.wiki.changed.values())


WARM = page(
    "honey-cake",
    f'Honey cake is a cake. [^old-1]\n\n- The honey cake cannot be eaten warm. [^old-1]\n\n[^old-1]: {OLD}#L1 "is a"\n',
    sources=[OLD],
)


@pytest.mark.parametrize("is_new", [False, True])
def test_what_is_added_and_takes_back_what_another_source_says_is_a_dispute_of_it(*, is_new: bool) -> None:
    said = ("Since the trial of 2020 the honey cake can be eaten warm.", "The honey cake keeps for a week.")
    body = (claim("## Eating"), *(claim(f"- {each}", each.rstrip(".")) for each in said))
    taken = source("Date: 2026-03-01\n\nHoney cake is a cake.\n" + "\n".join(said), "sources/new.txt")
    add = Add(op="add", page="honey-cake", section="", body=body)
    create = Create(op="create", kind="concept", title="Honey cake", body=body)

    found = draft(wiki(WARM), taken, create if is_new else add, policy=CurationPolicy(conflict_resolution="recency"))

    (cake,) = [each.body for each in found.wiki.changed.values()]
    assert (
        "- Since the trial of 2020 the honey cake can be eaten warm. [^new-1]\n- Earlier: The honey cake cannot" in cake
    )
    assert cake.count("eaten warm. [^new") == 1 and "- The honey cake keeps for a week. [^new" in cake


def test_what_is_added_takes_back_all_that_says_otherwise_and_keeps_all_its_proofs() -> None:
    once = "The honey cake cannot be eaten warm."
    notes = f'{once} [^old-2]\n\n[^old-2]: {OLD}#L2 "cannot be eaten warm"\n[^old-1]:'
    body = (
        WARM.body.replace("[^old-1]:", notes)
        .replace(f"- {once}", f"{once}")
        .replace(f"{once} [^old-1]", f"{once} [^old-1]\n\n## Eating", 1)
    )
    said = "Since the trial of 2020 the honey cake can be eaten warm."
    again = "It was shown in 2020 that since the trial of 2020 the honey cake can be eaten warm."
    taken = source(f"Date: 2026-03-01\n\nHoney cake is a cake.\n{said}\n\n{again}\n", "sources/new.txt")
    add = Add(op="add", page="honey-cake", section="", body=(claim(said, said), claim(said, again)))

    found = draft(wiki(WARM.with_body(body)), taken, add, policy=CurationPolicy(conflict_resolution="recency"))

    (cake,) = [each.body for each in found.wiki.changed.values()]
    assert cake.count(f"{said} [^new-1] [^new-2]") == cake.count(f"Earlier: {once}") == 2


def test_what_a_source_adds_to_its_own_word_disputes_nothing() -> None:
    said = "The honey cake can now be eaten warm."
    taken = source(f"Honey cake is a cake.\n{said}\n", OLD)

    found = draft(wiki(WARM), taken, Add(op="add", page="honey-cake", section="", body=(claim(said, said),)))

    (cake,) = found.wiki.changed.values()
    assert said in cake.body and "Earlier" not in cake.body and not cake.contradicts


@pytest.mark.parametrize("resolution", ["defer", "keep-both", "authority"])
def test_an_open_dispute_marks_both_pages(resolution: str) -> None:
    found = disputed("A hive needs 20 kg of honey.", NEWER, resolution)

    hive, summary = found.wiki.page("hive"), found.wiki.page("new")
    assert (
        "20 kg of honey. [^old-1]\n\nSources disagree; another says: A hive needs 10 kg of honey. [^new-1]\n\n"
        in body(found)
    )
    assert hive is not None
    assert hive.contradicts == ("new",)
    assert summary is not None
    assert summary.contradicts == ("hive",)


def test_a_settled_dispute_marks_no_page() -> None:
    found = disputed("A hive needs 20 kg of honey.", NEWER, "recency")

    assert [page.contradicts for page in found.wiki.changed.values()] == [(), ()]


def test_a_disputed_page_grows_no_surer() -> None:
    hive = disputed("A hive needs 20 kg of honey.").wiki.page("hive")

    assert hive is not None
    assert hive.confidence == confidence.DISPUTED < HIVE.confidence
    assert hive.sources == (*HIVE.sources, "sources/new.txt")


@pytest.mark.parametrize(
    ("passage", "resolution", "expected", "text"),
    [
        (
            "It is opened weekly.",
            "defer",
            "- It is opened weekly. [^old-1]\n- Sources disagree; another says: It is opened never. [^new-1]\n  - In",
            "- It is opened never.",
        ),
        (
            "It is opened weekly.",
            "recency",
            "- It is opened never. [^new-1]\n- Earlier: It is opened weekly. [^old-1]\n  - In summer",
            "- It is opened never.",
        ),
        (
            "In summer only.",
            "defer",
            "  - In summer only. [^old-2]\n  - Sources disagree; another says: In no summer. [^new-1]\n\n|",
            "- In no summer.",
        ),
        (
            "ten",
            "defer",
            "| Bees | many [^old-2] |\n\nAnother source says: No frames. [^new-1]\n\nAfter the table.",
            "No frames.",
        ),
        (
            "| Frames | ten [^old-1] |",
            "recency",
            "| Bees | many [^old-2] |\n\nAnother source says: No frames. [^new-1]\n\nAfter the table.",
            "No frames.",
        ),
    ],
)
def test_a_dispute_keeps_lists_and_tables_whole(passage: str, resolution: str, expected: str, text: str) -> None:
    said = claim(
        text, next(line for line in MANY.document.text.split("\n") if text.strip("- .").lower() in line.lower())
    )

    assert expected in body(disputed(passage, MANY, resolution, said))


def test_a_passage_that_is_not_there_is_told() -> None:
    found = disputed("A hive needs 99 kg.")

    assert [finding.code for finding in found.broken] == ["passage_not_found"]
    assert found.wiki.page("hive") == HIVE


def test_who_disputes_what_is_outweighed_disputes_what_outweighs_it() -> None:
    first = Dispute(op="dispute", page="hive", passage="A hive needs 20 kg of honey.", claim=NEW_CLAIM)
    policy = CurationPolicy(conflict_resolution="recency")
    once = draft(BASE, NEWER, SUMMARY, first, policy=policy)
    newest = source("Date: 2026-04-01\nA hive needs 8 kg of honey.\n", "sources/newest.txt")
    second = first.model_copy(update={"claim": claim("A hive needs 8 kg of honey.", "A hive needs 8 kg of honey")})
    files = {"sources/new.txt": NEWER.document.text}

    text = body(draft(wiki(*once.wiki.changed.values(), **files), newest, second, policy=policy))

    assert "A hive needs 8 kg of honey. [^newest-1]\n\nEarlier: A hive needs 10 kg" in text
    assert "Earlier: A hive needs 20 kg of honey. [^old-1]" in text and "Earlier: Earlier:" not in text


UNDECIDED_PILE = f"""A hive needs 20 kg of honey. [^old-1]

Contradicted: A hive needs 15 kg of honey. [^b-1]

Sources disagree; another says: A hive needs 12 kg of honey. [^c-1]

Earlier: A hive needs 30 kg of honey. [^old-1]

It is opened weekly. [^old-1]

[^old-1]: {OLD}#L1 "20 kg of honey"
[^b-1]: sources/plan-2021.txt#L1 "15 kg of honey"
[^c-1]: sources/c.txt#L1 "12 kg of honey"
"""


def piled(
    c: str, taken: Source, resolution: str = "recency", passage: str = "A hive needs 20 kg", said: Claim = NEW_CLAIM
) -> Draft:
    hive = page("hive", UNDECIDED_PILE, sources=[OLD], contradicts=["b", "c"])
    others = [
        page(name, f'It is said. [^n]\n\n[^n]: {path}#L1 "honey"\n', "summary", sources=[path], contradicts=["hive"])
        for name, path in (("b", "sources/plan-2021.txt"), ("c", "sources/c.txt"))
    ]
    texts = {"sources__plan-2021_dot_txt": "Of May 2021: 15 kg of honey", "sources__c_dot_txt": f"{c}\n12 kg of honey"}
    operation = Dispute(op="dispute", page="hive", passage=passage, claim=said)
    policy = CurationPolicy(conflict_resolution=resolution)
    return draft(wiki(hive, *others, **texts), taken, SUMMARY, operation, policy=policy)


@pytest.mark.parametrize("passage", ["A hive needs 20 kg", "A hive needs 12 kg", "A hive needs 30 kg"])
def test_the_latest_source_of_all_settles_what_stood_undecided(passage: str) -> None:
    found = piled("Date: 2022-01-01", NEWER, passage=passage)

    assert body(found).partition("\n\nIt is opened")[0].split("\n\n")[1:] == [
        "A hive needs 10 kg of honey. [^new-1]",
        "Earlier: A hive needs 20 kg of honey. [^old-1]",
        "Earlier: A hive needs 15 kg of honey. [^b-1]",
        "Earlier: A hive needs 12 kg of honey. [^c-1]",
        "Earlier: A hive needs 30 kg of honey. [^old-1]",
    ]
    assert [each.contradicts for each in map(found.wiki.page, ("hive", "b", "c")) if each is not None] == [(), (), ()]


@pytest.mark.parametrize(
    ("passage", "kg", "others"),
    [("A hive needs 20 kg", (12, "c-1"), (20, 15)), ("A hive needs 15 kg", (20, "old-1"), (15, 12))],
)
def test_the_latest_source_settles_what_it_repeats(passage: str, kg: tuple[int, str], others: tuple[int, int]) -> None:
    said = f"A hive needs {kg[0]} kg of honey."
    taken = source(f"Date: 2026-03-01\n{said}\n", "sources/new.txt")

    found = piled("Date: 2022-01-01", taken, passage=passage, said=claim(said, said.rstrip(".")))

    lines = body(found).partition("\n\nIt is opened")[0].split("\n\n")[1:]
    assert [line.partition(" [^")[0] for line in lines] == [
        said,
        *(f"Earlier: A hive needs {each} kg of honey." for each in (*others, 30)),
    ]
    assert lines[0] == f"{said} [^{kg[1]}] [^new-1]" and '[^new-1]: sources/new.txt#L2 "' in body(found)
    assert [each.contradicts for each in map(found.wiki.page, ("hive", "b", "c")) if each is not None] == [(), (), ()]


@pytest.mark.parametrize("bullets", [("* ", "* "), ("3. ", "4. "), ("+  ", "+  ")])
def test_a_list_keeps_its_form_when_it_is_settled(bullets: tuple[str, str]) -> None:
    one, other = bullets
    listed = page("hive", f"{one}It needs 20 kg. [^old-1]\n{other}Contradicted: It needs 15 kg. [^b-1]\n")
    pile = pile_of(listed, next(block for block in listed.outline.blocks if block.kind == "item"))

    settled = decided(listed.body, pile, pile.standing[1], ["new-1"])
    outdated = settle(listed.body, pile, "It needs 10 kg. [^new-1]", "new")

    assert f"\n{one}It needs 15 kg. [^b-1] [^new-1]\n{other}Earlier: It needs 20 kg. [^old-1]\n" in settled
    assert f"\n{one}It needs 10 kg. [^new-1]\n{one}Earlier: It needs 20 kg. [^old-1]\n{other}Earlier: " in outdated


@pytest.mark.parametrize(
    ("dated", "taken", "resolution", "lead"),
    [
        ("Words.", NEWER, "recency", "Sources disagree; another says:"),  # nobody knows of when one of them is
        ("Date: 2027", NEWER, "recency", "Another source, now outweighed:"),
        ("Date: 2022", UNDATED, "recency", "Sources disagree; another says:"),
        ("Date: 2022", NEWER, "authority", "Sources disagree; another says:"),
        ("Date: 2022", NEWER, "observation-count", "Sources disagree; another says:"),  # each has one witness
    ],
)
def test_what_is_not_the_latest_of_all_is_put_behind_what_stands(
    dated: str, taken: Source, resolution: str, lead: str
) -> None:
    found = piled(dated, taken, resolution)

    expected = f"12 kg of honey. [^c-1]\n\n{lead} A hive needs 10 kg of honey. [^new-1]\n\nEarlier: A hive needs 30 kg"
    assert expected in body(found)
    hive = found.wiki.page("hive")
    assert hive is not None
    assert {"b", "c"} <= set(hive.contradicts)


def test_the_same_dispute_again_changes_nothing() -> None:
    once = disputed("A hive needs 20 kg of honey.").wiki
    operation = Dispute(op="dispute", page="hive", passage="A hive needs 20 kg of honey.", claim=NEW_CLAIM)

    again = draft(wiki(*once.changed.values()), NEWER, operation)

    assert dict(again.wiki.changed) == {}


@pytest.mark.parametrize(
    ("resolution", "date", "against", "verdict"),
    [
        ("recency", "2026-01-01", ["sources/2020-01-01-a.txt"], "new"),
        ("recency", "2010-01-01", ["sources/2020-01-01-a.txt"], "old"),
        ("recency", "2015-01-01", ["sources/2020-01-01-a.txt", "sources/2010-01-01-b.txt"], "old"),
        ("recency", "2020-01-01", ["sources/2020-01-01-a.txt"], "open"),
        ("recency", "2026-01-01", ["sources/a.txt"], "open"),
        ("recency", "2026-01-01", ["sources/dated.txt"], "new"),
        ("recency", "2026-01-01", [], "open"),
        ("observation-count", "", ["sources/a.txt", "sources/b.txt"], "old"),
        ("observation-count", "", ["sources/a.txt", "sources/a.txt"], "open"),
        ("authority", "2026-01-01", ["sources/2020-01-01-a.txt"], "open"),
        ("defer", "2026-01-01", ["sources/2020-01-01-a.txt"], "open"),
        ("keep-both", "2026-01-01", ["sources/2020-01-01-a.txt"], "open"),
    ],
)
def test_the_policy_decides(resolution: str, date: str, against: list[str], verdict: str) -> None:
    base = wiki(sources__dated_dot_txt="Date: 2019-05-05\nWords.")

    assert decide(resolution, source("x", f"sources/{date}.txt"), against, base) == verdict


PLAN = "The first one is cut in October 2015.\n"


@pytest.mark.parametrize(
    ("new", "text", "old", "verdict"),
    [
        ("readme-2019", "It ends in December 2019.", ["plan-2015"], "new"),
        ("readme-2019", "| 12.x | 2019-04-23 |", ["plan-2015"], "new"),
        ("2025-10-17-notes", "Words.", ["plan-2015"], "new"),
        ("readme-2014", "Am 3. Mai 2014 begann es.", ["plan-2015"], "old"),
        ("readme-2014", "始于2014年。", ["plan-2015"], "old"),
        ("notes", "Date: 2014\nWords.", ["plan-2015"], "old"),
        ("notes", "Date: March 2016\nWords.", ["plan-2015"], "new"),
        ("2015-10-17-notes", "Words.", ["plan-2015"], "open"),  # in the same year
        ("readme-2015-11", "It was so in 2015.", ["plan-2015"], "open"),
        ("readme-2015-11", "It was so in 2015.", ["readme-2015-09"], "new"),
        ("2015-11-02-notes", "Words.", ["2015-01-02-a", "plan-2015"], "open"),
        ("readme-2019", "Words of 2015.", ["plan-2015"], "open"),  # no date of 2019 in it
        ("rfc-2026", "RFC 2026, section 10 RFC 2026, October 1996.", ["plan-2015"], "open"),
        ("room-2019", "The meeting in room 2019 has 2019 chairs.", ["plan-2015"], "open"),
        ("pep-2024", "Created: 11-Jun-2014\nIn 2024 it is to come.", ["plan-2015"], "old"),  # its own word goes before
        ("from-2016-to-2019", "In 2016 and in 2019.", ["plan-2015"], "open"),
        ("readme-2027", "It ends in June 2027.", ["plan-2015"], "open"),  # that year has not come
        ("readme-2019", "It ends in 2019.", ["iso-1999"], "open"),
    ],
)
def test_a_year_or_a_month_dates_a_source_as_well_as_it_goes(new: str, text: str, old: list[str], verdict: str) -> None:
    files = {"plan-2015": PLAN, "readme-2015-09": PLAN, "iso-1999": "ISO 1999 of old.", "2015-01-02-a": "Words."}
    base = wiki(**{f"sources/{name}.txt": said for name, said in files.items()})
    against = [f"sources/{each}.txt" for each in old]

    assert decide("recency", source(text, f"sources/{new}.txt"), against, base, today=date(2026, 11, 22)) == verdict


@pytest.mark.parametrize(
    ("resolution", "taken", "authority", "verdict"),
    [
        (NEWER, "2026-11-22", "secondary", "new"),
        (NEWER, "2026-02-28", "secondary", "open"),  # its day has not come yet
        (NEWER, "2026-11-22", "rumour", "open"),  # it is its own word, against a source that weighs more
        (OLDER, "2026-11-22", "secondary", "old"),
    ],
)
def test_a_day_that_a_source_gives_itself_does_not_win_alone(
    resolution: Source, taken: str, authority: str, verdict: str
) -> None:
    new = source(resolution.document.text, "sources/new.txt", authority)

    assert decide("recency", new, [OLD], BASE, today=date.fromisoformat(taken)) == verdict


def test_a_source_that_called_itself_of_tomorrow_is_of_the_day_it_came_in() -> None:
    path = "sources/forged.txt"
    base = wiki(HIVE, sources__forged_dot_txt="Date: 2099-01-01\nWords.")
    known = SourceWeights(SourceManifest({path: Record("aa", (), captured_at="2026-01-01T00:00:00Z")}))

    assert decide("recency", NEWER, [path], base, known, date(2026, 11, 22)) == "new"


@pytest.mark.parametrize(
    ("passage", "said", "wanted"),
    [
        ("A hive needs 20 kg of honey.", "Bees fly at 12 degrees.", False),
        ("A hive needs 20 kg of honey.", "A hive is a box.", False),
        ("A hive needs 20 kg of honey.", "It needs 10 kg.", True),
        ("Tea is a drug.", "Tea is a plant.", True),
        ("Tea is cold.", "Tea is hot, not cold.", True),
        (
            "An odd cut moves an even one to Long Term Support.",
            "No odd or even: in October the whole yearly harvest becomes LTS.",
            True,
        ),
        (
            "An odd cut moves an even one to Long Sea Support.",
            "No odd or even: in October the whole yearly harvest becomes LTS.",
            False,
        ),
        ("Founded in 1950.", "It was founded in 1951.", True),
    ],
)
def test_a_dispute_speaks_of_what_the_passage_speaks_of(passage: str, said: str, wanted: bool) -> None:
    assert is_about(passage, said, ("Hive", "Tea")) is wanted


def test_all_openings_are_not_disputed_at_once() -> None:
    pages = [page(f"hive-{n}", "A hive needs 20 kg of honey.") for n in "abcdefghi"]
    operations = [
        Dispute(op="dispute", page=each.slug, passage="A hive needs 20 kg of honey.", claim=NEW_CLAIM) for each in pages
    ]

    found = draft(wiki(*pages), NEWER, SUMMARY, *operations)

    assert [finding.code for finding in found.left_out] == ["disputes_too_many"] * 3
    assert len(found.updated) == 6


def test_what_speaks_of_something_else_disputes_nothing() -> None:
    operation = Dispute(
        op="dispute", page="hive", passage="After the table.", claim=claim("A hive needs 10 kg.", "A hive needs 10 kg")
    )

    found = draft(BASE, NEWER, SUMMARY, operation)

    assert [finding.code for finding in found.left_out] == ["dispute_unrelated"]
    assert found.wiki.page("hive") == HIVE


def test_what_says_the_same_disputes_nothing() -> None:
    same = claim("Of honey a hive needs 20 kg.", "A hive needs 10 kg of honey")
    operation = Dispute(op="dispute", page="hive", passage="A hive needs 20 kg of honey.", claim=same)

    found = draft(BASE, NEWER, SUMMARY, operation)

    assert [finding.code for finding in found.left_out] == ["dispute_agrees"]


def test_the_summary_of_another_source_is_marked_and_says_what_it_said() -> None:
    other = page("other", "A hive needs 20 kg of honey.", kind="summary", sources=[OLD])
    operation = Dispute(op="dispute", page="other", passage="A hive needs 20 kg of honey.", claim=NEW_CLAIM)

    found = draft(wiki(other), NEWER, SUMMARY, operation)

    after = found.wiki.page("other")
    assert after is not None
    assert (after.body, after.contradicts, after.sources) == (other.body, ("new",), (OLD,))
