"""What the extractive curator reads as a sentence, and which sentences it thinks stand alone."""

from __future__ import annotations

import sys

import pytest

from curator.models.extractive.parsing import blocks, sentences
from curator.models.extractive.parsing.sentences import Sentence
from curator.models.extractive.terms import quality
from curator.wiki.sources.source import Document, Source


def read(text: str, format: str = "markdown") -> tuple[Sentence, ...]:
    source = Source("sources/a.md", "sha256:0", Document.from_text(text), format)
    return sentences.read_sentences(source, blocks.read_blocks(source))


def plain(text: str, format: str = "markdown") -> list[str]:
    return [sentence.plain for sentence in read(text, format)]


def test_a_sentence_ends_at_a_stop_and_not_at_an_abbreviation() -> None:
    text = "Dr. Lee feeds bees, e.g. with syrup. It costs 1.5 units, vs. 2.0 before. J. Smith agreed!"

    assert plain(text) == [
        "Dr. Lee feeds bees, e.g. with syrup.",
        "It costs 1.5 units, vs. 2.0 before.",
        "J. Smith agreed!",
    ]


def test_a_sentence_may_begin_small_behind_a_real_word() -> None:
    assert plain("Use the tool. pip installs it.") == ["Use the tool.", "pip installs it."]


def test_chinese_and_japanese_sentences_end_without_a_space() -> None:
    assert plain("蜜蜂酿蜜。它们住在蜂箱里。冬天很冷吗？是的。") == [
        "蜜蜂酿蜜。",
        "它们住在蜂箱里。",
        "冬天很冷吗？",
        "是的。",
    ]


def test_japanese_sentences_are_joined_without_a_space() -> None:
    first, second = read("出荷量は減った。2022年には約千社になった。")

    assert first.joined(second).plain == "出荷量は減った。2022年には約千社になった。"


def test_a_german_date_ends_no_sentence() -> None:
    assert plain("Die Zählung war am 14. Dezember im Garten. Danach kam Schnee.") == [
        "Die Zählung war am 14. Dezember im Garten.",
        "Danach kam Schnee.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Dec. 24, 2015 saw a fire.",
        "It was shut on Sept. 3 by law.",
        "Since Oct. 2015 it is open.",
        "Am 3. Dez. 2015 brannte es.",
    ],
)
def test_a_month_cut_short_ends_no_sentence_before_a_number(text: str) -> None:
    assert plain(f"{text} It was shut in Nov. The guild left in May. 12 men stayed.") == [
        text,
        "It was shut in Nov.",
        "The guild left in May.",
        "12 men stayed.",
    ]


def test_a_word_broken_at_the_end_of_a_line_is_whole_again() -> None:
    assert plain("A long-\nlasting syrup is a well-\nknown feed.") == ["A long-lasting syrup is a well-known feed."]


@pytest.mark.parametrize(
    ("format", "raw", "shown"),
    [
        ("rst", "Install it as :pep:`376` says [1]_.", "Install it as PEP 376 says."),
        ("rst", "See :ref:`the guide <guide>` and `docs <https://x.org>`__.", "See the guide and docs."),
        ("rst", "Name the file ``setup.py`` or *else*.", "Name the file `setup.py` or else."),
        ("rst", "Tools such as PDM_ and pip-tools_ lock.", "Tools such as PDM and pip-tools lock."),
        ("markdown", "A [hive](https://x.org/a_(b)) is **warm**[^1] & `dry`.", "A hive is warm & `dry`."),
        ("markdown", "A [[hive-scale|scale]] weighs <b>hives</b>.", "A scale weighs hives."),
        ("org", "Call =run= at [[https://x.org][the site]] /now/.", "Call `run` at the site now."),
        ("asciidoc", "Call `run` at https://x.org[the site] *now*.", "Call `run` at the site now."),
        (
            "markdown",
            "Most spreads [1, 2] stay below 2 K [4], in the range [1, 3].",
            r"Most spreads stay below 2 K, in the range \[1, 3\].",
        ),
        ("text", "The lamp burns oil (see below for details) all night.", "The lamp burns oil all night."),
        (
            "html",
            "Only the * and the deprecated ? glob are known.",
            r"Only the \* and the deprecated ? glob are known.",
        ),
        ("rst", "Use :genex:`$<COMMA>` in lists, or :variable:`A_B <A_<C>_B>`.", "Use `$<COMMA>` in lists, or A_B."),
        ("rst", "It is told in :doc:`../guide/first-steps`.", "It is told in first steps."),
        ("text", "使用可能なカウ\n  ントを修正する。", "使用可能なカウントを修正する。"),
        ("text", "Keep 2 * 3 * 4 and a_b and <tags>.", r"Keep 2 \* 3 \* 4 and a_b and \<tags\>."),
    ],
)
def test_markup_becomes_words(format: str, raw: str, shown: str) -> None:
    assert [sentence.text for sentence in read(raw, format)] == [shown]


@pytest.mark.parametrize(
    ("format", "text"),
    [
        (
            "rst",
            "Title\n=====\n\nProse stands here::\n\n    code = 1\n\n.. code-block:: py\n\n    more()\n\n.. [1] A note.\n",
        ),
        ("rst", "Prose stands here::\n\n=====  =====\nA      B\n=====  =====\none    two\n=====  =====\n"),
        (
            "markdown",
            "---\ntitle: T\n---\n# T\n\nProse stands here:\n\n```\ncode here\n```\n\n| a | b |\n|---|---|\n| c | d |\n",
        ),
        ("markdown", "Title: T\nDate: 2020-01-01\n\n# T\n\nProse stands here:\n\n    code\n\n[x]: https://x.org\n"),
        ("org", "#+TITLE: T\n* H\nProse stands here:\n#+BEGIN_SRC py\ncode\n#+END_SRC\n| a | b |\n"),
        ("asciidoc", "= T\n:toc:\n\n== H\n\nProse stands here:\n\n----\ncode\n----\n\n|===\n|a |b\n|===\n"),
        ("text", "TITLE OF IT\n\nProse stands here:\n\n   Name      Size\n   ----      ----\n   one          2\n"),
    ],
)
def test_code_tables_and_heads_are_no_prose(format: str, text: str) -> None:
    assert [line.rstrip(":") for line in plain(text, format)] == ["Prose stands here"]


def test_sections_about_the_document_are_left_out() -> None:
    text = (
        "# T\n\nProse stands here.\n\n## References\n\nA book stands here.\n\n## Change history\n\nAll of it changed.\n"
        "\n## Customers also bought\n\nA mat for the door costs nine crowns.\n"
    )

    assert plain(text) == ["Prose stands here."]


@pytest.mark.parametrize(
    ("text", "format", "said"),
    [
        ("**_NOTE: Bees sleep. Do not wake\nthem._**", "markdown", ["NOTE: Bees sleep.", "Do not wake them."]),
        ("_Note that bees sleep. Do not wake them._", "markdown", ["Note that bees sleep.", "Do not wake them."]),
        ("The name is `bees` (`link <https://a.example/bees>`__).", "rst", ["The name is bees."]),
        ("The name is bees ([link](https://a.example), [here](#bees)).", "markdown", ["The name is bees."]),
        ("The weak (link) of bees", "markdown", ["The weak (link) of bees"]),
        ("It is read at ../hives and at .hives, too.", "markdown", ["It is read at ../hives and at .hives, too."]),
    ],
)
def test_marks_of_two_sentences_and_links_beside_a_name_are_no_words(text: str, format: str, said: list[str]) -> None:
    assert plain(text, format) == said


def test_list_items_are_sentences_with_their_headings() -> None:
    found = read("# Book\n\n## Rules\n\n- Keep bees warm\n- Feed them\n  in autumn\n\nDone now.\n")

    assert [(s.plain, s.item, s.path) for s in found] == [
        ("Keep bees warm", True, ("Rules",)),
        ("Feed them in autumn", True, ("Rules",)),
        ("Done now.", False, ("Rules",)),
    ]


def test_an_item_below_the_paragraph_of_another_one_is_an_item_of_its_own() -> None:
    text = "- A hive has frames.\n\n  Frames hold combs.\n- A queen lays eggs.\n"

    for format in ("rst", "markdown"):
        assert plain(text, format) == ["A hive has frames.", "Frames hold combs.", "A queen lays eggs."]


def test_numbers_of_headings_are_no_part_of_them() -> None:
    numbered = read("# Ice\n\n## 1. Ponds\n\nPonds freeze first.\n\n## 2.1 Lakes\n\nLakes freeze last.\n")
    counted = read("# Ice\n\n## 3 ponds\n\nPonds freeze first.\n\n## Lakes\n\nLakes freeze last.\n")

    assert [s.path for s in numbered] == [("Ponds",), ("Lakes",)]
    assert [s.path for s in counted] == [("3 ponds",), ("Lakes",)]


def test_a_definition_is_led_by_its_term() -> None:
    found = read("build tag\n    Optional build number.\n\nSticky boards\n    A sticky board catches mites.\n", "rst")

    assert [s.plain for s in found] == ["build tag: Optional build number.", "A sticky board catches mites."]
    assert found[0].quote == "build tag Optional build number."


@pytest.mark.parametrize(
    "text",
    [
        "It keeps the bees warm in winter.",
        "However, they were cold in the hive in winter.",
        "For example, the bees eat sugar in winter.",
        "These bees are described in the section above.",
        "Why do the bees fly in winter?",
        "The bees need the following things:",
        "Bees fly.",
        "Earlier boards of the society solved (a) and/or (b) for the hives.",
        "Because it was cold in winter, the bees of the village stayed in the hive.",
        "The weights of the hives in winter are as follows::",
        "A boy of the village is writing that.",
        "Table 1 shows the main results of the count in winter.",
        "The board of the society chooses (3) for the winter feed.",
        "The bees of the other hives were fed with syrup in the autumn.",
        "For the winter feed consider a hive that stands on a slope.",
        "See the other book about bees in winter.",
        "`a = b` `c = d` `e = f` is code mostly here.",
        "The bees (and their queen fly in winter.",
        "Free delivery of bees over 50 euros in the whole of the valley.",
        "Read more at https://example.org/bees about them.",
    ],
)
def test_what_leans_on_other_words_does_not_stand_alone(text: str) -> None:
    assert all(quality.fitness(sentence) < 0.5 for sentence in read(text))


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("However, the bees were cold in the hives of the apiary.", "The bees were cold in the hives of the apiary."),
        ("Therefore no hive stands in the rain.", "No hive stands in the rain."),
        ("First, two new frames are put into the hive.", "Two new frames are put into the hive."),
        ("Note that `feed` is for sugar in the winter months.", "`feed` is for sugar in the winter months."),
        (
            "The keeper must weigh every hive that goes into the winter by its number::",
            "The keeper must weigh every hive that goes into the winter by its number.",
        ),
        ("NOTE: The bees were cold in the hives.", "The bees were cold in the hives."),
        (
            "A frame is a piece of wood that the bees fill with comb in a summer:",
            "A frame is a piece of wood that the bees fill with comb in a summer.",
        ),
        (
            "The keeper then writes the following line into the book:",
            "The keeper then writes the following line into the book:",
        ),
        ("The bees were cold in the hives.", "The bees were cold in the hives."),
        ("Firstly they slept in the hive of the apiary.", "Firstly they slept in the hive of the apiary."),
    ],
)
def test_a_word_that_ties_a_sentence_to_the_one_before_is_left_out_where_it_stands_alone(text: str, alone: str) -> None:
    (sentence,) = read(text, "rst" if "::" in text else "markdown")

    assert sentence.bare.text == alone


@pytest.mark.parametrize(
    "text",
    [
        "- `core-weight`: An optional key for the weight that a hive has in winter.",
        "- **Syrup:** `sugar and water, three to two`",
        "After this note, the apiary only takes hives with a number.",
        "The keeper writes hives that would get the same name into a book.",
        "An opening bracket is written `[`, followed by zero or more frames of wood, and then `[`.",
        "Thanks to bees that are calm, the work of the keeper is done in an hour.",
        "A hive must be called `hive.toml` or match `r'^hive\\.([^.]+)\\.toml$'` in all of the apiary and of its barns.",
    ],
)
def test_what_its_own_page_makes_plain_stands_on_it(text: str) -> None:
    (sentence,) = read(text.replace("note", "document"))

    assert quality.fitness(sentence, own=True) >= 0.5


@pytest.mark.parametrize(
    "text",
    [
        "A winter cluster is the tight ball of bees that keeps a colony warm.",
        "Each seam of bees received 5 ml from a syringe, and no hive received more than 50 ml.",
        "One oxalic acid dribble in the brood break is worth keeping.",
        "There are two kinds of frames in every hive of the apiary.",
        "1. Tap the wall with the handle of a trowel.",
        "3. Cut a tongue into both.",
        "- Fit mouse guards in every hive before the first hard frost",
    ],
)
def test_plain_statements_stand_alone(text: str) -> None:
    assert all(quality.fitness(sentence) >= 0.5 for sentence in read(text))


def test_a_manual_page_has_headings_and_terms_by_its_indentation() -> None:
    text = (
        "TORRIN(1)      Torrin Manual      TORRIN(1)\n\nDESCRIPTION\n"
        "       Torrin stores files in un‐\n       usual places.\n\n"
        "   Long options\n       An option may be given twice.\n\n"
        "       --old\n              Keep every file that is older than the archive.\n"
    )
    found = read(text, "text")

    assert [(s.path[-1:], s.plain) for s in found] == [
        (("Description",), "Torrin stores files in unusual places."),
        (("Long options",), "An option may be given twice."),
        (("Long options",), "--old: Keep every file that is older than the archive."),
    ]


@pytest.mark.parametrize(
    "said",
    [
        "This document is distributed in the hope that it will be useful to everybody.",
        "Items in need of feedback go to the mailing list of the project.",
        "Torrin is trusted by the harbours of nine islands in the north.",
        "Subscribe to the letter of the harbour for news of the lanterns.",
        "Advertisement: sail to the nine islands of the north for 49 coins!",
        "Share this page on the boards of all nine islands.",
    ],
)
def test_what_a_page_says_to_its_visitors_is_no_statement(said: str) -> None:
    assert quality.fitness(read(said, "text")[0]) == 0


# --- options and terms

MANUAL = """TEA(1)                      Manual                      TEA(1)

OPTIONS
   Ways to steep
       If several options are given, the last one takes effect.

       -s, --steep MINUTES
              Let the leaves steep. They are taken out after‐
              wards.

       -k     Keep the water warm while the leaves are in it, and for
              two minutes after.

       ○   --milk: add milk to the cup, which nobody does with white tea.
"""


def test_a_term_of_markdown_leads_what_is_said_of_it() -> None:
    text = (
        "# Bread\n\nFlour\n: Rye meal from the mill at Graswang.\n\nSalt\n: Coarse salt without other things.\n\n"
        "Yeast\n: The yeast is a living thing.\n"
    )

    assert plain(text) == [
        "Flour: Rye meal from the mill at Graswang.",
        "Salt: Coarse salt without other things.",
        "The yeast is a living thing.",
    ]


def test_a_table_of_contents_states_nothing() -> None:
    text = "# Bread\n\n1. The oven\n2. The flour\n\n## The oven\n\nTwo doors:\n\n- Main\n\n## The flour\n\n### Main\n"

    assert plain(text) == ["Two doors:", "Main"]


def test_an_option_of_a_manual_leads_what_is_said_of_it() -> None:
    assert plain(MANUAL, "text") == [
        "If several options are given, the last one takes effect.",
        "-s, --steep MINUTES: Let the leaves steep.",
        "They are taken out afterwards.",
        "-k: Keep the water warm while the leaves are in it, and for two minutes after.",
        "--milk: add milk to the cup, which nobody does with white tea.",
    ]


def test_asciidoc_has_titles_of_two_lines_and_terms() -> None:
    text = (
        "tea(1)\n======\n\nOPTIONS\n-------\n"
        "-f::\n--fast::\n\tSteep for a minute. See linktea:cup[1].\n+\nNever with white tea.\n"
    )

    found = read(text, "asciidoc")

    assert [s.plain for s in found] == ["-f, --fast: Steep for a minute.", "See cup(1).", "Never with white tea."]
    assert {s.path for s in found} == {("OPTIONS",)} and found[2].term == "-f, --fast"


def test_chapters_of_a_text_are_headings_without_their_number() -> None:
    text = "Tea\n\nChapter 1. Leaves\n\n    Leaves are dried.\n\nChapter\xa02. Open questions\n\n    Are they?\n"

    assert [s.path for s in read(text, "text")] == [("Leaves",), ("Open questions",)]


def test_a_number_of_a_chapter_and_a_bracket_end_no_sentence() -> None:
    assert len(plain("Siehe Kapitel 2. Debian-Paketmanagement der Referenz.")) == 1
    assert len(plain("To speed up serialization (yes, it is slow!) be sure to name the schema.")) == 1


def test_what_sentences_begin_with_again_and_again_in_small_letters_is_a_name() -> None:
    found = read("zstd reads files.\n\nzstd does not store the names of its input.\n\nwhile this leans.")

    assert [s.named for s in found] == [True, True, False]


def test_numbered_titles_over_words_further_in_are_headings_and_no_list() -> None:
    text = "Tea\n\n1) Leaves of tea\n\n   Leaves must be dried.\n\n2) Water\n\n   Water must be hot.\n"

    assert [s.path for s in read(text, "text")] == [("Leaves of tea",), ("Water",)]
    assert plain("1) First, boil it\n\n2) Then wait\n", "text") == ["First, boil it", "Then wait"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            " 1. Is zlib free?\n\n    It is free.\n\n 2. compress() fails.\n\n    See what it returns.\n\n"
            " 3. What does the licence mean,\n    and for whom?\n\n    All may use it.\n",
            [
                ("Is zlib free?", "It is free."),
                ("compress() fails.", "See what it returns."),
                ("What does the licence mean, and for whom?", "All may use it."),
            ],
        ),
        (
            "Fields\n   Disk\n       merged : Reads that were merged.\n       ms: Time\n           it takes.\n",
            [("Disk", "merged: Reads that were merged."), ("Disk", "ms: Time it takes.")],
        ),
        (
            "Release 2\n\n        Other changes:\n       #6 #20  Fix what is\n                    leaked\n"
            "           #21  Set it\n",
            [
                ("Release 2", "Other changes:"),
                ("Release 2", "#6 #20: Fix what is leaked"),
                ("Release 2", "#21: Set it"),
            ],
        ),
    ],
    ids=["questions", "fields", "changes"],
)
def test_lines_of_a_text_that_begin_with_what_they_tell_of_are_headings_and_entries(
    text: str, told: list[tuple[str, str]]
) -> None:
    assert [((s.path or ("Release 2",))[-1], s.plain) for s in read(text, "text")] == told


@pytest.mark.parametrize("text", ["# Empty of facts\n", "Empty of facts\n==============\n"])
def test_a_heading_alone_says_nothing_and_a_table_below_it_does(text: str) -> None:
    table = "| Ulla the crane | 60 tonnes |"

    assert read(text) == ()
    assert [each.raw for each in read(f"{text}\n{table}\n")] == [table]
    for format in ("text", "html"):  # what is only taken for a heading there
        assert [each.raw for each in read("Water boils at sea level\n", format)] == ["Water boils at sea level"]
    assert read("# Empty of facts\n", "html") == ()


def test_no_line_is_read_by_all_that_stand_below_it() -> None:
    def steps(times: int) -> int:
        run = 0

        def trace(*_: object) -> object:
            nonlocal run
            run += 1
            return trace

        document = Document.from_text("Text of the lamp.\n   - An item.\n" * times)
        before = sys.gettrace()
        sys.settrace(trace)  # type: ignore[arg-type]
        try:
            blocks.read_blocks(Source("sources/a.md", "sha256:0", document, "markdown"))
        finally:
            sys.settrace(before)
        return run

    assert steps(400) < 3 * steps(200)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It takes **kwargs of the lamp.", "It takes **kwargs of the lamp."),
        ("- Vell ([pull request](https://a.example/1), [pull request 2](https://a.example/2))", "Vell"),
    ],
)
def test_two_stars_may_be_words_and_a_link_beside_a_name_is_none(text: str, said: str) -> None:
    assert plain(text)[0] == said


@pytest.mark.parametrize(
    "text",
    [
        "The window asks \u201cShould the lamp of the harbour be lit?\u201d",
        "Keepers of the harbour may see a red light on the lamp.",
    ],
)
def test_a_question_that_is_quoted_and_what_somebody_sees_are_told(text: str) -> None:
    (sentence,) = read(f"- {text}")

    assert quality.fitness(sentence) >= 0.6
