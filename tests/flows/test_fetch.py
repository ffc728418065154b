"""``curate fetch``: a reading list, its feeds and pages, and what is new of them, once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from curator.cli.commands import fetch, fetch_list
from curator.cli.commands.fetch import FetchOptions
from curator.cli.console import Report
from curator.errors import Busy, ConfigError
from curator.ingest.web.fetching import Fetcher
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from support.site import HTML, Answer, Site
from support.wikis import git

OWN = ("127.0.0.1", "localhost")
RSS = {"Content-Type": "application/rss+xml"}


def page(name: str, degrees: int = 90) -> bytes:
    said = f"<p>A pot of {name} is brewed with water of {degrees} degrees.</p>"
    return f"<html lang=en><title>On {name}</title><h1>On {name}</h1><p>{name.title()} is a tea.</p>{said}".encode()


def feed(*names: str) -> bytes:
    days = {name: f"<pubDate>{number + 1:02} Nov 2026 10:00:00 GMT</pubDate>" for number, name in enumerate(names)}
    items = "".join(f"<item><title>{n}</title><link>/{n}</link>{days[n]}</item>" for n in reversed(names))
    return f"<rss version='2.0'><channel><title>Teas</title>{items}</channel></rss>".encode()


@pytest.fixture
def site() -> Iterator[Site]:
    with Site().open() as site:
        for name in ("oolong", "sencha", "assam", "keemun"):
            site.pages[f"/{name}"] = (200, HTML, page(name))
        tell(site, "oolong", "sencha")
        yield site


def tell(site: Site, *names: str) -> None:
    """Have the feed tell of these, the latest last; a host that remembers what it gave."""
    data = feed(*names)
    mark = f'"{len(data)}-{names[-1]}"'

    def answer() -> Answer:
        known = site.with_headers[-1].get("If-None-Match") == mark
        return (304, {"ETag": mark}, b"") if known else (200, {**RSS, "ETag": mark}, data)

    site.pages["/feed"] = answer


def fetched(root: Path, *what: str | Path, flags: Mapping[str, Any] | None = None, **options: Any) -> Report:
    settings = Settings(root, {}, {"fetch_hosts": OWN, **(flags or {})})
    fetcher = Fetcher(OWN, wait=lambda seconds: None)
    return fetch.run(settings, what, FetchOptions(**options), lambda said: None, fetcher)


def sources(root: Path) -> list[str]:
    return git(root, "ls-files", "sources/web").split()


def asked(report: Report) -> dict[str, Any]:
    (told,) = report.data["asked"]
    return dict(told)


def test_what_a_feed_tells_of_comes_in_once_with_address_and_day(root: Path, site: Site) -> None:
    report = fetched(root, f"{site.address}/feed")

    assert [each["status"] for each in report.data["results"]] == ["ingested", "ingested"]
    assert (report.exit_status, asked(report)["new"], asked(report)["kind"]) == (0, 2, "feed")
    assert sources(root) == ["sources/web/127.0.0.1/oolong.html", "sources/web/127.0.0.1/sencha.html"]
    with Repository(root) as repository:
        record = repository.view().manifest().sources["sources/web/127.0.0.1/sencha.html"]
        assert (record.url, record.date) == (f"{site.address}/sencha", "2026-11-02")
        assert repository.runtime.arrivals.all() == []

    site.asked.clear()
    again = fetched(root, f"{site.address}/feed")

    assert (asked(again)["status"], again.data["results"], again.exit_status) == ("unchanged", [], 0)
    assert site.asked == ["/robots.txt", "/feed"] and "If-None-Match" in site.with_headers[-1]


def test_only_what_is_new_since_is_fetched(root: Path, site: Site) -> None:
    fetched(root, f"{site.address}/feed")
    tell(site, "sencha", "assam")

    site.asked.clear()
    (result,) = fetched(root, f"{site.address}/feed").data["results"]

    assert (result["source"], result["status"]) == ("sources/web/127.0.0.1/assam.html", "ingested")
    assert site.asked == ["/robots.txt", "/feed", "/assam"]


def test_a_round_brings_no_more_than_it_may_and_the_next_one_goes_on(root: Path, site: Site) -> None:
    tell(site, "oolong", "sencha", "assam")

    first = fetched(root, f"{site.address}/feed", most=2)
    assert (asked(first)["new"], asked(first)["left"]) == (2, 1)
    assert sources(root) == ["sources/web/127.0.0.1/assam.html", "sources/web/127.0.0.1/sencha.html"]

    second = fetched(root, f"{site.address}/feed", flags={"fetch_at_once": 1})
    assert (asked(second)["new"], asked(second)["left"]) == (1, 0)
    assert len(sources(root)) == 3


def test_each_feed_has_its_turn(root: Path, site: Site) -> None:
    site.pages["/other"] = (200, RSS, feed("assam", "keemun"))

    fetched(root, f"{site.address}/feed", f"{site.address}/other", most=2)

    assert sources(root) == ["sources/web/127.0.0.1/keemun.html", "sources/web/127.0.0.1/sencha.html"]


def test_a_page_that_is_named_twice_is_fetched_once(root: Path, site: Site) -> None:
    site.pages["/other"] = (200, RSS, feed("oolong"))
    what = tuple(f"{site.address}/{name}" for name in ("feed", "other", "oolong"))

    report = fetched(root, *what)

    assert site.asked.count("/oolong") == 1
    assert [each["status"] for each in report.data["results"]] == ["ingested", "ingested"]
    assert {each["left"] for each in report.data["asked"]} == {0}
    assert {each["status"] for each in fetched(root, *what).data["asked"]} == {"unchanged", "known"}


def test_a_dry_run_tells_and_writes_nothing(root: Path, site: Site) -> None:
    before = git(root, "status", "--porcelain")
    report = fetched(root, f"{site.address}/feed", dry_run=True)

    assert any("2 new" in line for line in report.lines)
    assert any("2026-11-02  sencha" in line for line in report.lines)
    assert "/oolong" not in site.asked
    assert git(root, "status", "--porcelain") == before
    assert asked(fetched(root, f"{site.address}/feed"))["new"] == 2


def test_what_is_there_can_be_counted_as_seen(root: Path, site: Site) -> None:
    fetched(root, f"{site.address}/feed", catch_up=True)
    assert sources(root) == []

    tell(site, "oolong", "sencha", "assam")
    fetched(root, f"{site.address}/feed")

    assert sources(root) == ["sources/web/127.0.0.1/assam.html"]


def test_a_page_comes_in_once_and_again_on_request(root: Path, site: Site) -> None:
    address = f"{site.address}/oolong"
    fetched(root, address)
    site.asked.clear()
    assert asked(fetched(root, address))["status"] == "known" and site.asked == []

    site.pages["/oolong"] = (200, HTML, page("oolong", 80))
    (result,) = fetched(root, address, again=True).data["results"]

    assert (result["status"], result["source"]) == ("ingested", "sources/web/127.0.0.1/oolong.html")
    said = git(root, "grep", "-h", "degrees", "HEAD", "--", "summaries", "concepts")
    assert "80 degrees" in said and "90 degrees" not in said
    assert fetched(root, address, again=True).data["results"] == []


def test_a_page_that_is_as_it_was_is_not_given_again(root: Path, site: Site) -> None:
    def answer() -> Answer:
        since = site.with_headers[-1].get("If-Modified-Since")
        return (
            (304, {}, b"")
            if since
            else (200, {**HTML, "Last-Modified": "Mon, 02 Nov 2026 10:00:00 GMT"}, page("oolong"))
        )

    site.pages["/oolong"] = answer
    fetched(root, f"{site.address}/oolong")

    assert asked(fetched(root, f"{site.address}/oolong", again=True))["status"] == "unchanged"


def test_what_cannot_be_had_is_told_and_tried_three_times(root: Path, site: Site) -> None:
    site.pages["/sencha"] = (404, {}, b"none")

    for _ in range(3):
        report = fetched(root, f"{site.address}/feed")
        (missed,) = report.data["missed"]
        assert asked(report)["left"] == 0
        assert (missed["address"], missed["code"], report.exit_status) == (
            f"{site.address}/sencha",
            "address_failed",
            1,
        )

    assert fetched(root, f"{site.address}/feed").data["missed"] == []


def test_one_address_that_is_wrong_keeps_no_other(root: Path, site: Site) -> None:
    site.pages["/broken"] = (200, RSS, b"<rss><channel>")
    site.pages["/list"] = (200, {}, b"<opml><body><outline xmlUrl='https://example.org/f'/></body></opml>")

    report = fetched(root, *(f"{site.address}/{name}" for name in ("broken", "gone", "list", "feed")))

    told = {each["address"].rpartition("/")[2]: each for each in report.data["asked"]}
    assert (told["broken"]["code"], told["gone"]["code"], told["list"]["code"]) == (
        "feed_broken",
        "address_failed",
        "feed_list",
    )
    assert told["feed"]["new"] == 2 and report.exit_status == 1
    assert all(each["next"] for each in told.values() if each["status"] == "refused")


def test_a_feed_of_strangers_leads_into_no_network_of_ones_own(root: Path, site: Site) -> None:
    links = ("http://169.254.169.254/latest", "http://localhost:1/admin")
    items = "".join(f"<item><link>{link}</link></item>" for link in links)
    site.pages["/feed"] = (200, RSS, f"<rss><channel>{items}</channel></rss>".encode())
    settings = Settings(root, {}, {"fetch_hosts": ("127.0.0.1",)})

    what = (f"{site.address}/feed",)
    report = fetch.run(
        settings, what, FetchOptions(), lambda said: None, Fetcher(("127.0.0.1",), wait=lambda seconds: None)
    )

    assert {each["code"] for each in report.data["missed"]} == {"address_private"}
    assert fetched(root, *what).data["missed"] == []


def test_what_a_running_service_is_to_take_in_is_only_brought(root: Path, site: Site) -> None:
    report = fetched(root, f"{site.address}/feed", only_bring=True)

    assert report.data["brought"] == ["sources/web/127.0.0.1/sencha.html", "sources/web/127.0.0.1/oolong.html"]
    assert (report.data["results"], sources(root)) == ([], [])
    assert fetched(root, f"{site.address}/feed", only_bring=True).data["brought"] == []

    from curator.cli.commands import ingest

    ingest.run(Settings(root, {}, {}), [root / "sources/web"], False, False, lambda said: None)
    with Repository(root) as repository:
        records = repository.view().manifest().sources
        assert {record.url for record in records.values()} == {f"{site.address}/sencha", f"{site.address}/oolong"}


def test_a_person_who_says_no_has_nothing_kept(root: Path, site: Site) -> None:
    settings = Settings(root, {}, {"model": "openai/none", "ask_from_tokens": 1, "fetch_hosts": OWN})
    questions: list[str] = []

    def no(said: str) -> bool:
        questions.append(said)
        return False

    report = fetch.run(
        settings,
        (f"{site.address}/feed",),
        FetchOptions(),
        lambda said: None,
        Fetcher(OWN, wait=lambda seconds: None),
        no,
    )

    assert "2 sources will take about" in questions[0]
    assert report.exit_status == 1 and not (root / "sources/web").exists()
    assert fetched(root, f"{site.address}/feed", dry_run=True).data["asked"][0]["status"] == "new"


def test_two_rounds_at_once_are_one_too_many(root: Path, site: Site) -> None:
    with Repository(root) as repository, repository.runtime.lock(1, "fetching"), pytest.raises(Busy) as caught:
        fetched(root, f"{site.address}/feed")

    assert "another curate fetch" in caught.value.message and site.asked == []


# -- the list -------------------------------------------------------------------------------------------------------------


def test_a_list_is_made_added_to_and_asked(root: Path, site: Site, tmp_path: Path) -> None:
    opml = tmp_path / "feeds.opml"
    opml.write_text(f"<opml><body><outline text='Teas' xmlUrl='{site.address}/feed'/></body></opml>")
    settings = Settings(root, {}, {})
    made = fetch_list.added(settings, [f"{site.address}/assam"])
    fetch_list.added(Settings(root, {}, {}), [opml, f"{site.address}/assam"])

    text = (root / "reading-list.md").read_text()
    assert text.startswith("# Reading list") and text.endswith(
        f"- {site.address}/assam\n- [Teas]({site.address}/feed)\n"
    )
    assert made.data["added"] == [f"{site.address}/assam"] and "reading_list is set" in made.notes[0]

    report = fetched(root)
    assert len(report.data["results"]) == 3
    listed = fetch_list.shown(Settings(root, {}, {}), [])
    assert [(each["kind"], each["seen"]) for each in listed.data["entries"]] == [("page", 0), ("feed", 2)]
    assert "1 address in the wiki already" not in report.lines


def test_a_list_that_came_with_a_wiki_is_not_asked_before_it_is_set(root: Path, site: Site) -> None:
    (root / "reading-list.md").write_text(f"- {site.address}/feed\n")

    with pytest.raises(ConfigError) as caught:
        fetched(root)

    assert caught.value.code == "no_reading_list" and "config set reading_list" in caught.value.hint
    assert site.asked == []
    assert fetched(root, flags={"reading_list": "reading-list.md"}).exit_status == 0


def test_a_line_that_may_be_missed_is_named(root: Path, site: Site, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(f"see {site.address}/feed\n- {site.address}/oolong\n")

    report = fetched(root, file)

    assert "line 1" in report.notes[0]
    assert len(report.data["asked"]) == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [(None, "no_reading_list"), (b"<rss></rss>", "reading_list_broken"), (b"\xff\xff", "reading_list_broken")],
)
def test_a_list_that_is_none_is_told_of(root: Path, tmp_path: Path, text: bytes | None, code: str) -> None:
    file = tmp_path / "list.md"
    if text is not None:
        file.write_bytes(text)

    with pytest.raises(ConfigError) as caught:
        fetched(root, file)

    assert caught.value.code == code and caught.value.hint


def test_an_address_without_its_beginning_is_known_for_one(root: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        fetched(root, Path("tea.example/feed"))

    assert caught.value.hint == "an address begins so: https://tea.example/feed"


def test_quiet_says_nothing_where_nothing_is_new(root: Path, site: Site) -> None:
    fetched(root, f"{site.address}/feed")

    assert fetched(root, f"{site.address}/feed", quiet=True).lines == ()
    assert fetched(root, f"{site.address}/feed").lines == ("asked      1 address: 1 with nothing new",)
    assert fetched(root, f"{site.address}/gone", quiet=True).lines != ()


def test_what_is_remembered_of_a_feed_is_bounded(root: Path, site: Site) -> None:
    for round_ in range(3):
        many = [f"t{round_}-{number}" for number in range(1_900)]
        site.pages["/feed"] = (200, RSS, feed(*many[:20]) if round_ == 2 else feed_of(many))
        fetched(root, f"{site.address}/feed", catch_up=True)

    with Repository(root) as repository:
        (file,) = repository.runtime.fetched.glob("*.json")
        assert len(json.loads(file.read_text())["seen"]) == 3_820
        assert file.stat().st_size < 200_000


def feed_of(names: list[str]) -> bytes:
    return f"<rss><channel>{''.join(f'<item><link>/{name}</link></item>' for name in names)}</channel></rss>".encode()
