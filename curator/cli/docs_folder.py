"""Where the pages of docs/ are: inside the package when installed, beside it in a checkout."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_SHIPPED = _PACKAGE / "_shipped" / "docs"
DOCS = _SHIPPED if _SHIPPED.is_dir() else _PACKAGE.parent / "docs"
