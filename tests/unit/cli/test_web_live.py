"""What is told while it happens: answers statement by statement, and streams that end with their client and the server."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import AsyncGenerator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed: pip install 'curate-wiki[web]'")

import anyio
from starlette.testclient import TestClient

from curator.cli.commands import edit as editing
from curator.cli.web.activity import ActivityLook
from curator.cli.web.app import WebApplication
from curator.cli.web.gate import BrowserGate
from curator.cli.web.served import named
from curator.cli.web.shown import Templates
from curator.cli.web.streams import ClientGone, Send, Streams
from curator.cli.web.works import Works
from curator.models import choose
from curator.models.proposal import Claim
from curator.models.statements import Statements
from curator.repository.repository import Repository
from support.fakes import ScriptedModel, ScriptedRespondent, ScriptedVerifier
from support.site import HTML, PAGE, Site
from support.wikis import drop, git, proposal, summary, take_in

TOKEN, PORT = "a-token-of-the-tests", 4711
HOME = f"http://127.0.0.1:{PORT}"
QUESTION = "What is oolong?"


def browser(root: Path, *, writes: bool = False, **environment: str) -> TestClient:
    application = WebApplication(named([root], {**os.environ, **environment}, {}, writes=writes)).asgi
    client = TestClient(BrowserGate(application, TOKEN, PORT), base_url=HOME, headers={"origin": HOME})
    client.get("/", params={"token": TOKEN})
    return client


def events(text: str) -> list[tuple[str, Any]]:
    found = []
    for block in text.split("\n\n"):
        name, _, data = block.partition("\n")
        if data:
            found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def proof_in(html: str) -> dict[str, Any]:
    start = html.index('application/json">') + len('application/json">')
    proof: dict[str, Any] = json.loads(html[start : html.index("</script>", start)])
    return proof


# -- answers -------------------------------------------------------------------------------------------------------


def test_each_statement_comes_with_its_claims_and_their_sources(wiki: Path) -> None:
    told = events(browser(wiki).get(f"/{wiki.name}/answer", params={"q": QUESTION}).text)
    statements = [html for name, html in told if name == "statement"]

    assert statements and told[-1][0] == "over" and 'action="/' not in told[-1][1]
    for html in statements:
        proof = proof_in(html)
        assert [claim["state"] for claim in proof["claims"]] == ["supported"]
        assert {cited["path"] for claim in proof["claims"] for cited in claim["cited"]} == proof["sources"].keys()
        assert '<span class="claim" data-claim="0">' in html and 'class="mark"' in html


def test_without_a_script_the_whole_answer_is_the_page(wiki: Path) -> None:
    client = browser(wiki, writes=True)
    page = client.get(f"/{wiki.name}/ask", params={"q": QUESTION}).text

    assert page.count('<div class="said">') == page.count('application/json">') > 0
    assert '<input type="hidden" name="question" value="What is oolong?">' in page

    follow_up = client.get(f"/{wiki.name}/ask", params={"q": "And how is it brewed?", "follows": "yes"}).text
    assert 'name="title" required' in follow_up or "The pages do not say" in follow_up


def test_an_answer_is_saved_after_its_diff_was_seen(wiki: Path) -> None:
    client, fields = browser(wiki, writes=True), {"act": "save", "question": QUESTION, "title": "On oolong"}

    looked = client.post(f"/{wiki.name}/do", data=fields).text
    assert "would save" in looked and '<span class="in">+' in looked
    assert not (wiki / "concepts" / "on-oolong.md").exists()

    client.post(f"/{wiki.name}/do", data={**fields, "sure": "yes"})
    assert list(wiki.rglob("on-oolong.md"))


def test_where_nothing_answers_the_nearest_passages_are_shown_with_their_sources(wiki: Path) -> None:
    told = events(
        browser(wiki).get(f"/{wiki.name}/answer", params={"q": "Who sells oolong in Norway on Sundays?"}).text
    )
    (html,) = (html for name, html in told if name == "over")

    assert "The pages do not say" in html and "What is nearest" in html
    assert all("<main" not in data for _, data in told)


def test_what_was_looked_for_besides_and_looked_at_is_said(wiki: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = ScriptedRespondent((Statements(statements=(), look_for=("green tea", "<b>kettles")),))
    monkeypatch.setattr(choose, "open_model", lambda *_: nullcontext(model))

    page = browser(wiki).get(f"/{wiki.name}/ask", params={"q": QUESTION}).text

    assert "Looked for besides: green tea; &lt;b&gt;kettles" in page
    assert f'<a href="/{wiki.name}/page/oolong">oolong</a>' in page and "looked at</summary>" in page


def test_what_cannot_be_asked_is_said_in_words(wiki: Path) -> None:
    told = events(browser(wiki).get(f"/{wiki.name}/answer", params={"q": "And then?", "follows": "yes"}).text)

    assert [name for name, _ in told] == ["refused"] and "nothing was asked" in told[0][1]["message"]


def test_who_but_code_has_read_a_claim_is_said_with_it(wiki: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_REVIEW", "always")
    client, name = browser(wiki, writes=True), wiki.name
    (before,) = {tuple(each["read_by"]) for each in client.get(f"/{name}/proof/oolong.json").json()["claims"]}
    source = drop(wiki, "kettle.md", "# Kettle\n\nA kettle is a vessel in which water is boiled for tea.\n")
    client.post(f"/{name}/do", data={"act": "ingest", "source": source.relative_to(wiki).as_posix()})
    held = re.findall(r'name="name" value="([^"]+)"', client.get(f"/{name}/review").text)[0]

    done = client.post(f"/{name}/do", data={"act": "approve", "name": held, "sure": "yes"}).text
    (slug, *_) = re.findall(r'/page/([^"]+)"', done)
    claims = client.get(f"/{name}/proof/{slug}.json").json()["claims"]

    assert before == ()
    assert claims and all(each["read_by"] == ["approved by a person"] for each in claims)
    assert all(each["brought"].startswith("ingest: sources/kettle.md (20") for each in claims)


def test_a_second_model_is_named_where_a_commit_says_that_it_has_read(wiki: Path) -> None:
    source = drop(wiki, "pot.txt", "A pot of oolong is brewed with water of 90 degrees.\n")
    claim = Claim(
        text="A pot of oolong is brewed with water of 90 degrees.", quotes=(source.read_text("utf-8").strip(),)
    )
    model = ScriptedModel((proposal(summary(claim, title="A pot of oolong")),))
    with Repository(wiki) as repository:
        take_in(source, repository, model, verifier=ScriptedVerifier())

    (slug,) = (page.stem for page in wiki.glob("summaries/*pot*.md"))
    (read,) = {tuple(each["read_by"]) for each in browser(wiki).get(f"/{wiki.name}/proof/{slug}.json").json()["claims"]}
    assert read == ("read by a second model, scripted/reader",)


# -- activity ------------------------------------------------------------------------------------------------------


def test_what_is_new_is_told_and_only_that(wiki: Path) -> None:
    (shown,), works = named([wiki], dict(os.environ), {}, writes=True), Works()
    look = ActivityLook(shown, works, Templates())

    first = dict(look())
    assert first.keys() == {"queue", "events"} and "nothing waits" in first["queue"]
    assert list(look()) == []

    with works.begun(shown.name, "kettles.md") as say:
        say("kettles.md: thinking")
        assert [(name, "kettles.md: thinking" in html) for name, html in look()] == [("queue", True)]
    assert [(name, "nothing waits" in html) for name, html in look()] == [("queue", True)]

    editing.undo_commits(shown.settings(), [git(wiki, "rev-parse", "HEAD").strip()], dry_run=False)
    assert "undo" in dict(look())["events"]


def test_what_the_wall_left_out_is_told_by_ingest(wiki: Path) -> None:
    git(
        wiki,
        "commit",
        "--amend",
        "-q",
        "-m",
        f"{git(wiki, 'log', '-1', '--format=%B')}".replace("- created", "- left out: not in it\n- created", 1),
    )

    assert "1 left out by the wall" in browser(wiki).get(f"/{wiki.name}/activity").text


def test_the_address_of_a_page_is_taken_in_and_nothing_else_is_one(wiki: Path) -> None:
    client, drop = browser(wiki, writes=True), f"/{wiki.name}/drop"

    private = client.post(drop, data={"address": "http://127.0.0.1:9/tea"}).json()
    assert not private["ok"] and "is a host of this machine" in private["lines"][0]

    with Site().open() as site:
        site.pages["/tea"] = (200, HTML, PAGE)
        client = browser(wiki, writes=True, CURATOR_FETCH_HOSTS="127.0.0.1")
        told = client.post(drop, data={"address": f"{site.address}/tea"}).json()
    assert told["lines"][0].startswith("ingested   sources/web/")

    for address in ("/etc/passwd", "file:///etc/passwd", "ftp://example.org"):
        assert client.post(drop, data={"address": address}).json()["code"] == "address_invalid"
    assert client.post(drop, data={"address": ""}).json()["code"] == "file_unusable"


def test_files_are_taken_in_by_a_form_without_a_script(wiki: Path) -> None:
    text = "# {}\n\nA {} is a vessel with a spout in which water is boiled for tea.\n"
    files = [("file", (f"{name}.md", text.format(name.title(), name))) for name in ("kettle", "samovar")]

    page = browser(wiki, writes=True).post(f"/{wiki.name}/drop", files=files, headers={"accept": "text/html"}).text

    assert "<main" in page and "kettle.md" in page and (wiki / "sources" / "samovar.md").exists()


# -- streams -------------------------------------------------------------------------------------------------------


async def read(response: Any) -> AsyncGenerator[str]:
    async for piece in response.body_iterator:
        yield piece


def test_work_ends_when_nobody_listens_any_more() -> None:
    streams, goes_on, ended = Streams(most_at_work=1), threading.Event(), threading.Event()

    def work(send: Send) -> None:
        send("one", 1)
        goes_on.wait(60)
        try:
            send("two", 2)
        except ClientGone:
            ended.set()
            raise

    async def leaves() -> tuple[str, str]:
        told = read(streams.working(work))
        first = await anext(told)
        refused = await anext(read(streams.working(work)))  # its place is taken until the first one ends
        await told.aclose()
        return first, refused

    first, refused = anyio.run(leaves)
    goes_on.set()

    assert "event: one" in first and "event: refused" in refused
    assert ended.wait(60)


def test_streams_end_with_the_server_and_none_begins_after_it() -> None:
    streams = Streams()

    async def until_the_end() -> list[str]:
        told = read(streams.looking(lambda: [("seen", "it")], every=3600))
        pieces = [await anext(told), await anext(told)]
        streams.end()
        pieces += [piece async for piece in told]
        return [*pieces, *[piece async for piece in read(streams.looking(list, every=3600))]]

    assert [piece.partition("\n")[0] for piece in anyio.run(until_the_end)] == [
        "retry: 2000",
        "event: seen",
        "retry: 2000",
    ]


def test_one_stream_too_many_says_so() -> None:
    streams = Streams(most=1)

    async def both() -> str:
        first, second = (read(streams.looking(list, every=3600)) for _ in range(2))
        await anext(first)
        told = [piece async for piece in second]
        streams.end()
        return "".join([*told, *[piece async for piece in first]])

    assert "event: refused" in anyio.run(both)
