"""The service (DESIGN, section 6): it notices new files in ``sources/``, queues them, and has children take them in.

A station has all that is there for one wiki; its ``service`` decides what comes next, and the ``crew`` does it.
"""
