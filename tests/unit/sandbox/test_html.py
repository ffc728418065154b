"""HTML: the text of a page by paragraph, without what is hidden and what all pages of a site have."""

from __future__ import annotations

import pytest
from extracted import Extracted
from formats import html
from hypothesis import given
from hypothesis import strategies as st
from unicode_text import cleaned

LONG = "Tea is a drink that is made of the leaves of a shrub, and of hot water, and it is drunk by many. " * 3


def read(page: str) -> Extracted:
    return html.read(page.encode(), 100_000)


def texts(page: str) -> list[str]:
    return [cleaned(line) for _, line, _ in read(page).lines]


def left_out(page: str) -> dict[str, int]:
    return {each.what: each.count for each in read(page).left_out}


def head(*elements: str) -> dict[str, object]:
    return {**read(f"<html lang=en><head>{''.join(elements)}</head><body><p>{LONG}").head}


# --- what is seen


def test_only_what_a_reader_sees_is_read() -> None:
    page = """<!doctype html><html><head><title>Tea &amp; milk</title><meta name="x" content="no">
      <style>p {color: red}</style><script>no("<p>no</p>")</script></head><body><!-- no -->
      <p>seen<template>no</template><noscript>no</noscript><p hidden>no</p><div aria-hidden="TRUE">no<b>no</b></div>
      <div style="color:red; DISPLAY : none !important">no<div>no</div>no</div><p style="visibility:hidden">no</p>
      <dialog>no</dialog><dialog open>seen</dialog><textarea>no</textarea></body></html>"""

    assert texts(page) == ["# Tea & milk", "seen", "seen"]
    assert read(page).head["title"] == "Tea & milk"


def test_every_paragraph_has_its_number() -> None:
    page = "<h1>\n\n Tea\n</h1>\n<p>It is\r\na <b>drink</b>.</p><p>Good.</p>\n<p>\n&nbsp;\nBye\n"

    assert read(page).unit == "paragraph"
    assert list(read(page).lines) == [(1, "# Tea", 1), (2, "It is a drink.", 2), (3, "Good.", 3), (4, "Bye", 4)]


def test_inline_elements_do_not_part_words_and_blocks_do() -> None:
    assert texts("<p>Darjee<b>ling</b>.<br>Tea<div>milk</div>sugar") == ["Darjeeling.", "Tea", "milk", "sugar"]


def test_a_line_break_in_the_middle_of_a_sentence_parts_nothing() -> None:
    assert texts("<p>It is a<br>drink.<br>Good") == ["It is a drink.", "Good"]


def test_a_table_is_a_line_a_row() -> None:
    page = "<table><tr><th>Tea<th>Origin</tr><tr><td></td><td><p>Assam</p> <p>India</p></td><tr><td>x<td>y</table>after"

    assert texts(page) == ["Tea | Origin", " | Assam India", "x | y", "after"]


def test_a_table_that_lays_out_a_page_parts_no_paragraphs() -> None:
    page = f"<table><tr><td><h1>Tea</h1><p>{LONG}</p><p>Good.</p><td>x</table>"

    assert texts(page)[:1] + texts(page)[2:] == ["# Tea", "Good.", "x"]


def test_code_keeps_its_lines_under_one_number() -> None:
    assert list(read("<p>So:<pre>\n boil\n\n   <b>wait</b>\n</pre>").lines) == [
        (1, "So:", 1),
        (2, "```", 2),
        (2, " boil", 2),
        (2, "   wait", 2),
        (2, "```", 2),
    ]


def test_lists_are_marked_as_they_are_nested_and_numbered() -> None:
    page = "<ul><li>a<ul><li>b</ul><li><p>c</p><p>d</p></ul><ol><li>e<li>f</ol>"

    assert texts(page) == ["- a", "  - b", "- c", "  d", "1. e", "2. f"]


def test_a_hidden_item_ends_where_a_browser_ends_it() -> None:
    page = "<ul><li>one<li hidden>two<ul><li>two and a half</ul><li>three</ul><p hidden>no<p>seen"

    assert texts(page) == ["- one", "- three", "seen"]


def test_a_stray_end_tag_does_not_uncover_anything() -> None:
    assert texts("<div hidden>no</span></p>no</div>yes</div></body>") == ["yes"]


def test_a_slash_in_a_start_tag_means_nothing() -> None:
    assert texts("<p>a</p><div hidden/>no</div><br/>b<script/>no</script>") == ["a", "b"]


def test_hiding_characters_spelled_as_entities_are_taken_out_too() -> None:
    assert texts("<p>te&#x200b;a&shy; &#xE0041;caf&eacute; &lt;b&gt;") == ["tea café <b>"]


def test_an_item_has_the_number_that_its_page_shows() -> None:
    page = (
        '<ol start=0><li>off<li>on</ol><ol><li value="4">high<li>higher<li value=x>highest</ol><ul><li value=7>a</ul>'
    )

    assert texts(page) == ["0. off", "1. on", "4. high", "5. higher", "6. highest", "- a"]


def test_marks_of_footnotes_and_signs_of_headings_are_no_words() -> None:
    page = '<h2>Tea<a href="#tea">¶</a></h2><p>It is good.<sup><a href="#n1">[1]</a></sup> See m<sup>2</sup>.'

    assert texts(page) == ["## Tea", "It is good. See m^2."]


def test_a_power_keeps_its_mark_and_an_ordinal_has_none() -> None:
    page = (
        "2<sup>48</sup> bytes, 10<sup>-6</sup> s, (a+b)<sup>n</sup>, 1<sup>st</sup>, le 2<sup>e</sup>, tea<sup>3</sup>"
    )

    assert texts(page) == ["2^48 bytes, 10^-6 s, (a+b)^n, 1st, le 2e, tea3"]


# --- the main text


@pytest.mark.parametrize(
    "furniture",
    [
        "<nav><a href=/>Home</a> Tea shop</nav>",
        "<header>Tea shop, since 1920</header>",
        "<footer>All rights reserved</footer>",
        "<div role=navigation>Home</div>",
        "<div class='site-footer'>All rights reserved</div>",
        "<div id=sidebar>Our newest offers</div>",
        "<div class='share-buttons social'>Tell your friends</div>",
        "<div class=ad>Tea for 49 coins</div>",
        "<aside class=related><h3>Read next</h3><p>Ten cups</p></aside>",
        "<div class=comments><p>First!</p></div>",
        "<ul><li><a href=a>Green</a><li><a href=b>Black</a><li><a href=c>White</a></ul>",
        "<p><a href=a>Previous</a> <a href=b>Next</a></p>",
        "<button>Copy</button>",
    ],
)
def test_what_all_pages_of_a_site_have_is_left_out_and_counted(furniture: str) -> None:
    page = f"<body><p>{LONG}</p>{furniture}</body>"

    assert texts(page) == [" ".join(LONG.split())]
    assert sum(left_out(page).values()) > 0


@pytest.mark.parametrize(
    "shown",
    [
        "<div class='page has-sidebar'><p>{}</p></div>",
        "<article><header><h1>Tea</h1></header><p>{}</p></article>",
        "<div class=header><h1>Tea</h1></div><p>{}</p>",
        "<div class=sidebar><p>{}</p></div>",
        "<div id=recommended-storage><p>{}</p></div><div class=related-work><p>{}</p></div>",
        "<ul><li>{}<li>{}<li>{}</ul>",
        "<p><a href=a>Green</a> tea is not oxidised.</p><p>{}</p>",
    ],
)
def test_what_only_looks_so_is_read(shown: str) -> None:
    page = shown.replace("{}", LONG)

    assert left_out(page) == {}


def test_of_a_page_that_marks_its_main_text_only_that_is_read() -> None:
    assert texts(f"<p>Welcome to our shop.</p><main><p>{LONG}</p></main><p>Bye</p>") == [" ".join(LONG.split())]


def test_a_mark_on_next_to_nothing_is_not_believed() -> None:
    assert texts(f"<main><p>Ad</p></main><p>{LONG}</p>")[0] == "Ad"


def test_a_page_of_nothing_but_links_is_read() -> None:
    links = "".join(f"<li><a href={n}>Tea number {n}</a>" for n in range(4))

    assert texts(f"<ul>{links}</ul>")[0] == "- Tea number 0"


# --- the head


def test_a_head_says_title_authors_date_language_and_address() -> None:
    said = head(
        "<title>Tea | The Shop</title><meta property='og:title' content='Tea'><meta name=author content='Ann and Bob'>",
        "<meta property='article:published_time' content='2024-05-01T10:00Z'><link rel=canonical href=https://a.b/c>",
    )

    assert said == {
        "title": "Tea",
        "authors": ["Ann", "Bob"],
        "date": "2024-05-01",
        "language": "en",
        "url": "https://a.b/c",
    }


def test_the_heading_of_the_text_tells_which_part_of_the_title_names_it() -> None:
    page = "<title>Green tea - The Tea Book</title><nav><h1>The Tea Book</h1></nav><main><h1>Green tea</h1>" + LONG

    assert read(page).head["title"] == "Green tea"


def test_a_paper_says_its_doi_and_each_of_its_authors() -> None:
    said = head(
        "<meta name=citation_author content='Lee, Ann'><meta name=citation_author content='Ray, Bob'>",
        "<meta name=citation_doi content='10.1000/182'><meta name=citation_publication_date content='2024/05/01'>",
    )

    assert (said["authors"], said["doi"], said["date"]) == (["Lee, Ann", "Ray, Bob"], "10.1000/182", "2024-05-01")


def test_data_for_machines_go_before_all_else() -> None:
    data = """{"@graph": [{"@type": "NewsArticle", "headline": "Tea", "author": [{"name": "Ann"}],
      "datePublished": "2024-05-01"}]}"""

    said = head(f"<title>x</title><script type='application/ld+json'>{data}</script>")

    assert (said["title"], said["authors"], said["date"]) == ("Tea", ["Ann"], "2024-05-01")


@pytest.mark.parametrize(
    "data", ["{", "[" * 100_000, '{"@type": 1, "headline": 2}', '[{"@type": "Article", "headline": []}]']
)
def test_broken_data_for_machines_say_nothing(data: str) -> None:
    assert head(f"<title>Tea</title><script type='application/ld+json'>{data}</script>")["title"] == "Tea"


@pytest.mark.parametrize("tag", ["div", "main", "b", "li", "pre"])
def test_of_deep_nesting_only_the_nearest_elements_are_asked(tag: str) -> None:
    assert len(texts(f"<{tag}>tea " * 2_000)) >= 1


@given(
    st.lists(
        st.sampled_from(
            [
                "<p>",
                "</p>",
                "<li>",
                "<ul>",
                "</ul>",
                "<div hidden>",
                "</div>",
                "<td>",
                "<tr>",
                "<pre>",
                "<h1>",
                "\n",
                "a",
                "<",
            ]
        )
    )
)
def test_no_page_breaks_the_reader(parts: list[str]) -> None:
    numbers = [number for number, _, _ in read("".join(["<p>tea</p>", *parts])).lines]

    assert numbers == sorted(numbers)
