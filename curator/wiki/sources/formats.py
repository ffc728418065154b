"""The formats of sources: which suffix is which, what has to be installed to read it, and why the others are not read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from curator.errors import SourceError
from curator.system.filenames import printable

_SUFFIXES = {
    "markdown": "md markdown",
    "text": "txt text",
    "rst": "rst",
    "asciidoc": "adoc asciidoc",
    "org": "org",
    "html": "html htm xhtml",
    "pdf": "pdf",
    "docx": "docx",
    "odt": "odt",
    "rtf": "rtf",
    "pptx": "pptx",
    "xlsx": "xlsx",
    "epub": "epub",
    "csv": "csv tsv",
    "email": "eml mbox",
    "subtitles": "vtt srt",
    "notebook": "ipynb",
    "tex": "tex",
    "data": "json jsonl yaml yml toml",
    "code": "py pyi js mjs ts tsx jsx c h cc cpp hpp cs java kt scala go rs rb php pl lua r jl swift sh bash sql hs ml el",
}
FORMATS = {f".{suffix}": name for name, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
FORMATS[""] = "text"  # README, LICENSE: what does not decode as text is refused when it is read
"""Formats that are read, by the file name's suffix in lower case."""
PLAIN = ("text", "rst", "asciidoc", "org", "data", "code")
"""Formats whose lines are the text's but for remarks, as ``sandbox/read.py`` has them, which curator does not import."""
READER = 5
"""Another number whenever a reader gives another text of the same bytes: what was read and proven by another is so anew."""
SCAN = "scan"
"""How a PDF is read that has pages which are pictures, where the words on them can be recognised."""
EXTRAS = {"pdf": "pdf", SCAN: "ocr"}
"""The extra of curate-wiki that brings what a reader needs, where it needs something."""
MODULES: dict[str, tuple[str, ...]] = {
    "pdf": ("pypdfium2", "pypdfium2_raw"),
    SCAN: ("pypdfium2", "pypdfium2_raw", "tesserocr"),
}
"""The packages that a reader imports, by their names in Python: where they are installed, the jail lets it read them."""

_PICTURE = "it is a picture, and curator reads words: put what it shows into a text file, or scan pages into a PDF"
_RECORDING = "it is a recording, and curator reads words: put a transcript of it (.vtt, .srt or .txt) into sources/"
_ARCHIVE = "it is an archive: unpack it, and put the files that matter into sources/"
_OTHER = {
    **dict.fromkeys("png jpg jpeg gif webp bmp tif tiff svg ico heic avif psd xcf raw".split(), _PICTURE),
    **dict.fromkeys("mp3 wav ogg oga opus flac m4a aac wma mp4 m4v mkv mov avi webm mpg mpeg".split(), _RECORDING),
    **dict.fromkeys("zip tar gz tgz bz2 xz zst 7z rar jar iso deb rpm whl dmg".split(), _ARCHIVE),
    **dict.fromkeys("doc dot wps wpd".split(), "save it as DOCX, ODT or PDF"),
    **dict.fromkeys("xls xlsb ods".split(), "save it as XLSX or CSV"),
    **dict.fromkeys("ppt odp key".split(), "save it as PPTX or PDF"),
    **dict.fromkeys("pages numbers pub vsd vsdx indd".split(), "export it as PDF or DOCX"),
    **dict.fromkeys("ps eps djvu xps dvi".split(), "convert it to PDF"),
    **dict.fromkeys("mobi azw azw3 fb2 lit".split(), "convert it to EPUB"),
    **dict.fromkeys("msg pst".split(), "save the message as .eml"),
    **dict.fromkeys("db sqlite sqlite3 mdb accdb parquet feather h5".split(), "export the tables that matter as CSV"),
    **dict.fromkeys("exe dll so dylib o a class pyc wasm bin".split(), "it is a program: it says nothing in words"),
    **dict.fromkeys("ttf otf woff woff2".split(), "it is a font: it says nothing in words"),
}
"""What would help where there is no reader, by suffix."""


@dataclass(frozen=True)
class SourceLimits:
    """How much of a source is read, and where."""

    bytes: int
    characters: int
    allow_weak: bool = False
    """Formats that a library takes apart are read even where the sandbox is weak."""


Limits = Callable[[], SourceLimits]
"""The limits, when they are asked for: reading the settings takes its time."""


def format_of(path: PurePath, shown: str = "") -> str:
    """The format of a file by its name. Raises SourceError, which says what would help, where nothing reads it."""
    suffix = path.suffix.lower()
    if suffix in FORMATS and (suffix or not path.name.startswith(".")):
        return FORMATS[suffix]
    seen = printable(path.suffix) or "hidden files"
    known = f"make it one of {' '.join(f'.{suffixes.split()[0]}' for suffixes in _SUFFIXES.values())}"
    said = f"{shown}: there is no reader for {seen}" if shown else f"there is no reader for {seen}"
    raise SourceError("format_unknown", said, _OTHER.get(suffix.removeprefix("."), known))


def hint_to_install(name: str) -> str:
    """How to get what the reader of a format needs."""
    extra = EXTRAS.get(name)
    return f"pip install 'curate-wiki[{extra}]'" if extra else "save it as text, HTML or Markdown"
