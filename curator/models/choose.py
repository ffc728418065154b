"""Which model is used: the language model of the settings, else the built-in extractive curator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from curator.models.embedding import Embedder
from curator.models.port import Budget, Curator, Respondent, Verifier
from curator.repository.runtime.runtime import Runtime

if TYPE_CHECKING:
    from curator.config import Config
    from curator.repository.settings import Settings


def budget(config: Config) -> Budget:
    """How much of the wiki a request may hold. The built-in curator pays for no tokens, but is bounded as well."""
    return Budget(config.page_tokens, config.line_tokens) if config.model else Budget(30_000, 6_000, whole=True)


def with_room(settings: Settings) -> Settings:
    """The settings with prompts that fit the model, where one is asked that reads little."""
    if not settings.config.model:
        return settings
    from curator.models.endpoint import discovery

    return discovery.with_room(settings)


@contextmanager
def open_model(
    config: Config, environment: Mapping[str, str], runtime: Runtime, ask_again: bool = False
) -> Iterator[Curator]:
    """The model of the settings, ready to be asked; its worker process ends with the block.

    ``ask_again``: saved answers of earlier runs are not used.
    """
    if not config.model:
        from curator.models.extractive import ExtractiveCurator

        yield ExtractiveCurator()
        return
    from curator.models.endpoint.check import EndpointCheck
    from curator.models.llm.language_model import LanguageModel
    from curator.models.llm.provider import Provider

    with Provider(config, environment, runtime, ask_again, EndpointCheck(config, environment)) as provider:
        yield LanguageModel(provider, config.window_tokens)


@contextmanager
def open_verifier(
    config: Config, environment: Mapping[str, str], runtime: Runtime, model: Curator | None = None
) -> Iterator[Verifier | None]:
    """The second reader of the settings, where they want one; it shares the worker process of ``model``."""
    if config.verify != "model" or not config.reader.model:
        yield None
        return
    from curator.models.endpoint.check import EndpointCheck
    from curator.models.llm.language_model import LanguageModel
    from curator.models.llm.provider import Provider
    from curator.models.llm.verifier import LanguageModelVerifier

    if isinstance(model, LanguageModel) and isinstance(model.provider, Provider):
        yield LanguageModelVerifier(model.provider.for_reader(), config.verify_form)
        return
    check = EndpointCheck(config.reader, environment)
    with Provider(config.reader, environment, runtime, check=check) as provider:
        yield LanguageModelVerifier(provider, config.verify_form)


@contextmanager
def open_embedder(
    config: Config, environment: Mapping[str, str], runtime: Runtime, model: Respondent | None = None
) -> Iterator[Embedder | None]:
    """The model of embeddings of the settings, where they name one; it shares the worker process of ``model``.

    Where that has none, its own starts when it is first asked.
    """
    if not config.embedding_model:
        yield None
        return
    from curator.models.llm.embedding_model import EmbeddingModel
    from curator.models.llm.language_model import LanguageModel
    from curator.models.llm.provider import Provider

    provider = model.provider if isinstance(model, LanguageModel) else None
    worker = provider.worker if isinstance(provider, Provider) else None
    embedder = EmbeddingModel(config, environment, runtime, worker)
    try:
        yield embedder
    finally:
        embedder.close()
