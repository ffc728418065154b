"""The head of a page: no trick gets in, no byte gets lost."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curator.errors import FrontmatterError
from curator.wiki.pages import frontmatter
from support.pages import laws

PAGE = """---
# who keeps this page: Ann
title:   "Wheel: a format"   # quoted on purpose
sources:
  - sources/a.txt
  # the second one is better
  - sources/b.txt
tags: [one, two]
vendor.example/data: {x: 010, 'y': ~}
updated_at: 2026-01-01
metadata:
  other:
    deep: [1, 2]
---

# Wheel

Text with --- in it.
---
More.
"""

# -- reading ---------------------------------------------------------------------------------------------------------


def head(yaml: str) -> str:
    return f"---\n{yaml}\n---\nBody\n"


@pytest.mark.parametrize(
    "text", ["no", "1:30", "010", "1_000", "0x1F", "1.50", "+1", "yes", "2026-01-01", "1e3", ".nan", "-0"]
)
def test_a_scalar_stays_as_it_is_written(text: str) -> None:
    assert frontmatter.read(head(f"key: {text}")) == {"key": text}


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("false", False), ("null", None), ("~", None), ("", None), ("7", 7), ("-3", -3), ("0.75", 0.75)],
)
def test_plain_values_are_read(text: str, value: object) -> None:
    assert frontmatter.read(head(f"key: {text}")) == {"key": value}


@pytest.mark.parametrize(
    ("name", "yaml", "message", "line"),
    [
        ("an alias bomb", "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]", "anchors", 2),
        ("an anchor alone", "a: 1\nb: &x 2", "anchors", 3),
        ("a merge key", "a: 1\n<<: {b: 2}", "not a plain word", 3),
        ("a tag", "a: !!python/object/apply:os.system [ls]", "tags", 2),
        ("a plain tag", "a: !!str 1", "tags", 2),
        ("twin keys", "a: 1\nb: 2\na: 3", "stands twice", 4),
        ("twin keys inside", "m:\n  a: 1\n  a: 2", "stands twice", 4),
        ("twin keys, one of them quoted", 'a: 1\n"a": 2', "stands twice", 3),
        ("a list as a key", "? [a, b]\n: 1", "not a plain word", 2),
        ("nesting in flow style", "a: " + "[" * 100_000, "bytes of frontmatter", 1),
        ("nesting that fits", "a: " + "[" * 5000 + "]" * 5000, "nested deeper", 2),
        ("mappings in mappings", "a: " + "{a: " * 2000 + "}" * 2000, "nested deeper", 2),
        ("nesting in block style", "- " * 4000 + "x", "nested deeper", 2),
        ("a big one", "a: " + "x" * 20_000, "bytes of frontmatter", 1),
        ("a list", "- a\n- b", "a list of fields is wanted", 2),
        ("a word", "word", "a list of fields is wanted", 2),
        ("an open bracket", "a: [1, 2", "not YAML", None),
        ("a tab", "a:\n\t- b", "not YAML", 3),
        ("two documents", "a: 1\n... \nb: 2", "not YAML", None),
        ("a control character", "a: \x01", "not YAML", None),
    ],
)
def test_a_trick_is_refused_with_its_line(name: str, yaml: str, message: str, line: int | None) -> None:
    with pytest.raises(FrontmatterError) as caught:
        frontmatter.read(head(yaml))

    assert message in caught.value.message, name
    assert line is None or caught.value.line == line


def test_a_head_that_never_closes_is_refused() -> None:
    with pytest.raises(FrontmatterError, match="no line --- closes it"):
        frontmatter.read("---\ntitle: x\n\n# Body\n")


@pytest.mark.parametrize("text", ["", "# Title\n", "\n---\na: 1\n---\n", "a --- b", "----\na: 1\n----\n"])
def test_a_text_without_a_head_has_no_fields(text: str) -> None:
    assert frontmatter.split(text) == ("", text)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["", "# Body"])
def test_a_head_is_found_whatever_the_editor_writes(newline: str, start: str, end: str) -> None:
    text = f"{start}---{newline}a: 1{newline}---{newline}{end}"

    assert frontmatter.read(text) == {"a": 1}
    assert frontmatter.split(text)[1] == end


@pytest.mark.parametrize("text", ["---\n---\n", "---\n# only a comment\n---\nBody"])
def test_an_empty_head_has_no_fields(text: str) -> None:
    assert frontmatter.read(text) == {}


@laws
@given(st.text())
@example("---\n---")
@example("---\r\n\r---\n")
def test_head_and_body_are_the_text(text: str) -> None:
    assert "".join(frontmatter.split(text)) == text


@laws
@given(st.text(alphabet="ab:-[]{}&*!<>|'\"#?%@, \n\t0~", max_size=60))
def test_any_head_is_read_or_refused(yaml: str) -> None:
    try:
        fields = frontmatter.read(f"---\n{yaml}\n---\n")
    except FrontmatterError as error:
        assert error.message
    else:
        assert all(isinstance(key, str) for key in fields)


# -- writing ---------------------------------------------------------------------------------------------------------

WORDS = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=20)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(WORDS, st.booleans(), st.none(), st.integers(-999, 999), st.sampled_from([0.5, 0.75, 0.95])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(WORDS.filter(lambda k: k != "<<"), inner, max_size=3)
    ),
    max_leaves=6,
)


@laws
@given(st.dictionaries(st.from_regex(r"[a-z_]{1,8}", fullmatch=True), VALUES, max_size=5))
@example({"a": "no"})
@example({"a": "1:30"})
@example({"a": "010", "b": "1e3"})
@example({"a": "---"})
@example({"a": "- x: &y *z !t"})
@example({"null": "~", "true": "true"})
def test_what_is_written_is_what_is_read(fields: dict[str, object]) -> None:
    text = frontmatter.compose(fields, "# Body")

    assert frontmatter.read(text) == fields
    assert frontmatter.split(text)[1] == "\n# Body\n"


def test_keys_keep_their_order() -> None:
    text = frontmatter.compose({"z": 1, "a": 2}, "x")

    assert text == "---\nz: 1\na: 2\n---\n\nx\n"


# -- changing --------------------------------------------------------------------------------------------------------


def changed(**changes: object) -> str:
    return frontmatter.replace_fields(PAGE, changes)


def test_a_list_grows_at_its_end_and_keeps_its_comments() -> None:
    text = changed(sources=["sources/a.txt", "sources/b.txt", "sources/c.txt"])

    assert text == PAGE.replace("  - sources/b.txt\n", "  - sources/b.txt\n  - sources/c.txt\n")


def test_a_list_grows_before_a_comment_that_ends_it() -> None:
    page = PAGE.replace("  - sources/b.txt\n", "  - sources/b.txt\n  # the last one\n")

    text = frontmatter.replace_fields(page, {"sources": ["sources/a.txt", "sources/b.txt", "sources/c.txt"]})

    assert text == page.replace("  - sources/b.txt\n", "  - sources/b.txt\n  - sources/c.txt\n")


def test_a_list_grows_over_a_comment_that_is_not_indented() -> None:
    page = PAGE.replace("  # the second", "# the second")

    text = frontmatter.replace_fields(page, {"sources": ["sources/a.txt", "sources/b.txt", "sources/c.txt"]})

    assert text == page.replace("  - sources/b.txt\n", "  - sources/b.txt\n  - sources/c.txt\n")


def test_a_list_on_one_line_stays_on_one_line() -> None:
    assert changed(tags=["one", "two", "th: ree"]) == PAGE.replace("[one, two]", "[one, two, 'th: ree']")


def test_a_comment_behind_a_value_stays_behind_it() -> None:
    assert changed(title="Wheel") == PAGE.replace('title:   "Wheel: a format"   #', "title:   Wheel   #")


def test_a_new_field_stands_last() -> None:
    assert changed(confidence=0.7) == PAGE.replace("    deep: [1, 2]\n", "    deep: [1, 2]\nconfidence: 0.7\n")


def test_a_comment_above_the_next_field_stays() -> None:
    page = "---\ntags:\n- a\n\n# about b\nb: 1\n---\n"

    assert frontmatter.replace_fields(page, {"tags": ["a", "c"]}) == page.replace("- a\n", "- a\n- c\n")


def test_an_equal_value_changes_nothing() -> None:
    assert changed(title="Wheel: a format", tags=["one", "two"]) == PAGE


@pytest.mark.parametrize(
    "line", ["title: |\n  two\n  lines", "title: >-\n  two\n\n  lines", "'title': x", '"title" : x']
)
def test_a_value_of_any_style_is_replaced(line: str) -> None:
    page = f"---\na: 1\n{line}\nz: 2\n---\nBody"

    assert frontmatter.read(frontmatter.replace_fields(page, {"title": "new"})) == {"a": 1, "title": "new", "z": 2}


def test_a_key_that_only_looks_like_the_field_is_left_alone() -> None:
    page = "---\nnote: |\n  title: not this\ntitle: x\n---\n"

    assert frontmatter.replace_fields(page, {"title": "y"}) == page.replace("title: x", "title: y")


def test_a_head_written_as_one_mapping_is_changed_inside_it() -> None:
    assert (
        frontmatter.replace_fields("---\n{title: x, a: 1}\n---\n", {"title": "y, z"})
        == "---\n{title: 'y, z', a: 1}\n---\n"
    )


def test_a_head_that_cannot_take_a_field_is_refused_rather_than_rewritten() -> None:
    with pytest.raises(FrontmatterError, match="without rewriting"):
        frontmatter.replace_fields("---\n{title: x}\n---\n", {"fresh": "y"})


def test_windows_line_ends_stay() -> None:
    page = PAGE.replace("\n", "\r\n")

    text = frontmatter.replace_fields(page, {"sources": ["sources/a.txt", "sources/b.txt", "sources/c.txt"], "n": 1})

    assert text.count("\n") == text.count("\r\n") == page.count("\r\n") + 2


def test_a_text_without_a_head_gets_one_and_stays() -> None:
    text = "\n\n# Title\n\nWords  \n\n\n"

    changed = frontmatter.replace_fields(text, {"a": 1})

    assert frontmatter.read(changed) == {"a": 1}
    assert changed.endswith(text)


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("[a, b,  c ]", "[a, x,  c ]"),
        ("""[ "a", 'b',c] # all""", """[ "a", 'x',c] # all"""),
        ("[\n  a, # one\n  b, # two\n  c,\n]", "[\n  a, # one\n  x, # two\n  c,\n]"),
        ("\n- a\n-   b   # two\n# more\n- c", "\n- a\n-   x   # two\n# more\n- c"),
        ("\n    - 'a'\n    - \"b\"\n    - 'c'", "\n    - 'a'\n    - \"x\"\n    - 'c'"),
    ],
)
def test_an_item_of_a_list_is_set_where_it_stands(written: str, wanted: str) -> None:
    page = "---\ntags: {}\n# about z\nz:   1\n---\nBody"

    assert frontmatter.replace_fields(page.format(written), {"tags": ["a", "x", "c"]}) == page.format(wanted)


@pytest.mark.parametrize(
    ("written", "kept", "wanted"),
    [
        ("[a, b,  c ]", "ac", "[a, c ]"),
        ("[a, b,  c ]", "bc", "[b,  c ]"),
        ("[a, b,  c ]", "a", "[a ]"),
        ("""["a",'b',c] # all""", "c", """[c] # all"""),
        ("[\n  a, # one\n  b, # two\n  c,\n]", "ab", "[\n  a, # one\n  b,\n]"),
        ("\n- a\n- b   # two\n# more\n- c", "ac", "\n- a\n# more\n- c"),
        ("\n  - a\n  - b\n  - c", "b", "\n  - b"),
        ("\n  - a\n  - >-\n    b\n\n  - c", "ac", "\n  - a\n\n  - c"),
        ("\n  - a\n  - b\n  - c", "", " []"),
        ("[a, b, c] # all", "", "[] # all"),
    ],
)
def test_an_item_of_a_list_is_taken_out_where_it_stands(written: str, kept: str, wanted: str) -> None:
    page = "---\ntags: {}\n# about z\nz:   1\n---\nBody"
    page = page.replace("tags: ", "tags:") if written.startswith("\n") else page

    assert frontmatter.replace_fields(page.format(written), {"tags": [*kept]}) == page.format(wanted)


@laws
@given(
    st.lists(st.tuples(st.sampled_from(["a", "b c", "d: e", "7", "no", "ü"]), st.sampled_from(["", "out", "new"]))),
    st.sampled_from(["flow", "block", "wide"]),
)
def test_a_list_becomes_what_is_wanted_whatever_becomes_of_its_items(items: list[tuple[str, str]], style: str) -> None:
    old = [word for word, _ in items]
    new = [f"{word} {does}".strip() for word, does in items if does != "out"]
    quoted = [f"'{word}'" for word in old]
    lists = {"flow": f" [{', '.join(quoted)}]", "wide": " [\n  {}\n]".format(",\n  ".join(quoted))}
    lists["block"] = "".join(f"\n- {word} # said" for word in quoted) or " []"
    page = f"---\na: 1 # one\ntags:{lists[style]}\nz:   2\n---\nBody"

    text = frontmatter.replace_fields(page, {"tags": new})

    assert frontmatter.read(text) == {"a": 1, "tags": new, "z": 2}
    assert text.startswith("---\na: 1 # one\ntags:") and text.endswith("\nz:   2\n---\nBody")


@laws
@given(st.sampled_from(["title", "sources", "tags", "updated_at", "metadata", "fresh"]), VALUES, st.booleans())
def test_setting_a_field_keeps_every_other_line(key: str, value: object, windows: bool) -> None:
    page = PAGE.replace("\n", "\r\n") if windows else PAGE

    text = frontmatter.replace_fields(page, {key: value})

    assert frontmatter.read(text) == {**frontmatter.read(page), key: value}
    assert frontmatter.split(text)[1] == frontmatter.split(page)[1]
    for line in _lines_of_other_fields(page, key):
        assert line in text.splitlines(keepends=True)


def _lines_of_other_fields(page: str, key: str) -> list[str]:
    lines, other = [], True
    for line in frontmatter.split(page)[0].splitlines(keepends=True):
        if not line.startswith((" ", "#")):
            other = not line.startswith(f"{key}:")
        if other:
            lines.append(line)
    return lines


def test_emoji_are_written_as_they_are_also_beyond_the_first_plane() -> None:
    assert frontmatter.dump({"title": "Tapas 🌶️ and more"}) == "title: Tapas 🌶️ and more\n"
