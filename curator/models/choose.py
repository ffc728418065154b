"""Who curates: a language model when one is configured, else the built-in extractive curator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from curator.models.port import Budget, Curator
from curator.repository.runtime.runtime import Runtime

if TYPE_CHECKING:
    from curator.config import Config


def budget(config: Config) -> Budget:
    """How much of the wiki the curator is shown. The built-in one pays no tokens, but its share is bounded as well."""
    return Budget(config.page_tokens, config.line_tokens) if config.model else Budget(30_000, 6_000)


def question_tokens(config: Config) -> int:
    """How much of the wiki whoever answers a question is shown, as pages."""
    return max(1000, 2 * config.page_tokens) if config.model else 30_000


@contextmanager
def choose(
    config: Config, environment: Mapping[str, str], runtime: Runtime, ask_again: bool = False
) -> Iterator[Curator]:
    """The model the configuration names, ready to be asked; its worker ends with the block.

    ``ask_again``: saved answers are passed over.
    """
    if not config.model:
        from curator.models.extractive import ExtractiveCurator

        yield ExtractiveCurator()
        return
    from curator.models.llm.language_model import LanguageModel
    from curator.models.llm.provider import Provider

    with Provider(config, environment, runtime, ask_again) as provider:
        yield LanguageModel(provider, config.window_tokens)
