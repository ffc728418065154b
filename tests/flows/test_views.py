"""Views at work: ingest, lint, search and the index through a KNOWLEDGE.md that lies beside whom it is for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from curator.ask.query_scope import QueryScope
from curator.checks.lint import maintenance
from curator.cli.commands import index, search
from curator.errors import ConfigError, WikiError
from curator.ingest import intake
from curator.ingest.flow import IngestOptions, ingest
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.repository.views import View, named
from curator.wiki import log
from curator.wiki.sources.formats import SourceLimits
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.wiki import PageEntry
from curator.wiki.workspace.workspace import QueryHints, Workspace
from support.fakes import ScriptedModel
from support.lints import commit, limits, page, plant
from support.views import HEAD, view
from support.wikis import NOW, OOLONG, drop, git

TEN = 10


def settings(root: Path, **flags: str) -> Settings:
    return Settings(root, {"SOURCE_DATE_EPOCH": str(int(NOW.timestamp()))}, flags)


def through(root: Path) -> Settings:
    return settings(root, view=str(root.parent / "lab"))


# -- which view ----------------------------------------------------------------------------------------------------


def test_a_view_is_named_by_its_folder_its_file_or_the_settings(root: Path) -> None:
    seen = view(root)
    lab = root.parent / "lab"

    for written, known in ((str(lab), {}), (str(lab / "KNOWLEDGE.md"), {}), ("lab", {"lab": "../lab"})):
        assert named(written, known, frozenset(), root) == seen


def test_a_name_that_leads_nowhere_is_not_what_was_meant(root: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        named("lab", {"lab": "../nowhere"}, frozenset(), root)

    assert "did you mean" not in caught.value.message


def test_a_view_that_is_not_there_is_named_with_those_that_are(root: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        named("labs", {"lab": "../lab"}, frozenset(), root)

    assert caught.value.code == "view_unknown"
    assert "'labs'" in caught.value.message and "by name: lab" in caught.value.hint


def test_the_settings_name_the_view_of_all_commands(root: Path) -> None:
    view(root, "queryHints:\n  scopeTo: [Entity]\n")
    plant(root, page("tea-house", kind="entity"), page("tea"))
    with Repository(root) as repository:
        repository.runtime.config.write_text('view = "lab"\n\n[views]\nlab = "../lab"\n')

    hits = search.run(settings(root), "tea", TEN).data["hits"]

    assert [hit["slug"] for hit in hits] == ["tea-house"]


def test_what_is_typed_is_meant_from_here(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = view(root)
    monkeypatch.chdir(root.parent)

    with Repository(root):
        assert settings(root, view="lab").view == seen
        assert Settings(root, {"CURATOR_VIEW": "lab"}, {}).view == seen
        assert settings(root).view is None


def test_a_view_of_another_wiki_is_refused(root: Path) -> None:
    other = root.parent / "other"
    other.mkdir()
    (other / "KNOWLEDGE.md").write_text(f"---\n{HEAD}---\n")
    seen = view(root, extends="../other/KNOWLEDGE.md")

    with Repository(root) as repository, pytest.raises(WikiError) as caught:
        repository.view().workspace(seen)

    assert caught.value.code == "view_elsewhere" and str(root / "KNOWLEDGE.md") in caught.value.message


def test_a_view_in_a_repository_counts_as_committed(root: Path) -> None:
    seen = view(root, "curation:\n  tone: dry\n")
    lab = Path(seen.path).parent
    git(lab, "init", "-q")

    with Repository(root) as repository:
        with pytest.raises(WikiError, match="is not committed"):
            repository.view().workspace(seen)
        commit(lab)
        view(root, "curation:\n  tone: loud\n")
        assert repository.view().workspace(seen).policy.tone == "dry"


def test_a_view_whose_consumer_is_not_there_is_refused(root: Path) -> None:
    seen = view(root, "appliesTo: [ws://operators/nobody]\n")

    with Repository(root) as repository, pytest.raises(WikiError) as caught:
        repository.view().workspace(seen)

    assert caught.value.code == "knowledge_appliesto_unresolvable"


def test_a_view_for_another_dimension_changes_nothing(root: Path) -> None:
    seen = view(root, "appliesTo: [region/fr]\ncuration:\n  tone: chantant\n")

    with Repository(root) as repository:
        snapshot = repository.view()
        assert snapshot.workspace(seen).policy == snapshot.workspace().policy
        assert [notice.code for notice in snapshot.workspace(seen).merged.notices] == ["knowledge_view_inert"]
        there = View(seen.path, frozenset({"region/fr"}))
        assert snapshot.workspace(there).policy.tone == "chantant"


def test_a_broken_chain_leaves_the_view_alone_with_a_warning(root: Path) -> None:
    seen = view(root, "curation:\n  tone: dry\n", extends="../gone/KNOWLEDGE.md")

    with Repository(root) as repository:
        workspace = repository.view().workspace(seen)

    assert workspace.policy.tone == "dry" and workspace.name == "lab-lens"
    assert [notice.code for notice in workspace.merged.notices] == ["knowledge_extends_missing"]


# -- a wiki that extends another manifest --------------------------------------------------------------------------


def test_a_root_may_extend_the_manifest_of_its_house(root: Path) -> None:
    house = root.parent / "house"
    house.mkdir()
    (house / "KNOWLEDGE.md").write_text(f"---\n{HEAD}curation:\n  tone: solemn\n  depth: deep\n---\n")
    text = (root / "KNOWLEDGE.md").read_text()
    text = text.replace("version: 1.0.0\n", "version: 1.0.0\nextends: ../house/KNOWLEDGE.md\n", 1)
    (root / "KNOWLEDGE.md").write_text(text.replace("  depth: medium\n", ""))
    commit(root)

    with Repository(root) as repository:
        workspace = repository.view().workspace()

    assert (workspace.name, workspace.policy.depth) == ("tea", "deep")
    assert workspace.policy.tone == "plain and factual"
    assert workspace.author_of("curation", "depth") == str(house / "KNOWLEDGE.md")


# -- ingest --------------------------------------------------------------------------------------------------------


def test_curation_shapes_what_a_model_is_asked(root: Path) -> None:
    seen = view(root, "curation:\n  tone: like a sailor\n  depth: deep\n  newEntryThreshold: Only ships.\n")
    model = ScriptedModel((OOLONG,))
    file = drop(root)

    with Repository(root) as repository:
        incoming = intake.look_at_source(file, repository, repository.begin().manifest(), 1_000_000)
        source = intake.read_source(incoming, "secondary", SourceLimits(1_000_000, 1_000_000))
        ingest(source, incoming.file, repository, model, IngestOptions(lambda: NOW, view=seen))

    policy = model.requests[0].policy
    assert (policy.tone, policy.depth, policy.new_entry_threshold) == ("like a sailor", "deep", "Only ships.")
    assert policy.conflict_resolution == "recency"


def test_the_index_that_is_committed_stays_the_wikis(root: Path) -> None:
    seen = view(root, "display:\n  defaultGrouping: source\n")
    file = drop(root)

    with Repository(root) as repository:
        incoming = intake.look_at_source(file, repository, repository.begin().manifest(), 1_000_000)
        source = intake.read_source(incoming, "secondary", SourceLimits(1_000_000, 1_000_000))
        ingest(source, incoming.file, repository, ScriptedModel((OOLONG,)), IngestOptions(lambda: NOW, view=seen))

    assert "## Concepts" in (root / "_index.md").read_text()


def test_no_view_lets_in_what_the_wiki_wants_grounded(root: Path) -> None:
    weak = "metadata:\n  pack:\n    grounding: none\ncuration:\n  conflictResolution: recency\n"
    text = (root / "KNOWLEDGE.md").read_text()
    (root / "KNOWLEDGE.md").write_text(text.replace("conflictResolution: recency", "conflictResolution: defer"))
    commit(root)

    with Repository(root) as repository:
        transaction = repository.begin()
        assert transaction.policy(view(root, weak)).grounding == "required"
        assert transaction.policy(view(root, weak)).conflict_resolution == "recency"
        broken = view(root, weak, extends="../gone/KNOWLEDGE.md")
        assert repository.begin().workspace(broken).policy.conflict_resolution == "recency"
        policy = repository.begin().policy(broken)
        assert (policy.grounding, policy.conflict_resolution) == ("required", "defer")


# -- lint ----------------------------------------------------------------------------------------------------------

OLD = 'lints:\n  - {id: fresh, kind: max-age, appliesTo: "*", severity: error, params: {days: 0.5}}\n'


def found(root: Path, seen: View | None = None) -> dict[str, set[str]]:
    """The severities of each code."""
    codes: dict[str, set[str]] = {}
    with Repository(root) as repository:
        for finding in maintenance.lint_wiki(repository, NOW, limits, seen).findings:
            codes.setdefault(finding.code, set()).add(finding.severity)
    return codes


def test_the_lints_of_a_view_apply_beside_the_wikis(root: Path) -> None:
    plant(root, page("oolong", "It leads [[nowhere]]. [^tea-1]"))

    assert "claim_stale" not in found(root)
    seen = found(root, view(root, OLD))

    assert seen["claim_stale"] == {"error"} and seen["link_broken"] == {"error"}


def test_a_finding_names_the_manifest_that_asks_for_it(root: Path) -> None:
    seen = view(root, 'lints:\n  - {id: odd, kind: custom, appliesTo: "*", severity: info}\n')

    with Repository(root) as repository:
        findings = maintenance.lint_wiki(repository, NOW, limits, seen).findings

    (unknown,) = [finding for finding in findings if finding.code == "lint_unknown"]
    assert unknown.path == seen.path and unknown.line is None


def test_what_a_view_softens_is_said(root: Path) -> None:
    soft = "lints:\n  - {id: no-broken-links, kind: broken-ref, appliesTo: '*', severity: info}\n"
    plant(root, page("oolong", "It leads [[nowhere]]. [^tea-1]"))

    seen = found(root, view(root, soft))

    assert seen["link_broken"] == {"info"} and seen["governance:lint_softened"] == {"warn"}


def test_the_log_tells_through_which_view(root: Path) -> None:
    view(root, OLD)
    plant(root, page("oolong"))

    def at_work(**flags: str) -> Mapping[str, Any]:
        from curator.cli.commands import lint as command

        wish = command.LintOptions(form="json", fail_on="never")
        return command.run(settings(root, **flags), wish, lambda _: None).data

    first, second = at_work(), at_work(view=str(root.parent / "lab"))

    assert first["log"]["commit"] and second["log"]["commit"] and second["view"] == "lab-lens"
    events = [event for event in log.parse((root / "_log.md").read_text()) if event.type == "lint"]
    assert ["through lab-lens" in event.subject for event in events] == [False, True]


def test_drift_is_judged_by_the_wikis_own_manifest(root: Path) -> None:
    assert "wiki_schema_drift" not in found(root, view(root, OLD))


# -- search and the index ------------------------------------------------------------------------------------------


def slugs(root: Path, words: str, everywhere: bool = False) -> list[str]:
    return [hit["slug"] for hit in search.run(through(root), words, TEN, everywhere).data["hits"]]


def typed(slug: str, name: str, **fields: str) -> tuple[str, str]:
    return page(slug, kind="entity", metadata=f"{{curator: {{type: {name}}}}}", **fields)


def test_search_is_scoped_to_types_and_their_subtypes(root: Path) -> None:
    view(
        root,
        "entityTypes:\n  - {name: House}\n  - {name: TeaHouse, parent: House}\nqueryHints:\n  scopeTo: [House]\n",
    )
    plant(root, typed("tea-hut", "House"), typed("tea-palace", "TeaHouse"), page("tea-leaf"))

    assert sorted(slugs(root, "tea")) == ["tea-hut", "tea-palace"]
    assert sorted(slugs(root, "tea", everywhere=True))[-2:] == ["tea-leaf", "tea-palace"]
    nothing = search.run(through(root), "leaf", TEN)
    assert nothing.lines == ("no page matches 'leaf' among the pages of type House; --all looks at all",)


def test_a_small_scope_is_found_in_a_big_wiki(root: Path) -> None:
    view(root, "queryHints:\n  scopeTo: [Entity]\n")
    plant(root, *(page(f"tea-{n}") for n in range(60)), page("tea-house", "Tea, once.", kind="entity"))

    assert slugs(root, "tea") == ["tea-house"]


def test_words_that_stand_together_out_of_scope_only_are_looked_for_one_by_one_in_it(root: Path) -> None:
    view(root, "queryHints:\n  scopeTo: [Entity]\n")
    plant(root, page("brewing", "Clay pots and kettles."), page("tea-house", "It has kettles.", kind="entity"))

    assert slugs(root, "clay kettles") == ["tea-house"]


def test_the_recent_come_first_where_that_is_preferred(root: Path) -> None:
    plant(root, page("tea-a", updated_at="2020-01-01T00:00:00Z"), page("tea-b", updated_at="2026-01-01T00:00:00Z"))
    view(root)
    before = slugs(root, "tea oxidised")[:2]
    view(root, "queryHints:\n  preferRecent: true\n")

    assert (before, slugs(root, "tea oxidised")[:2]) == (["tea-a", "tea-b"], ["tea-b", "tea-a"])


def test_the_authoritative_come_first_where_that_is_preferred(root: Path) -> None:
    plant(root, page("tea-a"), page("tea-b", sources="[sources/law.txt]"))
    registry = root / "_manifest.json"
    record = '"contentHash": "00", "slugs": []'
    registry.write_text(
        f'{{"version": 1, "sources": {{"sources/tea.txt": {{{record}, "authority": "rumour"}},'
        f' "sources/law.txt": {{{record}, "authority": "primary"}}}}}}'
    )
    commit(root)
    view(root, "queryHints:\n  preferAuthoritative: true\n")

    assert slugs(root, "tea oxidised")[:2] == ["tea-b", "tea-a"]


def test_search_tells_of_the_view_and_what_is_odd_about_it(root: Path) -> None:
    view(root, extends="../gone/KNOWLEDGE.md")

    data = search.run(through(root), "tea", TEN).data

    assert data["view"] == "lab-lens"
    assert [warning["code"] for warning in data["warnings"]] == ["knowledge_extends_missing"]


def test_the_index_is_grouped_and_begins_as_the_view_has_it(root: Path) -> None:
    view(root, "display:\n  defaultGrouping: source\n  homePage: oolong\nqueryHints:\n  scopeTo: [Concept]\n")
    plant(root, page("oolong"), page("tea-house", kind="entity"))

    report = index.run(through(root), everywhere=False)

    assert report.lines[:3] == ("# Index", "", "Home: [[oolong]] Oolong: Oolong is partly oxidised.")
    assert "## sources/tea.txt" in report.lines
    assert not [line for line in report.lines if "[[tea-house]]" in line]
    assert report.data["home"] == "oolong" and report.data["view"] == "lab-lens"
    assert [line for line in index.run(through(root), everywhere=True).lines if "[[tea-house]]" in line]


def test_a_page_with_a_whiteout_is_not_seen_through_the_view(root: Path) -> None:
    plant(root, page("oolong"), page("assam"), page("darjeeling"))
    folder = Path(view(root).path).parent / "concepts"
    folder.mkdir()
    (folder / "oolong.md.whiteout").touch()
    (folder / "assam.md").write_text("The lab has another page here.\n")

    assert slugs(root, "oxidised") == ["darjeeling"] == slugs(root, "oxidised", everywhere=True)
    assert "[[oolong]] Oolong" not in "".join(index.run(through(root), everywhere=True).lines)
    assert len(search.run(settings(root), "oxidised", TEN).data["hits"]) == 3


def test_a_page_of_a_constraint_stays(root: Path) -> None:
    text = (root / "KNOWLEDGE.md").read_text()
    (root / "KNOWLEDGE.md").write_text(text.replace("metadata:\n", "metadata:\n  layer:\n    mode: constraint\n"))
    plant(root, page("oolong"))
    folder = Path(view(root).path).parent / "concepts"
    folder.mkdir()
    (folder / "oolong.md.whiteout").touch()

    assert slugs(root, "oxidised") == ["oolong"]


def test_without_a_view_the_wikis_own_hints_hold(root: Path) -> None:
    text = (root / "KNOWLEDGE.md").read_text()
    (root / "KNOWLEDGE.md").write_text(text.replace("\ndisplay:", "\nqueryHints:\n  scopeTo: [Concept]\n\ndisplay:"))
    plant(root, page("tea"), page("tea-house", kind="entity"))

    assert "tea-house" not in [hit["slug"] for hit in search.run(settings(root), "tea", TEN).data["hits"]]


def test_validate_looks_at_the_views_that_have_a_name(root: Path) -> None:
    from curator.cli.commands import validate

    view(root, "appliesTo: [ws://operators/nobody]\n")
    with Repository(root) as repository:
        repository.runtime.config.write_text('[views]\nlab = "../lab"\ngone = "../gone"\n')

    report = validate.run(root, [], {}, everything=True)

    found = {finding["code"]: finding for finding in report.data["findings"] if finding["severity"] == "error"}
    assert report.exit_status == 1
    assert found["schema_missing"]["path"] == str(root.parent / "gone")
    assert found["knowledge_appliesto_unresolvable"]["path"] == str(root.parent / "lab" / "KNOWLEDGE.md")


def test_however_few_pages_are_in_scope_two_searches_find_them(root: Path) -> None:
    """The cost of a narrow scope: one look at the first pages, then one at all."""
    entries = {f"p-{n}": PageEntry(f"p-{n}", f"concepts/p-{n}.md", f"P {n}", "concept", "Concept") for n in range(3000)}
    entries["it"] = PageEntry("it", "entities/it.md", "It", "entity", "Entity")
    found = [(slug, 1.0) for slug in entries]
    asked: list[int] = []

    def search(limit: int) -> list[tuple[str, float]]:
        asked.append(limit)
        return found[:limit]

    lens = QueryScope(
        replace(Workspace("w", "W", "w", "1.0.0"), hints=QueryHints(scope=("Entity",))),
        lambda: SourceRecords(SourceManifest()),
        frozenset(),
    )

    assert [hit.entry.slug for hit in lens.find(search, entries.get, 10, False)] == ["it"]
    assert len(asked) == 2
