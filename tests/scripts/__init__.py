"""Programs beside the tests: the demo, the reference pages, the wheel, the audit, the soaks."""
