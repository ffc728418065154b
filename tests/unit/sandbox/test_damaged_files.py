"""Damaged files: whatever became of a good file's bytes, its reader gives a text or refuses it, and nothing else."""

from __future__ import annotations

import json
import random
import re
import zipfile
from collections.abc import Callable
from importlib import import_module
from io import BytesIO

import pytest
from unicode_text import Unreadable

from support.depth import NIGHTLY
from support.office_files import docx, epub, odt, p, pptx, sp, w_table, xlsx
from support.pdf_files import paragraph, pdf_of, show

MUTANTS = 2_000 if NIGHTLY else 25
NUMBERS = (b"-1", b"0", b"99999999999999999999", b"1e309", b"NaN", "²".encode(), b"", b"-0.5", "Ⅷ".encode())
MARKS = (b"<", b">", b"&", b"\0", b"&#x110000;", b'""', b"]]>", b"<!--", b"%", b"\xff\xfe", "١".encode(), b"\\", b"{")

MAIL = """From: Ann <ann@tea.example>
Date: Wed, 1 May 2024 10:00:00 +0200
Subject: =?utf-8?b?VGVh?=
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/plain; charset=utf-8

Tea is brewed with 90 degrees.

> What of the temperature?
--x
Content-Type: text/html; charset=latin-1

<p>Tea.</p>
--x--
"""
CELLS = [{"cell_type": "code", "source": ["print(1)"], "outputs": [{"output_type": "stream", "text": ["1"]}]}]
TABLE = r"\begin{tabular}{ll} a & b \\ \hline 1 & 2 \end{tabular}"
PAGE = """<p style="color:#fffffe;font-size:12px;clip:rect(0,0,9px,9px)">Tea is <b>brewed</b>.</p>
<ul><li>Oolong</ul><table><tr><td>1</table>"""
RTF = rb"""{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Times;}}{\colortbl;\red255\green255\blue254;}\f0\fs24\cf1
T\'e9 {\b is}\u8364? brewed.\par\trowd\cellx90 a\cell b\cell\row}"""
TEX = rf"""\documentclass{{article}}\begin{{document}}
\section{{T\'e}} Tea $x_1$ \emph{{is}} 90\,\% {TABLE}\end{{document}}"""
CUES = b"""WEBVTT

1
00:00:01.000 --> 00:00:04.500 align:start
<v Ann>Tea is
brewed.

00:01:00.000 --> 00:01:02.000
Oolong.
"""
SEEDS: dict[str, bytes] = {
    "docx": docx(
        p("Tea.", '<w:outlineLvl w:val="0"/>', '<w:color w:val="FFFFFE"/><w:sz w:val="24"/>') + w_table(("a", "b"))
    ),
    "odt": odt('<text:h text:outline-level="1">Tea</text:h><text:p>Brewed.<text:s text:c="3"/></text:p>'),
    "xlsx": xlsx(
        '<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Tea</t></is></c><c r="B1"><v>90.5</v></c></row></sheetData>'
    ),
    "pptx": pptx(sp("Tea", "title"), sp("Brewed.", size=1200), notes="Slowly."),
    "epub": epub("<h1>Tea</h1><p>Brewed.</p>", metadata="<dc:title>Tea</dc:title>"),
    "rtf": RTF,
    "pdf": pdf_of(
        paragraph(["Tea is brewed with water", "of 90 degrees."], 72, 700), info="/Title(Tea)/CreationDate(D:20240501)"
    ),
    "html": PAGE.encode(),
    "markdown": b"# Tea\n\n<div style='color:#fff'>Brewed.</div>\n\n[//]: # (note)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "email": MAIL.encode(),
    "subtitles": CUES,
    "notebook": json.dumps({"nbformat": 4, "metadata": {}, "cells": CELLS}).encode(),
    "tex": TEX.encode(),
    "csv": b'tea,degrees\nOolong,90\n"Green, steamed",70\n',
}


@pytest.mark.parametrize("format", SEEDS)
def test_a_damaged_file_is_read_or_refused(format: str) -> None:
    reader, chance = import_module(f"formats.{format}"), random.Random(format)

    for _ in range(MUTANTS):
        data = damaged_file(SEEDS[format], chance)
        try:
            reader.read(data, 100_000)
        except Unreadable:
            continue
        except Exception as error:
            raise AssertionError(data) from error


def damaged_file(data: bytes, chance: random.Random) -> bytes:
    """One of the parts of an archive is damaged, mostly; else the bytes are."""
    if not data.startswith(b"PK") or chance.random() < 0.2:
        return damaged(data, chance)
    file = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as before, zipfile.ZipFile(file, "w") as after:
        names = before.namelist()
        chosen = chance.choice(names)
        for name in names:
            after.writestr(name, damaged(before.read(name), chance) if name == chosen else before.read(name))
    return file.getvalue()


def damaged(data: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice((1, 1, 2, 4))):
        data = chance.choice(WAYS)(data, chance)
    return data


def _put(data: bytes, begin: int, end: int, new: bytes) -> bytes:
    return data[:begin] + new + data[end:]


def _bit(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) or 1)
    return _put(data, at, at + 1, bytes(byte ^ 1 << chance.randrange(8) for byte in data[at : at + 1]))


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) or 1)]


def _twice(data: bytes, chance: random.Random) -> bytes:
    at, other = (chance.randrange(len(data) or 1) for _ in range(2))
    return _put(data, at, at, data[other : other + chance.randrange(300)])


def _gone(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) or 1)
    return _put(data, at, at + chance.randrange(100), b"")


def _mark(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) or 1)
    return _put(data, at, at, chance.choice(MARKS))


def _number(data: bytes, chance: random.Random) -> bytes:
    found = list(re.finditer(rb"\d+", data))
    return _put(data, *chance.choice(found).span(), chance.choice(NUMBERS)) if found else data


def _tag(data: bytes, chance: random.Random) -> bytes:
    found = list(re.finditer(rb"<[^<>]{1,200}>", data))
    return _put(data, *chance.choice(found).span(), chance.choice((b"", chance.choice(found)[0]))) if found else data


WAYS: tuple[Callable[[bytes, random.Random], bytes], ...] = (_bit, _cut, _twice, _gone, _mark, _number, _tag)


@pytest.mark.parametrize(
    "header",
    [
        "Date: Wed, 1 May 99999999999 10:00:00 +0200",
        "Date: Wed, 1 May 2024 10:00:00 +99999999999999",
        'Content-Type: text/plain; charset="utf\0-8"',
    ],
)
def test_a_header_that_the_library_trips_over_costs_no_message(header: str) -> None:
    email = import_module("formats.email")

    assert "Tea is brewed." in [
        text for _, text, _ in email.read(f"From: a@b.c\n{header}\n\nTea is brewed.\n".encode(), 999).lines
    ]


def test_a_page_without_extent_is_passed_over() -> None:
    pdf = import_module("formats.pdf")
    data = pdf_of(show("Seen.", 72, 700, before="1 g")).replace(
        b"/MediaBox[0 0 612 792]", b"/MediaBox[0 0 612 -0.5]/CropBox[0 0 612 792]"
    )

    with pytest.raises(Unreadable):
        pdf.read(data, 999)
