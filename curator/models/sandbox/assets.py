"""Knows where ``prompts/`` and ``sandbox/`` lie: inside the package when installed, beside it in a checkout."""

from pathlib import Path

_package = Path(__file__).resolve().parents[2]
_shipped = _package / "_shipped"
_home = _shipped if _shipped.is_dir() else _package.parent

PROMPTS = _home / "prompts"
SANDBOX = _home / "sandbox"
