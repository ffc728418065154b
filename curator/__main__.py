"""``python -m curator`` is ``curate``."""

from curator.cli import main

if __name__ == "__main__":
    main()
