"""Small office files, made of their XML."""

from __future__ import annotations

import zipfile
from io import BytesIO

_NAMESPACES = (
    'xmlns:w="urn:w" xmlns:a="urn:a" xmlns:p="urn:p" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:zz="urn:zz" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:wp="urn:wp" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
_ODF = 'xmlns:text="urn:t" xmlns:table="urn:b" xmlns:office="urn:o" xmlns:style="urn:s" xmlns:fo="urn:f" xmlns:draw="urn:d"'


def zipped(parts: dict[str, str]) -> bytes:
    """An archive of these parts."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return file.getvalue()


def links(**targets: str) -> str:
    """Relationships: ``id=kind target``."""
    each = (
        f'<Relationship Id="{name}" Type="urn:x/{said.split()[0]}" Target="{said.split()[1]}"/>'
        for name, said in targets.items()
    )
    return f"<Relationships>{''.join(each)}</Relationships>"


def core(**fields: str) -> str:
    """The core properties of an Office Open XML file."""
    return f"<core>{''.join(f'<{name}>{text}</{name}>' for name, text in fields.items())}</core>"


def docx(body: str, **parts: str) -> bytes:
    """A Word document; ``parts`` are the insides of others: ``styles``, ``footnotes``, ``core``, ..."""
    beside = {f"word/{name}.xml": f"<w:{name} {_NAMESPACES}>{inside}</w:{name}>" for name, inside in parts.items()}
    if "core" in parts:
        beside["docProps/core.xml"] = parts["core"]
    return zipped(
        {
            "_rels/.rels": links(a="officeDocument word/document.xml", b="core-properties docProps/core.xml"),
            "word/document.xml": f"<w:document {_NAMESPACES}><w:body>{body}</w:body></w:document>",
            "word/_rels/document.xml.rels": links(**{name: f"{name} {name}.xml" for name in parts}),
            **beside,
        }
    )


def p(text: str, properties: str = "", run: str = "") -> str:
    """A paragraph of one run, with the properties of each."""
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def w_table(*rows: tuple[str, ...]) -> str:
    """A table of Word's."""
    cells = ("".join(f"<w:tc>{p(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def odt(text: str, styles: str = "", **parts: str) -> bytes:
    """An ODF text with these automatic styles."""
    automatic = f"<office:automatic-styles>{styles}</office:automatic-styles>"
    content = f"<office:document-content {_ODF}>{automatic}<office:body><office:text>{text}</office:text></office:body>"
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"{content}</office:document-content>",
            **{f"{name}.xml": inside for name, inside in parts.items()},
        }
    )


def xlsx(*sheets: str, state: str = "visible", styles: str = "", shared: str = "") -> bytes:
    """A workbook; each sheet is what its XML holds, the last one is in that state."""
    last = len(sheets)
    named = "".join(
        f'<sheet name="Sheet {n}" sheetId="{n}" r:id="s{n}" state="{state if n == last else "visible"}"/>'
        for n in range(1, last + 1)
    )
    names = {f"s{n}": f"worksheet worksheets/sheet{n}.xml" for n in range(1, last + 1)}
    return zipped(
        {
            "_rels/.rels": links(a="officeDocument xl/workbook.xml"),
            "xl/workbook.xml": f"<workbook {_NAMESPACES}><sheets>{named}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": links(**names, x="styles styles.xml", y="sharedStrings sharedStrings.xml"),
            "xl/styles.xml": f"<styleSheet>{styles}</styleSheet>",
            "xl/sharedStrings.xml": f"<sst>{shared}</sst>",
            **{f"xl/worksheets/sheet{n}.xml": f"<worksheet>{sheet}</worksheet>" for n, sheet in enumerate(sheets, 1)},
        }
    )


def pptx(*slides: str, notes: str = "", show: str = "1") -> bytes:
    """A presentation; each slide is its shapes, the last one is shown or not and has the notes."""
    last = len(slides)
    named = "".join(f'<p:sldId id="{255 + n}" r:id="s{n}"/>' for n in range(1, last + 1))
    files = {
        f"ppt/slides/slide{n}.xml": f'<p:sld {_NAMESPACES} show="{show if n == last else 1}"><p:cSld><p:spTree>{shapes}'
        "</p:spTree></p:cSld></p:sld>"
        for n, shapes in enumerate(slides, 1)
    }
    return zipped(
        {
            "_rels/.rels": links(a="officeDocument ppt/presentation.xml"),
            "ppt/presentation.xml": f"<p:presentation {_NAMESPACES}><p:sldIdLst>{named}</p:sldIdLst>"
            '<p:sldSz cx="1000" cy="700"/></p:presentation>',
            "ppt/_rels/presentation.xml.rels": links(
                **{f"s{n}": f"slide slides/slide{n}.xml" for n in range(1, last + 1)}
            ),
            f"ppt/slides/_rels/slide{last}.xml.rels": links(n="notesSlide ../notes.xml"),
            "ppt/notes.xml": f"<p:notes {_NAMESPACES}><p:cSld><p:spTree>{notes}</p:spTree></p:cSld></p:notes>",
            **files,
        }
    )


def sp(text: str, kind: str = "", size: int = 1800, run: str = "", properties: str = "", hidden: int = 0) -> str:
    """A shape with one paragraph; ``kind`` is that of the placeholder it is."""
    placeholder = f'<p:ph type="{kind}"/>' if kind else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="1" hidden="{hidden}"/><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr>'
        f'<p:spPr>{properties}</p:spPr><p:txBody><a:p><a:r><a:rPr sz="{size}">{run}</a:rPr><a:t>{text}</a:t></a:r></a:p>'
        "</p:txBody></p:sp>"
    )


def epub(*chapters: str, metadata: str = "", **parts: str) -> bytes:
    """A book of these chapters, each what its body holds."""
    numbers = range(1, len(chapters) + 1)
    items = "".join(f'<item id="c{n}" href="c%20{n}.xhtml" media-type="application/xhtml+xml"/>' for n in numbers)
    spine = "".join(f'<itemref idref="c{n}"/>' for n in numbers)
    return zipped(
        {
            "META-INF/container.xml": '<container><rootfile full-path="OEBPS/book.opf"/></container>',
            "OEBPS/book.opf": f"<package><metadata>{metadata}</metadata><manifest>{items}</manifest>"
            f"<spine>{spine}</spine></package>",
            **{
                f"OEBPS/c {n}.xhtml": f"<html><head><title>c{n}</title></head><body>{chapter}</body></html>"
                for n, chapter in zip(numbers, chapters, strict=True)
            },
            **parts,
        }
    )
