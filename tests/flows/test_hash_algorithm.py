"""``sources.hashAlgo``: which algorithm pins a source, and what becomes of those that are in when it changes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from curator.checks.lint.facts.source_files import SourceFiles
from curator.cli.commands import doctor, ingest, lint, retry_skip, status
from curator.errors import ConfigError
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.system import digests
from curator.wiki.sources.registry import SourceManifest
from support.wikis import TEA, drop, git, manage

needs_blake3 = pytest.mark.skipif(not digests.is_there("blake3"), reason="the extra blake3 is not installed")
OTHER = TEA.replace("Oolong", "Sencha").replace("oolong", "sencha")


def settings(root: Path) -> Settings:
    return Settings(root, {}, {})


def pin_by(root: Path, algorithm: str) -> None:
    """Let KNOWLEDGE.md ask for an algorithm."""
    manage(root, hashAlgo=algorithm)


def take(root: Path, *files: Path) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = ingest.run(settings(root), files, False, False, lambda _: None).data["results"]
    return results


def registry(root: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((root / "_manifest.json").read_text("utf-8"))
    return value


def codes(root: Path) -> set[str]:
    found = doctor.run(lambda: settings(root), None, False, False, lambda _: None).data["findings"]
    return {finding["code"] for finding in found if finding["severity"] != "info"}


@pytest.mark.parametrize("algorithm", ["sha512", pytest.param("blake3", marks=needs_blake3)])
def test_a_new_wiki_pins_its_sources_as_its_manifest_says(root: Path, algorithm: str) -> None:
    pin_by(root, algorithm)
    file = drop(root)

    (result,) = take(root, file)

    assert result["status"] == "ingested"
    value = registry(root)
    pinned = digests.of(file.read_bytes(), algorithm)
    assert value["hashAlgo"] == algorithm
    assert value["sources"]["sources/oolong-notes.txt"]["contentHash"] == pinned.partition(":")[2]
    assert f"Curator-Source: sources/oolong-notes.txt {pinned}" in git(root, "log", "-1", "--format=%B")
    assert [result["status"] for result in take(root, file)] == ["skipped"]


@pytest.mark.parametrize("algorithm", ["sha512", pytest.param("blake3", marks=needs_blake3)])
def test_another_algorithm_holds_for_new_sources_and_those_that_are_in_stay_in(root: Path, algorithm: str) -> None:
    old = drop(root)
    take(root, old)
    before = registry(root)["sources"]["sources/oolong-notes.txt"]
    pin_by(root, algorithm)

    assert [result["status"] for result in take(root, old)] == ["skipped"]
    new = drop(root, "sencha.txt", OTHER)
    assert [result["status"] for result in take(root, new)] == ["ingested"]

    value = registry(root)
    assert value["hashAlgo"] == "sha256"
    assert value["sources"]["sources/oolong-notes.txt"]["contentHash"] == before["contentHash"]
    assert value["sources"]["sources/sencha.txt"]["contentHash"] == digests.of(new.read_bytes(), algorithm)
    assert [result["status"] for result in take(root, old, new)] == ["skipped", "skipped"]
    assert not codes(root)
    assert status.run(settings(root)).data["sources"] == 2


def test_the_same_bytes_are_known_whatever_they_are_pinned_by(root: Path, tmp_path: Path) -> None:
    take(root, drop(root))
    pin_by(root, "sha512")
    copy = tmp_path / "copy.txt"
    copy.write_text(TEA, "utf-8")

    (result,) = take(root, copy)

    assert (result["status"], result["duplicate_of"]) == ("duplicate", "sources/oolong-notes.txt")


def test_bytes_that_change_are_pinned_anew_by_the_algorithm_of_now(root: Path) -> None:
    take(root, drop(root))
    pin_by(root, "sha512")
    changed = drop(root, text=TEA + "Oolong from Taiwan is rolled into small balls by hand.\n")

    (result,) = take(root, changed)

    assert result["status"] == "ingested"
    record = registry(root)["sources"]["sources/oolong-notes.txt"]
    assert record["contentHash"] == digests.of(changed.read_bytes(), "sha512")
    assert not codes(root)


def test_lint_and_doctor_check_each_source_by_its_own_algorithm(root: Path) -> None:
    take(root, drop(root))
    pin_by(root, "sha512")
    new = drop(root, "sencha.txt", OTHER)
    take(root, new)

    new.write_text(OTHER + "More.\n", "utf-8")

    found = lint.run(settings(root), lint.LintOptions(logs=False, form="json"), lambda _: None).data["findings"]
    assert [(f["path"], f["code"]) for f in found if f["code"].startswith("source_")] == [
        ("sources/sencha.txt", "source_hash_mismatch")
    ]
    assert codes(root) == {"source_hash_mismatch"}


def test_a_source_that_was_put_aside_stays_aside(root: Path) -> None:
    take(root, drop(root))
    pin_by(root, "sha512")
    new = drop(root, "sencha.txt", OTHER)

    retry_skip.skip_sources(settings(root), [new])

    with Repository(root) as repository:
        from curator.ingest.waiting import LeftAlone

        assert "put aside" in LeftAlone(repository).why("sources/sencha.txt")


def test_without_the_package_of_blake3_every_command_says_so(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take(root, drop(root))
    pin_by(root, "blake3")
    new = drop(root, "sencha.txt", OTHER)
    monkeypatch.setitem(sys.modules, "blake3", None)

    with pytest.raises(ConfigError, match="blake3") as caught:
        take(root, new)

    assert codes(root) == {"hash_unavailable"}
    assert caught.value.code == "hash_unavailable"
    assert "curate-wiki[blake3]" in caught.value.hint
    assert len(registry(root)["sources"]) == 1


@needs_blake3
def test_without_the_package_what_is_pinned_by_it_is_reported_as_unchecked(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pin_by(root, "blake3")
    take(root, drop(root))
    monkeypatch.setitem(sys.modules, "blake3", None)

    assert codes(root) == {"hash_unavailable"}
    found = lint.run(settings(root), lint.LintOptions(logs=False, form="json"), lambda _: None).data["findings"]
    assert [f["code"] for f in found if f["code"].startswith("source_")] == ["source_hash_unchecked"]


def test_a_mixed_registry_is_mended_record_by_record(root: Path) -> None:
    take(root, drop(root))
    pin_by(root, "sha512")
    take(root, drop(root, "sencha.txt", OTHER))
    good = (root / "_manifest.json").read_text("utf-8")
    value = registry(root)
    value["sources"]["sources/sencha.txt"] |= {"contentHash": "sha512:00", "authority": "rumour"}
    (root / "_manifest.json").write_text(json.dumps(value, indent=2) + "\n", "utf-8")
    git(root, "commit", "-qam", "by hand")
    assert "manifest_differs" in codes(root)

    doctor.run(lambda: settings(root), None, True, False, lambda _: None)

    mended = SourceManifest.parse((root / "_manifest.json").read_text("utf-8"))
    assert mended.digest("sources/sencha.txt") == SourceManifest.parse(good).digest("sources/sencha.txt")
    assert mended.sources["sources/sencha.txt"].authority == "rumour"
    assert not codes(root)


def test_the_digest_of_a_file_is_by_what_pins_it() -> None:
    pinned = SourceManifest().with_source("sources/a", "sha256:00", []).with_source("sources/b", "sha512:00", [])
    stock = SourceFiles(Path(), pinned, None)  # type: ignore[arg-type]

    assert [stock.algorithm(f"sources/{name}") for name in "abc"] == ["sha256", "sha512", "sha256"]
