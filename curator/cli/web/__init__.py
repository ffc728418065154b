"""The page that proves itself: the wiki in a browser, on this machine only.

server.py  gate.py  app.py      listens, lets in, and knows which address is answered by which view
served.py  loading.py           the wikis that are shown; modules loaded once the first view was seen
home.py  views.py  reading.py   what is read: pages, sources, the graph, history (graph.py, versions.py)
answers.py  doubts.py           questions and answers; what asks for a person, and a claim to try
acts.py  works.py               what is done from the browser, and how far it is
activity.py  streams.py         what is told while it happens
proofs.py  saved_proof.py       what ``static/prove.js`` proves by itself
rendering.py  shown.py          Markdown and values as HTML
site.py                         the same as files, for ``curate export site``
"""
