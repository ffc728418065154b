from __future__ import annotations

import pytest

from support.changes import GROWN, OOLONG, PARTLY, TEA, change, edited, form_codes, fresh
from support.pages import page

URL = "https://tea.example.org/oolong?lang=en"


def said(link: str, source_text: str = OOLONG) -> set[str]:
    text = f"Oolong, see {link} for more, is partly oxidised. [^oolong-1]\n\n{PARTLY}"
    return form_codes(change([TEA], [fresh(text)], source_text=source_text))


@pytest.mark.parametrize(
    "link", [URL, f"<{URL}>", f"[map]({URL})", f"({URL})", f"`{URL}`", f"[{URL}]({URL})", f"**{URL}**"]
)
def test_a_url_of_the_source_is_good(link: str) -> None:
    assert said(link) == set()


@pytest.mark.parametrize(
    "link",
    [
        "https://evil.example/",
        "<https://evil.example/>",
        "[map](https://evil.example/)",
        "[map](HTTPS://EVIL.EXAMPLE)",
        "[https://tea.example.org/oolong?lang=en](https://evil.example)",
        f"[map]({URL}&data=secret)",
        f"[map]({URL}#secret)",
        "[map](https://tea.example.or)",
        "[map](https://tea.example)",
        "www.evil.example",
        "http://tea.example.org/oolong?lang=en",
    ],
)
def test_a_url_that_is_not_in_the_source_is_refused(link: str) -> None:
    assert "url_not_in_source" in said(link)


@pytest.mark.parametrize("link", ["{}", "<{}>", "**{}**", "[map]({})", "`{}`"])
def test_a_url_keeps_the_underscores_that_emphasis_would_take(link: str) -> None:
    url = "https://tea.example.org/__future__/a_b_/__init__.py"
    source = f"{OOLONG}\nRead the map at {url} too.\n"

    assert said(link.format(url), source) == set()
    assert said(link.format(url.replace("__init__", "init")), source) == {"url_not_in_source"}


def test_a_footnote_may_quote_a_url_with_underscores() -> None:
    source = "Oolong is described at https://tea.example.org/__future__.html in short."
    note = f'[^oolong-1]: sources/oolong.txt#L1 "{source}"'

    assert form_codes(change([TEA], [fresh(f"Oolong is a tea. [^oolong-1]\n\n{note}")], source_text=source)) == set()


def test_a_reference_hides_no_url() -> None:
    text = f"Oolong is [tea][m]. [^oolong-1]\n\n[m]: https://evil.example/?q=x\n\n{PARTLY}"

    assert form_codes(change([TEA], [fresh(text)])) == {"url_not_in_source", "reference_added"}


def test_a_footnote_hides_no_url() -> None:
    source = "Oolong is at evil example com slash path today."
    note = '[^oolong-1]: sources/oolong.txt#L1 "Oolong is at https://evil.example.com/path today"'
    text = f"Oolong is a tea. [^oolong-1]\n\n{note}"

    assert "url_not_in_source" in form_codes(change([TEA], [fresh(text)], source_text=source))


@pytest.mark.parametrize("where", ["title", "aliases", "heading", "code"])
def test_no_url_hides_where_no_claim_is(where: str) -> None:
    bad = "Look: https://evil.example/x"
    text = f"Oolong is a tea. [^oolong-1]\n\n{PARTLY}"
    made = {
        "title": fresh(text, title=bad),
        "aliases": fresh(text, metadata={"curator": {"aliases": [bad]}}),
        "heading": fresh(f"## {bad}\n\n{text}"),
        "code": fresh(f"```\n{bad}\n```\n\n{text}"),
    }[where]

    assert "url_not_in_source" in form_codes(change([TEA], [made]))


def test_a_url_that_was_on_the_page_may_move() -> None:
    old = page("old", "See https://old.example/x for tea.\n\nTea is a drink.\n\nTea is hot.\n\nTea is sold.")
    new = edited(
        old,
        ("See https://old.example/x for tea.", "Oolong, see https://old.example/x, grows. [^oolong-2]"),
        notes=GROWN,
    )

    assert form_codes(change([old], [new])) == set()


@pytest.mark.parametrize(
    "target",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java&#115;cript:alert(1)",
        "javascript&colon;alert(1)",
        "javascript%3Aalert(1)",
        "%6Aavascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "obsidian://open?vault=x",
        "vscode://x",
        "mailto:a@b.example",
        "//evil.example/x",
        "\\\\\\\\evil.example\\x",
        "ftp://tea.example.org/x",
    ],
)
def test_a_link_is_web_or_page_however_it_is_dressed_up(target: str) -> None:
    assert "link_scheme" in said(f"[x]({target})")
    assert "link_scheme" in said(f"[x](<{target}>)")


def test_white_space_hides_no_scheme() -> None:
    assert "link_scheme" in said("[x](<java\tscript:alert(1)>)")
    assert "link_scheme" in said("[x](< javascript:alert(1)>)")


@pytest.mark.parametrize("link", ["<oolong@example.org>", "<javascript:alert(1)>", "<obsidian://open>"])
def test_an_autolink_is_a_link(link: str) -> None:
    assert "link_scheme" in said(link)


@pytest.mark.parametrize(
    "words", ["obsidian://open?vault=x", "javascript:alert(x)", "data:text/html,x", "file:///etc/passwd"]
)
def test_programs_are_not_called_in_prose_but_may_be_spoken_of_in_code(words: str) -> None:
    assert said(words) == {"link_scheme"}
    assert said(f"`{words}`") == set()


@pytest.mark.parametrize(
    "words",
    [
        "the data: all of it",
        "a file:line pair",
        "the file:// transport",
        "JavaScript: the good parts",
        "[[tea|Tea: a drink]]",
    ],
)
def test_a_colon_makes_no_scheme(words: str) -> None:
    assert said(words) == set()


@pytest.mark.parametrize(
    "url",
    [
        "https://user:secret@tea.example.org/",
        "https://tea.example.org@evil.example/",
        "https://t\u0435a.example.org/",
        "https://xn--pple-43d.com/",
        "https://\uff54ea.example.org/",
        "https://tea.example.org:99999999/",
        "https://tea%2eexample.org/",
    ],
)
def test_a_host_is_plain_even_when_the_source_has_it(url: str) -> None:
    assert "url_host" in said(f"[x]({url})", source_text=f"{OOLONG}\n{url} \n")


@pytest.mark.parametrize("url", ["https://чай.example/", "https://お茶cafe.example/", "https://tea.example.org:8080/x"])
def test_a_host_of_one_script_is_plain(url: str) -> None:
    assert said(f"[x]({url})", source_text=f"{OOLONG}\n{url} \n") == set()


def test_a_long_value_is_carried_nowhere() -> None:
    assert "url_query" in said(f"[x](https://tea.example.org/?q={'a' * 101})")
    assert "url_query" in said(f"[x](https://tea.example.org/{'a' * 101}/)")
    assert "url_query" in said(f"[x](https://tea.example.org/#{'a' * 101})")


def test_a_long_value_of_the_source_may_stand() -> None:
    url = f"https://tea.example.org/?q={'a' * 101}"

    assert said(f"[x]({url})", source_text=f"{OOLONG}\n{url}\n") == set()
