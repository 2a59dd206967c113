"""What is kept of a memory store at a service comes back as it was, and what was never written there is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.errors import InvalidManifestError
from dreamreview.model.uploads import Running, Sent, Uploads, is_id, parse, serialise

ids = st.from_regex(r"[A-Za-z0-9_-]{1,20}", fullmatch=True)
digests = st.from_regex(r"[0-9a-f]{64}", fullmatch=True)
paths = st.text(min_size=1, max_size=20)
kept = st.builds(
    Uploads,
    endpoint=st.text(max_size=20),
    token=st.text(max_size=8),
    store=ids | st.just(""),
    is_mirror=st.booleans(),
    memories=st.dictionaries(paths, st.builds(Sent, ids, ids, st.lists(digests, max_size=3).map(tuple)), max_size=3),
    running=st.none() | st.builds(Running, ids | st.just(""), st.dictionaries(paths, digests, max_size=3)),
    dreams=st.lists(ids, max_size=3).map(tuple),
    waiting=st.lists(paths, max_size=3).map(tuple),
    imported=st.dictionaries(ids, st.dictionaries(paths, digests | st.just(""), max_size=2), max_size=2),
)


@given(uploads=kept)
def test_what_is_kept_comes_back(uploads: Uploads) -> None:
    assert parse(serialise(uploads)) == uploads


@pytest.mark.parametrize(
    "document",
    [
        "",
        "[]",
        "[" * 100_000,
        '{"schema": "dreamreview/hosted@2"}',
        '{"schema": "dreamreview/hosted@1"}',
    ],
)
def test_what_is_no_record_is_refused(document: str) -> None:
    with pytest.raises(InvalidManifestError):
        parse(document.encode())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("store", "../x"),
        ("store", 7),
        ("memories", {"a.md": ["mem_1", "memver_1", "no digest"]}),
        ("memories", {"a.md": []}),
        ("memories", [1]),
        ("running", {"id": "drm 1", "sent": {}}),
        ("running", 7),
        ("dreams", ["a b"]),
        ("waiting", [7]),
        ("imported", {"p": {"a.md": "x"}}),
    ],
)
def test_a_value_that_was_never_written_is_refused(key: str, value: object) -> None:
    document = json.loads(serialise(Uploads())) | {key: value}

    with pytest.raises(InvalidManifestError, match="it holds what was never written there"):
        parse(json.dumps(document).encode())


@pytest.mark.parametrize(("name", "answer"), [("mem_01Hx", True), ("", False), ("a/b", False), ("x" * 201, False)])
def test_ids_are_short_and_harmless_in_an_address(name: str, answer: bool) -> None:
    assert is_id(name) is answer


def test_what_was_shown_last_is_what_is_expected() -> None:
    one, two, three = ("1" * 64, "2" * 64, "3" * 64)
    uploads = Uploads(
        memories={"a.md": Sent("mem_1", "", (one,)), "b.md": Sent("mem_2", "", (one, two))},
        imported={"p1": {"a.md": two}, "p2": {"a.md": three, "c.md": ""}},
    )

    assert [uploads.expected(path) for path in ("a.md", "b.md", "c.md", "d.md")] == [three, two, "", ""]
    back = uploads.returned("a.md", Sent("mem_1", "", (two,)))
    assert back.expected("a.md") == two
    assert back.imported == {"p2": {"c.md": ""}}
