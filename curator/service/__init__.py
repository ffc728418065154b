"""The service, ``curate watch``: it notices files in ``sources/``, queues them and starts workers.

A ``WikiService`` has everything of one wiki; its ``Scheduler`` decides what comes next, and the workers do it.
"""
