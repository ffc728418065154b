"""``curate`` that is as quick to look, and to try again, as a test wants it: what takes seconds takes tenths.

python -P tests/support/impatient.py watch WIKI
"""

from __future__ import annotations

from curator.cli import main
from curator.service import circuit_breaker, scheduler, wiki_service
from curator.service.watching import scan

circuit_breaker._LASTING = circuit_breaker._FIRST = wiki_service._RETRY_SECONDS = 1.0
scheduler._TICK, scan.Settling.__init__.__defaults__ = 0.3, (0.3, 2)
main()
