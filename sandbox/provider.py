"""The calls of litellm: one completion, embeddings of texts, one description of a model, errors as plain values.

Importing this module imports litellm. Rules kept here, each learnt from a fault that was measured:

- No retries below: litellm and the SDKs under it each have their own, and they multiply. The caller retries.
- A missing key is looked for beforehand: litellm reports it as a server error, which would be tried again and again.
- A price of 0 for a model that litellm does not know means that the price is unknown.
- A server that knows no streams is asked without.
- Of a stream as many characters are taken as a reply may have, and not many more; what they cost comes last.
- ``Retry-After`` is in ``litellm_response_headers``; the headers of ``error.response`` are made up.
"""

from __future__ import annotations

import array
import base64
import importlib.metadata
import os
import re
from collections.abc import Callable
from typing import Any

import httpx
import litellm

litellm.suppress_debug_info = True
litellm.telemetry = False
litellm.drop_params = False
litellm.DEFAULT_MAX_RETRIES = 0  # which embeddings have in the place of a zero that they are told

_CONNECT_SECONDS = 10.0
_MESSAGE_LIMIT = 300
_SECRET_NAME = re.compile(r"KEY|SECRET|TOKEN|PASSWORD|CREDENTIALS")
_SECRET_SHAPE = re.compile(r"\b(?:sk|pk|gsk|xai|AIza)[-_]?[A-Za-z0-9*_-]{12,}|(?i:bearer)\s+\S+|(?<=[?&]key=)[^&\s]+")
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_PREFIXES = re.compile(r"^(?:(?:litellm\.)?\w+(?:Error|Exception): |\w+Exception - )+")
"""litellm puts the class of the error before its message, up to three times."""
_OF_PROVIDER = re.compile(r"\b\w{1,60}+(?<=Exception) - ")
"""Stands before what the provider itself said."""
_NO_KEY = "none"
_LONGEST_STREAM = 1_000_000
"""Characters; twice what a reply may have, so that curator sees that it has too many."""


class MissingKey(Exception):
    """The provider needs a key and none is set; names the environment variables that may hold it."""


class NoAnswer(Exception):
    """The provider replied, but with nothing in it."""


def version() -> str:
    return importlib.metadata.version("litellm")


def complete(
    model: str,
    messages: list[dict[str, str]],
    api_base: str | None = None,
    api_key: str | None = None,
    schema: dict[str, Any] | None = None,
    timeout: float = 120,
    max_tokens: int | None = None,
    temperature: float | None = None,
    context: int | None = None,
    hear: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """One reply of ``model``, with the tokens it took and what it cost, where that is known.

    ``hear`` is called with each piece of its text as it comes. ``context``: how many tokens Ollama is to make room for,
    which else cuts off what does not fit into its usual few, and says nothing.
    """
    options: dict[str, Any] = {"max_tokens": max_tokens, "temperature": temperature}
    if schema is not None:
        reply_format = {"name": "reply", "schema": schema, "strict": True}
        options["response_format"] = {"type": "json_schema", "json_schema": reply_format}
    call = {
        "model": model,
        "messages": messages,
        "api_base": api_base,
        "api_key": _key_for(model, api_base, api_key),
        "timeout": httpx.Timeout(timeout, connect=_CONNECT_SECONDS),
        "max_retries": 0,
        "num_retries": 0,
        "stream": False,
    }
    if context and model.startswith(("ollama/", "ollama_chat/")):
        call["num_ctx"] = context
    wanted = {name: value for name, value in options.items() if value is not None}
    if hear is not None:
        try:
            return _reply(model, _streamed(call, wanted, hear))
        except litellm.BadRequestError as error:
            if "stream" not in str(error):
                raise
    return _reply(model, _answer(call, wanted))


def embed(
    model: str, texts: list[str], api_base: str | None = None, api_key: str | None = None, timeout: float = 60
) -> dict[str, Any]:
    """The vector of each of ``texts``: numbers of four bytes each, one after the other, in base64."""
    answer = litellm.embedding(
        model=model,
        input=texts,
        api_base=api_base,
        api_key=_key_for(model, api_base, api_key),
        timeout=timeout,
        max_retries=0,
        num_retries=0,
    )
    found: list[Any] = [None] * len(texts)
    for place, each in enumerate(answer.data):
        found[each.get("index", place)] = each["embedding"]
    if None in found:
        raise NoAnswer("the provider's reply lacks vectors")
    usage = getattr(answer, "usage", None)
    prompt = getattr(usage, "prompt_tokens", None) or None
    return {
        "vectors": [base64.b64encode(array.array("f", each).tobytes()).decode("ascii") for each in found],
        "text": "",
        "tokens": {"prompt": prompt, "completion": 0},
        "cost": _cost(model, answer) if prompt else None,
    }


def describe(model: str, api_base: str | None = None, api_key: str | None = None) -> dict[str, Any]:
    """What litellm knows about ``model`` without a request to it."""
    info = _info(model)
    return {
        "json_schema": bool(litellm.supports_response_schema(model=model)),
        "max_input_tokens": info.get("max_input_tokens"),
        "prompt_price": info.get("input_cost_per_token"),
        "completion_price": info.get("output_cost_per_token"),
        "missing_keys": _missing_keys(model, api_base, api_key),
    }


def failure(error: Exception, api_key: str | None = None) -> dict[str, Any]:
    """``error`` as values: its kind, HTTP status, the wait the provider asks for, and a line without secrets.

    ``of_provider``: the line is the provider's own words, not litellm's.
    """
    root = _connection_error(error)
    if root is not None:
        return {
            "kind": _kind_of_connection(root),
            "status": None,
            "retry_after": None,
            "message": _plain(root, api_key),
            "of_provider": False,
        }
    status = getattr(error, "status_code", None)
    return {
        "kind": type(error).__name__,
        "status": status if isinstance(status, int) else None,
        "retry_after": _retry_after(error),
        "message": _plain(error, api_key),
        "of_provider": _OF_PROVIDER.search(str(error)) is not None,
    }


def _answer(call: dict[str, Any], options: dict[str, Any]) -> Any:
    """The answer of litellm; without a temperature when the model has only one, of which there is no list."""
    try:
        return litellm.completion(**call, **_supported(call["model"], options))
    except litellm.BadRequestError as error:
        if "temperature" not in options or "temperature" not in str(error):
            raise
        del options["temperature"]
        return litellm.completion(**call, **options)


def _streamed(call: dict[str, Any], options: dict[str, Any], hear: Callable[[str], None]) -> Any:
    """A stream as one answer; each piece of its text is heard at once."""
    wanted = {**options, "stream_options": {"include_usage": True}}
    chunks = _answer({**call, "stream": True}, wanted)
    text: list[str] = []
    length = 0
    finish_reason = usage = None
    name = call["model"]
    for chunk in chunks:
        name = chunk.model or name
        usage = getattr(chunk, "usage", None) or usage
        for choice in chunk.choices[:1]:
            finish_reason = choice.finish_reason or finish_reason
            if piece := choice.delta.content:
                text.append(piece)
                length += len(piece)
                hear(piece)
        if length > _LONGEST_STREAM:
            break
    if not any(getattr(chunk, "usage", None) for chunk in getattr(chunks, "chunks", ())):
        usage = None  # the provider told none, and litellm has made one up
    message = {"role": "assistant", "content": "".join(text)}
    choices = [{"index": 0, "message": message, "finish_reason": finish_reason}]
    return litellm.ModelResponse(model=name, usage=usage, choices=choices if text or finish_reason else [])


def _supported(model: str, options: dict[str, Any]) -> dict[str, Any]:
    """``options`` less a temperature the provider has no parameter for."""
    supported = litellm.get_supported_openai_params(model=model)
    if supported is not None and "temperature" not in supported:
        return {name: value for name, value in options.items() if name != "temperature"}
    return options


def _reply(model: str, answer: Any) -> dict[str, Any]:
    if not answer.choices:
        raise NoAnswer("the provider's reply has no choices")
    choice = answer.choices[0]
    usage = getattr(answer, "usage", None)
    prompt = getattr(usage, "prompt_tokens", None) or None
    completion = getattr(usage, "completion_tokens", None) or None
    return {
        "text": choice.message.content or "",
        "finish_reason": choice.finish_reason,
        "model": answer.model or model,
        "tokens": {"prompt": prompt, "completion": completion},
        "cost": _cost(model, answer) if prompt else None,
    }


def _cost(model: str, answer: Any) -> float | None:
    """Dollars, or None when litellm has no price for the model."""
    if _info(model).get("input_cost_per_token") is None:
        return None
    try:
        return float(litellm.completion_cost(completion_response=answer, model=model))
    except Exception:
        return None


def _info(model: str) -> dict[str, Any]:
    try:
        return dict(litellm.get_model_info(model))
    except Exception:
        return {}


def _key_for(model: str, api_base: str | None, api_key: str | None) -> str | None:
    """The key to call with: the given one, None to let litellm look, or a dummy for a server of the user's own."""
    missing = _missing_keys(model, api_base, api_key)
    if missing:
        raise MissingKey(f"no key for {model}: none of {', '.join(missing)} is set")
    if api_key or not api_base or _is_set(model):
        return api_key
    return _NO_KEY


def _missing_keys(model: str, api_base: str | None, api_key: str | None) -> list[str]:
    # A server the user names is asked without a key; it says itself whether it wants one.
    if api_key or api_base:
        return []
    checked = litellm.validate_environment(model=model)
    wanted = [name for name in checked["missing_keys"] if not name.endswith(("_API_BASE", "_BASE_URL"))]
    return [] if checked["keys_in_environment"] else wanted


def _is_set(model: str) -> bool:
    return bool(litellm.validate_environment(model=model)["keys_in_environment"])


def _retry_after(error: Exception) -> float | None:
    headers = getattr(error, "litellm_response_headers", None) or {}
    try:
        return float(headers.get("retry-after", ""))
    except ValueError:
        # It may be a date; then the caller's own pause has to do.
        return None


def _connection_error(error: BaseException) -> httpx.TransportError | None:
    """The fault of the connection that litellm reports as a server error with a status no server ever sent."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, httpx.TransportError):
            return seen
        seen = seen.__cause__ or seen.__context__
    return None


def _kind_of_connection(error: httpx.TransportError) -> str:
    if isinstance(error, httpx.TimeoutException):
        return "Timeout"
    if "[Errno 13]" in str(error):
        return "PortClosed"
    return "ConnectError"


def _plain(error: BaseException, api_key: str | None) -> str:
    """The message of ``error`` on one line, without colours and without anything that looks like a key."""
    message = " ".join(_COLOURS.sub("", str(error) or type(error).__name__).split())
    secrets = [value for name, value in os.environ.items() if _SECRET_NAME.search(name)]
    for secret in (*secrets, api_key or ""):
        if len(secret) >= 6:
            message = message.replace(secret, "[redacted]")
    return _PREFIXES.sub("", _SECRET_SHAPE.sub("[redacted]", message))[:_MESSAGE_LIMIT]
