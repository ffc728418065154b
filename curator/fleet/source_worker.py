"""A child process that works on the sources of one checkout, one after the other: ``curate stream``, waited for."""

from __future__ import annotations

import os
import queue
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from curator.fleet.checkout import Checkout
from curator.fleet.records import FleetWiki, Tenant
from curator.service.worker import Worker
from curator.system.trusted_folders import VARIABLE as TRUSTED

DATABASE = "CURATOR_FLEET_DATABASE"
"""The variable with the database's address, which holds a password."""
_SECRET = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)|^(AWS|AZURE|GOOGLE|VERTEX)", re.IGNORECASE)

Result = Mapping[str, Any]
"""What became of one file, as ``curate ingest --json`` says it."""


class WorkerDied(Exception):
    """The process ended before it gave a result."""


class WikiUnfit(Exception):
    """The wiki or its settings allow no source to be taken in, whichever it is."""


@dataclass
class SourceWorker:
    """One child. Not for several threads at once."""

    checkout: Checkout
    environment: Mapping[str, str]
    _messages: queue.SimpleQueue[dict[str, Any]] = field(default_factory=queue.SimpleQueue)
    _worker: Worker = field(init=False)

    def __post_init__(self) -> None:
        self._worker = Worker(
            self.checkout.folder, (), lambda _, message: self._messages.put(message), environment=self.environment
        )

    @property
    def asks_a_model(self) -> bool:
        return bool(self.environment.get("CURATOR_MODEL"))

    def run(
        self, path: str, on_stage: Callable[[str], None], *, dry_run: bool = False, saved_only: bool = False
    ) -> Result:
        """Have a source taken in, or with ``dry_run`` asked about. Raises WorkerDied, WikiUnfit, or what ``on_stage`` does.

        ``saved_only``: no model is asked; where one would have to be, the result's code is ``answer_wanted``. The child is
        waited for whatever ``on_stage`` raises: its answer is paid for, and its result must not be the next source's.
        """
        failure: Exception | None = None
        if not self._worker.assign(path, dry_run=dry_run, saved_only=saved_only):
            raise WorkerDied(self._ending())
        while True:
            message = self._messages.get()
            if "ended" in message:
                raise WorkerDied(f"it ended with {message['ended']}: {message['said']}")
            if "unfit" in message:
                raise WikiUnfit(str(message["unfit"]))
            if "stage" not in message:
                break
            try:
                if failure is None:
                    on_stage(str(message["stage"]))
            except Exception as error:
                failure = error
        if failure is not None:
            raise failure
        return message

    def stop(self, seconds: float = 2.0) -> None:
        self._worker.stop(seconds)

    def kill(self) -> None:
        self._worker.kill()

    def _ending(self) -> str:
        while "ended" not in (message := self._messages.get()):
            if "unfit" in message:
                raise WikiUnfit(str(message["unfit"]))
        return f"it ended with {message['ended']}: {message['said']}"


def environment_of(wiki: FleetWiki, tenant: Tenant, checkout: Checkout, ours: Mapping[str, str]) -> dict[str, str]:
    """What a child sees: the wiki's settings, the tenant's keys and nobody else's, never the database's address.

    A tenant without keys of its own works with those of the machine.
    """
    seen = {name: value for name, value in ours.items() if name != DATABASE}
    if tenant.keys:
        seen = {name: value for name, value in seen.items() if not _SECRET.search(name)}
        seen |= {name: ours[kept_in] for name, kept_in in tenant.keys.items() if kept_in in ours}
    seen |= {f"CURATOR_{name.upper()}": value for name, value in wiki.settings.items()}
    # Nobody edits a clone by hand, and what is pushed is pushed here.
    seen |= {"CURATOR_ON_DIRTY": "park", "CURATOR_PUSH": "false", TRUSTED: str(checkout.folder.resolve())}
    return seen


def own_environment(wiki: FleetWiki, tenant: Tenant, checkout: Checkout) -> dict[str, str]:
    return environment_of(wiki, tenant, checkout, os.environ)
