"""``curate prove``: a claim, its quotes and a source; no wiki."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from curator.cli import cli
from support.depth import light_litellm
from support.endpoint import Endpoint

SOURCE = "# Bread\n\nThe dough rests for twelve hours. Bakers often add caraway.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bread.md").write_text(SOURCE, "utf-8")
    return tmp_path


def prove(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["prove", *map(str, arguments)], standalone_mode=False)


def test_a_claim_is_proven_without_a_wiki(folder: Path) -> None:
    shown = prove(
        folder / "bread.md", "--claim", "The dough rests 12 hours.", "--quote", "dough rests for twelve hours"
    )

    assert shown.return_value == 0
    assert shown.stdout.startswith("nothing against it found\n")
    assert "the source says: The dough rests for twelve hours." in shown.stdout


def test_what_is_against_a_claim_is_told_with_its_code(folder: Path) -> None:
    quote = ("--quote", "Bakers often add caraway", "--json")

    shown = prove(folder / "bread.md", "--claim", "Bakers always add caraway.", *quote)

    report = json.loads(shown.stdout)
    assert shown.return_value == 1 and report["supported"] is False
    assert "quantifier_widened" in {finding["code"] for finding in report["findings"]}


def test_a_batch_has_a_line_for_each_line_in_order(folder: Path) -> None:
    claims: list[dict[str, Any]] = [
        {
            "source": "bread.md",
            "page": "Bread",
            "claim": "Bakers often add caraway.",
            "quotes": ["Bakers often add"],
            "n": 1,
        },
        {
            "source": "bread.md",
            "page": "Bread",
            "claim": "The dough rests two hours.",
            "quotes": ["rests for twelve hours"],
        },
        {"source": "bread.md", "page": "Bread", "claim": "Bread is rye.", "quotes": ["bread is made of rye"]},
        {"source": "rolls.md", "page": "Rolls", "claim": "Rolls are small.", "quotes": ["rolls are small"]},
    ]
    batch = folder / "claims.jsonl"
    batch.write_text("".join(f"{json.dumps(claim)}\n" for claim in claims), "utf-8")

    shown = prove("--batch", batch, "--sources", folder)

    lines = [json.loads(line) for line in shown.stdout.splitlines()]
    assert [{key: line[key] for key in claim} for line, claim in zip(lines, claims, strict=True)] == claims
    assert [line["supported"] for line in lines] == [True, False, False, False]
    codes = [[finding["code"] for finding in line["findings"]] for line in lines]
    assert codes == [[], ["number_unknown", "word_exchanged"], ["quote_missing"], ["source_unreadable"]]


def test_a_line_that_is_no_claim_is_named(folder: Path) -> None:
    batch = folder / "claims.jsonl"
    batch.write_text('{"source": "bread.md"}\n', "utf-8")

    shown = prove("--batch", batch)

    assert shown.return_value == 2 and "claims.jsonl:1" in shown.stderr


def test_a_claim_without_a_quote_is_a_misuse(folder: Path) -> None:
    assert prove(folder / "bread.md", "--claim", "The dough rests.").return_value == 2


def test_a_second_reader_judges_what_code_cannot_see(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    monkeypatch.chdir(folder)
    claims = [("Dough rests for twelve hours.", "rests for twelve hours"), ("It rests.", "no such words are there")]
    claims.append(("Bakers add caraway to the dough that rested.", "Bakers often add caraway"))
    lines = [{"source": "bread.md", "page": "Bread", "claim": text, "quotes": [quote]} for text, quote in claims]
    batch = folder / "claims.jsonl"
    batch.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    verdicts = [{"claim": 1, "lacks": "", "grade": "stated"}, {"claim": 2, "lacks": "that rested", "grade": "partly"}]

    with light_litellm(), Endpoint(lambda _: json.dumps({"verdicts": verdicts})) as endpoint:
        shown = prove("--batch", batch, "--sources", folder, "--model=openai/x", "--api-base", endpoint.url, "--json")

    report = json.loads(shown.stdout)
    assert [line.get("reader") for line in report["results"]] == ["stated", None, "partly"]
    assert [line["supported"] for line in report["results"]] == [True, False, False]
    assert report["results"][2]["findings"][-1]["code"] == "reader_partly"
    assert report["tokens"] == {"prompt": 100, "completion": 20} and len(endpoint.requests) == 1


def test_a_second_reader_has_to_be_named_somewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    monkeypatch.chdir(folder)

    shown = prove(folder / "bread.md", "--claim", "It rests.", "--quote", "The dough rests for", "--model")

    assert shown.return_value == 2 and "no model is set" in shown.stderr
