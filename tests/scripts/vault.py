"""A vault before and after: makes one of NOTES notes, takes all of it in, and says what changed and where the links lead.

    python tests/scripts/vault.py [NOTES] [DIR]

500 notes take two minutes of a processor; tests/flows/test_vault.py does the same with 24.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from support import link_rules, vault, vault_links  # noqa: E402


def main(notes: int, folder: Path) -> int:
    home = vault.make(folder / "Vault", notes)
    before = vault.fingerprint(home)
    for command in (["init"], ["ingest", "."]):
        subprocess.run([sys.executable, "-P", "-m", "curator", *command], cwd=home, check=True, stdout=subprocess.PIPE)
    after = vault.fingerprint(home)
    changed = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    print(f"{len(before)} files of the vault: {len(changed)} changed {changed[:5] or ''}")
    wrong = bool(changed)
    for program in link_rules.RULES:
        found = vault_links.led(home, program)
        print(f"{program}: {found.total - len(found.wrong)} of {found.total} links lead to the page meant")
        wrong |= bool(found.wrong) and program in ("Obsidian", "VS Code with Foam", "Quartz")
    return int(wrong)


if __name__ == "__main__":
    number = int(sys.argv[1]) if sys.argv[1:] else 500
    if sys.argv[2:]:
        sys.exit(main(number, Path(sys.argv[2])))
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(main(number, Path(scratch)))
