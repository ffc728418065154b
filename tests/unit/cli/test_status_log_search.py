"""What ``status``, ``log`` and ``search`` report, in the shapes that programs rely on."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any, cast

import pytest
from rich.console import Console

from curator.cli.commands import log, search, status
from curator.config import Config
from curator.errors import ConfigError, WikiError
from curator.ingest.plan import Outcome
from curator.models.port import Usage
from curator.repository.git import Git
from curator.repository.repository import Repository
from curator.repository.runtime.runtime import Parked, file_stamp
from curator.repository.settings import Settings
from curator.service.queue import Queue, QueueItem
from curator.wiki.sources.record import Record
from curator.wiki.sources.registry import SourceManifest
from support.asked import planted
from support.fakes import ScriptedModel
from support.lints import page
from support.wikis import NOW, OOLONG, drop, git, proposal, summary, take_in


def settings(root: Path) -> Settings:
    return Settings(root, {}, {})


def status_of(root: Path) -> dict[str, Any]:
    return status.run(settings(root)).data


def ingest(root: Path, usage: Usage, name: str = "oolong-notes.txt") -> Outcome:
    answer = OOLONG if name == "oolong-notes.txt" else proposal(summary(title=name))
    with Repository(root) as repository:
        return take_in(drop(root, name), repository, ScriptedModel((answer,), usage=usage))


# -- status -------------------------------------------------------------------------------------------------------


def test_a_new_wiki_has_spent_nothing_and_waits_for_nothing(root: Path) -> None:
    assert status_of(root) == {
        "wiki": str(root),
        "head": git(root, "rev-parse", "HEAD"),
        "branch": "main",
        "lifecycle": "empty",
        "protected": [],
        "pages": 0,
        "not_pages": [],
        "sources": 0,
        "queue": [],
        "parked": [],
        "spend": {"prompt": 0, "completion": 0, "cost": 0.0},
        "landed": {"prompt": 0, "completion": 0, "cost": 0.0},
        "sandbox": None,
        "jails": "",
        "daemon": None,
        "service": {"running": None, "health": [], "counts": {}},
        "paid": {"tokens": 0, "cost": 0.0},
        "budget": {span: {"tokens": 0, "cost": 0.0} for span in ("day", "month")},
        "commits": [],
        "rescued": [],
        "missing": [],
        "changed": [],
        "undone": [],
        "unrecorded": [],
        "unfinished": None,
        "unapproved": [],
        "edited": [],
        "due": [],
        "new": [],
        "view": None,
    }


def test_a_file_that_nobody_has_taken_in_is_named(root: Path) -> None:
    ingest(root, Usage(0, 0, 0.0))
    for name in ("b/new.txt", "a-new.md", "picture.png", ".hidden.txt", "new.txt.sig"):
        drop(root, name, "New words.\n")

    report = status.run(settings(root))

    assert report.data["new"] == ["sources/a-new.md", "sources/b/new.txt"]
    shown = ("new      2", "  sources/a-new.md", "  sources/b/new.txt", "    next: curate ingest sources/")
    assert shown == report.lines[-4:]


@pytest.mark.parametrize("is_committed", [False, True])
def test_a_source_whose_file_says_something_else_by_now_is_named(root: Path, is_committed: bool) -> None:
    ingest(root, Usage(0, 0, 0.0))
    assert status_of(root)["changed"] == []
    drop(root, "oolong-notes.txt", "Oolong is another tea.\n")
    if is_committed:
        git(root, "commit", "-qam", "corrected")

    report = status.run(settings(root))

    following = "curate ingest sources/oolong-notes.txt takes in what it says now"
    assert report.data["changed"] == [{"source": "sources/oolong-notes.txt", "next": following}]
    assert report.lines[-3:] == ("changed  1", "  sources/oolong-notes.txt", f"    next: {following}")


def test_of_many_files_that_are_gone_ten_are_shown_and_git_is_asked_once(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = SourceManifest({f"sources/{n:02}.md": Record(f"{n:064x}", ()) for n in range(12)})
    (root / "_manifest.json").write_text(manifest.dumps(), "utf-8")
    git(root, "commit", "-qam", "sources whose files are gone")
    asked: list[str] = []
    run = Git.run

    def counted(self: Git, *words: str, **more: Any) -> tuple[int, bytes, str]:
        asked.append(words[0])
        return run(self, *words, **more)

    monkeypatch.setattr(Git, "run", counted)

    report = status.run(settings(root))

    assert len(report.data["missing"]) == 12
    at = report.lines.index("missing  12")
    assert report.lines[at + 1] == "  sources/00.md"
    assert report.lines[at + 21] == "  and 2 more: curate status --json"
    assert asked.count("config") <= 3


def test_the_view_of_the_settings_is_named_and_what_is_wrong_with_it(root: Path) -> None:
    (root.parent / "lab").mkdir()
    view = root.parent / "lab" / "KNOWLEDGE.md"
    head = "schema: knowledge.workspace/v1\nname: lab\ntitle: Lab\ndescription: A lab.\nversion: 1.0.0\n"
    view.write_text(f"---\n{head}extends: ../wiki/KNOWLEDGE.md\n---\n", "utf-8")
    file = root / ".git" / "curator" / "curator.toml"
    file.parent.mkdir(exist_ok=True)
    file.write_text('view = "../lab"\n', "utf-8")

    def told() -> list[str]:
        return [line for line in status.run(settings(root)).lines if line.startswith("view ")]

    assert told() == [f"view     {view}"]
    view.write_text(f"---\n{head}extends: ../gone/KNOWLEDGE.md\n---\n", "utf-8")
    assert "gone" in told()[0].removeprefix(f"view     {view}: ")
    view.write_text("---\nschema: [\n---\n", "utf-8")
    assert told()[0].startswith(f"view     {view}: ")
    file.write_text('view = "../gone"\n', "utf-8")
    assert told()[0].startswith("view     ../gone: ")


def test_rules_with_edits_that_are_not_committed_are_told_of(root: Path) -> None:
    (root / "AGENTS.md").write_text("# Other words\n", "utf-8")

    assert (
        "rules    AGENTS.md has edits that are not committed and so in force for nobody"
        in status.run(settings(root)).lines
    )


def test_what_was_spent_is_summed_from_the_commits(root: Path) -> None:
    ingest(root, Usage(1200, 300, 0.0042))
    ingest(root, Usage(800, 200, 0.0001), "more.txt")

    report = status.run(settings(root))

    assert report.data["spend"] == report.data["landed"] == {"prompt": 2000, "completion": 500, "cost": 0.0043}
    assert report.data["sandbox"] in ("strong", "medium", "weak")
    assert "spent    2,000 tokens in, 500 out, 0.0043 USD" in report.lines


def test_what_nobody_knows_is_not_shown_as_a_number(root: Path) -> None:
    ingest(root, Usage(1200, 300, None))
    ingest(root, Usage(None, 200, 0.1), "more.txt")

    report = status.run(settings(root))

    assert report.data["spend"] == {"prompt": None, "completion": 500, "cost": None}
    assert "spent    ? tokens in, 500 out, price unknown" in report.lines


def test_a_commit_of_somebody_else_with_such_trailers_does_no_harm(root: Path) -> None:
    trailers = "Curator-Tokens: lots/²\nCurator-Cost: -1e999 USD\nCurator-Sandbox: none"
    git(root, "commit", "-q", "--allow-empty", "-m", f"mine\n\n{trailers}")

    data = status_of(root)

    assert data["spend"] == {"prompt": None, "completion": None, "cost": None}
    assert data["sandbox"] is None


def test_a_wiki_in_a_bigger_repository_counts_its_own_commits(tmp_path: Path) -> None:
    from curator.cli.commands import init

    git(tmp_path, "init", "-q", "-b", "main")
    for name in ("tea", "coffee"):
        init.run(tmp_path / name, None)
    ingest(tmp_path / "tea", Usage(1, 2, 0.5))

    assert status_of(tmp_path / "tea")["spend"] == {"prompt": 1, "completion": 2, "cost": 0.5}
    assert status_of(tmp_path / "coffee")["spend"] == {"prompt": 0, "completion": 0, "cost": 0.0}
    assert len(log.run(settings(tmp_path / "tea"), 10).data["events"]) == 1
    assert log.run(settings(tmp_path / "coffee"), 10).data["events"] == []


def test_status_is_shown_in_the_middle_of_a_merge_and_on_a_detached_head(root: Path) -> None:
    (root / ".git" / "MERGE_HEAD").write_text(git(root, "rev-parse", "HEAD"))
    git(root, "update-ref", "--no-deref", "HEAD", "HEAD")
    (root / ".git" / "HEAD").write_text(git(root, "rev-parse", "HEAD") + "\n")

    assert "(detached)" in status.run(settings(root)).lines[1]


def test_a_wiki_without_a_commit_is_named(tmp_path: Path) -> None:
    (tmp_path / "KNOWLEDGE.md").touch()
    git(tmp_path, "init", "-q")

    with pytest.raises(ConfigError) as caught:
        status_of(tmp_path)

    assert caught.value.code == "no_commit"
    assert log.run(settings(tmp_path), 10).data == {"events": []}


def test_a_broken_manifest_is_named(root: Path) -> None:
    (root / "_manifest.json").write_text("{")
    git(root, "commit", "-qam", "broken")

    with pytest.raises(WikiError, match=r"_manifest\.json"):
        status_of(root)


def park(root: Path, name: str) -> Parked:
    """A source in ``sources/`` that waits."""
    file = drop(root, name)
    seen = file_stamp(file)
    at = NOW.strftime("%Y-%m-%dT%H:%M:%SZ")
    parked = Parked(f"sources/{name}", "sha256:0", "code", "why", "do it", at, ({"code": "x", "message": "y"},), seen)
    with Repository(root) as repository:
        repository.runtime.park(parked)
    return parked


def test_a_source_that_waits_is_shown_with_the_reason_and_the_next_step(root: Path) -> None:
    park(root, "tea.md")

    report = status.run(settings(root))

    assert report.data["parked"] == [
        {
            "source": "sources/tea.md",
            "reason": "why",
            "next": "do it",
            "code": "code",
            "at": "2026-05-01T12:00:00Z",
            "findings": [{"code": "x", "message": "y"}],
        }
    ]
    assert report.lines[-4:] == ("parked   1", "  sources/tea.md: why", "    x: y", "    next: do it")


def test_a_source_that_is_gone_waits_no_longer(root: Path) -> None:
    park(root, "tea.md")
    (root / "sources" / "tea.md").unlink()

    assert status_of(root)["parked"] == []


def test_a_source_that_was_changed_since_is_said_to_be(root: Path) -> None:
    park(root, "té a.md")
    drop(root, "té a.md", "changed")

    (item,) = status_of(root)["parked"]

    assert item["reason"] == "why (it has changed since)"
    assert item["next"] == "curate ingest 'sources/té a.md'"


def test_a_source_that_came_in_on_another_way_waits_no_longer(root: Path) -> None:
    ingest(root, Usage())
    with Repository(root) as repository:
        record = repository.view().manifest().sources["sources/oolong-notes.txt"]
        parked = park(root, "oolong-notes.txt")
        repository.runtime.park(replace(parked, digest=f"sha256:{record.content_hash}"))

    assert status_of(root)["parked"] == []


def test_a_name_that_no_terminal_should_see_is_escaped(root: Path) -> None:
    park(root, "te\x1b[31m\udcffa.md")

    assert "  sources/te\\x1b[31m\\xffa.md: why" in status.run(settings(root)).lines


# -- log ----------------------------------------------------------------------------------------------------------


def test_the_log_tells_what_each_ingest_did_newest_first(root: Path) -> None:
    ingest(root, Usage())
    ingest(root, Usage(), "more, and more.txt")
    git(root, "commit", "-q", "--allow-empty", "-m", "mine")

    newest, oldest = log.run(settings(root), 10).data["events"]

    assert newest["source"] == "sources/more, and more.txt"
    assert newest["subject"] == "ingest: sources/more, and more.txt"
    assert newest["commit"].startswith(newest["id"])
    assert oldest["did"] == [
        "created [[oolong-notes]] Oolong notes",
        "created [[oolong]] Oolong",
        "curated by scripted/model",
    ]
    assert log.run(settings(root), 1).data["events"] == [newest]


# -- search -------------------------------------------------------------------------------------------------------


def test_a_hit_has_what_programs_need(root: Path) -> None:
    ingest(root, Usage())

    hits = search.run(settings(root), "oxidised oolong", 10).data["hits"]

    by_slug = {hit["slug"]: hit for hit in hits}
    assert set(by_slug["oolong"]) == {"slug", "path", "title", "score", "snippet"}
    assert by_slug["oolong"]["path"] == "concepts/oolong.md"
    assert by_slug["oolong"]["snippet"] == "Oolong is a tea that is oxidised in part."
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)


@pytest.mark.parametrize("words", ["pip", "What is pip?", "the pips"])
def test_the_page_that_is_called_so_is_the_first_hit(root: Path, words: str) -> None:
    planted(
        root, page("pip", "It installs."), page("pip-install", "Calls pip, and pip calls pip.", title="pip install pip")
    )

    hits = search.run(settings(root), words, 2).data["hits"]

    assert [hit["slug"] for hit in hits] == ["pip", "pip-install"]
    assert search.run(settings(root), "-pip", 2).data["hits"] == []


def test_no_more_hits_than_wanted(root: Path) -> None:
    ingest(root, Usage())

    assert len(search.run(settings(root), "oolong", 1).data["hits"]) == 1


@pytest.mark.parametrize(
    "words", ["", " ", '"', "*", "a AND", "(oolong", "title:oolong", "-oolong", "'; --", "x" * 9999, "\0"]
)
def test_no_words_upset_the_search(root: Path, words: str) -> None:
    ingest(root, Usage())

    assert search.run(settings(root), words, 10).exit_status == 0


@pytest.mark.parametrize(
    ("written", "is_loaded"),
    [("", False), ('model = "gpt-x"\n', False), ("parallel = 2\n", True), ("modle = 1\n", True)],
)
def test_a_search_loads_the_settings_only_where_they_may_be_wrong(
    root: Path, written: str, is_loaded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest(root, Usage())
    (root / ".git/curator/curator.toml").write_text(written, "utf-8")
    loaded: list[object] = []

    def load(*places: object) -> Config:
        loaded.append(places)
        return Config()

    monkeypatch.setattr(Config, "load", load)

    assert search.run(replace(settings(root), environment={"CURATOR_TRUSTED": "*"}), "oolong", 9).data["hits"]
    assert bool(loaded) is is_loaded


def test_the_live_view_shows_what_the_service_is_at(root: Path) -> None:
    drop(root)
    queue = Queue(root / ".git" / "curator" / "queue.jsonl")
    queue.put(QueueItem("sources/oolong-notes.txt", "1", "waiting", 1.0, next_try=9e9, reason="oolong is being edited"))
    queue.put(QueueItem("sources/[b]x.txt", "1", "queued", 2.0))
    console = Console(file=StringIO(), width=120, height=40, force_terminal=True)

    status.show_live(settings(root), console, looks=1)

    shown = cast(StringIO, console.file).getvalue()
    assert "service  none runs" in shown
    assert "1 waiting, 1 queued" in shown
    assert "oolong is being edited" in shown
    assert "sources/[b]x.txt" in shown
