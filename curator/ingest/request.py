"""What goes into a request: the source as the wiki knows it, and the pages that it affects."""

from __future__ import annotations

from dataclasses import replace

from curator.ingest import retrieval
from curator.ingest.drafting import new_page
from curator.models.port import Budget, Request
from curator.repository.begun import Transaction
from curator.repository.views import View
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Source


def request_for(
    source: Source, transaction: Transaction, budget: Budget, view: View | None, evidence: Evidence | None = None
) -> Request:
    """What the model is told about ``source`` and the pages it affects; ``evidence``: the source, searched before."""
    source = known_here(source, transaction)
    own = transaction.manifest().sources.get(source.path)
    found = retrieval.affected_pages(
        source, transaction.wiki, transaction.catalogue, own.slugs if own is not None else (), budget
    )
    policy = transaction.policy(view)
    return Request(
        source=source,
        policy=policy,
        conventions=transaction.read("AGENTS.md") or "",
        pages=found.pages,
        shown=found.shown,
        entries=found.entries,
        more=found.more,
        summary_slug=new_page.summary_slug(source, transaction.wiki, policy.dialect),
        evidence=evidence or Evidence(source.path, source.document),
    )


def known_here(source: Source, transaction: Transaction) -> Source:
    """The source as it is known here: by the id that it has, or gets, and with the pages that it went into before."""
    registry = transaction.registry
    record = registry.known.sources.get(source.path)
    return replace(source, id=registry.id_for(source.path), pages=record.slugs if record is not None else ())
