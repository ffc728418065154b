"""What a word means in a source: told by what the page says of its name, by the words beside it, and by the source."""

from __future__ import annotations

import pytest

from curator.wiki.autolink import link_first_mentions
from curator.wiki.naming.fields import SourceField
from curator.wiki.pages.page import Page
from curator.wiki.senses import Senses
from support.pages import page, wiki

NOTES = '\n\n[^{0}-1]: sources/{0}.txt#L1 "It is so."\n'


def known(slug: str, body: str, source: str = "spec", kind: str = "concept", **fields: object) -> Page:
    return page(slug, body + NOTES.format(source), kind, **fields)


WIKI = wiki(
    known("project", "A project is a software component, such as a buoy plan. [^spec-1]"),
    known("buoy-plan", "A buoy plan says where buoys lie. [^spec-1]"),
    known("versions", "The key `versions` lists all versions of a file. [^spec-1]", title="versions"),
    known("cast", "`cast` changes a type. A cast costs nothing. [^spec-1]"),
    known("distribution", "A distribution is a file. [^spec-1]"),
    known("lock-file", "A lock file lists files. [^spec-1]"),
    known("installer", "An installer reads a [[lock-file|lock file]]. [^spec-1]"),
    known("vacuum", "VACUUM frees rows. [^postgres-1]", "postgres", title="VACUUM", kind="entity"),
    known("drop", "DROP takes a table away. [^postgres-1]", "postgres", title="DROP", kind="entity"),
    known("advisory-lock", "An advisory lock is a lock by agreement. [^postgres-1]", "postgres"),
    page(
        "postgres",
        "In PostgreSQL it is so. With PostgreSQL it works, by PostgreSQL itself.",
        kind="summary",
        title="Rows of PostgreSQL",
    ),
    page(
        "postgresql",
        "A database.",
        kind="entity",
        title="PostgreSQL",
        sources=["sources/postgres.txt", "sources/more.txt"],
    ),
    page("sqlite", "A database.", kind="entity", title="SQLite", sources=["sources/sqlite.txt", "sources/faq.txt"]),
    known("rowid", "A ROWID is a number. [^spec-1]", title="ROWID", kind="entity"),
    known("setup-py", "A script. [^spec-1]", title="setup.py", kind="entity"),
    known("build-editable", "A hook. [^spec-1]", title="build_editable"),
    known("dynamic", "`dynamic` is a list of names. [^spec-1]", title="dynamic"),
    known(
        "java",
        "Java is an island of Indonesia with forty volcanoes, or a java of them. [^atlas-1]",
        "atlas",
        kind="entity",
        aliases=["Yava"],
    ),
    known(
        "java-language",
        "Java is a programming language. Java runs on a machine called the JVM. [^words-1]",
        "words",
        kind="entity",
        title="Java (language)",
    ),
    known(
        "capability",
        "A capability is a privilege of the Linux kernel that a process may hold or drop. [^linux-1]",
        "linux",
    ),
    known("final", "Final is a qualifier that forbids reassignment. [^spec-1]", title="Final", kind="entity"),
    page("reef-note", "A note.", kind="summary", title="Reef note"),
)
SQLITE = "The engine SQLite is small. " * 8 + "The SQL statement DROP is known, so is VACUUM; advisory locks are."
POSTGRES = SQLITE.replace("SQLite", "PostgreSQL")


def linked(text: str, path: str = "sources/other.txt", source: str = "", on: str = "reef-note") -> str:
    return link_first_mentions(text, WIKI, set(), (), Senses(WIKI, SourceField(source or text, path), WIKI.page(on)))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Some projects use it.", "Some projects use it."),
        ("It is in version 1.2, and versions grow.", "It is in version 1.2, and versions grow."),
        ("An overlay distribution lies on top.", "An overlay distribution lies on top."),
        ("It builds distributions.", "It builds [[distribution|distributions]]."),
        ("Some tools package distributions.", "Some tools package [[distribution|distributions]]."),
        ("They specify distributions.", "They specify [[distribution|distributions]]."),
        ("A file distribution, a built distribution.", "A file distribution, a built [[distribution]]."),
        ("Each has a ROWID, but not WITHOUT ROWID.", "Each has a [[rowid|ROWID]], but not WITHOUT ROWID."),
        ("A table WITHOUT ROWID or ROWID KEY.", "A table WITHOUT ROWID or ROWID KEY."),
        ("Il y a une distribution dans le port.", "Il y a une [[distribution]] dans le port."),
        ("Source distributions are files.", "Source distributions are files."),
        ("The status of the plan is Final.", "The status of the plan is Final."),
        ("The qualifier of the plan is Final.", "The qualifier of the plan is [[final|Final]]."),
        ("It knows Final.", "It knows [[final|Final]]."),
        ("A cast is free.", "A [[cast]] is free."),
        ("The installer writes no lock.", "The installer writes no lock."),
        ("The installer reads lock files; a lock file is text.",
         "The [[installer]] reads [[lock-file|lock files]]; a lock file is text."),
        ("The package installer reads lock files; a lock file is text.",
         "The package installer reads [[lock-file|lock files]]; a lock file is text."),
    ],
)  # fmt: skip
def test_a_common_noun_is_linked_where_its_thing_is_meant(text: str, wanted: str) -> None:
    assert linked(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The installer is quick.", "The [[installer]] is quick."),
        ("The key `dynamic` is a list.", "The key [[dynamic|`dynamic`]] is a list."),
        ("It is dynamic.", "It is dynamic."),
    ],
)
def test_the_source_of_the_page_means_its_thing(text: str, wanted: str) -> None:
    assert linked(text, "sources/spec.txt") == wanted


def test_an_everyday_word_is_linked_on_the_page_of_what_its_own_page_names() -> None:
    assert linked("It is a project.", on="buoy-plan") == "It is a [[project]]."


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Write `setup.py` or `build_editable`.", "Write [[setup-py|`setup.py`]] or [[build-editable|`build_editable`]]."),
        ("| a |\n|---|\n| `setup.py` |", "| a |\n|---|\n| [[setup-py\\|`setup.py`]] |"),
        ("Write `setup.py x`, `Setup.py`, ``setup.py`` or `dynamic`.",
         "Write `setup.py x`, `Setup.py`, ``setup.py`` or `dynamic`."),
        ("Write `setup.py`, see [`setup.py`](https://example.org).",
         "Write [[setup-py|`setup.py`]], see [`setup.py`](https://example.org)."),
    ],
)  # fmt: skip
def test_code_that_is_a_title_to_the_letter_is_linked(text: str, wanted: str) -> None:
    assert linked(text) == wanted


@pytest.mark.parametrize(
    ("source", "path", "wanted"),
    [
        ("The engine SQLit is small. " * 8, "sources/sqlit.txt",
         "Then DROP, then [[vacuum|`VACUUM`]]; by [[advisory-lock|advisory locks]]."),
        (SQLITE, "sources/sqlite.txt", "Then DROP, then `VACUUM`; by advisory locks."),
        (POSTGRES, "sources/other.txt",
         "Then DROP, then [[vacuum|`VACUUM`]]; by [[advisory-lock|advisory locks]]."),
        (POSTGRES, "sources/postgres.txt",
         "Then [[drop|DROP]], then [[vacuum|`VACUUM`]]; by [[advisory-lock|advisory locks]]."),
    ],
)  # fmt: skip
def test_a_document_of_another_system_means_something_else(source: str, path: str, wanted: str) -> None:
    assert linked("Then DROP, then `VACUUM`; by advisory locks.", path, source) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The script was compiled for the JVM in Java.", "The script was compiled for the JVM in [[java-language|Java]]."),
        ("It was compiled for the JVM on Yava.", "It was compiled for the JVM on [[java|Yava]]."),
        ("It was in Java. A volcano of it smokes.", "It was in [[java|Java]]. A volcano of it smokes."),
        ("It came from Java.", "It came from Java."),
        ("It is for the JVM. The java bit nobody.", "It is for the JVM. The [[java]] bit nobody."),
        ("The machines came to Java by the volcano.", "The machines came to Java by the volcano."),
    ],
)  # fmt: skip
def test_of_two_things_of_a_name_the_one_is_linked_whose_words_are_said(text: str, wanted: str) -> None:
    assert linked(text) == wanted


@pytest.mark.parametrize(("path", "wanted"), [("atlas", "java|Java"), ("words", "java-language|Java")])
def test_a_source_means_the_thing_whose_page_cites_it(path: str, wanted: str) -> None:
    assert linked("It came from Java.", f"sources/{path}.txt") == f"It came from [[{wanted}]]."


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("a virtual name that a Fennel package provides to other packages", "A package requires a capability"),
        ("a privilege that packages ask of the kernel", "A package requires a [[capability]]"),
    ],
)
def test_a_name_that_the_source_gives_to_another_thing_is_not_linked(kind: str, wanted: str) -> None:
    source = f"Fennel is small. A capability is {kind}. A package requires a capability."
    assert linked("A package requires a capability.", source=source) == f"{wanted}."
