"""``curate help``, manual pages and completion: made of what is there anyway."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from curator.cli import COMMANDS, cli
from curator.cli.commands.help import TOPICS
from curator.cli.docs_folder import DOCS
from curator.cli.man_page import man_page
from support.wikis import drop


@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_has_its_page(topic: str) -> None:
    assert (DOCS / f"{TOPICS[topic][0]}.md").read_text("utf-8").startswith("# ")


def test_every_command_has_a_manual_page() -> None:
    root = click.Context(cli, info_name="curate", **cli.context_settings)

    for name, _, said in COMMANDS:
        _, command, _ = cli.resolve_command(root, [name])
        assert command is not None
        page = man_page(click.Context(command, info_name=name, parent=root), "1")
        assert page.startswith(f'.TH "CURATE-{name.upper()}" "1"')
        assert said.split(":")[0].split(";")[0].replace("-", r"\-")[:20] in page


def test_a_line_of_a_manual_page_that_looks_like_a_macro_is_text() -> None:
    command = click.Command("x", help="First.\n\n.SH is no heading, C:\\x is no macro.")

    page = man_page(click.Context(command, info_name="x"), "1")

    assert "\n\\&.SH is no heading, C:\\ex is no macro.\n" in page


def completed(*words: str) -> list[str]:
    shell = ShellComplete(cli, {}, "curate", "_CURATE_COMPLETE")
    return [item.value for item in shell.get_completions(list(words[:-1]), words[-1])]


def test_pages_and_sources_are_completed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drop(root, "oolong.txt")
    (root / "_index.md").write_text("# Index\n\n- [[oolong]] Oolong: a tea\n- [[gaiwan|Gaiwan]]: a bowl\n")
    monkeypatch.chdir(root)

    assert completed("rename", "") == ["gaiwan", "oolong"]
    assert completed("log", "--page", "oo") == ["oolong"]
    assert completed("undo", "sources/o") == ["sources/oolong.txt"] == completed("remove", "sources/")
    assert completed("lint", "--only", "link_b") == ["link_broken"]
    assert completed("--wiki", str(root), "merge", "gaiwan", "o") == ["oolong"]
    assert completed("help", "proo") == ["proofs"]
