"""A model of embeddings, asked through litellm in the sandbox; each request is within the budget, and booked.

It is asked once and not again: whoever wants vectors can do without.
"""

from __future__ import annotations

import array
import base64
from collections.abc import Mapping, Sequence

from curator.config import Config
from curator.errors import ModelError
from curator.models.embedding import TextKind, packed
from curator.models.endpoint.check import EndpointCheck
from curator.models.llm.budget import BudgetGuard
from curator.models.llm.ledger import SpendingLedger
from curator.models.llm.prompts import Prompt
from curator.models.sandbox.addresses import rights_of
from curator.models.sandbox.client import ModelWorker
from curator.models.sandbox.model_errors import error_from
from curator.repository.runtime.runtime import Runtime

_SECONDS = 30.0
_INSTRUCTIONS = {
    "e5": ("query: ", "passage: "),
    "nomic-embed": ("search_query: ", "search_document: "),
    "bge-": ("Represent this sentence for searching relevant passages: ", ""),
    "mxbai-embed": ("Represent this sentence for searching relevant passages: ", ""),
    "arctic-embed": ("Represent this sentence for searching relevant passages: ", ""),
    "arctic-embed2": ("query: ", ""),
    "qwen3-embedding": (
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:",
        "",
    ),
    "bge-m3": ("", ""),
}
"""What models were trained to see before a question and before a passage, by what their names have in them; the longest."""


class EmbeddingModel:
    """Implements ``Embedder``."""

    def __init__(
        self, config: Config, environment: Mapping[str, str], runtime: Runtime, worker: ModelWorker | None = None
    ) -> None:
        """``worker``: one with the rights of ``config``, which others ask, too; else it starts its own."""
        self._config = config.embedder
        self._check = EndpointCheck(self._config, environment)
        self._own = worker is None
        self._worker = worker or ModelWorker(*rights_of(config, environment), runtime.model_socket)
        self._budget = BudgetGuard(self._config, SpendingLedger(runtime.folder / "spend"), self._known)

    @property
    def name(self) -> str:
        return f"{self._config.model} {self._config.api_base}".strip()

    def embed(self, texts: Sequence[str], kind: TextKind) -> list[bytes]:
        if (fault := self._check.fault) is not None:
            raise fault
        before = instruction(self._config.model, kind)
        asked = [before + text for text in texts]
        prompt = Prompt(tuple({"content": text} for text in asked), nonce="")
        reply = self._budget.charge(prompt, lambda: self._ask(asked))
        try:
            return [packed(array.array("f", base64.b64decode(each, validate=True))) for each in reply["vectors"]]
        except (TypeError, ValueError) as error:
            raise _unusable() from error

    def close(self) -> None:
        if self._own:
            self._worker.close()

    def _ask(self, texts: list[str]) -> dict[str, object]:
        request = {
            "op": "embed",
            "model": self._config.model,
            "texts": texts,
            "api_base": self._config.api_base or None,
            "timeout": _SECONDS,
        }
        reply = self._worker.ask(request, _SECONDS + 15)
        if not reply["ok"]:
            raise error_from(reply)
        vectors = reply.get("vectors")
        if not isinstance(vectors, list) or len(vectors) != len(texts):
            raise _unusable()
        return reply

    def _known(self) -> dict[str, object]:
        return self._worker.describe(self._config.model, self._config.api_base or None)


def instruction(model: str, kind: TextKind) -> str:
    """What stands before a text of ``kind`` for ``model``."""
    found = max((name for name in _INSTRUCTIONS if name in model.lower()), key=len, default="")
    return _INSTRUCTIONS[found][0 if kind == "question" else 1] if found else ""


def _unusable() -> ModelError:
    hint = "see that embedding_model names a model of embeddings"
    return ModelError("model_bad_reply", "the model of embeddings gave no vectors", hint, retryable=False)
