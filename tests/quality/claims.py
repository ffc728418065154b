"""How well code judges claims, by kind: a section of ``make quality``.

The labelled claims are a folder with ``true.jsonl``, ``labels.jsonl``, ``false.jsonl``, ``hard_true.jsonl`` and
``sources/``; without one those of ``labelled`` here are judged, on three invented documents, and the claims of
tests/cases/support, by the code that is to be found. The part without labels changes the sentences of any documents. Of
the documents that are held back only totals are known to whoever wrote the rules.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.layout import Layout
from curator.wiki.sources.source import Document
from curator.wiki.support.judge import Judge, Judgement, judge
from support.claim_cases import claim_cases

LABELLED = Path(__file__).resolve().parent / "labelled"
HELD_BACK = ("pep-0613.rst", "pep-0702.rst", "pep-3107.rst")
PER_SOURCE = 60
"""Sentences of a source that the part without labels tries."""


@dataclass
class Tally:
    """How many of how many were refused, by group (read, held back, unlabelled) and kind."""

    refused: Counter[tuple[str, str]] = field(default_factory=Counter)
    tried: Counter[tuple[str, str]] = field(default_factory=Counter)
    codes: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, group: str, kind: str, verdict: Judgement) -> None:
        self.tried[group, kind] += 1
        self.refused[group, kind] += not verdict.supported
        self.codes.update((finding, kind) for finding in {finding.code for finding in verdict.findings})

    def rows(self) -> Iterator[dict[str, Any]]:
        for group, kind in sorted(self.tried):
            tried, refused = self.tried[group, kind], self.refused[group, kind]
            yield {"documents": group, "kind": kind, "tried": tried, "refused": refused, "share": refused / tried}


@dataclass(frozen=True)
class ClaimFigures:
    """What was refused by kind, by which codes, and how long a hundred claims took."""

    rows: tuple[dict[str, Any], ...]
    codes: dict[str, int]
    seconds: float


def measure_claims(claims: Path | None, sources: Path | None, held_back: Collection[str]) -> ClaimFigures:
    """Judge the labelled ``claims`` (None: ours, and the cases of the tests), then the sentences of ``sources``."""
    tally, began = Tally(), time.perf_counter()
    judged = _labelled(claims or LABELLED, held_back, tally) + (0 if claims else _cases(tally))
    seconds = 100 * (time.perf_counter() - began) / max(1, judged)
    if found := sources or (claims and claims / "sources"):
        _unlabelled(found, tally)
    codes = {f"{code} {kind}": number for (code, kind), number in sorted(tally.codes.items())}
    return ClaimFigures(tuple(tally.rows()), codes, seconds)


# -- labelled claims -----------------------------------------------------------------------------------------------


def _cases(tally: Tally) -> int:
    cases = list(claim_cases())
    for case in cases:
        verdict = judge(case.claim, case.quotes, Document.from_text(case.source), case.names)
        for kind in case.codes or {"supported"}:
            tally.add("cases", kind, verdict)
    return len(cases)


def _labelled(folder: Path, held_back: Collection[str], tally: Tally) -> int:
    judges: dict[str, Judge] = {}
    judged = 0
    for kind, row in _rows(folder):
        name = Path(row["source"]).name
        if name not in judges:
            judges[name] = _judge(folder / "sources" / name)
        verdict = judges[name].judge(row["claim"], row["quotes"], [row.get("page", "")])
        group = "held back" if name in held_back else "read"
        tally.add(group, kind, verdict)
        if kind not in ("supported", "hard true"):
            tally.add(group, "all distortions", verdict)
        judged += 1
    return judged


def _rows(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    supported = {row["id"] for row in _lines(folder / "labels.jsonl") if row["label"] == "supported"}
    yield from (("supported", row) for row in _lines(folder / "true.jsonl") if row["id"] in supported)
    yield from (("hard true", row) for row in _lines(folder / "hard_true.jsonl"))
    yield from ((row["kind"], row) for row in _lines(folder / "false.jsonl"))


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.is_file() else []


def _judge(file: Path) -> Judge:
    return Judge(Evidence(file.name, Document.from_text(file.read_text("utf-8"))))


# -- no labels: the sentences of a source, as they are and changed ------------------------------------------------


def _unlabelled(folder: Path, tally: Tally) -> None:
    for file in sorted(path for path in folder.iterdir() if path.is_file()):
        judge, chance = _judge(file), Random(file.name)
        sentences = list(_sentences(judge.source.layout))
        for sentence in chance.sample(sentences, min(PER_SOURCE, len(sentences))):
            tally.add("unlabelled", "verbatim", judge.judge(sentence, [sentence]))
            tally.add("unlabelled", "verbatim, quote cut", judge.judge(sentence, [_cut(sentence)]))
            tally.add("unlabelled", "another quote", judge.judge(sentence, [chance.choice(sentences)]))
            for kind, change in CHANGES.items():
                changed = change(sentence)
                if changed != sentence:
                    tally.add("unlabelled", kind, judge.judge(changed, [sentence]))


def _sentences(layout: Layout) -> Iterator[str]:
    """Whole sentences of paragraphs, of a sane length, that stand in their source once."""
    for at, block in enumerate(layout.blocks):
        if block.kind == "paragraph":
            for start, end in layout.sentences(at, block.start, block.end):
                sentence = " ".join(layout.text[start:end].split())
                if 8 <= len(sentence.split()) <= 60 and len(sentence) < 500 and sentence.endswith("."):
                    yield sentence


def _cut(sentence: str) -> str:
    words = sentence.split()
    return " ".join(words[: max(5, len(words) * 6 // 10)])


def _without_not(sentence: str) -> str:
    return re.sub(
        r"\b(is|are|was|were|does|do|did|can|will|should|must|may|would) ?(?:not|n't)\b", r"\1", sentence, count=1
    )


def _with_not(sentence: str) -> str:
    if re.search(r"\b(?:not|no|never|n't|without|only)\b", sentence):
        return sentence
    return re.sub(
        r"\b(is|are|was|were|can|will|should|must|would)\b(?! (?:not|a|an|the)\b)", r"\1 not", sentence, count=1
    )


def _other_number(sentence: str) -> str:
    return re.sub(r"(?<![\w.`/-])(\d{1,4})(?![\w.`/-])", lambda found: str(int(found[1]) + 7), sentence, count=1)


CHANGES: dict[str, Callable[[str], str]] = {
    "not taken out": _without_not,
    "not put in": _with_not,
    "number changed": _other_number,
    "may to will": lambda sentence: re.sub(r"\b(?:may|might)\b", "will", sentence, count=1),
}
