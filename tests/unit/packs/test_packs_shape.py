"""What is wrong with the files of a pack: as grave as to the standard's own reference command line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from curator.packs.pack_shape import shape_findings
from support.packs import FILES, known, pack

CLAIM = {"claim_id": "1", "text": "It floats.", "status": "confirmed", "source": {"path": "sources/a.md"}}
FAULTS: Mapping[str, tuple[Mapping[str, str], Mapping[str, Any], list[tuple[str, str]]]] = {
    "sound": ({}, {}, []),
    "a map of sources that are there": (
        {"indexes/source-map.json": json.dumps({"claims": [CLAIM]}), "sources/a.md": ""},
        {},
        [],
    ),
    "a source is missing": (
        {"indexes/source-map.json": json.dumps({"claims": [CLAIM, CLAIM | {"claim_id": "2"}]})},
        {},
        [("error", "pack_source_missing")],
    ),
    "a source lies elsewhere": (
        {"indexes/source-map.json": json.dumps({"claims": [CLAIM | {"source": {"path": "../outside.md"}}]})},
        {},
        [("error", "pack_source_missing")],
    ),
    "no claims": ({"indexes/source-map.json": "{}"}, {}, [("error", "run_invalid")]),
    "no JSON": ({"evals/discovery.train.json": "nope"}, {}, [("error", "run_not_json")]),
    "a suite without cases": (
        {"evals/discovery.json": '{"pack_name": "one", "cases": []}'},
        {},
        [("error", "run_invalid")],
    ),
    "a run of another kind": ({"runs/other.json": '{"run_id": "1"}'}, {}, [("error", "run_unknown")]),
    "a run that is cut off": ({"runs/context-1.json": '{"run_id": "1"}'}, {}, [("error", "run_invalid")] * 3),
    "a usage log is no record": ({"runs/usage.jsonl": "{}"}, {}, []),
    "no primary document": ({}, {"metadata": {}}, [("warn", "pack_document_undeclared")]),
    "another primary document": (
        {},
        {"metadata": {"primaryDocument": "documents/none.md"}},
        [("warn", "pack_document_missing")],
    ),
    "an ontology without a manifest": (
        {"ontology/a.md": "A"},
        {"profile": "hybrid"},
        [("warn", "pack_ontology_undeclared")],
    ),
    "a manifest without an ontology": (
        {},
        {"profile": "hybrid", "metadata": {"primaryOntology": "ontology/m.md"}},
        [("error", "pack_ontology_missing")],
    ),
    "an ontology pack without one": ({}, {"type": "content-ontology"}, [("error", "pack_ontology_missing")]),
    "an ontology that is no JSON": (
        {"ontology/m.json": "{", "ontology/b.json": "{}"},
        {"profile": "hybrid", "metadata": {"primaryOntology": "ontology/m.json"}},
        [("error", "run_not_json")],
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_of_a_packs_files_is_told(tmp_path: Path, fault: str) -> None:
    files, head, told = FAULTS[fault]
    (tmp_path / "outside.md").write_text("x", "utf-8")

    found = list(shape_findings(known(pack(tmp_path / "one", {**FILES, **files}, **head))))

    assert [(each.severity, each.code) for each in found] == told


def test_a_record_that_leads_out_of_the_pack_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "map.json").write_text('{"claims": []}', "utf-8")
    folder = pack(tmp_path / "one")
    (folder / "indexes/source-map.json").unlink()
    (folder / "indexes/source-map.json").symlink_to(tmp_path / "map.json")

    assert [each.code for each in shape_findings(known(folder))] == ["file_unreadable"]
