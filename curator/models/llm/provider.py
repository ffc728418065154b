"""The provider of a language model, asked through litellm in the sandbox; every answer is saved, so none is paid twice."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

import tenacity

from curator.config import Config
from curator.errors import ModelError
from curator.models.endpoint.check import EndpointCheck
from curator.models.llm.budget import BudgetGuard
from curator.models.llm.language_model import Completion, Listen
from curator.models.llm.ledger import SpendingLedger
from curator.models.llm.prompts import Prompt, ReplyFormat
from curator.models.port import Usage
from curator.models.sandbox import client
from curator.models.sandbox.addresses import rights_of
from curator.models.sandbox.model_errors import error_from
from curator.models.saved_answers import check_may_ask, topic
from curator.repository.runtime.runtime import Runtime

_ANSWER = {"text", "finish_reason", "tokens", "cost"}
"""The keys that every saved answer has."""
_LONGEST_WAIT = 120.0
"""When a provider asks for a longer pause, there is no retry; the source waits in the queue."""
_GIVE_UP_AFTER = 900.0
_GRACE = 15.0
"""Seconds over the time limit after which the worker is ended: a slow stream never meets litellm's own limit."""


class Provider:
    """Implements ``Completes``. As a context manager: the worker starts at once, so that litellm's import (3 to 7 s)
    overlaps with reading the source, and ends with the block.
    """

    def __init__(
        self,
        config: Config,
        environment: Mapping[str, str],
        runtime: Runtime,
        ask_again: bool = False,
        check: EndpointCheck | None = None,
    ) -> None:
        """``check`` finds why the model cannot be asked, before litellm is loaded in vain."""
        self._config = config
        self._check = check
        self._runtime = runtime
        self._ask_again = ask_again
        self._answered: set[str] = set()
        self._reader: Provider | None = None
        self._worker = client.ModelWorker(*rights_of(config, environment), runtime.model_socket)
        self._budget = BudgetGuard(config, SpendingLedger(runtime.folder / "spend"), self.known)

    def __enter__(self) -> Provider:
        if self._check is None or self._check.fault_at_hand is None:
            self._worker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._worker.close()

    def for_reader(self) -> Provider:
        """The same worker, budget and saved answers, for requests to the second reader's model. From now on that model is
        checked before this one is asked: without a reader, an answer would be paid for in vain.
        """
        self._reader = None
        self._reader = other = copy(self)
        other._config = self._config.reader
        other.__dict__.pop("_known", None)
        if self._check is not None:
            other._check = replace(self._check, config=other._config, chosen="by curate config set verify_model")
        other._budget = replace(self._budget, config=other._config, known=other.known)
        return other

    @property
    def name(self) -> str:
        return self._config.model

    @property
    def worker(self) -> client.ModelWorker:
        """The process that is asked, for others with the same rights."""
        return self._worker

    @cached_property
    def _known(self) -> dict[str, Any]:
        """What litellm knows about the model. Raises ModelError when it cannot be loaded."""
        return self._worker.describe(self._config.model, self._config.api_base or None)

    def known(self) -> dict[str, Any]:
        """What litellm knows about the model: its prices and abilities."""
        return self._known

    def reply_format(self) -> ReplyFormat:
        if self._config.reply_format != "auto":
            return self._config.reply_format
        self._see_to_it()
        return "json" if self._known.get("json_schema") else "blocks"

    def complete(self, prompt: Prompt, listen: Listen | None = None) -> Completion:
        """The saved answer to exactly this prompt, else a new one, which is saved before it is used.

        With ``ask_again`` only answers of this run are used. ``listen`` gives who hears a new one while it comes, for each
        attempt anew.
        """
        config = self._config
        key = f"{topic(prompt.source)}-{prompt.key(f'{config.model} {config.api_base} {config.max_output_tokens}')}"
        is_stale = self._ask_again and key not in self._answered
        saved = None if is_stale else self._runtime.replies.get(key)
        if saved is None or not saved.keys() >= _ANSWER:
            check_may_ask()
            saved = self._ask(prompt, listen)
            self._runtime.replies.keep(key, saved)
        self._answered.add(key)
        tokens = saved["tokens"]
        return Completion(
            text=saved["text"],
            finish_reason=saved["finish_reason"] or "",
            model=config.model,
            usage=Usage(tokens["prompt"], tokens["completion"], saved["cost"]),
            sandbox=saved.get("sandbox", ""),
            nonce=saved.get("nonce", ""),
        )

    def _ask(self, prompt: Prompt, listen: Listen | None) -> dict[str, Any]:
        self._see_to_it()
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
            "context": config.context_tokens or None,
        }
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(_is_worth_a_retry),
            wait=self._wait,
            stop=tenacity.stop_after_attempt(config.max_attempts) | tenacity.stop_after_delay(_GIVE_UP_AFTER),
            reraise=True,
        )
        reply: dict[str, Any] = retrying(lambda: self._budget.charge(prompt, lambda: self._ask_once(request, listen)))
        # Half a surrogate pair is valid in JSON, but fits into no file and no further request.
        text = reply["text"].encode("utf-8", "replace").decode()
        return {**reply, "text": text, "sandbox": self._worker.level, "nonce": prompt.nonce}

    def _see_to_it(self) -> None:
        """Raise ModelError where the model cannot be asked, as far as that is known; checked anew each time."""
        if self._reader is not None:
            self._reader._see_to_it()
        if self._check is not None and (fault := self._check.fault) is not None:
            self._check = replace(self._check)
            raise fault

    def _ask_once(self, request: dict[str, Any], listen: Listen | None) -> dict[str, Any]:
        hear = {"hear": listen()} if listen is not None else {}
        reply = self._worker.ask(request, self._config.answer_seconds + _GRACE, **hear)
        if not reply.get("ok"):
            raise error_from(reply)
        return reply

    def _wait(self, state: tenacity.RetryCallState) -> float:
        """The pause before the next attempt: what the provider asks for, else exponential with jitter."""
        seconds = _requested_pause(state.outcome.exception() if state.outcome else None)
        if seconds is not None:
            return seconds
        return tenacity.wait_random_exponential(multiplier=self._config.retry_seconds, max=60)(state)


def _is_worth_a_retry(error: BaseException) -> bool:
    """True for an error that is worth another attempt."""
    return isinstance(error, ModelError) and error.retryable and (_requested_pause(error) or 0) <= _LONGEST_WAIT


def _requested_pause(error: BaseException | None) -> float | None:
    """The seconds the provider asks for; None where it asks for none, or for a negative number."""
    seconds = error.retry_after if isinstance(error, ModelError) else None
    return seconds if seconds is not None and seconds >= 0 else None
