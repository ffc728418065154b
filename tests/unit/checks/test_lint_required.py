"""Required fields: what KNOWLEDGE.md says a page of an entity type has, and where on the page it may stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.lints import commit, examined, found, page, plant, the_only, with_lints

TYPES = """  - name: Person
    fields: [role]
  - name: Investor
    parent: Person
    fields: [lead_partner, fundSize]
"""
CITED = "See also: [[home]]"


def investor(metadata: str = "", body: str = CITED, **fields: str) -> tuple[str, str]:
    rest = f", {metadata}" if metadata else ""
    return page("ada", body, kind="entity", metadata=f"{{curator: {{type: Investor{rest}}}}}", **fields)


@pytest.fixture
def typed(root: Path) -> Path:
    with_lints(root, types=TYPES)
    return root


def test_a_page_without_its_types_fields_is_told_of_once(typed: Path) -> None:
    plant(typed, investor())

    fault = the_only(typed, "field_missing")

    assert (fault.path, fault.line, fault.severity) == ("entities/ada.md", 1, "info")
    assert fault.message == "KNOWLEDGE.md gives Investor the fields role, lead_partner, fundSize, which it has not"


@pytest.mark.parametrize(
    "ada",
    [
        investor("role: x, lead_partner: Bob, fundSize: 3"),
        investor("fields: {role: x, lead-partner: Bob, fund_size: 0}"),
        investor(role="x", leadPartner="[Bob]", fund_size="3"),
        investor("role: x", f"{CITED}\n\n## Lead partner\n\n{CITED}\n\n### Fund size\n\n{CITED}"),
    ],
    ids=["metadata", "fields of metadata", "top level", "headings"],
)
def test_where_a_field_may_stand(typed: Path, ada: tuple[str, str]) -> None:
    plant(typed, ada)

    assert not found(typed, "field_missing")


def test_another_vendors_fields_count_too(typed: Path) -> None:
    metadata = "{curator: {type: Investor}, guilde: {role: x, leadPartner: Bob, fundSize: 1}}"
    plant(typed, page("ada", CITED, kind="entity", metadata=metadata))

    assert not found(typed, "field_missing")


def test_a_field_without_a_value_is_none(typed: Path) -> None:
    plant(typed, investor("role: '', lead_partner: , fundSize: []"))

    assert "role, lead_partner, fundSize" in the_only(typed, "field_missing").message


def test_a_supertype_has_its_own_fields_only(typed: Path) -> None:
    plant(typed, page("bob", CITED, kind="entity", metadata="{curator: {type: Person, role: x}}"), page("tea"))

    assert not found(typed, "field_missing")


def test_a_field_that_is_added_is_seen(typed: Path) -> None:
    plant(typed, investor("role: x, fundSize: 3"))
    assert the_only(typed, "field_missing").message.endswith("the field lead_partner, which it has not")

    path, text = investor("role: x, fundSize: 3, lead_partner: Bob")
    (typed / path).write_text(text, "utf-8")
    commit(typed)

    assert not found(typed, "field_missing")


def test_a_manifest_that_asks_for_more_is_heard_without_reading_pages(typed: Path) -> None:
    plant(typed, investor("role: x, fundSize: 3, lead_partner: Bob"))
    assert not found(typed, "field_missing")

    file = typed / "KNOWLEDGE.md"
    file.write_text(file.read_text("utf-8").replace("fields: [role]", "fields: [role, since]"), "utf-8")
    commit(typed)
    result = examined(typed)

    assert result.looked_at == 0
    assert ["since" in fault.message for fault in result.findings if fault.code == "field_missing"] == [True]


def test_a_head_that_cannot_be_read_is_no_missing_field(typed: Path) -> None:
    plant(typed, investor(title="[unclosed"))

    assert not found(typed, "field_missing")
