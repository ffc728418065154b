from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.checks.rules import broken_by, sizes
from curator.wiki.pages import diff
from curator.wiki.pages.page import Page
from support.changes import GROWN, PARTLY, TEA, change, codes, edited, fresh
from support.pages import laws

NEW = edited(TEA, add="Oolong grows in Fujian. [^oolong-2]", notes=GROWN)
DIFF = diff.between(TEA.path, TEA.text, NEW.text)


def codes_of(written: str) -> set[str]:
    return codes(change([TEA], [NEW], diffs={TEA.path: written}))


def test_the_diff_of_the_page_is_the_diff_of_the_page() -> None:
    assert codes_of(DIFF) == set()


@pytest.mark.parametrize(
    "written",
    [
        "",
        DIFF.replace("+++ b/concepts/tea.md", "+++ b/AGENTS.md", 1),
        DIFF.replace("--- a/concepts/tea.md", "--- a/concepts/other.md", 1),
        DIFF.replace("--- a/concepts/tea.md", "--- /dev/null", 1),
        f"diff --git a/concepts/tea.md b/concepts/tea.md\n{DIFF}",
        f"diff --git a/concepts/tea.md b/concepts/tea.md\nold mode 100644\nnew mode 120000\n{DIFF}",
        f"rename from concepts/tea.md\nrename to AGENTS.md\n{DIFF}",
        f"{DIFF}diff --git a/x.md b/y.md\nsimilarity index 100%\nrename from x.md\nrename to y.md\n",
        f"{DIFF}Binary files a/x and b/x differ\n",
        f"{DIFF}GIT binary patch\nliteral 0\n",
    ],
)
def test_a_diff_with_any_other_header_is_refused(written: str) -> None:
    assert "diff_header" in codes_of(written)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "no diff at all",
        f"{DIFF}--- a/AGENTS.md\n+++ b/AGENTS.md\n@@ -1 +1 @@\n-a\n+b\n",
        DIFF.replace("Oolong grows", "Oolong thrives"),
        DIFF.replace("@@ -5", "@@ -4"),
        DIFF.replace(" title: Tea", " title: Teas"),
        DIFF + DIFF.split("\n", 2)[2],
    ],
)
def test_a_diff_that_does_not_give_the_page_is_refused(written: str) -> None:
    assert "diff_unfit" in codes_of(written)


def test_a_new_page_comes_from_nowhere() -> None:
    new = fresh(f"Oolong is partly oxidised. [^oolong-1]\n\n{PARTLY}")

    assert codes(change([TEA], [new])) == set()
    assert "diff_header" in codes(change([TEA], [new], diffs={new.path: diff.between(new.path, "", new.text)}))


def test_a_diff_of_a_page_that_does_not_change_is_refused() -> None:
    written = {TEA.path: DIFF, "concepts/other.md": DIFF.replace("tea.md", "other.md")}

    assert codes(change([TEA], [NEW], diffs=written)) == {"diff_header"}


def test_carriage_returns_stand_only_where_the_page_has_them() -> None:
    windows = Page(TEA.path, TEA.text.replace("\n", "\r\n"))
    said = "Oolong grows in Fujian. [^oolong-2]\r"

    assert "line_ends" in codes(change([TEA], [edited(TEA, add=said, notes=GROWN)]))
    assert "line_ends" in codes(change([TEA], [edited(TEA, add="Oolong\rgrows. [^oolong-2]", notes=GROWN)]))
    kept = Page(TEA.path, windows.text.replace("Tea is sold", "Oolong and tea are sold"))
    assert "line_ends" not in codes(change([windows], [kept]))


@laws
@given(st.text(alphabet="ab-+@ \\\n\r\u2028\x0c\x85"), st.text(alphabet="ab-+@ \\\n\r\u2028\x0c\x85"))
def test_every_diff_that_curator_makes_is_one(before: str, after: str) -> None:
    old, new = Page("concepts/a.md", before), Page("concepts/a.md", after)
    made = change([old], [new])

    assert before == after or not [*sizes.diff_header(made), *sizes.diff_unfit(made)]


def test_findings_name_page_and_line() -> None:
    said = "Oolong grows in Fujian. [^oolong-2]\r"
    findings = broken_by(change([TEA], [edited(TEA, add=said, notes=GROWN)]))

    assert all(finding.path == TEA.path for finding in findings)
    assert NEW.text.split("\n")[findings[0].line - 1] == said.rstrip("\r") if findings[0].line else False
