"""Pages of the web as sources: one command, the address in the record, and nobody's own network."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator.cli.commands import ingest as command
from curator.errors import SourceError
from curator.ingest.web.fetching import Fetcher
from curator.models.sandbox import web
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.repository.transaction.transaction import CommitTransaction
from support.fakes import Killed
from support.site import HTML, PAGE, Site
from support.standard import state
from support.wikis import git

OWN = ("127.0.0.1", "localhost")


@pytest.fixture
def site() -> Iterator[Site]:
    with Site().open() as site:
        site.pages["/tea"] = (200, HTML, PAGE)
        yield site


def got(site: Site, path: str = "/tea") -> bytes:
    return Fetcher(OWN, wait=lambda seconds: None).page(site.address + path).data


def refused(site: Site, path: str = "/tea") -> tuple[str, str]:
    with pytest.raises(SourceError) as caught:
        got(site, path)
    assert caught.value.hint
    return caught.value.code, caught.value.message


def take(root: Path, *addresses: str) -> list[dict[str, object]]:
    settings = Settings(root, {}, {"fetch_hosts": OWN})
    found: list[dict[str, object]] = command.run(settings, addresses, False, False, lambda said: None).data["results"]
    return found


def test_a_page_becomes_a_source_with_its_address(root: Path, site: Site) -> None:
    (result,) = take(root, f"{site.address}/tea")

    path = "sources/web/127.0.0.1/tea.html"
    assert (result["status"], result["source"]) == ("ingested", path)
    assert (root / path).read_bytes() == PAGE
    with Repository(root) as repository:
        record = repository.view().manifest().sources[path]
    assert (record.url, record.title) == (f"{site.address}/tea", "On oolong")


def test_a_page_that_is_fetched_again_is_proven_again(root: Path, site: Site) -> None:
    take(root, f"{site.address}/tea")
    assert take(root, f"{site.address}/tea")[0]["status"] == "skipped"

    site.pages["/tea"] = (200, HTML, PAGE.replace(b"90", b"80"))
    (result,) = take(root, f"{site.address}/tea")

    assert (result["status"], result["source"]) == ("ingested", "sources/web/127.0.0.1/tea.html")
    assert git(root, "ls-files", "sources/web") == "sources/web/127.0.0.1/tea.html"
    said = git(root, "grep", "-h", "degrees", "HEAD", "--", "summaries", "concepts")
    assert "80 degrees" in said and "90 degrees" not in said


@pytest.mark.parametrize("is_known", [False, True])
def test_killed_before_it_is_committed_nothing_has_changed(
    root: Path, site: Site, monkeypatch: pytest.MonkeyPatch, is_known: bool
) -> None:
    def killed(*_: object, **__: object) -> None:
        raise Killed

    if is_known:
        take(root, f"{site.address}/tea")
        site.pages["/tea"] = (200, HTML, PAGE.replace(b"90", b"80"))
    before = state(root)

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(CommitTransaction, "commit", killed)
        take(root, f"{site.address}/tea")
    assert state(root) == before

    (result,) = take(root, f"{site.address}/tea")
    assert (result["status"], git(root, "ls-files", "sources/web")) == ("ingested", "sources/web/127.0.0.1/tea.html")
    assert git(root, "status", "--porcelain") == ""


def test_a_page_that_waits_is_known_by_its_address_when_it_is_fetched_again(root: Path, site: Site) -> None:
    (root / "KNOWLEDGE.md").write_text((root / "KNOWLEDGE.md").read_text().replace("status: ready", "status: archived"))
    git(root, "commit", "-qam", "archived")

    (first,) = take(root, f"{site.address}/tea")
    site.pages["/tea"] = (200, HTML, PAGE.replace(b"90", b"80"))
    *_, second = take(root, f"{site.address}/tea")

    assert {first["status"], second["status"]} == {"held"} and first["source"] == second["source"]
    assert git(root, "status", "--porcelain", "-uall") == "?? sources/web/127.0.0.1/tea.html"
    assert b"80" in (root / "sources/web/127.0.0.1/tea.html").read_bytes()


def test_an_edit_of_a_fetched_page_is_not_written_over(root: Path, site: Site) -> None:
    take(root, f"{site.address}/tea")
    file = root / "sources/web/127.0.0.1/tea.html"
    file.write_text("my own words")
    site.pages["/tea"] = (200, HTML, PAGE.replace(b"90", b"80"))

    take(root, f"{site.address}/tea")

    assert file.read_text() == "my own words"


def test_a_host_of_ones_own_network_is_asked_only_where_that_is_set(root: Path, site: Site) -> None:
    results = command.run(Settings(root, {}, {}), [f"{site.address}/tea"], False, False, lambda said: None).data
    (result,) = results["results"]

    assert (result["status"], result["code"]) == ("refused", "address_private")
    assert "fetch_hosts 127.0.0.1" in result["next"]
    assert site.asked == []


@pytest.mark.parametrize(
    "target", ["http://169.254.169.254/latest/meta-data", "http://[::ffff:10.0.0.1]/", "http://2130706433/"]
)
def test_a_redirect_leads_into_no_network_of_ones_own(site: Site, target: str) -> None:
    site.pages["/away"] = (302, {"Location": target}, b"")

    assert refused(site, "/away")[0] in ("address_private", "address_failed")


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "http://user:secret@127.0.0.1/x", "javascript:1"]
)
def test_a_redirect_leads_to_pages_only(site: Site, target: str) -> None:
    site.pages["/away"] = (302, {"Location": target}, b"")

    assert refused(site, "/away")[0] == "address_invalid"


def test_redirects_are_followed_and_end(site: Site) -> None:
    site.pages["/old"] = (301, {"Location": "/tea"}, b"")
    site.pages["/ring"] = (302, {"Location": "/ring"}, b"")

    assert got(site, "/old") == PAGE
    assert "more than 5 times" in refused(site, "/ring")[1]


def test_what_a_host_forbids_programs_is_not_fetched(site: Site) -> None:
    site.pages["/robots.txt"] = (200, {}, b"User-agent: *\nDisallow: /private\n")
    site.pages["/private/tea"] = (200, HTML, PAGE)

    assert refused(site, "/private/tea")[0] == "address_robots"
    assert "/private/tea" not in site.asked
    assert got(site) == PAGE


def test_a_host_whose_rules_cannot_be_had_is_left_alone(site: Site) -> None:
    site.pages["/robots.txt"] = (500, {}, b"")

    assert "robots.txt cannot be had" in refused(site)[1] and "/tea" not in site.asked


def test_a_busy_host_is_asked_again_when_it_says(site: Site) -> None:
    answers = iter([(503, {"Retry-After": "7"}, b""), (200, HTML, PAGE)])
    site.pages["/busy"] = lambda: next(answers)
    waited: list[float] = []

    assert Fetcher(OWN, wait=waited.append).page(f"{site.address}/busy").data == PAGE
    assert waited == [7.0]


@pytest.mark.parametrize(
    ("status", "why"), [(404, "no such page"), (401, "a password"), (403, "programs"), (410, "gone"), (500, "500")]
)
def test_what_is_not_given_is_said_in_words(site: Site, status: int, why: str) -> None:
    site.pages["/x"] = (status, {}, b"no")

    assert why in refused(site, "/x")[1]


def test_no_more_is_read_than_a_page_may_have(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "MOST_BYTES", 10_000)
    site.pages["/big"] = (200, HTML, b"a" * 10_001)
    site.pages["/bomb"] = (200, {**HTML, "Content-Encoding": "gzip"}, gzip.compress(b"a" * 10_000_000))
    site.pages["/packed"] = (200, {**HTML, "Content-Encoding": "gzip"}, gzip.compress(PAGE))

    assert "larger than" in refused(site, "/big")[1]
    assert "larger than" in refused(site, "/bomb")[1]
    with pytest.raises(SourceError) as caught:
        got(site, "/big")
    assert caught.value.hint == "what a browser saves of it can be ingested"
    assert got(site, "/packed") == PAGE


def test_a_kind_that_is_not_read_is_named(site: Site) -> None:
    site.pages["/x"] = (200, {"Content-Type": "video/mp4"}, b"\0")
    site.pages["/notes.md"] = (200, {"Content-Type": "application/octet-stream"}, b"# Tea\n")

    assert refused(site, "/x")[0] == "address_kind"
    assert Fetcher(OWN).page(f"{site.address}/notes.md").path == "web/127.0.0.1/notes.md"


def test_a_text_in_the_charset_of_its_host_can_be_read_without_it(site: Site) -> None:
    site.pages["/latin"] = (200, {"Content-Type": "text/plain; charset=latin-1"}, "Grüner Tee".encode("latin-1"))

    assert got(site, "/latin").decode("utf-8") == "Grüner Tee"


def test_what_speaks_no_tls_is_said(site: Site) -> None:
    with pytest.raises(SourceError) as caught:
        Fetcher(OWN, wait=lambda seconds: None).page(site.address.replace("http", "https") + "/tea")

    assert "TLS" in caught.value.message


@pytest.mark.parametrize("address", ["http://", "https://a b/", "http://[::1", "https://user:x@example.org/"])
def test_what_is_no_address_is_refused_before_anything_is_asked(address: str) -> None:
    with pytest.raises(SourceError) as caught:
        Fetcher().page(address)

    assert caught.value.code == "address_invalid"
