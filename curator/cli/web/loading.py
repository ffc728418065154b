"""When the modules of views are loaded: each when it is asked for, and all of them once the first view was seen."""

from __future__ import annotations

import gc
import threading
from importlib import import_module

from starlette.requests import Request
from starlette.responses import Response

from curator.cli.web.served import OpenWiki
from curator.cli.web.shown import Shown, View


def view_of(module: str, name: str) -> View:
    """A view whose module is loaded when it is asked for: the first page would wait for what it does not need."""

    def view(wiki: OpenWiki, request: Request) -> Shown | Response:
        shown: Shown | Response = getattr(import_module(f"curator.cli.web.{module}"), name)(wiki, request)
        return shown

    return view


_LATER = ("views", "doubts", "acts", "activity", "answers")
"""Modules that the first view does not need."""
_CALM = 0.3
"""Seconds after the first view until they are loaded: its own style and scripts come first."""


class LaterViews:
    """Loads the modules of all other views after the first one was shown, so that none of them has to wait."""

    def __init__(self) -> None:
        self._begun = threading.Lock()

    def begin(self) -> None:
        """Begin, unless it has begun."""
        if self._begun.acquire(blocking=False):
            loading = threading.Timer(_CALM, self._load)
            loading.daemon = True
            loading.start()

    @staticmethod
    def _load() -> None:
        for module in _LATER:
            import_module(f"curator.cli.web.{module}")
        gc.freeze()  # what is loaded stays: to look at it again and again would hold up a view
