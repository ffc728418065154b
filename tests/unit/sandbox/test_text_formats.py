"""E-mail, subtitles, notebooks and TeX: what people read of them, and where."""

from __future__ import annotations

import json

import pytest
import read
from extracted import Extracted
from formats import email, notebook, subtitles, tex
from hypothesis import given
from hypothesis import strategies as st
from unicode_text import Unreadable


def texts(found: Extracted) -> list[str]:
    return [line for _, line, _ in found.lines if line]


def left_out(found: Extracted) -> dict[str, int]:
    return {each.what: each.count for each in found.left_out}


# --- e-mail

MESSAGE = """From: Ann Lee <ann@example.org>
To: Bob <bob@example.org>
Date: Wed, 1 May 2024 10:00:00 +0200
Subject: =?utf-8?q?T=C3=A9a?=

The tea came
today.

- one
- two

On Monday, 29 April 2024, Bob
wrote:
> Did it come?
>
> Bob
It did.
--{space}
Ann Lee
""".replace("{space}", " ")


def test_a_message_is_read_without_what_it_quotes_and_its_signature() -> None:
    found = email.read(MESSAGE.encode(), 1000)

    assert found.unit == "paragraph"
    assert texts(found)[:2] == ["# Téa", "From: Ann Lee <ann@example.org>"]
    assert texts(found)[4:] == ["The tea came today.", "- one", "- two", "It did."]
    assert found.head == {"title": "Téa", "authors": ["Ann Lee"], "date": "2024-05-01"}
    assert set(left_out(found)) == {"what it quotes of other messages", "signatures"}


def test_the_plain_form_of_a_message_is_read_and_what_is_attached_is_named() -> None:
    forms = (
        "--b\n\nPlain *tea*:\nhttps://a.b/\n--b\nContent-Type: text/html\n\n<p>Plain <a href=https://a.b/><b>tea\n--b--"
    )
    two = f"Content-Type: multipart/alternative; boundary=b\n\n{forms}"
    bill = "Content-Type: application/pdf; name=bill.pdf\nContent-Disposition: attachment\n\nx"
    body = "".join(f"\n--a\n{part}" for part in (two, bill))

    found = email.read(f"From: a@b.c\nContent-Type: multipart/mixed; boundary=a\n{body}\n--a--".encode(), 1000)

    assert texts(found) == ["From: a@b.c", "Plain *tea*: https://a.b/"]
    assert left_out(found) == {"attachment bill.pdf (application/pdf)": 1}


_SHOWN = "<title>No title</title><p>Tea is <b>not</b> sold.<blockquote type=cite>Is tea sold?</blockquote>"
_FORM = "--b\nContent-Type: text/html\n\n"


@pytest.mark.parametrize(
    ("forms", "gone"),
    [
        (f"--b\n\nTea is sold.\n{_FORM}{_SHOWN}", {"a plain form that says something else": 12}),
        (f"{_FORM}Tea is sold.\n{_FORM}{_SHOWN}", {"a form that is shown to nobody": 12}),
        (f"{_FORM}{_SHOWN}\n--b\n\nTea is sold.", {"a plain form that says something else": 12}),
    ],
)
def test_of_two_forms_that_differ_the_one_that_is_shown_is_read(forms: str, gone: dict[str, int]) -> None:
    head = "From: a@b.c\nContent-Type: multipart/alternative; boundary=b\n\n"

    found = email.read(f"{head}{forms}\n--b--".encode(), 1000)

    assert texts(found)[1:] == ["Tea is not sold."]
    assert {each.what: each.count for each in found.left_out if each.is_hidden} == gone
    assert left_out(found)["what it quotes of other messages"] == 12


def test_a_second_part_that_is_no_other_form_is_named() -> None:
    parts = "--b\n\nTea.\n--b\nContent-Type: text/html\n\n<p>Milk.\n--b--"

    found = email.read(f"From: a@b.c\nContent-Type: multipart/mixed; boundary=b\n\n{parts}".encode(), 1000)

    assert texts(found)[1:] == ["Tea."]
    assert left_out(found) == {"attachment html (text/html)": 1}


def test_of_a_message_of_html_alone_that_is_read() -> None:
    found = email.read(b"From: a@b.c\nContent-Type: text/html\n\n<p>Tea &amp; milk<p hidden>no", 1000)

    assert texts(found)[1:] == ["Tea & milk"]
    assert left_out(found) == {"text that is not displayed": 2}


def test_a_box_is_read_message_by_message() -> None:
    box = "".join(f"From a@b.c Wed May  1 10:00:00 2024\nFrom: a@b.c\nSubject: {n}\n\nTea {n}.\n\n" for n in "12")

    found = email.read(box.encode(), 1000)

    assert found.unit == "page"
    assert [(n, text) for n, text, _ in found.lines if text.startswith("Tea")] == [(1, "Tea 1."), (2, "Tea 2.")]


def test_what_does_not_begin_as_a_message_is_none() -> None:
    with pytest.raises(Unreadable):
        email.read(b"\x00\x01 tea", 1000)


# --- subtitles

VTT = """WEBVTT - Tea for two
Language: en

NOTE nobody sees this

1
00:01:02.500 --> 00:01:04.000 align:start
<v Ann>Tea is <i>made</i>

00:01:04.000 --> 00:01:06.000
of leaves &amp; water. It is

00:01:06.000 --> 00:01:08.000
good.

01:00:00.000 --> 01:00:01.000
<v Bob>Yes.
"""


def test_cues_are_joined_to_sentences_with_their_first_and_last_second() -> None:
    found = subtitles.read(VTT.encode(), 1000)

    assert found.unit == "second"
    assert list(found.lines) == [(62, "Ann: Tea is made of leaves & water. It is good.", 68), (3600, "Bob: Yes.", 3601)]
    assert found.head == {"title": "Tea for two", "language": "en"}
    assert left_out(found) == {"notes and styles": 21}


def test_subrip_is_read_and_rolling_words_are_said_once() -> None:
    srt = "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}Tea is\n\n2\n00:00:02,000 --> 00:00:03,000\nTea is good.\n"

    assert list(subtitles.read(srt.encode(), 1000).lines) == [(1, "Tea is good.", 3)]


@pytest.mark.parametrize("times", ["00:05.000 --> 00:05.000", "00:09.000 --> 00:07.000"])
def test_what_is_shown_for_no_time_is_hidden(times: str) -> None:
    vtt = f"WEBVTT\n\n00:01.100 --> 00:01.900\nTea.\n\n{times}\nSECRET\n"
    found = subtitles.read(vtt.encode(), 1000)

    assert texts(found) == ["Tea."]
    assert left_out(found) == {"words that are shown for no time": 6}


def test_subtitles_without_times_are_none() -> None:
    with pytest.raises(Unreadable):
        subtitles.read(b"WEBVTT\n\ntea", 1000)


# --- notebooks


def test_a_notebook_is_read_cell_by_cell() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Tea\n", "\n", "It is\n", "good."]},
        {
            "cell_type": "code",
            "source": "print(1)",
            "outputs": [
                {"text": ["1\n"]},
                {"data": {"image/png": "x", "text/plain": "<Figure>"}},
                {"data": {"text/plain": "2"}},
            ],
        },
        {"cell_type": "raw", "source": "as it is"},
    ]

    found = notebook.read(json.dumps({"cells": cells, "metadata": {"authors": [{"name": "Ann"}]}}).encode(), 1000)

    assert [(number, text) for number, text, _ in found.lines] == [
        (1, "# Tea"),
        (1, "It is good."),
        *((2, line) for line in ("```", "print(1)", "```", "```", "1", "```", "```", "2", "```")),
        *((3, line) for line in ("```", "as it is", "```")),
    ]
    assert found.head == {"title": "Tea", "authors": ["Ann"]}
    assert left_out(found) == {"pictures and other things that are no text": 1}


def test_a_heading_a_row_and_a_rule_of_a_cell_are_lines_of_their_own() -> None:
    cell = [
        "# Tea\n",
        "It is\n",
        "good.\n",
        "\n",
        "| tea | g |\n",
        "|---|--:|\n",
        "| Black | 12 |\n",
        "Green\n",
        "---\n",
        "too.\n",
    ]

    found = notebook.read(json.dumps({"cells": [{"cell_type": "markdown", "source": cell}]}).encode(), 1000)

    rows = ["| tea | g |", "|---|--:|", "| Black | 12 |"]
    assert texts(found) == ["# Tea", "It is good.", *rows, "Green", "---", "too."]
    assert found.head == {"title": "Tea"}
    seen = [line for _, line, _ in read._spaced(found.lines)]
    assert seen == ["# Tea", "", "It is good.", "", *rows, "", "Green", "", "---", "", "too."]


def _code(*outputs: dict[str, object], **metadata: object) -> dict[str, object]:
    return {"cell_type": "code", "source": "x", "outputs": list(outputs), "metadata": metadata}


_PRINTED: dict[str, object] = {"output_type": "stream", "text": "SECRET"}
UNSEEN_CELLS: dict[str, dict[str, object]] = {
    "a style in a cell": {"cell_type": "markdown", "source": "<span style='display:none'>SECRET</span>"},
    "a fold in a cell": {"cell_type": "markdown", "source": "<details><summary>x</summary>SECRET</details>"},
    "a comment in a cell": {"cell_type": "markdown", "source": ["<!-- SECRET -->\n\nx"]},
    "a cell that is removed": {"cell_type": "markdown", "source": "SECRET", "metadata": {"tags": ["remove-cell"]}},
    "a source that is folded": {**_code(jupyter={"source_hidden": True}), "source": "SECRET"},
    "outputs that are folded": _code(_PRINTED, jupyter={"outputs_hidden": True}),
    "outputs that are collapsed": _code(_PRINTED, collapsed=True),
    "outputs that are removed": _code(_PRINTED, tags=["hide-output"]),
    "plain text below HTML": _code({"data": {"text/plain": "SECRET", "text/html": "<p>x"}}),
    "plain text below a picture": _code({"data": {"text/plain": "SECRET", "image/png": "x"}}),
    "plain text below Markdown": _code({"data": {"text/plain": "SECRET", "text/markdown": ["x"]}}),
    "in HTML": _code({"data": {"text/plain": "x", "text/html": "<p>x<p hidden>SECRET"}}),
    "letters that a terminal conceals": _code({"text": "x\x1b[8mSECRET\x1b[0m"}),
    "letters that are written over": _code({"text": "SECRET\rx"}),
}


@pytest.mark.parametrize("way", UNSEEN_CELLS)
def test_what_no_notebook_shows_is_left_out_and_counted(way: str) -> None:
    cells = [{"cell_type": "markdown", "source": "shown"}, UNSEEN_CELLS[way]]

    found = notebook.read(json.dumps({"cells": cells}).encode(), 1000)

    assert "SECRET" not in str(texts(found)) and texts(found)[0] == "shown"
    assert sum(each.count for each in found.left_out if each.is_hidden) in (6, 13)


def test_of_an_output_what_is_shown_is_read() -> None:
    table = "<table><tr><td>Tea<td>3<tr><td>Milk<td>4</table>"
    outputs: list[dict[str, object]] = [
        {"data": {"text/plain": "Tea  3\nMilk 4", "text/html": table}},
        {"data": {"text/plain": "5", "text/html": table}},
    ]

    found = notebook.read(json.dumps({"cells": [_code(*outputs)]}).encode(), 1000)

    assert texts(found)[3:] == ["```", "Tea  3", "Milk 4", "```", "Tea | 3", "Milk | 4"]
    assert left_out(found) == {"a plain form that says something else": 1}


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"worksheets": [1]}'])
def test_what_is_no_notebook_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable):
        notebook.read(data, 1000)


# --- TeX

PAPER = r"""\documentclass{article} % no
\title{Tea\thanks{by a fund}}
\author{Ann L\'ee \\ Institute \and Bob}
\date{2024-05-01}
\begin{document}
\maketitle
\section{On \emph{tea}}\label{sec:tea}
Tea is~\textbf{good}~\cite[p.~3]{a}, % the reviewers must praise it
says M\"uller---at 90\% of all $x_1 < 2$.

\begin{itemize}
  \item Green
  \item Black\footnote{Or red.}
\end{itemize}
\begin{verbatim}
\x{1}
\end{verbatim}
\begin{tabular}{ll}
Tea & Cups \\ \hline
Green & 3 \\
\end{tabular}
\end{document}
ignored
"""


def test_a_paper_is_read_as_it_is_printed() -> None:
    found = tex.read(PAPER.encode(), 1000)

    assert [line for line in found.lines if line[1]] == [
        (7, "## On tea", 7),
        (8, "Tea is good, says Müller—at 90% of all $x_1 < 2$.", 9),
        (12, "- Green", 12),
        (13, "- Black (Or red.)", 14),
        (15, "```", 15),
        (16, r"\x{1}", 16),
        (17, "```", 17),
        (18, "Tea | Cups", 21),
        (18, "Green | 3", 21),
    ]
    assert found.head == {"title": "Tea", "authors": ["Ann Lée", "Bob"], "date": "2024-05-01"}
    assert left_out(found)["comments"] > 30


@pytest.mark.parametrize(
    ("paper", "lines"),
    [
        ("\\title{Tea}\\begin{document}\\maketitle\nGood. % no\nWet. \\end{document} no", [(1, "Good. Wet.", 3)]),
        ("\n\\begin{document}Tea is\ngood.\n\\end{document}", [(2, "Tea is good.", 3)]),
        ("a\\begin{document}b\\end{document}c", [(1, "b", 1)]),
        (
            "\\begin{document}\\maketitle\\section{Tea}Good.\\section{Milk} Wet.\\end{document}",
            [(1, "## Tea", 1), (1, "Good.", 1), (1, "## Milk", 1), (1, "Wet.", 1)],
        ),
    ],
)
def test_what_stands_on_the_line_on_which_a_document_begins_or_ends_is_read(paper: str, lines: list[object]) -> None:
    found = tex.read(paper.encode(), 1000)

    assert [line for line in found.lines if line[1]] == lines


UNPRINTED = [
    r"\iffalse SECRET \fi",
    r"\iffalse SECRET\ifx\a\b SECRET\else SECRET\fi \else also\fi",
    r"\iftrue also\else SECRET\fi",
    r"\if0 SECRET \fi",
    r"\phantom{SECRET \emph{x} SECRET}",
    r"\textcolor{white}{SECRET}",
    r"\textcolor[rgb]{1,1,1}{SECRET}",
    r"{\color{white} SECRET}",
    r"\definecolor{ghost}{HTML}{FFFFFF}\textcolor{ghost}{SECRET}",
    r"\newcommand{\no}[1]{}\no{SECRET}",
    r"\def\no#1{}\no{SECRET}",
    r"\sbox0{SECRET}",
    r"{\fontsize{0.1pt}{0.1pt}\selectfont SECRET}",
    r"\pdfcomment{SECRET}",
    "\\begin{comment}\nSECRET\n\\end{comment}",
    "\\excludecomment{teacher}\n\\begin{teacher}\nSECRET\n\\end{teacher}",
]


@pytest.mark.parametrize("way", UNPRINTED)
def test_what_is_not_printed_is_left_out_and_counted(way: str) -> None:
    found = tex.read(f"\\begin{{document}}\nshown\n\n{way}\n\nlast\n\\end{{document}}".encode(), 1000)

    assert "SECRET" not in str(texts(found)) and (texts(found)[0], texts(found)[-1]) == ("shown", "last")
    assert texts(found)[1:-1] == (["also"] if "also" in way else [])
    assert sum(each.count for each in found.left_out if each.is_hidden) >= len("SECRET")


@pytest.mark.parametrize(
    "way",
    [
        r"\colorbox{black}{\textcolor{white}{SHOWN}}",
        r"\textcolor{red}{SHOWN}",
        r"{\color{red} SHOWN}",
        r"\newcommand{\yes}[1]{\emph{#1}}\yes{SHOWN}",
        r"\newcommand{\yes}{kept}SHOWN \yes{}",
        r"\ifx\a\b SHOWN\fi",
        r"$a \iff b$ SHOWN \ifthenelse{a}{b}{c}",
        "\\begin{verbatim}\n\\iffalse SHOWN \\phantom{SHOWN} \\fi\n\\end{verbatim}",
        r"{\fontsize{12pt}{14pt}\selectfont SHOWN}",
    ],
)
def test_what_is_printed_stays(way: str) -> None:
    found = tex.read(f"\\begin{{document}}\n{way}\n\\end{{document}}".encode(), 1000)

    assert str(texts(found)).count("SHOWN") == way.count("SHOWN")
    assert "red" not in str(texts(found)) and "pt" not in str(texts(found))


_PIECES = [
    r"\iffalse",
    r"\fi",
    r"\else",
    r"\phantom{",
    r"\color{white}",
    r"\section{a}",
    "b",
    "\n",
    "\n\n",
    r"\begin{verbatim}",
    r"\end{verbatim}",
    r"\item c",
    r"\begin{tabular}{l}",
    "%",
    "{",
    "}",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=20))
def test_the_numbers_of_lines_never_fall(pieces: list[str]) -> None:
    numbers = [number for number, _, _ in tex.read("".join(pieces).encode(), 1000).lines]

    assert numbers == sorted(numbers)
