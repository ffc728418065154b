"""``make quality``: how good a wiki a curator makes of documents, against what plain retrieval does with the documents.

    python tests/quality [CORPUS] [--sources DIR] [--pages DIR | --model NAME] [--json FILE] [--sample-links N]

CORPUS is a folder as tests/quality/corpus.py describes it (else the one that is shipped); the sources stand in it or in
``--sources`` (else ``CURATOR_CORPUS``, with the questions on packaging of Python). Without ``--pages`` a wiki is made
with ``curate``, by ``--model`` (litellm's name) or the built-in curator.
``--answer-with`` has a model answer from what is shown. The last section judges claims
(tests/quality/claims.py; ``--claims none`` leaves it out).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from random import Random

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from quality import answers, claims, curated, report
from quality.corpus import Corpus
from quality.pages import PageFolder, statement

NO_CLAIMS = Path("none")
HERE = Path(__file__).resolve().parent


def main() -> int:
    options = _options()
    for name in ("CURATOR_CORPUS", "CURATOR_CLAIMS", "CURATOR_SOURCES", "CURATOR_WIKI"):
        os.environ.pop(name, None)  # curate takes them for settings, which it does not know
    corpus = Corpus(options.corpus, options.sources or options.corpus / "sources", options.half)
    if faults := list(corpus.missing()):
        print(*faults, sep="\n", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        root = options.pages or options.keep or Path(scratch) / "wiki"
        if not options.pages:
            curated.make_wiki(corpus, root, options.model, options.api_base)
        folder = PageFolder(root)
        if options.sample_links:
            _sample(folder, options.sample_links)
            return 0
        measured = report.QualityReport()
        report.measure_pages(measured, corpus, folder)
        ways = report.yardsticks(corpus) | report.of_pages(folder)
        report.measure_material(measured, corpus, ways)
        if folder.is_kept_by_curate and not options.no_answers:
            name = options.answer_with
            report.measure_ask(
                measured,
                corpus,
                lambda question: curated.answer(root, question, name, options.api_base),
                name or "built-in",
            )
        if options.answer_with:
            report.measure_answers(measured, corpus, ways, answers.by_litellm(options.answer_with, options.api_base))
    if options.claims != NO_CLAIMS:
        report.add_claims(measured, claims.measure_claims(options.claims, options.claim_sources, options.held_back))
    print(*measured.lines(), sep="\n")
    if options.json:
        options.json.write_text(json.dumps(measured.json(), indent=2, ensure_ascii=False) + "\n", "utf-8")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How good a wiki a curator makes of documents.")
    given = os.environ.get("CURATOR_CORPUS")
    parser.add_argument("corpus", type=Path, nargs="?", default=HERE / ("packaging" if given else "lanterns"))
    parser.add_argument("--sources", type=Path, default=Path(given) if given else None)
    parser.add_argument("--half", choices=("even", "odd", ""), default="", help="only the questions with such numbers")
    parser.add_argument("--pages", type=Path, help="a folder of Markdown pages, whoever wrote them")
    parser.add_argument("--model", help="litellm's name of the model that curates; none: the built-in curator")
    parser.add_argument("--no-answers", action="store_true", help="leave out what curate ask answers; it takes longest")
    parser.add_argument(
        "--answer-with", metavar="NAME", help="litellm's name of a model that answers from the material"
    )
    parser.add_argument("--api-base", help="the address of an OpenAI-compatible server, for both models")
    parser.add_argument("--keep", type=Path, help="where the wiki is made, and stays")
    parser.add_argument(
        "--sample-links", type=int, metavar="N", help="print so many links, for a reader, and nothing else"
    )
    for name, what in (("claims", "labelled claims, or none"), ("sources", "documents for the part without labels")):
        given = os.environ.get(f"CURATOR_{name.upper()}")
        option = "--claims" if name == "claims" else "--claim-sources"
        parser.add_argument(option, type=Path, default=Path(given) if given else None, help=f"a folder with {what}")
    parser.add_argument("--held-back", nargs="*", default=claims.HELD_BACK)
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def _sample(folder: PageFolder, number: int) -> None:
    found = [link for page in folder.pages for link in page.links]
    for link in Random(0).sample(found, min(number, len(found))):
        target = folder.resolved(link.target)
        print(f"{link.page}\t{link.text} → {target.title if target else f'nothing ({link.target})'}\t{statement(link)}")


if __name__ == "__main__":
    raise SystemExit(main())
