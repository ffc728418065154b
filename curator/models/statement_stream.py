"""A reply to a question while it comes in: each statement as soon as it is whole, long before the reply is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from curator.errors import ProposalError
from curator.models.statements import MAX_STATEMENTS, Statement, Statements
from curator.models.structured_reply import MAX_REPLY_BYTES

HearStatement = Callable[[int, Statement], None]
"""Called with a statement's number in the reply, from 1, and the statement; nothing of it is proven yet."""
_DEPTH = 3
"""A statement is an object in a list in an object."""
_OVERLAP = 2_000
"""Characters before what is new that are looked through once more with it."""


@dataclass
class StatementStream:
    """Takes one reply piece by piece; each character is looked at once. The whole reply tells what was no statement."""

    hear: HearStatement
    is_sound: Callable[[str], bool]
    """Looks at a part of the reply; where one is not sound, nothing more is heard."""
    _pieces: list[str] = field(default_factory=list)
    _length: int = 0
    _depth: int = 0
    _is_string: bool = False
    _is_escaped: bool = False
    _start: int = 0
    _looked: int = 0
    _number: int = 0
    _is_over: bool = False

    def feed(self, piece: str) -> None:
        if self._is_over:
            return
        self._pieces.append(piece)
        for at, character in enumerate(piece, start=self._length):
            if self._ends_statement(character, at) and not self._is_over:
                self._tell(at + 1)
        self._length += len(piece)
        self._is_over = self._is_over or self._length > MAX_REPLY_BYTES

    def _ends_statement(self, character: str, at: int) -> bool:
        if self._is_escaped:
            self._is_escaped = False
        elif self._is_string:
            self._is_escaped = character == "\\"
            self._is_string = character != '"'
        elif character == '"':
            self._is_string = True
        elif character in "{[":
            self._depth += 1
            self._start = at if self._depth == _DEPTH else self._start
        elif character in "}]":
            self._depth -= 1
            return self._depth == _DEPTH - 1
        return False

    def _tell(self, end: int) -> None:
        self._number += 1
        self._pieces = ["".join(self._pieces)]
        text = self._pieces[0][:end]
        if self._number > MAX_STATEMENTS or not self.is_sound(text[max(0, self._looked - _OVERLAP) :]):
            self._is_over = True
            return
        self._looked = end
        try:
            said = Statements.parse(f'{{"statements": [{text[self._start :]}]}}')
        except ProposalError:
            return
        for statement in said.statements:
            self.hear(self._number, statement)
