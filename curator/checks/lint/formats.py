"""The findings in the forms other programs read: SARIF 2.1.0, and the workflow commands of GitHub Actions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from curator.finding import Finding
from curator.version import __version__

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warn": "warning", "info": "note"}
_COMMANDS = {"error": "error", "warn": "warning", "info": "notice"}


def sarif(findings: Sequence[Finding], prefix: str) -> str:
    """One run with a result a finding; ``prefix`` is the wiki's folder in the repository, with its slash."""
    rules = {code: number for number, code in enumerate(sorted({finding.code for finding in findings}))}
    driver = {
        "name": "curate lint",
        "version": __version__,
        "rules": [{"id": code, "shortDescription": {"text": code.replace("_", " ")}} for code in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "the top of the repository"}}},
        "results": [_result(finding, rules[finding.code], prefix) for finding in findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def _result(finding: Finding, rule: int, prefix: str) -> dict[str, Any]:
    text = f"{finding.message} ({finding.hint})" if finding.hint else finding.message
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(prefix + finding.path), "uriBaseId": "SRCROOT"}}
    if finding.line:
        place["region"] = {"startLine": finding.line}
    # Without the line: a finding that moved down the page is the same one.
    mark = "\0".join((finding.code, finding.path, finding.message))
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"finding/v1": sha256(mark.encode("utf-8", "replace")).hexdigest()},
    }


def github(findings: Sequence[Finding], prefix: str) -> Iterator[str]:
    """A line a finding, which GitHub shows beside the line it speaks of."""
    for finding in findings:
        fields = {"file": prefix + finding.path, "line": str(finding.line or 1), "title": finding.code}
        escaped = {name: _data(value).replace(":", "%3A").replace(",", "%2C") for name, value in fields.items()}
        written = ",".join(f"{name}={value}" for name, value in escaped.items())
        text = f"{finding.message}\n{finding.hint}" if finding.hint else finding.message
        yield f"::{_COMMANDS[finding.severity]} {written}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
