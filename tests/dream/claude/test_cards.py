"""What a card has to say before it is opened; and no input of a tool, however odd, is more than a refusal."""

from __future__ import annotations

import hashlib
import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.dream.arbitration import to_changes
from dreamreview.dream.claude.briefing import LARGEST, briefing
from dreamreview.dream.claude.framing import Frame
from dreamreview.dream.claude.prompt import dreaming
from dreamreview.dream.claude.schemas import CARD_TOOLS
from dreamreview.dream.claude.sessions import Sessions
from dreamreview.dream.claude.veil import Veil
from dreamreview.dream.engine import Policy, Task
from dreamreview.model.manifest import check_changes
from tests.dream.claude.acting import cites, corpus_of
from tests.dream.claude.bench import ANY, GROUND, Tools

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
WHOLE: dict[str, Any] = {
    "kind": "rewrite",
    "title": "A title",
    "reason": "A reason",
    "confidence": 0.5,
    "evidence": [cites(GROUND, 1, 1, ANY)],
}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": "explode"}, "kind is one of conflict, merge"),
        ({"kind": None}, "kind is one of"),
        ({"kind": "edit"}, "kind is one of"),
        ({"title": " \n"}, "a card needs a title"),
        ({"reason": 5}, "a card needs a reason"),
        ({"confidence": 1.5}, "confidence is a number from 0 to 1"),
        ({"confidence": True}, "confidence is a number from 0 to 1"),
        ({"confidence": float("nan")}, "confidence is a number from 0 to 1"),
        ({"evidence": []}, "at least one piece of evidence"),
        ({"evidence": "x.md"}, "evidence is a list"),
        ({"evidence": [7]}, "a piece of evidence is an object"),
        ({"evidence": [{"path": "/memories/x.md"}]}, "evidence names a path"),
        ({"evidence": [cites(GROUND, 0, 1, ANY)]}, "line numbers from 1"),
        ({"evidence": [cites(GROUND, 2, 1, ANY)]}, "line numbers from 1"),
        ({"evidence": [cites(GROUND, 1, 1, "The")]}, "at least a few words"),
        ({"evidence": [cites(GROUND, 1, 1, "nothing that stands there")]}, "does not say"),
        ({"evidence": [cites("none.md", 1, 1, ANY)]}, "was no file of the memory"),
        ({"evidence": [cites("context:CLAUDE.md", 1, 1, ANY)]}, "was no file of the memory"),
        ({"evidence": [cites("session:none", 1, 1, ANY)]}, "there is no session"),
        ({"evidence": [{**cites(GROUND, 1, 1, ANY), "path": "/etc/passwd"}]}, "a path begins with /memories/"),
        ({"evidence": [cites("twice.md", 7, 7, "the same words twice")]}, "in several places"),
        ({"evidence": [cites("long.md", 1, 3, "word word word word")]}, "cite fewer lines"),
        ({"sides": [{"label": "a", **cites(GROUND, 1, 1, ANY)}]}, "only a conflict has sides"),
        ({"kind": "conflict"}, "two to five sides"),
        ({"kind": "conflict", "sides": [{"label": "a", **cites(GROUND, 1, 1, ANY)}] * 2}, "the same lines"),
    ],
)
def test_a_card_that_lacks_something_is_not_opened(change: dict[str, Any], said: str) -> None:
    tools = Tools(
        {"twice.md": "the same words twice\nx\nthe same words twice\n", "long.md": "word " * 30_000 + "\nb\nc\n"}
    )
    answer = tools.box.call("open_card", {**WHOLE, **change})
    assert answer.is_error
    assert said in answer.text
    assert not tools.box.has_open_card


def test_a_card_is_closed_before_the_next_one_opens() -> None:
    tools = Tools({"x.md": "- one\n"})
    tools.open()
    tools.replace("x.md", "- one", "* one")
    assert tools.open().text.startswith("card 2 is open")
    assert tools.box.count == 1


def test_a_card_handed_back_keeps_the_next_one_waiting_once() -> None:
    tools = Tools({"x.md": "- one\n"})
    tools.open()
    assert "card 1 is still open" in tools.open().text
    assert tools.open().text.startswith("card 2 is open")
    assert tools.box.dropped == ["left out “t”: the card changes nothing"]


@pytest.mark.parametrize("tool", ["close_card", "drop_card"])
def test_nothing_is_closed_that_is_not_open(tool: str) -> None:
    assert Tools({}).box.call(tool, {}).text == "no card is open."


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.just("/memories/x.md"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(
    [*CARD_TOOLS[0]["input_schema"]["properties"], "command", "path", "old_str", "new_str", "query", "first"]  # type: ignore[index]
)
CALLS = st.lists(
    st.tuples(
        st.sampled_from(["memory", "open_card", "close_card", "drop_card", "search_sessions", "read_session", "bash"]),
        st.one_of(JUNK, st.dictionaries(KEYS, JUNK, max_size=5)),
        st.sampled_from(
            [{}, WHOLE, {"command": "view"}, {"command": "insert", "insert_line": 0}, {"command": "delete"}]
        ),
    ),
    max_size=5,
)


@settings(max_examples=int(80 * SCALE), deadline=None)
@given(CALLS)
def test_no_input_is_more_than_a_refusal_or_tells_a_secret(calls: list[tuple[str, Any, dict[str, Any]]]) -> None:
    tools = Tools({"x.md": "- one\n- db password: hunter2zebra9\n"})
    for name, shape, base in calls:
        answer = tools.box.call(name, {**base, **shape} if isinstance(shape, dict) else shape)
        assert answer.text
        assert "hunter2zebra9" not in answer.text
    tools.box.abandon()
    check_changes(to_changes(tools.box.drafts()))


def test_the_instructions_name_their_version_and_the_limits_of_the_index() -> None:
    prompt = dreaming()
    text = prompt.filled(Frame("n0nce"), Policy(index_lines=120, index_bytes=9_000))
    assert prompt.version.isdecimal()
    assert "<<data n0nce ...>>" in text
    assert "up to 120 lines and 9,000" in text
    assert "version:" not in text
    assert [phase in text for phase in ("1. Orient", "2. Gather", "3. Consolidate", "4. Prune and reindex")] == [
        True
    ] * 4


def test_other_words_have_another_version() -> None:
    prompt = dreaming()
    digest = hashlib.sha256(prompt.template.encode()).hexdigest()[:16]
    assert (prompt.version, digest) == ("1", "2f99ec30a2fffaed")


def test_the_briefing_holds_the_index_first_and_names_what_is_too_large() -> None:
    files: dict[str, str | bytes] = {
        "a.md": "- first\n",
        "MEMORY.md": "- [a](a.md)\n",
        "big.md": "x" * (LARGEST + 1) + "\n",
        "bad.md": b"\xff\xfe\n",
        "DREAMS.md": "# Diary\n",
    }
    task = Task(corpus=corpus_of(files, others=("picture.png", "odd\udcff.md")))
    parts = briefing(task, Sessions(()), Veil("v"), Frame("n0nce"))
    whole = [part.splitlines()[0] for part in parts if part.startswith("<<data")]
    assert whole == ["<<data n0nce files>>", "<<data n0nce /memories/MEMORY.md>>", "<<data n0nce /memories/a.md>>"]
    assert "/memories/picture.png (no memory text)" in parts[1]
    assert "/memories/bad.md (not plain text)" in parts[1]
    assert "/memories/DREAMS.md (1 lines, written by a dream)" in parts[1]
    assert "".join(parts).encode()
