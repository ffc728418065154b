"""The port to a model of embeddings: texts in, vectors out; and how a vector is kept and compared, in a byte a number."""

from __future__ import annotations

import array
import math
import struct
from collections.abc import Sequence
from typing import Literal, Protocol

TextKind = Literal["question", "passage"]
"""What a text is: many models want to be told."""
_SCALE = struct.Struct("<f")
_MOST = 127


class Embedder(Protocol):
    """Implemented over litellm by ``EmbeddingModel``."""

    @property
    def name(self) -> str:
        """What its vectors are kept under: those of two models are not compared."""

    def embed(self, texts: Sequence[str], kind: TextKind) -> list[bytes]:
        """The vector of each of ``texts``, as ``packed``. Raises ModelError, or BudgetSpent."""


def packed(vector: Sequence[float]) -> bytes:
    """``vector``, one long, in a byte a number behind what these are to be multiplied with; empty for one that is none."""
    length = math.sqrt(sum(each * each for each in vector))
    most = max(map(abs, vector), default=0.0)
    if not most or not math.isfinite(length):
        return b""
    return (
        _SCALE.pack(most / (_MOST * length))
        + array.array("b", [round(each / most * _MOST) for each in vector]).tobytes()
    )


def cosine(one: bytes, other: bytes) -> float:
    """How like two packed vectors are; 0 where they are of two lengths, or none."""
    if len(one) != len(other) or len(one) <= _SCALE.size:
        return 0.0
    first, second = memoryview(one)[_SCALE.size :].cast("b"), memoryview(other)[_SCALE.size :].cast("b")
    scale = _SCALE.unpack_from(one)[0] * _SCALE.unpack_from(other)[0]
    return float(scale * sum(map(int.__mul__, first, second)))
