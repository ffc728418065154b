"""What a view gives the browser: a template with its values, filled by the application."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from curator.cli.web.served import OpenWiki


@dataclass(frozen=True)
class Shown:
    """A page of the browser's: the name of a template, and what it is filled with."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    file: str = ""
    """The name to save it by; empty: it is shown."""


View = Callable[[OpenWiki, Request], Shown | Response]
