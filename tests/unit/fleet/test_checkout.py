"""A wiki's clone against its git server: who is faster wins, nothing is forced, an answer that was lost is asked for."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from functools import partialmethod
from pathlib import Path

import pytest

from curator.errors import Busy, SourceError
from curator.fleet.checkout import Checkout, RemoteFailed, head_of, is_pushed
from curator.fleet.records import FleetWiki
from curator.repository.runtime.runtime import Runtime
from support.fleets import GitServer
from support.wikis import git

ONE = hashlib.sha256(b"one").hexdigest()


@pytest.fixture
def server(tmp_path: Path) -> GitServer:
    (tmp_path / "git").mkdir()
    return GitServer(tmp_path / "git")


@pytest.fixture
def wiki(server: GitServer, new_wiki: Path) -> FleetWiki:
    return server.add("tea", new_wiki)


def clone(wiki: FleetWiki, place: Path) -> Checkout:
    checkout = Checkout(wiki, place)
    checkout.update()
    return checkout


def commit(checkout: Checkout, name: str) -> str:
    (checkout.folder / name).write_text(name)
    git(checkout.folder, "add", name)
    git(checkout.folder, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", name)
    return git(checkout.folder, "rev-parse", "HEAD").strip()


def test_of_two_that_push_at_once_one_wins_and_the_other_makes_its_commit_again(
    wiki: FleetWiki, tmp_path: Path
) -> None:
    first, second = clone(wiki, tmp_path / "1"), clone(wiki, tmp_path / "2")
    ours = commit(first, "ours.txt")
    commit(second, "theirs.txt")

    assert first.push() == ours
    assert second.push() is None

    assert second.update() == ours == head_of(wiki)
    assert not (second.folder / "theirs.txt").exists()
    theirs = commit(second, "theirs.txt")
    assert second.push() == theirs == head_of(wiki)


def test_a_server_that_refuses_is_no_race_that_was_lost(server: GitServer, wiki: FleetWiki, tmp_path: Path) -> None:
    checkout = clone(wiki, tmp_path / "1")
    commit(checkout, "ours.txt")
    server.refuse("tea")

    with pytest.raises(RemoteFailed, match="the server is being mended"):
        checkout.push()

    server.accept("tea")
    assert checkout.update() == head_of(wiki), "what could not be pushed is given up"


def test_a_push_whose_answer_was_lost_counts(server: GitServer, wiki: FleetWiki, tmp_path: Path) -> None:
    checkout = clone(wiki, tmp_path / "1")
    ours = commit(checkout, "ours.txt")
    after = server.folder / "tea.git" / "hooks" / "post-receive"
    after.write_text("#!/bin/sh\nkill -9 $PPID\n")
    after.chmod(0o755)

    assert checkout.push() == ours


def test_proposals_that_wait_go_with_a_push_and_reach_other_machines(wiki: FleetWiki, tmp_path: Path) -> None:
    first, second = clone(wiki, tmp_path / "1"), clone(wiki, tmp_path / "2")
    git(first.folder, "update-ref", "refs/curator/proposals/a", "HEAD")

    first.push()
    second.update()

    assert git(second.folder, "for-each-ref", "--format=%(refname)", "refs/curator").split() == [
        "refs/curator/proposals/a"
    ]


def test_a_source_is_put_in_its_place_and_away_again(wiki: FleetWiki, tmp_path: Path) -> None:
    checkout = clone(wiki, tmp_path / "1")

    assert not checkout.place("sources/deep/a.txt", ONE, None), "nobody has pushed it"
    assert checkout.place("sources/deep/a.txt", ONE, b"one")
    assert checkout.place("sources/deep/a.txt", ONE, None)
    assert not checkout.place("sources/deep/a.txt", ONE[::-1], None)
    checkout.clear("sources/deep/a.txt")

    assert not (checkout.folder / "sources/deep/a.txt").exists()


@pytest.mark.parametrize("linked", ["sources/deep", "sources"])
def test_no_link_of_a_wiki_leads_out_of_its_clone(wiki: FleetWiki, tmp_path: Path, linked: str) -> None:
    checkout, outside = clone(wiki, tmp_path / "1"), tmp_path / "outside"
    (outside / "deep").mkdir(parents=True)
    (outside / "deep/a.txt").write_bytes(b"mine")
    shutil.rmtree(checkout.folder / linked, ignore_errors=True)
    (checkout.folder / linked).parent.mkdir(exist_ok=True)
    (checkout.folder / linked).symlink_to(outside / Path(linked).relative_to("sources"))
    here = (outside / "deep/a.txt") if linked == "sources" else outside / "a.txt"
    here.write_bytes(b"mine")

    for write in (
        lambda: checkout.place("sources/deep/a.txt", ONE, b"one"),
        lambda: checkout.clear("sources/deep/a.txt"),
    ):
        with pytest.raises(SourceError, match="is no real folder"):
            write()

    assert here.read_bytes() == b"mine"


def test_what_a_push_brought_is_found_by_its_bytes(wiki: FleetWiki, tmp_path: Path) -> None:
    theirs, ours = clone(wiki, tmp_path / "1"), clone(wiki, tmp_path / "2")
    before = head_of(wiki)
    (theirs.folder / "sources").mkdir(exist_ok=True)
    (theirs.folder / "sources/a b.txt").write_bytes(b"one")
    commit(theirs, "sources/.hidden")
    git(theirs.folder, "add", "sources")
    commit(theirs, "other.txt")
    theirs.push()

    head = ours.update()

    assert ours.pushed_sources(before, head) == [("sources/a b.txt", ONE)]
    assert ours.pushed_sources("", head) == ours.pushed_sources("f" * 40, head) == [("sources/a b.txt", ONE)]
    assert ours.pushed_sources(head, head) == []


def test_a_repository_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RemoteFailed, match="git clone ended with status 128"):
        clone(FleetWiki("tea", str(tmp_path / "nothing.git")), tmp_path / "1")


def test_the_lock_of_a_git_that_was_killed_goes_and_one_that_is_held_stays(wiki: FleetWiki, tmp_path: Path) -> None:
    first, second = clone(wiki, tmp_path / "1"), clone(wiki, tmp_path / "2")
    commit(second, "theirs.txt")
    theirs = second.push()
    git(first.folder, "config", "filter.kills.smudge", "kill -9 $PPID")
    (first.folder / ".git" / "info" / "attributes").write_text("theirs.txt filter=kills")
    with pytest.raises(RemoteFailed, match="git reset ended with status -9"):
        first.update()
    git(first.folder, "config", "--remove-section", "filter.kills")
    locks = [first.folder / ".git" / "index.lock", first.folder / ".git/refs/remotes/origin/main.lock"]
    assert locks[0].exists()
    locks[1].touch()

    with pytest.raises(RemoteFailed, match=r"index\.lock"):
        first.update()
    for lock in locks:
        os.utime(lock, (time.time() - 60,) * 2)
    with locks[0].open(), pytest.raises(RemoteFailed, match=r"index\.lock"):
        first.update()

    assert first.update() == theirs
    assert (first.folder / "theirs.txt").exists()
    assert not any(lock.exists() for lock in locks)


def test_a_clone_is_not_brought_up_to_date_while_a_killed_workers_child_commits_in_it(
    wiki: FleetWiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = clone(wiki, tmp_path / "1")
    runtime = Runtime.of(checkout.folder / ".git" / "curator", "")
    monkeypatch.setattr(Runtime, "lock", partialmethod(Runtime.lock, 0.0))

    with runtime.lock(), pytest.raises(Busy):
        checkout.update()

    assert checkout.update() == head_of(wiki)


def test_a_proposal_that_was_decided_at_the_server_does_not_come_back(
    server: GitServer, wiki: FleetWiki, tmp_path: Path
) -> None:
    ref, bare = "refs/curator/proposals/a", server.folder / "tea.git"
    checkout = clone(wiki, tmp_path / "1")
    git(checkout.folder, "update-ref", ref, "HEAD")
    assert not is_pushed(checkout.folder)
    checkout.push()
    assert is_pushed(checkout.folder)
    git(bare, "update-ref", "-d", ref)

    checkout.update()
    commit(checkout, "ours.txt")
    assert not is_pushed(checkout.folder)
    checkout.push()

    assert git(bare, "for-each-ref", "refs/curator") == ""
    assert is_pushed(checkout.folder)
