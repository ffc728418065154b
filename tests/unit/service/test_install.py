"""``curate service``: what is written for systemd, launchd, cron and containers, and what they make of it."""

from __future__ import annotations

import json
import os
import plistlib
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from curator.cli.commands import service
from curator.errors import ConfigError, Conflict
from curator.service.install import container, cron, launchd, systemd
from curator.service.install.checksum import marked, state_of
from curator.service.install.plan import InstallTarget, name_of
from support.curates import curate_words
from support.wikis import git

AWKWARD = "/home/ada/Tee & %h $X ${HOME} \"q' b\\c é\u2028#;"
PATHS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).map("/w/".__add__)


def place(root: str = "/home/ada/Tea", *more: str, python: str = "/usr/bin/python3") -> InstallTarget:
    return InstallTarget(Path(root), (Path(root), *map(Path, more)), python, Path("/home/ada/.config"))


# -- names ---------------------------------------------------------------------------------------------------------


def test_a_name_is_stable_and_belongs_to_one_folder(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "Tea")

    names = [name_of(tmp_path / "Tea"), name_of(tmp_path / "tea"), name_of(tmp_path / "x" / "Tea")]

    assert len({*names}) == 3
    assert name_of(tmp_path / "link") == names[0]
    assert re.fullmatch(r"tea-[0-9a-f]{8}", names[0])


@given(PATHS)
@example("/")
@example("/w/" + "茶" * 200)
def test_a_name_is_one_that_everybody_takes(path: str) -> None:
    assert re.fullmatch(r"[a-z0-9-]{10,60}", name_of(Path(path)))


# -- systemd -------------------------------------------------------------------------------------------------------


def words(line: str) -> list[str]:
    """The words of a line as systemd.syntax(7) has it, with the specifiers put in."""
    assert re.fullmatch(r'"([^"\\]|\\["\\])*"( "([^"\\]|\\["\\])*")*', line)
    assert "%" not in line.replace("%%", "")
    return [re.sub(r"\\(.)", r"\1", word[1:-1]).replace("%%", "%") for word in re.findall(r'"(?:[^"\\]|\\.)*"', line)]


def setting(unit: str, name: str) -> str:
    (value,) = re.findall(rf"^{name}=(.*)$", unit, re.MULTILINE)
    return str(value)


@given(PATHS, PATHS)
@example(AWKWARD, "/opt/my %i/$python")
@example("/w/ends in \\", '/w/"')
def test_what_it_is_told_reaches_systemd_as_it_is(root: str, other: str) -> None:
    unit = systemd.service(place(root, other, python=other))

    command, writable = (words(setting(unit, name)) for name in ("ExecStart", "ReadWritePaths"))

    assert command == [f":{other}", "-P", "-m", "curator", "--wiki", str(Path(root)), "watch", "--log", "text"]
    assert writable == [f"-{Path(root)}", f"-{Path(other)}"]
    assert all(re.fullmatch(r"$|[#\[].*|[A-Z][A-Za-z]+=.*[^\\]", line) for line in unit.split("\n"))


def test_only_the_wiki_and_its_git_directory_are_writable() -> None:
    unit = systemd.service(place("/home/ada/Tea", "/home/ada/repo/.git"))

    assert setting(unit, "ReadWritePaths") == '"-/home/ada/Tea" "-/home/ada/repo/.git"'
    for said in ("ProtectSystem=strict", "ProtectHome=read-only", "PrivateTmp=yes", "PrivateUsers=yes"):
        assert said in unit.splitlines()


def test_what_is_in_tmp_is_not_hidden_from_the_service() -> None:
    unit = systemd.service(place("/tmp/tea"))  # noqa: S108 (nothing is written)

    assert "PrivateTmp=no" in unit
    assert "ReadWritePaths=-/tmp -/var/tmp" in unit


def test_a_moved_folder_of_settings_is_told_to_the_service() -> None:
    moved = InstallTarget(
        Path("/w"), (Path("/w"),), "/usr/bin/python3", Path("/home/ada/My 100% config"), moved_config=True
    )

    unit = systemd.service(moved)

    assert 'Environment="XDG_CONFIG_HOME=/home/ada/My 100%% config"' in unit
    assert setting(unit, "EnvironmentFile") == "-/home/ada/My 100%% config/curator/environment"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
@pytest.mark.parametrize("root", ["/home/ada/Tea", AWKWARD, "/home/ada/ends in \\"])
def test_systemd_has_nothing_against_the_units(tmp_path: Path, root: str) -> None:
    plan = systemd.plan(place(root, "/srv/git/tea.git", python=sys.executable))
    files = []
    for path, text in plan.files.items():
        (tmp_path / path.name).write_text(text, "utf-8")
        files.append(tmp_path / path.name)

    command = ["systemd-analyze", "verify", "--user", *map(str, files)]
    env = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)

    assert len(files) == 3
    assert "curator" not in done.stderr


# -- launchd, cron, containers -------------------------------------------------------------------------------------


@given(PATHS)
@example(AWKWARD)
def test_a_property_list_has_the_command_and_no_secret(root: str) -> None:
    plan = launchd.plan(place(root), home=Path("/Users/ada"), user=501)

    (path, text), (nightly, _) = plan.files.items()
    job = plistlib.loads(text.encode())

    assert path == Path(f"/Users/ada/Library/LaunchAgents/{job['Label']}.plist")
    assert nightly.name == f"curator.lint.{name_of(Path(root))}.plist"
    assert job["ProgramArguments"][:3] == ["/bin/sh", "-c", launchd.WITH_SECRETS]
    assert job["ProgramArguments"][4:] == [
        *("/home/ada/.config/curator/environment", "/usr/bin/python3", "-P", "-m", "curator"),
        *("--wiki", str(Path(root)), "watch", "--log", "text"),
    ]
    assert job["KeepAlive"] == {"SuccessfulExit": False}
    assert state_of(text, text + "x") == "outdated"


def test_the_keys_of_models_reach_the_command(tmp_path: Path) -> None:
    keys = tmp_path / "my keys"
    keys.write_text('A_KEY=abc\nB_KEY="d e"\n')
    command = [
        "sh",
        "-c",
        launchd.WITH_SECRETS,
        "curator",
        str(keys),
        "sh",
        "-c",
        'echo "$A_KEY, $B_KEY, $1"',
        "x",
        "a  b",
    ]

    with_keys = subprocess.run(command, capture_output=True, text=True, check=True)
    keys.unlink()
    without = subprocess.run(command, capture_output=True, text=True, check=True)

    assert (with_keys.stdout, without.stdout) == ("abc, d e, a  b\n", ", , a  b\n")


def as_cron_reads(line: str, *, drops_backslashes: bool) -> str:
    """What cron hands to sh: the line up to a ``%``; some drop a backslash before a backslash, all before a ``%``."""
    kept = re.sub(r"\\([%\\])" if drops_backslashes else r"\\(%)", lambda found: f"\0{found[1]}", line)
    return re.split(r"(?<!\0)%", kept)[0].replace("\0", "")


@pytest.mark.parametrize("root", [AWKWARD, "/w/%", "/w/\\", "/w/\\\\%\\%%", "/w/100% a", "/w/'$(x)`y`"])
@pytest.mark.parametrize("drops_backslashes", [True, False])
def test_a_word_reaches_the_shell_through_any_cron(root: str, drops_backslashes: bool) -> None:
    line = as_cron_reads(f"printf %s {cron.word(root)}"[10:], drops_backslashes=drops_backslashes)

    done = subprocess.run(["sh", "-c", f"printf %s {line}"], capture_output=True, text=True, check=True)

    assert done.stdout == root


def test_a_crontab_has_one_line_for_the_service_and_one_for_the_night() -> None:
    plan = cron.plan(place())

    _, watch, lint, _, fetch = plan.text.splitlines()

    assert not plan.files
    assert watch.startswith("@reboot env PATH=")
    assert " --wiki /home/ada/Tea watch --log text 2>&1 | logger -t curator-tea-" in watch
    assert lint.startswith("30 3 * * * env PATH=")
    assert fetch.startswith("# 17 * * * * env PATH=") and " fetch --quiet 2>&1 | logger" in fetch


@given(PATHS)
@example(AWKWARD)
@example("/w/🍵\u2028")
def test_a_compose_file_mounts_what_is_written_to_where_it_is(root: str) -> None:
    plan = container.plan(place(root, "/srv/tea.git"), "1000:1000")

    found = yaml.safe_load(plan.text)["services"]["curator"]

    assert found["environment"]["CURATOR_WIKI"].replace("$$", "$") == str(Path(root))
    for side in ("source", "target"):
        assert [mount[side].replace("$$", "$") for mount in found["volumes"]] == [str(Path(root)), "/srv/tea.git"]
    assert (found["read_only"], found["cap_drop"], found["user"]) == (True, ["ALL"], "1000:1000")


# -- the digest ----------------------------------------------------------------------------------------------------


def test_a_file_that_was_changed_by_hand_is_told_from_an_old_one() -> None:
    old, new = marked("a\nb\n"), marked("a\nc\n")

    assert state_of(None, new) == "missing"
    assert state_of(new, new) == "same"
    assert state_of(old, new) == "outdated"
    assert state_of(old + "d\n", new) == "changed"
    assert state_of("a\nc\n", new) == "foreign"


# -- the command ---------------------------------------------------------------------------------------------------


class Machine:
    """A home, and programs on PATH that write down what they are told; ``says`` gives one of them another body."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.home, self._calls = folder / "bin", folder / "home", folder / "calls"
        self.bin.mkdir(parents=True)
        self.home.mkdir()
        for name in ("systemctl", "systemd-analyze"):
            self.says(name, "exit 0")
        self.environment = {"HOME": str(self.home), "PATH": f"{self.bin}:{os.environ['PATH']}"}

    def says(self, name: str, body: str) -> None:
        program = self.bin / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >> {shlex.quote(str(self._calls))}\n{body}\n')
        program.chmod(0o755)

    @property
    def calls(self) -> list[str]:
        """What was called since the last time this was asked, but for the look whether anybody is there."""
        found = self._calls.read_text().splitlines() if self._calls.exists() else []
        self._calls.unlink(missing_ok=True)
        return [call for call in found if "show --property" not in call and not call.startswith("systemd-analyze")]

    @property
    def units(self) -> list[Path]:
        return sorted((self.home / ".config" / "systemd" / "user").glob("*"))

    @property
    def unit(self) -> Path:
        """The unit of the service, which is not one of the nightly lint."""
        return next(unit for unit in self.units if not unit.name.startswith("curator-lint-"))

    def install(self, root: Path, *, force: bool = False, dry_run: bool = False) -> dict[str, Any]:
        report = service.install(root, "systemd", self.environment, force, dry_run)
        return {"exit": report.exit_status, "lines": report.lines, **report.data}

    def uninstall(self, root: Path, *, force: bool = False, dry_run: bool = False) -> dict[str, Any]:
        return service.uninstall(root, "systemd", self.environment, force, dry_run).data


def timer_of(root: Path) -> str:
    return f"curator-lint-{name_of(root)}.timer"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "machine")


def test_install_writes_the_unit_and_starts_it(root: Path, machine: Machine) -> None:
    report = machine.install(root)

    name = f"curator-{name_of(root)}.service"
    started = f"{name} {timer_of(root)}"
    assert machine.unit.name == name
    assert (report["exit"], report["running"], report["next"]) == (0, True, [])
    assert machine.calls == ["systemctl --user daemon-reload", f"systemctl --user enable --now {started}"]
    assert git(root, "status", "--porcelain") == ""


def test_install_again_writes_nothing(root: Path, machine: Machine) -> None:
    machine.install(root)
    unit = machine.unit
    before, _ = unit.stat(), machine.calls

    report = machine.install(root)

    after = unit.stat()  # the time of access is no part of it: to compare the file is to read it
    assert (after.st_ino, after.st_mtime_ns, after.st_ctime_ns) == (
        before.st_ino,
        before.st_mtime_ns,
        before.st_ctime_ns,
    )
    assert report["files"][0]["state"] == "same"
    assert not any("restart" in call for call in machine.calls)


def test_an_older_unit_of_ours_is_brought_up_to_date_and_restarted(root: Path, machine: Machine) -> None:
    machine.install(root)
    unit = machine.unit
    unit.write_text(marked("[Unit]\nDescription=as an older curator wrote it\n"))
    del machine.calls[:]

    report = machine.install(root)

    assert report["files"][0]["state"] == "outdated"
    assert unit.read_text() == report["files"][0]["text"]
    assert machine.calls[-1] == f"systemctl --user restart {unit.name} {timer_of(root)}"


def test_a_unit_that_was_changed_by_hand_is_kept(root: Path, machine: Machine) -> None:
    machine.install(root)
    unit = machine.unit
    mine = unit.read_text().replace("RestartSec=10", "RestartSec=99")
    unit.write_text(mine)

    for act in (machine.install, machine.uninstall):
        with pytest.raises(Conflict, match="was changed since") as caught:
            act(root)
        assert caught.value.code == "unit_changed"
    assert unit.read_text() == mine

    machine.install(root, force=True)
    assert "RestartSec=10" in unit.read_text()


def test_a_unit_that_is_not_ours_is_never_removed(root: Path, machine: Machine) -> None:
    machine.install(root)
    unit = machine.unit
    unit.write_text("[Service]\nExecStart=/bin/true\n")

    with pytest.raises(Conflict) as caught:
        machine.uninstall(root, force=True)

    assert caught.value.code == "unit_foreign"
    assert unit.exists()


def test_a_dry_run_neither_writes_nor_tells(root: Path, machine: Machine) -> None:
    report = machine.install(root, dry_run=True)

    assert (machine.units, machine.calls) == ([], [])
    assert report["files"][0]["state"] == "missing"
    machine.install(root)
    del machine.calls[:]
    machine.uninstall(root, dry_run=True)
    assert (len(machine.units), machine.calls) == (3, [])


def test_the_timer_comes_with_the_command_it_starts(root: Path, machine: Machine) -> None:
    machine.install(root)

    assert sorted(unit.suffix for unit in machine.units) == [".service", ".service", ".timer"]
    name = name_of(root)
    assert machine.calls[-1] == f"systemctl --user enable --now curator-{name}.service curator-lint-{name}.timer"

    machine.uninstall(root)
    assert machine.units == []


def test_without_a_user_manager_the_files_stay_and_the_rest_is_told(root: Path, machine: Machine) -> None:
    machine.says("systemctl", "echo 'Failed to connect to bus: No medium found' >&2; exit 1")

    report = machine.install(root)

    unit = machine.unit
    wanted = ["systemctl --user daemon-reload", f"systemctl --user enable --now {unit.name} {timer_of(root)}"]
    assert (report["exit"], report["running"], report["next"]) == (0, False, wanted)
    assert machine.calls == []
    assert any("loginctl enable-linger" in line for line in report["lines"])


def test_a_service_that_does_not_start_is_an_error_with_what_systemd_said(root: Path, machine: Machine) -> None:
    machine.says("systemctl", "case $* in *enable*) echo 'Job failed.' >&2; exit 1;; esac")

    with pytest.raises(ConfigError, match=r"enable --now .* says: Job failed\.") as caught:
        machine.install(root)

    assert caught.value.code == "service_not_started"
    assert "journalctl --user -u" in caught.value.hint


def test_what_systemd_has_against_a_unit_is_a_finding_and_nothing_is_written(root: Path, machine: Machine) -> None:
    complaint = "for file; do :; done; echo \"$file:7: Unknown key 'Foo', ignoring.\" >&2; echo 'other.service: x' >&2"
    machine.says("systemd-analyze", complaint)

    report = machine.install(root)

    assert (report["exit"], machine.units, machine.calls) == (1, [], [])
    (finding,) = report["findings"]
    assert (finding["code"], finding["line"], finding["message"]) == ("unit_invalid", 7, "Unknown key 'Foo', ignoring.")


def test_a_wiki_in_a_linked_work_tree_has_its_git_directory_writable(
    root: Path, machine: Machine, tmp_path: Path
) -> None:
    linked = tmp_path / "linked tree"
    git(root, "worktree", "add", "-q", "-b", "other", str(linked))

    unit = machine.install(linked)["files"][0]["text"]

    assert f'"-{linked}" "-{root}/.git"' in unit


def test_a_git_directory_elsewhere_is_writable(root: Path, machine: Machine, tmp_path: Path) -> None:
    git(root, "init", "-q", f"--separate-git-dir={tmp_path}/store.git")

    unit = machine.install(root)["files"][0]["text"]

    assert f'"-{root}" "-{tmp_path}/store.git"' in unit


def test_a_wiki_in_a_folder_of_a_repository_has_no_right_to_the_rest(
    root: Path, machine: Machine, tmp_path: Path
) -> None:
    git(tmp_path, "init", "-q")
    inner = tmp_path / "inner"
    inner.mkdir()
    shutil.copy(root / "KNOWLEDGE.md", inner)

    unit = machine.install(inner)["files"][0]["text"]

    assert f'ReadWritePaths="-{inner}" "-{tmp_path}/.git"' in unit


def test_uninstall_stops_disables_and_removes(root: Path, machine: Machine) -> None:
    machine.install(root)
    unit = machine.unit
    wants = unit.parent / "default.target.wants"
    wants.mkdir()
    (wants / unit.name).symlink_to(unit)
    del machine.calls[:]

    machine.uninstall(root)

    stopped = [f"systemctl --user disable --now {name}" for name in (unit.name, timer_of(root))]
    assert machine.calls == [*stopped, "systemctl --user daemon-reload"]
    assert not unit.exists()
    assert not os.path.lexists(wants / unit.name)
    assert machine.uninstall(root)["files"] == []


def test_the_service_of_a_wiki_that_is_gone_can_be_removed(root: Path, machine: Machine) -> None:
    machine.install(root)
    shutil.rmtree(root)

    machine.uninstall(root)

    assert machine.units == []


def test_two_wikis_have_a_service_each(root: Path, machine: Machine, tmp_path: Path) -> None:
    shutil.copytree(root, tmp_path / "elsewhere" / "wiki")
    machine.install(root)
    machine.install(tmp_path / "elsewhere" / "wiki")
    assert len(machine.units) == 6

    machine.uninstall(root)

    unit = machine.unit
    assert str(tmp_path / "elsewhere" / "wiki") in unit.read_text()


def test_launchd_is_told_once_and_again_only_after_a_change(root: Path, machine: Machine) -> None:
    machine.says("launchctl", "exit 0")

    def install() -> list[str]:
        service.install(root, "launchd", machine.environment, False, False)
        return [call.split()[1] for call in machine.calls]

    first, second = install(), install()
    plist = machine.home / "Library" / "LaunchAgents" / f"curator.{name_of(root)}.plist"
    plist.write_text(marked("<plist/>\n", "<!-- {} -->"))
    third = install()

    assert first == ["print", "bootstrap", "bootstrap"]
    assert second == ["print", "print", "print"]
    assert third == ["print", "bootout", "bootout", "bootstrap", "bootstrap"]


def test_show_and_install_for_cron_write_nothing(root: Path, machine: Machine) -> None:
    shown = service.show(root, "cron", machine.environment)
    installed = service.install(root, "cron", machine.environment, False, False)

    assert shown.data["text"] == installed.data["text"]
    assert shown.data["text"] in shown.lines
    assert list(machine.home.iterdir()) == []


def test_show_writes_nothing_not_even_beside_the_wiki(root: Path, machine: Machine) -> None:
    shutil.rmtree(root / ".git" / "curator", ignore_errors=True)

    for kind in ("systemd", "launchd", "cron", "container"):
        report = service.show(root, kind, machine.environment)
        assert report.data["format"] == kind
        assert str(root) in "\n".join(report.lines)

    assert list(machine.home.iterdir()) == []
    assert not (root / ".git" / "curator").exists()


@pytest.mark.parametrize("name", ["a\rb", "a\tb", "a\x1eb"])
def test_a_path_that_no_unit_can_say_is_refused(root: Path, machine: Machine, name: str) -> None:
    with pytest.raises(ConfigError, match="control characters"):
        machine.install(root.rename(root.with_name(name)))


def test_without_a_home_there_is_no_service(root: Path) -> None:
    with pytest.raises(ConfigError, match="HOME is not set"):
        service.show(root, "cron", {"PATH": os.environ["PATH"]})


def curate(machine: Machine, *arguments: str) -> tuple[int, dict[str, Any]]:
    command = [*curate_words(), "--json", "service", *arguments]
    kept = {name: value for name, value in os.environ.items() if name != "XDG_CONFIG_HOME"}
    done = subprocess.run(command, env={**kept, **machine.environment}, capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout)


def test_the_command_line_gives_one_object_and_the_exit_status(root: Path, machine: Machine) -> None:
    status, shown = curate(machine, "show", "--wiki", str(root), "--format", "systemd")
    assert (status, shown["ok"], shown["command"], shown["format"]) == (0, True, "service show", "systemd")
    assert [set(file) for file in shown["files"]] == [{"path", "text", "state"}] * len(shown["files"])

    assert curate(machine, "install", "--wiki", str(root))[0] == 0
    unit = next(unit for unit in machine.units if unit.name.startswith(f"curator-{name_of(root)}"))
    unit.write_text(unit.read_text() + "# mine\n")
    status, refused = curate(machine, "install", "--wiki", str(root))

    assert (status, refused["error"]["code"]) == (1, "unit_changed")
    assert curate(machine, "show", "--wiki", str(root.parent))[0] == 2
    assert curate(machine, "show", "--format", "upstart")[0] == 2
    assert curate(machine, "uninstall", "--force", "--wiki", str(root))[0] == 0
