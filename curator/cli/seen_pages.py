"""One commit of a wiki as it is seen through the view at work: what agents and browsers are shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from curator.ask.query_scope import QueryScope
from curator.repository.settings import Settings
from curator.repository.snapshot import Snapshot

if TYPE_CHECKING:
    from curator.models.sandbox.source_texts import SourceTexts


@dataclass(frozen=True)
class SeenPages:
    """A commit, and the settings by which it is seen."""

    snapshot: Snapshot
    settings: Settings

    @cached_property
    def scope(self) -> QueryScope:
        return QueryScope.of(self.snapshot, self.settings.view)

    @cached_property
    def texts(self) -> SourceTexts:
        from curator.models.sandbox.source_texts import SourceTexts  # not loaded where no source is read

        repository = self.snapshot.repository
        return SourceTexts(repository.root, repository.runtime, self.settings.source_limits)
