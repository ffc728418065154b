"""A vault as people have them: daily notes, clippings, projects, people, templates, attachments, settings of programs.

    python tests/support/vault.py DIR [NOTES]

The same every time. Notes are a few sentences each; some have aliases, tags, links, embeds, dataview, callouts and tasks.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

_TOPICS = (
    ("Oolong", "a tea that is partly oxidised before it is fired", "Fujian", 90),
    ("Grüner Tee", "a tea that is steamed or roasted soon after the harvest", "Shizuoka", 70),
    ("Weißer Tee", "a tea that is withered and dried", "Fuding", 75),
    ("Gaiwan", "a bowl with a lid in which tea is brewed", "Jingdezhen", 95),
    ("Kyusu", "a pot with a handle at its side", "Tokoname", 60),
    ("C++ Notizen", "a list of things to look up", "the office", 20),
    ("Rock & Roll", "a music with a strong beat", "Memphis", 30),
    ("Čaj", "a word for tea", "Prague", 80),
)
_PEOPLE = ("Anna Müller", "Bo Li", "Zoë O'Neill", "Jörg")


def make(folder: Path, notes: int = 500) -> Path:
    """Write the vault; gives its folder."""
    for name, text in _settings():
        _write(folder / name, text.encode())
    for name, content in _attachments():
        _write(folder / name, content)
    for number, (name, text) in zip(range(notes), _notes(), strict=False):
        _write(folder / name, text.replace("NUMBER", str(number)).encode())
    return folder


def fingerprint(folder: Path, but: str = "wiki") -> dict[str, str]:
    """The digest of every file of the vault with its time of change, by path; without the folder ``but``."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        path.relative_to(
            folder
        ).as_posix(): f"{hashlib.sha256(path.read_bytes()).hexdigest()} {path.stat().st_mtime_ns}"
        for path in files
        if path.relative_to(folder).parts[0] != but
    }


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _settings() -> Iterator[tuple[str, str]]:
    yield ".obsidian/app.json", '{"attachmentFolderPath": "Anhänge"}'
    yield ".obsidian/templates.json", '{"folder": "Meta/Muster"}'
    yield ".obsidian/plugins/dataview/data.json", "{}"
    yield ".trash/Old.md", "# Thrown away\n"
    yield "Meta/Muster/Daily.md", "---\ntags: [daily]\n---\n# {{date}}\n\n- [ ] {{title}}\n"
    yield "Templates/Person.md", "---\naliases: []\n---\n# <% tp.file.title %>\n"
    yield "Overview.canvas", '{"nodes": [], "edges": []}'
    yield "Drawing.excalidraw.md", "---\nexcalidraw-plugin: parsed\n---\n# Drawing\n"
    yield (
        "Home.md",
        (
            "---\ntags: [moc]\n---\n# Home\n\nThe kettle on the shelf is made of cast iron.\n\n"
            "- [[Clippings/Oolong 0|Oolong]]\n- [[Anna Müller]]\n\n```dataview\nTABLE file.mtime FROM #tea\n```\n"
        ),
    )


def _attachments() -> Iterator[tuple[str, bytes]]:
    for number in range(8):
        yield f"Anhänge/Bild {number}.png", b"\x89PNG\r\n\x1a\n" + bytes([number]) * 40
    yield "Anhänge/Talk.m4a", b"\0\0\0 ftypM4A "
    yield "Anhänge/Merkblatt.txt", b"Kettles\n\nA kettle is a vessel with a spout in which water is boiled.\n"


def _notes() -> Iterator[tuple[str, str]]:
    """Names and texts without end, of the kinds in turn."""
    number, day = 0, date(2026, 1, 1)
    while True:
        name, what, place, degrees = _TOPICS[number % len(_TOPICS)]
        round_ = number // len(_TOPICS)
        yield (
            f"Daily/{day.year}/{day}.md",
            f"---\ntags:\n  - daily\n---\n# {day}\n\n"
            f"On {day} the garden of plot NUMBER was watered with {10 + number} litres.\n\n"
            f"- [x] Water plot NUMBER\n- [ ] Call [[{_PEOPLE[number % 4]}]]\n\n"
            f"> [!note] Weather\n> It rained for {number} minutes.\n",
        )
        yield (
            f"Clippings/{name} {round_}.md",
            f"---\naliases: [{name} No. {round_}]\ntags: [tea, clipping/web]\nsource: https://example.org/{number}\n---\n"
            f"# {name} No. {round_}\n\n{name} No. {round_} is {what}. {name} No. {round_} comes from {place}.\n\n"
            f"It is brewed with water of {degrees} degrees in jar {number}.\n\n![[Bild {number % 8}.png]]\n",
        )
        yield (
            f"Projects/Projekt {number}/index.md",
            f"# Projekt {number}\n\nprojekt:: {number}\n\nProjekt {number} is led by {_PEOPLE[number % 4]}. "
            f"Its budget is {number + 3},000 euros.\n\nSee [[{name} {round_}]] "
            f"and [the day](../../Daily/{day.year}/{day}.md). ^goal\n",
        )
        yield (
            f"Inbox/Gedanke {number} – {name}.md",
            f"# Gedanke {number}\n\nThe shelf number {number} holds {number + 2} jars of {name}. #idee\n",
        )
        number, day = number + 1, day + timedelta(days=1)


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 500)
