"""``curate prove``: does the source, read where the quotes stand, say what the claim says? No wiki is needed or changed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import FILE, FOLDER, common_options, reported
from curator.config import Config
from curator.errors import ConfigError, SourceError
from curator.finding import Finding
from curator.models.port import FREE, Verifier
from curator.models.verification import ClaimToVerify, ReaderVerdict, Verification, check_is_read
from curator.system.filenames import printable
from curator.wiki.sources.evidence import Evidence
from curator.wiki.support.excerpts import Excerpt, SourceExcerpts
from curator.wiki.support.judge import Judge, Judgement


@click.command()
@click.argument("source", type=FILE, required=False)
@click.option("--claim", metavar="TEXT", help="What is said.")
@click.option("--quote", "quotes", metavar="TEXT", multiple=True, help="Words of the source that it rests on.")
@click.option("--page", metavar="TITLE", default="", help="The page it is said on; its names are no inventions.")
@click.option(
    "--batch", type=FILE, metavar="FILE.jsonl", help="A claim a line: source, page, claim, quotes; - reads stdin."
)
@click.option("--sources", type=FOLDER, metavar="DIR", help="Where the batch's sources lie.")
@click.option("--model", is_flag=False, flag_value="", help="A second reader too; alone: the one of the settings.")
@click.option("--api-base", help="Address of an OpenAI-compatible server.")
@common_options
@reported
def prove(
    common: CommonOptions,
    /,
    source: Path | None,
    claim: str | None,
    quotes: tuple[str, ...],
    page: str,
    batch: Path | None,
    sources: Path | None,
    model: str | None,
    api_base: str | None,
) -> Report:
    if batch is not None:
        if source or claim or quotes or page:
            raise ConfigError(
                "usage", "--batch has the sources, claims and quotes in its lines", "leave the others out"
            )
        lines: list[_Line] = list(_claims(batch))
    elif source is None or claim is None or not quotes:
        raise ConfigError("usage", "a claim is proven by its source", "name SOURCE, --claim and --quote; or --batch")
    else:
        lines = [({}, _ClaimToProve(str(source), page, claim, quotes))]
    judge_of = lru_cache(maxsize=None)(_judge_of)
    proven = [
        claim if isinstance(claim, _Proven) else _Proven.of(claim, judge_of(_place(claim.source, sources)))
        for _, claim in lines
    ]
    if batch is None and isinstance(error := proven[0].judge, SourceError):
        raise error
    used: dict[str, Any] = {}
    if model is not None:
        flags = {"verify": "model", "verify_model": model or None, "verify_api_base": api_base}
        with _verifier(common, flags) as verifier:
            proven, used = _read(proven, verifier)
    if batch is None:
        return _prove_one(proven[0], used)
    return _prove_batch([line for line, _ in lines], proven, used, as_json=common.json)


@dataclass(frozen=True)
class _ClaimToProve:
    """A claim to be judged, with the names of its page."""

    source: str
    page: str
    claim: str
    quotes: tuple[str, ...]


@dataclass(frozen=True)
class _Proven:
    """A claim, and what was found against it."""

    claim: _ClaimToProve
    judge: Judge | SourceError
    judgement: Judgement
    verdict: ReaderVerdict | None = None
    """The second reader's; None where it was not asked."""

    @classmethod
    def of(cls, claim: _ClaimToProve, judge: Judge | SourceError) -> _Proven:
        if isinstance(judge, SourceError):
            return cls(claim, judge, Judgement((Finding(judge.code, claim.source, judge.message),)))
        return cls(claim, judge, judge.judge(claim.claim, claim.quotes, (claim.page,) if claim.page else ()))

    @property
    def findings(self) -> tuple[Finding, ...]:
        found = self.verdict.finding(self.claim.source, self.claim.claim) if self.verdict is not None else None
        return (*self.judgement.findings, *([found] if found is not None else []))

    def as_json(self) -> dict[str, Any]:
        findings = [{"code": finding.code, "message": finding.message} for finding in self.findings]
        data: dict[str, Any] = {"supported": not findings, "findings": findings}
        return data if self.verdict is None else {**data, "reader": self.verdict.grade}


def _prove_one(proven: _Proven, used: dict[str, Any]) -> Report:
    judged = proven.judgement
    passages = {"passages": list(judged.passages), "not_covered": list(judged.uncovered)}
    data = {**proven.as_json(), "abstained": judged.abstained, **passages, **used}
    return Report(data, tuple(_lines(proven)), 1 if proven.findings else 0)


def _lines(proven: _Proven) -> Iterator[str]:
    judged = proven.judgement
    if proven.findings:
        yield "not supported"
    else:
        yield "not judged: it is not in English" if judged.abstained else "nothing against it found"
    if proven.verdict is not None:
        yield f"  the second reader: {proven.verdict.grade or 'no verdict'}"
    yield from (f"  {finding.code}: {finding.message}" for finding in proven.findings)
    yield from (f"  the source says: {passage}" for passage in judged.passages)
    if judged.uncovered:
        yield f"  not there: {', '.join(judged.uncovered)}"


def _prove_batch(
    lines: Sequence[dict[str, Any]], proven: Sequence[_Proven], used: dict[str, Any], *, as_json: bool
) -> Report:
    results = []
    for line, each in zip(lines, proven, strict=True):
        result = {**line, **each.as_json()}
        results.append({**result, "abstained": True} if each.judgement.abstained else result)
    refused = sum(not result["supported"] for result in results)
    counts = {"claims": len(results), "supported": len(results) - refused, **used}
    if as_json:
        return Report({**counts, "results": results}, (), 1 if refused else 0)
    note = f"{counts['supported']} of {len(results)} claims: nothing against them found"
    shown = tuple(json.dumps(result, ensure_ascii=False) for result in results)
    return Report(counts, shown, 1 if refused else 0, (note,))


_Line = tuple[dict[str, Any], _ClaimToProve | _Proven]
"""A line of a batch as it stands there, and its claim; or, of one that is no claim, what is found."""
_STDIN = Path("-")


# -- the second reader --------------------------------------------------------------------------------------------


@contextmanager
def _verifier(common: CommonOptions, flags: dict[str, str | None]) -> Iterator[Verifier]:
    """The second reader of the flags, else of the settings: the wiki's, where the command runs in one, or the user's.

    In a wiki its answers are saved and its cost is booked.
    """
    from curator.models import choose
    from curator.repository.runtime.runtime import Runtime
    from curator.repository.settings import users_file

    with ExitStack() as doors:
        try:
            settings = console.settings(common, flags)
            config, runtime = settings.config, doors.enter_context(settings.repository).runtime
        except ConfigError as error:
            if error.code != "not_a_wiki" or common.wiki is not None:
                raise
            config = Config.load(users_file(os.environ), os.environ, flags)
            runtime = Runtime(Path(doors.enter_context(TemporaryDirectory())))
        verifier = doors.enter_context(choose.open_verifier(config, os.environ, runtime))
        if verifier is None:
            raise ConfigError("model_missing", "no model is set for a second reader", "name one: --model NAME")
        yield verifier


def _read(proven: Sequence[_Proven], verifier: Verifier) -> tuple[list[_Proven], dict[str, Any]]:
    """The claims with the second reader's verdict, those whose quotes are in their source; and what that cost."""
    found, usage = list(proven), FREE
    by_judge: dict[Judge, list[int]] = {}
    for at, each in enumerate(proven):
        if isinstance(each.judge, Judge):
            by_judge.setdefault(each.judge, []).append(at)
    for judge, places in by_judge.items():
        excerpts = SourceExcerpts(judge.source)
        claims: dict[int, ClaimToVerify] = {}
        for at in places:
            claim = proven[at].claim
            excerpt = excerpts.of(claim.quotes, claim.claim)
            if isinstance(excerpt, Excerpt):
                claims[at] = ClaimToVerify(claim.claim, claim.quotes, claim.page, excerpt)
        if claims:
            said = verifier.verify(Verification(tuple(claims.values()), excerpts))
            usage += said.usage
            for at, verdict in zip(claims, said.verdicts, strict=True):
                found[at] = replace(found[at], verdict=verdict)
    check_is_read(verifier.name, [each.verdict for each in found if each.verdict is not None])
    tokens = {"prompt": usage.prompt, "completion": usage.completion}
    return found, {"model": verifier.name, "tokens": tokens, "cost": usage.cost}


# -- claims and sources -------------------------------------------------------------------------------------------


def _claims(batch: Path) -> Iterator[_Line]:
    """Every line of ``batch``, or of stdin for ``-``, as it stands there and as a claim. Raises ConfigError."""
    try:
        data = sys.stdin.buffer.read() if batch == _STDIN else batch.read_bytes()
        text = data.decode("utf-8")
    except OSError as error:
        message = f"{printable(batch)} cannot be read: {error.strerror}"
        raise ConfigError("batch_unreadable", message, "name a file of claims, or - for stdin") from None
    except UnicodeDecodeError:
        raise ConfigError("batch_unreadable", f"{printable(batch)} is not UTF-8", "save it as UTF-8") from None
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _claim(line, f"{printable(batch)}:{number}")


def _claim(line: str, place: str) -> _Line:
    """A line and its claim; of one that is none, what is wrong with it, so that the others are answered all the same."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    match value:
        case {"source": str(source), "claim": str(claim), "quotes": list(quotes)} if all(
            isinstance(quote, str) for quote in quotes
        ):
            page = value.get("page") or ""
            return value, _ClaimToProve(source, page if isinstance(page, str) else "", claim, tuple(quotes))
    hint = 'a line is {"source": ..., "page": ..., "claim": ..., "quotes": [...]}'
    fault = SourceError("batch_unreadable", f"{place} is no claim with its source and quotes: {hint}")
    shown = value if isinstance(value, dict) else {"line": line}
    return shown, _Proven.of(_ClaimToProve("", "", "", ()), fault)


def _place(source: str, sources: Path | None) -> Path:
    """Where a source of a batch lies: at its path, or under ``sources`` by its path there or its name."""
    if sources is None:
        return Path(source)
    return next((place for place in (sources / source, sources / Path(source).name) if place.is_file()), Path(source))


def _judge_of(path: Path) -> Judge | SourceError:
    """The source at ``path``, read in the sandbox as an ingest reads it; or why it cannot be read."""
    from curator.models.sandbox import client

    try:
        document = client.read_file(path, Config().source_limits)[0]
    except SourceError as error:
        return error
    return Judge(Evidence(str(path), document))
