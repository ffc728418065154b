"""Remarks of reStructuredText, AsciiDoc and Org: nobody sees them who reads the printed document."""

from __future__ import annotations

import pytest
import read
from hypothesis import given
from hypothesis import strategies as st

from curator.models.sandbox.source_texts import may_hide

HIDDEN = {
    "rst": [
        ".. SECRET",
        "..  SECRET\n   SECRET\n\n   SECRET",
        "..\n   SECRET\n   SECRET\n\nshown",
        "shown\n\n  .. SECRET\n\n  shown",
        ".. note::\n\n   .. SECRET\n\n   shown",
        "Title\n=====\n.. SECRET",
        ".. _target:\n.. SECRET",
        ".. SECRET\n.. SECRET",
        "- shown\n\n  .. SECRET",
        "- shown::\n\n      .. shown\n\n  .. SECRET",
        "shown\n    .. SECRET",
        ".. [SECRET of two words] SECRET",
        ".. [SECRET!] SECRET",
        ".. a--b:: SECRET",
        ".. note: SECRET",
        "..\tSECRET",
    ],
    "asciidoc": [
        "// SECRET",
        "//SECRET",
        "shown\n// SECRET\nshown",
        "////\nSECRET\n\nSECRET\n////",
        "//////\nSECRET\n////\nSECRET\n//////\nshown",
        "[comment]\nSECRET\nSECRET\n\nshown",
        "[comment]\n--\nSECRET\n\nSECRET\n--\nshown",
        "|===\n|shown\n// SECRET\n|===",
        "////\nSECRET",
    ],
    "org": [
        "# SECRET",
        "  # SECRET",
        "#+begin_comment\nSECRET\n\nSECRET\n#+end_comment\nshown",
        "#+BEGIN_COMMENT\nSECRET\n#+END_COMMENT",
        "#+begin_quote\nshown\n# SECRET\n#+end_quote",
    ],
}
SHOWN = {
    "rst": [
        ".. [1] shown",
        ".. [#shown] shown",
        ".. _shown: https://a.b",
        ".. |a| replace:: shown",
        ".. note:: shown\n   shown",
        "..\n\n   shown",
        "shown and\n.. shown",
        "shown::\n\n   .. shown\n\n   .. shown",
        ".. code-block:: rst\n\n   .. shown",
        "=====  =====\n..     shown\n=====  =====\n..     shown\n=====  =====",
        "... shown",
        "..shown",
        ">>> f()\n... shown",
    ],
    "asciidoc": [
        "/// shown",
        "http://shown",
        "a // shown",
        "----\n// shown\n////\nshown\n----",
        "....\n// shown\n....",
        "```c\n// shown\n```",
        "[source,c]\n// shown\nshown\n\nshown",
        "[source,c]\n----\n// shown\n----",
    ],
    "org": [
        "#shown",
        "#+title: shown",
        "#+begin_src sh\n# shown\n#+end_src",
        "#+begin_example\n# shown\n#+begin_comment\nshown\n#+end_example",
        "#+begin_comment\nshown",
        "a # shown",
    ],
    "text": [".. shown", "// shown", "# shown"],
    "code": ["# shown", "// shown"],
}


def text_and_count(text: str, format: str) -> tuple[str, int]:
    found = read._plain(text.encode(), format)
    assert [number for number, _, _ in found.lines] == list(range(1, len(found.lines) + 1))
    return "\n".join(line for _, line, _ in found.lines), sum(each.count for each in found.left_out)


@pytest.mark.parametrize(("format", "text"), [(format, text) for format, texts in HIDDEN.items() for text in texts])
def test_a_remark_is_no_text_and_is_counted(format: str, text: str) -> None:
    whole = f"shown\n\n{text}\n" + ("" if text.startswith("////\nSECRET") and text.count("////") == 1 else "\nshown\n")
    seen, count = text_and_count(whole, format)

    assert "SECRET" not in seen and seen.count("shown") == whole.count("shown")
    assert count >= len("SECRET") and seen.count("\n") == whole.count("\n") - 1
    assert may_hide(format, whole), "read without the jail, it would be taken for what it is not"


@pytest.mark.parametrize(("format", "text"), [(format, text) for format, texts in SHOWN.items() for text in texts])
def test_what_is_printed_is_text(format: str, text: str) -> None:
    assert text_and_count(f"{text}\n\nshown\n", format) == (f"{text}\n\nshown", 0)


@given(st.sampled_from(sorted(HIDDEN)), st.text(alphabet=".:/#[]_|=-* \n\tab+", max_size=120), st.integers(0, 3))
def test_what_looks_harmless_has_no_remarks_and_no_line_moves(format: str, text: str, lead: int) -> None:
    text = f"{('', '.. ', '//', '#+begin_comment ')[lead]}{text}x"
    seen, _ = text_and_count(text, format)

    assert seen.count("\n") == text.count("\n")
    assert may_hide(format, text) or seen == text
