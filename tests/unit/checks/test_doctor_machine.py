"""What ``curate doctor`` makes of a machine and its file systems: proven by trial here, judged as values."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from curator.checks.diagnosis import Diagnosis
from curator.checks.doctor import filesystem, machine
from curator.checks.doctor.filesystem import FileSystem
from curator.checks.doctor.machine import JailReport, Machine
from curator.config import Config
from curator.system import mounts
from curator.system.mounts import Mount

pytestmark = pytest.mark.examines_machine
STRONG = JailReport("strong", 7, 23, ())
GOOD = Machine("3.11.7", "Linux 6.18", "2.39.5", "1.106.2", (), {"read": STRONG, "curate": STRONG, "complete": STRONG})
DISK = FileSystem(
    Path("/wiki"),
    Mount("ext4"),
    device=1,
    free=10**12,
    exchange=True,
    swaps=True,
    hard_links=True,
    case_sensitive=True,
    keeps_unicode=True,
    folder_sync=True,
    flock=True,
)

MOUNTS = """\
22 1 0:21 / / rw,relatime - ext4 /dev/vda rw
23 22 0:22 / /home rw shared:1 - btrfs /dev/vdb rw
24 23 0:23 / /home/ada/My\\040Files rw - fuse.sshfs there:/ rw
25 22 0:24 / /mnt/wiki rw - ext4 /dev/vdc rw
26 22 0:25 / /mnt/wiki rw - nfs4 server:/wiki rw
a line that is none
"""


def codes(found: list[Diagnosis]) -> dict[str, str]:
    return {diagnosis.finding.code: diagnosis.finding.severity for diagnosis in found}


def of(work: FileSystem, store: FileSystem | None = None) -> dict[str, str]:
    return codes(list(filesystem.judge_filesystems(work, store or work)))


# -- mounts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/etc", "ext4"),
        ("/home/ada", "btrfs"),
        ("/homely", "ext4"),
        ("/home/ada/My Files/wiki", "fuse.sshfs"),
        ("/mnt/wiki", "nfs4"),
    ],
)
def test_the_deepest_and_newest_mount_counts(path: str, kind: str) -> None:
    assert mounts.find(MOUNTS, path).kind == kind


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "fuseblk", "virtiofs"])
def test_doubtful_mounts_are_warned_of(kind: str) -> None:
    assert of(replace(DISK, mount=Mount(kind))) == {"network_mount": "warn"}


@pytest.mark.parametrize("folder", ["Dropbox", "Dropbox (Personal)", "OneDrive - Firm", "iCloud Drive", "Nextcloud"])
def test_synced_folders_are_warned_of(folder: str) -> None:
    assert of(replace(DISK, folder=Path("/home/ada", folder, "wiki"))) == {"sync_folder": "warn"}


def test_a_folder_that_is_only_called_alike_is_none(tmp_path: Path) -> None:
    assert mounts.synced_by(Path("/home/ada/dropboxes/wiki")) == ""
    assert mounts.synced_by(tmp_path) == ""


def test_a_system_without_a_list_of_mounts_tells_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounts, "MOUNTINFO", tmp_path / "none")

    assert mounts.mount_of(tmp_path) == Mount("")


# -- file systems -------------------------------------------------------------------------------------------------


def test_trying_a_file_system_leaves_nothing_behind(tmp_path: Path) -> None:
    found = filesystem.probe_filesystem(tmp_path)

    assert list(tmp_path.iterdir()) == []
    assert found.hard_links and found.swaps and found.flock
    assert not found.refused


def test_a_folder_that_cannot_be_written_in_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, *_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "mkdir", refuse)

    found = filesystem.probe_filesystem(tmp_path)

    assert found.refused == "Read-only file system"
    assert of(found) == {"folder_read_only": "error"}


def test_without_exchange_the_swap_by_links_is_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curator.repository.transaction.worktree._renameat2", None)

    found = filesystem.probe_filesystem(tmp_path)

    assert (found.exchange, found.swaps) == (False, True)
    assert of(found) == {"no_exchange": "info"}


@pytest.mark.parametrize(
    ("lacks", "code", "severity"),
    [
        ({"swaps": False, "exchange": False}, "no_exchange", "error"),
        ({"hard_links": False}, "no_hard_links", "error"),
        ({"flock": False}, "no_flock", "error"),
        ({"folder_sync": False}, "no_folder_sync", "warn"),
        ({"case_sensitive": False}, "names_fold", "info"),
        ({"keeps_unicode": False}, "names_fold", "info"),
        ({"free": 50_000_000}, "space_low", "warn"),
    ],
)
def test_what_a_file_system_lacks_is_told(lacks: dict[str, bool], code: str, severity: str) -> None:
    assert of(replace(DISK, **lacks)) == {code: severity}  # type: ignore[arg-type]


def test_a_sound_file_system_is_not_spoken_of() -> None:
    assert of(DISK) == {}


def test_one_file_system_is_judged_once_and_two_are_each() -> None:
    poor = replace(DISK, flock=False)

    assert len(list(filesystem.judge_filesystems(poor, replace(poor, folder=Path("/wiki/.git"))))) == 1
    assert of(DISK, replace(poor, device=2)) == {"no_flock": "error", "two_file_systems": "info"}


# -- the machine --------------------------------------------------------------------------------------------------


def test_a_sound_machine_is_not_spoken_of() -> None:
    assert list(machine.judge_machine(GOOD, wants_model=True)) == []


@pytest.mark.parametrize("version", ["2.33.8", "1.9.0", ""])
def test_an_old_git_is_an_error(version: str) -> None:
    assert codes(list(machine.judge_machine(replace(GOOD, git=version), False))) == {"git_too_old": "error"}


def test_litellm_is_missed_by_those_who_want_a_model() -> None:
    bare = replace(GOOD, litellm="")

    assert list(machine.judge_machine(bare, wants_model=False)) == []
    assert codes(list(machine.judge_machine(bare, wants_model=True))) == {"litellm_missing": "error"}


def test_a_proxy_of_the_model_worker_is_told_for_it_can_reach_anything() -> None:
    config = Config(model="anthropic/claude-3-5-haiku-latest")
    environment = {"HTTPS_PROXY": "http://proxy.example:3128", "NO_PROXY": "localhost", "http_proxy": ""}

    (only,) = machine.judge_reach(config, environment)

    assert (only.finding.code, only.finding.severity) == ("model_proxy_open", "info")
    assert str(only.finding.message).startswith("HTTPS_PROXY is set")
    assert list(machine.judge_reach(config, {"NO_PROXY": "localhost"})) == []
    assert list(machine.judge_reach(Config(), environment)) == []


@pytest.mark.parametrize(
    "bad", [replace(GOOD, litellm="1.82.7"), replace(GOOD, startup_files=("/lib/site-packages/litellm_init.pth",))]
)
def test_the_releases_that_were_tampered_with_are_refused_by_name(bad: Machine) -> None:
    assert codes(list(machine.judge_machine(bad, wants_model=False))) == {"litellm_poisoned": "error"}


def test_files_that_run_at_the_start_of_python_are_listed(tmp_path: Path) -> None:
    (tmp_path / "runs.pth").write_text("import os; os.getpid()\n")
    (tmp_path / "path.pth").write_text("/somewhere/else\n")

    assert list(machine._startup_files([str(tmp_path), str(tmp_path / "none"), ""])) == [str(tmp_path / "runs.pth")]


@pytest.mark.parametrize(
    ("jail", "code", "severity", "words"),
    [
        (JailReport("weak", 0, 23, ("list the root folder", "mount")), "sandbox_weak", "warn", "Linux 5.13"),
        (JailReport("medium", 7, 23, ("start a program",)), "sandbox_medium", "info", "seccomp"),
        (JailReport("medium", 3, 23, ("connect to a TCP port",)), "sandbox_medium", "info", "Linux 6.7"),
        (JailReport("none", 0, 0, (), "the sandbox ended with status 1"), "sandbox_unusable", "error", "install"),
    ],
)
def test_a_jail_is_judged_by_what_got_out(jail: JailReport, code: str, severity: str, words: str) -> None:
    found = list(machine.judge_machine(replace(GOOD, jails={"read": jail}), wants_model=False))

    assert codes(found) == {code: severity}
    assert words in found[0].repair
    assert all(way in found[0].finding.message for way in jail.open)


def test_on_macos_nobody_is_sent_for_layers_of_linux() -> None:
    mac = replace(GOOD, system="Darwin 24.5.0", jails={"read": JailReport("medium", 0, 24, ("mount",))})

    (found,) = machine.judge_machine(mac, wants_model=False)

    assert "not tried on a Mac" in found.repair and "Landlock" not in found.repair


def test_the_machine_is_looked_at_without_loading_litellm() -> None:
    found = machine.examine_machine()

    assert found.jails["read"].tried > 20
    assert found.jails["read"].level == "strong" or found.jails["read"].open
    assert found.as_json()["sandbox"]["complete"]["level"] == found.jails["complete"].level
