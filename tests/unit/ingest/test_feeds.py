"""Feeds of every format, and of every way in which a stranger may break one or mean harm by it."""

from __future__ import annotations

import json

import pytest

from curator.errors import SourceError
from curator.ingest.web import feeds
from curator.ingest.web.feeds import Feed, is_feed

BASE = "https://example.org/blog/feed.xml"
RSS = """<?xml version="1.0"?>
<!-- a feed --><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"
xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>On tea</title><link>https://example.org/</link><atom:link rel="self" href="https://example.org/self"/>
<item><title>Oolong &amp; <![CDATA[<b>black</b>]]></title><link>https://example.org/oolong?a=1&amp;b=2</link>
<pubDate>Mon, 2 Nov 2026 23:30:00 +0100</pubDate><media:title>a picture</media:title></item>
<item><guid isPermaLink="false">tag:2</guid><link>/green</link><description>&lt;p>words</description></item>
<item><guid>https://example.org/white</guid></item><item><title>no address</title></item>
<item><link>javascript:alert(1)</link></item><item><link>file:///etc/passwd</link></item>
</channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">Tea &lt;i&gt;atom&lt;/i&gt;</title>
<entry><id>urn:1</id><title>One</title><link rel="edit" href="/edit/1"/>
<link href="one.html"/><updated>2026-11-03T00:00:00Z</updated>
<published>2026-11-02T00:00:00Z</published>
<content type="xhtml"><div>
<title>not this</title><link href="/nor-this"/></div></content></entry></feed>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="x"><title>Old</title></channel>
<item rdf:about="https://example.org/old"><title>Old one</title>
<link>https://example.org/old</link><dc:date>2026-10-01</dc:date></item>
</rdf:RDF>"""
JSON = {
    "version": "https://jsonfeed.org/version/1.1",
    "title": "Tea",
    "items": [
        {"id": 7, "url": "https://example.org/7", "title": "Seven", "date_published": "2026-11-07T08:00:00+01:00"},
        {"id": "8", "content_text": "no page"},
        "no item",
    ],
}


def parse(text: str | bytes, charset: str = "") -> Feed:
    return feeds.parse(text if isinstance(text, bytes) else text.encode(), BASE, charset)


def test_rss_tells_of_pages() -> None:
    feed = parse(RSS)

    assert (feed.title, feed.without_address, feed.fault, feed.is_list) == ("On tea", 3, "", False)
    first, second, third = feed.entries
    assert (first.address, first.title, first.date) == (
        "https://example.org/oolong?a=1&b=2",
        "Oolong & black",
        "2026-11-02",
    )
    assert (second.id, second.address) == ("tag:2", "https://example.org/green")
    assert third.id == third.address == "https://example.org/white"


def test_atom_tells_of_pages() -> None:
    (entry,) = parse(ATOM).entries

    assert (entry.id, entry.address, entry.title) == ("urn:1", "https://example.org/blog/one.html", "One")
    assert (entry.date, parse(ATOM).title) == ("2026-11-02", "Tea atom")


def test_atom_with_a_prefix_is_atom() -> None:
    entry = '<a:entry><a:link href="/x"/><a:title>X</a:title></a:entry>'
    text = f'<a:feed xmlns:a="http://www.w3.org/2005/Atom">{entry}</a:feed>'

    assert [(each.address, each.title) for each in parse(text).entries] == [("https://example.org/x", "X")]


def test_rss_of_the_first_kind_and_json_tell_of_pages() -> None:
    (old,), (seven,) = parse(RDF).entries, parse(json.dumps(JSON)).entries

    assert (old.id, old.title, old.date) == ("https://example.org/old", "Old one", "2026-10-01")
    assert (seven.id, seven.address, seven.date) == ("7", "https://example.org/7", "2026-11-07")
    assert parse(json.dumps(JSON)).without_address == 1


def test_a_list_of_feeds_names_them() -> None:
    feed = parse(
        '<opml version="2.0"><head><title>Mine</title></head><body><outline text="Tea">'
        '<outline type="rss" text="A" title="Feed A" xmlUrl="https://a.example/feed"/></outline></body></opml>'
    )

    assert (feed.is_list, feed.title) == (True, "Mine")
    assert [(each.title, each.address) for each in feed.entries] == [("Feed A", "https://a.example/feed")]


@pytest.mark.parametrize(
    ("kind", "data", "is_one"),
    [
        ("text/html", RSS.encode(), True),
        ("", b"\xef\xbb\xbf\n" + ATOM.encode(), True),
        ("application/json", json.dumps(JSON).encode(), True),
        ("application/rss+xml", b"oops", True),
        ("application/json", b'{"version": "2"}', False),
        ("text/html", b"<!DOCTYPE html><html><head><title>rss</title>", False),
        ("application/xml", b"<sitemap/>", False),
        ("", b"<!---->" * 5_000, False),
        ("", b"<?a?><!-- b --><!DOCTYPE rss>\n<rss >", True),
    ],
)
def test_a_feed_is_known_by_its_kind_or_its_first_words(kind: str, data: bytes, is_one: bool) -> None:
    assert is_feed(kind, data) is is_one


@pytest.mark.parametrize(
    "broken",
    [
        RSS.replace("&amp;b", "&b"),
        RSS.replace("On tea", "On&nbsp;tea"),
        RSS.replace("On tea", "On \x0btea"),
        "\n\n" + RSS,
    ],
)
def test_what_is_usually_wrong_is_mended(broken: str) -> None:
    feed = parse(broken)

    assert len(feed.entries) == 3 and not feed.fault
    assert feed.entries[0].address.endswith("?a=1&b=2")


def test_a_torn_feed_is_read_as_far_as_it_goes_and_that_is_said() -> None:
    feed = parse(RSS[: RSS.index("<item><guid>")])

    assert len(feed.entries) == 2
    assert "broken in line" in feed.fault


def test_a_feed_in_another_encoding_is_read() -> None:
    russian = RSS.replace("On tea", "О чае")

    assert parse(russian.encode("windows-1251"), "windows-1251").title == "О чае"
    declared = russian.replace('"1.0"?', '"1.0" encoding="windows-1251"?')
    assert parse(declared.encode("windows-1251")).title == "О чае"
    assert parse(russian.encode("utf-16")).title == "О чае"


LAUGHS = '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"<?xml version='1.0'?>{LAUGHS}<rss><channel><title>&b;</title></channel></rss>", "entities"),
        (
            '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><item><title>&x;</title></item></rss>',
            "entities",
        ),
        ("<rss>" + "<a>" * 101 + "</rss>", "in one another"),
        ("<html><body>no feed", "broken"),
        ("{", "JSON"),
        ("<rss>" + "<![CDATA[" * 100_000, "CDATA"),
        ("<rss>" + "&a" * 500_000 + "<", "broken"),
        ("[" * 100_000, "broken"),
        ('{"a":' * 100_000, "JSON"),
    ],
)
def test_what_means_harm_is_refused(text: str, why: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse(text)

    assert caught.value.code == "feed_broken" and why in caught.value.message
    assert "root:" not in caught.value.message


def test_entries_and_words_are_bounded() -> None:
    items = "".join(
        f"<item><link>https://example.org/{n}</link><title>{'t' * 5000}</title></item>" for n in range(2100)
    )
    feed = parse(f"<rss><channel>{items}</channel></rss>")

    assert len(feed.entries) == 2000
    assert max(len(each.title) for each in feed.entries) == 300
