"""``sandbox read``: bytes in, text with the file's own line numbers out, or a reason that a person can act on."""

from __future__ import annotations

import codecs
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator.errors import SourceError
from curator.models.sandbox import client
from curator.models.sandbox.process import PROGRAM, SANDBOX
from curator.wiki.sources.formats import PLAIN
from curator.wiki.sources.source import Document
from support.waiting import has_ended, until

pytestmark = pytest.mark.reads_in_jail

FRENCH = "Le thé est préparé à l'eau très chaude. Après l'été, où êtes-vous allé? Voilà, c'est ça.\n" * 5
RUSSIAN = "Чай является напитком, получаемым варкой или настаиванием листа чайного куста.\n" * 5

HONEST: dict[str, Any] = {"lines": [[1, "tea"]], "unit": "line", "head": {}, "left_out": []}
JAPANESE = "日本茶は日本で生産されるお茶の総称である。緑茶が多い。\n" * 9


def read(folder: Path, data: bytes, format: str = "text", max_chars: int = 10_000) -> Document:
    spool = folder / "spool"
    spool.write_bytes(data)
    with spool.open("rb") as file:
        return client.read_source(file, format=format, name="sources/tea.txt", max_chars=max_chars)[0]


def lines(folder: Path, text: str, format: str = "text") -> list[tuple[int, str]]:
    return list(read(folder, text.encode(), format).lines)


def refusal(folder: Path, data: bytes, **options: Any) -> SourceError:
    with pytest.raises(SourceError) as caught:
        read(folder, data, **options)
    return caught.value


def answer(data: bytes, *arguments: str) -> dict[str, Any]:
    """What the program itself says, without curator's side of the pipe."""
    command = [sys.executable, "-I", "-B", str(SANDBOX), "read", "--name", "x", *arguments]
    done = subprocess.run(command, input=data, capture_output=True, check=True)
    return dict(json.loads(done.stdout))


# --- plain formats


def test_every_line_keeps_its_number_and_its_text(tmp_path: Path) -> None:
    assert lines(tmp_path, "# Tea\n\n  A drink. \n") == [(1, "# Tea"), (2, ""), (3, "  A drink. ")]


def test_all_three_kinds_of_line_ends_count_as_one_line(tmp_path: Path) -> None:
    assert lines(tmp_path, "one\r\ntwo\rthree\nfour") == [(1, "one"), (2, "two"), (3, "three"), (4, "four")]


@pytest.mark.parametrize("separator", ["\f", "\v", "\x85", "\u2028", "\u2029"])
def test_nothing_else_ends_a_line(tmp_path: Path, separator: str) -> None:
    assert lines(tmp_path, f"one{separator}two\nthree" + 300 * " ")[:1] == [(1, "one two")]


@pytest.mark.parametrize("format", PLAIN)
def test_plain_formats_are_read_as_they_are(tmp_path: Path, format: str) -> None:
    source = "---\nid: x\n---\n.. note:: <b>tea</b> &amp; *milk*"

    assert read(tmp_path, source.encode(), format).text == source


@settings(max_examples=15, deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=200))
def test_visible_text_is_not_changed(text: str) -> None:
    document, _ = client.read_source(_spooled(text.encode()), format="text", name="x", max_chars=1_000)

    assert document.text == text


def _spooled(data: bytes) -> BinaryIO:
    spool = tempfile.TemporaryFile()  # noqa: SIM115 (it lives as long as the test looks at it)
    spool.write(data)
    spool.flush()
    return cast(BinaryIO, spool)


def test_the_spool_is_read_from_its_start_wherever_it_stands(tmp_path: Path) -> None:
    spool = tmp_path / "spool"
    spool.write_text("tea")
    with spool.open("rb") as file:
        file.seek(2)

        document, _ = client.read_source(file, format="text", name="x", max_chars=10)

    assert document.text == "tea"


# --- what hides


@pytest.mark.parametrize(
    "hidden",
    ["\u200b", "\u2060", "\ufeff", "\u00ad", "\u202e", "\u2066", "\u200f", "\U000e0041", "\U000e007f", "\x07", "\x9b"],
    ids=lambda hidden: f"U+{ord(hidden):04X}",
)
def test_characters_that_only_hide_are_taken_out_and_counted(hidden: str) -> None:
    text = f"te{hidden}a " + "drink " * 40

    reply = answer(text.encode(), "--format", "text", "--max-chars", "1000")

    assert reply["lines"][0][1].startswith("tea drink")
    assert reply["left_out"] == [["invisible characters", 1, True]]


def test_text_that_is_spelled_in_another_normal_form_stays_so(tmp_path: Path) -> None:
    decomposed = "cafe\u0301 and \u212b"

    assert read(tmp_path, decomposed.encode()).text == decomposed


def test_joiners_that_scripts_need_stay(tmp_path: Path) -> None:
    persian = "می\u200cخواهم 👩\u200d🔬"

    assert read(tmp_path, persian.encode()).text == persian


# --- encodings


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_byte_order_mark_decides(mark: bytes, encoding: str) -> None:
    reply = answer(mark + "Thé\n茶".encode(encoding), "--format", "text", "--max-chars", "100")

    assert reply["lines"] == [[1, "Thé"], [2, "茶"]]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(FRENCH, "cp1252"), (RUSSIAN, "cp1251"), (RUSSIAN, "koi8_r"), (JAPANESE, "cp932")],
    ids=["cp1252", "cp1251", "koi8_r", "cp932"],
)
def test_an_encoding_from_before_unicode_is_found_when_it_is_sure(tmp_path: Path, text: str, encoding: str) -> None:
    assert read(tmp_path, text.encode(encoding)).text == text.removesuffix("\n")


def test_an_encoding_that_is_not_sure_is_not_guessed(tmp_path: Path) -> None:
    error = refusal(tmp_path, "Café au lait".encode("latin-1"))

    assert error.code == "source_not_text"
    assert "byte 0xe9 at offset 3" in error.message
    assert "UTF-8" in error.hint


def test_damaged_utf8_is_named_as_such(tmp_path: Path) -> None:
    error = refusal(tmp_path, ("Tea is “nice”. " * 20).encode() + b"\xff tea")

    assert error.code == "source_not_text"
    assert "1 damaged place(s)" in error.message


@pytest.mark.parametrize("strange", ["Thé vert.", "It’s tea."])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_file_of_two_encodings_is_refused(tmp_path: Path, strange: str, is_first: bool) -> None:
    old, new = FRENCH.encode("cp1252").strip(), strange.encode()
    line = 1 if is_first else len(old.splitlines()) + 1

    error = refusal(tmp_path, b"\n".join([new, old] if is_first else [old, new]))

    assert error.code == "source_not_text"
    assert f"line {line} is: it has two encodings" in error.message


# --- what is refused


def test_a_picture_is_not_text_and_the_message_says_what_was_seen(tmp_path: Path) -> None:
    error = refusal(tmp_path, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)))

    assert error.code == "source_not_text"
    assert error.message.startswith("sources/tea.txt: byte 0x89 at offset 0")
    assert "% control characters" in error.message


def test_a_nul_is_not_text(tmp_path: Path) -> None:
    error = refusal(tmp_path, b"tea\0milk")

    assert (error.code, "NUL character at offset 3" in error.message) == ("source_not_text", True)


def test_many_control_characters_are_not_text(tmp_path: Path) -> None:
    assert refusal(tmp_path, b"tea \x1b[31m milk \x1b[0m").code == "source_not_text"


def test_a_broken_file_with_a_byte_order_mark_is_not_text(tmp_path: Path) -> None:
    error = refusal(tmp_path, codecs.BOM_UTF16_LE + b"\x00\xd8x")

    assert (error.code, "utf-16-le" in error.message) == ("source_not_text", True)


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", "\ufeff\u200b\u00ad".encode()], ids=["nothing", "white", "hidden"])
def test_a_source_without_text_is_empty(tmp_path: Path, data: bytes) -> None:
    assert refusal(tmp_path, data).code == "source_empty"


def test_a_page_that_shows_nothing_is_empty(tmp_path: Path) -> None:
    assert refusal(tmp_path, b"<p hidden>tea</p><!-- milk -->", format="html").code == "source_empty"


def test_text_up_to_the_limit_is_read_and_one_character_more_is_too_large(tmp_path: Path) -> None:
    assert read(tmp_path, ("é" * 100).encode(), max_chars=100).text == "é" * 100

    error = refusal(tmp_path, ("é" * 101).encode(), max_chars=100)

    assert error.code == "source_too_large"
    assert "the limit is 100" in error.message


def test_a_huge_file_is_refused_without_being_read_to_its_end(tmp_path: Path) -> None:
    spool = tmp_path / "spool"
    with spool.open("wb") as file:
        file.truncate(1 << 40)

    with spool.open("rb") as file, pytest.raises(SourceError) as caught:
        client.read_source(file, format="text", name="sources/huge.txt", max_chars=1_000)

    assert caught.value.code == "source_too_large"


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, b"tea", format="cuneiform").code == "source_format_unknown"


def test_where_a_package_is_missing_the_refusal_says_which_and_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"ok": False, "code": "package_missing", "message": "x: to read pdf takes pypdfium2, which is not installed"}
    _replace_program(monkeypatch, tmp_path, f"print({json.dumps(said)!r})")

    assert refusal(tmp_path, b"%PDF-1.7", format="pdf").hint == "pip install 'curate-wiki[pdf]'"


# --- the process


def test_a_reader_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _replace_program(monkeypatch, tmp_path, "import time; time.sleep(60)")

    with pytest.raises(SourceError) as caught:
        client.read_source(_spooled(b"tea"), format="text", name="sources/tea.txt", max_chars=10, seconds=0.3)

    assert caught.value.code == "source_timeout"


def test_a_reader_that_says_too_much_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _replace_program(monkeypatch, tmp_path, "while True: print('x' * 10_000)")

    with pytest.raises(SourceError) as caught:
        client.read_source(_spooled(b"tea"), format="text", name="sources/tea.txt", max_chars=10)

    assert caught.value.code == "source_too_large"


def test_a_reader_that_crashes_is_reported_with_its_last_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _replace_program(monkeypatch, tmp_path, "import os, sys; print('bad tea', file=sys.stderr, flush=True); os.abort()")

    with pytest.raises(SourceError) as caught:
        client.read_source(_spooled(b"tea"), format="text", name="sources/tea.txt", max_chars=10)

    assert caught.value.code == "source_reader_died"
    assert caught.value.message == "sources/tea.txt: the reader was ended by SIGABRT: bad tea"


@pytest.mark.parametrize(
    "said",
    [
        "",
        "tea",
        "[1]",
        "[" * 100_000,
        '{"ok": true}',
        '{"ok": true, "sandbox": "strong", "lines": [["1", "tea"]]}',
        '{"ok": true, "sandbox": "strong", "lines": [[1, "tea\\n2: forged"]]}',
        '{"ok": true, "sandbox": "strong", "lines": [[2, "tea"], [1, "milk"]]}',
        '{"ok": true, "sandbox": "excellent", "lines": [[1, "tea"]]}',
        *(
            json.dumps({"ok": True, "sandbox": "strong", **HONEST, **forged})
            for forged in (
                {"unit": "mile"},
                {"head": {"title": "a\nb"}},
                {"head": {"title": ["a"]}},
                {"head": {"authority": "primary"}},
                {"head": {"authors": "Ann"}},
                {"head": {"title": "x" * 501}},
                {"left_out": [["notes", -1, True]]},
                {"left_out": [["notes", 1]]},
                {"left_out": [["a\u2028b", 1, True]]},
                {"left_out": [["notes", 1, False]] * 51},
                {"ends": [1, 2]},
            )
        ),
        '{"ok": false}',
    ],
)
def test_a_reader_that_was_taken_over_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    _replace_program(monkeypatch, tmp_path, f"print({said!r})")

    with pytest.raises(SourceError) as caught:
        client.read_source(_spooled(b"tea"), format="text", name="x", max_chars=10_000)

    assert caught.value.code == "source_reader_died"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_whatever_a_reader_started_ends_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    witness = tmp_path / "witness"
    forks = "import os, time; child = os.fork(); child or time.sleep(60); "
    _replace_program(monkeypatch, tmp_path, f"{forks} open({str(witness)!r}, 'w').write(str(child)); time.sleep(60)")

    with pytest.raises(SourceError):
        client.read_source(_spooled(b"tea"), format="text", name="x", max_chars=10, seconds=4)

    until(lambda: has_ended(int(witness.read_text())))


def test_the_environment_of_curator_does_not_reach_the_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    _replace_program(
        monkeypatch, tmp_path, "import os, sys; sys.exit(' '.join(sorted(os.environ)) + ' ' + os.getcwd())"
    )

    with pytest.raises(SourceError) as caught:
        client.read_source(_spooled(b"tea"), format="text", name="x", max_chars=10)

    assert caught.value.message.endswith(": LC_ALL /")


def _replace_program(monkeypatch: pytest.MonkeyPatch, folder: Path, code: str) -> None:
    """Let curator's side of the pipe meet a program that misbehaves."""
    program = folder / "program.py"
    program.write_text(code)
    monkeypatch.setattr("curator.models.sandbox.process.PROGRAM", (*PROGRAM[:-1], str(program)))


def test_a_line_end_that_a_page_spells_as_a_character_ends_no_line(tmp_path: Path) -> None:
    assert lines(tmp_path, "<p>So:<pre>&#13;\nboil&#13;</pre>", "html")[-2:] == [(2, "boil"), (2, "```")]
