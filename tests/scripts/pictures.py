"""The pictures of the documentation: ``python tests/scripts/pictures.py`` makes them of sample-wiki, in headless Chromium.

What is left to see to by eye: that each shows what the text around it says.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from support.browser import chromium, opened, served  # noqa: E402 - tests/ is no package
from support.wikis import git  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Page

SAMPLE, IMAGES = TESTS.parent / "sample-wiki", TESTS.parent / "docs" / "images"
_CLAIM = ".mark >> nth=0"
_LOOK = {"viewport": {"width": 1255, "height": 700}, "device_scale_factor": 0.8}
"""Room for three columns, in pictures of 1,004 by 560."""
_NARROW = {"viewport": {"width": 860, "height": 940}, "device_scale_factor": 0.8, "color_scheme": "light"}
_WHO = ("-c", "user.name=curator", "-c", "user.email=curator@localhost")


def main() -> int:
    with _sample() as wiki:
        _doubt(wiki)
        with served([wiki], writes=True) as address, chromium() as browser:
            for scheme in ("light", "dark"):
                look = {**_LOOK, "color_scheme": scheme}
                with opened(browser, address, **look) as page:
                    page.goto(f"{address}/{wiki.name}/page/varroa-mite")
                    page.click(_CLAIM)
                    page.wait_for_selector("#source .file.same")
                    page.mouse.move(0, 0)
                    _take(page, f"claim-{scheme}.png")
            with opened(browser, address, **_NARROW) as page:
                page.goto(f"{address}/{wiki.name}/page/varroa-mite")
                _change_a_source(page, wiki / "sources" / "2025-04-12-varroa-survey.md")
                _take(page, "changed-light.png")
            look = {**_LOOK, "viewport": {"width": 1255, "height": 780}, "color_scheme": "dark"}
            with opened(browser, address, **look) as page:
                page.goto(f"{address}/{wiki.name}/doubts")
                _take(page, "doubts-dark.png")
    return 0


def _take(page: Page, name: str) -> None:
    page.screenshot(path=IMAGES / name, animations="disabled")
    print(IMAGES / name)


def _change_a_source(page: Page, source: Path) -> None:
    """The page is proven, then a digit of the source is another: the browser sees it by itself."""
    page.click("#prove")
    page.wait_for_selector("#proved[data-state=held]")
    page.wait_for_timeout(1500)  # the first look at the files is what later ones are compared with
    source.write_text(source.read_text("utf-8").replace("per 100 bees", "per 190 bees", 1), "utf-8")
    page.wait_for_selector("#proved[data-state=broken]")
    page.mouse.move(0, 0)


@contextmanager
def _sample() -> Iterator[Path]:
    """A copy of the sample wiki, in a repository of its own."""
    with tempfile.TemporaryDirectory() as folder:
        wiki = Path(folder) / "sample-wiki"
        shutil.copytree(SAMPLE, wiki)
        git(wiki, "init", "-q")
        _commit(wiki, "The sample wiki")
        yield wiki


def _doubt(wiki: Path) -> None:
    """A page that stands there twice: what a person had better decide."""
    page = wiki / "concepts" / "oxalic-acid-dribble.md"
    text = page.read_text("utf-8").replace("slug: oxalic-acid-dribble", "slug: acid-dribble")
    text = text.replace("title: Oxalic acid dribble", "title: Oxalic-acid dribbles").replace(
        "# Oxalic acid dribble", "# Oxalic-acid dribbles"
    )
    page.with_name("acid-dribble.md").write_text(text, "utf-8")
    _commit(wiki, "A page by hand")


def _commit(wiki: Path, message: str) -> None:
    git(wiki, "add", "-A")
    git(wiki, *_WHO, "commit", "-q", "--date=2025-09-06T12:00:00Z", "-m", message)


if __name__ == "__main__":
    raise SystemExit(main())
