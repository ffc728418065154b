"""A provider of language models, asked through the jailed litellm worker; never paid twice for one question."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import tenacity

from curator import sandbox
from curator.config import Config
from curator.errors import ModelError
from curator.language_model import Completion
from curator.model import Usage
from curator.prompts import Prompt, ReplyFormat
from curator.runtime import Runtime

_LONGEST_WAIT = 120.0
_GIVE_UP_AFTER = 900.0


class Provider:
    """Implements ``Completes``. As a context manager: the worker starts at once, so that litellm's import (3 to 7 s)
    overlaps with reading the source, and ends with the block.
    """

    def __init__(
        self, config: Config, environment: Mapping[str, str], runtime: Runtime, ask_again: bool = False
    ) -> None:
        self._config = config
        self._runtime = runtime
        self._ask_again = ask_again
        keys = sandbox.environment_for_models(environment)
        ports = sandbox.ports_for_models(config.model, config.api_base or None, keys)
        self._worker = sandbox.Worker(keys, ports)

    def __enter__(self) -> Provider:
        self._worker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._worker.close()

    @property
    def name(self) -> str:
        return self._config.model

    @cached_property
    def _known(self) -> dict[str, Any]:
        """What litellm knows of the model. Raises ModelError when a key is missing."""
        return self._worker.describe(self._config.model, self._config.api_base or None)

    def reply_format(self) -> ReplyFormat:
        if self._config.reply_format != "auto":
            return self._config.reply_format
        return "json" if self._known.get("json_schema") else "blocks"

    def complete(self, prompt: Prompt) -> Completion:
        """The saved answer to this very question, else a new one, which is saved before anybody looks at it."""
        key = prompt.key(f"{self._config.model} {self._config.api_base}")
        saved = None if self._ask_again else self._runtime.reply(key)
        if saved is None:
            saved = self._asked(prompt)
            self._runtime.keep_reply(key, saved)
        tokens = saved["tokens"]
        return Completion(
            text=saved["text"],
            finish_reason=saved["finish_reason"] or "",
            model=self._config.model,
            usage=Usage(tokens["prompt"], tokens["completion"], saved["cost"]),
            sandbox=saved.get("sandbox", ""),
        )

    def _asked(self, prompt: Prompt) -> dict[str, Any]:
        config = self._config
        request = {
            "op": "complete",
            "model": config.model,
            "messages": list(prompt.messages),
            "api_base": config.api_base or None,
            "api_key": None,
            "schema": prompt.schema,
            "timeout": config.answer_seconds,
            "max_tokens": config.max_output_tokens,
            "temperature": 0,
        }
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(lambda error: isinstance(error, ModelError) and error.retryable),
            wait=self._wait,
            stop=tenacity.stop_after_attempt(config.max_attempts) | tenacity.stop_after_delay(_GIVE_UP_AFTER),
            reraise=True,
        )
        reply: dict[str, Any] = retrying(self._once, request)
        return {**reply, "sandbox": self._worker.level}

    def _once(self, request: dict[str, Any]) -> dict[str, Any]:
        reply = self._worker.ask(request, self._config.answer_seconds + 15)
        if not reply.get("ok"):
            raise sandbox.error_from(reply)
        return reply

    def _wait(self, state: tenacity.RetryCallState) -> float:
        """The provider's own wish, else exponentially longer with jitter."""
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, ModelError) and error.retry_after is not None:
            return min(error.retry_after, _LONGEST_WAIT)
        return tenacity.wait_random_exponential(multiplier=self._config.retry_seconds, max=60)(state)
