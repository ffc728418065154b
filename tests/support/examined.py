"""Wikis for the tests of ``curate doctor``: what it finds in them, and what it makes of them."""

from __future__ import annotations

import os
import time
from pathlib import Path

from curator.checks.diagnosis import Diagnosis
from curator.checks.doctor import examination, git_settings
from curator.checks.doctor.git_settings import Setup
from curator.cli.commands import doctor
from curator.cli.console import Report
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.wiki.sources.formats import SourceLimits
from support.fakes import ScriptedModel
from support.wikis import MORE, NOW, OOLONG, TEA, drop, take_in


def with_two_ingests(root: Path) -> None:
    """Take two sources in, as the built-in curator or a model would."""
    brewing = TEA + "Oolong can be brewed five times from the same leaves.\n"
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
        take_in(drop(root, "brewing.txt", brewing), repository, ScriptedModel((MORE,)))


def diagnoses(root: Path) -> list[Diagnosis]:
    """What is found in the wiki; the machine is left out."""
    with examination.open_wiki(root, NOW, lambda: SourceLimits(20_000_000, 5_000_000)) as (patient, reasons):
        setup = git_settings.judge_settings(patient, Setup(patient.repository.git))
        return [*reasons, *setup, *examination.examine_wiki(patient)]


def codes(root: Path) -> list[str]:
    """The codes of what is found, information too, in order and each once."""
    return list(dict.fromkeys(diagnosis.finding.code for diagnosis in diagnoses(root)))


def the_only(root: Path, code: str) -> Diagnosis:
    """The one thing that is wrong, which has this code."""
    wrong = [diagnosis for diagnosis in diagnoses(root) if diagnosis.finding.severity != "info"]
    assert [diagnosis.finding.code for diagnosis in wrong] == [code]
    return wrong[0]


def run(root: Path, *, repair: bool = False, dry_run: bool = False) -> Report:
    """The whole command."""
    return doctor.run(lambda: Settings(root, {}, {}), root, repair, dry_run, lambda _: None)


def aged(file: Path, seconds: int = 7_200) -> Path:
    """The same file, last written so long ago."""
    then = time.time() - seconds
    os.utime(file, (then, then), follow_symlinks=False)
    return file
