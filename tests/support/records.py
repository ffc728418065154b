"""Records of the registry: one that says all a record can say, those of a wiki, and what the standard says of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curator.wiki.sources.record import Record, Signature
from curator.wiki.sources.registry import SourceManifest
from support.places import SHARED

SCHEMA = SHARED / "spec/schemas/aip-10-knowledge.schema.json"

FULL = Record(
    "ab" * 32,
    ("tea",),
    title="On Tea",
    captured_at="2026-04-15T09:30:00Z",
    captured_by="ann",
    authority="primary",
    language="en-GB",
    superseded_by="tea-2",
    tags=("tea", "drinks"),
    signature=Signature("ann@example.org", "ssh"),
    others={"metadata": {"vendor": {"x": 1}}},
)


def record_of(root: Path, path: str) -> Record:
    return SourceManifest.parse((root / "_manifest.json").read_text("utf-8")).sources[path]


def validator() -> Any:
    """Judges a record by the standard's schema, where that is at hand."""
    if not SCHEMA.is_file():
        pytest.skip("the standard's schema is not beside the repository")
    jsonschema = pytest.importorskip("jsonschema")
    whole = json.loads(SCHEMA.read_text("utf-8"))
    return jsonschema.Draft202012Validator({"$ref": "#/$defs/source", "$defs": whole["$defs"]})
