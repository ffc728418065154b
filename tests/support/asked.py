"""Questions to small wikis: planted pages, answers in a line, and the flow without its command."""

from __future__ import annotations

from pathlib import Path

from curator.ask import flow as asking
from curator.ask.answer import Answer, AskOptions
from curator.ask.flow import Saved
from curator.finding import Finding
from curator.models.statements import Quote, Statement, Statements
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.wiki.sources.formats import SourceLimits
from support.fakes import ScriptedRespondent
from support.lints import page, plant
from support.wikis import NOW, git

OOLONG = page(
    "oolong",
    "Oolong is partly oxidised. [^tea-1]\n\n## Brewing\n\n- It is brewed with [[water|hot water]]. [^tea-2]\n\n"
    "It tastes of nobody knows what.\n\n"
    '[^tea-1]: sources/tea.txt#L1 "Oolong is partly oxidised."\n'
    '[^tea-2]: sources/tea.txt#L4 "Oolong is brewed with water of 90 degrees."\n',
)
GREEN = page(
    "green-tea",
    "Green tea is not oxidised at all. [^tea-1]\n\n"
    "| Tea | Oxidised | Colour |\n| --- | --- | --- |\n"
    "| Green tea | not at all | pale green [^tea-1] |\n| Black tea | fully oxidised | dark red [^tea-2] |\n\n"
    '[^tea-1]: sources/tea.txt#L2 "Green tea is not oxidised at all."\n'
    '[^tea-2]: sources/tea.txt#L3 "Black tea is fully oxidised."\n',
)
WATER = page("water", 'Water of 90 degrees is hot. [^tea-1]\n\n[^tea-1]: sources/tea.txt#L4 "water of 90 degrees"\n')
TEA = (
    "Oolong is partly oxidised.\nGreen tea is not oxidised at all.\nBlack tea is fully oxidised.\n"
    "Oolong is brewed with water of 90 degrees.\n"
)


def planted(root: Path, *pages: tuple[str, str]) -> None:
    """The pages above, or ``pages``, and the source they cite."""
    (root / "sources" / "tea.txt").write_text(TEA, "utf-8")
    plant(root, *(pages or (OOLONG, GREEN, WATER)), takes_in=False)


def said(*statements: tuple[str, str, str]) -> Statements:
    """Statements of one quote each: the text, the page, its words."""
    return Statements(
        statements=tuple(
            Statement(text=text, quotes=(Quote(page=slug, words=words),)) for text, slug, words in statements
        )
    )


PARTLY = ("Oolong is oxidised in part.", "oolong", "Oolong is partly oxidised.")
FULLY = ("Black tea is oxidised in full.", "green-tea", "Black tea | fully oxidised")


def terms(**changes: object) -> AskOptions:
    return AskOptions(lambda: NOW, lambda: SourceLimits(1_000_000, 1_000_000), **changes)  # type: ignore[arg-type]


def asked(root: Path, model: ScriptedRespondent, text: str = "How is oolong oxidised?", **changes: object) -> Answer:
    with Repository(root) as repository:
        return asking.ask(text, repository, model, terms(**changes))


def saved(
    root: Path, answer: Answer, title: str = "Oxidation of teas", dry_run: bool = False
) -> Saved | tuple[Finding, ...]:
    with Repository(root) as repository:
        return asking.save(answer, title, repository, terms(), dry_run)


def settings(root: Path, **flags: str) -> Settings:
    return Settings(root, {"SOURCE_DATE_EPOCH": str(int(NOW.timestamp()))}, flags)


def head(root: Path) -> str:
    return git(root, "rev-parse", "HEAD")
