"""Passages ranked by meaning, too: real HTTP on the loopback, litellm in its jail, and what goes wrong."""

from __future__ import annotations

import itertools
import math
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.ask import meaning as of_meaning
from curator.ask.flow import material_for
from curator.ask.hits import hits_in
from curator.ask.meaning import Meaning
from curator.ask.query_scope import QueryScope
from curator.cli import warnings
from curator.cli.commands import ask, search
from curator.cli.commands.ask import AskRequest
from curator.cli.console import Report
from curator.config import Config
from curator.errors import CuratorError, ModelError
from curator.models.embedding import TextKind, cosine, packed
from curator.models.llm.embedding_model import instruction
from curator.models.llm.ledger import SpendingLedger
from curator.models.sandbox.addresses import rights_of
from curator.models.sandbox.client import ModelWorker
from curator.models.sandbox.source_texts import SourceTexts
from curator.repository.repository import Repository
from curator.repository.vectors import FILE, VectorCache
from curator.wiki.passages.passage import Passage, Reading
from curator.wiki.passages.selection import Candidate
from support.asked import planted, settings, terms
from support.depth import light_litellm
from support.embedding_server import EmbeddingServer
from support.endpoint import Endpoint
from support.lints import page

KETTLE = page(
    "kettle", 'Heat the water in it until small bubbles rise. [^tea-1]\n\n[^tea-1]: sources/tea.txt#L1 "Oolong"\n'
)
POT = page("pot", 'Water stays in the pot for long. [^tea-1]\n\n[^tea-1]: sources/tea.txt#L1 "Oolong"\n')
ASKED = "How warm must water be?"
SAME = ("warm", "heat", "bubbles")


class CountingEmbedder:
    """Gives the vectors that a test foresees, and counts what it is asked."""

    name = "counting"

    def __init__(self, *same: tuple[str, ...], fault: ModelError | None = None) -> None:
        self._server, self.fault = EmbeddingServer(*same), fault
        self.asked: list[tuple[TextKind, int]] = []
        self.passages: list[str] = []

    def embed(self, texts: Sequence[str], kind: TextKind) -> list[bytes]:
        self.asked.append((kind, len(texts)))
        self.passages += texts if kind == "passage" else ()
        if self.fault is not None:
            raise self.fault
        return [packed(self._server.vector(text)) for text in texts]


def material(root: Path, question: str = ASKED, tokens: int = 2000, **flags: str) -> Report:
    request = AskRequest(only_material=True, tokens=tokens)
    return ask.run(settings(root, **flags), question, request, lambda _: None)


def texts(report: Report) -> list[str]:
    return [each["text"] for each in report.data["passages"]]


def pages(report: Report) -> list[str]:
    return [each["slug"] for each in report.data["hits"]]


@pytest.fixture
def tea(made: Callable[..., Path]) -> Path:
    return made(planted, KETTLE, POT)


@pytest.fixture
def light() -> Iterator[None]:
    """For what is not about litellm: the first test has the real one, and at night all have."""
    with light_litellm():
        yield


def test_without_a_model_of_embeddings_nobody_is_asked_and_nothing_is_kept(tea: Path) -> None:
    report = material(tea)

    with Repository(tea) as repository:
        assert not (repository.runtime.folder / FILE).exists()
    assert report.data["warnings"] == []


def test_a_passage_in_other_words_is_found_and_asked_for_once(tea: Path) -> None:
    with EmbeddingServer(SAME) as server:
        flags = {"embedding_model": "openai/small", "embedding_api_base": server.url}

        by_words = texts(material(tea, tokens=16))
        by_meaning = texts(material(tea, tokens=16, **flags))
        asked = len(server.asked)
        again = texts(material(tea, tokens=16, **flags))

    assert "Heat the water in it until small bubbles rise." not in by_words
    assert by_meaning == again
    assert "Heat the water in it until small bubbles rise." in by_meaning
    assert set(server.models) == {"small"}
    assert len(server.asked) == asked, "what was asked before is not asked again"


@pytest.mark.usefixtures("light")
def test_a_search_goes_by_meaning_as_well_and_asks_for_what_is_new_only(tea: Path) -> None:
    with EmbeddingServer(SAME) as server:
        flags = {"embedding_model": "openai/small", "embedding_api_base": server.url}
        material(tea, ASKED, 2000, **flags)
        known = len(server.asked)

        by_words = pages(search.run(settings(tea), ASKED, 10))
        by_meaning = pages(search.run(settings(tea, **flags), ASKED, 10))
        only = pages(search.run(settings(tea, **flags), "water -kettle -heat -bubbles", 10))
        named = pages(search.run(settings(tea, **flags), "pot", 10))

    assert by_words[0] == "pot"
    assert by_meaning == ["kettle", *(each for each in by_words if each != "kettle")]
    assert (only, named[0]) == (["pot"], "pot")
    assert server.asked[known:] == [["water"], ["pot"]], "the question and the passages are those of the material"


def test_a_search_where_nobody_listens_says_so_and_is_as_without(tea: Path) -> None:
    embedder = CountingEmbedder(fault=ModelError("model_unreachable", "nobody listens", retryable=False))
    with Repository(tea) as repository:
        snapshot = repository.view()
        scope = QueryScope(snapshot.workspace(None), lambda: snapshot.registry, frozenset())
        meaning = Meaning(embedder, lambda: repository.vectors)
        found = hits_in(snapshot, scope, ASKED, 10, meaning=meaning)
        assert found == hits_in(snapshot, scope, ASKED, 10)
    assert [each["code"] for each in warnings.not_by_meaning(meaning)[0]] == ["meaning_unavailable"]


@pytest.mark.parametrize(
    ("passages", "has_table", "told"),
    [
        (40, True, "passages are ranked by words and the table of word vectors, for nobody listens"),
        (40, False, "passages are ranked by words alone, for nobody listens"),
        (3, True, "passages are ranked by words alone, for nobody listens"),
    ],
)
def test_what_ranks_instead_is_said_as_it_is(
    passages: int, has_table: bool, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_table:
        monkeypatch.setattr(of_meaning, "word_vectors", lambda: None)
    said = [Passage("", f"The invoice of lamp {number} is due.") for number in range(passages)]
    bill = Reading("bills", "concepts/bills.md", "Bills", (), tuple(said))
    fault = ModelError("model_unreachable", "nobody listens", retryable=False)
    cache = VectorCache.open(None)
    meaning = Meaning(CountingEmbedder(fault=fault), lambda: cache)

    meaning.ranked(ASKED, [Candidate(bill, number, each, None, 1.0, 1.0) for number, each in enumerate(said)])

    assert [each.message for each in meaning.faults] == [told]


@pytest.mark.usefixtures("light")
def test_one_worker_asks_for_embeddings_and_for_the_answer(tea: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[ModelWorker] = []
    close = ModelWorker.close

    def noted(worker: ModelWorker) -> None:
        ended.append(worker)
        close(worker)

    monkeypatch.setattr(ModelWorker, "close", noted)
    with EmbeddingServer(SAME) as server, Endpoint(lambda _: "no answer in any form") as chat, suppress(CuratorError):
        flags = {"embedding_model": "openai/small", "embedding_api_base": server.url}
        asking = settings(tea, model="openai/chat", api_base=chat.url, **flags)
        ask.run(asking, ASKED, AskRequest(), lambda _: None)

    assert server.asked
    assert chat.requests
    assert "Heat the water in it" in str(chat.requests[0]["messages"])
    assert len(set(map(id, ended))) == 1, "litellm is loaded once"


@pytest.mark.usefixtures("light")
def test_what_it_takes_is_booked(tea: Path) -> None:
    with EmbeddingServer() as server:
        material(tea, embedding_model="openai/small", embedding_api_base=server.url)

    with Repository(tea) as repository:
        entries = SpendingLedger(repository.runtime.folder / "spend").entries().values()
    assert [each.model for each in entries] == ["openai/small"] * len(server.asked)
    assert sum(each.sent or 0 for each in entries) == 7 * sum(map(len, server.asked))


def test_a_budget_that_is_used_up_leaves_the_ranking_to_the_words(tea: Path) -> None:
    with EmbeddingServer() as server:
        report = material(tea, embedding_model="openai/small", embedding_api_base=server.url, tokens_per_day="1")

    assert server.asked == []
    assert texts(report) == texts(material(tea))
    assert [each["code"] for each in report.data["warnings"]] == ["meaning_unavailable"]


def test_where_nobody_listens_it_is_said_once_and_all_else_is_as_without(tea: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
        report = material(tea, embedding_model="openai/small", embedding_api_base=base)

    assert texts(report) == texts(material(tea))
    (told,) = report.data["warnings"]
    assert told["at"] == "embedding_model"
    assert "by words alone" in told["message"]
    assert [note for note in report.notes if "meaning_unavailable" in note]


@pytest.mark.usefixtures("light")
@pytest.mark.parametrize(
    "said",
    [
        (500, {"error": {"message": "out of order"}}),
        (200, {"object": "list", "data": [], "usage": {"prompt_tokens": 1, "total_tokens": 1}}),
        (200, {"object": "list", "data": [{"index": 0, "embedding": ["a", "b"]}]}),
        (200, {"object": "list", "data": [{"index": 7, "embedding": [1.0]}]}),
    ],
)
def test_a_reply_that_has_no_vectors_leaves_the_ranking_to_the_words(tea: Path, said: tuple[int, Any]) -> None:
    with EmbeddingServer(answer=lambda _: said) as server:
        report = material(tea, embedding_model="openai/small", embedding_api_base=server.url)

    assert len(server.asked) == 1, "it is asked once and not again"
    assert texts(report) == texts(material(tea))
    assert [each["code"] for each in report.data["warnings"]] == ["meaning_unavailable"]


def _numbers(*values: object) -> list[object]:
    return [*values, *[0.5] * 6]


@pytest.mark.usefixtures("light")
@pytest.mark.parametrize("vector", [_numbers(math.nan), _numbers(math.inf), [0.0] * 7], ids=["nan", "infinite", "zero"])
def test_vectors_that_are_none_are_told_and_no_passage_is_paid_for(tea: Path, vector: list[object]) -> None:
    reply = {"object": "list", "data": [{"object": "embedding", "index": 0, "embedding": vector}]}
    with EmbeddingServer(answer=lambda _: (200, reply)) as server:
        report = material(tea, embedding_model="openai/small", embedding_api_base=server.url)

    assert server.asked == [[ASKED]]
    assert texts(report) == texts(material(tea))
    assert [each["code"] for each in report.data["warnings"]] == ["meaning_unavailable"]


class _Odd(CountingEmbedder):
    """Has for one passage a vector that is none, or of another size."""

    def __init__(self, odd: bytes) -> None:
        super().__init__(SAME)
        self.odd = odd

    def embed(self, texts: Sequence[str], kind: TextKind) -> list[bytes]:
        vectors = super().embed(texts, kind)
        return vectors if kind == "question" else [self.odd, *vectors[1:]]


@pytest.mark.parametrize("odd", [b"", packed([1.0, 2.0])], ids=["none", "of another size"])
def test_a_passage_whose_vector_is_odd_is_told_and_not_paid_for_again(tea: Path, odd: bytes) -> None:
    model = _Odd(odd)
    with Repository(tea) as repository:
        sources = SourceTexts(repository.root, repository.runtime, terms().limits)
        told = []
        for _ in range(2):
            options = terms(meaning=Meaning(model, lambda: repository.vectors))
            material_for(ASKED, repository.view(), sources, options)
            faults = options.meaning.faults  # type: ignore[union-attr]
            told.append([(each.code, each.message.partition(", for ")[0]) for each in faults])

    assert told[0] == [("meaning_unavailable", "passages without a vector are ranked by words alone")]
    assert [kind for kind, _ in model.asked] == ["question", "passage"]


def test_the_worker_is_connected_to_the_address_of_the_embeddings_and_no_other() -> None:
    config = Config(embedding_model="openai/small", embedding_api_base="http://127.0.0.1:9/v1")

    keys, addresses = rights_of(config, {"OPENAI_API_KEY": "a key", "ANTHROPIC_API_KEY": "another"})

    assert keys == {"OPENAI_API_KEY": "a key"}
    assert [str(each) for each in addresses] == ["127.0.0.1:9"]


def test_the_other_name_of_ollama_is_that_of_its_embeddings() -> None:
    config = Config(
        model="ollama_chat/qwen", api_base="http://box:11434", embedding_model="ollama_chat/nomic-embed-text"
    )

    assert (config.embedder.model, config.embedder.api_base) == ("ollama/nomic-embed-text", "http://box:11434")


@pytest.mark.parametrize(
    ("model", "kind", "before"),
    [
        ("ollama/nomic-embed-text:latest", "question", "search_query: "),
        ("openai/multilingual-E5-small", "passage", "passage: "),
        ("ollama/bge-m3", "question", ""),
        ("openai/text-embedding-3-small", "question", ""),
    ],
)
def test_models_see_what_they_were_trained_to_see(model: str, kind: TextKind, before: str) -> None:
    assert instruction(model, kind) == before


def test_a_fault_ends_the_asking_for_a_whole_session(tea: Path) -> None:
    model = CountingEmbedder(fault=ModelError("model_unavailable", "it is away", "start it", retryable=True))
    with Repository(tea) as repository:
        options = terms(meaning=Meaning(model, lambda: repository.vectors))
        texts = SourceTexts(repository.root, repository.runtime, options.limits)

        for question in (ASKED, "Where does water stay?"):
            material_for(question, repository.view(), texts, options)

    assert model.asked == [("question", 1)]
    assert options.meaning is not None
    assert [len(options.meaning.news) for _ in range(2)] == [1, 0]


def test_no_question_waits_longer_than_a_person_does(tea: Path) -> None:
    model, seconds = CountingEmbedder(SAME), itertools.count(0, 15)
    with Repository(tea) as repository:
        options = terms(meaning=Meaning(model, lambda: repository.vectors, clock=lambda: next(seconds), at_once=1))
        texts = SourceTexts(repository.root, repository.runtime, options.limits)

        material_for(ASKED, repository.view(), texts, options)
        first = len(model.asked)
        for _ in range(5):
            material_for(ASKED, repository.view(), texts, options)

    assert first == 2, "the question, and one passage"
    assert len(model.asked) > first
    assert len(model.asked) == len(set(model.passages)) + 1


def test_old_vectors_go_where_there_are_too_many() -> None:
    cache = VectorCache.open(None, most=3)

    for each in "abcde":
        cache.keep("m", {each: packed([1.0, 2.0])})

    assert set(cache.get("m", list("abcde"))) == {"c", "d", "e"}
    assert cache.get("another", ["e"]) == {}


NUMBERS = st.lists(st.floats(-1e3, 1e3), min_size=8, max_size=8).filter(lambda found: max(map(abs, found)) > 1e-3)


@given(NUMBERS, NUMBERS)
def test_a_byte_a_number_is_enough_to_tell_how_like_two_vectors_are(one: list[float], other: list[float]) -> None:
    def length(vector: list[float]) -> float:
        return math.sqrt(sum(each * each for each in vector))

    exact = sum(a * b for a, b in zip(one, other, strict=True)) / (length(one) * length(other))

    assert cosine(packed(one), packed(other)) == pytest.approx(exact, abs=0.03)
    assert cosine(packed(one), packed(one)) == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize("vector", [[], [0.0, 0.0], [math.nan, 1.0], [math.inf, 1.0]])
def test_what_is_no_vector_is_like_nothing(vector: list[float]) -> None:
    assert packed(vector) == b""
    assert cosine(packed(vector), packed([1.0, 0.0])) == 0.0
    assert cosine(packed([1.0]), packed([1.0, 0.0])) == 0.0
