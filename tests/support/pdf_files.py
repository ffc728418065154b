"""Writes small PDF files: pages of text at places, in the file's own operators."""

from __future__ import annotations

from collections.abc import Sequence

FONTS = {"F": "Times-Roman", "B": "Times-Bold", "C": "Courier"}


def pdf_of(
    *pages: str, info: str = "", catalog: str = "", resources: str = "", more: Sequence[bytes] = (), fonts: str = ""
) -> bytes:
    """A file with a page for each of ``pages``, streams of operators; the fonts are F, B (bold) and C (typewriter).

    ``more`` are further objects, numbered from 10 on, which ``resources`` and ``fonts`` may name: ``/I 10 0 R``.
    """
    fonts += "".join(f"/{key}<</Type/Font/Subtype/Type1/BaseFont/{name}>>" for key, name in FONTS.items())
    first = 10 + len(more)
    numbers = range(first, first + 2 * len(pages), 2)
    shared = f"/MediaBox[0 0 612 792]/Resources<</Font<<{fonts}>>{resources}>>"
    objects = {
        1: f"<</Type/Catalog/Pages 2 0 R{catalog}>>".encode(),
        2: f"<</Type/Pages/Count {len(pages)}/Kids[{' '.join(f'{n} 0 R' for n in numbers)}]{shared}>>".encode(),
        3: f"<<{info}>>".encode("latin-1"),
    }
    objects |= dict(enumerate(more, start=10))
    for number, content in zip(numbers, pages, strict=True):
        objects[number] = f"<</Type/Page/Parent 2 0 R/Contents {number + 1} 0 R>>".encode()
        objects[number + 1] = stream(content.encode("cp1252"))
    return _file(objects)


def stream(content: bytes, entries: str = "") -> bytes:
    return f"<</Length {len(content)}{entries}>>stream\n".encode() + content + b"\nendstream"


def show(text: str, x: float, y: float, size: float = 10, font: str = "F", before: str = "") -> str:
    """The operators that paint ``text`` from (x, y) on; ``before`` sets colours and modes."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"q {before} BT /{font} {size:g} Tf {x:g} {y:g} Td ({escaped}) Tj ET Q\n"


def paragraph(lines: Sequence[str], x: float, y: float, size: float = 10, font: str = "F") -> str:
    """``lines`` below each other."""
    return "".join(show(line, x, y - 1.2 * size * row, size, font) for row, line in enumerate(lines))


def _file(objects: dict[int, bytes]) -> bytes:
    out = bytearray(b"%PDF-1.7\n")
    places = {}
    for number, content in sorted(objects.items()):
        places[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in places.items():
        out += b"%d 1\n%010d 00000 n \n" % (number, place)
    out += b"trailer<</Size %d/Root 1 0 R/Info 3 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (max(objects) + 1, start)
    return bytes(out)
