"""What the terminal at hand bears: whether anything may move on it, whether it may be coloured, and in which letters."""

from __future__ import annotations

import os
import sys

_PLAIN = ("CURATOR_PLAIN", "ACCESSIBLE", "CI")
"""Variables that say so: ours, the one that other programs have for people who hear a terminal, and what logs set."""


def is_plain() -> bool:
    """True where nothing on the terminal may move: it cannot, or somebody hears or feels what it shows, or keeps it."""
    is_said = any(os.environ.get(name, "").lower() not in ("", "0", "false") for name in _PLAIN)
    return is_said or os.environ.get("TERM", "") in ("", "dumb", "unknown") or _is_slow()


def _is_slow() -> bool:
    """True on a line of 9,600 baud or less, of which a line that moves would take a third, and of 1,200 all and more."""
    import termios

    try:
        speed = int(termios.tcgetattr(sys.stderr.fileno())[5])
    except (termios.error, OSError, ValueError):
        return False
    return 0 < speed <= termios.B9600


def has_colour() -> bool:
    """True where stdout is a terminal that may be coloured. Colour says nothing that words do not say as well."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and not is_plain()


def ensure_utf8_names() -> None:
    """Start anew where Python would read and write names of files in other letters than UTF-8, as git and wikis have them.

    Python does so by itself in the locale C, but not where that was switched off, nor in a locale of other letters. What
    is printed stays in the letters of the terminal.
    """
    if sys.getfilesystemencoding() == "utf-8" or not sys.executable:
        return
    letters = sys.stdout.encoding if sys.stdout else "ascii"
    environment = {"PYTHONIOENCODING": letters, **os.environ, "PYTHONUTF8": "1"}
    os.execve(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]], environment)  # noqa: S606 (itself)
