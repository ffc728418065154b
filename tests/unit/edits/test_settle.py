"""Which of two statements stands is for a person to say: in one commit, nothing is lost, and it can be taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.cli.commands import edit
from curator.errors import ConfigError
from curator.repository.settings import Settings
from curator.wiki import merging
from curator.wiki.disputes import open_disputes, without_leads
from curator.wiki.pages.page import Page
from support.wikis import git

HEAD = (
    "---\nschema: knowledge/v1\nslug: {slug}\nkind: {kind}\ntitle: {title}\nsources: [{sources}]\n{more}---\n\n"
    "# {title}\n\n"
)
OPEN = """Tea is picked in spring. [^a]

Sources disagree; another says: Tea is picked in autumn. [^b]

- It keeps a year. [^a]
- Contradicted: It keeps two years. [^c]

[^a]: sources/a.txt#L1 "Tea is picked in spring. It keeps a year."
[^b]: sources/b.txt#L1 "Tea is picked in autumn."
[^c]: sources/c.txt#L1 "It keeps two years."
"""


def page_of(body: str) -> Page:
    head = HEAD.format(slug="tea", kind="concept", title="Tea", sources="sources/a.txt", more="contradicts: [b, c]\n")
    return Page("concepts/tea.md", head + body)


def test_either_side_may_stand_and_all_that_was_said_is_still_said() -> None:
    page = page_of(OPEN)
    one, item = open_disputes(page)

    first, second = (page.with_body(one.settled(page.body, side)) for side in (one.statement, one.against))

    assert "spring. [^a]\n\nAnother source, now outweighed: Tea is picked in autumn. [^b]\n\n- It" in first.body
    assert (
        "# Tea\n\nTea is picked in autumn. [^b]\n\nAnother source, now outweighed: Tea is picked in spring."
        in second.body
    )
    assert "- It keeps two years. [^c]\n- Another source, now outweighed: It keeps a year. [^a]\n" in item.settled(
        page.body, item.against
    )
    for after in (first, second):
        assert merging.statements(without_leads(after)) == merging.statements(without_leads(page))
        assert [each.against.text for each in open_disputes(after)] == ["Contradicted: It keeps two years."]


@pytest.fixture
def disputed(root: Path) -> Path:
    for name, said in (("a", "Tea is picked in spring. It keeps a year."), ("b", "Tea is picked in autumn.")):
        (root / "sources" / f"{name}.txt").write_text(said)
    (root / "sources" / "c.txt").write_text("It keeps two years.")
    (root / "concepts").mkdir(exist_ok=True)
    (root / "concepts/tea.md").write_text(page_of(OPEN).text)
    (root / "summaries").mkdir(exist_ok=True)
    for name, said in (("b", "Tea is picked in autumn."), ("c", "It keeps two years.")):
        head = HEAD.format(
            slug=name, kind="summary", title=name.upper(), sources=f"sources/{name}.txt", more="contradicts: [tea]\n"
        )
        note = f'{said} [^n]\n\nOn [[tea]].\n\n[^n]: sources/{name}.txt#L1 "{said}"\n'
        (root / f"summaries/{name}.md").write_text(head + note)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "by hand")
    return root


def test_what_is_settled_is_no_contradiction_of_its_pages_any_more_and_undo_puts_it_back(disputed: Path) -> None:
    done = edit.settle_dispute(Settings(disputed, {}, {}), "tea", "Tea is picked in spring.", dry_run=False)

    contradicting = {path.stem: Page(path.name, path.read_text()).contradicts for path in disputed.glob("*/*.md")}
    assert (contradicting["tea"], contradicting["b"], contradicting["c"]) == (("c",), (), ("tea",))
    assert git(disputed, "show", "-s", "--format=%s").strip() == "settle tea"
    edit.undo_commits(Settings(disputed, {}, {}), [done.data["commit"]], dry_run=False)
    assert git(disputed, "diff", "--stat", f"{done.data['commit']}~1", "HEAD", "--", "concepts", "summaries") == ""


@pytest.mark.parametrize(
    ("words", "code"),
    [("Coffee is picked.", "statement_unknown"), ("On", "statement_unknown"), ("Tea", "statement_unknown")],
)
def test_words_that_name_no_side_of_a_contradiction_change_nothing(disputed: Path, words: str, code: str) -> None:
    with pytest.raises(ConfigError) as caught:
        edit.settle_dispute(Settings(disputed, {}, {}), "tea", words, dry_run=False)
    assert caught.value.code == code


def test_a_statement_that_nothing_contradicts_cannot_be_settled(disputed: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        edit.settle_dispute(Settings(disputed, {}, {}), "b", "Tea is picked in autumn.", dry_run=False)
    assert caught.value.code == "dispute_none"
