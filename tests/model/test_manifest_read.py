from __future__ import annotations

from typing import Any

import pytest

from tests.model.documents import create, document, lines_edit, mode, one_change, refusal, rename


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (one_change(lines_edit(0, 1, "a\n", "b\n")), "edits[0].lines: first line must be at least 1"),
        (
            one_change(lines_edit(3, 1, "", "b\n")),
            "edits[0].lines: last line must be at least 2, which stands for an insertion",
        ),
        (one_change(lines_edit(1, 2, "a\n", "b\n")), "edits[0].lines: stand for 2 lines, but old holds 1"),
        (one_change(lines_edit(1, 1, "a\n", "a\n")), "edits[0].new: changes nothing: it is the same as old"),
        (
            one_change(lines_edit(1, 0, "", "b\n", id="third")),
            "edits[0].id: third is taken: it stands for a text of the reviewer",
        ),
        (one_change(lines_edit(1, 0, "", "b\n", path="a/../b")), "edits[0].path: holds an empty part, . or .."),
        (one_change(lines_edit(1, 0, "", "b\n", path="/b")), "edits[0].path: is absolute"),
        (one_change(lines_edit(1, 0, "", "b\n", path="C:\\b")), "edits[0].path: is absolute"),
        (one_change(lines_edit(1, 0, "", "b\n", path="a\0")), "edits[0].path: holds a NUL"),
        (one_change(lines_edit(1, 0, "", "b\n", path="x/.Git/y")), "edits[0].path: leads into a repository"),
        (one_change(lines_edit(1, 0, "", "b\n", path=".dream.lock")), "edits[0].path: leads into the bookkeeping"),
        (one_change(lines_edit(1, 0, "", "b\n", path=".DreamReview/x")), "edits[0].path: leads into the bookkeeping"),
        (one_change(lines_edit(1, 0, "", "b\n", path="n" * 256)), "edits[0].path: holds a name longer than 255 bytes"),
        (one_change(lines_edit(1, 0, "", "b\n", path="\ud800")), "edits[0].path: holds a lone surrogate"),
        (one_change(lines_edit(1, 0, "", "b\n", path_b64="?")), "edits[0].path_b64: is not base64"),
        (one_change(rename("a.md", "a.md")), "edits[0].to: changes nothing: it is the same path"),
        (
            one_change(mode("a.md") | {"new_mode": 0o644}),
            "edits[0].new_mode: changes nothing: it is the same as old_mode",
        ),
        (one_change(create("a.md") | {"mode": 0o200000}), "edits[0].mode: expected a number from 0 to 4095"),
        (one_change(lines_edit(1, 0, "", "b\n"), id="C1"), "id: expected 1 to 16 small letters and digits"),
        (one_change(lines_edit(1, 0, "", "b\n"), kind="tidy"), "kind: expected one of add, conflict,"),
        (one_change(lines_edit(1, 0, "", "b\n"), confidence=1.5), "confidence: expected a number from 0 to 1"),
        (one_change(lines_edit(1, 0, "", "b\n"), confidence=True), "confidence: expected a number from 0 to 1"),
        (one_change(), "edits: a change needs at least one edit"),
        (one_change(create("a.md"), create("b.md")), "edits[1].id: edit e1 comes twice"),
        (one_change(kind="conflict"), "options: a conflict needs at least two options"),
        (
            one_change(kind="conflict", options=[{"key": "skip"}]),
            "options[0].key: skip is taken: it leaves every conflict open",
        ),
        (one_change(kind="conflict", options=[{"key": "A"}, {"key": "A"}]), "options[1].key: option A comes twice"),
        (
            one_change(kind="conflict", options=[{"key": "A"}, {"key": "B"}], suggested="C"),
            "suggested: expected the key of an option",
        ),
        (one_change(create("a.md"), options=[{"key": "A"}, {"key": "B"}]), "options: only a conflict has options"),
        (
            one_change(create("a.md"), evidence=[{"path": "a.md", "lines": [1]}]),
            "evidence[0].lines: expected two line numbers, the first and the last",
        ),
    ],
)
def test_a_refusal_names_the_place(change: dict[str, Any], message: str) -> None:
    assert refusal({**document(), "changes": [change]}).startswith(f"changes[0].{message}")


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ([], "document: expected an object"),
        (document(schema="dreamreview/proposal@2"), "schema: expected dreamreview/proposal@1"),
        (document(id="../x"), "id: expected a folder name such as 20260901T120000000"),
        (document(created_at="yesterday"), "created_at: expected an RFC 3339 instant in UTC"),
        (document(status="done"), "status: expected one of applied, discarded, failed, ready, superseded"),
        (document(base=None), "base: expected an object"),
        (document(base={"kind": "guess"}), "base.kind: expected one of declared, first-sight, observed"),
        (document(changes={}), "changes: expected a list"),
        (document(usage={"turns": -1}), "usage.turns: expected a number from 0 to 9007199254740991"),
        (document(usage={"seconds": float("nan")}), "usage.seconds: expected a number from 0 to 9.0072e+15"),
        (document(engine={"name": 3}), "engine.name: expected a text"),
    ],
)
def test_a_refusal_of_the_whole_names_the_key(shape: object, message: str) -> None:
    assert refusal(shape) == message


def test_the_same_change_id_twice_is_refused() -> None:
    twice = [one_change(create("a.md"), id="x"), one_change(create("b.md"), id="x")]
    assert refusal(document(*twice)) == "changes[1].id: change x comes twice"
