"""A source becomes one commit (AIP-10, ingest contract).

take_in.py  result.py   one file and whatever becomes of it: begin here
intake.py               the file: its place, its bytes, its text
flow.py                 from the source to the commit, over request.py, attempt.py, plan.py and review.py
drafting/               a reply becomes pages, operation by operation
retrieval.py            which pages the model is shown
estimate.py  waiting.py what it would cost; what did not get in
web/                    pages of the web and reading lists, which bring files
"""
