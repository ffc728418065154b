"""``curate open`` in a real browser: a claim and its words, the proof that the browser makes, search, keys, both widths."""

from __future__ import annotations

import os
import re
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
from playwright.sync_api import Browser, Page, Route

from curator.cli.commands import export
from curator.cli.web.app import VENDOR
from curator.repository.settings import Settings
from support.browser import CHROMIUM, opened, served
from support.depth import of_this_commit
from support.pdf_files import paragraph, pdf_of, show
from support.wikis import copied, git

pytestmark = pytest.mark.skipif(
    not CHROMIUM, reason="there is no Chromium on this machine (Debian: apt install chromium)"
)

_SEEN = """(seen) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => !seen });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
_IS_ABOVE = """() => {
  const place = (query) => document.querySelector(query)?.getBoundingClientRect();
  const claim = place(".claim.shown"), source = place("#source");
  return claim && source.height && claim.top > 0 && claim.bottom <= source.top;
}"""
"""The claim that is shown is not hidden by its source."""
_ALONE = """() => [...document.querySelectorAll("article .mark")].filter((mark) => {
  const before = document.createRange(), text = mark.parentElement.previousSibling;
  const words = text?.nodeType === 3 ? text.data : "";
  if (words.length < 2) return false;
  before.setStart(text, words.length - 2);
  before.setEnd(text, words.length - 1);
  return mark.getBoundingClientRect().top > before.getBoundingClientRect().bottom;
}).map((mark) => mark.dataset.note)"""
"""Marks that stand on a line without a word before them."""
PROVED = ".mark[data-proved='held']"


@pytest.fixture
def shown(_wiki_of_two_ingests: Path, tmp_path: Path) -> Path:
    return copied(_wiki_of_two_ingests, tmp_path / "notes")


def test_a_reader_clicks_a_claim_proves_the_page_and_sees_a_change(shown: Path, browser: Browser) -> None:
    with served([shown]) as address, opened(browser, address) as page:
        page.goto(f"{address}/notes/page/oolong")

        page.hover(".mark >> nth=0")
        page.wait_for_selector("#card q")
        assert "ingest: sources/oolong-notes.txt (20" in page.inner_text("#card")
        page.click(".mark >> nth=0")
        page.locator("mark", has_text=re.compile(r"\w")).first.wait_for()
        assert page.is_hidden("#card") and page.evaluate("scrollY") == 0
        assert page.is_visible("#source .state.supported")
        lit = page.locator(".claim.shown b.covered").all_text_contents()
        assert lit and {word.lower() for word in lit} & {
            word.lower() for word in page.locator("#source mark b.covered").all_text_contents()
        }

        page.keyboard.press("v")
        page.wait_for_selector("#proved[data-state='held']")
        assert page.locator(PROVED).count() == page.locator(".mark").count() > 0

        name = page.evaluate(
            "async () => Object.keys((await (await fetch('/notes/proof/oolong.json')).json()).sources)[0]"
        )
        source = shown / name
        text = source.read_text("utf-8")
        source.write_text(text.replace("oolong", "coffee").replace("Oolong", "Coffee"), "utf-8")
        page.wait_for_selector("#proved[data-state='broken']")
        assert page.locator(".mark[data-proved='lost']").count() > 0

        with page.expect_event("requestfailed", lambda request: "/changes?" in request.url):
            page.evaluate(_SEEN, False)  # in the background nothing is listened to
        source.write_text(text, "utf-8")
        page.evaluate(_SEEN, True)
        page.wait_for_selector("#proved[data-state='held']")


def test_everything_goes_by_keys_in_both_themes_on_a_desk_and_on_a_phone(shown: Path, browser: Browser) -> None:
    phone = {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark"}
    with served([shown]) as address:
        with opened(browser, address) as page:
            page.keyboard.press("/")
            page.keyboard.type("oolong")
            page.wait_for_selector("#hits a")
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
            page.wait_for_selector("article .claim")
            page.keyboard.press("n")
            page.wait_for_selector("#source mark")
            page.keyboard.press("?")
            assert page.is_visible("#help")
            page.keyboard.press("Escape")
            page.wait_for_selector("#help", state="hidden")
            assert page.is_visible("#source")  # one thing after the other
            page.keyboard.press("Escape")
            page.wait_for_selector("#source", state="hidden")
            page.keyboard.press("g")
            page.wait_for_selector("body[data-drawn]")
        with opened(browser, address, **phone) as page:
            page.goto(f"{address}/notes/page/oolong")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            page.click(".mark >> nth=0")
            page.wait_for_selector("#source mark")
            page.click(".close")
            page.set_viewport_size({"width": 390, "height": 500})  # so low that the sheet would stand before it
            page.evaluate("scrollTo(0, 0); [...document.querySelectorAll('.mark')].at(-1).click()")
            page.wait_for_function(_IS_ABOVE)
            background = page.evaluate("getComputedStyle(document.body).backgroundColor")
            page.click(".close")
            page.keyboard.press("t")
            assert page.evaluate("getComputedStyle(document.body).backgroundColor") != background


def test_lines_of_a_version_have_the_colour_of_their_ingest_which_the_list_of_versions_names(
    shown: Path, browser: Browser
) -> None:
    (page_file,) = shown.glob("*/oolong.md")
    page_file.write_text(f"{page_file.read_text('utf-8')}\nA line by hand.\n", "utf-8")
    git(shown, "commit", "-qam", "by hand")
    with served([shown]) as address, opened(browser, address) as page:
        page.goto(f"{address}/notes/history/oolong")
        colour = "(line) => getComputedStyle(line).borderLeftColor"
        first = page.locator(".blame > div >> nth=0").evaluate(colour)
        last = page.locator(".blame > div", has_text="A line by hand").evaluate(colour)
        named = page.locator(".versions li", has_text="by hand").locator("i")
        assert first != last != page.evaluate("getComputedStyle(document.body).color")
        assert named.evaluate("(sign) => getComputedStyle(sign).backgroundColor") == last


def test_a_mark_is_easily_hit_stays_with_its_sentence_and_has_a_number_on_paper(shown: Path, browser: Browser) -> None:
    with served([shown]) as address, opened(browser, address) as page:
        page.goto(f"{address}/notes/page/oolong")
        for width in range(330, 560, 10):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(_ALONE) == [], width
        place = page.locator(".mark >> nth=0").bounding_box()
        assert place
        page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2 - 11)
        page.wait_for_selector("#source mark")
        page.emulate_media(media="print")
        printed = page.locator(".mark >> nth=0").evaluate("(mark) => getComputedStyle(mark, '::after').content")
        assert printed and page.locator(".mark >> nth=0").is_visible()
        assert page.locator(".mark >> nth=0").get_attribute("data-number") == "1"


def test_what_the_button_says_is_what_it_does_next_and_what_was_found_is_beside_it(
    shown: Path, browser: Browser
) -> None:
    with served([shown]) as address, opened(browser, address) as page:
        page.goto(f"{address}/notes/page/oolong")
        claims = page.locator(".mark").count()
        assert page.inner_text("#prove") == "Prove this page"
        page.click("#prove")
        page.wait_for_selector("#proved[data-state='held']")
        assert page.inner_text("#prove") == "Prove again" and not page.is_disabled("#prove")
        told = page.inner_text("#proved")
        assert f"{claims} claims: words found" in told and "Looked at" in told and "follows" in told


def test_a_saved_proof_proves_itself_without_a_network(shown: Path, tmp_path: Path, browser: Browser) -> None:
    with served([shown]) as address:
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
        page.wait_for_selector("#told.held")
        page.click("summary >> nth=0")
        assert fold(page.inner_text("details mark >> nth=0")) == fold(
            page.inner_text("blockquote >> nth=0").split("”")[0]
        )
        assert page.locator("blockquote.held").count() == page.locator("blockquote").count() > 0

        other = tmp_path / "other" / next(path.name for path in (shown / "sources").iterdir() if "notes" in path.name)
        other.parent.mkdir()
        other.write_text("Nothing of the kind.", "utf-8")
        page.set_input_files("#files", other)
        page.wait_for_selector("li.broken[data-source]")
        page.wait_for_selector("#told.broken")
        assert page.locator("blockquote.broken").count() > 0

        page.set_input_files("#files", shown / "sources" / other.name)
        page.wait_for_selector("#told.held")
        assert page.locator("blockquote.broken").count() == 0
        context.close()


def fold(words: str) -> str:
    return "".join(re.findall(r"\w", words)).casefold()


def test_a_file_whose_digest_a_browser_cannot_make_is_not_said_to_be_the_same(shown: Path, browser: Browser) -> None:
    manifest = shown / "_manifest.json"
    manifest.write_text(manifest.read_text("utf-8").replace("sha256", "blake3"), "utf-8")
    git(shown, "commit", "-qam", "another algorithm")
    with served([shown]) as address, opened(browser, address) as page:
        page.goto(f"{address}/notes/page/oolong")
        page.click("#prove")
        page.wait_for_selector("#proved[data-state='held']")
        assert page.locator(".mark[data-proved='found']").count() == page.locator(".mark").count() > 0
        assert "cannot be told" in page.inner_text("#proved")


def test_an_exported_site_proves_its_pages_on_any_web_space(shown: Path, tmp_path: Path, browser: Browser) -> None:
    export.run(Settings.gather(shown, dict(os.environ), {}), tmp_path / "site", dry_run=False)
    with plain_server(tmp_path / "site") as address, opened(browser, address) as page:
        page.fill("#search", "oolong")
        page.click("#hits a")
        page.wait_for_selector("article .claim")
        page.wait_for_load_state()  # keys are heard when the scripts are there
        page.keyboard.press("v")
        page.wait_for_selector("#proved[data-state='held']")
        assert page.locator(PROVED).count() == page.locator(".mark").count() > 0


_HEARD = """WEBVTT

00:00:01.000 --> 00:00:04.000
<v Ada>We picked the tea in spring.

00:01:05.000 --> 00:01:09.000
<v Bob>It was sold in Tarland.
"""
_MAIL = "From: Ada <ada@example.org>\nTo: Bob <bob@example.org>\nSubject: Harvest\n\nWe sold forty kilos.\n"
_PAGE = """---
schema: knowledge/v1
slug: harvest
kind: concept
title: Harvest
sources: [sources/talk.vtt, sources/mail.eml, sources/paper.pdf]
---

# Harvest

The tea was sold in Tarland. [^a]

Forty kilos were sold. [^b]

The kettle is copper. [^c]

[^a]: sources/talk.vtt#t=65,69 "It was sold in Tarland."
[^b]: sources/mail.eml#par4 "We sold forty kilos."
[^c]: sources/paper.pdf#p1 "The kettle is copper."
"""


def test_a_transcript_a_mail_and_a_pdf_without_its_scripts_are_shown_by_time_and_part(
    shown: Path, browser: Browser
) -> None:
    (shown / "sources" / "talk.vtt").write_text(_HEARD, "utf-8")
    (shown / "sources" / "mail.eml").write_text(_MAIL, "utf-8")
    (shown / "sources" / "paper.pdf").write_bytes(pdf_of(show("The kettle is copper.", 72, 700)))
    (shown / "concepts" / "harvest.md").write_text(_PAGE, "utf-8")
    git(shown, "add", "-A")
    git(shown, "commit", "-qm", "by hand")
    with served([shown]) as address, opened(browser, address) as page:
        broken = partial(Route.fulfill, content_type="text/javascript", body="throw 1")
        page.route("**/pdfjs-dist/pdf.min.mjs", broken)
        page.goto(f"{address}/notes/page/harvest")
        seen = []
        for number, words in enumerate(("It was sold in Tarland", "We sold forty kilos", "The kettle is copper")):
            page.click(f".mark >> nth={number}")
            page.wait_for_selector(f"#source mark:has-text('{words}')")
            seen.append(page.text_content("#source .passage") or "")  # lines out of view have no inner text
        if VENDOR.is_dir():
            page.unroute("**/pdfjs-dist/pdf.min.mjs")
            page.reload()
            page.click(".mark >> nth=2")
            page.wait_for_selector("#source .box")
            assert page.locator("#source .covered-box").count() == 2  # kettle, copper
    assert "01:05–01:09" in seen[0]
    assert "¶4" in seen[1] and "From: Ada" in seen[1]
    assert "As curate reads the file" in seen[2] and "page 1" in seen[2].lower()


_OF_ONE_PAGE = """---
schema: knowledge/v1
slug: long
kind: concept
title: Long
sources: [sources/long.pdf]
---

# Long

The kettle is copper. [^a]

The spoon is silver. [^b]

[^a]: sources/long.pdf#p1 "The kettle is copper."
[^b]: sources/long.pdf#p1 "The spoon is silver."
"""


def test_a_saved_proof_has_what_stands_around_each_of_several_quotes_of_one_page(
    shown: Path, tmp_path: Path, browser: Browser
) -> None:
    between = [f"Line {number} says that much stands between the two of them." for number in range(30)]
    lines = ["The kettle is copper.", *between, "The spoon is silver."]
    (shown / "sources" / "long.pdf").write_bytes(pdf_of(paragraph(lines, 72, 700)))
    (shown / "concepts" / "long.md").write_text(_OF_ONE_PAGE, "utf-8")
    git(shown, "add", "-A")
    git(shown, "commit", "-qm", "by hand")
    with served([shown]) as address, opened(browser, address) as page:
        page.goto(f"{address}/notes/page/long")
        with page.expect_download() as saved:
            page.click("text=Save proof")
        file = tmp_path / "proof.html"
        saved.value.save_as(file)
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(file.as_uri())
    page.wait_for_function("document.querySelector('#told').textContent.includes(' of 2 ')")
    told = page.inner_text("#told")
    context.close()
    assert "2 of 2 claims: their words stand in the passage that is kept here" in told


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
def test_no_view_has_a_serious_fault_for_people_with_aids(shown: Path, scheme: str, browser: Browser) -> None:
    """A third of the views on a push, another one with each commit, and what is shown over them; at night all."""
    asked = ("/ask?q=What+is+oolong", "/search?q=tea")
    views = ("", "/page/oolong", *asked, "/activity", "/review", "/doubts", "/graph", "/lie", "/history/oolong")
    with (
        served([shown], writes=True) as address,
        opened(browser, address, bypass_csp=True, color_scheme=scheme) as page,
    ):
        for view in of_this_commit(views):
            page.goto(f"{address}/notes{view}")
            if "/page/" in view:
                page.keyboard.press("n")
                page.wait_for_selector("#source mark")
            assert serious_faults(page) == [], view
        page.keyboard.press("?")
        assert serious_faults(page) == [], "help"
        page.goto(f"{address}/notes/activity")
        page.click("[data-act=undo] >> nth=0")
        page.wait_for_selector(".diff .out")
        assert serious_faults(page) == [], "an act that is looked at"


def serious_faults(page: Page) -> list[str]:
    """In the dark, only colours are other than by day."""
    is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    found = Axe().run(page, options={"runOnly": ["color-contrast"]} if is_dark else None).response["violations"]
    return [each["id"] for each in found if each["impact"] in ("serious", "critical")]
