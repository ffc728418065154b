"""Every rule of the maintenance pass: a planted fault is found with file, line and code; a sound wiki has none."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from unittest.mock import Mock

import pytest

from curator.checks.lint import generated, maintenance, report_key
from curator.checks.lint.facts import schema
from curator.cli.commands import init
from curator.finding import Finding
from curator.repository.repository import Repository
from curator.wiki import index
from support.lints import TEA_TEXT, commit, examined, found, page, plant, taken_in, the_only, wrong
from support.places import SAMPLE
from support.planted import SOURCE
from support.wikis import drop, git

UNTAKEN = ("source_unregistered",)
"""The source of planted pages lies in ``sources/``, and no ingest took it in."""


# -- no false alarm ------------------------------------------------------------------------------------------------


def test_a_new_wiki_has_no_fault(root: Path) -> None:
    assert examined(root).findings == ()


def test_the_sample_wiki_has_no_fault(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "wiki")
    git(tmp_path / "wiki", "init", "-q", "-b", "main")
    commit(tmp_path / "wiki")

    result = examined(tmp_path / "wiki")

    assert [(finding.code, finding.severity) for finding in result.findings] == [("source_unregistered", "info")]


def test_a_wiki_of_a_model_has_no_fault(root: Path) -> None:
    taken_in(root)

    assert wrong(examined(root)) == []


def test_planted_pages_are_sound(root: Path) -> None:
    plant(root, page("oolong"), page("green-tea"))

    assert wrong(examined(root), but=UNTAKEN) == []


def test_a_second_look_finds_the_same(root: Path) -> None:
    plant(root, page("oolong", "It leads [[nowhere]]. [^tea-1]"), page("assam", "Nothing is cited."))

    first, second = examined(root), examined(root)

    assert first.findings == second.findings != ()
    assert (first.looked_at, second.looked_at) == (3, 0)


def test_a_look_at_a_changed_page_is_a_look_at_that_page(root: Path) -> None:
    plant(root, page("oolong"), page("assam", "Nothing is cited."))
    examined(root)

    path, text = page("assam")
    (root / path).write_text(text, "utf-8")
    commit(root)
    result = examined(root)

    assert result.looked_at == 1
    assert wrong(result, but=(*UNTAKEN, "index_stale")) == []


def test_what_was_found_on_a_page_goes_with_it(root: Path) -> None:
    plant(root, page("oolong"), page("assam", "Nothing is cited."))
    assert found(root, "claim_uncited")

    (root / "concepts" / "assam.md").unlink()
    commit(root)

    assert not found(root, "claim_uncited")


# -- the four MUST rules -------------------------------------------------------------------------------------------


def test_a_broken_link_is_found_with_its_line(root: Path) -> None:
    plant(root, page("oolong", "It is tea.\n\nIt leads to [[nowhere]] and [there](../entities/gone.md). [^tea-1]"))

    one, two = found(root, "link_broken")

    assert {one.message, two.message} == {
        "links to a missing page: nowhere",
        "links to a missing page: entities/gone.md",
    }
    assert (one.path, one.line, one.severity) == ("concepts/oolong.md", 15, "error")


def test_links_to_aliases_titles_paths_and_files_are_whole(root: Path) -> None:
    body = "[[Green teas]], [[verde]], [it](green-tea.md), [[concepts/green-tea]], ![[leaf.png]], [[AGENTS]]. [^tea-1]"
    (root / "leaf.png").write_bytes(b"\x89PNG")
    plant(root, page("green-tea", aliases="[Verde]"), page("oolong", body))

    assert not found(root, "link_broken")


def test_a_link_to_a_file_is_as_whole_as_the_file_is_there(root: Path) -> None:
    plant(root, page("oolong", "It is ![[leaf.png]]. [^tea-1]"))
    assert found(root, "link_broken")

    (root / "leaf.png").write_bytes(b"\x89PNG")
    commit(root)
    assert not found(root, "link_broken")

    (root / "leaf.png").unlink()
    commit(root)
    assert found(root, "link_broken")


def test_an_orphan_is_a_page_that_neither_the_index_nor_a_page_leads_to(root: Path) -> None:
    plant(root, page("oolong"))
    path, text = page("lonely")
    (root / path).write_text(text, "utf-8")
    commit(root)

    orphan = the_only(root, "entry_orphan")

    assert (orphan.path, orphan.line, orphan.severity) == ("concepts/lonely.md", 1, "warn")


def test_a_page_that_only_the_index_leads_to_is_told_of(root: Path) -> None:
    plant(root, page("oolong"), page("home", "See also: [[oolong]] [[home]]"))

    alone = the_only(root, "entry_unlinked")

    assert (alone.path, alone.severity) == ("concepts/home.md", "info")
    assert not found(root, "entry_orphan")


@pytest.mark.parametrize(
    ("body", "is_empty"),
    [("", True), ("## More\n", True), ("| A | B |\n|---|---|\n| 1 | 2 |\n", False), ("```\ncode\n```\n", False)],
)
def test_only_a_page_that_says_nothing_is_told_how_to_be_taken_out(root: Path, body: str, is_empty: bool) -> None:
    plant(root, page("oolong"), page("home", "See also: [[oolong]]."), page("bare", body))

    (told,) = (each for each in found(root, "entry_unlinked") if each.path == "concepts/bare.md")

    assert ("curate remove bare" in told.hint, "as [[bare]]" in told.hint) == (is_empty, not is_empty)


def test_after_any_change_the_pages_that_nothing_links_to_are_those_that_are_found_anew(root: Path) -> None:
    plant(root, page("home", "See [[a]]."), page("a"), page("b"), page("c"), page("d", aliases="[Delta]"))
    changes: list[tuple[str, str | None, str]] = [
        *((*page("home", "See [[b]]."), "acd"), (*page("home", "See [[Delta]] and itself: [[home]]."), "abc")),
        (*page("d"), "abcd"),  # its alias goes
        (*page("c", aliases="[Delta]"), "abd"),  # to another page
        (*page("home", "See [[concepts/b]] and [d](d.md)."), "ac"),
        (*page("home", "See nothing."), "abcd"),
        (*page("e", "See [[a]] and [[E]]."), "bcde"),
        ("concepts/e.md", None, "abcd"),
        ("concepts/a.md", None, "bcd"),
    ]
    for path, text, unlinked in changes:
        (root / path).unlink() if text is None else (root / path).write_text(text, "utf-8")
        commit(root)

        told = [*found_as_anew(root, "entry_unlinked"), *found_as_anew(root, "entry_orphan")]

        slugs = {each.path.removeprefix("concepts/").removesuffix(".md") for each in told}
        assert slugs - {"home"} == {*unlinked}, path


def test_a_page_that_the_head_of_another_leads_to_is_no_orphan(root: Path) -> None:
    plant(root, page("oolong", links="[lonely]"), page("assam"))
    path, text = page("lonely", links="[lonely]")
    (root / path).write_text(text, "utf-8")
    commit(root)

    assert not found(root, "entry_orphan")
    assert "concepts/lonely.md" not in {told.path for told in found(root, "entry_unlinked")}

    (root / "concepts" / "oolong.md").write_text(page("oolong")[1], "utf-8")
    commit(root)

    assert the_only(root, "entry_orphan").path == "concepts/lonely.md"


def test_a_link_of_a_head_that_leads_to_no_page_is_broken(root: Path) -> None:
    links = "\n- assam\n- not-gone\n- gone\n- https://example.org/"
    plant(root, page("oolong", "See [[gone]]. [^tea-1]", links=links), page("assam"), page("not-gone"))

    broken = the_only(root, "link_broken")

    line = (root / "concepts" / "oolong.md").read_text("utf-8").split("\n").index("- gone") + 1
    assert (broken.path, broken.line, broken.severity) == ("concepts/oolong.md", line, "error")
    assert broken.message == "links to a missing page: gone"


def test_an_unresolved_contradiction_is_found_on_both_sides(root: Path) -> None:
    plant(root, page("oolong", contradicts="[assam]"), page("assam", contradicts="[oolong]"))

    faults = found(root, "contradiction_unresolved")

    assert [(fault.path, fault.line) for fault in faults] == [("concepts/assam.md", 9), ("concepts/oolong.md", 9)]
    assert not found(root, "contradiction_one_sided")


# -- what pages say of each other ----------------------------------------------------------------------------------


def test_a_contradiction_that_one_page_alone_knows_of(root: Path) -> None:
    plant(root, page("oolong", contradicts="[assam]"), page("assam"))

    fault = the_only(root, "contradiction_one_sided")

    assert (fault.path, fault.line) == ("concepts/oolong.md", 9)


def test_relations_to_no_page_and_to_itself(root: Path) -> None:
    plant(root, page("oolong", supersedes="[gone]", contradicts="[oolong]"))

    assert the_only(root, "relation_broken").message == "supersedes: there is no page 'gone'"
    assert the_only(root, "relation_to_self").line == 10


def test_a_superseded_page_that_is_linked_as_current(root: Path) -> None:
    plant(
        root,
        page("oolong", supersedes="[old-oolong]"),
        page("old-oolong"),
        page("assam", "It is unlike [[old-oolong]]. [^tea-1]"),
        page("home", "See also: [[oolong]] [[assam]]"),
    )

    fault = the_only(root, "link_superseded")

    assert (fault.path, fault.line) == ("concepts/assam.md", 13)
    assert "[[oolong]] says that it supersedes it" in fault.message


def test_equal_names_and_slugs(root: Path) -> None:
    plant(
        root,
        page("oolong", title="Oolong tea"),
        page("wulong", title="Wulong", aliases="[oolong teas]"),
        page("oolong", kind="entity", title="Another"),
    )

    assert the_only(root, "slug_taken").path == "entities/oolong.md"
    taken = the_only(root, "name_taken")
    assert (taken.path, taken.line) == ("concepts/wulong.md", 9)


def test_names_that_capitals_tell_apart_are_two(root: Path) -> None:
    code = page("final", "The decorator `@final` forbids subclasses. [^tea-1]", title="final")
    plant(root, page("final-2", "`Final` marks a constant. [^tea-1]", title="Final"), code)
    assert not list(found(root, "name_taken"))

    plant(
        root, page("brew", "To brew is to steep. [^tea-1]"), page("brew-2", "A Brew is a drink. [^tea-1]", title="Brew")
    )
    assert "brew" in the_only(root, "name_taken").message.lower()


def test_titles_that_are_nearly_one(root: Path) -> None:
    plant(root, page("tea-pot", title="Tea pot"), page("teapot"), page("cup-tea", title="Cup tea"), page("tea-cup"))

    assert {fault.path for fault in found(root, "name_alike")} == {"concepts/teapot.md", "concepts/tea-cup.md"}


def test_titles_that_differ_by_an_ending_or_by_what_kind_of_thing_it_is(root: Path) -> None:
    plant(
        root,
        page("raft"),
        page("raft-protocol"),
        page("write-ahead-log"),
        page("write-ahead-logging"),
        page("iso-8601", kind="entity", title="ISO-8601"),
        page("iso8601-1", kind="summary", title="'ISO 8601: Date and time format'"),
        page("iso8601-2", kind="summary", title="'ISO 8601: Intervals'"),
        # none of these is one thing with another
        page("type"),
        page("typing"),
        page("text-mode"),
        page("text-format"),
        page("json"),
        page("json-format", title="JSON (format)"),
        page("oolong", kind="summary"),
        page("oolong-tea", kind="entity", title="Oolong"),
    )

    alike = {(fault.path, fault.other) for fault in found(root, "name_alike")}

    assert alike == {
        ("concepts/raft.md", "concepts/raft-protocol.md"),
        ("concepts/write-ahead-logging.md", "concepts/write-ahead-log.md"),
        ("entities/iso-8601.md", "summaries/iso8601-1.md"),
    }


def test_pages_that_say_mostly_the_same(root: Path) -> None:
    said = [f"Oolong is partly oxidised in step {number} of its making. [^tea-1]" for number in range(5)]
    plant(root, page("oolong", "\n\n".join(said)), page("wulong", "\n\n".join([*said[:4], "It is a drink. [^tea-1]"])))

    twin = the_only(root, "page_duplicate")

    assert (twin.path, twin.severity) == ("concepts/wulong.md", "warn")
    assert "concepts/oolong.md" in twin.message


def test_after_any_change_the_pages_that_say_the_same_are_those_that_are_found_anew(root: Path) -> None:
    def of(slug: str, *steps: int, kind: str = "concept") -> tuple[str, str]:
        said = (f"Oolong is partly oxidised in step {step} of its making. [^tea-1]" for step in steps)
        return page(slug, "\n\n".join(said), kind)

    plant(root, of("b", 1, 2, 3), of("c", 1, 2, 3), of("d", 1, 2, 3, 4), of("e", 7, 8))
    changes: list[tuple[str, str | None]] = [
        of("a", 1, 2, 3),  # comes before the first of three
        of("a", 7, 8),  # and goes to another one
        of("c", 1, 2, 9),  # says less of the same
        of("f", 3, 4, kind="entity"),  # another kind
        ("concepts/b.md", None),
        ("concepts/a.md", None),
    ]
    counts = []
    for path, text in changes:
        (root / path).unlink() if text is None else (root / path).write_text(text, "utf-8")
        commit(root)

        counts.append(len(found_as_anew(root, "page_duplicate")))
    assert counts == [3, 3, 2, 2, 1, 0]


def found_as_anew(root: Path, code: str) -> list[Finding]:
    """What is found of one code; without what is kept it is the same."""
    kept, aside, folder = found(root, code), root.parent / "aside", root / ".git" / "curator"
    aside.mkdir(exist_ok=True)
    for file in folder.glob("facts-*"):
        file.replace(aside / file.name)
    assert kept == found(root, code)
    for file in aside.iterdir():
        file.replace(folder / file.name)
    return kept


def test_a_term_that_three_pages_ask_for_has_no_page(root: Path) -> None:
    plant(
        root,
        page("oolong", "It is made by **withering**. [^tea-1]"),
        page("assam", "It is made by **Withering**: drying. [^tea-1]"),
        page("green-tea", "It is made without [[withering]]. [^tea-1]"),
        page("white-tea", "It is made by **care**. [^tea-1]"),
    )

    wanted = the_only(root, "page_missing")

    assert (wanted.path, wanted.line, wanted.severity) == ("concepts/assam.md", 13, "info")
    assert "3 pages" in wanted.message and "concepts/green-tea.md:13" in wanted.message


# -- a page by itself ----------------------------------------------------------------------------------------------


def test_a_page_that_was_renamed_by_git_alone_has_a_slug_of_no_file(root: Path) -> None:
    plant(root, page("oolong"))
    git(root, "mv", "concepts/oolong.md", "concepts/green-tea.md")
    commit(root)

    fault = the_only(root, "entry_invalid")

    assert (fault.path, fault.line, fault.severity) == ("concepts/green-tea.md", 3, "error")
    assert "curate rename oolong green-tea" in fault.hint


def test_uncited_claims_are_told_with_their_lines(root: Path) -> None:
    plant(root, page("oolong", "It is tea. [^tea-1]\n\nIt is good.\n\n- It is dear.\n- [[home]]"))

    fault = the_only(root, "claim_uncited")

    assert (fault.path, fault.line, fault.severity) == ("concepts/oolong.md", 15, "warn")
    assert fault.message == "no source is cited for: 'It is good.'; nor in line 17"


def test_uncited_rows_and_nested_items_are_claims_too(root: Path) -> None:
    plant(root, page("oolong", "| a | b |\n|---|---|\n| c | d |\n\n- said [^tea-1]\n  - unsaid"))

    fault = the_only(root, "claim_uncited")

    assert fault.line == 15
    assert fault.message.endswith("nor in line 18")


def test_where_grounding_is_not_required_uncited_claims_matter_less(root: Path) -> None:
    plant(root, page("oolong", "It is good."))
    file = root / "KNOWLEDGE.md"
    text = file.read_text("utf-8")

    file.write_text(text.replace("grounding: required", "grounding: recommended"), "utf-8")
    commit(root)
    assert the_only(root, "claim_uncited").severity == "info"

    file.write_text(text.replace("grounding: required", "grounding: none"), "utf-8")
    commit(root)
    assert not found(root, "claim_uncited")


def test_a_link_into_the_sources(root: Path) -> None:
    plant(
        root, page("oolong", "As [it](../sources/tea.txt) says. [^tea-1]\n\nThe word sources alone is none. [^tea-1]")
    )

    link = the_only(root, "link_inline_to_source")

    assert (link.path, link.line) == ("concepts/oolong.md", 13)
    assert not found(root, "link_broken")


def test_footnotes_that_are_undefined_unused_or_no_citation(root: Path) -> None:
    body = (
        'It is tea. [^tea-1] [^tea-9]\n\n[^tea-1]: sources/tea.txt#L1 "Oolong is partly oxidised."\n'
        "[^tea-2]: a remark\n[^tea-3]: sources/tea.txt somewhere"
    )
    plant(root, page("oolong", body))

    assert the_only(root, "citation_undefined").line == 13
    assert [fault.line for fault in found(root, "note_unused")] == [16, 17]
    assert the_only(root, "note_invalid").line == 17


def test_a_line_typed_right_below_a_footnote_is_named(root: Path) -> None:
    """Where an editor's cursor stands at the end of a page: markdown reads the line as the footnote's."""
    body = 'It is tea. [^tea-1]\n\n[^tea-1]: sources/tea.txt#L1 "Oolong is partly oxidised."\nMy own thought.'
    plant(root, page("oolong", body))

    finding = the_only(root, "note_invalid")

    assert finding.message == "'My own thought.' stands right below [^tea-1] and is read as part of that footnote"
    assert finding.hint == "leave an empty line between them"


def test_a_page_lists_what_it_cites(root: Path) -> None:
    drop(root, "more.txt", TEA_TEXT)
    plant(root, page("oolong", sources="[sources/more.txt]"))

    assert the_only(root, "source_unlisted").message == f"it cites {SOURCE}, which is not among its sources"


def test_a_page_whose_head_cannot_be_read(root: Path) -> None:
    plant(root, page("oolong", title="[unclosed"))

    fault = the_only(root, "frontmatter_unreadable")

    assert (fault.path, fault.severity) == ("concepts/oolong.md", "error")
    assert fault.line


def test_certainty_from_one_secondary_source(root: Path) -> None:
    plant(
        root,
        page("oolong", confidence="1.0"),
        page("assam", confidence="1.0", sources="[sources/tea.txt, sources/b.md]"),
    )

    fault = the_only(root, "confidence_laundered")

    assert (fault.path, fault.line) == ("concepts/oolong.md", 7)

    file = root / "KNOWLEDGE.md"
    file.write_text(
        file.read_text("utf-8").replace("authorityDefault: secondary", "authorityDefault: primary"), "utf-8"
    )
    commit(root)
    assert not found(root, "confidence_laundered")


def test_certainty_from_what_the_registry_says_is_no_primary_source(root: Path) -> None:
    plant(
        root,
        page("oolong", confidence="1.0"),
        page("assam", confidence="1.0", sources="[sources/tea.txt, sources/tea.md]"),
    )
    file = root / "KNOWLEDGE.md"
    file.write_text(
        file.read_text("utf-8").replace("authorityDefault: secondary", "authorityDefault: primary"), "utf-8"
    )

    def says(**record: str) -> list[str]:
        entry = {"contentHash": "00", "slugs": [], **record}
        value = {"version": 1, "hashAlgo": "sha256", "sources": {"sources/tea.txt": entry, "sources/tea.md": entry}}
        (root / "_manifest.json").write_text(json.dumps(value), "utf-8")
        commit(root)
        return [fault.message for fault in found(root, "confidence_laundered")]

    assert says() == []
    assert says(authority="rumour") == ["confidence: 1 rests on one rumour source"] * 2
    assert says(supersededBy="new") == ["confidence: 1 rests on no source that holds"] * 2


# -- sources -------------------------------------------------------------------------------------------------------


def test_a_source_that_was_changed_or_deleted(root: Path) -> None:
    taken_in(root)
    (root / "sources" / "brewing.txt").unlink()
    drop(root, text="Oolong\n\nOther words.\n")

    changed, gone = the_only(root, "source_hash_mismatch"), the_only(root, "source_not_found")

    assert (changed.path, changed.severity) == ("sources/oolong-notes.txt", "error")
    assert (gone.path, gone.severity) == ("sources/brewing.txt", "error")


def test_bytes_that_changed_behind_the_clocks_back(root: Path) -> None:
    taken_in(root)
    assert wrong(examined(root)) == []
    file = root / "sources" / "oolong-notes.txt"
    seen = file.stat()

    file.write_bytes(file.read_bytes()[::-1])
    os.utime(file, ns=(seen.st_atime_ns, seen.st_mtime_ns))

    assert found(root, "source_hash_mismatch")


def test_a_source_nobody_took_in(root: Path) -> None:
    plant(root, page("oolong"))
    drop(root, "waiting.txt")

    faults = {fault.path: fault.severity for fault in found(root, "source_unregistered")}

    assert faults == {SOURCE: "warn", "sources/waiting.txt": "info"}


def test_a_page_that_names_no_source_of_the_wiki(root: Path) -> None:
    plant(root, page("oolong", sources="[sources/tea.txt, sources/gone.txt]"), page("assam", sources="[tea]"))

    fault = the_only(root, "source_unresolved")

    assert (fault.path, fault.line) == ("concepts/oolong.md", 6)


# -- evidence ------------------------------------------------------------------------------------------------------


def test_a_quote_that_is_not_in_the_source(root: Path) -> None:
    body = 'It is tea. [^t-1]\n\n[^t-1]: sources/tea.txt#L1 "Oolong is never oxidised at all"'
    plant(root, page("oolong", body))

    fault = the_only(root, "evidence_missing")

    assert (fault.path, fault.line, fault.severity) == ("concepts/oolong.md", 15, "error")


def test_a_quote_that_stands_elsewhere_in_the_source(root: Path) -> None:
    plant(root, page("oolong", 'It is tea. [^t-1]\n\n[^t-1]: sources/tea.txt#L3 "Oolong is partly oxidised."'))

    fault = the_only(root, "evidence_moved")

    assert (fault.line, fault.severity) == (15, "warn")
    assert "at L1 of the source, not at L3" in fault.message


def test_evidence_is_held_against_the_bytes_of_today(root: Path) -> None:
    plant(root, page("oolong"))
    assert not found(root, "evidence_missing")

    drop(root, "tea.txt", "Nothing of the kind.\n")
    assert the_only(root, "evidence_missing").path == "concepts/oolong.md"

    drop(root, "tea.txt", TEA_TEXT)
    assert not found(root, "evidence_missing")


def test_a_source_with_markup_is_read_in_the_jail(root: Path) -> None:
    html = "<html><body><p>Oolong is partly oxidised.</p><!-- Oolong was never real tea. --></body></html>\n"
    drop(root, "tea.html", html)
    body = (
        'It is tea. [^t-1] [^t-2]\n\n[^t-1]: sources/tea.html#L1 "Oolong is partly oxidised."\n'
        '[^t-2]: sources/tea.html#L1 "Oolong was never real tea."'
    )
    plant(root, page("oolong", body, sources="[sources/tea.html]"))

    assert the_only(root, "evidence_missing").line == 16


def test_a_source_with_hidden_characters_is_read_in_the_jail(root: Path) -> None:
    drop(root, "odd.txt", "Oolong is \u202epartly\u202c oxidised.\r\nGreen tea is not.\n")
    body = 'It is tea. [^t-1]\n\n[^t-1]: sources/odd.txt#L1 "Oolong is partly oxidised."'
    plant(root, page("oolong", body, sources="[sources/odd.txt]"))

    assert not [*found(root, "evidence_missing"), *found(root, "evidence_unchecked")]


def test_evidence_in_a_file_that_has_no_reader_is_not_checked(root: Path) -> None:
    (root / "sources" / "tea.xyz").write_text(TEA_TEXT)
    plant(root, page("oolong", 'It is. [^t-1]\n\n[^t-1]: sources/tea.xyz#L1 "Oolong is partly oxidised."'))

    assert the_only(root, "evidence_unchecked").severity == "warn"


def test_nothing_outside_of_the_sources_is_read(root: Path, tmp_path: Path) -> None:
    """A page may cite any path; a link may lead anywhere."""
    secret = "The secret word is kept outside."
    (tmp_path / "secret.txt").write_text(secret)
    (root / "sources" / "away").symlink_to(tmp_path)
    body = (
        f'It is. [^t-1] [^t-2]\n\n[^t-1]: sources/%2E%2E/../secret.txt#L1 "{secret}"\n'
        f'[^t-2]: sources/away/secret.txt#L1 "{secret}"'
    )
    plant(root, page("oolong", body))

    faults = [fault.line for fault in found(root, "source_unresolved")]

    assert faults == [15, 16]
    assert not found(root, "evidence_moved")


@pytest.mark.parametrize("path", ["sources/%00", "sources/a%00b/c.txt", "sources/" + "x" * 300, "sources/a%0Ab.txt"])
def test_a_path_that_can_be_none_is_no_source(root: Path, path: str) -> None:
    plant(root, page("oolong", f'It is. [^t-1]\n\n[^t-1]: {path}#L1 "Oolong is partly oxidised."'))

    assert the_only(root, "source_unresolved").line == 15


def test_a_comparison_may_lead_to_what_was_superseded(root: Path) -> None:
    both = "One: [[oolong]], the other: [[old-oolong]]."
    plant(
        root,
        page("oolong", supersedes="[old-oolong]"),
        page("old-oolong"),
        page("teas", both, kind="comparison"),
        page("home", "See also: [[teas]] [[oolong]]"),
    )

    assert not found(root, "link_superseded")


# -- generated files -----------------------------------------------------------------------------------------------


def test_an_index_that_is_not_what_the_pages_give(root: Path) -> None:
    plant(root, page("oolong"))
    (root / "_index.md").write_text("# Index\n")
    commit(root)

    fault = the_only(root, "index_stale")

    assert (fault.path, fault.severity) == ("_index.md", "error")


def test_an_index_is_looked_at_again_when_a_page_changes(root: Path) -> None:
    plant(root, page("oolong"))
    assert not found(root, "index_stale")

    path, text = page("oolong", title="Wulong")
    (root / path).write_text(text, "utf-8")
    commit(root)
    assert the_only(root, "index_stale") == the_only(root, "index_stale")

    git(root, "reset", "-q", "--hard", "HEAD^")
    assert not found(root, "index_stale")


def test_an_index_that_was_right_and_followed_the_pages_is_not_made_anew(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(root, page("oolong"), page("assam"))
    assert not found(root, "index_stale")
    path, text = page("oolong", title="Wulong")
    (root / path).write_text(text, "utf-8")
    commit(root)
    made, index_file = index.of, root / "_index.md"
    with Repository(root) as repository:
        index_file.write_text(made(repository.view().wiki), "utf-8")
    commit(root)
    monkeypatch.setattr(index, "of", lambda *_: pytest.fail("made anew"))
    assert not found(root, "index_stale")

    monkeypatch.setattr(index, "of", made)
    index_file.write_text(index_file.read_text("utf-8").replace("[[assam", "[[asam"), "utf-8")
    commit(root)
    assert found(root, "index_stale")


def test_history_is_looked_at_again_when_no_file_changed(root: Path) -> None:
    taken_in(root)
    assert wrong(examined(root)) == []

    git(root, "commit", "-q", "--allow-empty", "-m", f"ingest\n\nCurator-Source: sources/new.txt sha256:{'0' * 64}")

    assert found(root, "log_event_missing")


def test_a_log_that_lost_an_event(root: Path) -> None:
    taken_in(root)
    (root / "_log.md").write_text("# Log\n")
    commit(root)

    assert {fault.code for fault in examined(root).findings if fault.path == "_log.md"} == {"log_rewritten"}


def test_manifests_and_instructions_in_folders_are_no_pages(root: Path) -> None:
    """A view lies beside the operator it is for, which may be in the wiki's folder (AIP-10, layout)."""
    for path in ("operators/ada/KNOWLEDGE.md", "operators/ada/AGENTS.md", "concepts/KNOWLEDGE.md"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(
            "---\nschema: knowledge.workspace/v1\nextends: ../../KNOWLEDGE.md\n---\n# [[nowhere]]\n"
        )
    taken_in(root)

    result = examined(root)

    assert wrong(result) == []
    assert result.pages == 3
    with Repository(root) as repository:
        paths = {entry.path for entry in repository.view().wiki.entries()}
    assert not {path for path in paths if path.endswith(("KNOWLEDGE.md", "AGENTS.md"))}
    assert "KNOWLEDGE" not in (root / index.PATH).read_text("utf-8")


def test_the_wiki_may_lie_in_a_folder_of_the_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    init.run(tmp_path / "docs-wiki", "Tea")
    plant(tmp_path / "docs-wiki", page("oolong", "It leads [[nowhere]]. [^tea-1]"))

    assert the_only(tmp_path / "docs-wiki", "link_broken").path == "concepts/oolong.md"


def test_a_spoilt_cache_is_made_anew(root: Path) -> None:
    plant(root, page("oolong", "It leads [[nowhere]]. [^tea-1]"))
    first = examined(root)
    with Repository(root) as repository:
        (repository.runtime.folder / schema.FILE).write_bytes(b"no database" * 100)

    assert examined(root).findings == first.findings


def test_a_fork_finds_of_the_history_what_is_found_here(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_key, "_TICK", 0)  # a test waits for no clock
    plant(root, page("oolong"))
    (root / "_log.md").write_text("# Log\n\n## what\n")
    commit(root)
    here = examined(root).findings
    for file in (root / ".git" / "curator").glob("facts-*.kept"):
        file.unlink()
    monkeypatch.setattr(maintenance, "_BIG", 0)
    monkeypatch.setattr(maintenance, "processes", lambda: 2)
    monkeypatch.setattr(generated, "of_history", by_a_fork := Mock(wraps=generated.of_history))

    assert examined(root).findings == here
    assert any(finding.code == "log_line_invalid" for finding in here)
    assert not by_a_fork.called
