"""``curate open``, asked as a browser asks it: who is let in, what a page shows, and that nothing of a page runs."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed: pip install 'curate-wiki[web]'")

from starlette.testclient import TestClient

from curator.cli.commands import export
from curator.cli.web.app import WebApplication
from curator.cli.web.gate import BrowserGate
from curator.cli.web.rendering import rendered
from curator.cli.web.saved_proof import as_json
from curator.cli.web.served import named
from curator.cli.web.streams import SourceChanges
from curator.repository.settings import Settings
from support.wikis import copied, git

TOKEN, PORT = "a-token-of-the-tests", 4711
HOME = f"http://127.0.0.1:{PORT}"


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory, _wiki_of_two_ingests: Path) -> Path:
    return copied(_wiki_of_two_ingests, tmp_path_factory.mktemp("web") / "notes")


def browser(*roots: Path, opened: bool = True) -> TestClient:
    application = WebApplication(named(roots, dict(os.environ), {}, writes=False)).asgi
    client = TestClient(BrowserGate(application, TOKEN, PORT), base_url=HOME)
    if opened:
        client.get("/", params={"token": TOKEN})
    return client


def test_nobody_is_let_in_without_the_token(shown: Path) -> None:
    client = browser(shown, opened=False)

    assert client.get("/").status_code == 401
    assert client.get("/", params={"token": "another"}).status_code == 401
    assert client.get("/notes", headers={"cookie": f"curate-{PORT}=another"}).status_code == 401


def test_the_opened_address_becomes_a_cookie_that_no_script_and_no_other_site_has(shown: Path) -> None:
    answer = browser(shown, opened=False).get("/", params={"token": TOKEN}, follow_redirects=False)

    assert answer.status_code == 303 and TOKEN not in answer.headers["location"]
    assert "HttpOnly" in answer.headers["set-cookie"] and "SameSite=Strict" in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": f"evil.example:{PORT}"}, 421),
        ({"origin": "https://evil.example"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, 403),
        ({"sec-fetch-site": "same-origin"}, 200),
    ],
)
def test_another_site_is_not_answered_even_with_the_cookie(shown: Path, headers: dict[str, str], status: int) -> None:
    assert browser(shown).get("/notes", headers=headers).status_code == status


def test_every_answer_forbids_scripts_of_others_and_frames(shown: Path) -> None:
    for address in ("/notes", "/notes/page/oolong", "/notes/page/nothing"):
        policy = browser(shown).get(address).headers["content-security-policy"]

        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "frame-ancestors 'none'" in policy


def test_a_page_numbers_its_claims_and_shows_what_leads_where(shown: Path) -> None:
    html = browser(shown).get("/notes/page/oolong").text

    assert '<span class="claim" data-claim="0">' in html and 'data-note="' in html
    assert "Linked from" in html


def test_the_proof_has_what_a_browser_needs_to_find_each_quote_itself(shown: Path) -> None:
    client = browser(shown)
    proof = client.get("/notes/proof/oolong.json").json()

    assert proof["page"]["slug"] == "oolong" and {claim["state"] for claim in proof["claims"]} == {"supported"}
    for path, source in proof["sources"].items():
        bytes_ = client.get(f"/notes/raw/{path}").content
        assert source["algorithm"] == "sha256" and hashlib.sha256(bytes_).hexdigest() == source["digest"]
        assert source["is_text"]
    for claim in proof["claims"]:
        for cited in claim["cited"]:
            text = client.get(f"/notes/text/{cited['path']}.json").json()
            assert cited["quote"][:20] in " ".join(line for _, line, _ in text["lines"])


@pytest.mark.parametrize(
    "path", ["KNOWLEDGE.md", "sources/../KNOWLEDGE.md", "sources/%2e%2e/KNOWLEDGE.md", "sources/none"]
)
def test_only_files_in_sources_are_given_out(shown: Path, path: str) -> None:
    assert browser(shown).get(f"/notes/raw/{path}").status_code == 404


def test_a_link_out_of_sources_is_not_followed(shown: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", "utf-8")
    link = shown / "sources" / "link.md"
    link.symlink_to(tmp_path / "secret")
    try:
        assert browser(shown).get("/notes/raw/sources/link.md").status_code == 404
    finally:
        link.unlink()


def test_a_search_gives_pages_as_a_piece_of_html(shown: Path) -> None:
    client = browser(shown)

    assert 'href="/notes/page/oolong"' in client.get("/notes/search", params={"q": "oolong"}).text
    assert "No page matches" in client.get("/notes/search", params={"q": "<script>x</script>"}).text


def test_an_unknown_page_is_an_error_in_words(shown: Path) -> None:
    client = browser(shown)

    refused = client.get("/notes/page/none", headers={"accept": "text/html"})
    assert refused.status_code == 404 and "there is no page &#39;none&#39;" in refused.text
    assert client.get("/notes/proof/none.json").json()["code"] == "page_unknown"


def test_two_wikis_of_one_name_have_two(shown: Path, _wiki_of_two_ingests: Path, tmp_path: Path) -> None:
    other = copied(_wiki_of_two_ingests, tmp_path / "notes")
    client = browser(shown, other)

    assert 'href="/notes"' in client.get("/").text and 'href="/notes-2"' in client.get("/").text
    assert client.get("/notes-2/page/oolong").status_code == 200


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script> words",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "![x](https://evil.example/p.png)",
        "[x](data:text/html,<script>alert(1)</script>)",
        "`<script>`",
        "# <svg onload=alert(1)>",
        '[x](https://e.example/"onmouseover="alert(1))',
        "| <b onclick=x> |\n|---|\n| <script>1</script> |",
        '[^"><script>]: sources/x.md#L1 "words"\n\nclaim [^"><script>]',
    ],
)
def test_nothing_that_a_page_says_runs(text: str) -> None:
    html, _ = rendered(text, {}, lambda target, is_wikilink: None)

    bare = html.replace("&lt;", "").replace("&#34;", "")
    assert "<script" not in html and "<img" not in html and "<svg" not in html and "javascript:" not in html.lower()
    assert " on" not in "".join(piece for piece in bare.split("<")[1:] if piece.startswith(("img", "svg", "a ")))


def test_html_of_nested_lists_tables_and_headings_is_well_formed() -> None:
    text = "# A *b*\n\n- one [[x|X]] [^1]\n  - two\n\npara\n\n| a | b |\n|---|---|\n| c | d [^1] |\n\n[^1]: s\n"
    html, headings = rendered(text, {text.index("- one"): 0, text.index("| c"): 1}, lambda target, _: f"/page/{target}")

    assert [(each.level, each.text) for each in headings] == [(1, "A b")]
    assert '<li><span class="claim" data-claim="0">one <a href="/page/x">X</a><span class="tail">\u2060<button' in html
    assert html.count('data-claim="1"') == 3  # two cells, and the mark in one of them
    for tag in ("ul", "li", "table", "tr", "td", "th", "thead", "span", "p", "h1", "em", "a"):
        assert html.count(f"<{tag}>") + html.count(f"<{tag} ") == html.count(f"</{tag}>"), tag


def test_the_proof_of_a_long_page_is_told_in_parts(shown: Path) -> None:
    client = browser(shown)
    whole = client.get("/notes/proof/oolong.json").json()
    assert whole["count"] == len(whole["claims"]) > 1

    parts = [
        client.get(f"/notes/proof/oolong.json?from={number}&most=1").json()["claims"]
        for number in range(whole["count"])
    ]

    assert [claim for part in parts for claim in part] == whole["claims"]
    assert client.get("/notes/proof/oolong.json?from=x&most=-1").json() == whole


def test_changes_of_a_source_are_told(shown: Path) -> None:
    source = next(path for path in (shown / "sources").iterdir() if path.is_file())
    changes, before = SourceChanges(shown, [f"sources/{source.name}"]), source.read_bytes()

    ((name, first),) = changes()
    assert name == "sources" and list(changes()) == []
    source.write_bytes(before + b"more")
    try:
        assert [(name, stamp == first) for name, stamp in changes()] == [("sources", False)]
    finally:
        source.write_bytes(before)


def test_the_graph_has_every_page_its_sources_and_what_leads_where(shown: Path) -> None:
    graph = browser(shown).get("/notes/graph.json").json()
    slugs = [page[0] for page in graph["pages"]]

    assert slugs == sorted(slugs) and "oolong" in slugs
    assert all(page[3] for page in graph["pages"]) and graph["relations"][0] == "link"
    linking = {(slug, "oolong") for slug in _linking(shown, "oolong")}
    assert linking and {(slugs[start], slugs[end]) for start, end, _ in graph["edges"]} >= linking
    assert all(start != end for start, end, _ in graph["edges"])


def test_the_graph_of_a_site_is_read_by_its_schema_and_has_sources_and_what_cites_them(
    shown: Path, tmp_path: Path
) -> None:
    export.run(Settings.gather(shown, dict(os.environ), {}), tmp_path, dry_run=False)
    space = "{http://graphml.graphdrawing.org/xmlns}"
    root = ElementTree.parse(tmp_path / "graph.graphml").getroot()  # noqa: S314
    keys = {(key.get("id"), key.get("for")) for key in root.findall(f"{space}key")}
    (graph,) = root.findall(f"{space}graph")
    nodes = {node.get("id"): _data(node) for node in graph.findall(f"{space}node")}
    edges = [(edge.get("source"), edge.get("target"), _data(edge)) for edge in graph.findall(f"{space}edge")]

    assert graph.get("edgedefault") == "directed" and len(nodes) == len(graph.findall(f"{space}node"))
    assert all((name, "node") in keys for data in nodes.values() for name in data)
    assert all(start in nodes and end in nodes and ("relation", "edge") in keys for start, end, _ in edges)
    assert ("oolong", "sources/oolong-notes.txt", {"relation": "cites"}) in edges
    assert nodes["sources/oolong-notes.txt"]["kind"] == "source" and nodes["oolong"]["sources"].isdigit()


def _data(element: ElementTree.Element) -> dict[str, str]:
    return {f"{each.get('key')}": each.text or "" for each in element if each.tag.endswith("data")}


def test_a_page_of_a_site_says_in_json_what_it_is_and_llms_txt_leads_to_each(shown: Path, tmp_path: Path) -> None:
    export.run(Settings.gather(shown, dict(os.environ), {}), tmp_path, dry_run=False)
    html = (tmp_path / "page" / "oolong.html").read_text("utf-8")
    about = json.loads(html.partition('<script type="application/ld+json">')[2].partition("</script>")[0])
    lines = (tmp_path / "llms.txt").read_text("utf-8").split("\n")
    links = [re.fullmatch(r"- \[[^\]]+\]\(([^)\s]+)\)(: .+)?", line) for line in lines if line.startswith("- ")]

    assert about["@context"] == "https://schema.org" and about["@type"] == "Article" and about["headline"] == "Oolong"
    assert all(each["@type"] == "CreativeWork" and each["identifier"] for each in about["citation"])
    assert lines[0].startswith("# ") and [line for line in lines if line.startswith("## ")] == ["## Pages"]
    assert links and all(link and (tmp_path / link[1]).is_file() for link in links)


def test_what_is_not_there_is_said_in_a_sentence_with_the_ways_on(shown: Path) -> None:
    answer = browser(shown).get("/notes/page/nothing-here", headers={"accept": "text/html"})

    assert answer.status_code == 404 and "<h1>There is no page" in answer.text
    assert 'href="/notes"' in answer.text.partition("<main")[2]


def _linking(root: Path, slug: str) -> set[str]:
    folders = (root / "concepts", root / "entities", root / "summaries")
    return {file.stem for folder in folders for file in folder.glob("*.md") if f"[[{slug}" in file.read_text("utf-8")}


@pytest.mark.parametrize(
    "view",
    [
        "",
        "/ask",
        "/ask?q=What+is+oolong",
        "/activity",
        "/review",
        "/doubts",
        "/lie",
        "/search?q=oolong",
        "/history/oolong",
    ],
)
def test_each_view_is_a_page(shown: Path, view: str) -> None:
    answer = browser(shown).get(f"/notes{view}")

    assert answer.status_code == 200 and "<main" in answer.text and '/do"' not in answer.text


def test_a_lie_is_refused_by_its_rule(shown: Path) -> None:
    (path,) = (f"sources/{file.name}" for file in (shown / "sources").glob("*notes*"))
    quote = next(claim for claim in browser(shown).get("/notes/proof/oolong.json").json()["claims"])["cited"][0][
        "quote"
    ]
    client = browser(shown)

    true = client.get("/notes/lie", params={"source": path, "claim": quote, "quote": quote}).text
    false = client.get("/notes/lie", params={"source": path, "claim": f"{quote} It has 93 legs.", "quote": quote}).text

    assert "these words say so" in true and "number_unknown" in false


def writing(root: Path) -> TestClient:
    application = WebApplication(named([root], dict(os.environ), {}, writes=True)).asgi
    client = TestClient(BrowserGate(application, TOKEN, PORT), base_url=HOME, headers={"origin": HOME})
    client.get("/", params={"token": TOKEN})
    return client


def test_an_ingest_is_taken_back_after_its_diff_was_seen(wiki: Path) -> None:
    client, name = writing(wiki), wiki.name
    commit = head(wiki)
    fields = {"act": "undo", "id": commit}

    looked = client.post(f"/{name}/do", data=fields)
    assert "would undo" in looked.text and 'name="sure"' in looked.text and head(wiki) == commit

    done = client.post(f"/{name}/do", data={**fields, "sure": "yes"})
    assert "done" in done.text and head(wiki) != commit


def test_what_stays_of_an_ingest_is_said_before_it_is_taken_back(wiki: Path) -> None:
    (page,) = wiki.glob("*/oolong.md")
    (made,) = git(wiki, "log", "--diff-filter=A", "--format=%H", "--", str(page)).split()
    text = page.read_text("utf-8")
    page.write_text(text.replace("\n\n[^", "\n\nMy aunt likes it.\n\n[^", 1), "utf-8")
    git(wiki, "commit", "-qam", "by hand")

    looked = writing(wiki).post(f"/{wiki.name}/do", data={"act": "undo", "id": made}).text

    stays = looked[looked.index("What stays</h2>") : looked.index('<pre class="diff"')]
    assert "kept [[oolong]]" in stays and 'name="sure"' in looked


def test_a_dropped_file_becomes_a_source_and_pages(wiki: Path) -> None:
    text = b"# Kettles\n\nA kettle is a vessel with a spout in which water is boiled for tea.\n"
    told = writing(wiki).post(f"/{wiki.name}/drop", files={"file": ("../../kettles.md", text)}).json()

    assert told["ok"] and (wiki / "sources" / "kettles.md").read_bytes() == text


def test_a_dropped_file_that_is_refused_is_told_by_its_own_name(wiki: Path) -> None:
    told = writing(wiki).post(f"/{wiki.name}/drop", files={"file": ("photo.jpg", b"\xff\xd8\xff\xe0")}).json()

    assert not told["ok"] and told["lines"][0].split(":")[0].split() == ["refused", "photo.jpg"]


def test_nothing_is_written_unless_it_was_allowed(shown: Path) -> None:
    client = browser(shown)
    headers = {"origin": HOME}

    for address in ("/notes/do", "/notes/drop"):
        assert client.post(address, data={"act": "undo", "id": head(shown)}, headers=headers).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [{}, {"origin": "https://evil.example"}, {"origin": "null"}, {"origin": HOME, "sec-fetch-site": "same-site"}],
)
def test_a_form_of_another_site_writes_nothing(wiki: Path, headers: dict[str, str]) -> None:
    client = writing(wiki)
    client.headers.pop("origin")
    before = head(wiki)

    answer = client.post(f"/{wiki.name}/do", data={"act": "undo", "id": before, "sure": "yes"}, headers=headers)

    assert answer.status_code == 403 and head(wiki) == before


def head(root: Path) -> str:
    return git(root, "rev-parse", "HEAD").strip()


def test_a_saved_proof_keeps_sources_and_cannot_be_ended_by_what_it_quotes(shown: Path) -> None:
    answer = browser(shown).get("/notes/saved/oolong")
    start = answer.text.index('id="proof">') + len('id="proof">')
    data = json.loads(answer.text[start : answer.text.index("</script>", start)])

    assert "attachment" in answer.headers["content-disposition"] and data["claims"]
    for path, source in data["sources"].items():
        assert base64.b64decode(source["bytes"]) == (shown / path).read_bytes()
    assert all(
        quote["quote"][:12] in quote["passage"].replace("\n", " ")
        for claim in data["claims"]
        for quote in claim["cited"]
    )
    assert "</" not in as_json({"x": "</script><script>"}) and json.loads(as_json({"x": "</script>"})) == {
        "x": "</script>"
    }


def test_a_site_of_a_commit_is_the_same_twice_and_only_what_changed_is_written(shown: Path, tmp_path: Path) -> None:
    settings = Settings.gather(shown, dict(os.environ), {})
    first = export.run(settings, tmp_path / "site", dry_run=False)
    second = export.run(Settings.gather(shown, dict(os.environ), {}), tmp_path / "site", dry_run=False)

    page = (tmp_path / "site" / "page" / "oolong.html").read_text("utf-8")
    proof = json.loads((tmp_path / "site" / "proof" / "oolong.json").read_text("utf-8"))
    assert first.data["written"] and second.data["written"] == [] == second.data["removed"]
    assert 'href="../static/curate.css"' in page and "application/ld+json" in page and 'action="/' not in page
    for path, source in proof["sources"].items():
        assert hashlib.sha256((tmp_path / "site" / "raw" / path).read_bytes()).hexdigest() == source["digest"]
    assert "page/oolong.html" in (tmp_path / "site" / "llms.txt").read_text("utf-8")
    assert ElementTree.parse(tmp_path / "site" / "graph.graphml").getroot().tag.endswith("graphml")  # noqa: S314
