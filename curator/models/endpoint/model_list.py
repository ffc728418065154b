"""litellm's own list of models and prices, read as a file: importing litellm takes seconds, this a few hundredths."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

_PRICES = "model_prices_and_context_window_backup.json"
_PROVIDERS = "types/utils.py"


@cache
def _folder() -> Path | None:
    spec = PathFinder.find_spec("litellm")
    return Path(spec.origin).parent if spec is not None and spec.origin else None


@cache
def known_models() -> dict[str, dict[str, Any]]:
    """What litellm knows of each model, by its name; nothing where the list cannot be read."""
    try:
        found = json.loads((_folder() or Path("/nowhere")).joinpath(_PRICES).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return {str(name): about for name, about in found.items() if isinstance(about, dict)}


@cache
def known_providers() -> frozenset[str]:
    """The names that may stand before the slash; nothing where they cannot be read."""
    try:
        text = (_folder() or Path("/nowhere")).joinpath(_PROVIDERS).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return frozenset()
    return frozenset(re.findall(r'^    [A-Z0-9_]+ = "([\w.-]+)"$', text, re.MULTILINE))


def about(model: str) -> dict[str, Any]:
    """What is known of ``model``, by its name with or without the provider; empty when nothing is."""
    known = known_models()
    return known.get(model) or known.get(model.partition("/")[2]) or {}
