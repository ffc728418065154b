"""Ways to hide a text in an office file that say it in another word than hidden."""

from __future__ import annotations

from importlib import import_module

import pytest

from support.office_files import docx, epub, odt, p, pptx, sp, xlsx, zipped

_FIELD = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
_SHOWN = b"{\\rtf1 shown\\par "
_RULE = (
    '<conditionalFormatting sqref="B2"><cfRule type="expression" dxfId="0"><formula>TRUE</formula></cfRule>'
    "</conditionalFormatting>"
)
_WHITE_RULE = '<dxfs><dxf><font><color rgb="FFFFFFFF"/></font></dxf></dxfs>'
_RICH = (
    '<c r="A1" t="inlineStr"><is><r><t>shown </t></r><r><rPr><color rgb="FFFFFFFF"/></rPr><t>SECRET</t></r></is></c>'
)

LINE = 'ht="15" customHeight="1"'
LOW = 'ht="0.1" customHeight="1"'


def _row(cells: str, attributes: str = "") -> str:
    return f'<row r="1"><c r="A1" t="inlineStr"><is><t>shown</t></is></c></row><row r="2" {attributes}>{cells}</row>'


def _item(name: str) -> str:
    return f'<item id="{name}" href="{name}.xhtml" media-type="application/xhtml+xml"/>'


def _cell(style: int = 0) -> str:
    return f'<c r="B2" s="{style}" t="inlineStr"><is><t>SECRET</t></is></c>'


def _styled(font: str = "", form: str = "", fill: str = "") -> bytes:
    styles = (
        f'<numFmts><numFmt numFmtId="200" formatCode="{form}"/></numFmts><fonts><font/><font>{font}</font></fonts>'
        f'<fills><fill/><fill><patternFill patternType="solid">{fill}</patternFill></fill></fills>'
        f'<cellXfs><xf/><xf numFmtId="{200 if form else 0}" fontId="1" fillId="{1 if fill else 0}"/></cellXfs>'
    )
    return xlsx(f"<sheetData>{_row(_cell(1))}</sheetData>", styles=styles)


def _span(properties: str) -> bytes:
    style = f'<style:style style:name="T" style:family="text"><style:text-properties {properties}/></style:style>'
    return odt('<text:p>shown <text:span text:style-name="T">SECRET</text:span></text:p>', style)


def _box(left: int, width: int = 50) -> str:
    return f'<a:xfrm><a:off x="{left}" y="10"/><a:ext cx="{width}" cy="50"/></a:xfrm>'


WHITE = '<a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>'
USUAL = f"<p:txBody><a:lstStyle><a:lvl1pPr><a:defRPr>{WHITE}</a:defRPr></a:lvl1pPr></a:lstStyle>"


_BOX = f"<w:txbxContent>{p('SECRET')}</w:txbxContent>"
_MERGED = "<w:tcPr><w:vMerge/></w:tcPr>"
_PASSED = 'mc:Ignorable="zz"'


WAYS = {
    "docx, an element that is passed over": docx(f"<w:sdt {_PASSED}>{p('shown')}</w:sdt><zz:y>{p('SECRET')}</zz:y>"),
    "docx, words that are passed over": docx(
        f"<w:p {_PASSED}><w:r><w:t>shown</w:t></w:r><zz:y><w:r><w:t>SECRET</w:t></w:r></zz:y></w:p>"
    ),
    "docx, an alternative of nobody": docx(
        f"<w:p><w:r><w:t>shown</w:t><mc:AlternateContent><mc:Choice Requires='zz'><w:drawing>{_BOX}</w:drawing></mc:Choice>"
        "<mc:Fallback/></mc:AlternateContent></w:r></w:p>"
    ),
    "docx, a cell that goes on": docx(
        f"<w:tbl><w:tr><w:tc><w:tcPr><w:vMerge w:val='restart'/></w:tcPr>{p('shown')}</w:tc></w:tr>"
        f"<w:tr><w:tc>{_MERGED}{p('SECRET')}</w:tc></w:tr></w:tbl>"
    ),
    "docx, a cell of several that goes on": docx(
        f"<w:tbl><w:tr><w:tc>{p('shown')}</w:tc><w:tc>{p('a')}</w:tc></w:tr>"
        f"<w:tr><w:tc>{_MERGED}{p('SECRET')}</w:tc><w:tc>{p('b')}</w:tc></w:tr></w:tbl>"
    ),
    "pptx, an alternative of nobody": pptx(
        sp("shown") + f"<mc:AlternateContent><mc:Choice Requires='zz'>{sp('SECRET')}</mc:Choice></mc:AlternateContent>"
    ),
    "pptx, a merged cell": pptx(
        sp("shown")
        + "<p:graphicFrame><a:tbl><a:tr><a:tc vMerge='1'><a:txBody><a:p><a:r><a:t>SECRET</a:t></a:r></a:p></a:txBody>"
        "</a:tc></a:tr></a:tbl></p:graphicFrame>"
    ),
    "xlsx, a row that is passed over": xlsx(
        f"<sheetData {_PASSED} xmlns:zz='urn:zz' xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'>"
        f"{_row('')}<zz:y><row r='3'>{_cell()}</row></zz:y></sheetData>"
    ),
    "docx, a theme's black made white": docx(
        p("shown") + p("SECRET", "", '<w:color w:val="000000" w:themeColor="text1" w:themeTint="00"/>')
    ),
    "docx, a solid pattern": docx(
        p("shown") + p("SECRET", "", '<w:color w:val="204060"/><w:shd w:val="solid" w:color="204060" w:fill="FFFFFF"/>')
    ),
    "docx, a theme's colour on itself": docx(
        p("shown")
        + p(
            "SECRET",
            "",
            '<w:color w:themeColor="accent1"/><w:shd w:val="clear" w:fill="AABBCC" w:themeFill="accent1"/>',
        )
    ),
    "docx, the instructions of a field": docx(
        p("shown") + f"<w:p>{_FIELD.format('begin')}<w:r><w:t>SECRET</w:t></w:r>{_FIELD.format('end')}</w:p>"
    ),
    "docx, indented away": docx(p("shown") + p("SECRET", '<w:ind w:firstLine="-31000"/>')),
    "rtf, a hidden shape": _SHOWN + rb"{\shp{\*\shpinst{\sp{\sn fHidden}{\sv 1}}{\shptxt SECRET\par}}}}",
    "rtf, letters on each other": _SHOWN + rb"{\expndtw-400 SECRET}\par}",
    "xlsx, a rule": xlsx(f"<sheetData>{_row(_cell())}</sheetData>{_RULE}", styles=_WHITE_RULE),
    "xlsx, a merged cell": xlsx(
        f'<sheetData>{_row(_cell())}</sheetData><mergeCells><mergeCell ref="A2:B2"/></mergeCells>'
    ),
    "xlsx, words of a cell": xlsx(f'<sheetData><row r="1">{_RICH}</row></sheetData>'),
    "xlsx, a row of no height": xlsx(f"<sheetData>{_row(_cell(), LOW)}</sheetData>"),
    "xlsx, a column of no width": xlsx(
        f'<cols><col min="2" max="2" width="0.05"/></cols><sheetData>{_row(_cell())}</sheetData>'
    ),
    "xlsx, no form for texts": _styled(form="General;General;General;&quot;&quot;"),
    "xlsx, a form that is white": _styled(form="[White]@"),
    "xlsx, a theme's black made white": _styled(font='<color theme="1" tint="1.0"/>'),
    "xlsx, a theme's colour on itself": _styled(font='<color theme="4"/>', fill='<fgColor theme="4"/>'),
    "xlsx, far below": xlsx(
        '<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>shown</t></is></c></row><row r="90000">'
        f"{_cell().replace('B2', 'B90000')}</row></sheetData>"
    ),
    "xlsx, far to the right": xlsx(f"<sheetData>{_row(_cell().replace('B2', 'XFD2'))}</sheetData>"),
    "xlsx, below the edge of its cell": xlsx(
        f"<sheetData>{_row(_cell().replace('SECRET', 'a' + chr(10) * 60 + 'SECRET'), LINE)}</sheetData>"
    ),
    "epub, a chapter to which nothing leads": zipped(
        {
            "META-INF/container.xml": '<container><rootfile full-path="b.opf"/></container>',
            "b.opf": f"<package><manifest>{_item('a')}{_item('b')}</manifest><spine><itemref idref='a'/>"
            "<itemref idref='b' linear='no'/></spine></package>",
            "a.xhtml": "<p>shown</p>",
            "b.xhtml": "<p>SECRET</p>",
        }
    ),
    "epub, for a reader that nobody has": epub(
        "<p>shown</p><epub:switch><epub:case required-namespace='x'>SECRET</epub:case></epub:switch>"
    ),
    "docx, black in a black box": docx(
        p("shown")
        + "<w:p><w:r><w:drawing><a:spPr><a:solidFill><a:srgbClr val='000000'/></a:solidFill></a:spPr><w:txbxContent>"
        f"{p('SECRET')}</w:txbxContent></w:drawing></w:r></w:p>"
    ),
    "pptx, under a shape": pptx(
        sp("shown") + sp("SECRET", properties=_box(10)) + sp("", properties=_box(0, 90) + WHITE)
    ),
    "pptx, the usual colour of its box": pptx(sp("shown") + sp("SECRET").replace("<p:txBody>", USUAL)),
    "pptx, a group off the slide": pptx(
        sp("shown") + f"<p:grpSp><p:grpSpPr>{_box(-900)}</p:grpSpPr>{sp('SECRET')}</p:grpSp>"
    ),
    "docx, an emptied part of a formula": docx(
        p("shown")
        + "<w:p><m:oMath xmlns:m='urn:m'><m:phant><m:phantPr><m:show m:val='0'/></m:phantPr><m:e><m:r><m:t>SECRET</m:t>"
        "</m:r></m:e></m:phant></m:oMath></w:p>"
    ),
    "odt, letters on each other": _span('fo:letter-spacing="-1cm"'),
    "odt, lines without a height": odt(
        '<text:p>shown</text:p><text:p text:style-name="F">SECRET</text:p>',
        '<style:style style:name="F" style:family="paragraph"><style:paragraph-properties fo:line-height="0.01cm"/>'
        "</style:style>",
    ),
    "odt, a frame without room": odt(
        '<text:p>shown<draw:frame svg:width="0.001cm" svg:height="1cm" xmlns:svg="urn:s"><draw:text-box>'
        "<text:p>SECRET</text:p></draw:text-box></draw:frame></text:p>"
    ),
    "odt, a field that is not displayed": odt(
        '<text:p>shown<text:variable-set text:display="none">SECRET</text:variable-set></text:p>'
    ),
    "odt, a hidden column": odt(
        '<text:p>shown</text:p><table:table><table:table-column/><table:table-column table:visibility="collapse"/>'
        "<table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>SECRET</text:p>"
        "</table:table-cell></table:table-row></table:table>"
    ),
    "odt, a covered cell": odt(
        "<table:table><table:table-row><table:table-cell><text:p>shown</text:p></table:table-cell><table:covered-table-cell>"
        "<text:p>SECRET</text:p></table:covered-table-cell></table:table-row></table:table>"
    ),
    "odt, opacity": _span('loext:opacity="0%" xmlns:loext="urn:x"'),
    "odt, a paragraph": odt(
        '<text:p>shown</text:p><text:p><text:hidden-paragraph text:is-hidden="true"/>SECRET</text:p>'
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_hidden_is_left_out_and_counted(way: str) -> None:
    found = import_module(f"formats.{way.partition(',')[0]}").read(WAYS[way], 10_000)
    text = "\n".join(text for _, text, _ in found.lines)

    assert "SECRET" not in text and "shown" in text
    assert sum(each.count for each in found.left_out if each.is_hidden) == len("SECRET")
