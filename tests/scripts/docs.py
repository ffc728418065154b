"""Writes the reference pages of docs/ that come from the code: the wall's rules and the settings.

python tests/scripts/docs.py
"""

from __future__ import annotations

import ast
import inspect
import itertools
import re
import textwrap
from pathlib import Path

from curator import config
from curator.checks import rules
from curator.service.install import container

DOCS = Path(__file__).resolve().parents[2] / "docs"


_WALL = """
What a change must keep. Every rule runs on the pages that would be committed, all findings are reported, each with its
code; one finding refuses the whole proposal, but for those named next. The rules judge what a change adds or takes away:
a fault that a page already has is not held against the source. Those under "Moves" are about pages that a reply renames,
merges or takes statements from: what breaks one of them is left out, and the rest lands. The ids in brackets are those of
the research the rules come from.

What a careless writer does, too, in one statement costs that statement alone, where it can be told which one it is and
nothing else is wrong: it goes back once, and is left out where the repair fails. The codes of that:
"""
_LANDS = """
## What is known to land

223 hostile replies of somebody who knew these pages did harm in 116 cases when they were first tried. Run again, something
harmful landed in 54 before the rules on tales, limits, cells, code and lists, in 27 with them, and in 17 with those on
sentences turned round, mostly of one claim in several (each alone on the wiki that all began with, without a mend, judged
by one reader). What is listed here lands still; a second reader (docs/verify.md) or a person has to see it.

- Plain distortions in quite other words: an opposite that no list has ("survives" for "lapses"), a share of a share,
  "cheaper" told as "costs less" of the other, since 1811 for once in 1811, an object put behind a verb that has none.
- What is gathered from two sentences: an object of the one in the place of an object of the other ("a storm destroyed the
  tower"), two names joined where only one did it, a reason of a sentence that is none, what "she" did under another name.
- The page's thing in the place of a part of it: "The lighthouse burnt" for "The oil store burnt"; the crack of the bridge
  at Tosk told of "the bridge".
- What only some do or a leaflet says, without the "some" or the leaflet; a command in an option's place that the source
  has elsewhere; one of two things that hold of a table's row, by a superlative or an opposite of its head.
- A few words without a subject under a heading or a bold label, and headings made of words that the source does not deny:
  "Hidden grain of the owner".
- Another thing of the very name on a page, told in two or three sentences: what it is says too little to part them.
- Facts that a hostile source states itself, of the thing of the page: nobody but a person knows better.

Another attack, of 70 cases over several ingests, on `ask`, `--save`, source files, packs, MCP and the web page, by
somebody who saw no code, did harm in 49 at first sight, without a crash. Stopped since, each tried again by who mended it:
what changed sources had grown into, outweighed or take back by what stands around it, what is put under others' headings
and lead-ins, e-mails, notebooks, merged cells, formats of numbers, TeX and copies that differ by white space.
Since a second look also: sentences from the section or the story of another thing, disputes of another thing or of a
case of its own (both statements stand), a person's uncited words (they stand on, above what the source says), an alias that
may be anything's (it names no thing alone), a merge of two things of a kind (it waits), doubts of several sources (no
further than of one), superseding a chapter. Since a third: labels, heads of columns and lead-ins of lists and tables,
questions, other versions of a name, what stands beside a thing, another thing put before a page's words by an edit,
"together with" in an answer. Of the rest this lands still:

- A reworded dispute of other parts of a thing (opened: the bridge, the road on it), which marks the older statement as
  earlier; a doubt about something else, which makes a page less sure by 0.2 once.
- A sentence without a name of its own, from a document on another thing that names that in small letters or not at all.
  Another thing of the very name, told without the word for what it is ("The Ida Holm sank"), or where no `the` parts the
  two names: a page that gets its kind behind its name waits for a person.
- A question with another statement behind it in one sentence of the claim ("The engine is steam driven and runs on
  diesel", of "Is it steam driven? It runs on diesel"); labels, lead-ins and headings in other words than those of
  `set_aside` and `lead_lost`, or in another language; a lead-in that sets a condition without a number ("on dry days").
- German and all other languages: of what such a source says only numbers, code and names that no grammar bends are
  compared. `curate prove` says `not judged`, the page's proofs say `foreign`, the wall itself says nothing of it: "never",
  "perhaps", questions and headings of myths are not seen there. A second reader (docs/verify.md) reads them.
- `ask`: what is quoted of a thing of another kind than the one that was asked of, where its subject stands in both, and of
  a part of it in a row of a table ("Varn Lighthouse | in high wind", of its gallery); a "yes" that shares a word with the
  question and meets no number or "not"; a statement that names a thing of its own ("The keeper wears gloves when handling
  oxalic acid", of a lighthouse's keeper). These rules know English only.
- docs/formats.md has a table of what each format hides.
"""
_SETTINGS = """
Flags come before `CURATOR_*` variables (`CURATOR_MODEL`), those before `curator.toml` in the git directory's `curator`
folder (`git rev-parse --git-path curator`), and that before `~/.config/curator/config.toml`. Nothing is read from the
wiki's own files. An unknown key is an error that names it. A `curator.toml` that came with a folder counts once `curate
trust` was said of it, as do programs that the repository's configuration names; `curate init` says so of a new wiki.
`CURATOR_TRUSTED` names such folders, too, with `:` between: a wiki's, `/srv/wikis/*`, or `*`.

For a screen reader, a line of braille or a slow terminal `CURATOR_PLAIN=1` (`ACCESSIBLE=1`, `TERM=dumb`): nothing
moves, each source is a line of its own. What is said there is said in words, never by colour.
"""


def wall() -> str:
    """Every rule of the wall by module, with its code and what it says of itself."""
    codes = textwrap.wrap(", ".join(f"`{code}`" for code in sorted(rules.OF_STATEMENTS)) + ".", 120)
    lines = ["# The wall", "", *_WALL.strip().split("\n"), *codes]
    module = ""
    for rule in dict.fromkeys((*rules.RULES, *rules.REGROUPED)):
        if rule.__module__ != module:
            module = rule.__module__
            lines += ["", f"## {module.rpartition('.')[2].capitalize()}", ""]
        about, _, said = _flat(inspect.getdoc(rule) or "").partition(": ")
        code, _, source = about.partition(" ")
        lines.append(f"- `{code}` {source}: {said}" if source else f"- `{code}`: {said}")
    return "\n".join([*lines, "", *_LANDS.strip().split("\n")]) + "\n"


def settings() -> str:
    """Every setting with its default and its docstring."""
    lines = ["# Configuration", "", *_SETTINGS.strip().split("\n"), "", "| key | default | |", "|---|---|---|"]
    for name, said in _documented(inspect.getsource(config.Config)):
        default = config.Config.model_fields[name].get_default(call_default_factory=True)
        shown = str(default).lower() if isinstance(default, bool) else default or "none"
        lines.append(f"| `{name}` | {shown} | {said} |")
    return "\n".join(lines) + "\n"


def _documented(source: str) -> list[tuple[str, str]]:
    """The fields of a class and the string under each."""
    body = next(node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)).body
    found = []
    for field, below in itertools.pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
            found.append((field.target.id, _flat(ast.literal_eval(below.value))))
    return found


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("``", "`")).strip()


def compose() -> str:
    """The compose file of docs/service.md: that of the command, for whatever wiki is named."""
    text = container.compose("WIKI", ["WIKI"], "USER", "SECRETS").replace('"WIKI"', '"${WIKI:?the path of the wiki}"')
    user = '"${CURATOR_USER:-1000:1000}"'
    return text.replace('"USER"', user).replace('"SECRETS"', '"${HOME}/.config/curator/environment"')


PAGES = {"wall.md": wall, "configuration.md": settings, "container/compose.yaml": compose}


def main() -> None:
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
