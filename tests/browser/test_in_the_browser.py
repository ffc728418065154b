"""``curate open`` in a real browser: a claim and its words, the proof that the browser makes, search, keys, both widths."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed: pip install 'curate-wiki[web]'")
pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")

from support.browser import CHROMIUM, chromium, opened, served
from support.wikis import copied

pytestmark = pytest.mark.skipif(
    not CHROMIUM, reason="there is no Chromium on this machine (Debian: apt install chromium)"
)

SAMPLE = Path(__file__).parents[2] / "sample-wiki"
"""Where to look for ``data-proved``: marks of claims."""
PROVED = ".mark[data-proved='held']"


@pytest.fixture
def shown(_wiki_of_two_ingests: Path, tmp_path: Path) -> Path:
    return copied(_wiki_of_two_ingests, tmp_path / "notes")


def test_a_reader_clicks_a_claim_proves_the_page_and_sees_a_change(shown: Path) -> None:
    with served([shown]) as address, chromium() as browser, opened(browser, address) as page:
        page.goto(f"{address}/notes/page/oolong")

        page.click(".mark >> nth=0")
        assert page.inner_text("mark").strip() and page.is_visible("#source .state.supported")

        page.keyboard.press("v")
        page.wait_for_selector("#proved[data-state='held']")
        assert page.locator(PROVED).count() == page.locator(".mark").count() > 0

        name = page.evaluate("async () => Object.keys((await (await fetch('/notes/proof/oolong')).json()).sources)[0]")
        source = shown / name
        source.write_text(source.read_text("utf-8").replace("oolong", "coffee").replace("Oolong", "Coffee"), "utf-8")
        page.wait_for_selector("#proved[data-state='broken']")
        assert page.locator(".mark[data-proved='lost']").count() > 0


def test_everything_goes_by_keys_in_both_themes_on_a_desk_and_on_a_phone(shown: Path) -> None:
    phone = {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark"}
    with served([shown]) as address, chromium() as browser:
        with opened(browser, address) as page:
            page.keyboard.press("/")
            page.keyboard.type("oolong")
            page.wait_for_selector("#hits a")
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
            page.wait_for_selector("article .claim")
            page.keyboard.press("n")
            page.wait_for_selector("#source mark")
            page.keyboard.press("Escape")
            page.wait_for_selector("#source", state="hidden")
            page.keyboard.press("?")
            assert page.is_visible("#help")
            page.keyboard.press("Escape")
            page.keyboard.press("g")
            page.wait_for_selector("body[data-drawn]")
        with opened(browser, address, **phone) as page:
            page.goto(f"{address}/notes/page/oolong")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            page.click(".mark >> nth=0")
            page.wait_for_selector("#source mark")
            background = page.evaluate("getComputedStyle(document.body).backgroundColor")
            page.click(".close")
            page.keyboard.press("t")
            assert page.evaluate("getComputedStyle(document.body).backgroundColor") != background


def test_a_saved_proof_proves_itself_without_a_network(shown: Path, tmp_path: Path) -> None:
    with served([shown]) as address, chromium() as browser:
        with opened(browser, address) as page:
            page.goto(f"{address}/notes/page/oolong")
            with page.expect_download() as saved:
                page.click("text=Save proof")
            file = tmp_path / saved.value.suggested_filename
            saved.value.save_as(file)
        context = browser.new_context(offline=True)
        page = context.new_page()
        page.goto(file.as_uri())
        page.wait_for_selector("li.held[data-source]")
        assert page.locator("blockquote.held").count() == page.locator("blockquote").count() > 0

        other = tmp_path / "other" / next(path.name for path in (shown / "sources").iterdir() if "notes" in path.name)
        other.parent.mkdir()
        other.write_text("Nothing of the kind.", "utf-8")
        page.set_input_files("#files", other)
        page.wait_for_selector("li.broken[data-source]")
        context.close()
