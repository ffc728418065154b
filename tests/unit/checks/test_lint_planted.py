"""A wiki with a fault of every rule: each is found where it was planted, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from curator.checks.lint import maintenance
from curator.checks.lint.facts import collect, schema
from curator.checks.lint.facts.cache import FactCache
from curator.checks.lint.maintenance import LintResult
from curator.repository.repository import Repository
from curator.system.parallel import Fork
from curator.wiki.pages.page import Page
from support import planted
from support.lints import commit, limits
from support.planted import Planted
from support.wikis import NOW

FEW = 60
"""Pages, those with faults among them."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Planted]:
    root = tmp_path_factory.mktemp("planted")
    wiki = planted.wiki(FEW)
    planted.write(wiki, root)
    return root, wiki


def examined(root: Path) -> LintResult:
    with Repository(root) as repository:
        return maintenance.lint_wiki(repository, NOW, limits)


def forget(root: Path) -> None:
    for file in (root / ".git" / "curator").glob("facts-*"):
        file.unlink()


def found(result: LintResult) -> set[tuple[str, str]]:
    return {(finding.code, finding.path) for finding in result.findings}


def test_every_fault_is_found_and_no_other(made: tuple[Path, Planted]) -> None:
    root, wiki = made
    forget(root)

    assert list(planted.misses(wiki, found(examined(root)))) == []


def test_what_is_kept_says_the_same(made: tuple[Path, Planted]) -> None:
    root, _ = made
    forget(root)

    first, second = examined(root), examined(root)

    assert second.findings == first.findings
    assert first.looked_at >= 40 and second.looked_at == 0


def test_another_commit_says_the_same(made: tuple[Path, Planted]) -> None:
    root, wiki = made
    first = examined(root)
    log = root / "_log.md"
    log.write_text(log.read_text("utf-8") + "\n## [2026-05-01T12:00:00Z] manual | nothing\n- more\n", "utf-8")
    commit(root)

    second = examined(root)

    assert [finding for finding in second.findings if finding.path != "_log.md"] == [
        finding for finding in first.findings if finding.path != "_log.md"
    ]
    assert list(planted.misses(wiki, found(second))) == []


@pytest.mark.parametrize("cores", [1, 2, 3])
def test_several_processes_find_the_same(
    made: tuple[Path, Planted], monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    root, _ = made
    forget(root)
    alone = examined(root).findings
    forget(root)
    monkeypatch.setattr("curator.system.parallel.processes", lambda: cores)
    monkeypatch.setattr("curator.system.parallel._PART", 10)

    assert examined(root).findings == alone


def test_what_a_helper_fails_to_do_is_done_all_the_same(
    made: tuple[Path, Planted], monkeypatch: pytest.MonkeyPatch
) -> None:
    root, wiki = made
    forget(root)
    monkeypatch.setattr("curator.system.parallel.processes", lambda: 2)
    monkeypatch.setattr("curator.system.parallel._PART", 10)
    monkeypatch.setattr(Fork, "has_done", lambda self: False)

    assert list(planted.misses(wiki, found(examined(root)))) == []


def test_what_another_version_found_is_forgotten(made: tuple[Path, Planted], monkeypatch: pytest.MonkeyPatch) -> None:
    root, _ = made
    first = examined(root)
    monkeypatch.setattr(schema, "__version__", "another")

    second = examined(root)

    assert (second.looked_at, second.findings) == (second.pages, first.findings)


def test_a_page_that_is_known_is_not_read_again(made: tuple[Path, Planted], monkeypatch: pytest.MonkeyPatch) -> None:
    root, _ = made
    examined(root)
    monkeypatch.setattr(collect, "_kept", lambda *_: pytest.fail("pages were read"))
    monkeypatch.setattr(Page, "outline", property(lambda _: pytest.fail("a page was parsed")))

    assert examined(root).findings


def test_a_pass_that_is_broken_off_leaves_nothing_half_done(
    made: tuple[Path, Planted], monkeypatch: pytest.MonkeyPatch
) -> None:
    root, wiki = made
    forget(root)
    monkeypatch.setattr("curator.system.parallel._PART", 10)
    put = FactCache._put
    monkeypatch.setattr(FactCache, "_put", lambda self, table, rows: _broken_off(self, table, rows, put))

    with pytest.raises(KeyboardInterrupt):
        examined(root)
    monkeypatch.setattr(FactCache, "_put", put)
    result = examined(root)

    assert list(planted.misses(wiki, found(result))) == []
    assert 0 < result.looked_at < result.pages


def _broken_off(ledger: FactCache, table: str, rows: Iterable[tuple[Any, ...]], put: Callable[..., None]) -> None:
    """As if Ctrl-C were pressed between two tables of the second ten pages."""
    if table == "fault" and next(ledger.rows("SELECT count(*) FROM facts"))[0] > 10:
        raise KeyboardInterrupt
    put(ledger, table, rows)
