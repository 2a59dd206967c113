from __future__ import annotations

from datetime import date

from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.redaction import find
from dreamreview.model.edits import Edit, compose
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Kind
from dreamreview.model.secrets import find_secrets


def _find(files: dict[str, str]) -> list[Draft]:
    documents = {path: parse(path, text.encode()) for path, text in files.items()}
    return list(find(Corpus(documents=documents, files=frozenset(files), today=date(2026, 9, 15)), Policy()))


def _after(text: str, draft: Draft, path: str = "a.md") -> str:
    lines = parse(path, text.encode()).lines
    edits = [Edit(edit.start, edit.stop, edit.new) for edit in draft.edits if edit.path == path]
    return b"".join(compose(lines, edits)).decode()


def test_the_value_goes_and_the_words_stay() -> None:
    text = "- Mail login, password: FAKE-0000-mail\r\n- Other.\r\n"
    (draft,) = _find({"a.md": text})
    assert draft.kind is Kind.REDACT
    assert draft.flags == ("secret",)
    assert _after(text, draft) == "- Mail login, password: [redacted]\r\n- Other.\r\n"


def test_nothing_made_for_reading_shows_the_secret() -> None:
    (draft,) = _find({"a.md": "token: FAKE0000FAKE1111FAKE2222\n"})
    shown = " ".join([draft.title, draft.reason, *(piece.quote for piece in draft.evidence)])
    assert "FAKE0000FAKE1111" not in shown


def test_secrets_in_code_and_frontmatter_are_found() -> None:
    text = "---\nname: x\napi_key: FAKE0000fake1111\n---\n```\nDB_PASSWORD=swordfish\n```\n"
    assert [piece.first for draft in _find({"a.md": text}) for piece in draft.evidence] == [3, 6]


def test_a_private_key_is_one_change_over_its_lines() -> None:
    text = (
        "Key:\n\n-----BEGIN PRIVATE KEY-----\nFAKEfake0000FAKEfake\nFAKEfake1111\n-----END PRIVATE KEY-----\n\nEnd.\n"
    )
    (draft,) = _find({"a.md": text})
    assert _after(text, draft) == "Key:\n\n-----BEGIN PRIVATE KEY-----\n[redacted]\n-----END PRIVATE KEY-----\n\nEnd.\n"
    assert "FAKEfake" not in draft.evidence[0].quote


def test_two_secrets_of_one_statement_are_one_change() -> None:
    text = "- Old password: FAKE-0000-old\n  and the new password: FAKE-0000-new\n"
    (draft,) = _find({"a.md": text})
    assert find_secrets(_after(text, draft)) == ()


def test_the_same_line_in_two_files_is_one_change() -> None:
    text = "password: FAKE-0000-mail\n"
    (draft,) = _find({"a.md": text, "b.md": text})
    assert {edit.path for edit in draft.edits} == {"a.md", "b.md"}


def test_text_about_secrets_is_left_alone() -> None:
    assert _find({"a.md": "The token is read from `$MAIL_TOKEN`; no API key in the build.\n"}) == []


def test_other_programs_data_is_left_alone() -> None:
    assert _find({"recall.json": '{"snippet": "password: FAKE-0000-mail"}\n'}) == []
