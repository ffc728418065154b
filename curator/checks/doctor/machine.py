"""What this machine offers: Python, git, litellm, and the sandbox, proven by trying to get out of it."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from curator.checks.diagnosis import Diagnosis, found
from curator.errors import CuratorError
from curator.models.sandbox import addresses, client

if TYPE_CHECKING:
    from curator.config import Config

OLDEST_GIT = (2, 34)
POISONED = ("1.82.7", "1.82.8")
"""Releases of litellm that were tampered with and sent secrets away."""
POISONED_FILES = ("litellm_init.pth",)
"""What they left behind: a file that runs at every start of Python, uninstalled or not."""


@dataclass(frozen=True)
class JailReport:
    """One of the three jails, and what got out of it."""

    level: str
    landlock: int
    """The kernel's version of it, 0 for none."""
    tried: int
    open: tuple[str, ...]
    error: str = ""

    def as_json(self) -> dict[str, Any]:
        about = {"level": self.level, "landlock": self.landlock, "tried": self.tried, "open": list(self.open)}
        return {**about, "error": self.error} if self.error else about


@dataclass(frozen=True)
class Machine:
    """What was seen and proven."""

    python: str
    system: str
    git: str
    litellm: str
    """Its version; empty when it is not there."""
    startup_files: tuple[str, ...]
    """The ``.pth`` files that run code at every start of this Python."""
    jails: Mapping[str, JailReport]

    def as_json(self) -> dict[str, Any]:
        jails = {name: jail.as_json() for name, jail in self.jails.items()}
        about = {"python": self.python, "system": self.system, "git": self.git, "litellm": self.litellm or None}
        return {**about, "startup_files": list(self.startup_files), "sandbox": jails}

    def in_words(self) -> Iterator[tuple[str, str]]:
        yield "python", f"{self.python} on {self.system}"
        yield "git", self.git or "unknown"
        yield "litellm", self.litellm or "not there; the built-in curator needs none"
        for name, what in (("read", "reader"), ("curate", "built-in curator"), ("complete", "model worker")):
            jail = self.jails[name]
            closed = (
                f"{jail.tried - len(jail.open)} of {jail.tried} ways out are closed, Landlock {jail.landlock or 'none'}"
            )
            yield "sandbox", f"{what}: {jail.level}; {jail.error or closed}"


def examine_machine() -> Machine:
    """Look at the machine, and try the jails."""
    return Machine(
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()}",
        git=_git_version(),
        litellm=_version_of("litellm"),
        startup_files=tuple(sorted(_startup_files(sys.path))),
        jails={"read": _prove("read"), "curate": _prove("curate"), "complete": _prove("complete")},
    )


def judge_machine(machine: Machine, wants_model: bool) -> Iterator[Diagnosis]:
    """What is wrong with the machine; ``wants_model`` when the configuration names one."""
    seen = tuple(int(number) for number in re.findall(r"\d+", machine.git)[:2])
    if seen < OLDEST_GIT:
        message = f"git is {machine.git or 'of no version that can be read'}; curator needs 2.34 or newer"
        yield found("error", "git_too_old", "machine", message, "install a newer git")
    yield from _of_litellm(machine, wants_model)
    for name, jail in machine.jails.items():
        yield from _of_jail(name, jail, machine.system)


def judge_reach(config: Config, environment: Mapping[str, str]) -> Iterator[Diagnosis]:
    """What the model worker can be connected to beyond its provider's own hosts."""
    keys = addresses.environment_for([config.model], environment)
    reached = addresses.addresses_for(config.model, config.api_base, keys) if config.model else ()
    if any(address.host == addresses.ANY for address in reached):
        message = (
            f"the hosts of {config.model!r} are not known here: its worker is connected to any public host at port 443"
        )
        yield found("info", "model_hosts_open", "machine", message, "name the host: api_base = 'https://...'")
    proxies = sorted(name for name in keys if config.model and name.lower() in addresses.PROXIES and keys[name])
    if proxies:
        names = ", ".join(proxies)
        message = f"{names} is set: the model worker is connected to that proxy, and reaches whatever the proxy lets it"
        yield found("info", "model_proxy_open", "machine", message, "let the proxy allow the provider's hosts alone")


def _of_litellm(machine: Machine, wants_model: bool) -> Iterator[Diagnosis]:
    if not machine.litellm and wants_model:
        message = "the configuration names a model, and litellm is not installed"
        yield found("error", "litellm_missing", "machine", message, "pip install 'litellm>=1.106.2,<2'")
    left = [file for file in machine.startup_files if Path(file).name in POISONED_FILES]
    if machine.litellm in POISONED or left:
        seen = f"litellm {machine.litellm}" if machine.litellm in POISONED else f"{left[0]!r}"
        message = f"{seen} is from a release that was tampered with: it sends the secrets of this machine away"
        repair = f"change every key this machine knows, remove {' '.join(left) or 'it'}, then pip install -U litellm"
        yield found("error", "litellm_poisoned", "machine", message, repair)


def _of_jail(name: str, jail: JailReport, system: str) -> Iterator[Diagnosis]:
    known = {"read": "the reader of sources", "curate": "the built-in curator", "complete": "the model worker"}
    what = known.get(name, name)
    if jail.error:
        yield found("error", "sandbox_unusable", "machine", f"{what}: {jail.error}", "install curator again")
    elif jail.level != "strong":
        message = f"{what} is in a {jail.level} jail; these ways out are open: {', '.join(jail.open)}"
        severity: Literal["warn", "info"] = "warn" if jail.level == "weak" else "info"
        yield found(severity, f"sandbox_{jail.level}", "machine", message, " ".join(_layers(jail, system)))


def _layers(jail: JailReport, system: str) -> Iterator[str]:
    """Which layer is missing, and where it is to be had."""
    if system.startswith("Darwin"):
        yield "The sandbox of macOS closes files, processes and sockets; curator's profile for it was not tried on a Mac,"
        yield "and ways that are Linux's count as open. For a strong jail run curator on Linux."
        return
    if not jail.landlock:
        yield "Landlock closes files: it is in Linux 5.13 and newer, and the kernel's lsm= list has to name it."
    elif jail.landlock < 4:
        yield f"This kernel's Landlock ({jail.landlock}) closes files; closing ports takes Linux 6.7."
    if any(way not in _FILES_AND_PORTS for way in jail.open):
        yield "seccomp closes system calls: it is in Linux on x86-64 and arm64; a container must not forbid it."


_FILES_AND_PORTS = (
    "list the root folder",
    "read a file of the system",
    "read another program's environment",
    "write a file",
    "connect to a TCP port",
    "connect with the first data",
)


def _prove(mode: Literal["read", "curate", "complete"]) -> JailReport:
    try:
        answer = client.prove_sandbox(mode)
        ways = {str(name): str(ending) for name, ending in answer["attempts"].items()}
        through = tuple(name for name, ending in ways.items() if ending != "blocked")
        return JailReport(str(answer["sandbox"]), int(answer["landlock"]), len(ways), through)
    except CuratorError as error:
        return JailReport("none", 0, 0, (), error.message)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return JailReport("none", 0, 0, (), f"its own report cannot be read: {error!r}")


def _git_version() -> str:
    done = subprocess.run(["git", "--version"], capture_output=True, text=True, check=False)
    match = re.search(r"\d{1,9}\.\d+\S*", done.stdout)
    return match[0] if match else ""


def _version_of(package: str) -> str:
    """Without importing it: that takes seconds, and is what a tampered package waits for."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _startup_files(folders: Iterable[str]) -> Iterator[str]:
    """The ``.pth`` files of ``folders`` with a line that Python runs."""
    for folder in dict.fromkeys(folders):
        for file in Path(folder).glob("*.pth") if folder and Path(folder).is_dir() else ():
            try:
                lines = file.read_text("utf-8", "replace").splitlines()
            except OSError:
                continue
            if any(line.startswith(("import ", "import\t")) for line in lines):
                yield str(file)
