"""What the reader takes out, what the wall refuses and what lint reads in the jail for are the same characters."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from curator.models.extractive import ExtractiveCurator
from curator.models.sandbox.hidden_characters import hidden_characters
from curator.models.sandbox.process import SANDBOX
from curator.repository.repository import Repository
from support.wikis import drop, git, take_in

EVERY = (chr(code) for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF and chr(code) not in "\r\n")


def changed_by_the_reader() -> set[str]:
    script = """
import sys
sys.path.insert(0, sys.argv[1])
from unicode_text import cleaned
every = (chr(code) for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF)
print(*(f"{ord(c):x}" for c in every if cleaned(c) != c and c not in "\\r\\n"))
"""
    command = [sys.executable, "-c", script, str(SANDBOX)]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {chr(int(code, 16)) for code in found.split()}


def cleaned_by_the_reader(text: str) -> str:
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import unicode_text as u; print(ascii(u.cleaned(sys.argv[2])))"
    )
    command = [sys.executable, "-c", script, str(SANDBOX), text]
    return str(ast.literal_eval(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def test_the_reader_the_wall_and_lint_have_one_list() -> None:
    hidden = {character for character in EVERY if hidden_characters().match(character)}

    assert hidden == changed_by_the_reader()
    assert hidden >= set("\u00ad\u061c\u2061\u2064\u206a\u206f\ufff9\ufffb\U000e0041")
    assert hidden >= set("\u200c\u200d\ufe0f\ufe00\U000e0100\u034f\u3164\u115f\uffa0\u2800\U0001d173\u180e")
    assert not hidden & set("\t\u00a0\u2801\u20e3")


@pytest.mark.parametrize(
    "text",
    [
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian: a word of two parts
        "\u0915\u094d\u200d\u0937",  # Hindi: a half letter
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f\u200d\U0001f525 1\ufe0f\u20e3",  # emoji
        "\u845b\U000e0100 \u2229\ufe00",  # a Han character and a sign in another form
        "\u1820\u180e\u1821",  # Mongolian
    ],
)
def test_what_scripts_and_emoji_need_is_not_hidden(text: str) -> None:
    assert not hidden_characters().search(text)
    assert cleaned_by_the_reader(text) == text


@pytest.mark.parametrize("hidden", ["\u200c", "\u200d", "\ufe0f", "\ufe01", "\U000e01ef", "\u180e", "\u034f", "\u1160"])
def test_the_same_among_other_letters_is_hidden(hidden: str) -> None:
    assert hidden_characters().search(f"Thy{hidden}mol")
    assert cleaned_by_the_reader(f"Thy{hidden}mol") == "Thymol"


@pytest.mark.parametrize("hidden", ["\u2061", "\u2063", "\u206c", "\ufff9", "\u00ad", "\u200b"])
def test_an_honest_source_with_a_character_nobody_sees_lands(root: Path, hidden: str) -> None:
    text = f"# Oolong\n\nOolong f{hidden}(x) is a tea that is partly oxidised before it is fired.\n"
    with Repository(root) as repository:
        outcome = take_in(drop(root, "oolong.md", text), repository, ExtractiveCurator())

    assert outcome.commit == git(root, "rev-parse", "HEAD")
    assert hidden not in "".join(file.read_text() for file in root.rglob("*.md") if "sources" not in file.parts)
