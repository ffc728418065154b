"""The footnotes that new claims of a page get."""

from __future__ import annotations

from curator.wiki.pages.citation import Citation, mark, marks_in
from curator.wiki.pages.page import Page


class FootnoteLabels:
    """Footnote labels of one page: an equal citation is used again, a new one gets the source's next number."""

    def __init__(self, page: Page, source_id: str) -> None:
        self.known = {citation: label for label, citation in page.citations.items()}
        taken = {*marks_in(page.body), *(block.info for block in page.outline.blocks if block.kind == "note")}
        # No pattern with the id in it: re would keep the patterns of five hundred sources.
        prefix = f"{source_id}-"
        ends = [label.removeprefix(prefix) for label in taken if label.startswith(prefix)]
        numbers = [int(end) for end in ends if end.isdecimal()]
        self.source_id = source_id
        self.next = max(numbers, default=0) + 1
        self.new_notes: dict[str, str] = {}

    def label(self, citation: Citation) -> str:
        if citation not in self.known:
            label = f"{self.source_id}-{self.next}"
            self.next += 1
            self.known[citation] = label
            self.new_notes[label] = citation.definition(label)
        return self.known[citation]

    def notes_for(self, text: str) -> list[str]:
        """The new footnotes that ``text`` cites; blocks that claim nothing, such as code, need none."""
        return [note for label, note in self.new_notes.items() if mark(label) in text]
