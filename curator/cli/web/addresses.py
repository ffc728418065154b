"""The links of a page in the browser, on a server or in exported files."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote


@dataclass(frozen=True)
class Addresses:
    """``root`` leads to the wiki, ``static`` to style and scripts; ``end`` is behind the name of a page that is a file."""

    root: str
    static: str
    end: str = ""

    @classmethod
    def served(cls, wiki: str) -> Addresses:
        """Of a server, for the wiki of that name."""
        return cls(f"/{quote(wiki)}", "/static")

    @classmethod
    def exported(cls, depth: int) -> Addresses:
        """Of files, for a page that many folders deep."""
        up = "/".join([".."] * depth) or "."
        return cls(up, f"{up}/static", ".html")

    @property
    def is_exported(self) -> bool:
        """True where nobody answers: what needs a server is not shown."""
        return bool(self.end)

    @property
    def home(self) -> str:
        return f"{self.root}/index.html" if self.is_exported else self.root

    def page(self, slug: str) -> str:
        """Where the page with this slug is shown."""
        return f"{self.root}/page/{quote(slug, safe='')}{self.end}"
