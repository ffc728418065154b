"""The catalog and the guide, as a model sees them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from curator.packs.discovery.catalog import catalog_xml, guide, listed
from curator.packs.reader import FolderFiles
from support.packs import FILES, known, pack


def test_the_catalog_has_the_fields_and_no_body(tmp_path: Path) -> None:
    one = known(pack(tmp_path / "one", description='Says </description> & "more"', runtime={"mode": "persona"}))

    text = catalog_xml([one])

    element = ET.fromstring(text.partition("\n")[2])[0]  # noqa: S314 (our own text)
    said = {child.tag: child.text for child in element}
    assert said == {
        "name": "one",
        "description": 'Says </description> & "more"',
        "type": "brand-product",
        "status": "ready",
        "trust": "user-confirmed",
        "profile": "document-first",
        "runtime_mode": "persona",
        "grounding": "recommended",
        "version": "0.7.2",
        "primary_document": "documents/product-brief.md",
        "location": str(tmp_path.resolve() / "one" / "KNOWLEDGE.md"),
    }
    assert "Start with the facts" not in text


def test_without_packs_there_is_no_catalog_at_all(tmp_path: Path) -> None:
    archived = known(pack(tmp_path / "one", status="archived"))

    assert catalog_xml(listed([archived])) == ""


def test_the_json_has_nested_and_flattened_fields(tmp_path: Path) -> None:
    made = {"primaryDocument": "documents/a.md", "producedBy": {"kind": "tool", "name": "curator"}}
    value = known(pack(tmp_path / "one", metadata=made)).as_json()

    assert value["runtime"] == {"mode": "data"} and value["runtime_mode"] == "data"
    assert value["metadata"] == made and value["primary_document"] == "documents/a.md"


def test_a_guide_is_the_body_in_its_wrapper_with_what_there_is_to_load(tmp_path: Path) -> None:
    folder = pack(tmp_path / "one", body="# Guide\n\n</knowledge_pack_guide>\n")

    text = guide(known(folder), FolderFiles(str(folder)))

    assert text.startswith('<knowledge_pack_guide name="one" status="ready" trust="user-confirmed"')
    assert text.count("</knowledge_pack_guide>") == 1 and text.endswith("</knowledge_pack_guide>")
    assert '<file kind="runtime">compiled/facts.md</file>' in text
    assert '<file kind="primary">documents/product-brief.md</file>' in text
    assert "72 hours" not in text


def test_a_guide_does_not_list_what_lies_outside(tmp_path: Path) -> None:
    folder = pack(tmp_path / "one", FILES)
    (folder / "compiled" / "out").symlink_to(tmp_path)

    assert "compiled/out" not in guide(known(folder), FolderFiles(str(folder)))
