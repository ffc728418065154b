"""What becomes a source, and under which name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.errors import SourceError
from curator.ingest import intake
from curator.ingest.intake import look_at_source
from curator.repository.repository import Repository
from curator.repository.source_files import IncomingSource, files_below
from curator.system.filenames import check_name, printable, safe_name
from curator.wiki.sources.formats import SourceLimits
from curator.wiki.sources.registry import SourceManifest
from support.wikis import drop

MOST = 1_000_000


def look(path: Path, repository: Repository, manifest: SourceManifest | None = None) -> IncomingSource:
    incoming = look_at_source(path, repository, manifest or SourceManifest(), MOST)
    repository.runtime.drop_spool(incoming.spooled)
    return incoming


def refusal(path: Path, repository: Repository) -> SourceError:
    with pytest.raises(SourceError) as caught:
        look_at_source(path, repository, SourceManifest(), MOST)
    assert caught.value.hint
    return caught.value


def write(file: Path, text: str = "Tea is a drink.\n") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


@pytest.mark.parametrize("name", ["README", "LICENSE", "NOTICE"])
def test_a_file_without_a_suffix_is_text(root: Path, repository: Repository, name: str) -> None:
    inside = look(write(root / "sources" / name), repository)
    elsewhere = look(write(root.parent / "elsewhere" / name, "Other words.\n"), repository)

    assert (inside.path, inside.format) == (f"sources/{name}", "text")
    assert elsewhere.path == f"sources/{name}-2"


def test_a_file_without_a_suffix_that_is_no_text_is_refused_in_one_line(root: Path, repository: Repository) -> None:
    file = root / "sources" / "tool"
    file.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(200))
    incoming = look_at_source(file, repository, SourceManifest(), MOST)

    with pytest.raises(SourceError) as caught:
        intake.read_source(incoming, "secondary", SourceLimits(MOST, MOST))

    assert caught.value.code == "source_not_text"
    assert "\n" not in caught.value.message


def test_a_hidden_file_is_no_text_because_it_has_no_suffix(root: Path, repository: Repository) -> None:
    assert refusal(write(root.parent / "elsewhere" / ".env"), repository).code == "format_unknown"


# -- which files --------------------------------------------------------------------------------------------------


def test_a_folder_gives_its_files_in_order_without_hidden_and_temporary_ones(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    for name in ("b.md", "a/z.md", "a/b/c.md", ".hidden.md", ".git/config", "c.md~", "#d.md#", "e.md.part", "~$f.md"):
        write(folder / name)

    assert list(files_below([folder], root)) == [folder / "b.md", folder / "a" / "z.md", folder / "a" / "b" / "c.md"]


def test_a_link_to_a_folder_is_neither_followed_nor_passed_over_in_silence(root: Path, tmp_path: Path) -> None:
    write(tmp_path / "notes" / "a.md")
    (tmp_path / "notes" / "up").symlink_to("..")

    assert list(files_below([tmp_path / "notes"], root)) == [tmp_path / "notes" / "a.md", tmp_path / "notes" / "up"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may list everything")
def test_a_folder_that_cannot_be_listed_is_not_passed_over_in_silence(root: Path, tmp_path: Path) -> None:
    (tmp_path / "notes" / "secret").mkdir(parents=True, mode=0)

    assert list(files_below([tmp_path / "notes"], root)) == [tmp_path / "notes" / "secret"]


@pytest.mark.parametrize("name", [".", "..", "concepts", ".git", "sources/.."])
def test_a_folder_of_the_wiki_is_refused_as_one_thing(root: Path, repository: Repository, name: str) -> None:
    folder = root / name

    assert list(files_below([folder], root)) == [folder]
    assert refusal(folder, repository).code == "source_inside_wiki"


def test_the_folder_of_the_sources_is_walked_through(root: Path) -> None:
    file = drop(root, "deep/tea.md")

    assert list(files_below([root / "sources"], root)) == [file]


def test_a_path_that_no_system_takes_is_handed_on(root: Path) -> None:
    path = Path("x" * 5000)

    assert list(files_below([path], root)) == [path]


# -- their place --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tea.md", "deep/er/tea.txt", "Tée (2nd).rst", "茶.html", "a b.org", "TEA.MD"])
def test_a_file_in_sources_keeps_its_name(root: Path, repository: Repository, name: str) -> None:
    incoming = look(drop(root, name), repository)

    assert incoming.path == f"sources/{name}"
    assert incoming.copied_from is None


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("te\na.md", "cannot be printed"),
        ("te\x1b[31ma.md", "cannot be printed"),
        ("te\u202ea.md", "cannot be printed"),
        ("te\udcffa.md", "cannot be printed"),
        ('te"a.md', "has one of"),
        ("te\\a.md", "has one of"),
        ("tea.md.part.md~", "temporary"),
        (".tea.md", "hidden"),
        (".git/tea.md", "hidden"),
        ("GIT~1/tea.md", "git keeps for itself"),
        ("CON.md", "Windows cannot have"),
        ("tea /nul/x.txt", "Windows cannot have"),
        ("t" * 200 + ".md", "longer than 200 bytes"),
    ],
)
def test_a_name_in_sources_that_would_break_links_is_left_to_its_owner(
    root: Path, repository: Repository, name: str, reason: str
) -> None:
    error = refusal(drop(root, name), repository)

    assert error.code == "source_name"
    assert reason in error.message
    assert error.message.isprintable()


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("tea.md", "tea.md"),
        ("TEA.MD", "TEA.md"),
        ("a\\b:c.md", "a-b-c.md"),
        ("ma%t#cha?.md", "ma-t-cha.md"),
        ("te\na\x1b\udcff.md", "te-a.md"),
        ("...md", "source.md"),
        (".syncthing.tea.md", "source-syncthing.tea.md"),
        (" tea .md", "tea.md"),
        ("CON.md", "source-CON.md"),
        ("lpt1.tea.txt", "source-lpt1.tea.txt"),
        ("Cafe\u0301.txt", "Café.txt"),
        ("t" * 300 + ".md", "t" * 120 + ".md"),
        ("茶" * 100 + ".md", "茶" * 40 + ".md"),
    ],
)
def test_a_file_from_elsewhere_gets_a_safe_name(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@given(st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=80))
def test_every_safe_name_is_one_that_sources_may_have(stem: str) -> None:
    name = safe_name(f"{stem}.md")

    check_name(f"sources/{name}")
    assert name.endswith(".md")
    assert safe_name(name) == name


@given(st.text(st.characters(exclude_categories=[])))
def test_whatever_is_shown_can_be_printed(name: str) -> None:
    assert printable(name).isprintable()
    printable(name).encode("utf-8")


def test_bytes_that_are_no_text_are_shown_as_they_are(tmp_path: Path) -> None:
    assert printable("a\n\udcff\u202e\U000e0001") == "a\\x0a\\xff\\u202e\\U000e0001"


def test_another_file_of_the_same_name_is_not_written_over(root: Path, repository: Repository, tmp_path: Path) -> None:
    drop(root, "tea.md", "mine")
    os.mkfifo(root / "sources" / "tea-2.md")
    (root / "sources" / "tea-3.md").mkdir()
    (root / "sources" / "tea-4.md").symlink_to("nowhere")

    incoming = look(write(tmp_path / "tea.md"), repository)

    assert incoming.path == "sources/tea-5.md"


def test_the_same_bytes_under_the_same_name_are_the_same_source(
    root: Path, repository: Repository, tmp_path: Path
) -> None:
    drop(root, "tea.md", "Tea is a drink.\n")

    assert look(write(tmp_path / "tea.md"), repository).path == "sources/tea.md"


def test_a_file_that_was_taken_in_and_deleted_has_its_old_place(
    root: Path, repository: Repository, tmp_path: Path
) -> None:
    file = write(tmp_path / "tea.md")
    known = SourceManifest().with_source("sources/tea-2.md", look(file, repository).spooled.digest, [])
    drop(root, "tea.md", "another")

    assert look(file, repository, known).path == "sources/tea-2.md"


# -- what cannot be a source --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["KNOWLEDGE.md", "_index.md", "concepts/tea.md", ".git/config", "sources/../_log.md"])
def test_a_file_of_the_wiki_is_no_source(root: Path, repository: Repository, name: str) -> None:
    if not (root / name).exists():
        write(root / name)

    assert refusal(root / name, repository).code == "source_inside_wiki"


@pytest.mark.parametrize("name", ["paper.md", "README.md", "papers/paper.md", "sources/../paper.md", "sourcesfile.md"])
def test_a_file_put_among_those_of_the_wiki_is_copied_like_any_other(
    root: Path, repository: Repository, name: str
) -> None:
    file = write(root / name)
    incoming = look(file, repository)

    assert (incoming.path, incoming.copied_from) == (f"sources/{file.name}", file)


@pytest.mark.parametrize("name", ["tea.md", "deep/tea.md"])
def test_a_page_is_no_source_wherever_it_lies(root: Path, repository: Repository, name: str) -> None:
    page = write(root / name, "---\nschema: knowledge.entry/v1\ntitle: Tea\n---\n\nTea.\n")

    assert refusal(page, repository).code == "source_inside_wiki"


def test_a_file_that_is_not_there_is_not_said_to_be_the_wikis(root: Path, repository: Repository) -> None:
    drop(root, "tea.md")

    error = refusal(root / "tea.md", repository)

    assert error.code == "source_unreadable"
    assert error.hint.endswith("sources/tea.md'?")


def test_an_unknown_suffix_is_refused_with_those_that_are_known(root: Path, repository: Repository) -> None:
    error = refusal(drop(root, "tea.xyz"), repository)

    assert error.code == "format_unknown"
    assert " .pdf " in error.hint


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("tea.md.exe", "program"),
        ("tea.PNG", "picture"),
        ("tea.mp3", "transcript"),
        ("tea.zip", "unpack"),
        ("tea.doc", "DOCX"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_would_help(
    root: Path, repository: Repository, name: str, wanted: str
) -> None:
    assert wanted in refusal(drop(root, name), repository).hint


def test_a_link_in_sources_is_not_followed(root: Path, repository: Repository) -> None:
    (root / "sources" / "tea.md").symlink_to("../KNOWLEDGE.md")

    assert refusal(root / "sources" / "tea.md", repository).code == "source_not_a_file"


@pytest.mark.parametrize("content", [b" \n\t\n", b"\xef\xbb\xbf", b"PK\x03\x04\xff\xfe\x00\x01" * 100])
def test_what_holds_no_text_is_refused_and_not_copied(
    root: Path, repository: Repository, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "tea.md").write_bytes(content)
    incoming = look_at_source(tmp_path / "tea.md", repository, SourceManifest(), MOST)

    with pytest.raises(SourceError):
        intake.read_source(incoming, "secondary", SourceLimits(MOST, MOST))

    assert [path.name for path in (root / "sources").iterdir()] == [".gitkeep"]


# -- copying ------------------------------------------------------------------------------------------------------


def copy(file: Path, repository: Repository) -> IncomingSource:
    incoming = look_at_source(file, repository, SourceManifest(), MOST)
    intake.copy_in(incoming, repository)
    return incoming


def test_a_copy_has_the_bytes_and_leaves_nothing_else(root: Path, repository: Repository, tmp_path: Path) -> None:
    copy(write(tmp_path / "tea.md"), repository)

    assert (root / "sources" / "tea.md").read_text() == "Tea is a drink.\n"
    assert sorted(path.name for path in (root / "sources").iterdir()) == [".gitkeep", "tea.md"]


def test_another_file_that_appears_meanwhile_is_not_written_over(
    root: Path, repository: Repository, tmp_path: Path
) -> None:
    incoming = look_at_source(write(tmp_path / "tea.md"), repository, SourceManifest(), MOST)
    drop(root, "tea.md", "mine")

    with pytest.raises(SourceError) as caught:
        intake.copy_in(incoming, repository)

    assert caught.value.code == "source_in_the_way"
    assert (root / "sources" / "tea.md").read_text() == "mine"
    assert sorted(path.name for path in (root / "sources").iterdir()) == [".gitkeep", "tea.md"]


def test_the_same_bytes_that_appear_meanwhile_are_no_trouble(
    root: Path, repository: Repository, tmp_path: Path
) -> None:
    incoming = look_at_source(write(tmp_path / "tea.md"), repository, SourceManifest(), MOST)
    drop(root, "tea.md", "Tea is a drink.\n")

    intake.copy_in(incoming, repository)


def test_nothing_is_copied_through_a_link(root: Path, repository: Repository, tmp_path: Path) -> None:
    (root / "sources" / ".gitkeep").unlink()
    (root / "sources").rmdir()
    (tmp_path / "elsewhere").mkdir()
    (root / "sources").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(SourceError, match="no real folder"):
        copy(write(tmp_path / "tea.md"), repository)

    assert list((tmp_path / "elsewhere").iterdir()) == []
