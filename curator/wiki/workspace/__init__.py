"""KNOWLEDGE.md in full: one manifest's shape, the chain it extends, and what holds in the end (AIP-10, layer 4).

    schema.py  refs.py      what one file may say; the names it calls others by
    manifest.py             one file, checked
    chain.py  merge.py      the manifests it extends; the table they are merged by
    policy.py               what a governance policy lets a view do
    constraints.py          what no view can take back
    effective.py            all of it, with who said what
    overlay.py              whose page is seen where layers have the same one

All of it is pure: a function that reads a path is passed in.
"""
