"""What a dream may read of the sessions: only those it was handed, only speech, only since the last dream."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from dreamreview.dream.claude.sessions import HITS, Sessions
from dreamreview.dream.claude.working_copy import RefusedError
from dreamreview.model.proposal import Kind
from tests.api.messages import call, done
from tests.dream.claude.acting import Staged, cites, closes, corpus_of, memory, opens, play, turn
from tests.dream.claude.bench import Tools


def record(who: str, content: Any, at: str = "2031-05-18T09:00:00Z", **more: Any) -> str:
    return json.dumps({"type": who, "message": {"role": who, "content": content}, "timestamp": at, **more})


def logged(folder: Path, *lines: str, name: str = "5e55.jsonl") -> str:
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def said(sessions: Sessions, query: str = "", signal: str = "any") -> list[str]:
    return [turn.text for _, turn in sessions.search(query, signal)]


def test_only_what_a_person_or_the_agent_said_is_speech(tmp_path: Path) -> None:
    path = logged(
        tmp_path,
        record("user", "Use the small oven"),
        record("assistant", [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "I will"}]),
        record("user", [{"type": "tool_result", "content": "rm -rf /"}]),
        record("user", "a command was run", isMeta=True),
        record("assistant", "from a helper", isSidechain=True),
        json.dumps({"type": "summary", "summary": "they baked"}),
        "not json at all",
        json.dumps(["a", "list"]),
        json.dumps({"type": "user", "message": "no object"}),
        "[" * 100_000,
    )
    sessions = Sessions((path,))
    assert said(sessions, "i") == ["I will"]
    assert said(sessions, "u") == ["Use the small oven"]
    texts, leaf = sessions.texts("5e55")
    assert (texts[:3], leaf) == (("Use the small oven", "I will", ""), "5e55.jsonl")


@pytest.mark.parametrize(
    ("signal", "text", "is_heard"),
    [
        ("corrections", "No, the flour is from the mill", True),
        ("corrections", "That's wrong: it closes at six", True),
        ("corrections", "please don't use the big oven", True),
        ("corrections", "不对，是周二", True),
        ("corrections", "Nein, das ist der alte Ofen", True),
        ("corrections", "Nobody knows the way", False),
        ("saves", "Remember that the yard is shut on Fridays", True),
        ("saves", "from now on we bake at night", True),
        ("saves", "记住：周五不开门", True),
        ("saves", "What time is it?", False),
        ("decisions", "We decided to buy rye", True),
        ("decisions", "let's go with the blue tiles", True),
        ("decisions", "решили печь ночью", True),
        ("decisions", "How does it work?", False),
    ],
)
def test_signals_are_heard_in_what_people_say(signal: str, text: str, is_heard: bool, tmp_path: Path) -> None:
    sessions = Sessions((logged(tmp_path, record("user", text), record("assistant", text)),))
    assert said(sessions, signal=signal) == ([text] if is_heard else [])


def test_what_was_said_before_the_last_dream_is_left_out(tmp_path: Path) -> None:
    path = logged(tmp_path, record("user", "old news", "2031-05-01T00:00:00Z"), record("user", "new news"))
    assert said(Sessions((path,), datetime(2031, 5, 10, tzinfo=UTC)), "news") == ["new news"]


def test_a_plain_transcript_is_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("User: bake rye\nAssistant: yes\n**Human:** no, wheat\nand salt\n")
    turns = Sessions((str(path),)).read("notes", 1, 9)
    assert [(turn.line, turn.who, turn.text) for turn in turns] == [
        (1, "user", "bake rye"),
        (2, "assistant", "yes"),
        (3, "user", "no, wheat"),
        (4, "", "and salt"),
    ]


def test_no_session_exists_but_those_that_were_handed_over(tmp_path: Path) -> None:
    other = logged(tmp_path, record("user", "of another project"), name="other.jsonl")
    sessions = Sessions((logged(tmp_path, record("user", "of this one")),))
    for name in ("other", "other.jsonl", other, "../other", "/etc/passwd", ""):
        with pytest.raises(RefusedError):
            sessions.read(name, 1, 1)
    assert said(sessions, "of") == ["of this one"]


def test_links_folders_and_missing_files_are_not_read(tmp_path: Path) -> None:
    real = logged(tmp_path, record("user", "real"), name="real.jsonl")
    (tmp_path / "link.jsonl").symlink_to(real)
    (tmp_path / "folder.jsonl").mkdir()
    paths = tuple(str(tmp_path / f"{name}.jsonl") for name in ("link", "folder", "gone", "real"))
    sessions = Sessions(paths)
    assert sessions.names() == ("real",)
    assert sessions.unread == ["link.jsonl", "folder.jsonl", "gone.jsonl"]


def test_two_sessions_of_one_name_are_both_found(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    paths = (logged(tmp_path, record("user", "one")), logged(tmp_path / "a", record("user", "two")))
    assert Sessions(paths).names() == ("5e55", "5e55.jsonl")


def test_a_search_answers_with_so_many_turns_at_most(tmp_path: Path) -> None:
    sessions = Sessions((logged(tmp_path, *(record("user", f"bake {number}") for number in range(200))),))
    assert len(said(sessions, "bake")) == HITS


def test_searches_are_told_with_line_and_day_and_without_secrets(tmp_path: Path) -> None:
    path = logged(tmp_path, record("user", "Remember that the db password: hunter2zebra9 is old"))
    tools = Tools({}, Sessions((path,)))
    answer = tools.box.call("search_sessions", {"signal": "saves"})
    assert "session:5e55 line 1 2031-05-18 user: Remember that the db password: [hidden-" in answer.text
    assert "hunter2" not in answer.text
    assert tools.box.call("search_sessions", {}).is_error
    assert tools.box.call("search_sessions", {"signal": "moods"}).is_error
    read = tools.box.call("read_session", {"session": "session:5e55", "first": 1, "last": 3})
    assert "line 1 2031-05-18 user: Remember" in read.text
    assert tools.box.call("read_session", {"session": "5e55", "first": 0, "last": 3}).is_error


@pytest.mark.parametrize("query", ["zebra-7", "Zebra-77-Quay", "quay"])
def test_a_secret_is_not_found_out_by_asking_for_it(tmp_path: Path, query: str) -> None:
    path = logged(tmp_path, record("user", "the harbour password: Zebra-77-Quay, and the boat is green"))
    tools = Tools({}, Sessions((path,)))
    assert "(nothing found)" in tools.box.call("search_sessions", {"query": query}).text
    assert "the boat is green" in tools.box.call("search_sessions", {"query": "boat harbour"}).text


def test_without_sessions_there_are_no_tools_for_them() -> None:
    played = play(corpus_of({"a.md": "- a\n"}), [done()])
    names = [tool["name"] for tool in played.server.requests[0]["tools"]]
    assert names == ["memory", "open_card", "close_card", "drop_card"]


def test_what_a_session_taught_rests_on_its_line(tmp_path: Path) -> None:
    words = "Remember that the mill moved to Canal Street 8 yesterday"
    path = logged(tmp_path, record("assistant", "Where is it?"), record("user", words))
    steps = [
        turn(call("search_sessions", {"signal": "saves"})),
        turn(
            opens("add", cites("session:5e55", 2, 2, "the mill moved to Canal Street 8")),
            memory(
                "insert",
                path="/memories/mill.md",
                insert_line=1,
                insert_text="- The mill moved to Canal Street 8 on 2031-05-17.",
            ),
            closes(),
        ),
        done(),
    ]
    played = play(corpus_of({"mill.md": "# Mill\n"}), steps, Staged(transcripts=(path,)))
    (draft,) = played.dreamt.drafts
    (piece,) = draft.evidence
    assert (draft.kind, draft.flags) == (Kind.ADD, ())
    assert (piece.path, piece.first, piece.session, piece.date) == ("5e55.jsonl", 2, "5e55", "2031-05-18")


def test_a_long_turn_is_kept_to_its_end_or_says_how_much_is_cut(tmp_path: Path) -> None:
    whole, long = "w" * 20_000, "l" * 20_007
    sessions = Sessions([logged(tmp_path, record("user", whole), record("user", long))])
    assert said(sessions) == [whole, "l" * 20_000 + " (cut here: 7 more characters)"]
