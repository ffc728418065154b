"""The templates of the page in the browser."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

_USUAL = {"words": "", "described": "", "writes": False, "wikis": ()}
"""Values that not every view gives."""


class Templates:
    """Fills the templates; what is put in is escaped, and a name that is not given is an error."""

    def __init__(self) -> None:
        loader = PackageLoader("curator.cli.web")
        self._environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)

    def filled(self, template: str, **values: Any) -> str:
        return self._environment.get_template(template).render({**_USUAL, **values})
