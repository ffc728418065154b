"""``curate prove``: does the source, read where the quotes stand, say what the claim says? No wiki is needed or changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from curator.cli.console import CommonOptions, Report
from curator.cli.options import FILE, FOLDER, common_options, reported
from curator.config import Config
from curator.errors import ConfigError, SourceError
from curator.repository.runtime.spool import spooled
from curator.system.filenames import printable
from curator.wiki.sources.source import FORMATS
from curator.wiki.support.judge import Judge, Judgement


@click.command()
@click.argument("source", type=FILE, required=False)
@click.option("--claim", metavar="TEXT", help="What is said.")
@click.option("--quote", "quotes", metavar="TEXT", multiple=True, help="Words of the source that it rests on.")
@click.option("--page", metavar="TITLE", default="", help="The page it is said on; its names are no inventions.")
@click.option("--batch", type=FILE, metavar="FILE.jsonl", help="A claim a line: source, page, claim, quotes.")
@click.option("--sources", type=FOLDER, metavar="DIR", help="Where the batch's sources lie.")
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
) -> Report:
    if batch is not None:
        if source or claim or quotes or page:
            raise ConfigError(
                "usage", "--batch has the sources, claims and quotes in its lines", "leave the others out"
            )
        return _prove_batch(batch, sources, as_json=common.json)
    if source is None or claim is None or not quotes:
        raise ConfigError("usage", "a claim is proven by its source", "name SOURCE, --claim and --quote; or --batch")
    judge = _judge_of(_place(str(source), sources))
    if isinstance(judge, SourceError):
        raise judge
    return _prove_one(_Claim(str(source), page, claim, quotes).verdict(judge))


@dataclass(frozen=True)
class _Claim:
    """A claim to be judged, with the names of its page."""

    source: str
    page: str
    claim: str
    quotes: tuple[str, ...]

    def verdict(self, judge: Judge) -> Judgement:
        return judge.judge(self.claim, self.quotes, (self.page,) if self.page else ())


def _prove_one(verdict: Judgement) -> Report:
    data = {
        "supported": verdict.supported,
        "findings": _findings(verdict),
        "abstained": verdict.abstained,
        "passages": list(verdict.passages),
        "not_covered": list(verdict.uncovered),
    }
    return Report(data, tuple(_lines(verdict)), 0 if verdict.supported else 1)


def _lines(verdict: Judgement) -> Iterator[str]:
    if verdict.abstained:
        yield "not judged: it is not in English"
    else:
        yield "nothing against it found" if verdict.supported else "not supported"
    yield from (f"  {finding.code}: {finding.message}" for finding in verdict.findings)
    yield from (f"  the source says: {passage}" for passage in verdict.passages)
    if verdict.uncovered:
        yield f"  not there: {', '.join(verdict.uncovered)}"


def _prove_batch(batch: Path, sources: Path | None, *, as_json: bool) -> Report:
    judge_of = lru_cache(maxsize=None)(_judge_of)
    lines = [_judged(line, claim, sources, judge_of) for line, claim in _claims(batch)]
    refused = sum(not line["supported"] for line in lines)
    counts = {"claims": len(lines), "supported": len(lines) - refused}
    if as_json:
        return Report({**counts, "results": lines}, (), 1 if refused else 0)
    note = f"{counts['supported']} of {len(lines)} claims: nothing against them found"
    return Report(counts, tuple(json.dumps(line, ensure_ascii=False) for line in lines), 1 if refused else 0, (note,))


def _judged(
    line: dict[str, Any], claim: _Claim, sources: Path | None, judge_of: Callable[[Path], Judge | SourceError]
) -> dict[str, Any]:
    judge = judge_of(_place(claim.source, sources))
    if isinstance(judge, SourceError):
        return {**line, "supported": False, "findings": [{"code": judge.code, "message": judge.message}]}
    verdict = claim.verdict(judge)
    judged = {**line, "supported": verdict.supported, "findings": _findings(verdict)}
    return {**judged, "abstained": True} if verdict.abstained else judged


def _findings(verdict: Judgement) -> list[dict[str, str]]:
    return [{"code": finding.code, "message": finding.message} for finding in verdict.findings]


def _claims(batch: Path) -> Iterator[tuple[dict[str, Any], _Claim]]:
    """Every line of ``batch`` as it stands there and as a claim. Raises ConfigError."""
    try:
        text = batch.read_text("utf-8")
    except UnicodeDecodeError:
        raise ConfigError("batch_unreadable", f"{printable(batch)} is not UTF-8", "save it as UTF-8") from None
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _claim(line, f"{printable(batch)}:{number}")


def _claim(line: str, place: str) -> tuple[dict[str, Any], _Claim]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    match value:
        case {"source": str(source), "claim": str(claim), "quotes": list(quotes)} if all(
            isinstance(quote, str) for quote in quotes
        ):
            page = value.get("page") or ""
            return value, _Claim(source, page if isinstance(page, str) else "", claim, tuple(quotes))
    hint = 'a line is {"source": ..., "page": ..., "claim": ..., "quotes": [...]}'
    raise ConfigError("batch_unreadable", f"{place} is no claim with its source and quotes", hint)


def _place(source: str, sources: Path | None) -> Path:
    """Where a source of a batch lies: at its path, or under ``sources`` by its path there or its name."""
    if sources is None:
        return Path(source)
    return next((place for place in (sources / source, sources / Path(source).name) if place.is_file()), Path(source))


def _judge_of(path: Path) -> Judge | SourceError:
    """The source at ``path``, read in the sandbox as an ingest reads it; or why it cannot be read."""
    from curator.models.sandbox import client

    source_format, settings = FORMATS.get(path.suffix.lower()), Config()
    try:
        if source_format is None:
            formats = f"make it one of {' '.join(sorted(FORMATS))}"
            raise SourceError("format_unknown", f"{printable(path)}: there is no reader for it", formats)
        with TemporaryDirectory() as folder:
            copy = spooled(path, Path(folder), "sha256", settings.max_source_bytes)
            with copy.open() as stream:
                most = settings.max_source_chars
                document, _ = client.read_source(stream, format=source_format, name=printable(path), max_chars=most)
    except SourceError as error:
        return error
    return Judge(str(path), document)
