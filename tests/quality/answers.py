"""Answers by a model from the material that it is shown, judged by the words that a right one has."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from quality.corpus import AskedQuestion
from quality.matching import has_words, says
from quality.measures import Material, Share, share

Complete = Callable[[str], str]
"""A prompt in, a model's reply out."""
_PROMPT = """Answer the question from the material alone, in at most {sentences} sentences and with its own names, numbers
and terms. Say "not in the material" of what it does not tell.

Material:

{material}

Question: {question}
"""


@dataclass(frozen=True)
class AnsweredQuestion:
    """A reply, and which facts it has."""

    question: AskedQuestion
    reply: str

    @property
    def held(self) -> list[bool]:
        return [says(self.reply, fact.spans) or has_words(self.reply, fact.words) for fact in self.question.facts]


def answer(
    questions: Sequence[AskedQuestion], material: Material, tokens: int, complete: Complete
) -> list[AnsweredQuestion]:
    """The replies to ``questions`` from so many tokens of material each."""
    found = []
    for question in questions:
        prompt = _PROMPT.format(
            sentences=2 * len(question.facts), material=material(question.text, tokens), question=question.text
        )
        found.append(AnsweredQuestion(question, complete(prompt)))
    return found


def right(answered: Sequence[AnsweredQuestion]) -> Share:
    """How many of the facts that were asked for are in the replies."""
    return share(held for each in answered for held in each.held)


def by_litellm(model: str, base: str | None = None) -> Complete:
    """A model by its litellm name; its key is the one that litellm finds in the environment."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    def complete(prompt: str) -> str:
        messages = [{"role": "user", "content": prompt}]
        reply = litellm.completion(model=model, api_base=base, messages=messages, temperature=0, timeout=120)
        return str(reply.choices[0].message.content or "")

    return complete
