"""A quote is found when the source says it, and never when it says something else."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from curator.wiki.pages.citation import Citation
from curator.wiki.sources import evidence
from curator.wiki.sources.evidence import Evidence, Missing
from curator.wiki.sources.folding import fold
from curator.wiki.sources.near_words import TURNING
from curator.wiki.sources.source import Document
from support.pages import laws

SOURCE = """\
# Winter feeding

Feed the colony with 2.5 litres of syrup in September, be-
cause bees that starve in winter do not recover. The syrup must not be
warmer than -5 °C, nor kept for 3-5 days; see [the guide](https://example.org/guide)[^1]
and “Mite control” [#1]_.

The bees isn’t the only thing: it costs 1,250 euros – every year – and 10⁵ mites.
"""

EVIDENCE = Evidence("sources/bees.md", Document.from_text(SOURCE))


def found(quote: str, evidence: Evidence = EVIDENCE) -> list[Citation]:
    answer = evidence.find(quote)
    assert not isinstance(answer, Missing), answer
    return answer


def code(quote: str, evidence: Evidence = EVIDENCE) -> str:
    answer = evidence.find(quote)
    assert isinstance(answer, Missing), answer
    return answer.code


def evidence_of(text: str) -> Evidence:
    return Evidence("sources/a.txt", Document.from_text(text))


# -- what is found ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("quote", "anchor", "written"),
    [
        ("Feed the colony with 2.5 litres", "L3", "Feed the colony with 2.5 litres"),
        ("in September, because bees that starve", "L3-L4", "in September, because bees that starve"),
        ("SYRUP MUST NOT BE WARMER", "L4-L5", "syrup must not be warmer"),
        (
            "see the guide and 'Mite control'",
            "L5-L6",
            "see the guide and “Mite control”",
        ),
        ("it costs 1,250 euros - every year", "L8", "it costs 1,250 euros – every year"),
        ("isn't the only thing", "L8", "isn’t the only thing"),
        ('"the colony with 2.5 litres of syrup"', "L3", "the colony with 2.5 litres of syrup"),
        ("and 10^5 mites", "L8", "and 10⁵ mites."),
        ("## Winter feeding Feed the", "L1-L3", "Winter feeding Feed the"),
    ],
)
def test_the_sources_own_words_are_written_down(quote: str, anchor: str, written: str) -> None:
    assert found(quote) == [Citation("sources/bees.md", anchor, written)]


def test_the_first_place_counts() -> None:
    evidence = evidence_of("one two three\none two three\n")

    assert found("one two three", evidence)[0].anchor == "L1"


@pytest.mark.parametrize("space", [" ", "\n", "\n    ", "\r\n\t"])
@pytest.mark.parametrize(
    "quoted", ["any of `files <https://e.org/f.html>`_ (those that open)", "any of files (those that open)"]
)
def test_a_link_that_goes_on_in_the_next_line_is_the_same_link(space: str, quoted: str) -> None:
    evidence = evidence_of(f"- use any of `files{space}<https://e.org/f.html>`_ (those{space}that open).\n")

    assert found(quoted, evidence)


def test_a_link_that_a_quote_begins_in_is_quoted_whole() -> None:
    lamps = Evidence("sources/lamps.md", Document.from_text("- [The lamps](./lamps.md) are lit, [the guide] says.\n"))

    assert [each.quote for each in found("The lamps are lit", lamps)] == ["The lamps are lit"]
    assert [each.quote for each in found("the guide says", lamps)] == ["the guide] says."]


def test_line_numbers_are_those_of_the_file() -> None:
    evidence = Evidence("sources/a.html", Document(((7, "Tea is"), (12, "a hot drink"))))

    assert found("tea is a hot drink", evidence) == [Citation("sources/a.html", "L7-L12", "Tea is a hot drink")]


@pytest.mark.parametrize("gap", ["...", " … ", " [...] ", "....", " [ … ] "])
def test_each_part_of_a_quote_with_a_gap_is_cited(gap: str) -> None:
    citations = found(f"Feed the colony with{gap}bees that starve in winter")

    assert [citation.quote for citation in citations] == ["Feed the colony with", "bees that starve in winter"]


SIGNATURE = evidence_of(
    "Call ``open(path, ...)`` to read it, or not. The words ... in brackets are code.\n\n"
    "A reader that is closed (see ``Reader[int, ...]``) raises an error, which the caller has to catch.\n"
)


@pytest.mark.parametrize(
    ("quote", "written"),
    [
        ("Call ``open(path, ...)`` to read it", ["Call ``open(path, ...)`` to read it"]),
        ("open(path, ...)", None),
        ("Reader[int, ...]) raises an error", ["``Reader[int, ...]``) raises an error"]),
        (
            "Call open(path, ...) to read it ... raises an error, which",
            ["Call ``open(path, ...)`` to read it", "raises an error, which"],
        ),
        (
            "closed (see Reader[int, ...]) raises ... caller has to catch",
            ["closed (see ``Reader[int, ...]``) raises", "caller has to catch."],
        ),
    ],
)
def test_three_points_that_the_source_has_leave_nothing_out(quote: str, written: list[str] | None) -> None:
    if written is None:
        assert code(quote, SIGNATURE) == "quote_too_short"
    else:
        assert [citation.quote for citation in found(quote, SIGNATURE)] == written


@pytest.mark.parametrize(
    ("quote", "message"),
    [
        (
            "Feed the colony with syrup in October",
            "the quote is in the source up to 'Feed the colony with' only: copy what follows, or end it there",
        ),
        (
            "Feed the colony with 2.5 litres ... these words are nowhere",
            "this part of the quote is not in the source: copy a sentence as it stands there",
        ),
        (
            "Feed the colony with 2.5 litres ... syrup",
            "fewer than 3 words prove nothing: quote more of the sentence, or leave this part out",
        ),
        ("the bees", "fewer than 3 words prove nothing: quote more of the sentence"),
        ("word " * 200, "a quote has at most 600 characters: quote less, or in two"),
    ],
)
def test_a_message_says_what_failed_and_what_would_do(quote: str, message: str) -> None:
    answer = EVIDENCE.find(quote)

    assert isinstance(answer, Missing)
    assert answer.message == message


def test_what_failed_is_the_part_that_failed() -> None:
    answer = EVIDENCE.find("Feed the colony with ... these words are nowhere")

    assert isinstance(answer, Missing)
    assert answer.quote == "these words are nowhere"


@pytest.mark.parametrize(
    "quote",
    [
        "bees that starve in the winter do not recover",
        "Feed the colonies with 2.5 litres of syrup in September",
        "Feed a colony with 2.5 litres of syrup in September",
    ],
)
def test_one_word_in_eight_may_differ(quote: str) -> None:
    assert "in the winter" not in found(quote)[0].quote
    assert EVIDENCE.holds(found(quote)[0])


@pytest.mark.parametrize(
    "quote",
    [
        "colony with 2.5 litres of sugar syrup in September",
        "Feed the colony with 2.5 litres of honey in September",
        "bees that starve in summer do not recover",
    ],
)
def test_a_word_that_means_another_thing_may_not(quote: str) -> None:
    assert isinstance(EVIDENCE.find(quote), Missing)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("我们研究蜜蜂的行为,发现它们在冬天不会睡觉。", "蜜蜂的行为,发现它们在冬天"),
        ("緑茶は日本で広く飲まれている飲み物である。", "日本で広く飲まれている"),
        ("한국은행은 어제 기준 금리를 내렸다.", "어제 기준 금리를"),
        ("Чай является напитком, получаемым варкой листа.", "чай является напитком"),
        ("ไก่ขันตอนเช้าทุกวันที่บ้าน", "ขันตอนเช้าทุกวัน"),
        ("Der Straßenbau ist teuer.", "DER STRASSENBAU IST"),
        ("The ﬁle is large enough.", "the file is large"),
        ("    log = '1.0'\n    rand = '0.7'", "log = '1.0'"),
    ],
)
def test_words_of_any_script_are_found(text: str, quote: str) -> None:
    evidence = evidence_of(text)

    assert evidence.holds(found(quote, evidence)[0])


# -- what is not found -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("quote", "reason"),
    [
        ("", "quote_too_short"),
        ("...", "quote_too_short"),
        ("the bees", "quote_too_short"),
        ("`the-bees`_", "quote_too_short"),
        ("— – —", "quote_too_short"),
        ("the colony ... syrup", "quote_too_short"),
        ("word " * 200, "quote_too_long"),
        ("these words are nowhere at all in it", "quote_missing"),
        ("Feed the colony ... these words are nowhere", "quote_missing"),
        ("eed the colony with 2.5 litr", "quote_missing"),
    ],
)
def test_what_proves_nothing_says_why(quote: str, reason: str) -> None:
    assert code(quote) == reason


@pytest.mark.parametrize(
    "quote",
    [
        "Feed the colony with 25 litres of syrup in September",
        "Feed the colony with 2,5 litres of syrup in September",
        "Feed the colony with 2-5 litres of syrup in September",
        "Feed the colony with 3.5 litres of syrup in September",
        "5 litres of syrup in September",
        "Feed the colony with 2",
        "warmer than 5 °C, nor kept",
        "nor kept for 35 days; see",
        "it costs 1250 euros every year",
        "it costs 1.250 euros every year and",
        "every year and 105 mites",
    ],
)
def test_a_changed_number_is_never_found(quote: str) -> None:
    assert code(quote) == "quote_missing"


@pytest.mark.parametrize(
    "quote",
    [
        "bees that starve in winter do recover. The syrup",
        "The syrup must be warmer than -5 °C",
        "The syrup may not be warmer than -5 °C",
        "bees that never starve in winter do not recover",
        "The bees is the only thing: it costs 1,250 euros",
        "The bees isn't the thing: it costs 1,250 euros – every year",
        "in September, because bees that don’t starve in winter do not recover",
    ],
)
def test_a_turned_statement_is_never_found(quote: str) -> None:
    assert code(quote) == "quote_missing"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Das Gerät ist für den Betrieb im Freien nicht geeignet.", "Das Gerät ist für den Betrieb im Freien geeignet."),
        ("Le produit est vendu dans tous les pays d'Europe.", "Le produit n'est pas vendu dans tous les pays d'Europe."),
        ("Этот чай не растёт в горах этой страны.", "Этот чай растёт в горах этой страны."),
        ("一,二,三,四,五,六,它们在冬天睡觉。", "一,二,三,四,五,六,它们在冬天不睡觉。"),
        ("이 제품은 모든 나라에서 오늘 판매 가능합니다 정말.", "이 제품은 모든 나라에서 오늘 판매 불가능합니다 정말."),
        ("The answer given by them was wholly possible then.", "The answer given by them was wholly impossible then."),
        ("It is 5 for the first and then 7 for all the others in the very long list.",
         "It is 7 for the first and then 5 for all the others in the very long list."),
        ("The first is not safe to use and the second is safe to use in this place today.",
         "The first is safe to use and the second is not safe to use in this place today."),
    ],
)  # fmt: skip
def test_a_turned_statement_is_not_found_in_other_words_either(text: str, quote: str) -> None:
    assert code(quote, evidence_of(text)) == "quote_missing"


# -- laws ------------------------------------------------------------------------------------------------------------

WORDS = """
    tea camellia leaf hot water cup pot brewed steeped green black oolong kettle garden 3 4.5 1,200 2026 no not must
""".split()
DOCUMENTS = st.lists(st.sampled_from(WORDS), min_size=12, max_size=60).flatmap(
    lambda words: st.tuples(st.just(words), st.randoms(use_true_random=False))
)


def laid_out(words: list[str], chance: random.Random) -> str:
    """``words`` as a document somebody typed: lines, dashes, quotes, hyphens at line ends."""
    return "".join(word + chance.choice([" ", "  ", "\n", ", ", " – ", '" “', ".\n\n"]) for word in words)


def disturbed(words: list[str], chance: random.Random) -> str:
    """``words`` as a model may copy them."""
    text = ""
    for word in words:
        if len(word) > 5 and chance.random() < 0.2:
            word = f"{word[:3]}-\n{word[3:]}"
        word = chance.choice([word, word.upper(), f"*{word}*", f"“{word}”", f"({word})"])
        text += word + chance.choice([" ", "\n", "\u00a0", " — ", ", ", "; "])
    return text


@laws
@given(DOCUMENTS, st.integers(0, 40), st.integers(6, 12))
def test_any_span_is_found_however_it_is_copied(laid: tuple[list[str], random.Random], at: int, length: int) -> None:
    words, chance = laid
    span = words[at % (len(words) - 6) :][:length]
    evidence = evidence_of(laid_out(words, chance))

    citations = found(disturbed(span, chance), evidence)

    assert all(evidence.holds(citation) for citation in citations)
    assert re.findall(r"[\w.,]*\w", citations[0].quote) == span


@laws
@given(DOCUMENTS, st.sampled_from(["7", "4,5", "45", "1200", "-3", *sorted(TURNING)]), st.integers(0, 11))
def test_a_number_or_a_turning_word_that_is_put_in_is_never_found(
    laid: tuple[list[str], random.Random], word: str, at: int
) -> None:
    words, chance = laid
    quote = [*words[:12][:at], word, *words[:12][at:]]
    assume(word not in words)

    assert code(" ".join(quote), evidence_of(laid_out(words, chance))) == "quote_missing"


@laws
@given(DOCUMENTS)
def test_a_number_or_a_turning_word_that_is_left_out_is_never_found(laid: tuple[list[str], random.Random]) -> None:
    words, chance = laid
    turning = ["leaf", "pot", "cup", "hot", "garden", "kettle", "green", "tea", "water", "black"]
    turning.insert(chance.randrange(1, 10), "not")
    turning.insert(chance.randrange(1, 10), "2026")
    evidence = evidence_of(laid_out([w for w in words if w not in ("not", "2026")] + turning, chance))

    for left_out in ("not", "2026"):
        assert code(" ".join(word for word in turning if word != left_out), evidence) == "quote_missing"


@laws
@given(st.text(max_size=300), st.text(max_size=80))
@example("½ cup of tea", "12 cup of tea")
@example("ﬁ" * 30, "fi" * 30)
@example("a\u2028b c d e f", "a b c d e f")
@example("İİİ ıı İİİİ iiii İİİİ", "İİİ ıı İİİİ")
def test_any_quote_has_an_answer_and_what_is_cited_holds(text: str, quote: str) -> None:
    evidence = evidence_of(text)

    for asked in (quote, text[:200], text[5:60]):
        answer = evidence.find(asked)
        if not isinstance(answer, Missing):
            assert all(evidence.holds(citation) for citation in answer)


@laws
@given(st.text(alphabet="ab c[]()^#_<>:/.-\n`'5", min_size=20, max_size=120), st.integers(0, 60), st.integers(20, 60))
def test_what_is_cited_in_marked_up_text_holds(text: str, at: int, length: int) -> None:
    evidence = evidence_of(text)

    answer = evidence.find(text[at : at + length])

    assert isinstance(answer, Missing) or all(evidence.holds(citation) for citation in answer)


# -- what a citation is checked by -----------------------------------------------------------------------------------


def test_a_citation_holds_only_in_its_own_lines() -> None:
    citation = found("Feed the colony with 2.5 litres")[0]

    assert EVIDENCE.holds(citation)
    assert not EVIDENCE.holds(Citation(citation.path, "L4", citation.quote))
    assert not EVIDENCE.holds(Citation(citation.path, "L99", citation.quote))
    assert not EVIDENCE.holds(Citation(citation.path, "p3", citation.quote))
    assert not EVIDENCE.holds(Citation(citation.path, "L3", "Feed the colony with 25 litres"))
    assert not EVIDENCE.holds(Citation(citation.path, "L3", "eed the colony with"))
    assert not EVIDENCE.holds(Citation(citation.path, "L3", ""))


@pytest.mark.parametrize(
    ("claim", "missing"),
    [
        ("It takes 2.5 litres and 1,250 euros", []),
        ("Man nimmt 2,5 Liter", []),
        ("It takes 2.6 litres", ["2.6"]),
        ("It costs 1250 euros", []),
        ("It costs 12,50 euros", ["12,50"]),
        ("In 2026 it was 3 or 4", ["2026", "4"]),
        ("No number at all", []),
    ],
)
def test_a_number_that_the_source_never_states_is_named(claim: str, missing: list[str]) -> None:
    assert EVIDENCE.numbers_missing(claim) == missing


def test_a_number_of_the_files_name_is_no_stranger() -> None:
    evidence = Evidence("sources/pep-0440.rst", Document.from_text("Versions are compared.\n"))

    assert evidence.numbers_missing("PEP 440 compares versions, 44 of them") == ["44"]


@pytest.mark.parametrize(
    ("quote", "is_proof"),
    [
        ("Status: Accepted", True),
        ("Replaces: 722", True),
        ("Replaces: 72", False),
        ("status: accepted", True),
        ("Accepted", False),
        ("Note: bees", False),
    ],
)
def test_a_whole_line_of_a_head_is_quote_enough(quote: str, is_proof: bool) -> None:
    text = "PEP: 723\nStatus: Accepted\n:Replaces: 722\n\nNote: bees sleep."

    found = Evidence("sources/pep.rst", Document.from_text(text)).find(quote)

    assert isinstance(found, list) == is_proof


@pytest.mark.parametrize(
    ("quote", "fits"),
    [("| B | 30 |", True), ("B | 30", True), ("| C | 3 |", False), ("| B |", False), ("30 |", False)],
)
def test_a_whole_row_of_a_table_proves_something_however_short(quote: str, fits: bool) -> None:
    table = "| hive | mites |\n|---|---|\n| B | 30 |\n\n| hive | mites | eggs |\n|---|---|---|\n| C | 3 | 5 |\n"

    found = Evidence("sources/t.md", Document.from_text(table)).find(quote)

    assert isinstance(found, list) is fits
    assert fits or (isinstance(found, Missing) and found.code == "quote_too_short")


def test_a_line_that_many_citations_name_is_folded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = [f"The pump number {number} weighs {number} kilograms." for number in range(1, 60)]
    line = " ".join(sentences)
    source = Evidence("sources/pumps.md", Document(((1, line), (2, "It weighs 9 kilograms more."))))
    folded: list[str] = []

    def noted(text: str) -> tuple[str, list[int]]:
        folded.append(text)
        return fold(text)

    monkeypatch.setattr(evidence, "fold", noted)

    cited = [each for sentence in sentences for each in found(sentence, source)]

    assert [each.quote for each in cited] == sentences and all(map(source.holds, cited))
    assert not source.holds(replace(cited[0], quote="It weighs 9 kilograms more."))
    assert folded.count(line) == 1
