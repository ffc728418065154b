"""What the model worker says went wrong, as an error with a code, a hint, and whether it is worth another try."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from curator.errors import ModelError


def error_from(reply: Mapping[str, Any]) -> ModelError:
    """The error for a worker's reply with ``ok`` false. The HTTP status goes before the class of litellm's error."""
    kind, status, message = reply["kind"], reply.get("status"), reply["message"]
    code, retryable = _fault(kind, status, message)
    seen = f"{kind} {status}" if status else kind
    return ModelError(
        code, f"{seen}: {message}", HINTS.get(code, ""), retryable=retryable, retry_after=reply.get("retry_after")
    )


HINTS = {
    "model_key_missing": "set the key in the environment of `curate`, or choose another model",
    "model_key_refused": "check the key, and that it may use this model",
    "model_quota_exhausted": "the account has no credit left: add some, or choose another model",
    "model_rate_limited": "wait a while",
    "model_timeout": "raise answer_seconds in curator.toml if the model is slow",
    "model_unavailable": "check the address and the network",
    "model_port_closed": "the worker is connected to its provider only: set api_base where the model is served elsewhere",
    "model_context_exceeded": "lower the prompt budget in curator.toml, or choose a model with a longer context",
    "model_content_refused": "the provider's content policy bars this source: choose another model for it",
    "model_not_found": "check the model's name and api_base; litellm wants provider/model",
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


def _fault(kind: str, status: int | None, message: str) -> tuple[str, bool]:
    if kind in _BY_KIND:
        return _BY_KIND[kind]
    if status == 429 and re.search(r"insufficient_quota|exceeded your current quota", message):
        return "model_quota_exhausted", False
    if status == 400 and re.search(r"content[_ -](?:policy|filter)|content management policy|safety system", message):
        return "model_content_refused", False
    if "LLM Provider NOT provided" in message:
        return "model_not_found", False
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status is not None and status >= 500:
        return "model_unavailable", True
    return "model_request_refused", False
