"""A batch of entries, renames and deletions: what comes of it, what is refused, and that it lands whole or not at all."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import curator
from curator import Batch
from curator.api import Applied, KnowledgeError
from curator.checks.lint import maintenance
from curator.cli.commands import edit, init
from curator.edits import batch
from curator.edits.batch import BatchPlan
from curator.edits.batch_entries import Surroundings, read_entries
from curator.errors import ConfigError, Conflict
from curator.repository import history
from curator.repository.catalogue import Catalogue
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.wiki.pages import frontmatter
from curator.wiki.pages.page import Page
from curator.wiki.sources.record import Record
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.wiki import Wiki
from support.conforming import conforming, register
from support.fakes import ScriptedModel
from support.lints import limits
from support.pages import laws
from support.wikis import NOW, concept, drop, git, proposal, summary, take_in

SOURCE = "sources/tea.txt"
MANIFEST = SourceManifest({SOURCE: Record("00", ("black", "oolong"))})
BESIDE = Surroundings(("OpenQuestion",), lambda named: named in (SOURCE, "tea"), lambda target: target == "README.md")


def written(slug: str, body: str = "Tea.", **fields: Any) -> tuple[dict[str, Any], str]:
    """The fields and the body of an entry without a fault, but for ``fields``; those that are None are left out."""
    head = {
        "schema": "knowledge/v1",
        "slug": slug,
        "kind": "concept",
        "title": slug.replace("-", " ").capitalize(),
        "sources": [SOURCE],
        "updated_at": "2026-05-01T12:00:00Z",
        **fields,
    }
    return {key: value for key, value in head.items() if value is not None}, body


def stood(slug: str, body: str = "Tea.", **fields: Any) -> Page:
    """The same as a page of the wiki."""
    return Page(f"concepts/{slug}.md", frontmatter.compose(*written(slug, body, **fields)))


OOLONG = stood("oolong", "See [[green]].", metadata={"curator": {"aliases": ["Wulong"]}})
GREEN = stood("green", "As good as [[Oolong]], [[oolong|it]] and [this](oolong.md).", contradicts=["oolong"])
BLACK = stood("black", "Unlike [[oolong]].", links=["oolong", "green"], supersedes=["green"])
PAGES = (OOLONG, GREEN, BLACK)


def planned(*entries: Any, pages: tuple[Page, ...] = PAGES, **more: Any) -> BatchPlan:
    wiki = Wiki(Catalogue.of_pages(pages, {"README.md": "# Tea\n"}))
    asked = Batch(entries=entries, **{"why": "tidied up", **more})
    return batch.planned(asked, wiki, MANIFEST, BESIDE)


def told(plan: BatchPlan) -> list[tuple[str, str, str]]:
    return [(failure.code, failure.path, failure.field) for failure in plan.failures]


def text(plan: BatchPlan, slug: str) -> str:
    found = plan.change_set.wiki.page(slug)
    assert found is not None
    return found.text


# -- entries -------------------------------------------------------------------------------------------------------


def test_entries_of_one_batch_name_each_other() -> None:
    white = written("white", "Like [[Matcha]] and [[oolong]].", supersedes=["matcha"], links=["matcha"])
    matcha = written("matcha", "Like [white](white.md).", contradicts=["white"])

    plan = planned(white, matcha)

    assert told(plan) == []
    assert (plan.created, plan.updated, plan.relinked) == (("white", "matcha"), (), ())
    assert plan.change_set.bullets == ("why: tidied up", "created [[white]]", "created [[matcha]]")
    assert plan.change_set.subject == "batch of 2 entries"


def test_an_entry_is_a_text_fields_with_a_body_or_what_define_entry_gives() -> None:
    fields, body = written("white")
    whole = frontmatter.compose(*written("matcha"))

    plan = planned((fields, body), whole, curator.define_entry(written("pu-er")[0], "Tea."))

    assert plan.created == ("white", "matcha", "pu-er")
    assert sorted(plan.change_set.wiki.changed) == ["concepts/matcha.md", "concepts/pu-er.md", "concepts/white.md"]


def test_an_entry_replaces_the_page_of_its_slug_where_it_is() -> None:
    elsewhere = Page("tea/oolong.md", OOLONG.text)

    plan = planned(written("oolong", "Other words.", metadata=OOLONG.fields["metadata"]), pages=(elsewhere,))

    assert (plan.created, plan.updated) == ((), ("oolong",))
    assert "Other words." in plan.change_set.wiki.changed["tea/oolong.md"].text


def test_a_new_entry_goes_where_its_kind_is_kept() -> None:
    there = Page("entries/concepts/oolong.md", OOLONG.text.replace("[[green]]", "it"))

    plan = planned(written("white"), written("why", kind="open-question"), pages=(there,))

    assert told(plan) == []
    assert sorted(plan.change_set.wiki.changed) == ["entries/concepts/white.md", "open-questions/why.md"]


def test_what_is_as_wanted_already_is_not_written_again() -> None:
    plan = planned(OOLONG, written("black", "Unlike [[oolong]].", links=["oolong", "green"], supersedes=["green"]))

    assert plan.is_idle
    assert told(plan) == []


WRONG: Mapping[str, tuple[tuple[Any, ...], list[tuple[str, str, str]]]] = {
    "a field": ((written("white", kind="leaf"),), [("entry_invalid", "leafs/white.md", "kind")]),
    "no schema": ((written("white", schema=None),), [("schema_missing", "concepts/white.md", "schema")]),
    "no slug": ((written("Oo Long"),), [("entry_invalid", "concepts/Oo Long.md", "slug")]),
    "no head": (
        ("Tea.",),
        [
            ("schema_missing", "pages/page.md", "schema"),
            *(("entry_invalid", "pages/page.md", name) for name in ("slug", "kind", "title", "updated_at")),
        ],
    ),
    "no YAML": (("---\nslug: [\n---\n",), [("entry_invalid", "entries[0]", "")]),
    "nothing YAML says": ((({"slug": object()}, ""),), [("entry_invalid", "entries[0]", "")]),
    "no Unicode": ((written("white", "\ud800"),), [("entry_invalid", "concepts/white.md", "")]),
    "a broken link": ((written("white", "See [[gone]]."),), [("link_broken", "concepts/white.md", "")]),
    "a broken relation": (
        (written("white", supersedes=["gone"], contradicts=["lost"], links=["away"]),),
        [("link_broken", "concepts/white.md", f"{name}[0]") for name in ("supersedes", "contradicts", "links")],
    ),
    "a link to a source": (
        (written("white", f"See [it](../{SOURCE})."),),
        [("link_inline_to_source", "concepts/white.md", "")],
    ),
    "no source": (
        (written("white", 'Tea. [^a]\n\n[^a]: sources/gone.txt#L1 "words"', sources=["sources/lost.txt"]),),
        [("source_unresolved", "concepts/white.md", "sources[0]"), ("source_unresolved", "concepts/white.md", "")],
    ),
    "a name of a page": ((written("white", title="Wulong"),), [("name_taken", "concepts/white.md", "")]),
    "a slug that is a name": ((written("wulong", title="Tea"),), [("name_taken", "concepts/wulong.md", "")]),
    "an alias of a page": (
        (written("white", metadata={"curator": {"aliases": ["The Blacks"]}}),),
        [("name_taken", "concepts/white.md", "")],
    ),
    "a name of an entry": (
        (written("white", title="Snow"), written("pale", title="Snows")),
        [("name_taken", "concepts/white.md", ""), ("name_taken", "concepts/pale.md", "")],
    ),
    "a slug twice": ((written("white"), written("white", "More.")), [("slug_taken", "concepts/white.md", "slug")]),
    "another path": ((Page("tea/oolong.md", OOLONG.text),), [("slug_taken", "tea/oolong.md", "slug")]),
    "no page's place": (
        (Page("sources/white.md", stood("white").text),),
        [("path_outside", "sources/white.md", ""), ("path_protected", "sources/white.md", "")],
    ),
    "a place outside": (
        (Page("../white.md", stood("white").text),),
        [(f"path_{fault}", "../white.md", "") for fault in ("outside", "malformed", "reserved")],
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_an_entry_must_not_is_told(name: str) -> None:
    entries, wanted = WRONG[name]

    assert told(planned(*entries)) == wanted


def test_a_slug_of_another_pages_file_is_no_entrys() -> None:
    odd = Page("concepts/white.md", stood("pale").text)

    assert told(planned(written("white", title="Snow"), pages=(odd,))) == [("slug_taken", "concepts/white.md", "slug")]


def test_a_page_nobody_can_read_waits_for_its_owner() -> None:
    torn = Page("concepts/white.md", "---\nslug: [\n---\n")

    assert told(planned(written("white"), pages=(torn,))) == [("page_unreadable", "concepts/white.md", "")]


def test_a_summary_bears_the_name_of_its_source() -> None:
    assert told(planned(written("oolong-notes", kind="summary", title="Oolong"))) == []


def test_refs_are_neither_sources_nor_links() -> None:
    assert told(planned(written("white", "See [readme](../README.md).", refs=["wiki:other/gone"]))) == []


def test_all_that_is_wrong_is_told_at_once_and_a_faulty_entry_is_not_missed() -> None:
    faulty, asking = written("white", title=""), written("matcha", "Like [[white]] and [[gone]].")

    found = planned(faulty, asking, renames={"gone": "away"}, deletions={"black": " "}, why="")

    assert told(found) == [
        ("reason_missing", "batch", "why"),
        ("reason_missing", "batch", "deletions.black"),
        ("entry_invalid", "concepts/white.md", "title"),
        ("link_broken", "concepts/matcha.md", ""),
        ("page_unknown", "batch", "renames.gone"),
    ]


def test_a_name_that_others_link_by_is_not_given_up() -> None:
    pages = (*PAGES, stood("white", "Unlike\n[[wulong]]."))

    (found,) = planned(written("oolong"), pages=pages).failures

    assert (found.code, found.path, found.line) == ("link_broken", "concepts/white.md", 12)
    assert "'wulong', a name that the entry oolong gives up" in found.message

    assert told(planned(written("oolong", title="Wulong"), pages=pages)) == []
    assert told(planned(written("oolong"), written("white", "Tea."), pages=pages)) == []
    heir = written("green", metadata=OOLONG.fields["metadata"])
    assert told(planned(written("oolong"), heir, pages=pages)) == []


def test_a_name_that_a_head_links_by_is_not_given_up() -> None:
    white = stood("white", links=["green", "wulong"])

    (found,) = planned(written("oolong"), pages=(*PAGES, white)).failures

    assert (found.code, found.path) == ("link_broken", "concepts/white.md")
    assert white.text.split("\n")[(found.line or 0) - 1] == "- wulong"


# -- renames and deletions -----------------------------------------------------------------------------------------


def test_every_link_follows_a_rename_those_of_heads_and_of_entries_too() -> None:
    white = written("white", "Like [[oolong]] and [[wu-long]].", supersedes=["oolong"], links=["oolong"])

    plan = planned(white, renames={"oolong": "wu-long"})

    assert told(plan) == []
    assert plan.renamed == {"oolong": "wu-long"}
    assert plan.moved == {"concepts/oolong.md": "concepts/wu-long.md"}
    assert plan.relinked == ("black", "green")
    assert "[[Oolong]], [[wu-long|it]] and [this](wu-long.md)" in text(plan, "green")
    assert "links:\n- wu-long\n- green" in text(plan, "black")
    assert "Like [[wu-long]] and [[wu-long]]." in text(plan, "white")
    assert "supersedes:\n- wu-long\nlinks:\n- wu-long" in text(plan, "white")
    assert plan.change_set.manifest.sources[SOURCE].slugs == ("black", "wu-long")
    assert "renamed oolong to [[wu-long]]" in plan.change_set.bullets
    assert f"{history.RENAMED}: oolong wu-long" in plan.change_set.trailers


def test_heads_follow_renames_and_deletions_of_one_batch_and_keep_their_other_bytes() -> None:
    head = (
        "---\nlinks:\n  - oolong # one\n  - black # two\n  - green\nsupersedes: [ black, 'oolong' ]\n---\n\n# White\n"
    )
    white = Page("concepts/white.md", head)

    plan = planned(pages=(*PAGES, white), renames={"oolong": "Blue tea"}, deletions={"black": "a double"})

    assert told(plan) == []
    assert plan.relinked == ("green", "white")
    wanted = head.replace("oolong", "blue-tea").replace("  - black # two\n", "").replace("black, ", "")
    assert text(plan, "white") == wanted
    assert "links changed in [[green]], [[white]]" in plan.change_set.bullets


def test_a_page_is_rewritten_and_renamed_at_once() -> None:
    plan = planned(written("oolong", "Other words."), renames={"oolong": "Blue tea"})

    assert told(plan) == []
    assert (plan.updated, plan.renamed) == (("blue-tea",), {"oolong": "blue-tea"})
    found = plan.change_set.wiki.changed["concepts/blue-tea.md"]
    assert (found.title, found.aliases) == ("Blue tea", ("Oolong",))
    assert "Other words." in found.text


def test_of_a_page_that_goes_words_remain() -> None:
    plan = planned(deletions={"oolong": "a double\n\nCurator-Source: x"})

    assert told(plan) == []
    assert plan.deleted == ("oolong",)
    assert plan.change_set.wiki.gone == {"concepts/oolong.md"}
    assert "As good as Oolong, it and this." in text(plan, "green")
    assert "contradicts: []" in text(plan, "green")
    assert "links:\n- green\n" in text(plan, "black")
    assert plan.change_set.manifest.sources[SOURCE].slugs == ("black",)
    assert "removed oolong: a double Curator-Source: x" in plan.change_set.bullets


def test_another_page_takes_on_the_name_of_one_that_goes() -> None:
    heir = written("green", "Tea.", metadata={"curator": {"aliases": ["Oolong"]}})

    plan = planned(heir, deletions={"oolong": "the same as green"})

    assert told(plan) == []
    assert plan.relinked == ()
    assert "Unlike [[oolong]]." in text(plan, "black")


MOVES: Mapping[str, tuple[dict[str, Any], list[tuple[str, str]]]] = {
    "nothing to rename": ({"renames": {"gone": "away"}}, [("page_unknown", "renames.gone")]),
    "a mere name": ({"deletions": {"Wulong": "a double"}}, [("page_unknown", "deletions.Wulong")]),
    "a taken slug": ({"renames": {"oolong": "green"}}, [("slug_taken", "renames.oolong")]),
    "a taken name": ({"renames": {"green": "Wulong"}}, [("slug_taken", "renames.green")]),
    "a slug that gets free": (
        {"renames": {"green": "jade", "oolong": "green"}},
        [("slug_taken", "renames.oolong")],
    ),
    "a slug of a page that goes": (
        {"renames": {"oolong": "green"}, "deletions": {"green": "a double"}},
        [("slug_taken", "renames.oolong")],
    ),
    "no slug": ({"renames": {"oolong": "!?"}}, [("slug_invalid", "renames.oolong")]),
    "renamed and deleted": (
        {"renames": {"oolong": "wu-long"}, "deletions": {"oolong": "a double"}},
        [("batch_invalid", "deletions.oolong")],
    ),
    "no reason": ({"deletions": {"oolong": "\n"}}, [("reason_missing", "deletions.oolong")]),
    "no reason for the whole": ({"renames": {"oolong": "wu-long"}, "why": ""}, [("reason_missing", "why")]),
    "nothing": ({}, [("batch_empty", "")]),
}


@pytest.mark.parametrize("name", MOVES)
def test_what_cannot_be_is_told(name: str) -> None:
    asked, wanted = MOVES[name]

    assert [(failure.code, failure.field) for failure in planned(**asked).failures] == wanted


def test_an_entry_is_not_deleted_in_the_same_batch() -> None:
    assert told(planned(written("oolong"), deletions={"oolong": "old"})) == [
        ("batch_invalid", "batch", "deletions.oolong")
    ]


def test_an_entry_does_not_ask_for_a_page_that_goes() -> None:
    found = planned(written("white", "Like [[green]].", contradicts=["green"]), deletions={"green": "old"})

    assert told(found) == [
        ("link_broken", "concepts/white.md", "contradicts[0]"),
        ("link_broken", "concepts/white.md", ""),
    ]


def test_a_name_it_has_already_renames_nothing() -> None:
    assert planned(renames={"oolong": "oolong", "green": "Green"}).is_idle


# -- any batch -----------------------------------------------------------------------------------------------------

SLUGS = ("oolong", "green", "black", "white")
NEW = ("matcha", "pu-er")
LINKS = st.sampled_from(("[[{}]]", "[[{}|words]]", "- [[{}]]", "[file]({}.md)", "![[{}]]", "[[concepts/{}]]"))


@st.composite
def bodies(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    """Links in every form."""
    found = draw(st.lists(st.tuples(LINKS, st.sampled_from(names)), max_size=4))
    return "\n\n".join(["Tea.", *((form if name.islower() else "[[{}]]").format(name) for form, name in found)])


@st.composite
def heads(draw: st.DrawFn, names: tuple[str, ...]) -> dict[str, Any]:
    """Relations and links."""
    fields: dict[str, Any] = {}
    for name in ("contradicts", "supersedes", "links"):
        if found := draw(st.lists(st.sampled_from(names), max_size=2, unique=True)):
            fields[name] = found
    return fields


def seldom(draw: st.DrawFn) -> bool:
    return draw(st.integers(0, 11)) == 7


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    """What a host might ask for: more often right than wrong."""
    roles = {slug: draw(st.sampled_from(("", "", "write", "rename", "both", "delete"))) for slug in SLUGS}
    roles |= {slug: draw(st.sampled_from(("write", ""))) for slug in NEW}
    deletions = {slug: "" if seldom(draw) else "old" for slug, role in roles.items() if role == "delete"}
    names = tuple(slug for slug in (*SLUGS, *NEW) if slug not in deletions and (slug in SLUGS or roles[slug]))
    entries = []
    for slug in (slug for slug, role in roles.items() if role in ("write", "both")):
        asked = (*SLUGS, *NEW, "gone") if seldom(draw) or not names else names
        fields = draw(heads(asked))
        if draw(st.booleans()):
            fields["metadata"] = {"curator": {"aliases": [draw(st.sampled_from((slug[::-1], "Wulong", "Jade")))]}}
        if seldom(draw):
            fields["title"] = "Jade"
        entries.append(written(slug, draw(bodies(asked)), **fields))
    renames = {
        slug: draw(st.sampled_from((f"{slug}-leaf", f"{slug}-leaf", f"Leaf of {slug}", "jade")))
        for slug, role in roles.items()
        if role in ("rename", "both")
    }
    if seldom(draw):
        renames[draw(st.sampled_from(SLUGS))] = draw(st.sampled_from(SLUGS))
    return Batch(entries, renames, deletions, "why not")


@st.composite
def wikis(draw: st.DrawFn) -> tuple[Page, ...]:
    """Pages that name each other."""
    named = (*SLUGS, "Wulong", "Oolong")
    aliases = {"oolong": {"metadata": {"curator": {"aliases": ["Wulong"]}}}}
    return tuple(stood(slug, draw(bodies(named)), **draw(heads(SLUGS)), **aliases.get(slug, {})) for slug in SLUGS)


def leads(wiki: Wiki, page: Page) -> dict[str, str]:
    """What a page names, in head and body, with the slug of the page it leads to; empty where it leads nowhere."""
    heads = (name for field in ("contradicts", "supersedes", "links") for name in page.fields.get(field, ()))
    named = [*heads, *(target for target, _ in page.links)]
    hits = {target: wiki.resolve(target) for target in named}
    return {target: hit.slug if hit is not None else "" for target, hit in hits.items()}


@laws
@given(wikis(), batches())
def test_in_a_plan_without_failures_every_name_leads_where_it_did(pages: tuple[Page, ...], asked: Batch) -> None:
    before = Wiki(Catalogue.of_pages(pages))

    plan = batch.planned(asked, before, MANIFEST, BESIDE)

    after = plan.change_set.wiki
    if plan.failures:
        return
    found = [found for entry in after.entries() if (found := after.page(entry.slug))]
    assert len(found) == len(list(after.entries())) == len({each.slug for each in found})
    was = {new: old for old, new in plan.renamed.items()}
    written = {*plan.created, *plan.updated}  # which may have given up a name, or taken one on
    for each in found:
        led = {*leads(after, each).values()}
        assert each.path == f"concepts/{each.slug}.md"
        assert "" not in led, each.text
        old = before.page(was.get(each.slug, each.slug))
        if old is not None and each.slug not in written:
            then = {plan.renamed.get(slug, slug) for slug in leads(before, old).values()}
            assert led - written <= then
            assert then - written - {*asked.deletions} <= led


# -- in a repository -----------------------------------------------------------------------------------------------


@pytest.fixture
def wiki(made: Callable[..., Path]) -> Path:
    return made(conforming)


def now() -> datetime:
    return NOW


def applied(root: Path, *entries: Any, dry_run: bool = False, **more: Any) -> Applied:
    asked = Batch(entries=entries, **{"why": "tidied up", **more})
    return curator.apply(root, asked, dry_run=dry_run, clock=now)


def refused(root: Path, *entries: Any, **more: Any) -> KnowledgeError:
    before = standing(root)
    with pytest.raises(KnowledgeError) as caught:
        applied(root, *entries, **more)
    assert standing(root) == before
    return caught.value


def standing(root: Path) -> tuple[str, str, dict[str, bytes]]:
    """All that a batch may change: the commit, what git sees uncommitted, the files."""
    files = (file for file in root.rglob("*") if file.is_file() and ".git" not in file.relative_to(root).parts)
    found = {file.relative_to(root).as_posix(): file.read_bytes() for file in files}
    return git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain"), found


def errors(root: Path) -> list[str]:
    """What curate validate fails and curate lint calls an error."""
    with Repository(root) as repository:
        found = maintenance.lint_wiki(repository, NOW, limits).findings
    verdict = curator.validate(root)
    return [*map(str, verdict.failures), *(str(finding) for finding in found if finding.severity == "error")]


def test_a_batch_lands_in_one_commit(wiki: Path) -> None:
    head = git(wiki, "rev-parse", "HEAD")

    done = applied(
        wiki,
        written("white", "Like [[oolong]]."),
        written("green", "Unlike [[white]]."),
        renames={"oolong": "wu-long"},
        why="white\nis tea",
    )

    assert (done.created, done.updated, done.renamed, done.deleted) == (
        ("white",),
        ("green",),
        {"oolong": "wu-long"},
        (),
    )
    assert sorted(done.diffs) == [f"concepts/{name}.md" for name in ("green", "oolong", "white", "wu-long")]
    assert git(wiki, "rev-parse", "HEAD") == done.commit
    assert git(wiki, "rev-parse", "HEAD^") == head
    assert git(wiki, "status", "--porcelain") == ""
    assert "Like [[wu-long]]." in (wiki / "concepts" / "white.md").read_text()
    assert "- [[white]] White: Like wu-long.\n- [[wu-long]] Oolong: See green.\n" in (wiki / "_index.md").read_text()
    assert (
        (wiki / "_log.md")
        .read_text()
        .endswith(
            "## [2026-05-01T12:00:00Z] manual | batch of 2 entries, 1 rename\n"
            "- why: white is tea\n- created [[white]]\n- updated [[green]]\n- renamed oolong to [[wu-long]]\n"
        )
    )
    assert errors(wiki) == []


def test_a_deletion_is_logged_with_its_reason_and_leaves_the_registry(wiki: Path) -> None:
    file = wiki / "_manifest.json"
    file.write_text(file.read_text().replace('"slugs": []', '"slugs": ["green", "oolong"]'))
    git(wiki, "commit", "-qam", "slugs")

    done = applied(wiki, deletions={"green": "it says nothing"})

    assert (done.deleted, done.relinked) == (("green",), ("oolong",))
    assert not (wiki / "concepts" / "green.md").exists()
    assert "- removed green: it says nothing\n" in (wiki / "_log.md").read_text()
    assert json.loads(file.read_text())["sources"][SOURCE]["slugs"] == ["oolong"]
    assert errors(wiki) == []


def test_a_dry_run_tells_the_same_and_changes_nothing(wiki: Path) -> None:
    before = standing(wiki)
    asked = (written("white", "Like [[oolong]]."),)

    dry = applied(wiki, *asked, renames={"oolong": "wu-long"}, dry_run=True)

    assert standing(wiki) == before
    assert dry.commit is None
    done = applied(wiki, *asked, renames={"oolong": "wu-long"})
    assert (dry.created, dry.renamed, dry.relinked, dry.diffs) == (
        done.created,
        done.renamed,
        done.relinked,
        done.diffs,
    )


def test_the_same_batch_again_makes_no_commit(wiki: Path) -> None:
    first = applied(wiki, written("white"))
    before = standing(wiki)

    assert applied(wiki, written("white")) == Applied(None)
    assert first.commit is not None
    assert standing(wiki) == before


def test_nothing_lands_unless_everything_is_right(wiki: Path) -> None:
    error = refused(wiki, written("white"), written("pale", "See [[gone]]."), deletions={"green": ""})

    assert error.code == "reason_missing"
    assert [finding.code for finding in error.findings] == ["reason_missing", "link_broken"]
    assert error.envelope["command"] == "apply"
    assert (error.envelope["pack"], error.envelope["ok"]) == ("tea", False)
    assert json.loads(json.dumps(error.envelope))["findings"][1]["path"] == "concepts/pale.md"


@pytest.mark.parametrize("name", ["green", "oolong"])
def test_a_page_with_uncommitted_edits_is_not_overwritten(wiki: Path, name: str) -> None:
    file = wiki / "concepts" / f"{name}.md"
    file.write_text(file.read_text() + "\nMy words.\n")
    before = standing(wiki)

    with pytest.raises(Conflict) as caught:
        applied(wiki, written("green", "Other words."), renames={"oolong": "wu-long"})

    assert caught.value.code == "page_dirty"
    assert standing(wiki) == before


def test_an_edit_of_a_page_that_stays_as_it_is_is_in_nobodys_way(wiki: Path) -> None:
    file = wiki / "concepts" / "oolong.md"
    file.write_text(file.read_text() + "\nMy words.\n")

    assert applied(wiki, written("white")).created == ("white",)
    assert "My words." in file.read_text()


def test_a_file_that_nobody_committed_is_not_overwritten(wiki: Path) -> None:
    (wiki / "concepts" / "white.md").write_text("Mine.\n")

    with pytest.raises(Conflict) as caught:
        applied(wiki, written("white"))

    assert caught.value.code == "page_in_the_way"
    assert (wiki / "concepts" / "white.md").read_text() == "Mine.\n"


def test_a_source_is_registered_or_lies_in_sources(wiki: Path) -> None:
    drop(wiki, "new.txt", "New.\n")

    found = refused(wiki, written("white", sources=["sources/gone.txt", "sources/new.txt", "sources/../KNOWLEDGE.md"]))

    assert [finding.message.split("'")[1] for finding in found.findings] == [
        "sources/gone.txt",
        "sources/../KNOWLEDGE.md",
    ]
    assert applied(wiki, written("white", sources=["sources/new.txt", SOURCE])).commit
    other = written("pale", schema="knowledge.entry/v1", sources=["tea"])
    assert applied(wiki, other).created == ("pale",)
    assert errors(wiki) == []


def test_an_id_of_a_file_that_git_does_not_keep_is_no_source(wiki: Path) -> None:
    drop(wiki, "new.txt", "New.\n")
    entry = written("white", schema="knowledge.entry/v1", sources=["new"])

    assert refused(wiki, entry).code == "source_unresolved"
    git(wiki, "add", "-A")
    git(wiki, "commit", "-qm", "a source")
    assert applied(wiki, entry).commit


def test_what_is_quoted_has_to_stand_in_its_source(wiki: Path) -> None:
    entry = written("white", f'Tea. [^a]\n\n[^a]: {SOURCE}#L1 "Oolong is a kind of coffee."')

    (found,) = refused(wiki, entry).findings

    assert (found.code, found.path) == ("evidence_missing", "concepts/white.md")
    assert applied(wiki, written("white", f'Tea. [^a]\n\n[^a]: {SOURCE}#L1 "Oolong is partly oxidised."')).commit


def test_a_lint_of_the_wiki_that_is_an_error_refuses(wiki: Path) -> None:
    found = refused(wiki, written("white", sources=None), written("side", kind="comparison", sources=None))

    assert [(finding.code, finding.path) for finding in found.findings] == [("source_required", "concepts/white.md")]


def test_a_title_that_is_too_long_is_no_new_name(wiki: Path) -> None:
    found = refused(wiki, renames={"green": "Tea " * 60}).findings

    assert [(finding.code, finding.field) for finding in found] == [("entry_invalid", "title")]  # type: ignore[attr-defined]


def test_an_error_that_was_there_before_stays_where_it_is(wiki: Path) -> None:
    (wiki / "concepts" / "sad.md").write_text(stood("sad", "See [[gone]].", sources=[]).text)
    git(wiki, "add", "-A")
    git(wiki, "commit", "-qm", "by hand")

    done = applied(wiki, written("white", "Like [[sad]]."), renames={"sad": "sorry"})

    assert done.renamed == {"sad": "sorry"}
    assert sorted({line.split(":")[0] for line in errors(wiki)}) == ["concepts/sorry.md"]


def test_a_picture_and_a_readme_are_there(wiki: Path) -> None:
    (wiki / "cup.png").write_bytes(b"\x89PNG")
    (wiki / "README.md").write_text("# Tea\n")
    git(wiki, "add", "-A")
    git(wiki, "commit", "-qm", "a picture")

    assert applied(wiki, written("white", "![[cup.png]] and [read me](../README.md).")).commit


def test_a_wiki_in_a_folder_of_its_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "code.py").write_text("print('tea')\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "code")
    init.run(tmp_path / "wiki", "Tea")
    drop(tmp_path / "wiki", "tea.txt", "Tea.\n")
    applied(tmp_path / "wiki", written("oolong"), written("green", "See [[oolong]].", links=["oolong"]))

    done = applied(tmp_path / "wiki", renames={"oolong": "wu-long"})

    assert done.relinked == ("green",)
    assert "links:\n- wu-long" in (tmp_path / "wiki" / "concepts" / "green.md").read_text()
    assert sorted(done.diffs) == [f"concepts/{name}.md" for name in ("green", "oolong", "wu-long")]


def test_a_batch_is_taken_back(wiki: Path) -> None:
    before = {name: content for name, content in standing(wiki)[2].items() if name != "_log.md"}
    done = applied(wiki, written("white", "Like [[oolong]]."), deletions={"green": "old"})

    report = edit.undo_commits(Settings(wiki, {}, {}), [str(done.commit)], dry_run=False)

    assert report.ok
    assert {name: content for name, content in standing(wiki)[2].items() if name != "_log.md"} == before


def test_an_ingest_before_a_rename_is_taken_back(root: Path) -> None:
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((proposal(summary(), concept()),)))
    applied(root, renames={"oolong": "wu-long"})

    report = edit.undo_commits(Settings(root, {}, {}), ["sources/oolong-notes.txt"], dry_run=False)

    assert report.ok
    assert not (root / "concepts" / "wu-long.md").exists()


def test_there_has_to_be_a_wiki(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        curator.apply(tmp_path, Batch(entries=[written("white")], why="x"))

    assert caught.value.code == "not_a_wiki"


def test_somebody_commits_meanwhile(wiki: Path) -> None:
    calls: list[int] = []

    def clock() -> datetime:
        if not calls:
            (wiki / "notes.txt").write_text("mine\n")
            git(wiki, "add", "notes.txt")
            git(wiki, "commit", "-qm", "meanwhile")
        calls.append(1)
        return datetime(2026, 5, 1, 12, len(calls), tzinfo=UTC)

    done = curator.apply(wiki, Batch(entries=[written("white")], why="x"), clock=clock)

    assert git(wiki, "log", "--format=%s").splitlines()[:2] == ["batch of 1 entry", "meanwhile"]
    assert done.created == ("white",)
    assert (wiki / "_log.md").read_text().count("batch of 1 entry") == 1


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wiki that is copied for each batch: with a fault of its own, so that batches are not blamed for it."""
    root = tmp_path_factory.mktemp("batch") / "wiki"
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")):
            patch.setenv(name, value)
        for role in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{role}_NAME", "Ada")
            patch.setenv(f"GIT_{role}_EMAIL", "ada@example.org")
        init.run(root, "Tea")
        register(root)
        white = stood("white", "See [[gone]].", links=["black"])
        for page_of in (OOLONG, GREEN, BLACK, white):
            (root / page_of.path).write_text(page_of.text)
        git(root, "add", "-A")
        git(root, "commit", "-qm", "by hand")
    return root


@settings(laws, max_examples=6)
@given(batches())
def test_any_batch_lands_whole_or_changes_nothing(
    template: Path, tmp_path_factory: pytest.TempPathFactory, asked: Batch
) -> None:
    root = tmp_path_factory.mktemp("any") / "wiki"
    shutil.copytree(template, root)
    before, faults = standing(root), errors(root)

    try:
        done = curator.apply(root, asked, clock=now)
    except KnowledgeError as error:
        assert standing(root) == before
        assert all(finding.severity == "error" for finding in error.findings)
        assert error.code == error.findings[0].code
    else:
        assert len(errors(root)) <= len(faults)
        assert git(root, "status", "--porcelain") == ""
        git(root, "fsck", "--strict")
        if done.commit is None:
            assert standing(root) == before
        else:
            assert git(root, "rev-list", "--count", f"{before[0]}..HEAD") == "1"
            whole = set(git(root, "diff", "--no-renames", "--name-only", "HEAD^", "HEAD").split("\n"))
            assert {*done.diffs, "_log.md"} <= whole <= {*done.diffs, "_log.md", "_index.md", "_manifest.json"}
    shutil.rmtree(root)


def test_an_entry_of_a_type_of_the_wikis_own_goes_where_its_pages_are() -> None:
    head = {"schema": "knowledge.entry/v1", "kind": "case-review", "updated_at": "2026-01-01T00:00:00Z"}
    there = curator.define_entry({**head, "slug": "old-one", "title": "Old one"}, "Words.", types=["CaseReview"])
    wiki = Wiki(Catalogue.of_pages([Page("entries/reviews/2026/old-one.md", there.text)]))

    found = read_entries([({**head, "slug": "new-one", "title": "New one"}, "Words.")], wiki, ["CaseReview"])

    assert [page.path for page in found.pages] == ["entries/reviews/2026/new-one.md"]
