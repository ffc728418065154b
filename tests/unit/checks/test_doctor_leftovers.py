"""What stopped processes leave behind: each is planted, found, mended or explained, and then the doctor is content."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from curator.repository.catalogue import FILE
from curator.repository.repository import Repository
from curator.repository.source_index import FILE as SOURCES_FILE
from curator.repository.transaction import sweeping
from support.examined import aged, codes, diagnoses, run, the_only
from support.wikis import git


def runtime(root: Path) -> Path:
    return root / ".git" / "curator"


def is_mended(root: Path) -> bool:
    report = run(root, repair=True)
    return report.exit_status == 0 and bool(report.data["repaired"])


def spoil_journal(root: Path) -> None:
    (runtime(root) / "journal.json").write_text('{"sha256": "0", "body": "{}"}')


# -- the journal --------------------------------------------------------------------------------------------------


def test_an_unreadable_journal_of_a_whole_wiki_is_set_aside(wiki: Path) -> None:
    spoil_journal(wiki)

    found = the_only(wiki, "journal_unreadable")

    assert "nothing was left undone" in found.finding.message
    assert is_mended(wiki)
    assert (runtime(wiki) / "rescue" / "journal.json").exists()
    assert codes(wiki) == ["rescued"]


def test_our_lock_goes_after_the_journal_it_belonged_to(wiki: Path) -> None:
    spoil_journal(wiki)
    (runtime(wiki) / "token").write_text("mine")
    os.link(runtime(wiki) / "token", wiki / ".git" / "index.lock")

    assert is_mended(wiki)
    assert not (wiki / ".git" / "index.lock").exists()
    assert codes(wiki) == ["rescued"]


def test_an_unreadable_journal_is_explained_where_a_file_is_behind(wiki: Path) -> None:
    spoil_journal(wiki)
    page = wiki / "concepts" / "oolong.md"
    page.write_text(git(wiki, "show", "HEAD^:concepts/oolong.md") + "\n")

    found = the_only(wiki, "journal_unreadable")

    assert "as before the newest commit: concepts/oolong.md" in found.finding.message
    assert "git restore --staged --worktree -- concepts/oolong.md" in found.repair
    assert run(wiki, repair=True).exit_status == 1
    assert (runtime(wiki) / "journal.json").exists()

    git(wiki, "restore", "--staged", "--worktree", "--", "concepts/oolong.md")
    assert is_mended(wiki)


def test_an_unreadable_journal_is_explained_where_only_the_index_is_behind(wiki: Path) -> None:
    spoil_journal(wiki)
    git(wiki, "reset", "-q", "HEAD^", "--", "concepts/oolong.md")

    found = the_only(wiki, "journal_unreadable")

    assert "not in the index" in found.finding.message
    assert "git restore --staged -- concepts/oolong.md" in found.repair
    assert found.fix is None


def test_an_unreadable_journal_beside_the_users_own_work_is_explained(wiki: Path) -> None:
    spoil_journal(wiki)
    (wiki / "concepts" / "oolong.md").write_text("Mine.\n")
    (wiki / ".git" / "index.lock").write_text("")

    found = the_only(wiki, "journal_unreadable")

    assert "neither as the newest commit has them" in found.finding.message
    assert found.repair.startswith("when no git is running here: rm .git/index.lock; commit or stash your own text")
    run(wiki, repair=True)
    assert (wiki / "concepts" / "oolong.md").read_text() == "Mine.\n"


# -- locks --------------------------------------------------------------------------------------------------------


def test_an_old_lock_that_nobody_holds_is_moved_away(wiki: Path) -> None:
    (wiki / ".git" / "index.lock").write_text("half an index")
    aged(wiki / ".git" / "index.lock")

    found = the_only(wiki, "lock_left")

    assert "2 hours old" in found.finding.message
    assert is_mended(wiki)
    assert (runtime(wiki) / "rescue" / "index.lock").read_text() == "half an index"
    assert codes(wiki) == ["rescued"]


@pytest.mark.parametrize("name", ["index.lock", "HEAD.lock", "refs/heads/main.lock", "packed-refs.lock"])
def test_each_lock_that_stops_git_is_found(wiki: Path, name: str) -> None:
    (wiki / ".git" / name).write_text("")
    aged(wiki / ".git" / name)

    assert the_only(wiki, "lock_left").finding.path == f".git/{name}"
    assert is_mended(wiki)


def test_a_young_lock_is_left_alone(wiki: Path) -> None:
    (wiki / ".git" / "index.lock").write_text("")

    found = the_only(wiki, "lock_held")

    assert "rm .git/index.lock" in found.repair
    assert found.fix is None


@pytest.mark.skipif(sys.platform != "linux", reason="only /proc tells who has a file open")
def test_a_lock_that_is_held_open_is_left_alone(wiki: Path) -> None:
    lock = wiki / ".git" / "index.lock"
    lock.write_text("")
    code = "import sys; file = open(sys.argv[1]); print(flush=True); sys.stdin.read()"
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        aged(lock)

        found = the_only(wiki, "lock_held")

        assert f"({holder.pid})" in found.finding.message
        run(wiki, repair=True)
        assert lock.exists()
    finally:
        holder.communicate()


def test_two_rescued_files_of_one_name_are_both_kept(wiki: Path) -> None:
    for text in ("one", "two"):
        (wiki / ".git" / "index.lock").write_text(text)
        aged(wiki / ".git" / "index.lock")
        assert is_mended(wiki)

    assert sorted(file.read_text() for file in (runtime(wiki) / "rescue").iterdir()) == ["one", "two"]


def test_a_curate_at_work_is_no_fault(wiki: Path) -> None:
    with Repository(wiki) as other, other.runtime.lock():
        found = {diagnosis.finding.code: diagnosis.finding.severity for diagnosis in diagnoses(wiki)}

    assert found == {"curate_at_work": "info"}


def test_texts_of_sources_that_are_gone_are_counted_and_go(wiki: Path) -> None:
    with Repository(wiki) as repository:
        manifest, texts = repository.begin().manifest(), repository.runtime.texts
        mine, gone = manifest.digest(next(iter(manifest.sources))), f"sha256:{'0' * 64}"
        for digest in (mine, gone, f"sha512:{'0' * 128}", f"sha256:{'1' * 64}"):
            texts.put(digest, "pdf", {"lines": []})
        for file in texts.files():
            if "1" * 64 not in file.name:  # which was read just now
                aged(file)

        assert codes(wiki) == ["texts_left"]
        assert run(wiki).data["runtime"]["texts"]["files"] == 4
        assert is_mended(wiki)
        assert texts.get(gone, "pdf") is None
        assert texts.get(mine, "pdf") is not None
        assert len(texts.files()) == 3
        assert codes(wiki) == []


# -- files --------------------------------------------------------------------------------------------------------


def test_a_temporary_file_with_unknown_text_is_kept(wiki: Path) -> None:
    file = wiki / "concepts" / ".curator-0123456789ab~"
    file.write_text("Words of somebody.\n")
    aged(file)

    assert "in no commit" in the_only(wiki, "temporary_left").finding.message
    assert is_mended(wiki)
    assert not file.exists()
    kept = list((runtime(wiki) / "rescue").iterdir())
    assert [one.read_text() for one in kept] == ["Words of somebody.\n"]


@pytest.mark.parametrize("text", ["", None])
def test_a_temporary_file_that_git_knows_goes(wiki: Path, text: str | None) -> None:
    file = wiki / "concepts" / ".curator-0123456789ab~"
    file.write_text((wiki / "concepts" / "oolong.md").read_text() if text is None else text)
    aged(file)

    the_only(wiki, "temporary_left")
    assert is_mended(wiki)
    assert not file.exists()
    assert codes(wiki) == []


def test_a_temporary_file_in_use_is_let_be(wiki: Path) -> None:
    (wiki / "concepts" / ".curator-0123456789ab~").write_text("half a page")

    assert codes(wiki) == []


def test_a_folder_of_an_earlier_doctor_goes(wiki: Path) -> None:
    folder = wiki / ".curate-probe-0123"
    folder.mkdir()
    (folder / "case").write_text("")
    aged(folder)

    the_only(wiki, "temporary_left")
    assert is_mended(wiki)
    assert not folder.exists()


def test_leftovers_of_transactions_go(wiki: Path) -> None:
    for name in ("blobs-abc", "smudged-abc"):
        (runtime(wiki) / name).mkdir()
        aged(runtime(wiki) / name)
    (runtime(wiki) / ".journal.json.4711").write_text("{")
    aged(runtime(wiki) / ".journal.json.4711")
    (runtime(wiki) / "announced").mkdir(exist_ok=True)
    (runtime(wiki) / "announced" / ".tea.json.4711.0").write_text("{")
    aged(runtime(wiki) / "announced" / ".tea.json.4711.0")

    assert "4 leftover(s)" in the_only(wiki, "scratch_left").finding.message
    assert is_mended(wiki)
    assert codes(wiki) == []


def test_nothing_that_a_kill_leaves_stays_for_ever(wiki: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"an old page"
    left = {
        "spool/4711-4711-abc": b"a source",
        f"displaced/{hashlib.sha256(text).hexdigest()}-curator-abc": text,
        "turns/0123456789abcdef01234567": b"",
        **{f"{name}-abc/text": b"" for name in ("blobs", "smudged", "staged")},
        **dict.fromkeys(("index.init", "index.new.lock", "token", "tmp0abc"), b""),
        **{f".{name}.4711-4711": b"" for name in ("journal.json", "token", "queue.jsonl", "curator.toml", "form.json")},
        **{f"{name}/.0abc.json.4711-4711": b"" for name in ("announced", "parked", "orders", "replies", "fetched")},
        "texts/.0abc.text.4711-4711": b"",
    }
    with Repository(wiki) as repository:
        folder = repository.runtime.folder
    for name, content in left.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
        for path in (folder / name, (folder / name).parent):
            os.utime(path, (time.time() - 200_000,) * 2)
    monkeypatch.setattr(sweeping, "GRACE_SECONDS", 0.0)  # of a time that nobody can set

    with Repository(wiki) as repository, repository.runtime.lock():  # as any command begins, and any commit
        sweeping.sweep_scratch(repository.runtime)
    run(wiki, repair=True)

    assert [name for name in left if (folder / name).exists()] == []


def test_what_was_rescued_is_shown_and_no_fault(wiki: Path) -> None:
    file = wiki / "words.txt"
    file.write_text("mine")
    with Repository(wiki) as repository:
        repository.runtime.rescued.move(file, "a test")

    report = run(wiki)

    assert report.exit_status == 0
    assert [finding["code"] for finding in report.data["findings"]] == ["rescued"]
    assert report.data["runtime"]["rescue"] == {"files": 1, "bytes": 4}


def test_what_is_kept_of_a_wiki_below_the_top_is_shown_too(wiki: Path, tmp_path: Path) -> None:
    below = tmp_path / "top" / "notes"
    shutil.copytree(wiki, below, ignore=shutil.ignore_patterns(".git"))
    git(below.parent, "init", "-q")
    git(below.parent, "add", "-A")
    git(below.parent, "commit", "-qm", "by hand")
    with Repository(below) as repository:
        for _ in range(2):
            (below / "words.txt").write_text("mine")
            repository.runtime.rescued.move(below / "words.txt", "a test")
        (repository.runtime.shared / "blobs-left").write_text("a copy")
        aged(repository.runtime.shared / "blobs-left")

    report = run(below)

    assert {"rescued", "scratch_left"} <= {finding["code"] for finding in report.data["findings"]}
    assert report.data["runtime"]["rescue"] == {"files": 2, "bytes": 8}


# -- caches -------------------------------------------------------------------------------------------------------


def test_a_broken_catalogue_is_made_anew(wiki: Path) -> None:
    with Repository(wiki) as repository:
        repository.view()
    file = runtime(wiki) / FILE
    data = bytearray(file.read_bytes())
    data[8192:32768] = b"\xff" * (32768 - 8192)
    file.write_bytes(data)

    the_only(wiki, "cache_broken")
    assert is_mended(wiki)
    assert codes(wiki) == []


def test_a_catalogue_that_is_no_database_is_made_anew(wiki: Path) -> None:
    for file in runtime(wiki).glob("catalogue-*"):
        file.unlink()
    (runtime(wiki) / FILE).write_bytes(b"no database at all" * 100)

    the_only(wiki, "cache_broken")
    assert is_mended(wiki)


@pytest.mark.parametrize(
    "spoil", ["DELETE FROM page WHERE slug='oolong'", "UPDATE page SET entry=replace(entry, 'Oo', 'Aa')"]
)
def test_a_catalogue_that_says_something_else_than_the_pages_is_made_anew(wiki: Path, spoil: str) -> None:
    with Repository(wiki) as repository:
        repository.view()
    with sqlite3.connect(runtime(wiki) / FILE) as database:
        database.execute(spoil)
    database.close()

    found = [diagnosis.finding.code for diagnosis in diagnoses(wiki) if diagnosis.finding.severity == "error"]

    assert "cache_wrong" in found
    assert "index_stale" not in found
    assert is_mended(wiki)
    assert codes(wiki) == []


def test_a_broken_source_index_is_made_anew(wiki: Path) -> None:
    (runtime(wiki) / SOURCES_FILE).write_bytes(b"no database at all" * 100)

    the_only(wiki, "cache_broken")
    assert is_mended(wiki)


@pytest.mark.parametrize("name", ["catalogue-1.db", "sources-0.db"])
def test_a_cache_of_another_version_goes(wiki: Path, name: str) -> None:
    (runtime(wiki) / name).write_text("old")

    assert codes(wiki) == ["cache_old"]
    assert is_mended(wiki)
    assert codes(wiki) == []
