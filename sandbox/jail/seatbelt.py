"""Seatbelt, the sandbox of macOS: the process opens only files beneath given folders, for reading; no more is allowed.

The profile goes to the call that ``sandbox-exec`` makes as well. Made by the process itself, it need not allow what it
takes to start a program. It follows what others have published of the language and was not tried on a Mac: what it comes
to there is what the attempts prove.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable


def profile(readable: Iterable[str]) -> str:
    """The rules in Seatbelt's own language: all is denied but looking at names and reading beneath ``readable``."""
    folders = dict.fromkeys(os.path.realpath(path) for path in readable)
    beneath = " ".join(f"(subpath {_quoted(folder)})" for folder in folders)
    allowed = [
        "(allow file-read-metadata)",
        "(allow sysctl-read)",
        *([f"(allow file-read* {beneath})"] if folders else []),
    ]
    return "\n".join(["(version 1)", "(deny default)", *allowed])


def restrict(readable: Iterable[str]) -> bool:
    """Close the process for good. False on other systems, and where this one refuses."""
    if sys.platform != "darwin":
        return False
    call = ctypes.CDLL(None).sandbox_init
    call.argtypes = (ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_char_p))
    return bool(call(profile(readable).encode(), 0, ctypes.byref(ctypes.c_char_p())) == 0)


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
