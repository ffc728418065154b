"""What of the pages asks for a person's eye, in the browser: duplicates, contradictions, claims with uncovered words."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed: pip install 'curate-wiki[web]'")

from starlette.testclient import TestClient

from curator.cli.web.app import WebApplication
from curator.cli.web.gate import BrowserGate
from curator.cli.web.served import named
from support.wikis import git

TOKEN, PORT = "a-token-of-the-tests", 4711
HOME = f"http://127.0.0.1:{PORT}"


def browser(root: Path, *, writes: bool = True) -> TestClient:
    application = WebApplication(named([root], dict(os.environ), {}, writes=writes)).asgi
    client = TestClient(BrowserGate(application, TOKEN, PORT), base_url=HOME, headers={"origin": HOME})
    client.get("/", params={"token": TOKEN})
    return client


def doubled(wiki: Path) -> Path:
    """The page on oolong a second time under a name of its own, with a claim that its quote does not carry whole."""
    (page,) = wiki.glob("*/oolong.md")
    text = page.read_text("utf-8")
    claim = next(line for line in text.splitlines() if "[^" in line and not line.startswith("[^"))
    text = text.replace(claim, f"{claim}\n\nContradicted: {claim.lstrip('- ')}", 1)
    second = text.replace("slug: oolong", "slug: oo-long").replace("title: Oolong", "title: Oo long")
    page.with_name("oo-long.md").write_text(second.replace(" is ", " is frequently nonsensically ", 1), "utf-8")
    git(wiki, "add", "-A")
    git(wiki, "commit", "-q", "-m", "by hand")
    return wiki


def test_two_pages_that_may_be_one_stand_side_by_side_and_are_merged_in_one_commit_that_can_be_undone(
    wiki: Path,
) -> None:
    client, name = browser(doubled(wiki)), wiki.name

    shown = client.get(f"/{name}/doubts").text
    assert "Oo long and Oolong" in shown or "Oolong and Oo long" in shown
    assert shown.count('class="side"') == 2 and 'value="merge"' in shown

    fields = {"act": "merge", "page": "oo-long", "other": "oolong"}
    before = git(wiki, "rev-parse", "HEAD")
    looked = client.post(f"/{name}/do", data=fields).text
    assert 'name="sure"' in looked and git(wiki, "rev-parse", "HEAD") == before

    done = client.post(f"/{name}/do", data={**fields, "sure": "yes"}).text
    assert git(wiki, "rev-parse", "HEAD~1") == before and 'value="undo"' in done
    client.post(f"/{name}/do", data={"act": "undo", "id": git(wiki, "rev-parse", "HEAD"), "sure": "yes"})
    assert git(wiki, "diff", "--stat", before, "HEAD", "--", "*/oo-long.md", "*/oolong.md") == ""


def test_a_contradiction_is_two_quotes_with_dates_and_amber_words_are_named(wiki: Path) -> None:
    shown = browser(doubled(wiki), writes=False).get(f"/{wiki.name}/doubts").text

    contradiction = shown[shown.index('aria-label="Contradictions"') : shown.index('aria-label="Claims with')]
    assert contradiction.count("<blockquote>") == 2 and contradiction.count("<time ") == 2
    assert "nonsensically" in shown[shown.index('aria-label="Claims with') :]
    assert 'value="merge"' not in shown
