"""The rules by which a claim is judged, by what it may get wrong; the list of them is in ``judge.py``."""
