"""A source that says something else by now: claims it does not make any more give way to those it makes.

What is tried with several values is tried with a third of them on a push, others with each commit; at night with all.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from curator.ingest import intake
from curator.models.proposal import Add, Claim, Create, Dispute, Replace
from curator.models.sandbox.source_texts import plain_document
from curator.wiki.pages.page import Page
from curator.wiki.sources.source import Document
from faults import crash
from faults.crash import DIES
from support import standard, wikis
from support.depth import of_this_commit
from support.standard import curate, edited, events, ingest, pages
from support.wikis import drop, git, proposal

root = standard.root
kept = standard.kept

LABEL = """Wheels are installed without a build. A wheel is a ZIP-format archive. Installers unpack wheels.

A {0} is a kind of label. Wheel tag has a tag.
"""
MARK = LABEL.replace("label", "mark")


@pytest.mark.parametrize("written", ["wheel tag", "**wheel tag**"])
def test_the_built_in_curator_takes_the_new_words_for_the_old(root: Path, written: str) -> None:
    ingest(root, "tags.txt", LABEL.format(written))
    ingest(root, "tags.txt", MARK.format(written))

    said = "".join(file.read_text("utf-8") for file in pages(root).values())
    assert "kind of mark" in said and "kind of label" not in said
    assert curate(root, "validate").status == 0
    assert {finding["code"] for finding in curate(root, "lint")["findings"]} <= {"entry_orphan"}


TEA = "Oolong is brewed {0} times. Oolong is a tea of Fujian.\n"
BREWED = Create(
    op="create",
    kind="concept",
    title="Oolong",
    body=(
        Claim(text="Oolong is brewed five times.", quotes=("Oolong is brewed five times.",)),
        Claim(text="It is a tea of Fujian.", quotes=("Oolong is a tea of Fujian.",)),
    ),
)
SEVEN = Claim(text="Oolong is brewed seven times.", quotes=("Oolong is brewed seven times.",))


@pytest.mark.parametrize("keeps", [" [^tea-1]", ""])
def test_a_model_may_keep_the_mark_of_what_is_gone_or_not(root: Path, keeps: str) -> None:
    ingest(root, "tea.txt", TEA.format("five"), proposal(BREWED))
    claim = SEVEN.model_copy(update={"text": SEVEN.text + keeps})

    replaced = Replace(op="replace", page="oolong", passage="Oolong is brewed five times. [^tea-1]", body=(claim,))
    ingest(root, "tea.txt", TEA.format("seven"), proposal(replaced))

    body = (root / "concepts" / "oolong.md").read_text("utf-8")
    assert re.findall(r'^\[\^.*?\]: .*"(.*)"$', body, re.MULTILINE) == [
        "Oolong is a tea of Fujian.",
        "Oolong is brewed seven times.",
    ]
    assert "five" not in body
    assert curate(root, "validate").status == 0


def test_what_a_source_still_says_is_not_dropped(root: Path) -> None:
    ingest(root, "tea.txt", TEA.format("five"), proposal(BREWED))

    replaced = Replace(op="replace", page="oolong", passage="It is a tea of Fujian. [^tea-2]", body=(SEVEN,))
    result = ingest(root, "tea.txt", TEA.format("seven"), proposal(replaced), proposal(replaced))

    assert (result["status"], {finding["code"] for finding in result["findings"]}) == ("parked", {"citation_lost"})


K7 = """# Valve K7

The valve K7 is a relief valve made by Acme Works.
The valve K7 opens at 3 bar.
The valve K7 was certified in 2019 by the harbour office.
The valve K7 must be inspected every two years.
"""


@pytest.mark.parametrize(("is_by_model", "at"), of_this_commit(product([False, True], [2, 3, 4, 5])))
def test_of_a_paragraph_the_sentences_that_still_stand_stay(root: Path, at: int, is_by_model: bool) -> None:
    """The built-in curator cites a whole paragraph by one mark; a model here has nothing to say of the change."""
    ingest(root, "valve.md", K7)
    lines = K7.splitlines()
    left = [line for number, line in enumerate(lines) if number != at]

    ingest(root, "valve.md", "\n".join(left) + "\n", *([NOTHING] if is_by_model else []))

    told = re.sub(r"\[\[[^]|]*\|([^]]*)\]\]", r"\1", body(root, "summaries/valve-summary.md")).partition("\n[^")[0]
    assert [line for line in lines[2:] if told.count(line) == 1] == left[2:]
    assert sound(root)


ORLA = """# Pump sheet

The pump Orla is a pump of Acme Works. The pump Orla weighs 12 kg. The pump Orla needs 3 kW.
"""
SERVICE = "".join(
    f"The service of part {n} begins with its cover, which the fitter of the harbour lifts. Part {n} is oiled then.\n\n"
    for n in range(1, 31)
)
RULES = """The pump Orla is used to empty the dock. The pump Orla must not run dry. The pump Orla is tested every spring.

The pump Orla can be lifted by two people. The pump Orla is painted green in the yard of the works.

"""


@pytest.mark.parametrize("more", ["", f"\n{RULES}{SERVICE}"], ids=["short", "long"])
@pytest.mark.parametrize(
    ("old", "new"), of_this_commit([("12 kg", "14 kg"), ("needs 3 kW", "needs 4 kW"), ("Acme", "Apex")])
)
def test_a_value_that_is_corrected_stands_on_the_page_of_its_thing(root: Path, more: str, old: str, new: str) -> None:
    ingest(root, "pump.md", ORLA + more)
    page = next(path for path in pages(root) if path.endswith("pump-orla.md"))
    told = body(root, page).count("[^")
    assert old in body(root, page)

    ingest(root, "pump.md", ORLA.replace(old, new) + more)

    assert (body(root, page).count(new), body(root, page).count(old)) == (2, 0)  # the statement and its footnote
    assert body(root, page).count("[^") == told
    assert sound(root)


def test_what_is_said_of_another_thing_takes_no_place(root: Path) -> None:
    vega = "The pump Vega is a pump of Acme Works. The pump Vega weighs 14 kg.\n"
    ingest(root, "pump.md", ORLA + "\n" + vega)

    ingest(root, "pump.md", ORLA.replace(" The pump Orla weighs 12 kg.", "") + "\n" + vega)

    page = next(path for path in pages(root) if path.endswith("pump-orla.md"))
    assert "kg" not in body(root, page)


DOCK = "# Dock notes\n\nThe dock is emptied at night. The pump Orla weighs {0} kg. It is loud.\n"


def _weights(root: Path) -> list[str]:
    """What the page of the pump says that it weighs, line by line."""
    page = next(path for path in pages(root) if path.endswith("pump-orla.md"))
    return re.findall(r"^- (.*?kg)\.", body(root, page), re.MULTILINE)


def test_sources_that_disagree_may_each_be_corrected_and_agree_in_the_end(root: Path) -> None:
    ingest(root, "pump.md", ORLA)
    ingest(root, "dock.md", DOCK.format(14))
    assert _weights(root) == [
        "The pump Orla weighs 12 kg",
        "Sources disagree; another says: The pump Orla weighs 14 kg",
    ]

    ingest(root, "pump.md", ORLA.replace("12 kg", "13 kg"))
    assert _weights(root) == [
        "The pump Orla weighs 13 kg",
        "Sources disagree; another says: The pump Orla weighs 14 kg",
    ]

    ingest(root, "dock.md", DOCK.format(15))
    assert _weights(root) == [
        "The pump Orla weighs 13 kg",
        "Sources disagree; another says: The pump Orla weighs 15 kg",
    ]

    ingest(root, "dock.md", DOCK.format(13))
    assert _weights(root) == ["The pump Orla weighs 13 kg"] * 2
    assert not any("contradicts" in standard.head(file) for file in pages(root).values())
    assert sound(root)


def test_what_holds_now_may_be_corrected_and_what_held_before_stays_so(root: Path) -> None:
    ingest(root, "2025-01-02-pump.md", ORLA)
    ingest(root, "2025-06-02-dock.md", DOCK.format(14))
    assert _weights(root) == ["The pump Orla weighs 14 kg", "Earlier: The pump Orla weighs 12 kg"]

    ingest(root, "2025-06-02-dock.md", DOCK.format(15))
    assert _weights(root) == ["The pump Orla weighs 15 kg", "Earlier: The pump Orla weighs 12 kg"]

    ingest(root, "2025-01-02-pump.md", ORLA.replace("12 kg", "13 kg"))
    assert _weights(root)[0] == "The pump Orla weighs 15 kg"
    assert _weights(root)[1].endswith("now outweighed: The pump Orla weighs 13 kg")
    assert sound(root)


# -- every citation is proven again --------------------------------------------------------------------------------

VALVE = """Valves

Date: 2026-03-01

The relief valve is a spring-loaded part of the boiler.
The relief valve opens at 3 bar.
The seat of the valve is made of brass.
"""


def said(text: str, quote: str = "") -> Claim:
    return Claim(text=text, quotes=(quote or text,) if not text.startswith("#") else ())


RELIEF = Create(
    op="create",
    kind="concept",
    title="Relief valve",
    body=(
        said("The relief valve is a spring-loaded part of the boiler."),
        said("## Figures"),
        said("- It opens at 3 bar.", "The relief valve opens at 3 bar."),
        said("## Material"),
        said("The seat is made of brass.", "The seat of the valve is made of brass."),
    ),
)
NOTHING = proposal()
RELIEF_PATH = "concepts/relief-valve.md"


def _valve(root: Path) -> None:
    ingest(root, "valve.txt", VALVE, proposal(RELIEF))


@pytest.fixture
def valve(made: Callable[..., Path]) -> Path:
    """A wiki with one page of one source."""
    return made(_valve)


def body(root: Path, path: str = "concepts/relief-valve.md") -> str:
    return (root / path).read_bytes().decode().partition("\n---")[2]


def sound(root: Path) -> bool:
    """Nothing that is cited is missing from its source, and nothing else is an error."""
    faults = [found["code"] for found in curate(root, "lint", "--no-log")["findings"] if found["severity"] == "error"]
    return curate(root, "validate").status == 0 and not faults


def test_a_claim_whose_number_has_changed_goes_with_its_heading_and_the_log_says_why(valve: Path) -> None:
    result = ingest(valve, "valve.txt", VALVE.replace("3 bar", "4 bar"), NOTHING)

    assert result["status"] == "ingested"
    assert "bar" not in body(valve) and "## Figures" not in body(valve) and "[^valve-2]" not in body(valve)
    assert "spring-loaded" in body(valve) and "brass" in body(valve)
    why = "'- It opens at 3 bar.' (sources/valve.txt no longer says \"The relief valve opens at 3 bar.\")"
    why = why.replace("- ", "")
    assert f"withdrawn from [[relief-valve]]: {why}" in events(valve)[-1].bullets
    assert why in git(valve, "log", "-1", "--format=%b")
    assert ("claim_withdrawn", why) in [(found["code"], found["message"]) for found in result["findings"]]
    assert sound(valve)


def test_a_dry_run_shows_what_would_go(valve: Path) -> None:
    before = standard.state(valve)
    drop(valve, "valve.txt", VALVE.replace("3 bar", "4 bar"))

    with standard.scripted(NOTHING):
        (result,) = curate(valve, "ingest", "--dry-run", valve / "sources" / "valve.txt")["results"]

    assert "-- It opens at 3 bar. [^valve-2]" in result["diff"]
    drop(valve, "valve.txt", VALVE)
    assert standard.state(valve) == before


def test_a_model_may_put_the_new_words_in_the_place_of_the_old(valve: Path) -> None:
    new = said("It opens at 4 bar.", "The relief valve opens at 4 bar.")
    put = Replace(op="replace", page="relief-valve", passage="It opens at 3 bar.", body=(new,))

    with standard.scripted(proposal(put)) as model:
        curate(valve, "ingest", drop(valve, "valve.txt", VALVE.replace("3 bar", "4 bar")))

    assert model.requests[0].withdrawn == ("relief-valve: It opens at 3 bar.",)
    assert "## Figures\n\n- It opens at 4 bar. [^valve-4]\n\n## Material" in body(valve)
    assert sound(valve)


def test_what_a_page_said_in_words_that_are_gone_may_be_said_anew(valve: Path) -> None:
    changed = VALVE.replace("The relief valve opens at 3 bar.", "At 3 bar the spring gives way and the valve opens.")
    again = said("- It opens at 3 bar.", "At 3 bar the spring gives way and the valve opens.")

    ingest(valve, "valve.txt", changed, proposal(Add(op="add", page="relief-valve", section="Figures", body=(again,))))

    assert body(valve).count("It opens at 3 bar.") == 1 and "gives way" in body(valve)
    assert sound(valve)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The relief valve opens at 3 bar.", "It is not true that the relief valve opens at 3 bar."),
        ("The relief valve opens at 3 bar.", "The relief valve opens at 3 bar. Not any more."),
        ("The relief valve opens at 3 bar.", "In no boiler the relief valve opens at 3 bar."),
        ("The relief valve opens at 3 bar.", ""),
        ("The relief valve opens at 3 bar.", "\nThe next sentence is forged.\n\nThe relief valve opens at 3 bar.\n"),
        (
            "The relief valve opens at 3 bar.",
            "\nPopular errors\n--------------\n\nThe relief valve opens at 3 bar.\n\nMore\n----\n",
        ),
        ("The relief valve opens at 3 bar.", "\nAn anonymous letter claims:\n\nThe relief valve opens at 3 bar.\n\n"),
    ],
)
def test_words_that_stand_but_are_turned_prove_nothing(valve: Path, old: str, new: str) -> None:
    result = ingest(valve, "valve.txt", VALVE.replace(old, new), NOTHING)

    gone = "Not any more" not in new  # a sentence behind it is out of reach
    assert ("3 bar" not in body(valve).partition("[^valve-1]:")[0]) == gone
    assert [found["code"] for found in result["findings"]] == ["claim_withdrawn"] * gone
    assert sound(valve)


def test_paragraphs_that_moved_are_cited_where_they_stand_now(valve: Path) -> None:
    lines = VALVE.splitlines()
    moved = "\n".join([*lines[:3], "", lines[6], "", "Valves are checked once a year.", lines[4], lines[5], ""])
    before = body(valve)

    result = ingest(valve, "valve.txt", moved, NOTHING)

    assert (result["updated"], result["findings"]) == (["relief-valve"], [])
    assert [line.partition("#")[2][:3] for line in body(valve).splitlines() if "]: " in line] == ["L8 ", "L9 ", "L5 "]
    assert body(valve).partition("[^valve-1]:")[0] == before.partition("[^valve-1]:")[0]
    assert sound(valve)


def test_white_space_alone_is_recorded_and_costs_nothing(valve: Path) -> None:
    with standard.scripted() as model:
        (result,) = curate(valve, "ingest", drop(valve, "valve.txt", VALVE + "\n\n"))["results"]
    assert (result["status"], result["updated"], model.requests) == ("ingested", [], [])
    assert events(valve)[-1].bullets[0] == "no page changed"
    assert curate(valve, "ingest", valve / "sources" / "valve.txt")["results"][0]["status"] == "skipped"

    result = ingest(valve, "valve.txt", "\n" + VALVE)
    assert result["updated"] == ["relief-valve"] and "#L7 " in body(valve)
    assert sound(valve)


def test_what_a_source_said_before_is_read_once(valve: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []

    def reads(text: str) -> Document | None:
        texts.append(text)
        return plain_document(text)

    monkeypatch.setattr(intake, "plain_document", reads)

    assert ingest(valve, "valve.txt", VALVE.replace("3 bar", "4 bar"), NOTHING)["status"] == "ingested"

    assert texts == [VALVE]


def test_a_change_that_says_nothing_new_is_recorded(valve: Path) -> None:
    result = ingest(valve, "valve.txt", VALVE + "Thank you for reading.\n", NOTHING)

    assert (result["status"], result["updated"]) == ("ingested", [])
    assert "no page changed" in events(valve)[-1].bullets
    assert git(valve, "status", "--porcelain") == ""


def test_a_reply_of_which_nothing_holds_still_waits(valve: Path) -> None:
    bad = proposal(Add(op="add", page="relief-valve", section="", body=(said("Valves are blue, as is well known."),)))

    result = ingest(valve, "valve.txt", VALVE + "Thank you for reading.\n", bad, bad)

    assert (result["status"], result["code"]) == ("parked", "proposal_empty")


def test_what_another_source_bears_out_stays_without_the_proof_that_is_gone(valve: Path) -> None:
    ingest(valve, "book.txt", "The relief valve opens at 3 bar.\nThe boiler is old and made of steel.\n", NOTHING_YET)
    page = valve / "concepts" / "relief-valve.md"
    note = '\n[^book-1]: sources/book.txt#L1 "The relief valve opens at 3 bar."\n'
    page.write_text(page.read_text("utf-8").replace("[^valve-2]\n", "[^valve-2] [^book-1]\n") + note, "utf-8")
    git(valve, "commit", "-qam", "a second proof")

    result = ingest(valve, "valve.txt", VALVE.replace("3 bar", "4 bar"), NOTHING)

    assert "- It opens at 3 bar. [^book-1]\n" in body(valve) and "[^valve-2]" not in body(valve)
    assert [found["code"] for found in result["findings"]] == ["citation_withdrawn"]
    assert sound(valve)


def test_what_was_marked_as_earlier_stands_again_when_the_later_word_goes(valve: Path) -> None:
    dispute = Dispute(
        op="dispute", page="relief-valve", passage="It opens at 3 bar.", claim=said("The relief valve opens at 4 bar.")
    )
    trial = "Trial\n\nThe relief valve opens at 4 bar.\nThe boiler is old.\n"
    ingest(valve, "2026-05-01-trial.txt", trial, proposal(dispute))
    assert "- Earlier: It opens at 3 bar. [^valve-2]" in body(valve)

    ingest(valve, "2026-05-01-trial.txt", "Trial\n\nThe trial was called off.\nThe boiler is old.\n", NOTHING)

    assert "- It opens at 3 bar. [^valve-2]\n" in body(valve)
    assert "4 bar" not in body(valve) and sound(valve)


def test_pages_contradict_each_other_no_more_when_what_did_is_gone_and_are_as_sure_as_before(valve: Path) -> None:
    before = body(valve), Page(RELIEF_PATH, (valve / RELIEF_PATH).read_text("utf-8")).confidence
    summary = Create(op="create", kind="summary", title="Trial", body=(said("The boiler is old."),))
    hisses = said("The relief valve does not open at 3 bar.")
    dispute = Dispute(op="dispute", page="relief-valve", passage="It opens at 3 bar.", claim=hisses)
    ingest(valve, "trial.txt", f"Trial\n\n{hisses.text}\nThe boiler is old.\n", proposal(summary, dispute))
    page = Page(RELIEF_PATH, (valve / RELIEF_PATH).read_text("utf-8"))
    assert (page.contradicts, page.confidence) == (("trial",), 0.6)

    result = ingest(valve, "trial.txt", "Trial\n\nThe boiler is old.\n", NOTHING)

    page = Page(RELIEF_PATH, (valve / RELIEF_PATH).read_text("utf-8"))
    assert (body(valve), page.confidence) == before and not page.contradicts
    assert [found["code"] for found in result["findings"]] == ["claim_withdrawn", "relation_withdrawn"]
    assert sound(valve) and "contradicts" not in (valve / "summaries" / "trial.md").read_text("utf-8")


def test_what_a_changed_source_had_put_into_a_statement_of_another_goes_alone(valve: Path) -> None:
    longer = said(
        "- It opens at 3 bar and closes by a spring. [^valve-2]",
        "The relief valve opens at 3 bar and closes by a spring.",
    )
    replace = Replace(op="replace", page="relief-valve", passage="- It opens at 3 bar. [^valve-2]", body=(longer,))
    notice = "Notice\n\nThe relief valve opens at 3 bar and closes by a spring.\nThe boiler is old.\n"
    ingest(valve, "notice.txt", notice, proposal(replace))
    assert "- It opens at 3 bar and closes by a spring. [^valve-2] [^notice-1]" in body(valve)

    result = ingest(valve, "notice.txt", "Notice\n\nThe boiler is old.\n", NOTHING)

    assert "- It opens at 3 bar. [^valve-2]\n" in body(valve)
    assert "spring. [" not in body(valve) and "notice" not in body(valve) and sound(valve)
    assert [found["code"] for found in result["findings"]] == ["claim_withdrawn"]


NOTHING_YET = proposal(
    Create(op="create", kind="concept", title="Boiler", body=(said("The boiler is old and made of steel."),))
)


def test_pages_that_no_ingest_wrote_are_found(valve: Path) -> None:
    page = valve / "concepts" / "by-hand.md"
    text = (valve / "concepts" / "relief-valve.md").read_text("utf-8")
    page.write_text(text.replace("relief-valve", "by-hand").replace("Relief valve", "By hand"), "utf-8")
    git(valve, "add", "-A")
    git(valve, "commit", "-qm", "by hand")

    ingest(valve, "valve.txt", VALVE.replace("3 bar", "4 bar"), NOTHING)

    assert "3 bar" not in body(valve, "concepts/by-hand.md")
    assert sound(valve)


def test_a_block_of_the_users_own_is_left_and_told_of(valve: Path) -> None:
    edited(valve, "concepts/relief-valve.md", ("## Figures\n", "## Figures\n\n<!-- human -->\n"))
    own = body(valve).partition("<!-- human -->")[2].partition("## Material")[0]

    result = ingest(valve, "valve.txt", "\n" + VALVE.replace("3 bar", "4 bar"), NOTHING)

    assert own in body(valve) and "#L8 " in body(valve)
    assert [found["code"] for found in result["findings"]] == ["claim_unproven"]
    assert any(bullet.startswith("unproven on [[relief-valve]]") for bullet in events(valve)[-1].bullets)


def test_a_line_typed_right_below_a_footnote_keeps_no_citation_alive_and_stays(valve: Path) -> None:
    """Where an editor's cursor stands at the end of a page: markdown reads the line as the footnote's."""
    edited(valve, RELIEF_PATH, ('3 bar."\n', '3 bar."\nAsk Kim.\n'))

    ingest(valve, "valve.txt", VALVE.replace("3 bar", "4 bar"), NOTHING)

    assert "3 bar" not in body(valve) and "[^valve-2]" not in body(valve)
    assert "\n\nAsk Kim.\n" in body(valve)
    assert sound(valve)


def test_a_line_right_below_a_footnote_hides_no_words_that_the_source_does_not_have(valve: Path) -> None:
    edited(valve, RELIEF_PATH, ('valve opens at 3 bar."\n', 'valve opens at 9 bar."\nAsk Kim.\n'))

    found = curate(valve, "validate")

    assert found.status == 1 and found.codes == ["evidence_missing"]


def test_a_page_of_which_nothing_is_left_is_kept_and_named(valve: Path) -> None:
    result = ingest(valve, "valve.txt", "Valves\n\nNothing is known of the relief valve any more, they say.\n", NOTHING)

    assert body(valve).strip() == "# Relief valve"
    assert [found["code"] for found in result["findings"]] == ["claim_withdrawn"] * 3 + ["page_emptied"]
    assert any("nothing that is proven is left" in bullet for bullet in events(valve)[-1].bullets)
    assert curate(valve, "validate").status == 0
    found = next(each for each in curate(valve, "lint")["findings"] if each["path"] == RELIEF_PATH)
    assert "curate remove relief-valve " in found["hint"]


MISSPELT = """# Pump {0}

The pump {0} is a rotary pump. It weighs 12 kilograms.
The pump {0} hangs at the valve Kas.
"""


def _misspelt_and_mended(root: Path, *keep: tuple[str, str]) -> Path:
    """A wiki whose one source had the name of its thing wrong."""
    ingest(root, "orla.md", MISSPELT.format("Orlla"))
    ingest(root, "kas.md", "# Valve Kas\n\nThe valve Kas is a valve of brass. The valve Kas hangs at the pump Orlla.\n")
    page = next(path for path in pages(root) if path.endswith("pump-orlla.md"))
    for old, new in keep:
        edited(root, page, (old, new))
    ingest(root, "orla.md", MISSPELT.format("Orla"))
    return root


def test_a_summary_gets_the_title_that_its_source_has_now(root: Path) -> None:
    _misspelt_and_mended(root)

    (summary,) = (
        Page(path, file.read_text("utf-8"))
        for path, file in pages(root).items()
        if "orla-s" in path or path.endswith("/orla.md")
    )
    assert summary.title.startswith("Pump Orla") and f"# {summary.title}" in summary.body
    assert "Orlla" not in (root / summary.path).read_text("utf-8")
    record = json.loads((root / "_manifest.json").read_text("utf-8"))["sources"]["sources/orla.md"]
    assert record["title"] == "Pump Orla"
    assert sound(root)


def test_a_title_that_a_link_in_a_persons_block_leads_to_stays(root: Path) -> None:
    ingest(root, "orla.md", MISSPELT.format("Orlla"))
    summary = next(path for path in pages(root) if "orla-s" in path or path.endswith("/orla.md"))
    title = Page(summary, (root / summary).read_text("utf-8")).title
    ingest(root, "kas.md", "# Valve Kas\n\nThe valve Kas is a valve of brass. The valve Kas hangs at the pump Orlla.\n")
    page = next(path for path in pages(root) if path.endswith("valve-kas.md"))
    own = f"<!-- human -->\nSee [[{title}]] first.\n<!-- /human -->\n"
    edited(root, page, ("# Valve Kas\n", f"# Valve Kas\n\n{own}"))

    ingest(root, "orla.md", MISSPELT.format("Orla"))

    assert own in (root / page).read_text("utf-8")
    assert Page(summary, (root / summary).read_text("utf-8")).title == title


def test_a_source_that_takes_the_name_of_another_titles_its_summary(root: Path) -> None:
    ingest(root, "glaze.md", "# Glaze Celadon\n\nGlaze Celadon is a green glaze. Glaze Celadon contains no lead.\n")
    ingest(root, "wood.md", "# Wood store\n\nThe wood store is a shed. Oak costs 60 euros a plank.\n")

    (root / "sources" / "wood.md").rename(root / "sources" / "glaze.md")
    assert curate(root, "ingest", str(root / "sources")).status == 0

    titles = [Page(path, file.read_text("utf-8")).title for path, file in pages(root).items()]
    assert "Celadon" not in (root / "_index.md").read_text("utf-8")
    assert len(titles) == len(set(titles)) and sum(title.startswith("Wood store") for title in titles) == len(titles)


def test_a_title_that_its_user_gave_stays(root: Path) -> None:
    ingest(root, "orla.md", MISSPELT.format("Orlla"))
    summary = next(
        Page(path, file.read_text("utf-8"))
        for path, file in pages(root).items()
        if "kind: summary" in file.read_text("utf-8")
    )
    assert curate(root, "rename", summary.slug, "My notes on machines").status == 0

    ingest(root, "orla.md", MISSPELT.format("Orla"))

    assert "My notes on machines" in [Page(path, file.read_text("utf-8")).title for path, file in pages(root).items()]


def test_pages_keep_their_line_ends(valve: Path) -> None:
    page = valve / "concepts" / "relief-valve.md"
    page.write_bytes(page.read_bytes().replace(b"\n", b"\r\n"))
    git(valve, "commit", "-qam", "as Windows writes it")

    ingest(valve, "valve.txt", "\n" + VALVE.replace("3 bar", "4 bar"), NOTHING)

    written = page.read_bytes()
    assert b"3 bar" not in written and b"#L6 " in written
    assert written.count(b"\n") == written.count(b"\r\n")


def test_an_unreadable_head_makes_the_source_wait_before_a_model_is_asked(valve: Path) -> None:
    edited(valve, "concepts/relief-valve.md", ("kind: concept", "kind: [concept"))

    with standard.scripted() as model:
        (result,) = curate(valve, "ingest", drop(valve, "valve.txt", VALVE.replace("3", "4")))["results"]

    assert (result["status"], [found["code"] for found in result["findings"]]) == ("parked", ["frontmatter_unreadable"])
    assert model.requests == []


def test_a_page_that_is_being_edited_makes_the_source_wait(valve: Path) -> None:
    page = valve / "concepts" / "relief-valve.md"
    page.write_text(page.read_text("utf-8") + "\nMine.\n", "utf-8")

    result = ingest(valve, "valve.txt", VALVE.replace("3 bar", "4 bar"), NOTHING, CURATOR_ON_DIRTY="park")
    assert result["status"] == "held" and "3 bar" in body(valve)

    git(valve, "checkout", "--", "concepts")
    ingest(valve, "valve.txt", VALVE.replace("3 bar", "4 bar"), NOTHING)
    assert "3 bar" not in body(valve)


def test_no_reply_takes_more_away_than_the_new_words_do(valve: Path) -> None:
    """What code withdraws opens no door: the rest of the page is as well kept as ever."""
    put = Replace(op="replace", page="relief-valve", passage="The seat is made of brass.", body=(said("## Gone"),))
    lost = Replace(
        op="replace",
        page="relief-valve",
        passage="The seat is made of brass.",
        body=(said("It opens at 4 bar.", "The relief valve opens at 4 bar."),),
    )
    for reply in (put, lost):
        ingest(valve, "valve.txt", VALVE.replace("3 bar", "4 bar"), proposal(reply), proposal(reply))
        assert "made of brass. [^valve-3]" in body(valve)


@pytest.mark.parametrize("share", of_this_commit([0.3, 0.6, 0.9]))
def test_killed_at_any_moment_pages_and_source_agree(kept: Path, tmp_path: Path, share: float) -> None:
    changed = wikis.TEA.replace("partly", "fully")
    drop(kept, "oolong-notes.txt", changed)
    other = Path(shutil.copytree(kept, tmp_path / "other", symlinks=True))

    acts = int(_crashing(other, 0).stdout)
    assert _crashing(kept, int(acts * share)).returncode == DIES
    curate(kept, "status")

    paths = ("sources/oolong-notes.txt", "concepts/oolong.md", "summaries/oolong-notes.md")
    assert len({"partly" in git(kept, "show", f"HEAD:{path}") for path in paths}) == 1
    ingest(kept, "oolong-notes.txt", changed, NOTHING)
    assert "partly" not in body(kept, paths[1]) + body(kept, paths[2]) and sound(kept)


def _crashing(root: Path, act: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, crash.__file__, str(root), str(root / "sources" / "oolong-notes.txt"), str(act)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_branch_that_moves_while_a_model_thinks_is_proven_again(valve: Path) -> None:
    def meanwhile(_: object) -> str:
        page = valve / "concepts" / "by-hand.md"
        page.write_text(
            (valve / RELIEF_PATH).read_text("utf-8").replace("elief", "ed").replace("ed-v", "by-hand-v"), "utf-8"
        )
        git(valve, "add", "concepts")
        git(valve, "commit", "-qm", "by hand, meanwhile")
        return NOTHING.dumps()

    result = ingest(valve, "valve.txt", VALVE.replace("3 bar", "4 bar"), meanwhile)

    assert result["status"] == "ingested"
    assert "3 bar" not in body(valve) and "3 bar" not in body(valve, "concepts/by-hand.md")


def test_a_page_of_the_later_dialect_is_proven_again(root: Path) -> None:
    edited(root, "KNOWLEDGE.md", ("metadata:\n", "metadata:\n  curator: {dialect: knowledge.entry/v1}\n"))
    curate(root, "approve")
    ingest(root, "valve.txt", VALVE, proposal(RELIEF))
    path = next(path for path in pages(root) if path.endswith("relief-valve.md"))
    assert standard.head(root / path)["schema"] == "knowledge.entry/v1"

    ingest(root, "valve.txt", "\n" + VALVE.replace("3 bar", "4 bar"), NOTHING)

    assert "3 bar" not in body(root, path) and "#L6 " in body(root, path)
    assert standard.head(root / path)["sources"] == ["valve"]
    assert sound(root)


# -- another name ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_committed", [True, False])
def test_a_source_that_is_renamed_keeps_what_was_made_of_it(valve: Path, is_committed: bool) -> None:
    git(valve, "mv", "sources/valve.txt", "sources/old valve.txt")
    if is_committed:
        git(valve, "commit", "-qm", "another name")
    before = int(git(valve, "rev-list", "--count", "HEAD"))

    foreseen = curate(valve, "ingest", "--dry-run", valve / "sources" / "old valve.txt")
    result = curate(valve, "ingest", valve / "sources" / "old valve.txt")["results"][0]

    assert foreseen["results"][0]["commit"] is None
    assert (result["status"], result["renamed_from"]) == ("ingested", "sources/valve.txt")
    assert int(git(valve, "rev-list", "--count", "HEAD")) == before + 1
    assert git(valve, "status", "--porcelain") == ""
    assert "- sources/valve.txt is sources/old valve.txt now" in (valve / "_log.md").read_text("utf-8")
    assert "sources/valve.txt" not in "".join(file.read_text("utf-8") for file in pages(valve).values())
    assert 'sources/old%20valve.txt#L6 "The relief valve opens at 3 bar."' in body(valve)
    assert sound(valve)
    assert curate(valve, "ingest", valve / "sources")["results"][0]["status"] == "skipped"


def test_no_source_gets_another_name_under_rules_that_nobody_has_approved(valve: Path) -> None:
    file = valve / "KNOWLEDGE.md"
    file.write_text(file.read_text("utf-8").replace("status: ready", "status: archived"), "utf-8")
    git(valve, "mv", "sources/valve.txt", "sources/old valve.txt")
    git(valve, "commit", "-qam", "archived")

    result = curate(valve, "ingest", valve / "sources" / "old valve.txt")["results"][0]

    assert (result["commit"], result["code"]) == (None, "schema_unapproved")


def test_a_second_file_of_the_same_bytes_is_a_duplicate_while_the_first_is_there(valve: Path) -> None:
    shutil.copy(valve / "sources" / "valve.txt", valve / "sources" / "again.txt")

    assert curate(valve, "ingest", valve / "sources" / "again.txt")["results"][0]["status"] == "duplicate"


def test_a_page_of_the_later_dialect_names_a_renamed_source_by_the_id_that_it_had(root: Path) -> None:
    ingest(root, "valve.txt", VALVE, proposal(RELIEF))
    dialect = ("schema: knowledge/v1", "schema: knowledge.entry/v1")
    edited(root, RELIEF_PATH, dialect, ("- sources/valve.txt", "- valve"))
    git(root, "mv", "sources/valve.txt", "sources/other.txt")

    curate(root, "ingest", root / "sources" / "other.txt")

    written = (root / RELIEF_PATH).read_text("utf-8")
    assert "\n- valve\n" in written and "sources/valve.txt" not in written
    assert "source_not_found" not in curate(root, "validate").codes
