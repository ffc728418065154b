"""What the JSON files of packs may hold: records of context and compile runs, source maps, suites of evals."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from curator.finding import Finding
from curator.packs.pack import GROUNDINGS, MODES, PROFILES, STATUSES, TRUSTS
from curator.wiki.validation import FLAG, Fields, Items, Shape, Value, one_of

_NO_OTHERS = "no other field"
_TEXT = Value(lambda value: isinstance(value, str), "text")
_WORDS = Value(lambda value: isinstance(value, str) and value != "", "text that is not empty")
_NUMBER = Value(lambda value: isinstance(value, int) and not isinstance(value, bool), "a whole number")
_TEXTS = Items(_TEXT, once=False)
_RUN_STATUS = one_of("passed", "needs-review", "stale", "disputed", "failed")
_SEVERITY = one_of("info", "warning", "error")
EXPECTED = ("select", "reject", "warn")


class _NonEmpty(Items):
    """A list with something in it."""

    def problems(self, value: Any, field: tuple[Any, ...]) -> Any:
        if value == []:
            yield from Value(lambda _: False, "at least one").problems(value, field)
        yield from super().problems(value, field)


def _closed(required: tuple[str, ...], /, **fields: Shape) -> Fields:
    return Fields(fields, required=required, others=_NO_OTHERS)


_ACTIVATED = _closed(
    ("name", "activation", "selected_files"),
    name=_WORDS,
    activation=one_of("explicit", "implicit", "resolver-driven"),
    status=one_of(*STATUSES),
    trust=one_of(*TRUSTS),
    grounding=one_of(*GROUNDINGS),
    selected_files=_TEXTS,
    source_anchors=_TEXTS,
    warnings=Items(_closed(("severity", "message"), severity=_SEVERITY, path=_TEXT, message=_TEXT), once=False),
    profile=one_of(*PROFILES),
    runtime_mode=one_of(*MODES),
    selected_documents=_TEXTS,
    selected_splits=_TEXTS,
    wrapper_order=_NUMBER,
    builder_skill=_closed(("name",), name=_WORDS, version=_TEXT, digest=_TEXT),
)
CONTEXT_RUN = _closed(
    ("run_id", "query", "status", "activated_packs"),
    run_id=_WORDS,
    query=_WORDS,
    status=_RUN_STATUS,
    resolver=_closed((), tool=_TEXT, version=_TEXT, strategy=_TEXT),
    activated_packs=_NonEmpty(_ACTIVATED, once=False),
    missing=_TEXTS,
    token_estimate=_NUMBER,
    wrapper_order=_TEXTS,
)
COMPILE_RUN = _closed(
    ("run_id", "trigger", "status", "inputs", "outputs"),
    run_id=_WORDS,
    trigger=one_of("ingest", "source-change", "manual", "scheduled", "migration"),
    status=_RUN_STATUS,
    compiler=_closed((), tool=_TEXT, version=_TEXT, model=_TEXT),
    inputs=Items(_closed(("path",), path=_TEXT, sha256=_TEXT), once=False),
    outputs=Items(
        _closed(("path", "operation"), path=_TEXT, operation=one_of("created", "updated", "deleted", "unchanged")),
        once=False,
    ),
    diagnostics=Items(
        _closed(("severity", "path", "message"), severity=_SEVERITY, path=_TEXT, message=_TEXT), once=False
    ),
    review=_closed((), required=FLAG, reason=_TEXT),
)
SOURCE_MAP = _closed(
    ("claims",),
    claims=Items(
        _closed(
            ("claim_id", "text", "status", "source"),
            claim_id=_WORDS,
            text=_WORDS,
            status=one_of("confirmed", "inferred", "disputed", "stale", "missing", "source-required"),
            source=_closed(("path",), path=_TEXT, anchor=_TEXT),
            compiled_into=_TEXTS,
        ),
        "claim_id",
    ),
)
EVAL_SUITE = _closed(
    ("pack_name", "cases"),
    pack_name=_WORDS,
    cases=_NonEmpty(
        _closed(
            ("id", "prompt", "expected"),
            id=_WORDS,
            prompt=_WORDS,
            expected=one_of(*EXPECTED),
            reason=_TEXT,
            expected_warnings=_TEXTS,
        ),
        "id",
    ),
)
_KINDS: Mapping[str, tuple[str, Fields]] = {
    "activated_packs": ("context run", CONTEXT_RUN),
    "trigger": ("compile run", COMPILE_RUN),
    "claims": ("source map", SOURCE_MAP),
    "cases": ("eval suite", EVAL_SUITE),
}
"""What a file is, by a field that only it has."""
_BY_NAME = {"context-": "activated_packs", "compile-": "trigger", "source-map": "claims"}


def check_file(text: str, path: str) -> tuple[str, Any, list[Finding]]:
    """What kind of file this is, what it holds, and all that is wrong with it."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        return "", None, [Finding("run_not_json", path, f"not JSON: {error}")]
    names = value.keys() if isinstance(value, dict) else ()
    stem = PurePosixPath(path).name
    key = next((name for name in _KINDS if name in names), None)
    key = key or next((name for start, name in _BY_NAME.items() if stem.startswith(start)), None)
    if key is None:
        said = "neither a context run, a compile run, a source map nor an eval suite"
        return "", value, [Finding("run_unknown", path, said)]
    kind, shape = _KINDS[key]
    problems = shape.problems(value, ())
    return kind, value, [Finding("run_invalid", path, str(problem)) for problem in problems]
