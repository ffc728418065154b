"""Model workers for the browser, one lender a wiki (decision 0023).

They are borrowed from a running service or another ``curate open``; else one is started when the page for questions is
opened, so that litellm loads while the question is typed.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from curator.cli.web.served import OpenWiki

if TYPE_CHECKING:
    from curator.service.model_lender import ModelLender


class Lenders:
    """Those that one server has started."""

    def __init__(self) -> None:
        self._started: dict[str, ModelLender] = {}
        self._lock = threading.Lock()
        self._is_over = False

    def ready(self, wiki: OpenWiki) -> None:
        """See to it that somebody lends workers for ``wiki``, where it asks a model."""
        if not wiki.settings.config.model:
            return
        from curator.service.model_lender import ModelLender

        shown, place = wiki.shown, wiki.snapshot.repository.runtime.model_socket
        flags = [f"--{key.replace('_', '-')}={value}" for key, value in shown.flags.items() if value]
        with self._lock:
            lender = self._started.setdefault(shown.name, ModelLender(shown.root, place, flags, shown.environment))
            if not self._is_over and not lender.is_lent:
                lender.start()

    def end(self) -> None:
        """End them all; workers that were lent stay with those who have them."""
        with self._lock:
            self._is_over = True
            for lender in self._started.values():
                lender.stop()
