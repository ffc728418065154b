"""The stems of the words that curator's own tables have, written to ``curator/wiki/english/stems.txt``.

    python tests/scripts/stems.py

Stemming them at each start took a fifth of what loading the rules of support takes.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
FILE = PROJECT / "curator" / "wiki" / "english" / "stems.txt"
_LOADED = "curator.cli.commands.ingest, curator.ask.flow, curator.cli.commands.prove, curator.checks.lint.maintenance"
_ASKED = f"""
from snowballstemmer.english_stemmer import EnglishStemmer
stemmed, words = EnglishStemmer.stemWord, set()
EnglishStemmer.stemWord = lambda self, word: (words.add(word), stemmed(self, word))[1]
import {_LOADED}
print("\\n".join(sorted(words)))
"""


def stemmed() -> list[str]:
    """The words that are stemmed when curator is loaded: those that are not written down."""
    command = [sys.executable, "-c", _ASKED]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=PROJECT).stdout.split()


def main() -> None:
    from snowballstemmer.english_stemmer import EnglishStemmer

    FILE.write_text("", "utf-8")
    stemmer = EnglishStemmer()
    forms: dict[str, list[str]] = {}
    for word in stemmed():
        forms.setdefault(stemmer.stemWord(word), []).append(word)
    FILE.write_text("".join(f"{' '.join([stem, *words])}\n" for stem, words in sorted(forms.items())), "utf-8")


if __name__ == "__main__":
    main()
