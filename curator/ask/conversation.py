"""The last questions and answers of a wiki, so that a follow-up can refer to them. They prove nothing.

Kept in the runtime folder, which only its user may read; bounded in turns and in length, and forgotten after some hours.
A wiki has one conversation: a question that does not follow on it begins a new one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from curator.errors import ConfigError
from curator.models.port import estimate_tokens
from curator.models.question import Turn
from curator.models.statements import ProvenStatement
from curator.repository.runtime.runtime import Runtime
from curator.system import atomic

TURNS = 5
"""How many are kept."""
TOKENS = 600
"""What they may take in a prompt, together."""
_TOLD = 700
"""Characters of what was told in one turn."""
_NAMES = 3
"""Pages of a turn whose titles are looked for."""
FRESH = timedelta(hours=12)
"""How long after its last turn a conversation goes on."""


@dataclass(frozen=True)
class Conversation:
    """The turns so far, the last one last; each was asked through the same view."""

    turns: tuple[Turn, ...] = ()
    view: str = ""
    """What one view shows another may hide, so none is told through it."""
    count: int = 0
    """How many turns there were, those among them that are not kept."""
    at: str = ""
    """When the last turn was, in UTC."""

    def with_turn(self, turn: Turn, now: datetime) -> Conversation:
        """One turn more, as many of those before as there is room for."""
        kept = [turn]
        for each in reversed(self.turns):
            if len(kept) == TURNS or sum(map(_tokens, (*kept, each))) > TOKENS:
                break
            kept.insert(0, each)
        return replace(self, turns=tuple(kept), count=self.count + 1, at=now.isoformat())

    def before(self, question: str) -> Conversation:
        """Without its last turn where that was the same question: asked again, it follows on the same turns as before."""
        again = bool(self.turns) and self.turns[-1].question == question
        return replace(self, turns=self.turns[:-1], count=self.count - 1) if again else self

    def is_fresh(self, now: datetime) -> bool:
        try:
            return now - datetime.fromisoformat(self.at) < FRESH
        except (ValueError, TypeError):
            return False


def turn_of(question: str, statements: Sequence[ProvenStatement]) -> Turn:
    """What is remembered of an answer."""
    told = "\n\n".join(said.text for said in statements)
    if len(told) > _TOLD:
        told = told[:_TOLD].rsplit(" ", 1)[0] + " …"
    pages = {
        proof.reading.name: proof.reading.title
        for said in statements
        for proof in said.proofs
        if not proof.reading.is_source
    }
    return Turn(question, told, tuple(pages), tuple(pages.values())[:_NAMES])


def load(runtime: Runtime, view: str, now: datetime) -> Conversation:
    """The conversation to go on with. Raises ConfigError where there is none."""
    known = _read(_file(runtime))
    if known is None or not known.turns:
        hint = "ask in full first; a follow-up goes on from the last question of this wiki"
        raise ConfigError("nothing_to_continue", "nothing was asked of this wiki yet", hint)
    if known.view != view:
        hint = "ask in full: what is seen through one view is not told through another"
        raise ConfigError("nothing_to_continue", "the last question was asked through another view", hint)
    if not known.is_fresh(now):
        hint = f"ask in full: a conversation goes on for {FRESH.seconds // 3600} hours"
        raise ConfigError("nothing_to_continue", "the last question was asked too long ago", hint)
    return known


def keep(runtime: Runtime, conversation: Conversation) -> None:
    """Remember it in the place of any other."""
    runtime.make()
    atomic.write(_file(runtime), json.dumps(asdict(conversation), indent=1).encode())


def _file(runtime: Runtime) -> Path:
    return runtime.folder / "conversation.json"


def _read(file: Path) -> Conversation | None:
    """What ``keep`` wrote; None for anything else."""
    try:
        said = json.loads(file.read_text("utf-8"))
        turns = tuple(map(_turn, said["turns"]))[-TURNS:]
        return Conversation(turns, str(said["view"]), int(said["count"]), str(said["at"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _turn(said: Any) -> Turn:
    pages, names = (tuple(map(str, said[each])) for each in ("pages", "names"))
    return Turn(str(said["question"]), str(said["told"]), pages, names)


def _tokens(turn: Turn) -> int:
    return estimate_tokens(f"{turn.question}\n{turn.told}")
