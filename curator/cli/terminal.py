"""What the terminal can show: a line that is redrawn, colours, file names in UTF-8."""

from __future__ import annotations

import os
import sys

_PLAIN = ("CURATOR_PLAIN", "ACCESSIBLE", "CI")
"""Variables that say so: ours, the one that other programs have for people who hear a terminal, and what logs set."""


def is_plain() -> bool:
    """True where no line may be redrawn: the terminal cannot, a screen reader reads it, or it is logged."""
    is_said = any(os.environ.get(name, "").lower() not in ("", "0", "false") for name in _PLAIN)
    return is_said or os.environ.get("TERM", "") in ("", "dumb", "unknown") or _is_slow()


def _is_slow() -> bool:
    """True at 9,600 baud or less: a redrawn line would take a third of that, and more than all of 1,200 baud."""
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
    """Restart in UTF-8 mode where Python would encode file names otherwise: git and wikis have them in UTF-8.

    Python does so by itself in the locale C, unless that is switched off, but not in a locale with another encoding. Output
    stays in the terminal's encoding.
    """
    if sys.getfilesystemencoding() == "utf-8" or not sys.executable:
        return
    letters = sys.stdout.encoding if sys.stdout else "ascii"
    environment = {"PYTHONIOENCODING": letters, **os.environ, "PYTHONUTF8": "1"}
    os.execve(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]], environment)  # noqa: S606 (itself)
