"""Whatever git is told by configuration and environment, and whatever the disk allows: a commit is what it has to be."""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator.cli.commands import ask, ingest, init, log, status
from curator.errors import Conflict
from curator.repository import wiki_folder
from curator.repository.git import commits
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.repository.transaction import disk_checks
from support.depth import of_this_commit
from support.fakes import ScriptedModel
from support.shapes import FIVE, NEW, PAGE, TEXT, land, lands, refused, said, whole
from support.waiting import has_ended, until
from support.wikis import MORE, OOLONG, drop, git, take_in

# -- signatures --------------------------------------------------------------------------------------------------------


@pytest.fixture
def signing(root: Path, tmp_path: Path) -> Path:
    """A wiki whose user signs with an ssh key."""
    if shutil.which("ssh-keygen") is None:
        pytest.skip("no ssh-keygen")
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ada", "-f", key], check=True)
    (tmp_path / "allowed").write_text(f"ada@example.org {key.with_suffix('.pub').read_text()}")
    for name, value in {
        "commit.gpgSign": "true",
        "gpg.format": "ssh",
        "user.signingKey": str(key),
        "gpg.ssh.allowedSignersFile": str(tmp_path / "allowed"),
    }.items():
        git(root, "config", name, value)
    return root


def test_commits_are_signed_where_the_user_signs(signing: Path, tmp_path: Path) -> None:
    lands(signing, {NEW: TEXT})
    git(signing, "verify-commit", "HEAD")

    git(signing, "config", "commit.gpgSign", "false")
    lands(signing, {PAGE: TEXT})
    assert "gpgsig" not in git(signing, "cat-file", "-p", "HEAD")


def test_the_first_commit_is_signed_too(tmp_path: Path, signing: Path) -> None:
    (tmp_path / "other").mkdir()
    git(tmp_path / "other", "init", "-q", "-b", "main")
    shutil.copyfile(signing / ".git" / "config", tmp_path / "other" / ".git" / "config")

    init.run(tmp_path / "other", "Tea")

    git(tmp_path / "other", "verify-commit", "HEAD")


@pytest.mark.parametrize("how", ["missing", "fails", "hangs"])
def test_a_commit_that_cannot_be_signed_is_not_made(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    program = tmp_path / "gpg"
    if how != "missing":
        act = "sleep 60 & wait" if how == "hangs" else "echo 'no secret key' >&2; exit 2"
        program.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\n{act}\n")
        program.chmod(0o755)
    git(root, "config", "commit.gpgSign", "true")
    git(root, "config", "gpg.program", str(program))
    monkeypatch.setattr(commits, "SIGNING_SECONDS", 2 if how == "hangs" else 300)

    error = refused(root, {NEW: TEXT})

    assert error.code == "signing_failed"
    assert {"missing": "cannot run", "fails": "failed to sign", "hangs": "no answer in 2 seconds"}[how] in error.message
    if how == "hangs":
        until(lambda: has_ended(int((tmp_path / "pid").read_text())))


def test_a_source_whose_commit_cannot_be_signed_waits_with_the_reason(root: Path) -> None:
    git(root, "config", "commit.gpgSign", "true")
    git(root, "config", "gpg.program", "/nowhere/gpg")
    head = git(root, "rev-parse", "HEAD")

    report = ingest.run(Settings(root, {}, {}), [drop(root)], False, False, lambda _: None)

    assert report.exit_status == 1
    assert report.data["results"][0]["status"] == "held"
    assert report.data["results"][0]["code"] == "signing_failed"
    assert git(root, "rev-parse", "HEAD") == head
    assert "could not be signed" in "\n".join(status.run(Settings(root, {}, {})).lines)


# -- configuration and environment -------------------------------------------------------------------------------------

HOSTILE = {
    "blame.ignoreRevsFile": "/nowhere",
    "branch.autoSetupMerge": "always",
    "color.ui": "always",
    "commit.cleanup": "scissors",
    "commit.status": "false",
    "commit.template": "/nowhere",
    "commit.verbose": "true",
    "core.abbrev": "4",
    "core.alternateRefsCommand": "false",
    "core.bigFileThreshold": "1",
    "core.checkStat": "minimal",
    "core.commentChar": "c",
    "core.compression": "0",
    "core.editor": "false",
    "core.excludesFile": "{tmp}/ignore-all",
    "core.fsmonitor": "false",
    "core.fsyncMethod": "batch",
    "core.hooksPath": "{tmp}/hooks",
    "core.ignoreCase": "true",
    "core.logAllRefUpdates": "false",
    "core.looseCompression": "9",
    "core.pager": "false",
    "core.precomposeUnicode": "true",
    "core.quotePath": "true",
    "core.splitIndex": "true",
    "core.symlinks": "false",
    "core.trustctime": "false",
    "core.untrackedCache": "true",
    "core.whitespace": "cr-at-eol,trailing-space",
    "diff.external": "false",
    "diff.ignoreSubmodules": "all",
    "diff.mnemonicPrefix": "true",
    "diff.noprefix": "true",
    "diff.orderFile": "/nowhere",
    "diff.relative": "true",
    "diff.renames": "copies",
    "diff.wordRegex": ".",
    "feature.manyFiles": "true",
    "fetch.fsckObjects": "true",
    "format.pretty": "oneline",
    "gc.auto": "1",
    "gc.autoDetach": "false",
    "grep.patternType": "fixed",
    "i18n.commitEncoding": "ISO-8859-1",
    "i18n.logOutputEncoding": "ISO-8859-1",
    "index.version": "4",
    "log.date": "relative",
    "log.decorate": "full",
    "log.follow": "true",
    "log.mailmap": "true",
    "log.showRoot": "false",
    "log.showSignature": "true",
    "maintenance.auto": "true",
    "notes.displayRef": "*",
    "pager.log": "false",
    "pager.status": "true",
    "receive.denyCurrentBranch": "refuse",
    "status.branch": "true",
    "status.renames": "copies",
    "status.short": "true",
    "status.showStash": "true",
    "status.showUntrackedFiles": "no",
    "status.submoduleSummary": "true",
    "trailer.separators": "#",
    "transfer.hideRefs": "refs/heads",
    "user.useConfigOnly": "true",
    "alias.commit-tree": "!false",
    "alias.ls-files": "!false",
}


@pytest.fixture
def hostile(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A wiki in a world where everything is set that could change what git says or does."""
    (tmp_path / "ignore-all").write_text("*\n")
    (tmp_path / "hooks").mkdir()
    for name in (
        "pre-commit",
        "commit-msg",
        "reference-transaction",
        "post-index-change",
        "post-commit",
        "pre-auto-gc",
    ):
        hook = tmp_path / "hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\nexit 1\n")
        hook.chmod(0o755)
    lines = []
    for name, value in HOSTILE.items():
        section, _, key = name.rpartition(".")
        lines.append(f"[{section}]\n\t{key} = {value.format(tmp=tmp_path)}\n")
    with (root / ".git" / "config").open("a") as file:
        file.write("".join(lines))
    away = {
        "GIT_DIR": "/nowhere", "GIT_WORK_TREE": "/nowhere", "GIT_INDEX_FILE": "/nowhere", "GIT_OBJECT_DIRECTORY": "/x",
        "GIT_COMMON_DIR": "/nowhere", "GIT_NAMESPACE": "x", "GIT_PREFIX": "x/", "GIT_QUARANTINE_PATH": "/nowhere",
        "GIT_CONFIG_PARAMETERS": "'commit.gpgsign=true'", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.bare",
        "GIT_CONFIG_VALUE_0": "true", "GIT_TRACE": "1", "GIT_TRACE2": "1", "GIT_TRACE_SETUP": "1", "GIT_PAGER": "false",
        "GIT_EXTERNAL_DIFF": "false", "GIT_LITERAL_PATHSPECS": "0", "GIT_ICASE_PATHSPECS": "1", "GIT_EDITOR": "false",
        "GIT_REPLACE_REF_BASE": "refs/heads/", "GIT_DEFAULT_HASH": "sha256", "PAGER": "false", "LANG": "de_DE.UTF-8",
        "LANGUAGE": "de", "LC_MESSAGES": "de_DE.UTF-8", "TZ": "Asia/Kathmandu", "COLUMNS": "5", "TERM": "dumb",
    }  # fmt: skip
    with monkeypatch.context() as context:
        for name, value in away.items():
            context.setenv(name, value)
        yield root


def test_a_hostile_configuration_and_environment_change_nothing(hostile: Path, tmp_path: Path) -> None:
    settings = Settings(hostile, {}, {})

    with Repository(hostile) as repository:
        take_in(drop(hostile), repository, ScriptedModel((OOLONG,)))
        take_in(drop(hostile, "brewing.txt", FIVE), repository, ScriptedModel((MORE,)))
    ran = (tmp_path / "ran").exists()
    events = log.run(settings, 10).data["events"]
    shown = status.run(Settings(hostile, {}, {})).data

    assert not ran
    assert [event["source"] for event in events] == ["sources/brewing.txt", "sources/oolong-notes.txt"]
    assert shown["pages"] == 3
    (hostile / ".git" / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
    whole(hostile)
    assert git(hostile, "log", "-1", "--format=%an %s") == "Ada ingest: sources/brewing.txt"


def test_a_commit_message_is_utf_8_whatever_git_is_told(root: Path) -> None:
    git(root, "config", "i18n.commitEncoding", "ISO-8859-1")

    with Repository(root) as repository:
        repository.begin().commit({NEW: TEXT}, None, "manual: 烏龍 café\n")

    raw = subprocess.run(["git", "cat-file", "-p", "HEAD"], cwd=root, check=True, capture_output=True).stdout.decode()
    assert "manual: 烏龍 café" in raw
    assert "encoding" not in raw


# -- rights and room ---------------------------------------------------------------------------------------------------


def test_a_shared_repository_stays_writable_for_its_group(root: Path) -> None:
    git(root, "config", "core.sharedRepository", "group")
    older = {*(root / ".git" / "objects").iterdir()}
    before = os.umask(0o077)
    try:
        land(root, {NEW: TEXT})
    finally:
        os.umask(before)

    written = [root / ".git" / name for name in ("index", "refs/heads/main", "logs/HEAD", "logs/refs/heads/main")]
    oid = git(root, "rev-parse", "HEAD")
    written += [root / ".git" / "objects" / oid[:2], root / ".git" / "objects" / oid[:2] / oid[2:]]
    folders = {path for path in written if path.is_dir()} - older  # one of before has the rights of then
    wrong = [path for path in folders if not path.stat().st_mode & stat.S_IWGRP]
    wrong += [path for path in {*written} - older if not path.stat().st_mode & stat.S_IRGRP]
    assert wrong == []
    assert (root / ".git" / "index").stat().st_mode & stat.S_IWGRP


def test_modes_do_not_matter_where_git_is_told_so(root: Path) -> None:
    lands(root, {PAGE: "# Tea\n"})
    git(root, "config", "core.fileMode", "false")
    (root / PAGE).chmod(0o755)
    drop(root).chmod(0o755)

    with Repository(root) as repository:
        take_in(root / "sources" / "oolong-notes.txt", repository, ScriptedModel((OOLONG,)))
    lands(root, {PAGE: TEXT})

    assert "100755" not in git(root, "ls-tree", "-r", "HEAD")


def test_a_full_disk_is_seen_before_anything_is_written(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.statvfs(root)
    blocks = 1_500_000 // real.f_frsize
    full = os.statvfs_result((*real[:4], blocks, *real[5:]))
    lands(root, {PAGE: "# Tea\n"})
    monkeypatch.setattr(os, "statvfs", lambda _: full)

    error = refused(root, {PAGE: TEXT * 10_000})

    assert error.code == "disk_full"
    assert error.message.startswith("there are 1.5 MB free in")
    assert not list((root / ".git" / "curator").glob("blobs-*"))
    lands(root, {PAGE: TEXT})


@pytest.mark.parametrize("place", [".git", ".git/objects", ".", "concepts"])
def test_what_cannot_be_written_to_is_named(root: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    lands(root, {PAGE: "# Tea\n"})
    real = os.access
    locked = (root / place).resolve()
    monkeypatch.setattr(os, "access", lambda path, *rest, **more: path != locked and real(path, *rest, **more))

    error = refused(root, {PAGE: TEXT})

    assert said(error) == ("not_writable", f"{str(locked)!r} cannot be written to")


def test_a_file_system_without_hard_links_is_named(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", link)

    error = refused(root, {PAGE: TEXT})
    assert error.code == "no_hard_links"
    assert str(root / ".git") in error.message

    with pytest.raises(Conflict) as caught:
        disk_checks.check_links([root])
    assert said(caught.value) == (
        "no_hard_links",
        f"files in {str(root)!r} cannot get a second name: Operation not permitted",
    )
    assert not list(root.glob(".curator-*"))


_READ_ONLY = """
mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 77
for said in "status" "search oolong" "ask what is oolong" "lint" "validate" "sources" "manifest" "index" "" "ingest $2"; do
    "$3" -m curator --wiki "$1" $said 2>&1 | sed "s|^|$said: |"
done
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="no unshare")
def test_a_read_only_disk_is_looked_at_and_not_written_to(root: Path, tmp_path: Path) -> None:
    """By a mount of its own: root may write to any folder that is only said to be read-only."""
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    source = tmp_path / "other.txt"
    source.write_text("Other tea.\n")
    temporary = tmp_path / "temporary"
    temporary.mkdir()

    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", _READ_ONLY, "sh", str(root), str(source)]
    environment = {**os.environ, "TMPDIR": str(temporary)}
    done = subprocess.run([*command, sys.executable], capture_output=True, text=True, check=False, env=environment)
    if not done.stdout:
        pytest.skip(f"no mounts here: {done.stderr}")

    denied = f"{str(root / '.git' / 'curator')!r} cannot be written to"
    assert "status: parked   none" in done.stdout
    assert "search oolong: " in done.stdout and "concepts/oolong.md" in done.stdout
    assert "ask what is oolong: " in done.stdout
    assert f"lint: log        nothing appended: {denied}" in done.stdout
    assert "validate: valid: " in done.stdout
    assert "index: # Index" in done.stdout
    assert ": pages    2" in done.stdout
    assert f"ingest {source}: curate ingest: {denied}" in done.stdout
    assert done.stdout.count(denied) == 2
    assert "Traceback" not in done.stdout
    assert [*temporary.iterdir()] == []


_FULL = """
mount -t tmpfs -o size=2m none "$2" && cp -a "$1" "$2/wiki" && cd "$2/wiki" || exit 77
mkdir "$2/temporary"
cat /dev/zero > "$2/fill" 2>/dev/null
export TMPDIR="$2/temporary"
for said in "ask what is oolong" "ask --json what is oolong" "ask --material what is oolong" "status" "search oolong" \
    "ask --save what is oolong"; do
    "$3" -m curator --wiki "$2/wiki" $said 2>&1 | sed "s|^|$said: |"
done
git status --porcelain
ls "$2/temporary"
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="no unshare")
@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="no memory to write to")  # noqa: S108
@pytest.mark.parametrize("is_warm", of_this_commit([False, True], 2), ids="with caches: {}".format)
def test_on_a_full_disk_a_question_is_answered_with_one_warning(root: Path, tmp_path: Path, is_warm: bool) -> None:
    """A push tries one of the two, as the commit says; at night both are tried."""
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    if is_warm:
        assert ask.run(Settings(root, {}, {}), "what is oolong", ask.AskRequest(remembers=True), lambda _: None).ok
    else:
        shutil.rmtree(root / ".git" / "curator")
    disk = tmp_path / "disk"
    disk.mkdir()

    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", _FULL, "sh", str(root), str(disk), sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not done.stdout:
        pytest.skip(f"no mounts here: {done.stderr}")

    said = [line.partition(": ")[::2] for line in done.stdout.splitlines()]
    of = {name: [line for each, line in said if each == name] for name, _ in said}
    for name in ("ask what is oolong", "ask --material what is oolong"):
        assert any("oxidised in part" in line for line in of[name])
        assert [line for line in of[name] if "warning: no cache is kept" in line and line.endswith("(disk_full)")]
        assert sum("warning:" in line for line in of[name]) == 1
    assert [each["code"] for each in json.loads("\n".join(of["ask --json what is oolong"]))["warnings"]] == [
        "disk_full"
    ]
    assert any("parked   none" in line for line in of["status"])
    assert any("concepts/oolong.md" in line for line in of["search oolong"])
    assert any("are needed to be safe" in line for line in of["ask --save what is oolong"])
    assert "Traceback" not in done.stdout
    assert len(of) == 6, "nothing is left over, and the wiki is as it was"


@pytest.mark.parametrize("limit", ["tokens_per_day", "dollars_per_month"])
def test_where_nothing_can_be_booked_a_model_with_a_limit_is_not_asked(
    root: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    full = Conflict("disk_full", "0 bytes are free", "make room")
    monkeypatch.setattr(wiki_folder, "_unwritable", lambda folder: full if folder.name == "curator" else None)
    paid = Settings(root, {}, {"model": "openai/paid", limit: 5}, looks=True)

    with pytest.raises(Conflict) as refused:
        ask.run(paid, "what is oolong", ask.AskRequest(), lambda _: None)

    assert refused.value is full
    assert not ask.run(
        Settings(root, {}, {limit: 5}, looks=True), "what is oolong", ask.AskRequest(), lambda _: None
    ).ok
