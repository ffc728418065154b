"""The console: a command run, its report or its error printed, its exit status given. Nothing else of curator prints."""

from __future__ import annotations

import codecs
import errno
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from curator.cli.group import missing
from curator.cli.terminal import is_plain
from curator.errors import ConfigError, CuratorError, NotTrusted, of_the_system
from curator.system.git_environment import scrub_environment

if TYPE_CHECKING:
    from curator.repository.settings import Settings


Say = Callable[[str], None]
"""Called with what is being done now, for who waits; with nothing where other things are to be read now."""


@dataclass
class CommonOptions:
    """What every command has; it may stand before the command's name or behind it."""

    wiki: Path | None
    json: bool


@dataclass(frozen=True)
class Report:
    """What a command has to say: ``data`` for programs, which gets ``ok`` and ``command`` added, ``lines`` for people."""

    data: dict[str, Any] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    exit_status: int = 0
    notes: tuple[str, ...] = ()
    """What a person should know beside: on stderr."""
    late: Callable[[], tuple[dict[str, Any], tuple[str, ...]]] | None = None
    """More data and notes, waited for when it is called: a person has the lines before, programs get all at once."""

    def whole(self) -> Report:
        """With what comes late."""
        if self.late is None:
            return self
        data, notes = self.late()
        return replace(self, data={**self.data, **data}, notes=(*self.notes, *notes), late=None)

    @property
    def ok(self) -> bool:
        return self.exit_status == 0


BARE = "overview"
"""What programs are told the command is where a person typed none."""

INDEX_OF_THE_HOOK = os.environ.get("GIT_INDEX_FILE", "")
"""``git commit -a`` and ``git commit FILE`` prepare their commit in another index; taken before ``main`` forgets it."""


def run(common: CommonOptions, name: str, command: Callable[[], Report]) -> int:
    """Run one command and print its report, or its error, in the form that was asked for."""
    try:
        report = _asking(common, command)
        if common.json:
            report = report.whole()
    except CuratorError as error:
        return _print_error(common.json, name, error)
    except KeyboardInterrupt:
        return _print_error(common.json, name, _Interrupted(name))
    except OSError as error:
        if error.errno not in OF_THE_SYSTEM:
            raise
        return _print_error(common.json, name, of_the_system(error))
    if not common.json:
        for each in report.notes:
            note(each)
    try:
        if common.json:
            _print_json({"ok": report.ok, "command": name, **report.data})
        elif report.lines:
            print("\n".join(report.lines))
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads has seen enough; what was done is done all the same.
        _give_up(sys.stdout)
    for each in report.whole().notes[len(report.notes) :]:
        note(each)
    return report.exit_status


def _asking(common: CommonOptions, command: Callable[[], Report]) -> Report:
    """Run it; on a terminal, ask first whether the repository is trusted, where that is needed."""
    try:
        return command()
    except NotTrusted as error:
        if common.json or not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise
        from curator.system.trusted_folders import trust

        print(error.message, file=sys.stderr)
        if not click.confirm("Do you trust it, and whoever wrote these settings?", default=False, err=True):
            raise
        trust(error.directory, os.environ)
        return command()


class _Interrupted(CuratorError):
    """Ctrl-C."""

    exit_status = 130

    def __init__(self, command: str | None = None) -> None:
        hint = "'curate log' shows what was taken in" if command in ("ingest", "stream", "watch") else ""
        super().__init__("interrupted", "interrupted; nothing is left half done", hint)


OF_THE_SYSTEM = {
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.ENXIO),
    *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EBUSY, errno.ENAMETOOLONG, errno.ENOTDIR, errno.EAGAIN),
}
"""What no code of ours can be the reason for: a full disk, missing rights, a folder that is a file."""


def as_ours(error: Exception) -> CuratorError:
    """Any exception as an error with a code, a message and a hint; for a bug of curator a crash log is kept."""
    if isinstance(error, CuratorError):
        return error
    if isinstance(error, OSError) and error.errno in OF_THE_SYSTEM:
        return of_the_system(error)
    return CuratorError(
        "internal", f"a fault of curator itself: {type(error).__name__}", f"report it with {_log(error)}"
    )


def _print_error(as_json: bool, name: str | None, error: CuratorError) -> int:
    if as_json:
        problem = {"code": error.code, "message": error.message, "hint": error.hint}
        _print_json({"ok": False, "command": name, "error": problem})
    else:
        print(
            f"curate {name}: {error.message}" if name not in (None, BARE) else f"curate: {error.message}",
            file=sys.stderr,
        )
        if error.hint:
            print(f"  {error.hint}", file=sys.stderr)
    return error.exit_status


def _print_json(value: dict[str, Any]) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


def note(text: str) -> None:
    """Print to stderr at once; a closed stderr does not stop the work."""
    try:
        print(text, file=sys.stderr, flush=True)
    except BrokenPipeError:
        _give_up(sys.stderr)


def print_line(value: Any) -> None:
    """One of many answers, as JSON in a line of its own, at once."""
    print(json.dumps(value), flush=True)


_MOVES = 4
"""Times a second that a line is drawn anew: more would keep a slow terminal busy."""


def silent(_: str) -> None:
    """A ``Say`` for whom only the end matters."""


@contextmanager
def progress(common: CommonOptions) -> Iterator[Say]:
    """Shows progress: one line that is redrawn on a terminal, plain lines elsewhere, nothing with --json."""
    if common.json:
        yield silent
    elif not sys.stderr.isatty() or is_plain():
        yield lambda text: note(text) if text else None
    else:
        from rich.console import Console
        from rich.text import Text

        terminal = Console(stderr=True)
        with terminal.status("", refresh_per_second=_MOVES) as spinner:
            # As plain text: a file's name may look like rich's markup. Cut here: the spinner would have it wrapped.
            def tell(text: str) -> None:
                line = Text(text)
                line.truncate(max(terminal.width - 3, 1), overflow="ellipsis")
                spinner.update(line)
                (spinner.start if text else spinner.stop)()

            tell.is_watched = True  # type: ignore[attr-defined]
            yield tell


def is_watched(say: Say) -> bool:
    """True when ``say`` redraws one line on a terminal."""
    return getattr(say, "is_watched", False)


def stays(say: Say, text: str) -> None:
    """Say something that stays readable: the progress line does not overwrite it."""
    if is_watched(say):
        say("")
        note(text)
    else:
        say(text)


def writer(say: Say) -> Callable[[str], None]:
    """Writes to stdout at once, on a line of its own; a closed stdout does not stop the work."""

    def write(text: str) -> None:
        say("")
        try:
            print(text, flush=True)
        except BrokenPipeError:
            _give_up(sys.stdout)

    return write


def asked(common: CommonOptions, say: Say) -> Callable[[str], bool] | None:
    """Asks the person at the terminal to agree to what it is told; None where nobody can be asked."""
    if common.json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None

    def ask(text: str) -> bool:
        say("")
        return click.confirm(f"{text}. Go on?", default=True, err=True)

    return ask


def settings(common: CommonOptions, flags: dict[str, Any] | None = None, *, looks: bool = False) -> Settings:
    """The settings that hold here: flags, environment, files. ``looks``: the command only looks. Raises ConfigError."""
    from curator.repository.settings import Settings

    return replace(Settings.gather(common.wiki, os.environ, flags or {}), looks=looks)


_IN_ASCII = {"…": "...", "“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "·": "-", "→": "->", "×": "x"}


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """For a terminal without such characters: typographic ones become ASCII, others are escaped."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    seen = error.object[error.start : error.end]
    said = (_IN_ASCII.get(c) or c.encode("ascii", "backslashreplace").decode("ascii") for c in seen)
    return "".join(said), error.end


COMPLETING = "_CURATE_COMPLETE"
"""The variable by which a shell asks what may stand next."""


def main(command: click.Command) -> None:
    """Run what the command line says; never returns."""
    sys.stdout, sys.stderr = (stream or Path(os.devnull).open("w") for stream in (sys.stdout, sys.stderr))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        codecs.register_error("curate", _in_ascii)
        stream.reconfigure(errors="curate")  # type: ignore[union-attr]
    as_json = asks_for_json()
    try:
        sys.exit(_ran(command))
    except click.ClickException as error:
        sys.exit(_print_usage(as_json, error))
    except (click.exceptions.Abort, KeyboardInterrupt):
        if COMPLETING in os.environ:
            sys.exit(130)  # a message would stand in the line that is being typed
        sys.exit(_print_error(as_json, None, _Interrupted()))
    except OSError as error:
        # Nobody but the printing is left to say this: the report cannot be written.
        _give_up(sys.stdout)
        if error.errno in OF_THE_SYSTEM:
            sys.exit(_print_error(False, None, of_the_system(error)))
        _crash(error)
        sys.exit(3)
    except Exception as error:
        _crash(error)
        sys.exit(3)


def asks_for_json() -> bool:
    """Whether the command line has --json, for errors before it is parsed."""
    return "--json" in sys.argv[1:]


def _ran(command: click.Command) -> int:
    scrub_environment()
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"  # looking for plugins takes 25 ms, and none has business here
    return int(command.main(prog_name="curate", standalone_mode=False) or 0)


def _print_usage(as_json: bool, error: click.ClickException) -> int:
    hint = missing(error) if isinstance(error, click.MissingParameter) else ""
    if not as_json:
        error.show()
        if hint:
            print(f"  {hint}", file=sys.stderr)
        return 2
    context = error.ctx if isinstance(error, click.UsageError) else None
    name = " ".join(context.command_path.split()[1:]) or None if context is not None else None
    return _print_error(True, name, ConfigError("usage", error.format_message(), hint or "run 'curate --help'"))


def _give_up(stream: IO[str]) -> None:
    """The reader has closed the stream: what is still buffered must not be written again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _crash(error: Exception) -> None:
    """A fault of curator's own: say so in a line, and keep what a developer needs."""
    log = _log(error)
    print(f"curate: this is a fault of curator itself: {type(error).__name__}: {error}", file=sys.stderr)
    print(f"  no partial changes; please report it with {log}", file=sys.stderr)


def _log(error: Exception) -> str:
    """The path of a file with the traceback."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile("w", prefix="curate-crash-", suffix=".log", delete=False) as file:
        traceback.print_exception(error, file=file)
    return file.name
