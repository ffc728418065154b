"""Words that point back at the sentence before."""

from __future__ import annotations

import re

POINTS_BACK = re.compile(
    r"\W*(?:it|its|they|their|them|this|that|these|those|he|she|his|her|such|both|there|here|also|but|however|so|then|thus|"
    r"hence|therefore|instead|and|or|nor|otherwise|else|conversely|likewise|similarly|the (?:same|former|latter|other))\b",
    re.IGNORECASE,
)
"""How a statement begins that is only understood behind another one."""
