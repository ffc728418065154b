"""What a process keeps of its last source: a worker asks about it first, and commits the same bytes later."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document, Source
from curator.wiki.support.judge import Judge


@dataclass
class LastSource:
    """The text of one source, read in the jail once, and its judge, who judges each claim once."""

    _key: object = None
    _read: tuple[Document, str] | None = None
    _judge: Judge | None = None

    def read(self, key: object, read: Callable[[], tuple[Document, str]]) -> tuple[Document, str]:
        """What ``read`` gives, or has given when it was last called for the same ``key``: all that it depends on."""
        if self._read is None or self._key != key:
            self._read, self._judge = None, None
            self._read, self._key = read(), key
        return self._read

    def judge(self, source: Source) -> Judge:
        """The judge of ``source``; who has judged before, where path and text are the very same."""
        if self._judge is not None:
            known = self._judge.evidence
            if known.path == source.path and known.document is source.document:
                return self._judge
        self._judge = Judge(Evidence(source.path, source.document))
        return self._judge
