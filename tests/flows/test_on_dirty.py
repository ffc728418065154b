"""A page the user is editing: the source waits, or his lines stay on top, or they are committed first as his."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from curator.cli.commands import ingest as command
from curator.cli.commands import status
from curator.errors import Conflict
from curator.ingest import intake
from curator.ingest.flow import IngestOptions, Stage, ingest
from curator.ingest.plan import Outcome
from curator.models.port import Usage
from curator.repository.repository import OnDirty, Repository
from curator.repository.settings import Settings
from curator.repository.transaction import recovery
from curator.wiki.sources.formats import SourceLimits
from support.fakes import Killed, ScriptedModel
from support.wikis import MORE, NOW, OOLONG, drop, git, take_in

BREWING = "Brewing\n\nOolong can be brewed five times from the same leaves.\n"
PAID = Usage(100, 10, 0.5)


@pytest.fixture
def page(root: Path) -> Path:
    """A page that the next ingest will add to, and its source."""
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    drop(root, "brewing.txt", BREWING)
    return root / "concepts" / "oolong.md"


def brew(
    root: Path,
    on_dirty: OnDirty,
    model: ScriptedModel | None = None,
    on_stage: Callable[[Stage], None] = lambda stage: None,
) -> Outcome:
    with Repository(root) as repository:
        incoming = intake.look_at_source(
            root / "sources" / "brewing.txt", repository, repository.begin().manifest(), 1_000_000
        )
        source = intake.read_source(incoming, "secondary", SourceLimits(1_000_000, 1_000_000))
        model = model or ScriptedModel((MORE,))
        options = IngestOptions(lambda: NOW, on_dirty=on_dirty, on_stage=on_stage)
        return ingest(source, incoming.file, repository, model, options)


def edit(page: Path, change: Callable[[str], str]) -> str:
    page.write_text(change(page.read_text()))
    return page.read_text()


def test_edits_that_merge_stay_uncommitted_on_top(root: Path, page: Path) -> None:
    edit(page, lambda text: text.replace("# Oolong\n", "# Oolong\n\nMy own line.\n"))

    brew(root, "merge")

    assert "five brews" in git(root, "show", "HEAD:concepts/oolong.md")
    assert "My own line" not in git(root, "show", "HEAD:concepts/oolong.md")
    assert "My own line.\n" in page.read_text()
    assert "five brews" in page.read_text()
    assert git(root, "diff", "--numstat") == "2\t0\tconcepts/oolong.md"
    assert git(root, "diff", "--cached", "--name-only") == ""


def test_edits_that_clash_make_the_source_wait(root: Path, page: Path) -> None:
    mine = edit(page, lambda text: text.replace("confidence: 0.", "confidence: 0.1"))
    head = git(root, "rev-parse", "HEAD")

    with pytest.raises(Conflict, match=r"waiting for concepts/oolong\.md"):
        brew(root, "merge")

    assert (page.read_text(), git(root, "rev-parse", "HEAD")) == (mine, head)


def test_a_crash_right_after_the_commit_keeps_the_edits_on_top(
    root: Path, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(page, lambda text: text.replace("# Oolong\n", "# Oolong\n\nMy own line.\n"))
    recover, calls = recovery.recover, []

    def die(*arguments: object, **_: object) -> None:
        calls.append(arguments)
        if len(calls) > 1:
            raise Killed
        recover(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(recovery, "recover", die)
    with pytest.raises(Killed):
        brew(root, "merge")
    monkeypatch.undo()
    assert "five brews" not in page.read_text()

    with Repository(root) as repository:
        assert repository.runtime.rescued.notes() == []

    assert "My own line." in page.read_text()
    assert "five brews" in page.read_text()
    assert git(root, "diff", "--numstat") == "2\t0\tconcepts/oolong.md"


def test_a_snapshot_commits_the_users_edits_first_as_theirs(root: Path, page: Path) -> None:
    mine = edit(page, lambda text: text.replace("that is oxidised in part", "between the two"))
    other = root / "summaries" / "oolong-notes.md"
    edit(other, lambda text: text + "\nA thought.\n")
    model = ScriptedModel((MORE,), usage=PAID)

    brew(root, "snapshot", model)

    assert git(root, "log", "-2", "--format=%an %s").split("\n") == [
        "Ada ingest: sources/brewing.txt",
        "Ada snapshot of 2 edited pages",
    ]
    assert git(root, "show", "HEAD~1:concepts/oolong.md") == mine.rstrip("\n")
    assert "five brews" in page.read_text()
    assert "between the two" in page.read_text()
    assert "manual | snapshot" in (root / "_log.md").read_text()
    assert "A thought" in git(root, "show", "HEAD~1:summaries/oolong-notes.md")
    assert git(root, "status", "--porcelain") == ""
    assert len(model.requests) == 1


def test_a_page_that_cannot_be_read_is_not_in_the_snapshot(root: Path, page: Path) -> None:
    edit(page, lambda text: text.replace("slug: ", "slug: ["))

    with pytest.raises(Conflict):
        brew(root, "snapshot")

    assert git(root, "log", "-1", "--format=%s") == "ingest: sources/oolong-notes.txt"


def test_what_was_paid_for_is_kept_until_the_page_is_clean(root: Path, page: Path) -> None:
    """Committing the edit moves the branch, so the question would be another one: the answer holds all the same."""
    edit(page, lambda text: text + "\nMine.\n")
    model = ScriptedModel((MORE,), usage=PAID)
    with pytest.raises(Conflict):
        brew(root, "park", model)
    git(root, "commit", "-qam", "my own edit")

    outcome = brew(root, "park", model)

    assert len(model.requests) == 1
    assert outcome.reply.usage == PAID
    assert "\nMine.\n" in page.read_text()
    assert "Curator-Tokens: 100/10" in git(root, "log", "-1", "--format=%b")


def test_a_held_source_is_tried_again_when_the_page_is_clean(
    root: Path, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("curator.models.choose.open_model", lambda *_: _Choice())
    settings = Settings(root, {}, {"on_dirty": "park"})
    edit(page, lambda text: text + "\nMine.\n")
    first = command.run(settings, [root / "sources" / "brewing.txt"], False, False, lambda _: None)
    parked = status.run(Settings(root, {}, {})).data["parked"]
    git(root, "checkout", "-q", "concepts/oolong.md")

    second = command.run(Settings(root, {}, {"on_dirty": "park"}), [], False, False, lambda _: None)

    assert [result["status"] for result in first.data["results"]] == ["held"]
    assert parked[0]["reason"].startswith("waiting for concepts/oolong.md")
    assert [(result["status"], result["source"]) for result in second.data["results"]] == [
        ("ingested", "sources/brewing.txt")
    ]
    assert status.run(Settings(root, {}, {})).data["parked"] == []


class _Choice:
    def __enter__(self) -> ScriptedModel:
        return ScriptedModel((MORE,))

    def __exit__(self, *_: object) -> None:
        pass


def note_kept(repository: Repository, stage: Stage) -> None:
    if stage == "committing":
        repository.runtime.rescued.note_kept("concepts/oolong.md")


def test_what_is_kept_while_a_commit_is_under_way_is_told_by_the_next(root: Path, page: Path) -> None:
    with Repository(root) as repository:
        brew(root, "park", on_stage=lambda stage: note_kept(repository, stage))
        told_by_the_first = (root / "_log.md").read_text().count("kept concepts/oolong.md")
        take_in(drop(root, "more.txt", BREWING + "\nMore.\n"), repository, ScriptedModel((MORE,)))
        take_in(drop(root, "third.txt", BREWING + "\nThird.\n"), repository, ScriptedModel((MORE,)))

    assert told_by_the_first == 0
    assert (root / "_log.md").read_text().count("kept concepts/oolong.md: you saved this page") == 1


def test_what_was_rescued_is_told_once_in_the_log(root: Path, page: Path) -> None:
    with Repository(root) as repository:
        repository.runtime.rescued.note_kept("concepts/oolong.md")

    brew(root, "park")
    with Repository(root) as repository:
        take_in(drop(root, "more.txt", BREWING + "\nMore.\n"), repository, ScriptedModel((MORE,)))

    log = (root / "_log.md").read_text()
    assert log.count("kept concepts/oolong.md: you saved this page") == 1
    assert json.loads((root / "_manifest.json").read_text())["sources"].keys() >= {"sources/more.txt"}


def test_what_is_no_page_is_not_committed_with_the_edits(root: Path, page: Path) -> None:
    for name, text in (("kept.md", "Mind the pot.\n"), ("gone.md", "Mind the lid.\n")):
        (root / "operators" / "ada").mkdir(parents=True, exist_ok=True)
        (root / "operators" / "ada" / name).write_text(text)
    git(root, "add", "operators")
    git(root, "commit", "-qm", "notes beside an operator")
    edit(root / "operators" / "ada" / "kept.md", lambda text: text + "And the kettle.\n")
    (root / "operators" / "ada" / "gone.md").unlink()
    edit(page, lambda text: text.replace("# Oolong\n", "# Oolong\n\nMy own line.\n"))

    assert brew(root, "snapshot").commit

    assert "concepts/oolong.md" in git(root, "show", "--format=", "--name-only", "HEAD~1").split()
    assert git(root, "status", "--porcelain").split() == ["D", "operators/ada/gone.md", "M", "operators/ada/kept.md"]
    assert "kettle" not in (root / "_index.md").read_text()


# -- what holds where nobody has said -------------------------------------------------------------------------------


@pytest.mark.parametrize("remote", [False, True])
def test_an_ingest_is_one_commit_and_a_line_at_the_end_of_a_page_stays_uncommitted(
    root: Path, page: Path, remote: bool
) -> None:
    if remote:
        git(root, "remote", "add", "origin", "https://example.org/tea.git")
    edit(page, lambda text: text + "My own line.\n")
    head, settings = git(root, "rev-parse", "HEAD"), Settings.gather(root, {}, {})

    report = command.run(settings, [root / "sources" / "brewing.txt"], False, False, lambda said: None)

    assert report.data["results"][0]["status"] == "ingested"
    assert git(root, "rev-parse", "HEAD^") == head
    assert git(root, "diff", "--numstat") == "1\t0\tconcepts/oolong.md" and "\nMy own line.\n" in page.read_text()


@pytest.mark.parametrize("on_dirty", ["park", "merge", "snapshot"])
def test_what_is_staged_is_committed_by_its_owner_alone(root: Path, page: Path, on_dirty: OnDirty) -> None:
    mine = edit(page, lambda text: text + "\nMine.\n")
    git(root, "add", "concepts/oolong.md")
    head = git(root, "rev-parse", "HEAD")

    with pytest.raises(Conflict) as caught:
        brew(root, on_dirty)

    assert caught.value.message == "waiting for concepts/oolong.md: it has staged changes"
    assert caught.value.hint == "git commit -m 'my edits' -- concepts/oolong.md"
    assert (page.read_text(), git(root, "rev-parse", "HEAD")) == (mine, head)
    assert git(root, "status", "--porcelain") == "M  concepts/oolong.md\n?? sources/brewing.txt"


def test_the_one_command_lets_it_go_on(root: Path, page: Path) -> None:
    edit(page, lambda text: text + "\nMine.\n")
    git(root, "commit", "-m", "my edits", "--", "concepts/oolong.md")

    assert brew(root, "park").commit
