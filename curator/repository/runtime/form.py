"""The form of the runtime folder, written down in it: state of an older form is read, of a later one refused.

``FORM`` counts up when a later version writes something here that this one would lose or misread: a field of a parked
source, a queue's state, a step of the journal. What is only a cache has its version in its own name, and is left alone by
versions that do not know it. Folders without the file are of the versions before there was one, and are read as they are.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from curator.errors import ConfigError
from curator.system import atomic
from curator.version import __version__

FORM = 1
FILE = "form.json"


def enter(folder: Path) -> None:
    """See that the state in ``folder`` is of a form that is known here, before anything in it is touched.

    Raises ConfigError.
    """
    try:
        written = (folder / FILE).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return
    form, by = _said(written)
    if form is None:
        message = f"{folder / FILE} does not say what form the state beside it has: {written[:60]!r}"
        raise ConfigError("state_unreadable", message, f"write {_text()} into it, if no later curator was at work here")
    if form > FORM:
        here = f"this is {__version__} (form {FORM})"
        message = f"the state in {folder} is of a later version, curator {by} (form {form}); {here}"
        hint = "upgrade curator; nothing was changed. Pages, sources and log are plain files in git"
        raise ConfigError("state_newer", message, hint)


def mark(folder: Path) -> None:
    """Write down the form, where there is none or an older one; where nothing can be written there is nothing to mark."""
    with suppress(OSError):
        if not (folder / FILE).exists():
            atomic.write(folder / FILE, _text().encode())


def _said(written: bytes) -> tuple[int | None, str]:
    try:
        value = json.loads(written)
        form, by = value["form"], value.get("curator", "")
    except (ValueError, KeyError, TypeError, AttributeError):
        return None, ""
    is_form = isinstance(form, int) and not isinstance(form, bool) and form > 0
    return (form if is_form else None), str(by)[:40] or "unknown"


def _text() -> str:
    return json.dumps({"form": FORM, "curator": __version__})
