"""What a view gives the browser, a template with its values; the templates, and the files that they name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import Response

from curator.cli.web.served import OpenWiki

STATIC = Path(__file__).parent / "static"
"""Style and scripts."""
_USUAL = {"words": "", "described": "", "writes": False, "wikis": ()}
"""Values that not every view gives."""


@dataclass(frozen=True)
class Shown:
    """A page of the browser's: the name of a template, and what it is filled with."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    file: str = ""
    """The name to save it by; empty: it is shown."""


View = Callable[[OpenWiki, Request], Shown | Response]


class Templates:
    """Fills the templates; what is put in is escaped, and a name that is not given is an error."""

    def __init__(self) -> None:
        loader = PackageLoader("curator.cli.web")
        self._environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)

    def filled(self, template: str, **values: Any) -> str:
        return self._environment.get_template(template).render({**_USUAL, **values})
