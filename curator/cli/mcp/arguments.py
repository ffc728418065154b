"""What each tool takes. A name that it does not know is refused."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from curator.packs.context.resolver import EvidenceWanted

_Line = Annotated[str, Field(min_length=1, max_length=4_000)]
_AllTypes = Annotated[bool, Field(description="Pages of all types, whatever the wiki's scope.")]


class ToolArguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SearchArguments(ToolArguments):
    query: Annotated[
        _Line, Field(description='A question, or words; a "quoted phrase" has to stand there, -word must not.')
    ]
    limit: Annotated[int, Field(ge=1, le=50, description="How many pages.")] = 10
    all_types: _AllTypes = False


class PageArguments(ToolArguments):
    page: Annotated[_Line, Field(description="Its slug, title, alias or path.")]
    proof: Annotated[
        bool, Field(description="Instead of its text: what each claim cites, read in the sources, and the verdict.")
    ] = False


class AskArguments(ToolArguments):
    question: _Line
    all_types: _AllTypes = False


class CatalogArguments(ToolArguments):
    pass


class ActivateArguments(ToolArguments):
    pack: Annotated[_Line, Field(description="Its name in the catalog.")]
    again: Annotated[bool, Field(description="Tell the guide although this session has had it.")] = False


class ContextArguments(ToolArguments):
    query: Annotated[_Line, Field(description="What the context is for.")]
    packs: Annotated[
        tuple[_Line, ...], Field(max_length=20, description="Names in the catalog; none: those that the query matches.")
    ] = ()
    any_pack: Annotated[bool, Field(description="Look through all packs that may be loaded.")] = False
    budget: Annotated[int, Field(ge=200, le=20_000, description="Tokens of all that comes back.")] = 2_000
    evidence: Annotated[EvidenceWanted, Field(description="What it is for; passages of sources for the last two.")] = (
        "none"
    )


class IngestArguments(ToolArguments):
    source: Annotated[_Line, Field(description="A file that lies in the wiki's sources/, by its path: sources/NAME.")]


class MoreArguments(ToolArguments):
    cursor: Annotated[str, Field(max_length=80, description="As the last line of the part before has it.")]
