"""Groups of commands: help with whole summaries, and a hint at the right command for a wrong one."""

from __future__ import annotations

import click
from click.exceptions import NoSuchCommand, NoSuchOption
from click.shell_completion import CompletionItem

_WHOLE = 10_000
"""More characters than a summary has: it is wrapped, never cut off."""

SYNONYMS = {
    **dict.fromkeys(("add", "import", "take", "take-in", "put", "new", "load"), "ingest"),
    **dict.fromkeys(("download", "feed", "feeds", "subscribe", "pull", "rss"), "fetch"),
    **dict.fromkeys(("revert", "rollback", "unadd", "back"), "undo"),
    **dict.fromkeys(("mv", "move", "retitle"), "rename"),
    **dict.fromkeys(("rm", "delete", "del", "drop"), "remove"),
    **dict.fromkeys(("join", "combine"), "merge"),
    **dict.fromkeys(("find", "grep", "query"), "search"),
    **dict.fromkeys(("question", "answer", "chat"), "ask"),
    **dict.fromkeys(("run", "start", "daemon"), "watch"),
    **dict.fromkeys(("serve", "view", "browse", "web", "ui"), "open"),
    **dict.fromkeys(("create", "setup-wiki", "make"), "init"),
    **dict.fromkeys(("history", "blame", "diff"), "log"),
    **dict.fromkeys(("show", "info", "state", "st", "queue"), "status"),
    **dict.fromkeys(("check", "fix", "audit"), "lint"),
    **dict.fromkeys(("conform", "test"), "validate"),
    **dict.fromkeys(("settings", "set", "get", "configure"), "config"),
    **dict.fromkeys(("ls", "list"), "index"),
    **dict.fromkeys(("verify", "cite"), "prove"),
    **dict.fromkeys(("cat", "text", "extract"), "read"),
    **dict.fromkeys(("copy", "clone"), "fork"),
    **dict.fromkeys(("site", "publish", "build"), "export"),
    **dict.fromkeys(("cost", "price", "costs"), "estimate"),
    **dict.fromkeys(("install", "cron", "systemd"), "service"),
    **dict.fromkeys(("man", "manual", "doc", "docs", "usage"), "help"),
    **dict.fromkeys(("completions", "complete"), "completion"),
}
"""What people call a thing in other programs, and the command that does it here."""
_OTHERWISE = {
    ("curate", "version"): "curate --version",
    **dict.fromkeys((("curate", word) for word in ("upgrade", "update", "uninstall")), "curate help install"),
    **dict.fromkeys((("config", word) for word in ("list", "ls", "show", "all")), "curate config"),
}
"""What is no command of that group, and what does it."""


_MISSING = {
    "ingest": "a file, a folder, or the address of a page: curate ingest notes.md",
    "undo": "a commit of curate log, or a source: curate undo sources/notes.md",
    "rename": "a page, and its new slug or title: curate rename wheel 'Wheel file'",
    "merge": "two pages, of which the first stays: curate merge wheel wheel-file",
    "remove": "a page: curate remove wheel --why 'it was wrong'",
    "search": "words: curate search wheel archive",
    "estimate": "a file or a folder: curate estimate sources/",
    "read": "a file: curate read paper.pdf",
    "export site": "the folder to write into: curate export site public/",
    "review reject": "a proposal of curate review list, and why: curate review reject NAME --why 'it is a draft'",
}
"""What is missing where a command got nothing to work on, with an example."""


def missing(error: click.MissingParameter) -> str:
    """What is missing, in words; empty where only the parameter's name is known."""
    if isinstance(error.param, click.Option):
        return error.param.help or ""
    path = error.ctx.command_path.split()[1:] if error.ctx is not None else []
    return _MISSING.get(" ".join(path), "")


class CommandGroup(click.Group):
    """A group whose list of commands has every summary whole, and which knows what else its commands are called."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except NoSuchCommand as error:
            meant = self._meant(error.command_name.lower(), ctx.parent is None)
            if not meant:
                raise
            said = f"No such command {error.command_name!r}. Did you mean {meant!r}?"
            raise NoSuchCommand(error.command_name, said, ctx=ctx) from None

    def _meant(self, word: str, is_top: bool) -> str:
        """The command line that does what is called ``word`` elsewhere; empty where none is known."""
        command = SYNONYMS.get(word) if is_top else None
        otherwise = _OTHERWISE.get(("curate" if is_top else str(self.name), word), "")
        return f"curate {command}" if command in self.commands else otherwise

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = next((each for each in args if each in self.commands), None)
        try:
            return super().parse_args(ctx, args)
        except NoSuchOption as error:
            if named is None or error.possibilities:
                raise
            said = f"{error.message} Options of a command stand behind its name: curate {named} {error.option_name}"
            raise NoSuchOption(error.option_name, said, ctx=ctx) from None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands with their summaries whole, then the options."""
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        commands = [(name, self.get_command(ctx, name)) for name in names]
        return [
            *(
                CompletionItem(name, help=each.get_short_help_str(_WHOLE))
                for name, each in commands
                if each is not None and not each.hidden
            ),
            *click.Command.shell_complete(self, ctx, incomplete),
        ]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        shown: list[tuple[str, str]] = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                shown.append((name, command.get_short_help_str(_WHOLE)))
        if shown:
            with formatter.section("Commands"):
                formatter.write_dl(shown)
