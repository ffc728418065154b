"""What the model worker says went wrong, as an error with a code, a hint, and whether it is worth another try."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from curator.errors import ModelError


def error_from(reply: Mapping[str, Any]) -> ModelError:
    """The error for a worker's reply with ``ok`` false. The HTTP status goes before the class of litellm's error.

    What the provider said is quoted; what litellm says of it is not shown.
    """
    kind, status, message = reply["kind"], reply.get("status"), reply["message"]
    code, retryable = _fault(kind, status, message)
    said = _WORDS[code]
    if kind in _OURS:
        said = message
    elif kind == "ConnectError":
        said += ": " + re.sub(r"^\[Errno -?[0-9]+\] ", "", message)
    elif status or kind not in ("Timeout", "PortClosed"):
        told = _said_by_provider(message) if reply.get("of_provider", True) else ""
        seen = f"HTTP {status}" if status and told else kind
        said += f" ({seen})" + (f': "{told}"' if told else "")
    pause, hint = reply.get("retry_after"), HINTS.get(code, "")
    if pause is not None and _MINUTE < pause < _MOST:
        hint = f"the provider says when to come again: in {timedelta(seconds=round(pause))} (h:mm:ss)"
    return ModelError(code, said, hint, retryable=retryable, retry_after=pause)


_MINUTE, _MOST = 60.0, 1e8
"""Seconds: a wait that a person is told; a provider may say anything."""
_OURS = ("MissingKey", "NoAnswer")
"""Errors that the worker itself raises, in words of its own."""
_WORDS = {
    "model_key_missing": "the provider's key is not set",
    "model_key_refused": "the provider refuses the key",
    "model_quota_exhausted": "the account has no credit left",
    "model_rate_limited": "the provider is asked too often",
    "model_timeout": "the model gave no answer in time",
    "model_unavailable": "the provider cannot be reached, or fails",
    "model_port_closed": "the model is asked at an address that is not its provider's",
    "model_context_exceeded": "the question is longer than the model can read",
    "model_content_refused": "the provider's content policy bars the question",
    "model_not_found": "the provider has no such model at this address",
    "model_request_refused": "the provider does not take the question",
}


def _said_by_provider(message: str) -> str:
    """The message alone of an error in JSON, which is how many providers tell theirs."""
    found = re.search(r'"message"\s*:\s*("(?:[^"\\]|\\.)*")', message)
    try:
        return " ".join(str(json.loads(found[1])).split()) if found else message
    except ValueError:
        return message


HINTS = {
    "model_key_missing": "set the key in the environment of `curate`, or choose another model",
    "model_key_refused": "check the key, and that it may use this model",
    "model_quota_exhausted": "the account has no credit left: add some, or choose another model",
    "model_rate_limited": "wait a while",
    "model_timeout": "raise answer_seconds in curator.toml if the model is slow",
    "model_unavailable": "check the address and the network",
    "model_port_closed": "the worker is connected to its provider only: set api_base where the model is served elsewhere",
    "model_context_exceeded": "say how much it reads, as with `curate config set context_tokens 8192`",
    "model_content_refused": "the provider's content policy bars this source: choose another model for it",
    "model_not_found": "check the model's name, provider/model, and api_base; `curate setup` lists those that are there",
    "model_request_refused": "the provider does not take this request: check the model's name and options",
}

_BY_KIND = {
    "MissingKey": ("model_key_missing", False),
    "PortClosed": ("model_port_closed", False),
    "ConnectError": ("model_unavailable", True),
    "NoAnswer": ("model_unavailable", True),
    "Timeout": ("model_timeout", True),
    "ContextWindowExceededError": ("model_context_exceeded", False),
    "ContentPolicyViolationError": ("model_content_refused", False),
}
_BY_STATUS = {
    401: ("model_key_refused", False),
    402: ("model_quota_exhausted", False),
    403: ("model_key_refused", False),
    404: ("model_not_found", False),
    408: ("model_timeout", True),
    429: ("model_rate_limited", True),
}


_TOO_LONG = re.compile(
    r"(?:maximum|available|model'?s?|loaded with|exceeds?(?: the)?) context (?:length|size|window)|exceed_context_size"
    r"|context length of only|prompt is too long",
    re.IGNORECASE,
)
"""How servers of small models say it, which litellm does not tell from other faults of a request."""


def _fault(kind: str, status: int | None, message: str) -> tuple[str, bool]:
    if kind in _BY_KIND:
        return _BY_KIND[kind]
    if status == 429 and re.search(r"insufficient_quota|exceeded your current quota", message):
        return "model_quota_exhausted", False
    if status == 400 and re.search(r"content[_ -](?:policy|filter)|content management policy|safety system", message):
        return "model_content_refused", False
    if status in (400, 413, 422, 500) and _TOO_LONG.search(message):
        return "model_context_exceeded", False
    if "LLM Provider NOT provided" in message:
        return "model_not_found", False
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status is not None and status >= 500:
        return "model_unavailable", True
    return "model_request_refused", False
