"""What a command runs with: the wiki's folder, its configuration, the clock. Gathered once, at the door."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curator.errors import ConfigError
from curator.repository import Repository

if TYPE_CHECKING:
    from curator.config import Config


@dataclass(frozen=True)
class Settings:
    """The circumstances of one command."""

    root: Path
    environment: Mapping[str, str]
    flags: Mapping[str, Any]

    @classmethod
    def gather(cls, wiki: Path | None, environment: Mapping[str, str], flags: Mapping[str, Any]) -> Settings:
        """Find the wiki. Raises ConfigError when there is none."""
        return cls(find_root(wiki), environment, flags)

    @cached_property
    def repository(self) -> Repository:
        return Repository(self.root)

    @cached_property
    def config(self) -> Config:
        """Raises ConfigError for an unknown key or a value that cannot be."""
        from curator.config import Config

        home = Path(self.environment.get("XDG_CONFIG_HOME") or Path.home() / ".config")
        files = [home / "curator" / "config.toml", self.repository.runtime.config]
        return Config.load(files, self.environment, self.flags)

    def now(self) -> datetime:
        """The time, or SOURCE_DATE_EPOCH for builds that must come out the same."""
        fixed = self.environment.get("SOURCE_DATE_EPOCH", "")
        return datetime.fromtimestamp(int(fixed), UTC) if fixed.isdigit() else datetime.now(UTC)


def find_root(wiki: Path | None) -> Path:
    """The folder with KNOWLEDGE.md: ``wiki`` itself, or the nearest one from the current folder upwards."""
    if wiki is not None:
        if (wiki / "KNOWLEDGE.md").is_file():
            return wiki
        raise ConfigError("not_a_wiki", f"there is no KNOWLEDGE.md in {str(wiki)!r}", "run 'curate init' there")
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "KNOWLEDGE.md").is_file():
            return folder
    raise ConfigError(
        "not_a_wiki",
        f"there is no KNOWLEDGE.md in {str(here)!r} or above it",
        "go to a wiki, name one with --wiki DIR, or make one with 'curate init'",
    )
