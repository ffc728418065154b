"""AIP-10, layer 2, and what the later draft says of pages: two dialects, limits, what an entry may name."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from curator.api import KnowledgeError, define_entry
from curator.models.proposal import Claim, Create, Mark
from curator.wiki.define_entry import of_entry
from curator.wiki.pages.page import Page
from support import standard
from support.lints import TEA_TEXT, commit, page, plant, with_lints
from support.standard import BREWING, SAID, curate, edited, events, head, ingest, pages, state
from support.wikis import MORE, NOW, TEA, concept, drop, git, proposal, summary

root, kept, written = standard.root, standard.kept, standard.written

SLUG = r"[a-z0-9]+(-[a-z0-9]+)*"
KINDS = {"entity", "concept", "summary", "comparison", "timeline"}
LATER = {"schema": "knowledge.entry/v1", "sources": "[tea]"}
"""The fields in which a page of the later dialect differs."""


def heads_of(root: Path) -> dict[str, dict[str, Any]]:
    """The head of every page."""
    return {path: head(file) for path, file in pages(root).items()}


def found(root: Path, code: str) -> list[str]:
    """The pages on which ``curate lint`` finds this."""
    said = curate(root, "lint", "--no-log")
    return [each["path"] for each in said["findings"] if each["code"] == code]


# -- the frontmatter -----------------------------------------------------------------------------------------------


def test_every_page_that_is_written_has_the_fields_of_the_standard(written: Path) -> None:
    """Layer 2 — Wiki pages (everywhere except sources/, KNOWLEDGE.md, and AGENTS.md): “Every wiki page is markdown
    with YAML frontmatter:”
    """
    heads = heads_of(written)

    assert len(heads) >= 5
    for path, fields in heads.items():
        assert fields["schema"] == "knowledge/v1"
        assert re.fullmatch(SLUG, fields["slug"]) and path.endswith(f"/{fields['slug']}.md")
        assert fields["kind"] in KINDS
        assert isinstance(fields["title"], str) and fields["title"].strip()
        assert fields["sources"] and all((written / source).is_file() for source in fields["sources"])
        assert all(source.startswith("sources/") for source in fields["sources"])
        assert 0 <= fields["confidence"] <= 1
        assert datetime.fromisoformat(fields["updated_at"]).tzinfo
        assert set(fields) <= {
            *("schema", "slug", "kind", "title", "sources", "confidence", "updated_at"),
            *("supersedes", "contradicts", "metadata"),
        }


def test_a_page_without_frontmatter_is_told(root: Path) -> None:
    """Layer 2 — Wiki pages (everywhere except sources/, KNOWLEDGE.md, and AGENTS.md): “Every wiki page is markdown
    with YAML frontmatter:”
    """
    plant(root, page("oolong"))
    (root / "concepts" / "bare.md").write_text("# Bare\n\nSee [[oolong]].\n")
    commit(root)

    said = curate(root, "validate")

    assert (said.status, said["findings"][0]["path"]) == (1, "concepts/bare.md")


WRONG = {
    "schema": "knowledge/v2",
    "slug": "Not A Slug",
    "kind": "essay",
    "title": "[]",
    "sources": "sources/tea.txt",
    "confidence": "1.2",
    "updated_at": "yesterday",
    "supersedes": "home",
    "contradicts": "[Not A Slug]",
    "metadata": "words",
}


def test_wrong_fields_are_told(root: Path) -> None:
    """Layer 2 — Wiki pages (everywhere except sources/, KNOWLEDGE.md, and AGENTS.md): “schema: knowledge/v1 slug:
    <kebab-case-page-id> kind: entity | concept | summary | comparison | timeline title: <human-readable title>
    sources: # provenance — refs into sources/”
    """
    for field, value in WRONG.items():
        path, text = page(f"bad-{field.replace('_', '-')}")
        text = re.sub(rf"^{field}: .*\n|(?=^---\n\n)", "", text, flags=re.MULTILINE)
        (root / path).write_text(text.replace("\n---\n", f"\n{field}: {value}\n---\n", 1))
    (root / "concepts" / "good.md").write_text(page("good")[1])
    drop(root, "tea.txt", TEA_TEXT)
    commit(root)

    said = curate(root, "validate", "--all")

    told = {
        each["path"]: each["field"].partition("[")[0] for each in said["findings"] if each["code"] == "entry_invalid"
    }
    assert told == {f"concepts/bad-{field.replace('_', '-')}.md": field for field in WRONG}


def test_confidence_is_optional_and_one_when_it_is_not_said(root: Path) -> None:
    """Layer 2 — Wiki pages (everywhere except sources/, KNOWLEDGE.md, and AGENTS.md): “confidence: 0 .. 1 #
    OPTIONAL, default 1.0”
    """
    plant(root, page("silent", confidence=""), page("sure", confidence="1.0"), page("unsure", confidence="0.99"))
    with_lints(root, 'id: sure, kind: min-confidence, appliesTo: "*", severity: warn, params: {min: 1.0}')

    assert curate(root, "validate").status == 0
    assert found(root, "confidence_low") == ["concepts/home.md", "concepts/unsure.md"]


def test_updated_at_says_when_the_page_was_changed_and_no_other(kept: Path) -> None:
    """Layer 2 — Wiki pages (everywhere except sources/, KNOWLEDGE.md, and AGENTS.md): “updated_at: <ISO 8601>”"""
    later = NOW + timedelta(days=3, hours=1)

    ingest(kept, "more.txt", TEA + BREWING, MORE, now=later)

    times = {path: head(file)["updated_at"] for path, file in pages(kept).items()}
    assert {path: datetime.fromisoformat(at) for path, at in times.items()} == {
        "concepts/oolong.md": later,
        "summaries/more.md": later,
        "summaries/oolong-notes.md": NOW,
    }


def test_supersedes_is_optional_and_names_what_is_replaced(root: Path) -> None:
    """Layer 2 — Wiki pages (everywhere except sources/, KNOWLEDGE.md, and AGENTS.md): “supersedes: [<slug>] #
    OPTIONAL — earlier pages this replaces”
    """
    plant(root, page("old"), page("new", supersedes="[old]"), page("reader", "See [[old]]."))

    assert curate(root, "validate").status == 0
    assert "concepts/reader.md" in found(root, "link_superseded")


def test_contradicts_is_optional_and_names_what_conflicts(root: Path) -> None:
    """Layer 2 — Wiki pages (everywhere except sources/, KNOWLEDGE.md, and AGENTS.md): “contradicts: [<slug>] #
    OPTIONAL — pages whose claims conflict”
    """
    plant(root, page("one", contradicts="[other]"), page("other", contradicts="[one]"), page("calm"))

    assert curate(root, "validate").status == 0
    assert found(root, "contradiction_unresolved") == ["concepts/one.md", "concepts/other.md"]


def test_metadata_is_optional_and_the_vendors_own(root: Path) -> None:
    """Layer 2 — Wiki pages (everywhere except sources/, KNOWLEDGE.md, and AGENTS.md): “metadata: # OPTIONAL —
    vendor extensions”
    """
    plant(root, page("oolong", metadata="{guilde: {rank: [1, {deep: true}]}, simone: as she likes}"), page("plain"))

    assert curate(root, "validate").status == 0


# -- links ---------------------------------------------------------------------------------------------------------

LINK = re.compile(r"\[\[[^\]]+\]\]|\[[^\]^][^\]]*\]\([^)]*\)|<[a-z]+[ >:]|https?://")


def test_links_that_are_written_have_one_of_the_two_forms(written: Path) -> None:
    """Layer 2 — Wiki pages (everywhere except sources/, KNOWLEDGE.md, and AGENTS.md): “Cross-references between
    pages MUST use the wikilink syntax [[slug]] or markdown links to relative .md paths.”
    """
    slugs = {path.rpartition("/")[2].removesuffix(".md") for path in pages(written)}
    links = [link for file in pages(written).values() for link in LINK.findall(file.read_text())]
    assert links and {re.sub(r"^\[\[|[|\]].*$", "", link) for link in links} <= slugs


@pytest.mark.parametrize(
    "written",
    [
        "See [oolong](https://example.org/concepts/oolong.md).",
        "See [oolong](file:///concepts/oolong.md).",
        "See <a href='oolong.md'>oolong</a>.",
        "See [oolong](../KNOWLEDGE.md).",
        "See [oolong][o].\n\n[o]: oolong.md",
        "See [[no such page]].",
    ],
)
def test_a_link_of_another_form_does_not_come_in(kept: Path, written: str) -> None:
    """Layer 2 — Wiki pages (everywhere except sources/, KNOWLEDGE.md, and AGENTS.md): “Cross-references between
    pages MUST use the wikilink syntax [[slug]] or markdown links to relative .md paths.”
    """
    claim = Claim(text=f"Oolong gives five brews. {written}", quotes=("Oolong can be brewed five times",))

    ingest(kept, "more.txt", TEA + BREWING, proposal(summary(SAID, title="More"), concept(claim)))

    body = (kept / "concepts/oolong.md").read_text()
    assert not re.search(r"(?<!\\)<a|\]\((?!\w+\.md)|\]\[|^\[o\]:|\[\[no such", body, re.MULTILINE)


def test_both_forms_of_links_are_resolved(root: Path) -> None:
    """Layer 2 — Wiki pages (everywhere except sources/, KNOWLEDGE.md, and AGENTS.md): “The runtime MUST be able to
    resolve both forms.”
    """
    good = "See [[assam]], [[assam|this]], [Assam](../entities/assam.md) and [Green](green-tea.md#head)."
    bad = "See [[gone]], [gone](../entities/gone.md) and [[assam]]."
    plant(root, page("oolong", good), page("black", bad), page("green-tea", "# Head"), page("assam", kind="entity"))

    said = curate(root, "lint", "--no-log")

    broken = [(each["path"], each["message"]) for each in said["findings"] if each["code"] == "link_broken"]
    assert [path for path, _ in broken] == ["concepts/black.md"] * 2
    assert sorted(said.rpartition(": ")[2] for _, said in broken) == ["entities/gone.md", "gone"]


def test_one_page_links_another_by_path_and_is_no_orphan(root: Path) -> None:
    """Layer 2 — Wiki pages (everywhere except sources/, KNOWLEDGE.md, and AGENTS.md): “The runtime MUST be able to
    resolve both forms.”
    """
    by_path = page("home", "See [a](../entities/assam.md) and [[green]].", title="Home of all")
    plant(root, by_path, page("assam", kind="entity"), page("green"))
    with_lints(root, 'id: linked, kind: orphan, appliesTo: "*", severity: warn, params: {index: false}')

    assert found(root, "entry_orphan") == ["concepts/home.md"]


# -- two dialects, and limits --------------------------------------------------------------------------------------


def test_the_seeds_dialect_is_written_by_default(written: Path) -> None:
    """Two page dialects: “The seed's page says schema: knowledge/v1 and lists sources: as paths (sources/a.pdf).”"""
    heads = heads_of(written)

    assert {each["schema"] for each in heads.values()} == {"knowledge/v1"}
    assert heads["summaries/more.md"]["sources"] == ["sources/deep/more.txt"]


def test_the_later_dialect_lists_ids_and_may_stand_below_entries(root: Path) -> None:
    """Two page dialects: “The JSON Schema says schema: knowledge.entry/v1 and lists source ids (the file's stem,
    kebab-case); its pages may stand under entries/<kind>s/.”
    """
    (_, text) = page("oolong", **LATER)
    plant(root, ("entries/concepts/oolong.md", text))

    assert curate(root, "validate").status == 0
    edited(root, "entries/concepts/oolong.md", ("sources: [tea]", "sources: [coffee]"))
    assert curate(root, "validate").codes == ["source_unresolved"]


def test_both_dialects_are_read_in_one_wiki(root: Path) -> None:
    """Two page dialects: “curator writes the seed's dialect by default, reads both, keeps a wiki in the dialect it
    finds, and can be told which to write.”
    """
    plant(root, page("oolong", **LATER), page("assam", kind="entity"))

    assert curate(root, "validate").status == 0
    hits = curate(root, "search", "oxidised")["hits"]
    assert {"oolong", "assam"} <= {hit["slug"] for hit in hits}


@pytest.mark.parametrize("later", [True, False])
def test_a_wiki_is_kept_in_the_dialect_it_has(root: Path, later: bool) -> None:
    """Two page dialects: “keeps a wiki in the dialect it finds”"""
    fields = LATER if later else {}
    (_, home), (_, text) = page("home", "See [[oolong]].", title="Home", **fields), page("oolong", **fields)
    (root / "entries" / "concepts").mkdir(parents=True)
    for name, written in (("home", home), ("oolong", text)):
        (root / "entries" / "concepts" / f"{name}.md").write_text(written)
    drop(root, "tea.txt", TEA_TEXT)
    commit(root)

    ingest(
        root,
        "oolong-notes.txt",
        TEA,
        proposal(summary(SAID), Create(op="create", kind="entity", title="Fujian", body=(SAID,))),
    )

    new = {path: head(file) for path, file in pages(root).items() if "fujian" in path or "oolong-notes" in path}
    assert set(new) == {"entries/entities/fujian.md", "entries/summaries/oolong-notes.md"}
    expected = ("knowledge.entry/v1", ["oolong-notes"]) if later else ("knowledge/v1", ["sources/oolong-notes.txt"])
    assert {(each["schema"], *each["sources"]) for each in new.values()} == {(expected[0], *expected[1])}
    assert curate(root, "validate").status == 0


def test_a_wiki_says_in_which_dialect_new_pages_are_written(root: Path) -> None:
    """Two page dialects: “can be told which to write”"""
    plant(root, page("home"))
    edited(root, "KNOWLEDGE.md", ("metadata:\n", "metadata:\n  curator: {dialect: knowledge.entry/v1}\n"))
    curate(root, "approve")

    ingest(root, "2026-notes.txt", TEA, proposal(summary(SAID), concept(SAID)))
    ingest(root, "2026-notes.txt", TEA + "It is brewed often.\n")

    heads = {each["slug"]: (each["schema"], each["sources"]) for each in heads_of(root).values()}
    later = ("knowledge.entry/v1", ["2026-notes"])
    assert heads == {"home": ("knowledge/v1", ["sources/tea.txt"]), "oolong": later, "s-2026-notes": later}
    edited(root, "KNOWLEDGE.md", ("knowledge.entry/v1", "knowledge.entry/v2"))
    assert "knowledge.entry/v2" in curate(root, "search", "oolong")["error"]["message"]


LIMITS = [
    ("slug", "a", "aa"),
    ("slug", "a" * 97, "a" * 96),
    ("slug", "-ab", "a-b"),
    ("slug", "Ab", "ab"),
    ("title", "", "x"),
    ("title", "x" * 201, "x" * 200),
    ("kind", "Entity", "entity"),
    ("kind", "1st", "concept"),
]


@pytest.mark.parametrize("dialect", ["knowledge/v1", "knowledge.entry/v1"])
@pytest.mark.parametrize("field, wrong, right", LIMITS, ids=range(len(LIMITS)))
def test_slug_title_and_kind_have_limits(dialect: str, field: str, wrong: str, right: str) -> None:
    """Frontmatter limits: “slug 2-96 characters, ^[a-z][a-z0-9-]*[a-z0-9]$ (the seed's own example of a summary
    slug starts with a date, so a leading digit is read as well); title 1-200; kind ^[a-z][a-z0-9-]*$; optional
    tags, links, refs.”
    """
    fields: dict[str, Any] = {
        "schema": dialect,
        "slug": "ok",
        "kind": "concept",
        "title": "Ok",
        "updated_at": "2026-05-01",
    }

    define_entry({**fields, field: right})

    with pytest.raises(KnowledgeError) as caught:
        define_entry({**fields, field: wrong})
    assert [each.as_json()["field"] for each in caught.value.findings] == [field]


def test_a_slug_that_begins_with_a_date_is_read(root: Path) -> None:
    """Frontmatter limits: “(the seed's own example of a summary slug starts with a date, so a leading digit is read
    as well)”
    """
    ingest(root, "2026-04-15-paper.txt", TEA, proposal(summary(SAID)))

    assert "summaries/2026-04-15-paper.md" in pages(root)
    assert curate(root, "validate").status == 0


def test_long_names_are_cut_to_the_limits(root: Path) -> None:
    """Frontmatter limits: “slug 2-96 characters”"""
    title = "A very long name of a tea " * 7
    ingest(
        root, f"{'long-' * 30}name.txt", f"{TEA}\n{title}\n", proposal(summary(SAID), concept(SAID, title=title[:200]))
    )

    heads = [head(file) for file in pages(root).values()]
    assert len(heads) == 2
    assert all(2 <= len(each["slug"]) <= 96 and 1 <= len(each["title"]) <= 200 for each in heads)
    assert curate(root, "validate").status == 0


def test_tags_links_and_refs_are_optional(root: Path) -> None:
    """Frontmatter limits: “optional tags, links, refs”"""
    plant(
        root, page("oolong", tags="[tea, partly-oxidised]", links="[assam]", refs="['wiki:other/page']"), page("assam")
    )

    assert curate(root, "validate").status == 0


def test_refs_name_things_elsewhere_and_no_lint_looks_at_them(root: Path) -> None:
    """Frontmatter limits: “refs: names things in other workspaces (github:owner/repo:path, wiki:other/slug, url:,
    local:); it is neither provenance nor a wikilink, and the broken-ref lint never looks at it.”
    """
    here = ["github:owner/repo:gone.md", "github:owner/repo:gone.py#symbol=gone", "wiki:other/gone", "local:../gone.md"]
    refs = str([*here, "url:https://example.org/gone.md", "ws://operators/gone", "ws://skills/gone#symbol=gone"])
    plant(root, page("oolong", refs=refs), page("bare", sources="", refs="['wiki:other/assam']"), page("assam"))

    assert curate(root, "validate").codes == ["source_required"]
    for odd in ("ws://", "github:", "local: ../x", "wiki:a#symbol=", "operators/gone"):
        (failure,) = of_entry(Page(*page("odd", refs=f"['{odd}']")))
        assert failure.field == "refs[0]", odd
    assert found(root, "link_broken") == []
    assert "concepts/bare.md" in found(root, "source_required")  # a ref is no provenance
    assert curate(root, "rename", "assam", "assam-tea")["changed"] == ["assam-tea", "home"]  # and no link


# -- entries -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("relation", ["supersedes", "contradicts"])
def test_relations_name_pages_that_are_there_or_are_made(kept: Path, relation: str) -> None:
    """Entries: “supersedes and contradicts must point at pages that exist or are made in the same batch.”"""
    before = state(kept)
    wrong = proposal(summary(SAID), Mark(op="mark", page="oolong", **{relation: ("gone",)}))  # type: ignore[arg-type]
    assert ingest(kept, "more.txt", TEA + BREWING, wrong)["status"] == "parked"
    (kept / "sources/more.txt").unlink()
    assert state(kept) == before

    fujian = Create(op="create", kind="entity", title="Fujian", body=(SAID,))
    words = "Oolong replaces and contradicts Fujian."
    mark = Mark(op="mark", page="oolong", quotes=(words,), **{relation: ("fujian",)})  # type: ignore[arg-type]
    right = proposal(summary(SAID), fujian, mark)
    assert ingest(kept, "more.txt", f"{TEA}{BREWING}\n{words}\n", right)["status"] == "ingested"
    assert head(kept / "concepts/oolong.md")[relation] == ["fujian"]

    edited(kept, "concepts/oolong.md", ("- fujian\n", "- gone\n"))
    assert curate(kept, "validate").codes == ["link_broken"]


def test_a_rename_takes_every_link_along_in_one_commit(root: Path) -> None:
    """Entries: “Renaming a slug rewrites every inbound link in the same transaction.”"""
    plant(
        root,
        page("oolong", contradicts="[assam]"),
        page("assam", contradicts="[oolong]", kind="entity"),
        page("one", "See [[oolong]], [[oolong#Kinds|kinds]] and [it](oolong.md)."),
        page("two", "See [it](../concepts/oolong.md).", supersedes="[oolong]", kind="entity"),
    )
    before = git(root, "rev-parse", "HEAD")

    curate(root, "rename", "oolong", "blue-tea")

    assert git(root, "rev-list", "--count", f"{before}..HEAD") == "1"
    assert not [
        path
        for path, file in pages(root).items()
        if re.search(r"oolong(?!-|_)", file.read_text().replace("Oolong", ""))
    ]
    said = curate(root, "validate", "--all")
    assert [each["code"] for each in said["findings"] if each["severity"] == "error"] == []


def test_a_rename_takes_the_links_of_a_head_along(root: Path) -> None:
    """Entries: “Renaming a slug rewrites every inbound link in the same transaction.”"""
    plant(root, page("oolong", title="A tea of Fujian"), page("assam", links="[oolong]"))
    assert curate(root, "validate").status == 0

    curate(root, "rename", "oolong", "blue-tea")

    assert head(root / "concepts/assam.md")["links"] == ["blue-tea"]
    assert curate(root, "validate").status == 0


def test_a_page_that_is_removed_is_logged_with_the_reason(kept: Path) -> None:
    """Entries: “Deleting a page is logged with its reason.”"""
    curate(kept, "remove", "oolong", "--why", "nobody drinks it")

    last = events(kept)[-1]
    assert (last.type, last.subject) == ("manual", "remove oolong")
    assert any("nobody drinks it" in bullet for bullet in last.bullets)
    assert "concepts/oolong.md" not in pages(kept)


def test_a_page_cites_a_source_and_does_not_link_to_it(kept: Path) -> None:
    """Entries: “A page body does not link into sources/; it cites.”"""
    assert '[^oolong-notes-1]: sources/oolong-notes.txt#L5 "' in (kept / "concepts/oolong.md").read_text()

    linked = Claim(text="It is [here](../sources/more.txt).", quotes=("Oolong can be brewed five times",))
    said = ingest(kept, "more.txt", TEA + BREWING, proposal(summary(SAID), concept(linked)))
    assert (said["status"], said["findings"][0]["code"]) == ("parked", "link_inline_to_source")

    edited(kept, "concepts/oolong.md", ("# Oolong\n", "# Oolong\n\nSee [it](../sources/oolong-notes.txt).\n"))
    assert curate(kept, "validate").codes == ["link_inline_to_source"]


def test_an_unsourced_page_fails_but_for_derived_kinds(root: Path) -> None:
    """Entries: “Unsourced pages are a lint failure but for derived kinds (comparison, timeline).”"""
    bare = {"sources": "", "confidence": "0.5"}
    plant(root, *[page(f"a-{kind}", "Words.", kind=kind, **bare) for kind in sorted(KINDS)])

    said = curate(root, "lint", "--no-log")

    unsourced = [each for each in said["findings"] if each["code"] == "source_required"]
    assert [each["path"] for each in unsourced] == [
        "concepts/a-concept.md",
        "entities/a-entity.md",
        "summaries/a-summary.md",
    ]
    assert (said.status, {each["severity"] for each in unsourced}) == (1, {"error"})
