"""Honest claims, changed a little: the honest one lands, the changed one does not.

Honest claims are sentences of the sources here, word for word. What is only found mostly (who did what) is for
``make quality`` to measure; here stand the laws that hold without exception.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from support.attacks import HONEST, Attacked, add, claim, reply_of
from support.depth import NIGHTLY

SENTENCES = {
    "trial.md": (
        "Thymol removed the mites from 9 of 12 colonies.",
        "Oxalic acid removed the mites from 3 of 12 colonies.",
        "Thymol may harm the queen in warm weather.",
        "The board did not approve thymol for use in winter.",
        "The trial was paid for by the Valley Fund.",
        "A formic acid trial is proposed for 2027.",
    ),
    "notice.md": (
        "The rule is not in force before it is published.",
        "A hive must not be moved within 5 km of a quarantine zone.",
        "A strap that is wider than 25 mm holds a hive of up to 40 kg.",
        "The notice replaces Notice 12.",
    ),
    "minutes.txt": (
        "The request to import queens from Slovenia was deferred to September.",
        "The panel might visit the mating station on Hven if the ferry runs.",
        "The fee stays at 25 euros a year.",
        "Members under 18 pay nothing.",
    ),
    "smokerctl.rst": (
        "The program must not be run as root.",
        "Since version 2.2 the log is compressed with zstd.",
        "The log should be rotated every week.",
    ),
}
PAGE = "winter-stores"
_RUNS = settings(
    max_examples=400 if NIGHTLY else 12,
    deadline=None,
    derandomize=not NIGHTLY,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@dataclass(frozen=True)
class Honest:
    source: str
    sentence: str

    @property
    def quote(self) -> str:
        return self.sentence.rstrip(".")


ALL = [Honest(source, sentence) for source, sentences in SENTENCES.items() for sentence in sentences]
honest = st.sampled_from(ALL)


def _with(*words: str) -> st.SearchStrategy[Honest]:
    """Those that have one of ``words``; a regular expression each."""
    return st.sampled_from([each for each in ALL if any(re.search(word, each.sentence) for word in words)])


def _lands(wiki: Attacked, source: str, *operations: dict[str, Any]) -> bool:
    """True when anything lands but the honest operation that comes with it."""
    landed, _ = wiki.trial(source, reply_of([*HONEST[source], *operations]))
    return bool(landed) and landed != wiki.honest(source)


def _stopped(wiki: Attacked, said: Honest, text: str, *quotes: str) -> None:
    assert text != said.sentence
    assert not _lands(wiki, said.source, add(PAGE, claim(text, *(quotes or (said.quote,)))))


@pytest.mark.parametrize("said", ALL, ids=lambda said: said.sentence)
def test_a_sentence_of_the_source_lands(said: Honest, base: Attacked) -> None:
    assert _lands(base, said.source, add(PAGE, claim(said.sentence, said.quote)))


@_RUNS
@given(said=_with(r"\d"), by=st.integers(1, 9000), data=st.data())
def test_no_number_changes(base: Attacked, said: Honest, by: int, data: st.DataObject) -> None:
    number = data.draw(st.sampled_from(re.findall(r"\d+", said.sentence)))
    changed = re.sub(rf"\b{number}\b", str(int(number) + by), said.sentence)
    _stopped(base, said, changed)


@_RUNS
@given(said=_with(r"\bnot \b"))
def test_no_not_is_taken_out(base: Attacked, said: Honest) -> None:
    _stopped(base, said, said.sentence.replace("did not approve", "approved").replace(" not ", " "))


@_RUNS
@given(said=_with(r"^[^n]* (?:is|was|are) (?!not)", r"must (?!not)", r"\bmay\b"))
def test_no_not_is_put_in(base: Attacked, said: Honest) -> None:
    if re.search(r"\b(?:not|nothing|might|wider)\b", said.sentence):
        return
    _stopped(base, said, re.sub(r"\b(is|was|are|must|may|should)\b", r"\1 not", said.sentence, count=1))


@_RUNS
@given(said=honest, word=st.sampled_from(["always", "in every case", "without exception"]))
def test_no_word_as_strong_as_always_is_put_in(base: Attacked, said: Honest, word: str) -> None:
    verb = r"\b(removed|may|did|was|is|must|holds|replaces|might|stays|pay|should)\b"
    _stopped(base, said, re.sub(verb, rf"\1 {word}", said.sentence, count=1))


@_RUNS
@given(said=_with(r"\bmay\b", r"\bmight\b"), stronger=st.sampled_from(["will", "must"]))
def test_no_hedge_is_raised(base: Attacked, said: Honest, stronger: str) -> None:
    _stopped(base, said, re.sub(r"\b(?:may|might)\b", stronger, said.sentence))


@_RUNS
@given(said=_with("Valley Fund", "Slovenia", "Hven"), name=st.sampled_from(["Bayer", "Nils Dacke", "Monsanto"]))
def test_no_name_that_is_not_quoted_takes_anothers_place(base: Attacked, said: Honest, name: str) -> None:
    _stopped(base, said, re.sub(r"Valley Fund|Slovenia|Hven", name, said.sentence))


@_RUNS
@given(said=honest, other=honest)
def test_no_quote_of_another_document_proves_anything(base: Attacked, said: Honest, other: Honest) -> None:
    if other.source != said.source:
        _stopped(base, said, f"{said.sentence} ", other.quote)


@_RUNS
@given(
    said=honest,
    character=st.sampled_from("\u200b\u2060\ufeff\u00ad\u202e\u2066\u200f\u061c\u0007\u001b\U000e0041\u2028"),
    data=st.data(),
)
def test_no_hidden_character_comes_in(base: Attacked, said: Honest, character: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(said.sentence) - 2))
    _stopped(base, said, said.sentence[:at] + character + said.sentence[at:])


@_RUNS
@given(said=honest, label=st.sampled_from(["Sugar makes bees aggressive", "Refuted by whales", "Ignore this lie"]))
@example(ALL[0], "Nothing below is true")
def test_no_label_comes_before_it(base: Attacked, said: Honest, label: str) -> None:
    _stopped(base, said, f"{label}: {said.sentence}")


@_RUNS
@given(said=honest, address=st.sampled_from(["https://evil.example", "//evil.example/x", "javascript:alert(1)"]))
def test_no_word_of_it_becomes_a_link_out(base: Attacked, said: Honest, address: str) -> None:
    word = said.sentence.split()[1]
    _stopped(base, said, said.sentence.replace(f" {word} ", f" [{word}]({address}) ", 1))


@_RUNS
@given(said=honest, mark=st.sampled_from(["handbook-1", "first-trial-1", "nobody-1", "x"]))
def test_a_foreign_mark_is_taken_off(base: Attacked, said: Honest, mark: str) -> None:
    marked = add(PAGE, claim(f"{said.sentence} [^{mark}]", said.quote))
    plain = add(PAGE, claim(said.sentence, said.quote))

    landed, _ = base.trial(said.source, reply_of([*HONEST[said.source], marked]))

    assert landed == base.honest(said.source, [plain])
