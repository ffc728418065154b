"""The measure's own arithmetic: what counts as said, as found, as told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from quality import __main__ as command
from quality.answers import answer, right
from quality.corpus import AskedQuestion, Corpus, ExpectedFact, ExpectedRelation, LinkLabel, NamedThing
from quality.matching import key, shows
from quality.measures import Share, alike, kept, links, names, relations, repeated, shown
from quality.pages import PageFolder, statement
from quality.passages import title_of, titled, windows
from quality.ranking import RankedPassages
from quality.report import QualityReport

SPAN = "The keeper checks each lantern every 14 days, by :pep:`8`"
CHECK = ExpectedFact("a.md", (SPAN,), ("14 days", "check"))
LATER = ExpectedFact("b.md", ("Each lantern is checked every 21 days",), ("21 days",))


def folder(root: Path, **pages: str) -> PageFolder:
    for slug, text in pages.items():
        (root / f"{slug}.md").write_text(text, "utf-8")
    return PageFolder(root)


@pytest.mark.parametrize(
    "text",
    [
        "x\n\nThe *keeper* checks each [[signal-lantern|lantern]]\nevery 14 days, by PEP 8. [^1]",
        "Each lantern: the keeper has to check it every 14 days.",
        "| each lantern | checked by the keeper, every 14 days |",
    ],
)
def test_a_fact_is_shown_in_its_own_words_and_in_others(text: str) -> None:
    assert shows(text, CHECK)


@pytest.mark.parametrize(
    "text",
    [
        "The keeper checks each lantern every 140 days.",
        "Cheese is checked after 14 days.",
        "The keeper checks each lantern.\n\nA lantern burns for 14 days.",
        "",
    ],
)
def test_a_fact_is_not_shown_by_some_of_its_words(text: str) -> None:
    assert not shows(text, CHECK)


TOTAL = ExpectedFact("a.md", ("Total support: 35 months from release to",), ("35 months",))
WICK = ExpectedFact("a.md", ("Amber wicks",), ("Amber",))


@pytest.mark.parametrize(
    ("text", "fact", "is_shown"),
    [
        ("Oil lasts 5 months; total support is 35 months from release to the end.", TOTAL, True),
        ("Total support is 35 months.", TOTAL, False),
        ("Support from a release on: 35 months.", TOTAL, False),
        ("A wick that is of amber.", WICK, False),
        ("Amber wicks.", WICK, True),
    ],
)
def test_a_short_fact_is_shown_in_other_words_by_all_of_its_few(text: str, fact: ExpectedFact, is_shown: bool) -> None:
    """One other word is too few: it is looked for word by word."""
    assert shows(text, fact) is is_shown


def test_a_fact_of_a_source_in_another_language_is_shown_by_its_translation() -> None:
    fact = ExpectedFact(
        "a.md",
        ("Vier Laternen waren dunkel",),
        ("vier Laternen|four lanterns",),
        ("Four lanterns were dark in the January night of 2037",),
    )

    assert shows("One night in January 2037 four lanterns were all dark.", fact)
    assert not shows("One night in January 2037 five lanterns were all dark.", fact)


def test_titled_paragraphs_keep_their_headings_and_windows_overlap() -> None:
    rst = "Title: Lamps\n\nCare\n====\n\nTrim it.\n\nMore\n----\n\nClean it.\n\nEnd\n===\n\nBye."

    assert [each.shown for each in titled("a", title_of(rst), rst)] == [
        "Lamps\nTitle: Lamps",
        "Lamps > Care\nTrim it.",
        "Lamps > Care > More\nClean it.",
        "Lamps > End\nBye.",
    ]
    assert [each.text.split()[0] for each in windows("a", " ".join(map(str, range(210))))] == ["0", "100"]
    assert title_of("# Oil *lamp*\n") == "Oil *lamp*"
    assert title_of("Lamps\n=====\n") == "Lamps"


def test_material_is_the_beginning_of_what_is_ranked_best_first() -> None:
    ranked = RankedPassages(titled("a", "Lamps", "Oil burns.\n\n" + "A lantern is checked. " * 30))

    more, less = ranked.material("who checks lanterns?", 200), ranked.material("who checks lanterns?", 20)

    assert more.startswith(less)
    assert 0 < len(less) < len(more)
    assert not ranked.material("???", 100)


def test_shown_and_kept_count_facts(tmp_path: Path) -> None:
    pages = folder(tmp_path, lantern=f'{SPAN}. [^1]\n\n[^1]: a.md "checked every 21 days, each lantern"')
    question = AskedQuestion("1", "how often?", (CHECK, LATER))

    assert shown([question], lambda text, tokens: SPAN, 10) == {"1": [True, False]}
    assert list(kept([CHECK, LATER], pages)) == [CHECK]
    assert list(kept([CHECK, LATER], pages, with_notes=True)) == [CHECK, LATER]


def test_an_answer_is_right_by_its_words_and_by_what_was_shown_alone() -> None:
    prompts: list[str] = []

    def complete(prompt: str) -> str:
        prompts.append(prompt)
        return "They are to be checked after 14 days."

    answered = answer(
        [AskedQuestion("1", "how often?", (CHECK, LATER))], lambda text, tokens: f"{tokens} tokens", 9, complete
    )

    assert right(answered) == Share(1, 2)
    assert "9 tokens" in prompts[0] and "how often?" in prompts[0]


def test_one_thing_twice_and_two_things_once_are_told_apart(tmp_path: Path) -> None:
    things = [
        NamedThing("LS 4", frozenset({key("LS-4"), key("Lantern Standard 4")})),
        NamedThing("LS 41", frozenset({key("LS_41")})),
        NamedThing("VLO", frozenset({key("vlo")})),
        NamedThing("Osk", frozenset({key("osk")})),
    ]
    pages = folder(
        tmp_path,
        **{
            "ls-4": "# LS 4",
            "lantern-standard-4": "# Lantern Standard 4",
            "office": "---\ntitle: VLO\naliases: [Osk]\n---\nX",
        },
        **{"pep-8": "# PEP 8", "pep-0008": "# PEP 0008"},
    )

    counts = names(things, pages)

    assert (counts.one_page, counts.no_page) == (("VLO",), ("LS 41", "Osk"))
    assert counts.several_pages == ("LS 4: lantern-standard-4.md, ls-4.md",)
    assert counts.two_things == ("office.md: VLO, Osk",)
    assert alike(pages) == ("pep-0008.md, pep-8.md",)


def test_statements_on_several_pages_are_counted_once(tmp_path: Path) -> None:
    pages = folder(tmp_path, a=f"# A\n\n{SPAN}\n\n- Short.", b=f"- {SPAN}\n- Short.\n- {LATER.spans[0]}")

    assert repeated(pages) == Share(1, 2)


def test_links_are_judged_by_the_first_label_that_fits(tmp_path: Path) -> None:
    pages = folder(
        tmp_path,
        torrin="# Torrin\n\nA town.",
        ada="# Ada Torrin\n\nShe is not from [[torrin|Torrin]], the harbour.",
        lens="# Lens\n\n- [[torrin|Torrin]] got a lamp.\n- [Torrin](torrin.md) is a harbour.\n\n"
        "They [[go]] on, to [[x]].\n\n- [[go|Go]]\n- The key `[[go]]`, or [[go|`go`]].",
    )
    corpus = Corpus(tmp_path, tmp_path)
    things = (NamedThing("Torrin", frozenset({"torrin"})), NamedThing("Ada Torrin", frozenset({"ada torrin"})))
    labels = (
        LinkLabel("torrin", ("got",), "Ada Torrin"),
        LinkLabel("torrin", ("harbour",), "Torrin"),
        LinkLabel("go", (), None),
    )
    corpus.__dict__.update(things=things, links=labels)

    counts = links(corpus, pages)

    assert (counts.right, counts.linked, counts.all) == (Share(2, 4), Share(2, 3), 7)
    assert counts.wrong == ("lens.md: Torrin → torrin", "lens.md: go → go")
    assert statement(pages.pages[1].links[1]) == "- ⟦Torrin⟧ is a harbour."


@pytest.mark.parametrize(
    ("pages", "figures"),
    [
        ({"a": SPAN}, (0, 0, 0)),
        ({"a": SPAN, "b": LATER.spans[0]}, (1, 0, 0)),
        ({"a": f"{SPAN}\n\n{LATER.spans[0]}"}, (1, 1, 0)),
        ({"a": f"{SPAN} (until 2038).", "b": LATER.spans[0]}, (1, 1, 1)),
        ({"a": SPAN, "b": f"---\ntitle: B\nsupersedes: [a]\n---\n{LATER.spans[0]}"}, (1, 1, 1)),
        ({"a": f"---\ntitle: A\ncontradicts: [b]\n---\n{SPAN}", "b": LATER.spans[0], "c": SPAN}, (1, 0, 0)),
    ],
)
def test_a_relation_is_told_where_no_page_leaves_the_first_statement_alone(
    pages: dict[str, str], figures: tuple[int, ...], tmp_path: Path
) -> None:
    counts = relations([ExpectedRelation("supersedes", CHECK, LATER)], folder(tmp_path, **pages))

    assert (counts.kept.found, counts.told.found, counts.marked.found) == figures


def test_the_shipped_corpus_says_what_is_expected_of_it() -> None:
    folder = Path(__file__).parents[2] / "quality" / "lanterns"
    corpus = Corpus(folder, folder / "sources")

    assert not list(corpus.missing())
    assert (len(corpus.documents), len(corpus.single), len(corpus.across)) == (12, 30, 20)
    assert [question.number for question in replace(corpus, half="odd").across][:3] == ["1", "3", "5"]
    assert {label.to for label in corpus.links if label.to} <= {thing.name for thing in corpus.things}


def test_a_corpus_without_documents_says_where_they_are_looked_for(tmp_path: Path) -> None:
    (fault,) = Corpus(tmp_path, tmp_path / "sources").missing()

    assert fault == f"no folder of documents at {tmp_path / 'sources'}: name the one that has them with --sources DIR"


def test_questions_may_be_numbered_by_any_words(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Tea is green.\n", "utf-8")
    row = {"question": "Which?", "source": "a.md", "passages": ["Tea is green."], "facts": ["green"]}
    rows = (json.dumps({"id": f"q-{number}", **row}) for number in ("a", "b", "c"))
    (tmp_path / "questions.jsonl").write_text("\n".join(rows), "utf-8")

    assert [each.number for each in Corpus(tmp_path, tmp_path, "odd").single] == ["q-a", "q-c"]


def test_a_report_lines_its_figures_up_under_their_section() -> None:
    report = QualityReport()
    report.add("pages", "facts kept", Share(1, 2), 3)
    report.add("pages", "links", Share(0, 0))

    assert [line.split() for line in report.lines()] == [["pages"], "facts kept 1 of 2 3".split(), ["links", "–"]]
    assert report.json()["rows"][0]["figures"] == [{"found": 1, "of": 2}, 3]


def test_the_command_measures_any_pages_and_writes_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "Soot was the chief cause of lost range."
    for place in ("corpus/sources", "pages"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "soot.md").write_text(f"# Soot\n\n{said}\n", "utf-8")
    asked = {"id": 1, "question": "What cost range?", "source": "soot.md", "passages": [said], "facts": ["soot"]}
    (tmp_path / "corpus/questions.jsonl").write_text(json.dumps(asked), "utf-8")
    options = [f"{tmp_path}/corpus", f"--pages={tmp_path}/pages", "--claims=none", f"--json={tmp_path}/told.json"]
    monkeypatch.setattr("sys.argv", ["quality", *options])

    assert command.main() == 0

    rows = {row["what"]: row["figures"] for row in json.loads((tmp_path / "told.json").read_text("utf-8"))["rows"]}
    assert rows["BM25, passages of the pages"] == [{"found": 1, "of": 1}] * 3
    assert "1 of 1" in capsys.readouterr().out
