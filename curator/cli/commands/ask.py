"""``curate ask``: an answer from pages and sources, each statement with its proof; ``--save`` files it as a page.

``--material`` shows what an answer would be made from, and asks no language model. Without a question, on a terminal, it
is a session: questions that follow on each other, until Ctrl-D.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace

import click

from curator.ask import conversation, filed_title
from curator.ask import flow as asking
from curator.ask.answer import AskOptions, TellStatement
from curator.ask.conversation import Conversation
from curator.ask.flow import Saved
from curator.ask.material import TOKENS
from curator.ask.meaning import Meaning
from curator.cli import console
from curator.cli.commands import ask_report
from curator.cli.commands.ask_report import Telling
from curator.cli.console import CommonOptions, Report, Say
from curator.cli.edits_beside import EditsBeside
from curator.cli.options import COUNT, all_types_option, common_options, model_options, reported, worktree_option
from curator.cli.warnings import not_by_meaning, not_kept, warning_lines, warnings
from curator.errors import ConfigError, CuratorError
from curator.finding import Finding
from curator.models import choose, question
from curator.models.port import Respondent
from curator.models.question import Turn
from curator.models.sandbox.source_texts import SourceTexts
from curator.repository.repository import Repository
from curator.repository.settings import Settings

_Write = Callable[[str], None]
_ENDS = ("exit", "quit", "bye", ":q", "q")
"""What people type to leave a session of questions."""


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
    follows: bool = False
    """True: the question follows on the last one."""
    remembers: bool = False
    """True: a later question may follow on this one."""


@click.command()
@click.argument("question", nargs=-1)
@click.option("-c", "--continue", "follows", is_flag=True, help="The question follows on the last one of this wiki.")
@click.option("--save", is_flag=True, help="File the answer as a page, in one commit.")
@click.option("--title", default="", help="Of that page; else made of the question.")
@all_types_option
@click.option("--ask-again", is_flag=True, help="Ask the model anew instead of using a saved answer.")
@click.option("--dry-run", is_flag=True, help="With --save: show the page, write nothing.")
@click.option("--material", "only_material", is_flag=True, help="Show what it would be answered from; ask nobody.")
@click.option("--tokens", type=COUNT, default=TOKENS, show_default=True, help="How much material.")
@worktree_option
@model_options
@common_options
@reported
def ask(
    common: CommonOptions,
    /,
    question: tuple[str, ...],
    follows: bool,
    save: bool,
    title: str,
    everywhere: bool,
    ask_again: bool,
    dry_run: bool,
    only_material: bool,
    tokens: int,
    worktree: bool,
    **flags: str | None,
) -> Report:
    if worktree and save:
        raise ConfigError("usage", "--worktree only looks, --save commits", "choose one of them")
    request = AskRequest(save, title, everywhere, dry_run, ask_again, tokens, only_material, follows, remembers=True)
    is_seen = sys.stdout.isatty() and not common.json
    with console.progress(common) as say:
        write = console.writer(say)
        settings = replace(console.settings(common, flags, looks=True), worktree=worktree)
        if question:
            words = " ".join(question)
            return run(settings, words, request, say, write if is_seen else None)
        if not is_seen or not sys.stdin.isatty():
            hint = "name it: curate ask QUESTION; on a terminal, without --json, curate ask alone is a session"
            raise ConfigError("question_empty", "there is no question", hint)
        return session(settings, _typed(say), request, say, write)


def _typed(say: Say) -> Iterator[str]:
    """The lines that are typed, until Ctrl-D or Ctrl-C."""
    with suppress(ImportError):
        import readline  # noqa: F401 - the keys that edit a line
    while True:
        say("")
        try:
            yield input("? ")
        except (EOFError, KeyboardInterrupt):
            print()
            return


def run(
    settings: Settings,
    words: str,
    request: AskRequest,
    say: Say,
    write: _Write | None = None,
    hear: TellStatement | None = None,
) -> Report:
    """Answer, and save that if asked. The exit status is 1 when the pages do not say, or nothing of it could be saved.

    ``write`` gets the lines of each statement as soon as it is proven, and the report has the rest; ``hear`` the statement.
    """
    asked = question.normalize_question(words)
    with settings.repository as repository:
        one, (told, said) = _Asking(settings, repository, request, say, write, hear), not_kept(repository)
        one.check_booked()
        if request.only_material:
            with one.meaning_by() as meaning:
                return _with_warnings(replace(one, meaning=meaning).material(asked), told, said)
        title, before = one.checked_title(asked), one.conversation(asked)
        with one.model() as model, one.meaning_by(model) as meaning:
            console.stays(say, f"answered by {model.name}")
            if console.is_watched(say):
                say("looking through the pages …")
            return _with_warnings(replace(one, meaning=meaning).answered(asked, title, before, model), told, said)


def _with_warnings(report: Report, told: list[dict[str, str]], said: tuple[str, ...]) -> Report:
    data = {**report.data, "warnings": [*report.data["warnings"], *told]}
    return replace(report, data=data, notes=(*report.notes, *said))


def session(settings: Settings, lines: Iterable[str], request: AskRequest, say: Say, write: _Write) -> Report:
    """Answer each of ``lines``, of which each follows on the one before. What is wrong with one ends the session not."""
    if request.save or request.only_material:
        raise ConfigError("question_empty", "--save and --material are about one question", "name the question")
    with settings.repository as repository:
        one = _Asking(settings, repository, request, say, write)
        one.check_booked()
        with one.model() as model, one.meaning_by(model) as meaning:
            one = replace(one, meaning=meaning)
            write(f"answered by {model.name}; each question follows on the last; exit, or Ctrl-D, ends")
            for each in not_kept(repository)[1]:
                write(each)
            for words in lines:
                if not words.strip():
                    continue
                if words.strip().lower().rstrip("!.;") in _ENDS:
                    break
                try:
                    asked = question.normalize_question(words)
                    report = one.answered(asked, "", one.conversation(asked), model)
                    write("\n".join([*report.lines, *report.notes, ""]))
                    one = replace(one, request=replace(request, follows=True))
                except CuratorError as error:
                    write("\n".join(filter(None, (error.message, error.hint and f"  {error.hint}", ""))))
                except KeyboardInterrupt:
                    write("interrupted")
    return Report()


@dataclass(frozen=True)
class _Asking:
    """Questions to one wiki."""

    settings: Settings
    repository: Repository
    request: AskRequest
    say: Say
    write: _Write | None
    hear: TellStatement | None = None
    meaning: Meaning | None = None

    def check_booked(self) -> None:
        """Raise Conflict where a day or a month has a limit, and what a model costs cannot be booked."""
        config, why = self.settings.config, self.repository.unwritable
        if why is not None and (config.model or config.embedding_model) and (config.limits.day or config.limits.month):
            raise why

    def model(self) -> AbstractContextManager[Respondent]:
        settings = self.settings
        return choose.open_model(settings.config, settings.environment, self.repository.runtime, self.request.ask_again)

    @contextmanager
    def meaning_by(self, model: Respondent | None = None) -> Iterator[Meaning | None]:
        """What ranks passages by meaning, where the settings name a model for it; ``model`` answers questions."""
        settings, repository = self.settings, self.repository
        with choose.open_embedder(settings.config, settings.environment, repository.runtime, model) as embedder:
            yield Meaning(embedder, lambda: repository.vectors) if embedder is not None else None

    def checked_title(self, asked: str) -> str:
        """The title of the page that is to be filed, which may be."""
        title = " ".join(self.request.title.split())
        if self.request.save:
            if self.request.follows and not title:
                raise ConfigError("title_invalid", "a follow-up is no title", "name the page: --title TITLE")
            asking.check_title(title or filed_title.of_question(asked), self.repository, self._options())
        return title or filed_title.of_question(asked)

    def material(self, asked: str) -> Report:
        options = self._options(self.conversation(asked).turns)
        snapshot = self.repository.view()
        texts = SourceTexts(self.repository.root, self.repository.runtime, options.limits)
        beside = EditsBeside(self.repository)
        found = asking.material_for(asked, snapshot, texts, options)
        told, said = not_by_meaning(self.meaning)
        data = {"warnings": [*warnings(snapshot.workspace(options.view)), *told], **beside.as_json()}
        lines = tuple(ask_report.lines_of_material(found))
        return Report({**ask_report.data_of_material(found), **data}, lines, 0, (*beside.said(), *said))

    def answered(self, asked: str, title: str, before: Conversation, model: Respondent) -> Report:
        request, settings = self.request, self.settings
        options = self._options(before.turns)
        telling = Telling(self.write, self.hear)
        beside = EditsBeside(self.repository)
        if self.write:  # what streams is an answer in one piece
            for each in beside.said():
                console.stays(self.say, each)
        answer = asking.ask(asked, self.repository, model, options, telling if self.write or self.hear else None)
        for said in answer.statements:
            telling(said)
        saved: Saved | tuple[Finding, ...] | None = None
        if request.save and answer.statements:
            saved = asking.save(answer, title, self.repository, options, request.dry_run)
        if request.remembers:
            turn = conversation.turn_of(asked, answer.statements)
            conversation.keep(self.repository.runtime, before.with_turn(turn, settings.now()))
        snapshot = self.repository.view()
        workspace, places = snapshot.workspace(settings.view), ask_report.places_of(telling.labels, snapshot)
        unranked, why = not_by_meaning(self.meaning)
        data = {
            **ask_report.data_of(answer, places),
            "turn": before.count + 1,
            "continues": before.turns[-1].question if before.turns else None,
            "view": workspace.name if settings.view else None,
            "warnings": [*warnings(workspace), *unranked],
            **ask_report.data_of_saved(saved),
            **beside.as_json(),
        }
        refused = not answer.statements or isinstance(saved, tuple)
        scope = workspace.hints.scope if not request.everywhere else ()
        told = [f"only pages of type {', '.join(scope)} were asked; --all asks all"] if scope else []
        unsaid = () if self.write else beside.said()
        lines = ask_report.lines_of(answer, places, saved, telling)
        return Report(data, tuple(lines), 1 if refused else 0, (*warning_lines(workspace), *told, *unsaid, *why))

    def conversation(self, asked: str) -> Conversation:
        """What the question follows on; an empty one of the same view where it follows on none."""
        view = self.settings.view
        name = " ".join((view.path, *sorted(view.dimensions))) if view is not None else ""
        if not self.request.follows:
            return Conversation(view=name)
        return conversation.load(self.repository.runtime, name, self.settings.now()).before(asked)

    def _options(self, earlier: tuple[Turn, ...] = ()) -> AskOptions:
        settings, config = self.settings, self.settings.config
        return AskOptions(
            clock=settings.now,
            limits=settings.source_limits,
            tokens=min(self.request.tokens, config.window_tokens) if config.context_tokens else self.request.tokens,
            view=settings.view,
            everywhere=self.request.everywhere,
            trusts=config.governance == "trust",
            on_dirty=settings.config.on_dirty,
            earlier=earlier,
            meaning=self.meaning,
        )
