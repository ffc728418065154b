"""A record of the registry that says all a record can say."""

from __future__ import annotations

from curator.wiki.sources.registry import Record, Signature

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
