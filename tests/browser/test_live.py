"""What happens before one's eyes in a real browser: answers that come in, and what goes on in a wiki."""

from __future__ import annotations

import json
import os
import threading
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed: pip install 'curate-wiki[web]'")
pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")

from curator.cli.commands import edit as editing
from curator.cli.commands import ingest as ingesting
from curator.models import choose
from curator.models.port import Reply
from curator.models.question import Question
from curator.models.statement_stream import HearStatement
from curator.models.statements import Quote, Statement
from curator.repository.settings import Settings
from support.browser import CHROMIUM, opened, served
from support.wikis import copied, doubled, drop, git

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(
    not CHROMIUM, reason="there is no Chromium on this machine (Debian: apt install chromium)"
)


@pytest.fixture
def shown(_wiki_of_two_ingests: Path, tmp_path: Path) -> Path:
    return copied(_wiki_of_two_ingests, tmp_path / "notes")


class SlowRespondent:
    """Says what pages say, sentence by sentence, and goes on behind the first when it is told to."""

    name = "a model of the tests"

    def __init__(self) -> None:
        self.goes_on = threading.Event()

    def answer(self, question: Question, hear: HearStatement | None = None) -> Reply:
        passages = [(reading.name, each.text) for reading in question.readings for each in reading.passages]
        said = [Statement(text=text, quotes=(Quote(page=name, words=text),)) for name, text in passages][:2]
        for number, statement in enumerate(said, start=1):
            if hear is not None:
                hear(number, statement)
            self.goes_on.wait(60)
        return Reply(json.dumps({"statements": [each.model_dump() for each in said]}), self.name)


def test_an_answer_comes_in_and_each_sentence_shows_its_source(
    shown: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = SlowRespondent()

    def opened_model(*_: object) -> AbstractContextManager[SlowRespondent]:
        return nullcontext(model)

    monkeypatch.setattr(choose, "open_model", opened_model)
    with served([shown], writes=True) as address, opened(browser, address) as page:
        page.goto(f"{address}/notes/ask")
        page.fill("#question", "What is oolong?")
        page.keyboard.press("Enter")
        page.wait_for_selector(".said")
        assert page.locator(".said").count() == 1 and "a model of the tests" in page.inner_text("#stage")
        page.click(".said .mark")
        page.wait_for_selector("#source mark")
        assert page.is_visible("#source .state.supported")

        model.goes_on.set()
        page.wait_for_selector(".behind .act")
        assert page.locator(".said").count() == 2

        page.fill("#question", "And how is it made?")
        page.check("#follows input")
        page.click("#ask button")
        page.wait_for_selector(".turn >> nth=1 >> .behind .act")
        assert page.locator(".act").count() == 1  # of the last answer
        page.reload()
        page.wait_for_selector(".behind .act")  # the last question, once more as it came in
        assert page.locator(".turn").count() == 1
        page.fill("[name=title]", "How oolong is made")
        page.click(".act button")
        page.wait_for_selector(".diff .in")
        assert not list(shown.rglob("how-oolong-is-made.md"))
        page.click(".act button")
        page.click("main a:has-text('how-oolong-is-made')")
        page.wait_for_selector("article .claim")
        assert list(shown.rglob("how-oolong-is-made.md"))


def test_what_happens_to_a_wiki_is_seen_as_it_happens(shown: Path, browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "kettle.md"
    file.write_text("# Kettle\n\nA kettle is a vessel in which water is boiled for tea.\n", "utf-8")
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(b"\xff\xd8\xff\xe0")
    with served([shown], writes=True) as address, opened(browser, address) as page:
        page.goto(f"{address}/notes/activity")
        page.set_input_files("[name=file]", [photo, file])
        page.click("#drop button")
        page.wait_for_selector("#drop [role=status] >> text=ingested")
        assert page.is_visible("#drop .finding >> text=photo.jpg")  # the outcome of each, not of the last alone
        page.wait_for_selector(".new >> text=ingest: sources/kettle.md")

        editing.undo_commits(Settings.gather(shown, dict(os.environ), {}), [head(shown)], dry_run=False)  # elsewhere
        page.wait_for_selector(".new >> text=undo")

        page.fill("[name=address]", "http://127.0.0.1:9/tea")
        page.click("#drop button")
        page.wait_for_selector("#drop .finding >> text=is a host of this machine")


def test_a_lie_about_a_claim_is_refused_as_it_is_typed(shown: Path, browser: Browser) -> None:
    with served([shown]) as address, opened(browser, address) as page:
        page.goto(f"{address}/notes/page/oolong")
        page.click(".mark >> nth=0")
        page.click("text=Try to lie about this")
        page.wait_for_selector(".line.chosen")  # of the script, which hears from now on
        assert page.is_visible("#verdict .supported")

        page.fill("[name=claim]", page.input_value("[name=claim]") + " It has 93 legs.")
        page.wait_for_selector("#verdict code >> text=number_unknown")

        words = page.inner_text(".line:not(.chosen):has-text('oolong') .words >> nth=0")
        page.click(".line:not(.chosen):has-text('oolong') .words >> nth=0")
        assert page.input_value("[name=quote]") == " ".join(words.split())


def test_doubts_are_decided_by_keys_alone(shown: Path, browser: Browser) -> None:
    with served([doubled(shown)], writes=True) as address, opened(browser, address) as page:
        page.goto(f"{address}/notes/doubts")
        page.keyboard.press("j")  # two pages that may be one
        page.keyboard.press("n")
        assert page.evaluate("document.activeElement.name") == "title"
        page.keyboard.press("Escape")
        page.keyboard.press("j")  # two statements
        page.keyboard.press("n")
        page.wait_for_selector(".diff .in >> text=Another source, now outweighed")
        page.keyboard.press("y")
        page.wait_for_selector("[data-act=undo]")
    assert git(shown, "show", "-s", "--format=%s").strip() == "settle oo-long"


def test_what_waits_is_decided_by_keys_alone_and_can_be_taken_back(
    shown: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CURATOR_REVIEW", "always")
    source = drop(shown, "kettle.md", "# Kettle\n\nA kettle is a vessel in which water is boiled for tea.\n")
    settings = Settings.gather(shown, dict(os.environ), {})
    ingesting.run(settings, [source], dry_run=False, ask_again=False, say=lambda _: None)
    before = head(shown)
    with served([shown], writes=True) as address, opened(browser, address) as page:
        page.goto(f"{address}/notes/review")
        assert page.locator(".item").count() == 1  # as a proposal, not as a source that waits once more
        page.keyboard.press("j")
        page.keyboard.press("n")
        assert page.evaluate("document.activeElement.name") == "why"
        page.keyboard.press("Escape")
        page.keyboard.press("y")
        page.wait_for_selector("h1:text-is('Approve?')")
        assert page.locator(".diff .in", has_text="A kettle is a vessel").count()
        page.keyboard.press("n")
        page.wait_for_selector("h1:text-is('Review')")
        assert head(shown) == before
        page.keyboard.press("j")
        page.keyboard.press("y")
        page.wait_for_selector("h1:text-is('Approve?')")
        page.keyboard.press("y")
        page.wait_for_selector("[data-act=undo]")
        assert git(shown, "show", "-s", "--format=%s").strip() == "ingest: sources/kettle.md"
        page.keyboard.press("y")
        page.wait_for_selector("text=Nothing waits for you.")
    assert git(shown, "rev-parse", "HEAD~1") == before


def head(root: Path) -> str:
    return git(root, "rev-parse", "HEAD").strip()
