"""Hostile pages, sources and sites against ``curate open``: nothing of theirs runs, and nothing is written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed: pip install 'curate-wiki[web]'")
pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")

from curator.cli.web.app import VENDOR
from curator.cli.web.rendering import rendered
from support.browser import CHROMIUM, TOKEN, opened, served
from support.wikis import copied, git

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog

pytestmark = pytest.mark.skipif(
    not CHROMIUM, reason="there is no Chromium on this machine (Debian: apt install chromium)"
)

_PWN = "window.pwned=1;alert(1)"
_TITLE = f"'\\\"><script>{_PWN}</script><img src=x onerror={_PWN}>'"
_SAYS = f"""
# <svg onload={_PWN}> <script>{_PWN}</script>

<script>{_PWN}</script>

<iframe srcdoc="<script>parent.{_PWN}</script>"></iframe>

[one](javascript:{_PWN}) [two](JaVa&#9;ScRiPt:{_PWN}) [three](data:text/html,<script>{_PWN}</script>)
[four](https://e.example/"onmouseover="{_PWN}) [[x" onfocus="{_PWN}" autofocus="|<b onclick={_PWN}>]]
<svg><animate onbegin={_PWN} attributeName=x dur=1s></svg> ![p](x" onerror="{_PWN})
[^"><script>{_PWN}</script>]

| <img src=x onerror={_PWN}> |
|---|
| <details open ontoggle={_PWN}> |

`</script><script>{_PWN}</script>`
"""
_PDF = b"""%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R /OpenAction <</S /JavaScript /JS (app.alert(1); window.pwned=1)>> >> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 200 200]
 /AA <</O <</S /JavaScript /JS (window.pwned=1;app.alert\\(1\\))>> >> >> endobj
trailer <</Root 1 0 R>>
"""
_OTHER_SITE = """<form id=f method=post action="{address}/notes/do"><input name=act value=undo>
<input name=id value="{commit}"><input name=sure value=yes></form>"""


@pytest.fixture
def hostile(_wiki_of_two_ingests: Path, tmp_path: Path) -> Path:
    """A wiki in which a page, its title, its source and a commit are an attack."""
    root = copied(_wiki_of_two_ingests, tmp_path / "notes")
    (page,) = root.glob("*/oolong.md")
    text = page.read_text("utf-8")
    head, body = text.split("\n---\n", 1)
    (source,) = root.glob("sources/oolong-notes.txt")
    source.write_text(f"{source.read_text('utf-8')}\n<script>{_PWN}</script>\n<img src=x onerror={_PWN}>\n", "utf-8")
    (root / "sources" / "evil.pdf").write_bytes(_PDF)
    head = head.replace("title: Oolong", f"title: {_TITLE}")
    page.write_text(f"{head}\n---\n{body.rstrip()}\n{_SAYS}\n", "utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", f"<script>{_PWN}</script>")
    return root


def test_nothing_of_a_hostile_page_or_source_runs_in_any_view(hostile: Path, browser: Browser) -> None:
    views = ("", "/page/oolong", "/history/oolong", "/search?q=oolong", "/activity", "/review", "/doubts", "/graph")
    dialogs: list[str] = []

    def seen(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    with served([hostile], writes=True) as address, opened(browser, address) as page:
        page.on("dialog", seen)
        for view in views:
            page.goto(f"{address}/notes{view}")
            if not view:
                assert "<script>" in page.inner_text("main")
            if view == "/page/oolong":
                assert "<script>" in page.inner_text("main h1 >> nth=0") or "<script>" in page.inner_text("article")
                for link in page.locator("article a").all():
                    assert (link.get_attribute("href") or "").startswith(("/notes/page/", "https://"))
                assert page.locator("article script, article img, article svg, article iframe").count() == 0
                page.click(".mark[data-claim] >> nth=0")
                page.wait_for_selector("#source .line")
                page.keyboard.press("v")
                page.wait_for_selector("#proved[data-state]")
            assert page.evaluate("window.pwned") is None, view
    assert dialogs == []


@pytest.mark.skipif(not VENDOR.is_dir(), reason="the scripts of others are not fetched: make web")
def test_a_pdf_with_scripts_is_only_painted_and_its_bytes_are_never_opened_by_the_browser(
    hostile: Path, browser: Browser
) -> None:
    with served([hostile]) as address, opened(browser, address) as page:
        answer = page.request.get(f"{address}/notes/raw/sources/evil.pdf")
        assert answer.headers["content-disposition"] == "attachment"
        assert answer.headers["content-type"] == "application/octet-stream"
        found = page.evaluate(
            """async () => { const bytes = await (await fetch('/notes/raw/sources/evil.pdf')).arrayBuffer();
            const { openPdf } = await import('/static/pdf.js'); const pdf = await openPdf(bytes);
            if (pdf) await (await pdf.getPage(1)).getTextContent(); return window.pwned ?? 'nothing'; }"""
        )
        assert found == "nothing"


def test_a_page_of_five_megabytes_is_shown_without_its_scripts() -> None:
    says = f"<script>{_PWN}</script> words of a page that is far too long, [x](javascript:{_PWN})\n\n" * 50_000
    html, _ = rendered(says, {}, lambda target, is_wikilink: None)

    assert len(says) > 5_000_000 and "<script" not in html and "javascript:" not in html.lower()


def test_a_form_and_a_fetch_of_another_site_with_the_cookie_in_the_browser_write_and_read_nothing(
    hostile: Path, browser: Browser
) -> None:
    commit = git(hostile, "rev-parse", "HEAD")
    with served([hostile], writes=True) as address:
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{address}/?token={TOKEN}")
        page.route("http://evil.test/**", lambda route: route.fulfill(content_type="text/html", body="<p>evil"))
        page.goto("http://evil.test/")
        read = page.evaluate(
            "(address) => fetch(`${address}/notes`, {credentials: 'include'}).then((a) => a.text(), () => 'refused')",
            address,
        )
        written = page.evaluate(
            """([address, id]) => fetch(`${address}/notes/do`, {method: 'POST', mode: 'no-cors', credentials: 'include',
            body: new URLSearchParams({act: 'undo', id, sure: 'yes'})}).then((a) => a.type, () => 'refused')""",
            [address, commit],
        )
        page.set_content(_OTHER_SITE.format(address=address, commit=commit))
        with page.expect_navigation():
            page.evaluate("document.querySelector('#f').submit()")
        told = page.inner_text("body")
        context.close()
    assert read == "refused" and written in ("refused", "opaque")
    assert "Another site" in told or "another site" in told
    assert git(hostile, "rev-parse", "HEAD") == commit


def test_a_stolen_link_without_its_token_and_a_name_that_was_bound_anew_are_shown_nothing(
    hostile: Path, browser: Browser
) -> None:
    with served([hostile], writes=True) as address:
        context = browser.new_context()
        assert context.request.get(f"{address}/notes/page/oolong").status == 401
        assert context.request.get(f"{address}/?token=guessed").status == 401
        for host in ("evil.test", "evil.test:80", "127.0.0.1.evil.test"):
            rebound = context.request.get(f"{address}/?token={TOKEN}", headers={"host": host}, max_redirects=0)
            assert rebound.status == 421 and "set-cookie" not in rebound.headers
        context.close()
