"""What a command runs with: the wiki's folder, its configuration, the clock. Gathered once, at the door."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curator.errors import ConfigError
from curator.repository.repository import Repository
from curator.system.filenames import alike, printable
from curator.system.trusted_folders import users_folder
from curator.system.written_settings import are_plain, gathered

if TYPE_CHECKING:
    from curator.config import Config
    from curator.repository.views import View
    from curator.system.spending import Limits
    from curator.wiki.sources.formats import SourceLimits


@dataclass(frozen=True)
class Settings:
    """What one command runs with: the wiki's folder, the environment, the flags."""

    root: Path
    environment: Mapping[str, str]
    flags: Mapping[str, Any]
    worktree: bool = False
    """True: the wiki is looked at as its files lie, not as committed; nothing can be committed then."""
    looks: bool = False
    """True for a command that only looks, also where nothing can be written."""

    @classmethod
    def gather(cls, wiki: Path | None, environment: Mapping[str, str], flags: Mapping[str, Any]) -> Settings:
        """Find the wiki. Raises ConfigError when there is none, or no git to look into it."""
        check_git()
        return cls(find_root(wiki), environment, flags)

    @cached_property
    def repository(self) -> Repository:
        check_path(self.root)
        if self.worktree:
            from curator.repository.pinned import PinnedRepository

            return PinnedRepository.at_worktree(self.root)
        return Repository(self.root, looks=self.looks)

    @cached_property
    def config(self) -> Config:
        """Raises ConfigError for an unknown key or a value that cannot be."""
        from curator.config import Config

        return Config.load(self.config_files, self.environment, self.flags)

    @cached_property
    def plain(self) -> Mapping[str, Any] | None:
        """What is set, where all of it is plainly right: it is looked at then without loading ``config``, which takes a
        fifth of a search. None where ``config`` has to judge."""
        values, _ = gathered(self.config_files, self.environment, self.flags)
        return values if are_plain(values) else None

    @property
    def has_embedding_model(self) -> bool:
        """True where pages and passages are ranked by meaning, too. Raises ConfigError as ``config`` does."""
        return bool(self.config.embedding_model if self.plain is None else self.plain.get("embedding_model"))

    @property
    def limits(self) -> Limits:
        """What may be spent. Raises ConfigError as ``config`` does."""
        from curator.system.spending import Limits  # who only looks spends nothing

        return self.config.limits if self.plain is None else Limits.of(self.plain)

    def source_limits(self) -> SourceLimits:
        """How much of a source is read; to be called when it is needed, since reading the settings takes its time."""
        return self.config.source_limits

    @cached_property
    def view(self) -> View | None:
        """The view to go through, where one is named. Raises ConfigError when it is not there."""
        from curator.repository import views

        is_typed = self.flags.get("view") is not None or "CURATOR_VIEW" in self.environment
        if not is_typed and (self.plain is not None or not any(file.is_file() for file in self.config_files)):
            return None  # nothing is said of a view
        config = self.config
        if not config.view:
            return None
        # What a person types is meant from where they are; what stands in a file, from the wiki.
        folder = Path.cwd() if is_typed and config.view not in config.views else self.repository.root
        return views.named(config.view, config.views, frozenset(config.dimensions), folder)

    @property
    def notes(self) -> Path | None:
        """The folder of notes that the wiki stands in, where it does."""
        return Path(os.path.realpath(self.root / self.config.notes)) if self.config.notes else None

    @property
    def views(self) -> dict[str, Path]:
        """The views by the names they have in the settings: each one's folder, or its manifest."""
        return {name: self.repository.root / Path(path).expanduser() for name, path in self.config.views.items()}

    @property
    def config_files(self) -> list[Path]:
        """Where settings may be written, the weakest first. Raises NotTrusted for one that may be a stranger's."""
        git, own = self.repository.git, self.repository.runtime.config
        git.check_trusted([f"{own}"] if own.is_file() else [])
        return [*users_file(self.environment), own]

    def now(self) -> datetime:
        """The time, or SOURCE_DATE_EPOCH for builds that must come out the same."""
        fixed = self.environment.get("SOURCE_DATE_EPOCH")
        if not fixed:
            return datetime.now(UTC)
        try:
            return datetime.fromtimestamp(int(fixed), UTC)
        except (ValueError, OverflowError, OSError) as error:
            raise ConfigError(
                "clock_invalid", f"SOURCE_DATE_EPOCH is {fixed!r}, which is no time", "give seconds since 1970"
            ) from error


def check_git() -> None:
    """Raises ConfigError on a machine without git."""
    if shutil.which("git") is None:
        raise ConfigError("git_missing", "there is no git on PATH", "install git 2.34 or newer")


def check_path(root: Path) -> None:
    """Raises ConfigError for a path that cannot be written down, which git and we do a line a path, in UTF-8."""
    path = os.path.realpath(root)
    if "\n" in path or any(0xD800 <= ord(c) <= 0xDFFF for c in path):
        raise ConfigError("path_unusable", f"the path {path!r} is not one line of UTF-8", "rename the folder")


def users_file(environment: Mapping[str, str]) -> list[Path]:
    """~/.config/curator/config.toml, where there is a home."""
    folder = users_folder(environment)
    return [] if folder is None else [folder / "config.toml"]


def find_root(wiki: Path | None) -> Path:
    """The folder with KNOWLEDGE.md: ``wiki`` itself, or the nearest one from the current folder upwards."""
    if wiki is not None:
        if (wiki / "KNOWLEDGE.md").is_file():
            return wiki
        usual = "name a wiki with --wiki DIR or CURATOR_WIKI, or make one with 'curate init'"
        hint = usual if wiki.exists() else (alike(wiki) or usual)
        raise ConfigError("not_a_wiki", f"there is no KNOWLEDGE.md in {str(wiki)!r}", hint)
    try:
        here = Path.cwd()
    except FileNotFoundError as error:
        raise ConfigError("no_folder", "the current folder is not there any more", "go to another one") from error
    for folder in (here, *here.parents):
        if (folder / "KNOWLEDGE.md").is_file():
            return folder
        from curator.repository import note_folder

        beside = note_folder.wikis_beside(folder)
        if len(beside) > 1:
            names = ", ".join(printable(wiki.name) for wiki in beside)
            raise ConfigError(
                "several_wikis", f"several wikis stand in {str(folder)!r}: {names}", "name one: --wiki DIR"
            )
        if beside:
            return beside[0]
    below = wikis_below(here)
    go = f"there is one in {printable(below[0])!r}: go there" if below else "go to a wiki"
    hint = f"{go}, name one with --wiki DIR, or make one with 'curate init'"
    raise ConfigError("not_a_wiki", f"there is no KNOWLEDGE.md in {str(here)!r} or above it", hint)


def wikis_below(folder: Path) -> list[str]:
    """The names of the wikis right below ``folder``."""
    return sorted(path.parent.name for path in folder.glob("*/KNOWLEDGE.md"))
