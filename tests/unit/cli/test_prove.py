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


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ('{"source": "bread.md", "n": 1}', {"source": "bread.md", "n": 1}),
        ('{"source": "bread.md", "claim": "It rests.", "quotes": "no list"}', {"claim": "It rests."}),
        ("no json", {"line": "no json"}),
        ("[1]", {"line": "[1]"}),
    ],
)
def test_a_line_that_is_no_claim_is_answered_in_its_place(folder: Path, line: str, shown: dict[str, Any]) -> None:
    claim = json.dumps({"source": "bread.md", "claim": "Bakers often add caraway.", "quotes": ["Bakers often add"]})
    batch = folder / "claims.jsonl"
    batch.write_text(f"{claim}\n{line}\n{claim}\n", "utf-8")

    done = prove("--batch", batch, "--sources", folder)

    lines = [json.loads(each) for each in done.stdout.splitlines()]
    assert [each["supported"] for each in lines] == [True, False, True] and done.return_value == 1
    assert lines[1].items() >= shown.items()
    assert [finding["code"] for finding in lines[1]["findings"]] == ["batch_unreadable"]
    assert "claims.jsonl:2" in lines[1]["findings"][0]["message"]


def test_a_batch_is_read_from_stdin(folder: Path) -> None:
    claim = {"source": "bread.md", "claim": "Bakers often add caraway.", "quotes": ["Bakers often add"]}
    options = ["prove", "--batch", "-", "--sources", str(folder)]

    shown = CliRunner().invoke(cli, options, input=f"{json.dumps(claim)}\n", standalone_mode=False)

    assert shown.return_value == 0
    assert json.loads(shown.stdout) == {**claim, "supported": True, "findings": []}


def test_a_batch_that_is_not_there_is_a_misuse(folder: Path) -> None:
    shown = prove("--batch", folder / "claims.jsonl")

    assert shown.return_value == 2 and "claims.jsonl cannot be read" in shown.stderr


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


def test_a_second_reader_who_gives_no_verdict_on_anything_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    (folder / "rye.md").write_text((folder / "bread.md").read_text("utf-8"), "utf-8")
    batch, claim = folder / "claims.jsonl", {"claim": "Dough rests.", "quotes": ["rests for twelve hours"]}
    batch.write_text("".join(json.dumps({"source": name, **claim}) + "\n" for name in ("bread.md", "rye.md")), "utf-8")

    with light_litellm(), Endpoint(lambda _: "bananas") as endpoint:
        shown = prove("--batch", batch, "--sources", folder, "--model=openai/x", "--api-base", endpoint.url)

    assert shown.return_value and "openai/x, asked about 2 claims, gave no answer that is a verdict" in shown.stderr


def test_a_second_reader_has_to_be_named_somewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    monkeypatch.chdir(folder)

    shown = prove(folder / "bread.md", "--claim", "It rests.", "--quote", "The dough rests for", "--model")

    assert shown.return_value == 2 and "no model is set" in shown.stderr
