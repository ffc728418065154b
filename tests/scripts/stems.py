"""The stems of the words that curator's own tables have, written to ``curator/wiki/english/written_stems.py``.

    python tests/scripts/stems.py

Stemming them at each start took a fifth of what loading the rules of support takes.
"""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

from snowballstemmer.english_stemmer import EnglishStemmer

PROJECT = Path(__file__).resolve().parents[2]
FILE = PROJECT / "curator" / "wiki" / "english" / "written_stems.py"
_HEAD = '''"""The stems of the words in curator's own tables, each with its words, by tests/scripts/stems.py.

A stem is a word itself, unless a ``-`` stands before it.
"""

from __future__ import annotations

'''
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
    _write("a")
    stemmer = EnglishStemmer()
    forms: dict[str, list[str]] = {}
    for word in stemmed():
        forms.setdefault(stemmer.stemWord(word), []).append(word)
    groups = (" ".join(_group(stem, words)) for stem, words in sorted(forms.items()))
    _write(textwrap.fill(", ".join(groups), 118, break_on_hyphens=False))


def _group(stem: str, words: list[str]) -> list[str]:
    """A stem and its words, the stem itself left out of them; marked where it has another stem as a word."""
    mark = "" if EnglishStemmer().stemWord(stem) == stem else "-"
    return [mark + stem, *(word for word in words if word != stem)]


def _write(stems: str) -> None:
    FILE.write_text(f'{_HEAD}STEMS = """\n{stems}\n"""\n', "utf-8")


if __name__ == "__main__":
    main()
