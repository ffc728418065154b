"""A change: all that one ingest would commit, as the wall looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document, Source
from curator.wiki.support.judge import Judge
from curator.wiki.support.written import is_kept_in_english
from curator.wiki.wiki import Wiki
from curator.wiki.workspace.workspace import CurationPolicy

_NO_SOURCE, _NO_JUDGE = Source("", "", Document(())), Judge(Evidence("", Document(())))


@dataclass(frozen=True, eq=False)
class Change:
    """One source and the pages it changes, before and after. The rules look at the pages that would be committed.

    A change is equal to itself only, so that what the rules find out about it can be kept by it (``rules.edits``).
    """

    source: Source
    judge: Judge
    policy: CurationPolicy
    before: Wiki
    """Where the source has changed: without what code withdraws, which is nobody's proposal."""
    after: Wiki
    """``after.changed`` holds every page that would be committed, by path."""
    diffs: Mapping[str, str]
    """The unified diff of each changed page, by path."""
    now: datetime
    settled: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By page: the statements, as their words alone, that code has put a lead like "Earlier:" before."""
    worn: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By page that loses or rewords something: the statements, as their words alone, that earlier ingests took from it."""

    @classmethod
    def of_nobody(cls, policy: CurationPolicy, before: Wiki, after: Wiki, now: datetime) -> Change:
        """Pages without a source or a diff, for those who ask the rules that look at neither."""
        return cls(_NO_SOURCE, _NO_JUDGE, policy, before, after, {}, now)

    @property
    def evidence(self) -> Evidence:
        return self.judge.evidence

    @cached_property
    def in_english(self) -> bool:
        """The wiki was kept in English before."""
        return is_kept_in_english(self.before)

    def old(self, path: str) -> Page | None:
        """The page at ``path`` before the change; None when it is new."""
        return self.before.page_at(path)

    @cached_property
    def pages(self) -> Mapping[str, Page]:
        """The pages that are new or other than before."""
        return {path: page for path, page in self.after.changed.items() if page != self.old(path)}
