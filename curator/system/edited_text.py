"""A big text with some edits, as pieces of the bytes it was made from: it is never put together in memory."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import IO

Edit = tuple[int, int, bytes]
"""Where it begins and ends, in bytes, and what takes its place."""
_AT_ONCE = 1 << 20


@dataclass(frozen=True, eq=False)
class EditedText:
    """UTF-8, piece by piece."""

    pieces: Sequence[bytes | memoryview]

    @classmethod
    def of(cls, before: bytes, edits: Iterable[Edit]) -> EditedText:
        """``before`` with these spans replaced, which do not overlap; of several at one place the first comes first."""
        whole, pieces, at = memoryview(before), list[bytes | memoryview](), 0
        for start, end, words in sorted(edits, key=lambda edit: edit[0]):
            pieces += [whole[at:start], words]
            at = end
        return cls([*pieces, whole[at:]])

    def __len__(self) -> int:
        """In bytes."""
        return sum(map(len, self.pieces))

    def __bytes__(self) -> bytes:
        return b"".join(self.pieces)

    def __str__(self) -> str:
        return bytes(self).decode("utf-8")

    def write(self, file: IO[bytes]) -> None:
        """Write it to ``file``."""
        for piece in self.pieces:
            for start in range(0, len(piece), _AT_ONCE):
                file.write(piece[start : start + _AT_ONCE])


Text = str | EditedText


def is_utf8(data: bytes) -> bool:
    """True where ``data`` can be decoded, which is not done for all of it at once."""
    decoder, whole = codecs.getincrementaldecoder("utf-8")(), memoryview(data)
    try:
        for start in range(0, len(whole), _AT_ONCE):
            decoder.decode(whole[start : start + _AT_ONCE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True
