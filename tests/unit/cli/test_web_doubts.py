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
from support.wikis import doubled, git

TOKEN, PORT = "a-token-of-the-tests", 4711
HOME = f"http://127.0.0.1:{PORT}"


def browser(root: Path, *, writes: bool = True) -> TestClient:
    application = WebApplication(named([root], dict(os.environ), {}, writes=writes)).asgi
    client = TestClient(BrowserGate(application, TOKEN, PORT), base_url=HOME, headers={"origin": HOME})
    client.get("/", params={"token": TOKEN})
    return client


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


def test_what_no_words_say_is_said_beside_a_claim_that_is_not_refused(wiki: Path) -> None:
    (page,) = wiki.glob("*/oolong.md")
    page.write_text(page.read_text("utf-8").replace(" is a ", " is a leafy ", 1), "utf-8")
    git(wiki, "commit", "-qam", "by hand")
    client, name = browser(wiki), wiki.name
    proof = client.get(f"/{name}/proof/oolong.json").json()
    claim = next(each for each in proof["claims"] if "leafy" in each["text"])
    cited = claim["cited"][0]

    asked = {"source": cited["path"], "quote": cited["quote"], "claim": claim["text"], "page": "Oolong"}
    verdict = client.get(f"/{name}/lie", params=asked, headers={"x-requested-with": "curate"}).text
    saved = client.get(f"/{name}/saved/oolong").text

    assert (claim["state"], claim["uncovered"]) == ("supported", ["leafy"])
    assert 'class="state supported partly"' in verdict and ">leafy</u>" in verdict
    assert "nothing near them says leafy: judge that yourself" in saved


def test_which_of_two_statements_stands_is_one_commit_that_keeps_both(wiki: Path) -> None:
    client, name = browser(doubled(wiki)), wiki.name
    (page,) = wiki.glob("*/oo-long.md")
    said = next(
        line for line in page.read_text("utf-8").splitlines() if line.startswith("Sources disagree; another says: ")
    )
    before = git(wiki, "rev-parse", "HEAD")

    fields = {"act": "settle", "page": "oo-long", "statement": said}
    assert 'name="sure"' in client.post(f"/{name}/do", data=fields).text
    client.post(f"/{name}/do", data={**fields, "sure": "yes"})

    assert git(wiki, "rev-parse", "HEAD~1") == before
    text = page.read_text("utf-8")
    assert "Sources disagree" not in text
    assert text.index(said.removeprefix("Sources disagree; another says: ")) < text.index(
        "Another source, now outweighed: "
    )
