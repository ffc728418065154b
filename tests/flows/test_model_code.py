"""A language model's reply with the examples of its source in code, taken in again."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

from test_model_replies import Replays

from curator.repository.repository import Repository
from scripts.audit import audit
from support.places import FIXTURES
from support.wikis import drop, take_in

KEPT = FIXTURES / "model-code"
CODE = '```python\nimport re\n\ndef normalize(name):\n    return re.sub(r"[-_.]+", "-", name).lower()\n```'


def test_the_example_of_a_source_stands_whole_below_the_words_that_lead_to_it(root: Path) -> None:
    model = Replays(KEPT / "1-pep-0503.blocks.txt")
    with Repository(root) as repository:
        outcome = take_in(drop(root, "pep-0503.rst", (KEPT / "pep-0503.rst").read_text("utf-8")), repository, model)

    said = (root / "concepts" / "normalized-name.md").read_text("utf-8")
    assert f"with the `re` module. [^pep-0503-5]\n\n{indent(CODE, '  ')}\n" in said
    assert [each.code for each in outcome.left_out] == ["alias_unknown"]  # the source has "simple" API, in marks
    assert audit(root).faults == []
