"""The sandbox: a program that handles untrusted input in a process with as few rights as possible.

    python -I -S -B sandbox read --format FORMAT --name NAME --max-chars N [--packages DIRS] [--allow-weak yes] < source
    python -I -S -B sandbox readers --line N [--packages DIRS]
    python -I -S -B sandbox complete [--packages DIRS]
    python -I -S -B sandbox lend --line N --model MODEL [--packages DIRS]
    python -I -S -B sandbox prove read|complete [--packages DIRS]

``read`` turns a source's bytes into text with anchors; ``readers`` forks a ``read`` for each source that comes through N.
``complete`` asks a language model as long as lines come in.
``lend`` loads litellm once and forks a ``complete`` for each line of descriptors that comes through N.
``prove`` locks itself as the other two do, tries to get out, and reports each attempt.

curator starts it and never imports it, so that a fault in a parser or in litellm stays inside. ``-S`` keeps the
``.pth`` files of installed packages from running; DIRS (separated as in PATH) says where the packages are instead.
"""

import os
import sys


def main(arguments: list[str]) -> int:
    """Run the mode that ``arguments`` name; only that mode's modules are loaded, because every start is waited for."""
    mode, options = _parsed(arguments)
    packages = [folder for folder in options.get("packages", "").split(os.pathsep) if folder]
    sys.path.extend(folder for folder in packages if folder not in sys.path)
    if mode == ["read"]:
        import read

        most, allow_weak = int(options["max-chars"]), options.get("allow-weak") == "yes"
        return read.main(options["format"], options["name"], most, packages, allow_weak)
    if mode == ["readers"]:
        import readers

        return readers.main(packages, int(options["line"]))
    if mode == ["complete"]:
        import complete

        return complete.main(packages)
    if mode == ["lend"]:
        import lend

        return lend.main(packages, int(options["line"]), options["model"])
    if mode in (["prove", "read"], ["prove", "complete"]):
        import prove

        return prove.main(mode[1], packages)
    sys.stderr.write(f"{__doc__}\n")
    return 2


def _parsed(arguments: list[str]) -> tuple[list[str], dict[str, str]]:
    """Words and ``--name value`` pairs; argparse would cost half of the time a short source takes."""
    words: list[str] = []
    options: dict[str, str] = {}
    rest = iter(arguments)
    for argument in rest:
        if argument.startswith("--"):
            options[argument[2:]] = next(rest, "")
        else:
            words.append(argument)
    return words, options


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
