"""``sources.signing``: who vouches for a source is proven from the bytes that come in, and goes with them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from curator.cli.commands import doctor, edit, ingest, lint, sources, status
from curator.errors import ConfigError, SourceError
from curator.ingest import intake
from curator.ingest.result import IngestContext
from curator.ingest.take_in import take_in
from curator.repository import source_files
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.repository.signatures import NAMESPACE, SignatureVerifier
from curator.service.watching import scan
from curator.wiki.sources.record import Signature
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.sources.source import signed_by
from scripts.audit import audit
from support.records import record_of
from support.wikis import TEA, drop, git, manage

SOURCE = "sources/oolong-notes.txt"
needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
needs_gpg = pytest.mark.skipif(shutil.which("gpg") is None, reason="gpg is not installed")


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """Ann's key, which counts, and Eve's, which does not."""
    folder = tmp_path / "keys"
    folder.mkdir(mode=0o700)
    for name in ("ann", "eve"):
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(folder / name)]
        subprocess.run(command, check=True)
    public = (folder / "ann.pub").read_text("utf-8").rsplit(" ", 1)[0]
    (folder / "allowed").write_text(f'ann@example.org,ann namespaces="{NAMESPACE},git" {public}\n', "utf-8")
    return folder


def sign(file: Path, keys: Path, by: str = "ann", namespace: str = NAMESPACE) -> Path:
    command = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(keys / by), "-n", namespace, str(file)]
    Path(f"{file}.sig").unlink(missing_ok=True)
    subprocess.run(command, check=True, capture_output=True)
    return Path(f"{file}.sig")


def settings(root: Path, keys: Path | None = None) -> Settings:
    return Settings(root, dict(os.environ), {"allowed_signers": str(keys / "allowed") if keys else None})


def take(root: Path, keys: Path | None, *files: Path, dry_run: bool = False) -> dict[str, Any]:
    (result,) = ingest.run(settings(root, keys), files, dry_run, False, lambda _: None).data["results"]
    return dict(result)


def refused(root: Path, keys: Path | None, file: Path) -> dict[str, Any]:
    before = git(root, "rev-parse", "HEAD")
    result = take(root, keys, file)
    assert result["status"] == "refused"
    assert git(root, "rev-parse", "HEAD") == before
    assert result["next"]
    assert not list((root / ".git" / "curator" / "spool").iterdir())
    return result


# -- signatures are no sources -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("x.txt.sig", "x.txt"),
        ("x.md.asc", "x.md"),
        ("X.TXT.SIG", "X.TXT"),
        ("x.sig", "x"),
        ("x.exe.sig", ""),
        ("x.txt", ""),
        ("sig", ""),
        ("", ""),
    ],
)
def test_a_signature_is_called_after_its_source(name: str, of: str) -> None:
    assert signed_by(name) == of


def test_a_folder_passes_over_signatures_and_one_that_is_named_is_explained(root: Path, repository: Repository) -> None:
    file, signature = drop(root), drop(root, "oolong-notes.txt.sig", "x")

    assert list(source_files.files_below([root / "sources"], root)) == [file]
    with pytest.raises(SourceError) as caught:
        intake.look_at_source(signature, repository, SourceManifest(), 1000)
    assert caught.value.code == "source_is_signature"
    assert caught.value.hint == f"curate ingest {file}"


def test_a_scan_sees_a_signature_as_a_part_of_its_source(root: Path) -> None:
    drop(root)
    (before,) = scan.scan(root)

    signature = drop(root, "oolong-notes.txt.sig", "x")
    (signed,) = scan.scan(root)
    signature.write_text("another", "utf-8")
    (anew,) = scan.scan(root)

    assert before.path == signed.path == anew.path == SOURCE
    assert len({before.stamp, signed.stamp, anew.stamp}) == 3


@needs_ssh
def test_a_source_that_is_renamed_takes_its_signature_along(root: Path, keys: Path) -> None:
    manage(root, signing="required")
    file = drop(root)
    sign(file, keys)
    take(root, keys, file)
    for path in (file, Path(f"{file}.sig")):
        path.rename(path.with_name(path.name.replace("notes", "paper")))

    result = take(root, keys, root / "sources/oolong-paper.txt")

    assert (result["status"], result["renamed_from"]) == ("ingested", SOURCE)
    assert git(root, "status", "--porcelain") == "" and not list((root / ".git/curator/spool").iterdir())
    assert git(root, "ls-files", "sources").split() == [
        "sources/.gitkeep",
        "sources/oolong-paper.txt",
        "sources/oolong-paper.txt.sig",
    ]


def test_a_signature_without_its_source_is_nothing(root: Path) -> None:
    drop(root, "oolong-notes.txt.sig", "x")

    assert list(scan.scan(root)) == []


# -- none ----------------------------------------------------------------------------------------------------------


def test_where_nobody_asks_for_signatures_they_are_left_alone(root: Path) -> None:
    file = drop(root)
    drop(root, "oolong-notes.txt.sig", "no signature at all")

    assert take(root, None, file)["status"] == "ingested"

    assert git(root, "status", "--porcelain") == f"?? {SOURCE}.sig"
    assert record_of(root, SOURCE).signature is None
    assert not doctor_codes(root)


def doctor_codes(root: Path) -> list[str]:
    report = doctor.run(lambda: settings(root), None, False, False, lambda _: None)
    return [finding["code"] for finding in report.data["findings"] if finding["severity"] != "info"]


# -- ssh -----------------------------------------------------------------------------------------------------------


@needs_ssh
@pytest.mark.parametrize("mode", ["optional", "required"])
def test_a_signed_source_comes_in_with_its_signature(root: Path, keys: Path, mode: str) -> None:
    manage(root, signing=mode)
    file = drop(root)
    signature = sign(file, keys)

    assert take(root, keys, file)["status"] == "ingested"

    assert record_of(root, SOURCE).signature == Signature("ann@example.org", "ssh")
    assert git(root, "log", "-1", "--format=%(trailers:key=Curator-Signature)").strip() == (
        "Curator-Signature: ssh ann@example.org"
    )
    assert git(root, "show", f"HEAD:{SOURCE}.sig") == signature.read_text("utf-8").rstrip("\n")
    assert git(root, "status", "--porcelain") == ""
    (record,) = sources.run(settings(root)).data["records"]
    assert record["metadata"]["curator"]["signature"] == {"by": "ann@example.org", "kind": "ssh"}
    assert not audit(root).faults
    assert not doctor_codes(root)
    found = lint.run(settings(root), lint.LintOptions(logs=False, form="json"), lambda _: None).data["findings"]
    assert not [finding for finding in found if finding["code"].startswith("source_")]


@needs_ssh
def test_a_file_from_elsewhere_brings_its_signature_along(root: Path, keys: Path, tmp_path: Path) -> None:
    manage(root, signing="required")
    file = tmp_path / "oolong notes.txt"
    file.write_text(TEA, "utf-8")
    drop(root, "oolong notes.txt", "Another text, which waits.\n")
    sign(file, keys)

    assert take(root, keys, file)["source"] == "sources/oolong notes-2.txt"

    assert (root / "sources" / "oolong notes-2.txt.sig").read_bytes() == Path(f"{file}.sig").read_bytes()
    committed = git(root, "ls-tree", "--name-only", "HEAD", "sources/").split("\n")
    assert {"sources/oolong notes-2.txt", "sources/oolong notes-2.txt.sig"} <= set(committed)


@needs_ssh
def test_sources_that_are_not_committed_leave_their_signatures_alone_too(root: Path, keys: Path) -> None:
    manage(root, signing="required")
    with (root / ".git" / "curator" / "curator.toml").open("a", encoding="utf-8") as file:
        file.write("commit_sources = false\n")
    sign(drop(root), keys)

    assert take(root, keys, root / SOURCE)["status"] == "ingested"

    assert git(root, "ls-tree", "-r", "--name-only", "HEAD", "sources/") == "sources/.gitkeep"


@needs_ssh
def test_a_dry_run_proves_the_signature_and_writes_nothing(root: Path, keys: Path) -> None:
    manage(root, signing="required")
    file = drop(root)

    assert take(root, keys, file, dry_run=True)["code"] == "source_unsigned"
    sign(file, keys)
    assert take(root, keys, file, dry_run=True)["status"] == "ingested"
    assert record_count(root) == 0


def record_count(root: Path) -> int:
    return len(SourceManifest.parse((root / "_manifest.json").read_text("utf-8")).sources)


@pytest.mark.parametrize(("mode", "status"), [("optional", "ingested"), ("none", "ingested")])
def test_a_source_without_a_signature_is_welcome_unless_it_is_required(root: Path, mode: str, status: str) -> None:
    manage(root, signing=mode)

    assert take(root, None, drop(root))["status"] == status
    assert record_of(root, SOURCE).signature is None


def test_where_it_is_required_a_source_waits_for_its_signature(root: Path) -> None:
    manage(root, signing="required")
    result = refused(root, None, drop(root, "on tea.txt"))

    assert result["code"] == "source_unsigned"
    command = f"ssh-keygen -Y sign -f ~/.ssh/id_ed25519 -n {NAMESPACE} 'sources/on tea.txt'"
    assert result["next"] == f"{command}; then: curate ingest 'sources/on tea.txt'"
    (parked,) = status.run(settings(root)).data["parked"]
    assert (parked["source"], parked["code"]) == ("sources/on tea.txt", "source_unsigned")


@needs_ssh
def test_what_was_waited_for_lets_it_in(root: Path, keys: Path) -> None:
    manage(root, signing="required")
    file = drop(root)
    refused(root, keys, file)

    sign(file, keys)

    assert take(root, keys, file)["status"] == "ingested"
    assert status.run(settings(root)).data["parked"] == []


def _changed(file: Path, keys: Path) -> None:
    sign(file, keys)
    file.write_text(TEA + "More.\n", "utf-8")


def _by_eve(file: Path, keys: Path) -> None:
    sign(file, keys, "eve")


def _for_another_use(file: Path, keys: Path) -> None:
    sign(file, keys, namespace="git")


def _cut_off(file: Path, keys: Path) -> None:
    signature = sign(file, keys)
    signature.write_bytes(signature.read_bytes()[:120])


def _of_another_file(file: Path, keys: Path) -> None:
    other = file.with_name("other.txt")
    other.write_text("Another text.\n", "utf-8")
    sign(other, keys).rename(f"{file}.sig")
    other.unlink()


def _a_link(file: Path, keys: Path) -> None:
    Path(f"{file}.sig").symlink_to(sign(file, keys).rename(keys / "elsewhere"))


def _empty(file: Path, keys: Path) -> None:
    Path(f"{file}.sig").touch()


def _huge(file: Path, keys: Path) -> None:
    Path(f"{file}.sig").write_bytes(b"-----BEGIN SSH SIGNATURE-----\n" + b"A" * 200_000)


@needs_ssh
@pytest.mark.parametrize("mode", ["optional", "required"])
@pytest.mark.parametrize(
    "spoil", [_changed, _by_eve, _for_another_use, _cut_off, _of_another_file, _a_link, _empty, _huge]
)
def test_a_signature_that_does_not_hold_refuses_the_source(root: Path, keys: Path, mode: str, spoil: Any) -> None:
    manage(root, signing=mode)
    file = drop(root)
    spoil(file, keys)

    result = refused(root, keys, file)

    assert result["code"] == "source_signature_invalid"
    assert f"{SOURCE}.sig" in result["reason"] or "oolong-notes.txt.sig" in result["reason"]


@needs_ssh
def test_of_two_signatures_both_have_to_hold(root: Path, keys: Path) -> None:
    manage(root, signing="required")
    file = drop(root)
    sign(file, keys)
    shutil.copyfile(sign_aside(file, keys), f"{file}.asc")

    assert refused(root, keys, file)["code"] == "source_signature_invalid"


def sign_aside(file: Path, keys: Path) -> Path:
    other = keys / file.name
    shutil.copyfile(file, other)
    return sign(other, keys, "eve")


@needs_ssh
def test_a_key_without_a_namespace_of_its_own_and_with_a_pattern_for_a_name(root: Path, keys: Path) -> None:
    public = (keys / "ann.pub").read_text("utf-8").rsplit(" ", 1)[0]
    (keys / "allowed").write_text(f"# who counts\n!eve@example.org,*@example.org {public}\n", "utf-8")
    manage(root, signing="required")
    file = drop(root)
    sign(file, keys)

    assert take(root, keys, file)["status"] == "ingested"
    assert record_of(root, SOURCE).signature == Signature("*@example.org", "ssh")


@needs_ssh
def test_a_key_that_is_over_counts_no_more(root: Path, keys: Path) -> None:
    public = (keys / "ann.pub").read_text("utf-8").rsplit(" ", 1)[0]
    (keys / "allowed").write_text(f'ann valid-before="20200101" {public}\n', "utf-8")
    manage(root, signing="required")
    file = drop(root)
    sign(file, keys)

    assert refused(root, keys, file)["code"] == "source_signature_invalid"


@needs_ssh
def test_a_signature_that_comes_while_the_model_thinks_changes_nothing(root: Path, keys: Path) -> None:
    """What was proven is what is committed; a signature that is another one by then stops it."""
    from support.fakes import ScriptedModel
    from support.wikis import OOLONG

    manage(root, signing="required")
    file = drop(root)
    sign(file, keys)

    def answer(_: object) -> str:
        sign(file, keys, "eve")
        return OOLONG.dumps()

    with Repository(root) as repository:
        context = IngestContext.of(settings(root, keys), repository, ScriptedModel((answer,)), 0.0)
        result = take_in(file, context)

    assert (result.status, result.about["code"]) == ("held", "source_changed")
    assert record_count(root) == 0


# -- whom this machine trusts --------------------------------------------------------------------------------------


@needs_ssh
def test_as_long_as_nobody_is_trusted_no_signature_is_taken_for_good(root: Path, keys: Path) -> None:
    manage(root, signing="optional")
    file = drop(root)
    sign(file, keys)

    result = refused(root, None, file)

    assert result["code"] == "source_signature_unchecked"
    assert "allowed_signers = " in result["next"]


@needs_ssh
@pytest.mark.parametrize("place", ["allowed", "sources/allowed", "link"])
def test_the_wiki_cannot_say_whom_to_trust(root: Path, keys: Path, place: str, tmp_path: Path) -> None:
    manage(root, signing="required")
    shutil.copyfile(keys / "allowed", root / (place if place != "link" else "allowed"))
    named = root / place
    if place == "link":
        named = tmp_path / "link"
        named.symlink_to(root / "allowed")

    with Repository(root) as repository, pytest.raises(ConfigError) as caught:
        SignatureVerifier.of({"signing": "required"}, str(named), {}, repository)

    assert caught.value.code == "allowed_signers_in_wiki"


@needs_ssh
def test_curators_own_folder_may_hold_it_and_what_is_not_there_is_said(root: Path, keys: Path) -> None:
    file = root / ".git" / "curator" / "allowed"
    with Repository(root) as repository:
        with pytest.raises(ConfigError) as caught:
            SignatureVerifier.of({"signing": "required"}, str(file), {}, repository)
        assert caught.value.code == "allowed_signers_missing"
        shutil.copyfile(keys / "allowed", file)
        assert SignatureVerifier.of({"signing": "required"}, str(file), {}, repository).allowed_signers == file
        assert SignatureVerifier.of({"signing": "none"}, "/none", {}, repository) == SignatureVerifier("none", None, {})


def test_without_the_program_a_signature_is_unchecked(root: Path, tmp_path: Path) -> None:
    manage(root, signing="optional")
    drop(root, "oolong-notes.txt.sig", "-----BEGIN SSH SIGNATURE-----\n")
    (tmp_path / "bin").mkdir()
    allowed = tmp_path / "allowed"
    allowed.touch()

    with Repository(root) as repository:
        incoming = intake.look_at_source(drop(root), repository, SourceManifest(), 1000)
        notary = SignatureVerifier("optional", allowed, {"PATH": str(tmp_path / "bin")})
        with pytest.raises(SourceError) as caught:
            notary.vouched(incoming, repository)
        repository.runtime.drop_spool(incoming.spooled)

    assert caught.value.code == "source_signature_unchecked"
    assert caught.value.hint == "install openssh-client, then try again"


def diagnosed(root: Path, **environment: str) -> list[tuple[str, str]]:
    there = {**os.environ, **environment}
    report = doctor.run(lambda: Settings(root, there, {}), None, False, False, lambda _: None)
    return [(f["code"], f["severity"]) for f in report.data["findings"] if f["code"].startswith(("sign", "allowed"))]


@needs_ssh
def test_the_doctor_knows_what_a_signature_takes(root: Path, tmp_path: Path) -> None:
    assert diagnosed(root) == []
    manage(root, signing="required")

    assert diagnosed(root) == [("signers_unset", "info")]
    gone = str(tmp_path / "gone")
    assert diagnosed(root, CURATOR_ALLOWED_SIGNERS=gone) == [("allowed_signers_missing", "error")]
    assert ("signing_unusable", "error") in diagnosed(root, PATH=gone)


# -- gpg -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def keyring(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A keyring with Ann's own key. Its path is short: gpg's agent listens on a socket in it."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="gpg") as name:
        monkeypatch.setenv("GNUPGHOME", name)
        Path(name).chmod(0o700)
        gpg("--passphrase", "", "--quick-gen-key", "ann@example.org", "ed25519", "sign", "never")
        yield Path(name)
        subprocess.run(["gpgconf", "--kill", "all"], check=False, capture_output=True)


def gpg(*arguments: str) -> str:
    command = ["gpg", "--batch", "--no-tty", "--pinentry-mode=loopback", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def sign_with_gpg(file: Path) -> None:
    gpg("--yes", "--passphrase", "", "--armor", "--output", f"{file}.asc", "--detach-sign", str(file))


@needs_gpg
def test_a_source_that_is_signed_with_gpg_comes_in(root: Path, keyring: Path) -> None:
    manage(root, signing="required")
    file = drop(root)
    sign_with_gpg(file)
    fingerprint = next(line.split(":")[9] for line in gpg("--with-colons", "-K").splitlines() if line.startswith("fpr"))

    assert take(root, None, file)["status"] == "ingested"

    assert record_of(root, SOURCE).signature == Signature(fingerprint, "gpg")
    assert git(root, "ls-tree", "--name-only", "HEAD", f"{SOURCE}.asc") == f"{SOURCE}.asc"
    assert not audit(root).faults


@needs_gpg
def test_what_was_changed_since_does_not_hold(root: Path, keyring: Path) -> None:
    manage(root, signing="optional")
    file = drop(root)
    sign_with_gpg(file)
    file.write_text(TEA + "More.\n", "utf-8")

    result = refused(root, None, file)

    assert (result["code"], "BAD signature" in result["reason"]) == ("source_signature_invalid", True)


def test_a_key_whose_name_says_bad_is_not_the_reason(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One fingerprint in a hundred has BAD among its digits, in a line before the one that says what is wrong."""
    program = tmp_path / "bin" / "gpg"
    program.parent.mkdir()
    said = "gpg:                using EDDSA key 0BAD\ngpg: BAD signature from ann@example.org"
    program.write_text(f"#!/bin/sh\ncat >/dev/null\nprintf '%s\\n' '{said}' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    manage(root, signing="optional")
    file = drop(root)
    file.with_name(f"{file.name}.asc").write_text("a signature")

    assert "BAD signature" in refused(root, None, file)["reason"]


@needs_gpg
def test_a_key_that_is_merely_known_is_not_trusted(root: Path, keyring: Path) -> None:
    manage(root, signing="required")
    file = drop(root)
    sign_with_gpg(file)
    public = gpg("--armor", "--export")
    (keyring / "trustdb.gpg").unlink()
    subprocess.run(["gpg", "--batch", "--import-ownertrust"], input="", text=True, check=True, capture_output=True)
    assert public

    result = refused(root, None, file)

    assert result["code"] == "source_signature_invalid"
    assert "is not trusted here" in result["reason"]
    assert "gpg --quick-lsign-key" in result["next"]


# -- a source that goes --------------------------------------------------------------------------------------------


@needs_ssh
def test_a_signature_goes_with_the_source_that_its_owner_deleted(root: Path, keys: Path) -> None:
    manage(root, signing="required")
    file = drop(root)
    signature = sign(file, keys)
    take(root, keys, file)
    file.unlink()
    signature.unlink()

    edit.remove_page(settings(root), SOURCE, "wrong", dry_run=False)

    assert git(root, "ls-tree", "-r", "--name-only", "HEAD", "sources/") == "sources/.gitkeep"
    assert git(root, "status", "--porcelain") == ""


@needs_ssh
def test_a_signature_that_is_left_behind_is_nobodys_to_delete(root: Path, keys: Path) -> None:
    manage(root, signing="required")
    file = drop(root)
    signature = sign(file, keys)
    take(root, keys, file)
    file.unlink()

    edit.remove_page(settings(root), SOURCE, "wrong", dry_run=False)

    assert signature.exists()
    assert git(root, "status", "--porcelain") == ""


@needs_ssh
@pytest.mark.parametrize("mode", [0o600, 0o700])
def test_a_program_that_cannot_be_run_leaves_a_signature_unchecked(
    root: Path, keys: Path, tmp_path: Path, mode: int
) -> None:
    manage(root, signing="optional")
    file = drop(root)
    sign(file, keys)
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "ssh-keygen").write_text("no program\n")
    (folder / "ssh-keygen").chmod(mode)
    notary = SignatureVerifier("optional", keys / "allowed", {"PATH": str(folder)})

    with Repository(root) as repository, pytest.raises(SourceError) as caught:
        incoming = intake.look_at_source(file, repository, repository.begin().manifest(), 1_000_000)
        notary.vouched(incoming, repository)

    assert caught.value.code == "source_signature_unchecked" and "ssh-keygen cannot be run" in caught.value.message
