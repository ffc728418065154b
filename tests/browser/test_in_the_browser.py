"""``curate open`` in a real browser: a claim and its words, the proof that the browser makes, search, keys, both widths."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed: pip install 'curate-wiki[web]'")
pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

from curator.cli.commands import export
from curator.repository.settings import Settings
from support.browser import CHROMIUM, chromium, opened, served
from support.wikis import copied

pytestmark = pytest.mark.skipif(
    not CHROMIUM, reason="there is no Chromium on this machine (Debian: apt install chromium)"
)

PROVED = ".mark[data-proved='held']"


@pytest.fixture
def shown(_wiki_of_two_ingests: Path, tmp_path: Path) -> Path:
    return copied(_wiki_of_two_ingests, tmp_path / "notes")


def test_a_reader_clicks_a_claim_proves_the_page_and_sees_a_change(shown: Path) -> None:
    with served([shown]) as address, chromium() as browser, opened(browser, address) as page:
        page.goto(f"{address}/notes/page/oolong")

        page.hover(".mark >> nth=0")
        page.wait_for_selector("#card q")
        assert "ingest: sources/oolong-notes.txt (20" in page.inner_text("#card")
        page.click(".mark >> nth=0")
        assert page.inner_text("mark").strip() and page.is_visible("#source .state.supported")
        lit = page.locator(".claim.shown b.covered").all_inner_texts()
        assert lit and {word.lower() for word in lit} & {
            word.lower() for word in page.locator("#source mark b.covered").all_inner_texts()
        }

        page.keyboard.press("v")
        page.wait_for_selector("#proved[data-state='held']")
        assert page.locator(PROVED).count() == page.locator(".mark").count() > 0

        name = page.evaluate(
            "async () => Object.keys((await (await fetch('/notes/proof/oolong.json')).json()).sources)[0]"
        )
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


def test_an_exported_site_proves_its_pages_on_any_web_space(shown: Path, tmp_path: Path) -> None:
    export.run(Settings.gather(shown, dict(os.environ), {}), tmp_path / "site", dry_run=False)
    with plain_server(tmp_path / "site") as address, chromium() as browser, opened(browser, address) as page:
        page.fill("#search", "oolong")
        page.click("#hits a")
        page.wait_for_selector("article .claim")
        page.wait_for_load_state()  # keys are heard when the scripts are there
        page.keyboard.press("v")
        page.wait_for_selector("#proved[data-state='held']")
        assert page.locator(PROVED).count() == page.locator(".mark").count() > 0


@contextmanager
def plain_server(folder: Path) -> Iterator[str]:
    """Files on a web space that knows nothing of curator."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_view_has_a_serious_fault_for_people_with_aids(shown: Path, scheme: str) -> None:
    asked = ("/ask?q=What+is+oolong", "/search?q=tea")
    views = ("", "/page/oolong", *asked, "/activity", "/review", "/doubts", "/graph", "/lie", "/history/oolong")
    with (
        served([shown], writes=True) as address,
        chromium() as browser,
        opened(browser, address, bypass_csp=True, color_scheme=scheme) as page,
    ):
        for view in views:
            page.goto(f"{address}/notes{view}")
            if "/page/" in view:
                page.keyboard.press("n")
                page.wait_for_selector("#source mark")
            found = Axe().run(page).response["violations"]
            assert [(view, each["id"]) for each in found if each["impact"] in ("serious", "critical")] == []
