"""The wall: the rules that a proposed change must keep. Deterministic, all run, all findings are told.

The wall looks at the pages that would be committed and assumes that whoever proposed them is hostile. Every rule is a
generator over a change and has one stable code, named in its docstring with its number in the list it came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from curator.checks.rules import (
    bodies,
    claims,
    fields,
    footnotes,
    frames,
    frontmatter,
    graph,
    hidden,
    labels,
    links,
    moves,
    names,
    paths,
    placed,
    proofs,
    sequences,
    signs,
    sizes,
    urls,
)
from curator.checks.rules.change import Change
from curator.finding import Finding

Rule = Callable[[Change], Iterator[Finding]]

PLACES: tuple[Rule, ...] = (
    paths.malformed,
    paths.outside,
    paths.protected,
    paths.reserved,
    paths.too_long,
    paths.collides,
)
"""These read no page, only where it stands."""

HEADS: tuple[Rule, ...] = (
    frontmatter.missing,
    frontmatter.too_long,
    frontmatter.schema,
    frontmatter.slug,
    frontmatter.kind,
    frontmatter.title,
    frontmatter.updated_at,
    frontmatter.unknown_field,
)
"""What a page says of itself."""

LINKS: tuple[Rule, ...] = (
    links.link_broken,
    links.anchor_broken,
    links.link_protected,
    links.link_to_source,
    links.embed_added,
    urls.link_scheme,
    urls.url_not_in_source,
    urls.url_host,
    urls.url_query,
    names.link_label,
)
"""Where a page leads."""

STATEMENTS: tuple[Rule, ...] = (
    labels.label_claims,
    labels.heading_form,
    labels.table_empty,
)
"""What is stated, and how."""

BODIES: tuple[Rule, ...] = (
    bodies.html_added,
    bodies.code_not_in_source,
    bodies.code_unled,
    bodies.fence_open,
    bodies.active_markup,
    bodies.hidden_characters,
    hidden.reference_added,
    hidden.link_title,
    hidden.plugin_markup,
    hidden.mixed_script,
    signs.foreign_markup,
    signs.sign_unknown,
    signs.list_number,
    sequences.list_order,
    sequences.item_misled,
)
"""What a page is made of."""

MOVES: tuple[Rule, ...] = (
    moves.page_lost,
    *PLACES,
    sizes.page_too_large,
    frontmatter.slug,
    frontmatter.title,
    graph.slug_taken,
    graph.name_taken,
    links.link_broken,
    footnotes.citation_undefined,
)
"""What pages keep that become one, or part: nothing new is said, so nothing is asked of a source."""

REGROUPED: tuple[Rule, ...] = (
    *MOVES,
    sizes.human_block,
    moves.rename_unstated,
    moves.merge_unstated,
    moves.move_unnamed,
    moves.regrouped_too_much,
)
"""The same where a model asks for it, for a source: that has to bear it out."""

RULES: tuple[Rule, ...] = (
    *PLACES,
    sizes.diff_header,
    sizes.diff_unfit,
    sizes.line_ends,
    sizes.too_many_pages,
    sizes.page_too_large,
    sizes.plan_too_large,
    sizes.page_shrinks,
    sizes.body_empty,
    sizes.human_block,
    sizes.line_too_long,
    *HEADS,
    frontmatter.second_head,
    fields.changed,
    fields.confidence,
    fields.confidence_raised,
    fields.source_lost,
    fields.source_unlisted,
    fields.source_uncited,
    fields.source_unknown,
    fields.relation_lost,
    graph.slug_taken,
    graph.name_taken,
    graph.relation_broken,
    graph.relation_to_self,
    graph.relation_ring,
    graph.relations_too_many,
    graph.one_sided,
    *LINKS,
    names.title_unknown,
    names.alias_unknown,
    footnotes.citation_lost,
    footnotes.citation_undefined,
    footnotes.citation_unproven,
    footnotes.note_invalid,
    footnotes.note_unused,
    proofs.proof_changed,
    proofs.proof_added,
    proofs.statements_lost,
    proofs.title_changed,
    proofs.summary_reworded,
    proofs.lead_forged,
    frames.statement_framed,
    claims.claim_uncited,
    claims.claim_unsupported,
    claims.quote_stretched,
    *STATEMENTS,
    labels.label_unknown,
    labels.table_broken,
    *BODIES,
    placed.item_led,
    placed.heading_misleads,
)

OF_STATEMENTS = frozenset(
    {
        "claim_uncited",
        "claim_unsupported",
        "code_not_in_source",
        "code_unled",
        "foreign_markup",
        "heading_form",
        "heading_misleads",
        "item_led",
        "item_misled",
        "label_claims",
        "label_unknown",
        "line_too_long",
        "link_anchor_broken",
        "link_broken",
        "link_label",
        "link_title",
        "list_number",
        "list_order",
        "mixed_script",
        "plugin_markup",
        "quote_stretched",
        "sign_unknown",
        "table_empty",
    }
)
"""Codes of what a careless writer does, too, in one statement: where it can be told in which, that one goes, and the rest
may land. All others are of a whole page, or of a writer whom nobody should trust."""


def broken_by(change: Change) -> list[Finding]:
    """Every rule that ``change`` breaks. A page whose frontmatter cannot be read is judged by its place alone."""
    unreadable = list(frontmatter.unreadable(change))
    rules = PLACES if unreadable else RULES
    return [*unreadable, *(finding for rule in rules for finding in rule(change))]
