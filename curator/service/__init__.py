"""The service, ``curate watch`` (DESIGN, section 6): it notices files in ``sources/``, queues them and starts workers.

A ``WikiService`` has everything of one wiki; its ``Scheduler`` decides what comes next, and the workers do it.
"""
