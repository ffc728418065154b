"""Discovery evals: are the packs found by the prompts they are for, and left alone by others?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from curator.packs.discovery.activation import matching
from curator.packs.discovery.loading import LoadingPolicy, gate
from curator.packs.pack import KnowledgePack


@dataclass(frozen=True)
class EvalResult:
    """One case of a suite, and what happened."""

    id: str
    expected: str
    actual: str
    missing_warnings: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        return self.expected == self.actual and not self.missing_warnings


def evaluate(suite: Mapping[str, Any], packs: Sequence[KnowledgePack]) -> list[EvalResult]:
    """The cases of ``suite`` among ``packs``, one of which it is about.

    ``select``: it is chosen, and nothing is to be said; ``warn``: chosen with a warning, or after being asked for. Whether
    the user has approved it is another matter.
    """
    return [_result(case, suite["pack_name"], packs) for case in suite["cases"]]


def _result(case: Mapping[str, Any], name: str, packs: Sequence[KnowledgePack]) -> EvalResult:
    chosen = next((pack for pack in matching(case["prompt"], packs) if pack.name == name), None)
    if chosen is None:
        return EvalResult(case["id"], case["expected"], "reject", tuple(case.get("expected_warnings", ())))
    verdict = gate(replace(chosen, approved=True), LoadingPolicy())
    said = [f"{finding.code} {finding.message}" for finding in (*verdict.refusals, *verdict.warnings)]
    missing = tuple(each for each in case.get("expected_warnings", ()) if not any(each in one for one in said))
    return EvalResult(case["id"], case["expected"], "warn" if said else "select", missing)


def precision_and_recall(results: Sequence[EvalResult]) -> tuple[float, float]:
    """Of the cases in which the pack was chosen, how many were right; of those in which it should be, how many were."""
    chosen = [each for each in results if each.actual != "reject"]
    meant = [each for each in results if each.expected != "reject"]
    right = sum(each.expected != "reject" for each in chosen)
    return (right / len(chosen) if chosen else 1.0, right / len(meant) if meant else 1.0)
