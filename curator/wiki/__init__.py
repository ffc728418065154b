"""The pure model of a wiki: pages, sources, KNOWLEDGE.md; no file is opened and no program run here.

wiki.py                 the value that all else works on: a commit, with the pages a change puts over it
pages/                  one page: head, Markdown, links, citations, edits of its body
sources/                one source: its text, its record, the words quoted of it; the registry
workspace/              KNOWLEDGE.md, and what a chain of them comes to
naming/  english/       whether a source gives a name; words, stems and numbers
support/                whether a quote bears a claim out
passages/               pages and sources, piece by piece, ranked for a question
mentions.py  senses.py  whether a word means a page's thing; autolink.py and relink.py link by them
placing.py  merging.py  where an addition goes; two pages made one
index.py  log.py        the generated files
define_entry.py  references.py  validation.py   what a page's head may hold, and must find
"""
