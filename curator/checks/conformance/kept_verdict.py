"""The verdict on a commit, kept until something that it follows from is another.

It follows from the commit, from what the maintenance pass follows from (``lint/report_key.py``), and from what was asked of
files and folders elsewhere: of parents, policies and consumers. What was asked is kept with the answers, and asked again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from curator.checks import kept_findings
from curator.checks.conformance import Verdict
from curator.repository.manifest_files import ManifestFiles, is_there
from curator.wiki.validation import Failure
from curator.wiki.workspace import refs

Question = tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    """What lies elsewhere than in the commit, as far as somebody asks; every answer is noted."""

    files: ManifestFiles
    answers: dict[Question, str] = field(default_factory=dict)

    def read(self, path: str) -> str | None:
        text = self.files.read(path)
        self.answers["read", path] = _digest(text)
        return text

    def pages(self, folder: str) -> frozenset[str]:
        found = self.files.pages(folder)
        self.answers["pages", folder] = _digest("\0".join(sorted(found)))
        return found

    def is_there(self, ref: refs.Consumer | refs.Folder, at: str) -> bool:
        found = is_there(ref, at)
        named = ("folder", ref.path) if isinstance(ref, refs.Folder) else ("consumer", ref.kind, ref.slug)
        self.answers[(*named, at)] = str(found)
        return found

    def again(self, question: Question) -> str:
        """The answer as it is now."""
        what, *about = question
        ask: dict[str, Callable[..., object]] = {
            "read": self.read,
            "pages": self.pages,
            "folder": lambda path, at: self.is_there(refs.Folder(path), at),
            "consumer": lambda kind, slug, at: self.is_there(refs.Consumer(kind, slug), at),
        }
        ask[what](*about)
        return self.answers[question]


@dataclass(frozen=True)
class KeptVerdict:
    """Where a verdict is kept, and under which key."""

    file: Path
    key: str
    asked: Asked

    def find(self, root: str, *, everything: bool) -> Verdict | None:
        """The verdict of an earlier look at the same; None where there is none."""
        found = kept_findings.find(self.file, self.key)
        if found is None:
            return None
        findings, (name, answers) = found
        if any(self.asked.again(tuple(question)) != answer for question, answer in answers):
            return None
        verdict = Verdict(root, name, cast("Sequence[Failure]", findings))
        return verdict if everything or verdict.ok else verdict.until_first_failure()

    def keep(self, verdict: Verdict) -> None:
        answers = [[list(question), answer] for question, answer in self.asked.answers.items()]
        kept_findings.keep(self.file, self.key, verdict.findings, [verdict.name, answers])


def _digest(text: str | None) -> str:
    return "" if text is None else hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
