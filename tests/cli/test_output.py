from __future__ import annotations

import io
import json
import sys

import pytest

from dreamreview.cli import output


def test_what_a_terminal_would_obey_is_printed_as_marks(capfd: pytest.CaptureFixture[str]) -> None:
    output.say("title \x1b]52;c;aGk=\x07 \x9b31m \u202e back\rward")
    output.finish()
    assert capfd.readouterr().out == "title ␛]52;c;aGk=␇ ⟨U+009B⟩31m ⟨U+202E⟩ back␍ward\n"


def test_a_secret_is_masked_on_both_streams(capfd: pytest.CaptureFixture[str]) -> None:
    output.say("password: Tern-4417-Quayside-0912")
    output.note("password: Tern-4417-Quayside-0912")
    output.finish()
    printed = capfd.readouterr()
    assert printed.out == "password: Tern-4…0912\n"
    assert printed.err == "dreamreview: password: Tern-4…0912\n"


def test_bytes_of_a_name_that_are_no_text_are_printed_as_marks(capfd: pytest.CaptureFixture[str]) -> None:
    output.say("bad\udcff.md")
    output.finish()
    assert capfd.readouterr().out == "bad⟨xFF⟩.md\n"


def test_a_document_is_ascii_whatever_it_holds(capfd: pytest.CaptureFixture[str]) -> None:
    output.document({"title": "日本 \x1b[2J"})
    output.finish()
    printed = capfd.readouterr().out
    assert printed.isascii()
    assert json.loads(printed) == {"title": "日本 \x1b[2J"}


def test_a_patch_keeps_its_bytes_where_no_terminal_reads_it(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    output.patch([b"+caf\xe9\r", b" \x0c"])
    output.finish()
    assert capfdbinary.readouterr().out == b"+caf\xe9\r\n \x0c\n"


def _answer(monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))


@pytest.mark.parametrize("typed", [b"y\n", b"YES\n", b" Yes \r\n"])
def test_only_a_yes_confirms(monkeypatch: pytest.MonkeyPatch, typed: bytes) -> None:
    _answer(monkeypatch, typed)
    assert output.confirm("write?")


@pytest.mark.parametrize("typed", [b"\n", b"", b"n\n", b"yep\n", b"\xff\n"])
def test_anything_but_a_yes_means_no(monkeypatch: pytest.MonkeyPatch, typed: bytes) -> None:
    _answer(monkeypatch, typed)
    assert not output.confirm("write?")


def test_the_end_of_the_input_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    _answer(monkeypatch, b"one\r\n")
    assert [output.ask(">"), output.ask(">")] == ["one", None]


@pytest.mark.parametrize(
    ("path", "printed"), [("notes/é.md", "notes/é.md"), ("bad\udcff.md", "bad�.md"), ("tab\t.md", "tab\t.md")]
)
def test_a_path_in_json_is_always_text(path: str, printed: str) -> None:
    assert output.printable(path) == printed
