"""``curate ask``: an answer from pages and sources, each statement with its proof; ``--save`` files it as a page.

``--material`` shows what an answer would be made from, and asks nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from curator.ask import file_answer
from curator.ask import flow as asking
from curator.ask.flow import Answer, AskOptions, Saved
from curator.ask.material import TOKENS, Material
from curator.checks.lint.facts.source_texts import SourceTexts
from curator.cli import console
from curator.cli.commands.search import notes, warnings
from curator.cli.console import CommonOptions, Report, Say
from curator.cli.options import COUNT, all_types_option, common_options, model_options, reported
from curator.finding import Finding
from curator.ingest.intake import committed_document
from curator.models import choose, question
from curator.models.port import estimate_tokens
from curator.models.statements import ProvenStatement
from curator.repository.runtime.runtime import findings_as_json
from curator.repository.settings import Settings
from curator.repository.snapshot import Snapshot
from curator.system.filenames import printable
from curator.wiki.pages import editing
from curator.wiki.pages.citation import Citation, quote_path
from curator.wiki.passages.passage import shown_each

Headings = Mapping[Citation, str]
"""What a cited paragraph stands under, by its citation."""


@dataclass(frozen=True)
class AskRequest:
    """What the command line asks for."""

    save: bool = False
    title: str = ""
    """Of the page; empty: made of the question."""
    everywhere: bool = False
    dry_run: bool = False
    ask_again: bool = False
    tokens: int = TOKENS
    """Of material."""
    only_material: bool = False


@click.command()
@click.argument("question", nargs=-1, required=True)
@click.option("--save", is_flag=True, help="File the answer as a page, in one commit.")
@click.option("--title", default="", help="Of that page; else made of the question.")
@all_types_option
@click.option("--ask-again", is_flag=True, help="Ask the model anew instead of using a saved answer.")
@click.option("--dry-run", is_flag=True, help="With --save: show the page, write nothing.")
@click.option("--material", "only_material", is_flag=True, help="Show what it would be answered from; ask nobody.")
@click.option("--tokens", type=COUNT, default=TOKENS, show_default=True, help="How much material.")
@model_options
@common_options
@reported
def ask(
    common: CommonOptions,
    /,
    question: tuple[str, ...],
    save: bool,
    title: str,
    everywhere: bool,
    ask_again: bool,
    dry_run: bool,
    only_material: bool,
    tokens: int,
    **flags: str | None,
) -> Report:
    with console.progress(common) as say:
        request = AskRequest(save, title, everywhere, dry_run, ask_again, tokens, only_material)
        return run(console.settings(common, flags), " ".join(question), request, say)


def run(settings: Settings, words: str, request: AskRequest, say: Say) -> Report:
    """Answer, and save that if asked. The exit status is 1 when the pages do not say, or nothing of it could be saved."""
    asked = question.normalize_question(words)
    title = " ".join(request.title.split()) or file_answer.title_of(asked)
    config = settings.config
    options = AskOptions(
        clock=settings.now,
        limits=settings.source_limits,
        tokens=request.tokens,
        view=settings.view,
        everywhere=request.everywhere,
        trusts=config.governance == "trust",
        merges=config.on_dirty == "merge",
    )
    with settings.repository as repository:
        workspace = repository.view().workspace(settings.view)
        if request.only_material:
            texts = SourceTexts(repository.root, repository.runtime, options.limits)
            found = asking.material_for(asked, repository.view(), texts, options)
            return Report(
                {**_data_of_material(found), "warnings": warnings(workspace)}, tuple(_lines_of_material(found))
            )
        if request.save:
            asking.check_title(title, repository, options)
        with choose.open_model(config, settings.environment, repository.runtime, request.ask_again) as model:
            say(f"answered by {model.name}")
            answer = asking.ask(asked, repository, model, options)
        headings = _headings(answer, repository.view())
        saved: Saved | tuple[Finding, ...] | None = None
        if request.save and answer.statements:
            saved = asking.save(answer, title, repository, options, request.dry_run)
    data = {
        **_data(answer, headings),
        "view": workspace.name if settings.view else None,
        "warnings": warnings(workspace),
        **_data_of_saved(saved),
    }
    refused = not answer.statements or isinstance(saved, tuple)
    scope = workspace.hints.scope
    told = (
        [f"only pages of type {', '.join(scope)} were asked; --all asks all"]
        if scope and not request.everywhere
        else []
    )
    return Report(data, tuple(_lines(answer, headings, saved)), 1 if refused else 0, (*notes(workspace), *told))


def _headings(answer: Answer, snapshot: Snapshot) -> Headings:
    """The headings that cited paragraphs stand under: nobody sees their numbers."""
    cited = {each for said in answer.statements for each in said.citations if each.anchor.startswith("par")}
    texts = {path: committed_document(snapshot, path) for path in sorted({each.path for each in cited})}
    found = {}
    for citation in cited:
        document, place = texts[citation.path], citation.place
        if document is not None and place is not None and (heading := document.heading_above(place.first)):
            found[citation] = heading
    return found


# -- for programs -------------------------------------------------------------------------------------------------


def _data(answer: Answer, headings: Headings) -> dict[str, Any]:
    usage = answer.reply.usage
    return {
        "answer": [
            {
                "statement": said.text,
                "pages": list(said.slugs),
                "not_in_wiki": list(said.unknown_sources),
                "sources": [
                    {"path": each.path, "anchor": each.anchor, "quote": each.quote}
                    | ({"heading": headings[each]} if each in headings else {})
                    for each in said.citations
                ],
            }
            for said in answer.statements
        ],
        "left_out": list(findings_as_json(answer.left_out)),
        "looked_at": [reading.name for reading in answer.question.readings],
        "tokens": {"prompt": usage.prompt, "completion": usage.completion},
        "cost": usage.cost,
        "model": answer.reply.model,
    }


def _data_of_saved(saved: Saved | tuple[Finding, ...] | None) -> dict[str, Any]:
    if not isinstance(saved, Saved):
        return {"commit": None, "created": [], "findings": list(findings_as_json(saved or ()))}
    data: dict[str, Any] = {"commit": saved.commit, "created": [saved.filed.page.slug]}
    data["findings"] = list(findings_as_json(saved.filed.left_out))
    return data | ({"diff": saved.diff} if saved.commit is None else {})


def _data_of_material(found: Material) -> dict[str, Any]:
    passages = [
        {
            "page": None if reading.is_source else reading.name,
            "source": reading.path if reading.is_source else None,
            "path": reading.path,
            "anchor": passage.anchor,
            "title": reading.title,
            "heading": passage.heading,
            "text": "\n".join(filter(None, (passage.lead, passage.head, passage.text))),
            "in_wiki": list(passage.pages) if reading.is_source else [reading.name],
            "sources": [f"{quote_path(each.path)}#{each.anchor}" for each in passage.citations],
            "tokens": estimate_tokens(passage.text),
        }
        for reading in found.readings
        for passage in reading.passages
    ]
    return {"passages": passages, "tokens": found.tokens, "left_out": list(findings_as_json(found.withheld))}


# -- for people ---------------------------------------------------------------------------------------------------


def _lines(answer: Answer, headings: Headings, saved: Saved | tuple[Finding, ...] | None) -> Iterator[str]:
    if answer.statements:
        yield from _told(answer.statements, headings)
        yield ""
    elif answer.looked_at:
        yield "the pages do not say"
    else:
        yield "the pages do not say: none is about any of these words"
    yield from (f"left out   {printable(finding.message)} ({finding.code})" for finding in answer.left_out)
    if answer.looked_at:
        yield f"looked at  {', '.join(answer.looked_at)}"
    usage = answer.reply.usage
    if usage.prompt != 0:
        cost = "unknown cost" if usage.cost is None else usage.printable_cost
        yield f"spent      {usage.prompt or '?'}+{usage.completion or '?'} tokens, {cost}"
    yield from _lines_of_saved(saved)


def _lines_of_material(found: Material) -> Iterator[str]:
    for reading in found.readings:
        yield f"{_linked(reading.name)} {printable(reading.title)}"
        for passage, text in zip(reading.passages, shown_each(reading.passages), strict=True):
            told = "" if not reading.is_source or passage.pages else ", not in the wiki yet"
            yield f"  {passage.anchor}{told}"
            yield from (f"    {printable(line)}" for line in text.split("\n"))
        yield ""
    yield from (f"left out   {printable(finding.message)} ({finding.code})" for finding in found.withheld)
    yield f"{found.tokens:,} tokens" if found.readings else "nothing is about any of these words"


def _linked(name: str) -> str:
    """A page by its slug in brackets, a source by its path."""
    return printable(name) if name.startswith("sources/") else f"[[{printable(name)}]]"


def _lines_of_saved(saved: Saved | tuple[Finding, ...] | None) -> Iterator[str]:
    if isinstance(saved, Saved):
        page = saved.filed.page
        yield from (f"not saved  {finding.message} ({finding.code})" for finding in saved.filed.left_out)
        place = f"[[{page.slug}]] {page.path}"
        yield f"saved      {place}: commit {saved.commit[:12]}" if saved.commit else f"would save {place}\n{saved.diff}"
    elif saved is not None:
        yield "not saved  nothing of the answer is proven by a source"
        yield from (f"not saved  {finding.message} ({finding.code})" for finding in saved)


def _told(statements: Sequence[ProvenStatement], headings: Headings) -> Iterator[str]:
    """The statements as markdown, and their sources as footnotes."""
    labels: dict[Citation, str] = {}
    for said in statements:
        for citation in said.citations:
            labels.setdefault(citation, str(len(labels) + 1))
    blocks = [_block(said, labels) for said in statements]
    yield from editing.join(blocks).split("\n")
    if labels:
        yield from ("", "## Sources", "")
    for citation, label in labels.items():
        yield printable(citation.definition(label))
        if citation in headings:
            yield f"    under the heading “{printable(headings[citation])}”"


def _block(said: ProvenStatement, labels: dict[Citation, str]) -> str:
    text = editing.cite(said.text, {labels[citation]: citation.quote for citation in said.citations})
    new = f"({', '.join(map(printable, said.unknown_sources))}: not in the wiki yet)" if said.unknown_sources else ""
    pages = " ".join(filter(None, (*map(_linked, said.slugs), new)))
    return f"{text}\n\n{pages}".rstrip() if "\n" in text else f"{text} {pages}".rstrip()
