"""Which passages a question is answered from, how pages are read for it, and what the built-in finds in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.ask.material import Material, MaterialSearch
from curator.ask.query_scope import QueryScope
from curator.ask.standing import Standing
from curator.cli.commands import ask
from curator.cli.commands.ask import AskRequest
from curator.errors import ConfigError
from curator.models import question
from curator.models.extractive.answer import answer
from curator.models.extractive.terms.matching import Match
from curator.models.port import estimate_tokens
from curator.models.question import Question
from curator.models.sandbox.source_texts import SourceTexts
from curator.models.statements import ProvenStatement, Quote, Statement, Statements, prove_statement
from curator.repository.catalogue import Catalogue
from curator.repository.runtime.runtime import Runtime
from curator.repository.settings import Settings
from curator.repository.source_index import SourceIndex
from curator.wiki.pages.page import Page
from curator.wiki.passages.of_page import read_page
from curator.wiki.passages.passage import Passage, Reading, headings_of_each
from curator.wiki.passages.ranking import PassageQuery, as_heads_say
from curator.wiki.passages.selection import candidates_of, choose, fuse
from curator.wiki.sources.formats import SourceLimits
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.wiki import Wiki
from curator.wiki.workspace.workspace import CurationPolicy, Workspace
from support.asked import PARTLY, asked, planted, said
from support.fakes import ScriptedRespondent
from support.pages import laws, page
from support.views import view

TEA = page("tea", "Tea is brewed from camellia.", metadata={"curator": {"aliases": ["chai"]}})
KETTLE = page("kettle", "A kettle boils water for a pot.")
CHEESE = page("cheese", "Milk, rennet and time make it.")
LENS = QueryScope(Workspace("tea", "Tea", "Tea.", "1.0.0"), lambda: SourceRecords(SourceManifest()), frozenset())


def found(words: str, *pages: Page, tokens: int = 2000) -> tuple[Reading, ...]:
    catalogue = Catalogue.of_pages(pages)
    texts = SourceTexts(Path("nowhere"), Runtime(Path("nowhere")), lambda: SourceLimits(1_000_000, 1_000_000))
    search = MaterialSearch(Wiki(catalogue), catalogue, SourceIndex.open(None), Standing(texts), LENS)
    return search.material(words, tokens).readings


def slugs(words: str, *pages: Page) -> list[str]:
    return [reading.name for reading in found(words, *pages)]


# -- which pages ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["What is tea?", "and chai, what is that?", "TEAS?", "the (tea)"])
def test_a_page_whose_name_stands_in_the_question_comes_first(words: str) -> None:
    others = [page(f"other-{n}", "tea tea tea tea what is that") for n in range(30)]

    assert slugs(words, *others, TEA)[0] == "tea"


@pytest.mark.parametrize(
    "words",
    [
        "What is a wheel?",
        "wheel",
        "Who is wheel?",
        "Explain wheels",
        "What does wheel mean?",
        "What is meant by a wheel?",
    ],
)
def test_who_asks_for_a_thing_alone_is_told_first_what_it_is(words: str) -> None:
    wheel = page("wheel", "An archive of a built distribution.\n\nIt ends in whl.")
    others = [page(f"wheel-{n}", "The wheel. A wheel is a wheel, what a wheel! Wheel.") for n in range(5)]

    first = found(words, *others, wheel)[0]

    assert (first.name, first.passages[0].text) == ("wheel", "An archive of a built distribution.")


def test_a_sentence_that_says_what_a_thing_is_answers_that_question_best() -> None:
    about = page("boats", "A sail, a sail, the sail was seen.\n\nA sail is cloth that wind fills.\n\nThe sail tore.")

    assert found("What is a sail?", about, tokens=20)[0].passages[0].text == "A sail is cloth that wind fills."


def test_who_wrote_something_is_looked_for_as_its_author() -> None:
    note = page("note-7", "Author: Ann Bee")
    others = [page(f"other-{n}", "They wrote of it, and wrote again.") for n in range(5)]

    assert slugs("Who wrote note 7?", *others, note)[0] == "note-7"
    assert as_heads_say("Which notes were rejected, and why?") == "Which notes were rejected status, and why?"


def test_any_of_its_words_will_do(root: Path) -> None:
    assert slugs("In which pot does one boil milk?", TEA, KETTLE, CHEESE) == ["kettle", "cheese"]


def test_a_question_of_small_words_finds_pages_too() -> None:
    assert slugs("what is it?", TEA, CHEESE) == ["tea", "cheese"]


def test_what_nobody_speaks_of_is_nowhere() -> None:
    assert slugs("zebra?", TEA, KETTLE) == []


def test_a_page_without_a_readable_head_is_passed_over() -> None:
    assert slugs("tea", Page("concepts/broken.md", "---\n: [\n---\nTea tea."), TEA) == ["tea"]


@laws
@given(st.lists(st.integers(1, 150), min_size=1, max_size=12), st.integers(300, 4000), st.booleans())
def test_what_is_shown_stays_within_the_budget(sizes: list[int], tokens: int, named: bool) -> None:
    pages = [page(f"page-{n}", "\n\n".join(["Tea is brewed in a pot."] * size)) for n, size in enumerate(sizes)]

    shown = found("page 0 tea" if named else "tea", *pages, tokens=tokens)

    assert Material(shown).tokens <= tokens
    assert len({reading.name for reading in shown}) == len(shown)


def test_what_differs_in_a_number_only_is_shown_and_what_is_said_twice_is_not() -> None:
    old = page("old-rule", "The keeper checks each signal lantern every 14 days.")
    new = page("new-rule", "The keeper checks each signal lantern every 30 days.")
    again = page("again", "The keeper checks each signal lantern every 30 days.")

    shown = found("How often does the keeper check a lantern?", old, new, again)

    assert sorted(passage.text[-8:] for reading in shown for passage in reading.passages) == ["14 days.", "30 days."]


def test_the_cost_is_flat() -> None:
    def cost(count: int) -> int:
        pages = [page(f"page-{n}", f"Tea number {n} is brewed in a pot. " * 20) for n in range(count)]
        return sum(estimate_tokens(reading.text) for reading in found("How is tea brewed?", *pages))

    assert cost(300) == pytest.approx(cost(100), rel=0.05)


def test_of_a_page_that_is_too_big_the_passages_that_fit_are_shown() -> None:
    filler = "\n\n".join(f"Paragraph {n} speaks of nothing." for n in range(500))
    big = page("big", f"It is a big page.\n\n{filler}\n\nThe zebra crosses the street at noon.\n\n{filler}")

    (reading,) = found("When does the zebra cross?", big, tokens=1000)

    assert reading.whole is not None and len(reading.passages) < 300
    assert "The zebra crosses the street at noon." in [passage.text for passage in reading.passages]


def test_what_another_document_says_in_like_words_comes_before_what_only_shares_a_word_with_the_question() -> None:
    first = page("first-note", "A strong line must carry 900 newtons without damage.", title="First")
    second = page("second-note", "Each rope must carry 1,400 newtons without damage.", title="Second")
    chatter = [page(f"chat-{n}", f"On day {n} each crew had a strong opinion on the food.") for n in range(6)]

    shown = found("How strong must a line be, and each rope, then and now?", first, second, *chatter)

    assert [reading.name for reading in shown[:2]] == ["first-note", "second-note"]


def test_what_is_like_the_best_of_another_document_gains_most_and_what_says_the_very_same_nothing() -> None:
    def source(name: str, text: str) -> Reading:
        return Reading(name, name, "", (), (Passage("source", text, anchor="L1"),))

    best = "The wind in a report is given in knots by every station."
    texts = {
        "best": best,
        "same": best,
        "like": "The wind in a report is a matter of metres: every station has instruments.",
        "other": "The wind has blown several tiles off the roof of my uncle on Monday.",
    }
    words = dict.fromkeys(" ".join(texts.values()).replace(".", "").split())
    chatter = [source(f"chatter-{word}", f"Wind, {word}, sun.") for word in words]
    sources = candidates_of([*(source(*each) for each in texts.items()), *chatter])
    query = PassageQuery.over("knots of wind", [each.ranked for each in sources])

    gain = {each.reading.name: each.fused / each.score for each in fuse(query, [], sources)}

    assert gain["like"] > 1.1 * gain["best"], gain
    assert gain["same"] == pytest.approx(gain["best"], rel=0.02), gain


def test_a_sentence_gains_by_the_one_beside_it_that_names_the_thing() -> None:
    def source(name: str, text: str, beside: str) -> Reading:
        return Reading(name, name, "", (), (Passage("source", text, anchor="L1", beside=beside),))

    texts = [
        ("named", "It must be greased every spring.", "The winch at Kessel lifts nets."),
        *((f"rival-{number}", f"Every mill is greased by {number} men.", "") for number in range(10, 50)),
    ]
    sources = candidates_of([source(*each) for each in texts])
    query = PassageQuery.over("When is the Kessel winch greased?", [each.ranked for each in sources])

    gain = {each.reading.name: each.fused / each.score for each in fuse(query, [], sources)}

    assert gain["named"] > gain["rival-49"], gain


@pytest.mark.parametrize(
    ("question", "most", "least"),
    [
        ("What did Nordhafen pay for its lantern?", "nordhafen", "lantern"),
        ("Which lantern has the key snap_x?", "snap", "lantern"),
        ("Lantern, or mast: does it fall?", "lantern", ""),
        ("How does the lantern differ?", "lantern", "differ"),
        ("What has changed in lantern 4?", "4", "chang"),
    ],
)
def test_a_word_written_like_a_name_weighs_more_and_one_that_a_question_is_put_with_less(
    question: str, most: str, least: str
) -> None:
    weights = PassageQuery.of(question, 100, {}).weights

    assert weights[most] == max(weights.values())
    assert (weights[least] if least else weights["mast"]) == min(weights.values())
    assert (weights[most] > weights[least]) if least else len(set(weights.values())) == 1


@pytest.mark.parametrize("tokens", [60, 120, 400])
def test_titles_and_headings_are_counted_with_the_passages_that_stand_under_them(tokens: int) -> None:
    long = "A heading of a good many words on how tea is brewed"
    body = "\n\n".join(f"## {long} {n}\n\nTea number {n} is brewed so." for n in range(30))

    shown = found("How is tea brewed?", page("tea", body), tokens=tokens)

    told = "".join(f"{each.title}\n{each.text}\n\n" for each in shown)
    assert 0 < estimate_tokens(told) <= tokens


SAID_TWICE = page(
    "tea",
    "Tea is brewed from camellia. [^a-1]\n\nCamellia is what one brews tea from. [^a-1]\n\n"
    '[^a-1]: sources/a.txt#L1 "Tea is brewed from camellia."\n',
)


def test_what_a_page_says_in_the_words_of_a_source_that_are_shown_takes_no_room_and_can_be_quoted() -> None:
    text = "Tea is brewed from camellia. It is hot, and what is brewed is drunk."
    source = Reading("sources/a.txt", "sources/a.txt", "A", (), (Passage("source", text, anchor="L1"),))
    sources, pages = candidates_of([source]), candidates_of([read_page(SAID_TWICE)])
    ranked = fuse(PassageQuery.over("camellia hot drunk", [each.ranked for each in pages]), pages, sources)

    found = choose(ranked, 40, estimate_tokens)
    shown = Question("tea?", found.shown, unshown=found.unshown)

    assert [passage.text for reading in found.shown for passage in reading.passages] == [
        text,
        "Camellia is what one brews tea from.",
    ]
    for number, words in enumerate(("Tea is brewed from camellia.", "Camellia is what one brews tea from."), start=1):
        statement = Statement(text=words, quotes=(Quote(page="tea", words=words),))
        proven = prove_statement(number, statement, shown)
        assert isinstance(proven, ProvenStatement) and proven.slugs == ("tea",) and proven.citations


# -- how a page is read --------------------------------------------------------------------------------------------

RICH = page(
    "rich",
    "Tea is [[camellia|a shrub]], see [[kettle]]. [^a-1]\n\n- One [[cup|small]] cup. [^a-1] [^a-2]\n\n"
    "> Quoted and\n> folded. [^a-2]\n\n```\nsub('[^a-z]', '')\n```\n\n"
    "| Tea | [[cup\\|Cup]] |\n| --- | --- |\n| [[oolong\\|Oolong]] | small [^a-1] |\n\nSee also [[kettle]].\n\n"
    '[^a-1]: sources/a.txt#L1 "tea is a shrub"\n[^a-2]: sources/a.txt#L2 "one small cup"\n',
)


def test_a_page_is_read_by_its_words_with_the_citations_behind_them() -> None:
    passages = read_page(RICH).passages

    assert [(each.kind, each.text, [c.anchor for c in each.citations]) for each in passages] == [
        ("paragraph", "Tea is a shrub, see kettle.", ["L1"]),
        ("item", "One small cup.", ["L1", "L2"]),
        ("paragraph", "Quoted and folded.", ["L2"]),
        ("code", "```\nsub('[^a-z]', '')\n```", []),
        ("row", "| Oolong | small |", ["L1"]),
    ]
    assert passages[4].head == "| Tea | Cup |\n| --- | --- |"


def test_what_a_model_is_shown_has_headings_and_tables_and_no_footnotes() -> None:
    text = read_page(RICH).text

    assert text.startswith("Tea is a shrub, see kettle.\n\n- One")
    assert "```\nsub('[^a-z]', '')\n```\n\n| Tea | Cup |\n| --- | --- |\n| Oolong | small |" in text
    assert "sources/" not in text and "[^a-1]" not in text and "[[" not in text


@pytest.mark.parametrize("words", ["tea is a shrub", "Quoted and folded", "One small cup"])
def test_words_are_found_as_they_are_shown(words: str) -> None:
    assert words.casefold().strip("| ") in " ".join(read_page(RICH).text.casefold().replace("\n> ", " ").split())
    found = read_page(RICH).find(words)
    assert isinstance(found, tuple) and len(found) == 1


def test_words_over_two_passages_rest_on_both() -> None:
    two = page("two", "Tea is a drink.\n\nIt comes from a shrub.")

    found = read_page(two).find("Tea is a drink. It comes from a shrub.")

    assert isinstance(found, tuple) and [each.text for each in found] == ["Tea is a drink.", "It comes from a shrub."]


def test_a_page_of_headings_says_nothing() -> None:
    assert found("empty", page("empty", "## Nothing\n")) == ()
    assert not isinstance(Reading("tea", TEA.path, "Tea", (), ()).find("Tea is a drink"), tuple)


# -- the view ------------------------------------------------------------------------------------------------------


def test_a_view_narrows_what_is_asked_and_gives_the_tone(root: Path) -> None:
    planted(root)
    seen = view(root, "curation:\n  tone: like a sailor\n  depth: shallow\nqueryHints:\n  scopeTo: [Entity]\n")
    model = ScriptedRespondent((said(PARTLY),))

    inside = asked(root, model, view=seen)
    outside = asked(root, model, view=seen, everywhere=True)

    assert inside.looked_at == () and outside.looked_at[0] == "[[oolong]]"
    assert (model.questions[0].policy.tone, model.questions[0].policy.depth) == ("like a sailor", "shallow")


def test_a_page_that_a_view_hides_is_not_asked(root: Path) -> None:
    planted(root)
    seen = view(root)
    (Path(seen.path).parent / "concepts").mkdir()
    (Path(seen.path).parent / "concepts" / "oolong.md.whiteout").touch()

    assert (
        "[[oolong]]"
        not in asked(root, ScriptedRespondent((said(PARTLY),)), "oolong and green tea", view=seen).looked_at
    )


def test_the_command_tells_of_the_view(root: Path) -> None:
    planted(root)
    view(root, "queryHints:\n  scopeTo: [Entity]\n")
    settings = Settings(root, {}, {"view": str(root.parent / "lab")})

    narrow = ask.run(settings, "How is oolong oxidised?", AskRequest(), lambda _: None)
    settings = Settings(root, {}, {"view": str(root.parent / "lab")})
    wide = ask.run(settings, "How is oolong oxidised?", AskRequest(everywhere=True), lambda _: None)

    assert (narrow.data["view"], narrow.exit_status) == ("lab-lens", 1)
    assert (wide.data["view"], wide.exit_status) == ("lab-lens", 0)


# -- the built-in --------------------------------------------------------------------------------------------------


def built_in(words: str, *pages: Page, depth: str = "medium") -> list[str]:
    asked = Question(words, found(words, *pages), CurationPolicy(depth=depth))
    return [statement.text for statement in answer(asked).statements]


FACTS = page(
    "dribble",
    "A dribble is a winter treatment.\n\nA dribble is given once, in December.\n\nA dribble costs 3 pounds a hive.\n\n"
    "The syrup of a dribble is warm.",
)


def test_the_passage_that_has_what_the_question_wants_comes_first() -> None:
    assert built_in("When is a dribble given?", FACTS)[0] == "A dribble is given once, in December."
    assert built_in("How much costs a dribble?", FACTS)[0] == "A dribble costs 3 pounds a hive."
    assert built_in("What is a dribble?", FACTS)[0] == "A dribble is a winter treatment."


def test_the_depth_says_how_much(root: Path) -> None:
    many = page("many", "\n\n".join(f"The {word} tea is brewed by {word} hands." for word in "abcdefghijklm"))

    assert [len(built_in("tea brewed", many, depth=depth)) for depth in ("shallow", "medium", "deep")] == [3, 5, 8]


def test_what_is_said_twice_is_told_once_and_by_the_page_of_the_thing() -> None:
    again = page("notes", "A dribble is given once, in December.", kind="summary")
    asked = Question("When is a dribble given?", found("When is a dribble given?", again, FACTS))

    statements = answer(asked).statements

    assert [s.text for s in statements].count("A dribble is given once, in December.") == 1
    assert statements[0].quotes[0].page == "dribble"


def test_half_a_question_is_not_answered() -> None:
    assert built_in("How many moons has a dribble of Jupiter?", FACTS) == []


def test_of_a_long_passage_whole_sentences_are_told() -> None:
    long = page(
        "long", " ".join(f"Sentence {n} of it tells us nothing at all." for n in range(40)) + " The zebra is black."
    )

    (only,) = built_in("What colour has the black zebra?", long)

    assert only.endswith("The zebra is black.") and len(only) <= 600


def test_a_question_in_another_script_is_answered() -> None:
    tea = page("oolong-zh", "烏龍茶是半發酵的茶。\n\n綠茶是不發酵的茶,它很香。", title="茶")

    assert built_in("烏龍茶是什麼?", tea)[0] == "烏龍茶是半發酵的茶。"


words = st.text("abcde .|[]-*`^\n", max_size=60)


@laws
@given(st.lists(words, min_size=1, max_size=6), words)
def test_whatever_the_built_in_says_is_proven(bodies: list[str], asking: str) -> None:
    pages = [page(f"page-{n}", body) for n, body in enumerate(bodies)]
    asked = Question(asking, tuple(map(read_page, pages)))

    said = answer(asked)

    assert Statements.parse(said.dumps()) == said
    assert all(not hasattr(each, "code") for each in (prove_statement(1, one, asked) for one in said.statements))


@laws
@given(words, words, words)
def test_a_share_is_a_share_and_more_words_are_no_less(asking: str, text: str, more: str) -> None:
    match = Match.of(asking, [text, more])

    assert 0 <= match.share(text) <= match.share(f"{text}\n{more}") <= 1 + 1e-9
    assert match.share(text, more) >= match.share(text)


@given(st.text(max_size=50))
@laws
def test_a_worded_question_is_one_line(text: str) -> None:
    try:
        said = question.normalize_question(text)
    except ConfigError:
        return
    assert said == question.normalize_question(said) and said.isprintable() and "\n" not in said


@pytest.mark.parametrize(
    ("before", "over", "lines"),
    [
        ((), ("Rules",), ["## Rules"]),
        ((), ("Rules", "Names"), ["## Rules", "### Names"]),
        (("Rules", "Names"), ("Rules", "Files"), ["### Files"]),
        (("Rules",), ("Rules", "Files"), ["### Files"]),
        (("Rules", "Names"), ("Rules",), ["## Rules"]),
        (("Rules", "Names"), ("Ideas", "Names"), ["## Ideas", "### Names"]),
        (("Rules",), ("Rules",), []),
        (("Rules",), (), []),
    ],
)
def test_headings_that_stand_over_the_passage_before_are_not_told_again(
    before: tuple[str, ...], over: tuple[str, ...], lines: list[str]
) -> None:
    passages = [Passage("paragraph", "Text.", headings=each) for each in (before, over)]
    assert headings_of_each(passages)[1] == lines


@pytest.mark.parametrize(
    ("passages", "lines"),
    [
        ([("Files have names.", ("Rules", "Files"))], [["## Rules"]]),  # the passage says what it is about
        ([("Rules of names.", ("Rules", "Names"))], [[]]),
        ([("All of them.", ("Lantern law",))], [[]]),  # the title says it
        ([("Oil is kept.", ("Without oil",))], [["## Without oil"]]),  # not all of it
        ([("One.", ("Rejected",)), ("Rules of names.", ("Rules", "Names"))], [["## Rejected"], ["## Rules"]]),
        ([("Files.", ("Files",)), ("More.", ("Files",))], [[], ["## Files"]]),  # the second one does not say it
        ([("One.", ("A", "B")), ("B.", ("C", "B"))], [["## A", "### B"], ["## C"]]),
    ],
)
def test_a_heading_is_left_out_whose_words_the_passage_has(
    passages: list[tuple[str, tuple[str, ...]]], lines: list[list[str]]
) -> None:
    told = [Passage("paragraph", text, headings=headings) for text, headings in passages]
    assert headings_of_each(told, "The lantern law") == lines
