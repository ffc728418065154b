"""A small model on this machine, as those of 7 billion parameters behave: 8,192 tokens of room, slow, careless, cut off.

Its answers are those of ``model_server``, made worse in ways that were seen of such models: thanks before and after, a
fence around the blocks, a block's word in small letters, quotes that lose a letter, claims that nobody made, an answer in
prose when it was asked for blocks, one that never ends. All of it follows from how often it was asked, never from a clock.

Its room is enforced as servers do, in their words. Its tokens are pieces of words, a tenth more than GPT-4 counts for
English prose, and a quarter more for code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from support.endpoint import Endpoint, Reply, Request
from support.model_server import Prompt, answer

ROOM = 8192
PIECES = re.compile(r"[A-Za-z]{1,6}|\d{1,3}|[^\w\s]|\w|\n")
PROSE = "Certainly! This document is about kettles. I would suggest that you write a page on each of the main topics."
RAMBLE = "The kettle is a kettle and so it is a kettle. " * 2000
INVENTED = 'It was invented by Napoleon in 1805.\n^ "invented by Napoleon in 1805"'


def tokens(text: str) -> int:
    """How many tokens a text has."""
    return len(PIECES.findall(text))


@dataclass
class Habits:
    """What it does with the answer to the call of each number; sound for those that are not named."""

    prose: frozenset[int] = frozenset()
    rambles: frozenset[int] = frozenset()
    never_stops: frozenset[int] = frozenset()
    """It begins well and goes on and on."""
    careless: bool = True


@dataclass(frozen=True)
class Served:
    """One call: how long the question was, how much room was asked for, and what became of it."""

    prompt: int
    wanted: int
    status: int
    finish: str


@dataclass
class SmallModel:
    """The model; ``server`` is whose words it refuses with: ``vllm``, which counts the answer too, or ``llama.cpp``."""

    habits: Habits = field(default_factory=Habits)
    server: str = "vllm"
    served: list[Served] = field(default_factory=list)

    def endpoint(self) -> Endpoint:
        return Endpoint(self.answer)

    def answer(self, request: Request) -> Reply:
        prompt = sum(tokens(str(message["content"])) + 4 for message in request["messages"])
        wanted = int(request.get("max_tokens") or request.get("max_completion_tokens") or 0)
        if refusal := self._refusal(prompt, wanted):
            return self._serve(Reply(refusal, status=400), prompt, wanted)
        text = self._said(request, len(self.served) + 1)
        room = min(wanted or ROOM, ROOM - prompt)
        pieces = list(PIECES.finditer(text))
        was_cut = len(pieces) > room
        text = text[: pieces[room].start()] if was_cut else text
        usage = {"prompt_tokens": prompt, "completion_tokens": min(len(pieces), room)}
        finish = "length" if was_cut else "stop"
        return self._serve(Reply(text, finish_reason=finish, usage=usage, delay=0.02), prompt, wanted)

    def _serve(self, reply: Reply, prompt: int, wanted: int) -> Reply:
        self.served.append(Served(prompt, wanted, reply.status, reply.finish_reason))
        return reply

    def _refusal(self, prompt: int, wanted: int) -> str:
        if self.server == "vllm" and prompt + wanted > ROOM:
            return (
                f"This model's maximum context length is {ROOM} tokens. However, you requested {prompt + wanted} tokens "
                f"({prompt} in the messages, {wanted} in the completion). Please reduce the length of the messages or "
                "completion."
            )
        if prompt >= ROOM:
            return f"request ({prompt} tokens) exceeds the available context size ({ROOM} tokens), try increasing it"
        return ""

    def _said(self, request: Request, number: int) -> str:
        if number in self.habits.prose:
            return PROSE
        if number in self.habits.rambles:
            return RAMBLE
        if '{"statements"' in str(request["messages"][0]["content"]):
            return '{"statements": []}'
        said = answer(Prompt.of(request))
        if number in self.habits.never_stops:
            return f"{said}\n\n<<<<<<< CREATE concept | Kettles\n{RAMBLE}"
        return _carelessly(said, number) if self.habits.careless else said


def _carelessly(said: str, number: int) -> str:
    """The same answer as such a model writes it down."""
    if "<<<<<<<" not in said:
        return f"Here are the notes:\n\n{said}\n"
    said = re.sub(r"(>>>>>>> END)", rf"{INVENTED}\n\1", said, count=1)
    if number % 2:
        said = said.replace("CREATE concept", "create concept").replace(">>>>>>> END", ">>>>>>>  ", 1)
    said = re.sub(r'\^ "(\w+) ', lambda found: f'^ "{found[1].lower()} ', said)
    return f"Sure! Here is the reply.\n\n```text\n{said}\n```\n\nLet me know if you need anything else."
