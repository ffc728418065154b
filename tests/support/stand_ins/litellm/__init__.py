"""What curator's sandbox asks of litellm, said over HTTP as OpenAI's API has it: loading the real one takes five seconds.

Only tests that are about something else have it; those of the worker and of the provider have the real one, and at night
all do. It knows one model, so that there is one with a price.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import httpx

KNOWN = {
    "max_input_tokens": 128_000,
    "input_cost_per_token": 2.5e-06,
    "output_cost_per_token": 1e-05,
}
"""gpt-4o, as the real one has it."""
suppress_debug_info = telemetry = drop_params = False


class APIError(Exception):
    """The provider's refusal; what it says of itself are the real one's words."""

    def __init__(self, status: int, message: str, headers: httpx.Headers | None = None) -> None:
        super().__init__(f"litellm.{type(self).__name__}: OpenAIException - {message}")
        self.status_code = status
        self.litellm_response_headers = headers or httpx.Headers()


class AuthenticationError(APIError): ...


class BadRequestError(APIError): ...


class InternalServerError(APIError): ...


class NotFoundError(APIError): ...


class PermissionDeniedError(APIError): ...


class RateLimitError(APIError): ...


class ServiceUnavailableError(APIError): ...


_BY_STATUS = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    429: RateLimitError,
    503: ServiceUnavailableError,
}


def completion(
    model: str, messages: list[dict[str, str]], api_base: str, api_key: str | None, timeout: Any, **wishes: Any
) -> Any:
    for name in ("max_retries", "num_retries"):
        wishes.pop(name, None)
    if not (is_stream := wishes["stream"]):
        del wishes["stream"]
    body = {"model": model.partition("/")[2], "messages": messages, **wishes}
    if is_stream:
        return _Stream(f"{api_base}/chat/completions", body, _headers(api_key), timeout)
    found = _answer(f"{api_base}/chat/completions", body, api_key, timeout)
    choices = [
        SimpleNamespace(message=SimpleNamespace(**each["message"]), finish_reason=each["finish_reason"])
        for each in found["choices"]
    ]
    return SimpleNamespace(choices=choices, model=found["model"], usage=SimpleNamespace(**found.get("usage", {})))


def embedding(model: str, input: list[str], api_base: str, api_key: str | None, timeout: Any, **wishes: Any) -> Any:
    found = _answer(f"{api_base}/embeddings", {"model": model.partition("/")[2], "input": input}, api_key, timeout)
    return SimpleNamespace(data=found["data"], model=found["model"], usage=SimpleNamespace(**found.get("usage", {})))


def _headers(api_key: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {api_key or os.environ.get('OPENAI_API_KEY', '')}"}


def _answer(url: str, body: Any, api_key: str | None, timeout: Any) -> Any:
    try:
        with httpx.Client(timeout=timeout, verify=False) as client:  # noqa: S501 - it speaks to the loopback, in plain HTTP
            answer = client.post(url, json=body, headers=_headers(api_key))
    except httpx.TransportError as error:
        raise InternalServerError(500, str(error)) from error
    _check(answer)
    return answer.json()


class _Stream:
    """An answer piece by piece."""

    def __init__(self, url: str, body: Any, headers: dict[str, str], timeout: Any) -> None:
        self.chunks: list[Any] = []
        self._call = (url, body, headers, timeout)

    def __iter__(self) -> Iterator[Any]:
        url, body, headers, timeout = self._call
        with (
            httpx.Client(timeout=timeout, verify=False) as client,  # noqa: S501 - as above
            client.stream("POST", url, json=body, headers=headers) as answer,
        ):
            if answer.status_code != httpx.codes.OK:
                answer.read()
                _check(answer)
            for line in answer.iter_lines():
                if line.startswith("data: {"):
                    self.chunks.append(json.loads(line.removeprefix("data: "), object_hook=_Chunk))
                    yield self.chunks[-1]


class _Chunk(SimpleNamespace):
    """A part of a stream; what it does not have is None."""

    def __init__(self, found: dict[str, Any]) -> None:
        super().__init__(**found)

    def __getattr__(self, name: str) -> None:
        return None

    def with_usage(self, usage: Any) -> Any:
        self.usage = usage
        return self


def ModelResponse(model: str, usage: Any, choices: list[dict[str, Any]]) -> Any:
    return json.loads(json.dumps({"model": model, "choices": choices}), object_hook=_Chunk).with_usage(usage)


def _check(answer: httpx.Response) -> None:
    if answer.status_code != httpx.codes.OK:
        said = answer.json()["error"]["message"]
        raise _BY_STATUS.get(answer.status_code, InternalServerError)(answer.status_code, said, answer.headers)


def completion_cost(completion_response: Any, model: str) -> float:
    info, usage = get_model_info(model), completion_response.usage
    return float(
        usage.prompt_tokens * info["input_cost_per_token"] + usage.completion_tokens * info["output_cost_per_token"]
    )


def get_model_info(model: str) -> dict[str, Any]:
    if model != "openai/gpt-4o":
        raise ValueError("This model isn't mapped yet.")
    return KNOWN


def get_supported_openai_params(model: str) -> list[str]:
    return ["max_tokens", "temperature", "response_format"]


def supports_response_schema(model: str) -> bool:
    return model == "openai/gpt-4o"


def validate_environment(model: str) -> dict[str, Any]:
    is_set = bool(os.environ.get("OPENAI_API_KEY"))
    return {"keys_in_environment": is_set, "missing_keys": [] if is_set else ["OPENAI_API_KEY"]}
