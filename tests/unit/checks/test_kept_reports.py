"""What lint and validate keep of what they found: it says what a look from nothing says, whatever has changed since."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curator.checks import kept_findings
from curator.checks.conformance import Verdict, validate
from curator.checks.conformance.judge import judge
from curator.checks.lint import maintenance, report_key
from curator.checks.lint.maintenance import LintPass, LintResult
from curator.finding import Finding
from curator.repository.repository import Repository
from curator.system.parallel import Fork
from curator.wiki.validation import Failure
from support.conforming import CLOCK, commit, conforming, page, with_manifest
from support.lints import limits
from support.wikis import NOW, git


@pytest.fixture
def wiki(made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(report_key, "_TICK", 0)  # a test waits for no clock
    return made(conforming)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was worked out, and not told again."""
    done: list[str] = []
    asked = LintPass._asked

    def ask(self: LintPass, beside: Fork | None) -> LintResult:
        done.append("lint")
        return asked(self, beside)

    def judged(*values: object, **options: object) -> Verdict:
        done.append("validate")
        return validate(*values, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(LintPass, "_asked", ask)
    monkeypatch.setattr("curator.checks.conformance.of_commit.validate", judged)
    return done


def forget(root: Path) -> None:
    for file in (root / ".git" / "curator").glob("facts-*"):
        file.unlink()


def linted(root: Path) -> list[Finding]:
    with Repository(root) as repository:
        return [*maintenance.lint_wiki(repository, NOW, limits).findings]


def told(root: Path) -> tuple[list[Finding], list[Failure], list[Failure]]:
    found = [judge(root, CLOCK, everything=everything) for everything in (True, False)]
    return linted(root), [*found[0].findings], [*found[1].findings]


def log(root: Path) -> None:
    with (root / "_log.md").open("a", encoding="utf-8") as stream:
        stream.write("\n## [2026-05-01T12:00:00Z] lint | nothing\n- nothing\n")
    commit(root)


def edits(root: Path) -> Iterator[str]:
    """What may happen to a wiki, one after the other: named when it has happened."""
    settings, tea = root / ".git" / "curator" / "curator.toml", root / "sources" / "tea.txt"
    view, aside = root.parent / "view" / "KNOWLEDGE.md", root / ".git" / "tea.txt"

    def committed(name: str, text: str | None = None) -> None:
        file = root / name
        file.write_text(f"{file.read_text('utf-8')}\nSee [[gone]].\n" if text is None else text, "utf-8")
        commit(root)

    committed("concepts/green.md")
    yield "a page is edited"
    page(root, "black", kind="leaf")
    commit(root)
    yield "another is made"
    git(root, "mv", "concepts/green.md", "concepts/mint.md")
    commit(root)
    yield "one is renamed"
    git(root, "rm", "-q", "concepts/mint.md")
    commit(root)
    yield "one goes"
    log(root)
    yield "the log is written"
    committed("_log.md", "# Log\n")
    yield "the log is cut"
    tea.write_text("Other tea.\n")
    yield "a source has other bytes"
    tea.rename(aside)
    yield "a source is gone"
    tea.symlink_to(aside)
    yield "it is a link"
    tea.unlink()
    aside.rename(tea)
    yield "it is back"
    (root / "sources" / "new.txt").write_text("New.\n")
    yield "a file waits"
    with_manifest(root, "entityTypes:\n", "entityTypes:\n  - name: Leaf\n    description: Of a plant.\n")
    commit(root)
    yield "types are declared"
    settings.write_text('[views]\nmine = "../view"\n')
    yield "a view is named that is not there"
    view.parent.mkdir()
    view.write_text("---\nname: x\n---\n")
    yield "it is there"
    view.write_text("---\nextends: ../wiki\n---\n")
    yield "it is edited, elsewhere"
    committed("AGENTS.md")
    yield "the prose says another thing"
    committed("_index.md", "# Index\n")
    yield "the index is stale"
    committed("_manifest.json", "{")
    yield "the registry is broken"
    git(root, "commit", "-q", "--allow-empty", "-m", "nothing")
    yield "a commit changes nothing"
    git(root, "reset", "-q", "--hard", "HEAD~4")
    yield "the branch goes back"


def test_whatever_changes_what_is_kept_says_what_a_look_from_nothing_says(wiki: Path, looks: list[str]) -> None:
    told(wiki)
    for what in edits(wiki):
        warm, again = told(wiki), told(wiki)
        forget(wiki)
        cold = told(wiki)

        assert warm == again == cold, what

    looks.clear()
    assert told(wiki) == cold
    assert looks == []


def test_an_entry_in_the_log_is_no_reason_to_look_anew(wiki: Path, looks: list[str]) -> None:
    before = linted(wiki)
    log(wiki)
    looks.clear()

    assert linted(wiki) == before
    assert looks == []


def test_a_day_makes_things_old(wiki: Path, looks: list[str]) -> None:
    with_manifest(
        wiki, "lints:\n", "lints:\n  - {id: fresh, kind: max-age, appliesTo: '*', severity: warn, params: {days: 30}}\n"
    )
    commit(wiki)
    judge(wiki, CLOCK)
    looks.clear()

    later = judge(wiki, {"SOURCE_DATE_EPOCH": str(int(CLOCK["SOURCE_DATE_EPOCH"]) + 90 * 86_400)})

    assert looks == ["validate", "lint"]
    assert "claim_stale" in {finding.code for finding in later.findings}


def test_a_source_that_was_just_written_keeps_nothing(
    wiki: Path, looks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_key, "_TICK", 10**18)
    for _ in range(2):
        linted(wiki)

    assert looks == ["lint", "lint"]


@pytest.mark.parametrize("spoilt", [b"", b"{}\n", b"[1]\n", b'{"form": 1}\n'])
def test_a_file_that_is_spoilt_says_nothing(wiki: Path, spoilt: bytes) -> None:
    first = told(wiki)
    for file in (wiki / ".git" / "curator").glob("*.kept"):
        file.write_bytes(spoilt or file.read_bytes()[:-1])

    assert told(wiki) == first == told(wiki)


def test_findings_are_told_as_they_were_given(tmp_path: Path) -> None:
    path = os.fsdecode(b"gr\xfcn.md")
    some = [Finding(code, path, f"{n}", n, "warn" if n % 2 else "info") for n in range(50) for code in ("a", "b")]
    odd = Failure("odd", path, "it is odd", None, "error", "mend it", ("1",), "other.md", "slug", "entries")

    kept_findings.keep(tmp_path / "some", "key", [*some, odd], {"count": 3})
    found = kept_findings.find(tmp_path / "some", "key")

    assert found is not None and kept_findings.find(tmp_path / "some", "other key") is None
    findings, beside = found
    assert (list(findings), beside, len(findings)) == ([*some, odd], {"count": 3}, 101)
    assert [*kept_findings.first_of_each(findings)] == [*kept_findings.first_of_each([*some, odd])]
    assert kept_findings.counted(findings) == kept_findings.counted([*some, odd])
    assert [*kept_findings.of_severities(findings, {"warn"})] == [each for each in some if each.severity == "warn"]
