"""A wiki's clone against its git server: who is faster wins, nothing is forced, an answer that was lost is asked for."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from curator.fleet.checkout import Checkout, RemoteFailed, head_of
from curator.fleet.records import FleetWiki
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
