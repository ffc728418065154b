"""A pass of lint that is interrupted anywhere: the next one finds what it would have found without that."""

from __future__ import annotations

from pathlib import Path

from curator.checks.lint.facts import collect, snapshot
from support.interruptions import at_each_line
from support.lints import commit, examined, page, plant
from support.wikis import git


def test_a_pass_that_is_broken_off_spoils_no_other(root: Path) -> None:
    plant(root, page("tea"), page("cup", "See [[gone]]."))
    before = examined(root).findings
    (root / "concepts/cup.md").write_text(page("cup", "See [[lost]] and [[gone]].")[1], "utf-8")
    commit(root)

    def look() -> None:
        git(root, "reset", "-q", "--hard", "HEAD~1")
        assert examined(root).findings == before
        git(root, "reset", "-q", "--hard", "ORIG_HEAD")

    assert at_each_line((collect, snapshot), lambda: examined(root).findings, look, every=5) > 10
