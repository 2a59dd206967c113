from __future__ import annotations

import os
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from dreamreview.dream.engine import DreamCancelledError
from dreamreview.errors import StoreLockedError
from dreamreview.model.memory import Shape
from dreamreview.model.pins import Pin, UnpinnableError
from dreamreview.store.lock import hold
from dreamreview.store.rooted import Root
from dreamreview.workspace import Workspace
from dreamreview.workspace.memory import FileLine, OpenMemory
from dreamreview.workspace.pinning import ChangedError
from tests.workspace.stores import DAILY, TYPED, Files, lay, left_over, texts, typed, workspace

KILN = typed("kiln", "project", "The small kiln", "It fires at 1180 degrees.\n", modified="2026-06-07")
STORE: Files = {
    "MEMORY.md": b"# Memory\n\n- [Kiln](kiln.md): firing\n- [Shop](shop.md): gone\n",
    "kiln.md": KILN,
    "hours.md": b"# Hours\r\n\r\n- Opens at ten, see [kiln](kiln.md)\r\n- [PINNED] Closes at six\r\n",
    "loose.md": b"The key hangs left.\n\nThe gate sticks.",
    "broken.md": b'---\nname: "open\ntype: a: b\n---\nStill a note.\n',
    "table.csv": b"a,b\n",
    "raw.md": b"\xff\xfe\x00",
}


def read(opened: Workspace) -> dict[str, FileLine]:
    files, _ = opened.memory().read(lambda _progress: None, lambda: False)
    return {line.path: line for line in files}


def pin(opened: Workspace, path: str, index: int = 0, *, pinned: bool = True) -> str:
    memory = opened.memory()
    _, seen = memory.text(path)
    done = memory.carry_out(memory.weigh(path, index, seen, pinned=pinned))
    assert done.written == (path,)
    return str(done.apply)


def test_every_file_is_there_at_once_by_name(tmp_path: Path) -> None:
    opened = workspace(lay(tmp_path / "store", STORE))
    files = opened.memory().first_files()
    assert [line.path for line in files] == sorted(STORE)
    assert all(line.notes == () and line.seen == "" for line in files)


def test_notes_have_type_date_pin_and_place(tmp_path: Path) -> None:
    files = read(workspace(lay(tmp_path / "store", STORE)))
    whole = files["kiln.md"].whole
    assert whole is not None
    assert (whole.title, whole.type, whole.date, whole.pin) == ("kiln", "project", "2026-06-07", Pin.NONE)
    hours = files["hours.md"].notes
    assert [(note.shape, note.depth, note.first, note.pin) for note in hours] == [
        (Shape.FILE, 0, 1, Pin.PART),
        (Shape.SECTION, 1, 1, Pin.PART),
        (Shape.BULLET, 2, 3, Pin.NONE),
        (Shape.BULLET, 2, 4, Pin.WHOLE),
    ]
    assert hours[3].title == "Closes at six"


def test_the_date_is_the_notes_own_and_not_the_day_it_was_written(tmp_path: Path) -> None:
    folder = lay(tmp_path / "store", STORE)
    stamp = datetime(2026, 1, 2, 12, tzinfo=UTC).timestamp()
    for path in ("kiln.md", "loose.md"):
        os.utime(folder / path, (stamp, stamp))
    files = read(workspace(folder))
    kiln, loose = files["kiln.md"], files["loose.md"]
    assert kiln.whole is not None
    assert loose.whole is not None
    assert (kiln.whole.date, kiln.changed) == ("2026-06-07", date(2026, 1, 2))
    assert (loose.whole.date, loose.changed) == (None, date(2026, 1, 2))


def test_links_lead_both_ways_and_missing_ones_are_told(tmp_path: Path) -> None:
    files = read(workspace(lay(tmp_path / "store", STORE)))
    assert [(link.line, link.path, link.is_missing) for link in files["MEMORY.md"].links] == [
        (3, "kiln.md", False),
        (4, None, True),
    ]
    assert files["kiln.md"].linked_from == (("MEMORY.md", 3), ("hours.md", 3))


def test_what_holds_no_memory_is_listed_without_notes(tmp_path: Path) -> None:
    folder = lay(tmp_path / "store", STORE)
    (folder / "way.md").symlink_to("kiln.md")
    files = read(workspace(folder))
    assert [(files[path].kind, files[path].notes) for path in ("table.csv", "raw.md", "way.md")] == [
        ("file", ()),
        ("file", ()),
        ("link", ()),
    ]


def test_findings_are_those_of_the_doctor(tmp_path: Path) -> None:
    for name, files in (("typed", TYPED), ("daily", DAILY), ("mixed", STORE)):
        opened = workspace(lay(tmp_path / name, files))
        memory = opened.memory()
        _, alone = memory.read(lambda _progress: None, lambda: False)
        both = [one for found in (alone, memory.compare()) for every in found.values() for one in every]
        assert sorted(map(str, both)) == sorted(map(str, opened.doctor().findings))
        assert all(one.path == path for path, every in alone.items() for one in every)


def test_reading_can_be_stopped(tmp_path: Path) -> None:
    memory = workspace(lay(tmp_path / "store", STORE)).memory()
    with pytest.raises(DreamCancelledError):
        memory.read(lambda _progress: None, lambda: True)
    assert memory.compare() == {}


def test_a_text_is_the_file_as_it_is_now(tmp_path: Path) -> None:
    folder = lay(tmp_path / "store", STORE)
    memory = workspace(folder).memory()
    lines, seen = memory.text("kiln.md")
    assert b"".join(lines) == KILN
    (folder / "kiln.md").write_bytes(b"new\n")
    again, other = memory.text("kiln.md")
    assert (again, other == seen) == ((b"new\n",), False)
    (folder / "kiln.md").unlink()
    assert memory.text("kiln.md") == ((), "")
    assert memory.text("../outside.md") == ((), "")


PLACES = [
    ("kiln.md", 0, KILN.replace(b"2026-06-07\n", b"2026-06-07\npinned: true\n")),
    ("hours.md", 0, b"# [PINNED] Hours\r\n\r\n- Opens at ten, see [kiln](kiln.md)\r\n- [PINNED] Closes at six\r\n"),
    ("hours.md", 2, b"# Hours\r\n\r\n- [PINNED] Opens at ten, see [kiln](kiln.md)\r\n- [PINNED] Closes at six\r\n"),
    ("loose.md", 0, b"---\npinned: true\n---\nThe key hangs left.\n\nThe gate sticks."),
    ("loose.md", 2, b"The key hangs left.\n\n[PINNED] The gate sticks."),
    ("broken.md", 0, b'---\nname: "open\ntype: a: b\npinned: true\n---\nStill a note.\n'),
    ("MEMORY.md", 0, b"# [PINNED] Memory\n\n- [Kiln](kiln.md): firing\n- [Shop](shop.md): gone\n"),
]


@pytest.mark.parametrize(("path", "index", "after"), PLACES)
def test_a_pin_is_one_small_edit_and_goes_to_the_byte(tmp_path: Path, path: str, index: int, after: bytes) -> None:
    folder = lay(tmp_path / "store", STORE)
    before = texts(folder)
    opened = workspace(folder)
    pin(opened, path, index)
    assert texts(folder) == before | {path: after}
    assert read(opened)[path].notes[index].pin is Pin.WHOLE
    pin(opened, path, index, pinned=False)
    assert texts(folder) == before
    assert left_over(folder) == []


@pytest.mark.parametrize(("path", "index", "after"), PLACES)
def test_a_pin_stands_in_the_history_and_undo_takes_it_back(
    tmp_path: Path, path: str, index: int, after: bytes
) -> None:
    folder = lay(tmp_path / "store", STORE)
    before = texts(folder)
    opened = workspace(folder)
    name = pin(opened, path, index)
    (line,) = opened.history()
    assert (line.apply, line.undone, dict(line.titles)) == (name, False, {"pin": f"Pin {path}"})
    assert texts(folder)[path] == after
    assert opened.undo().undone == name
    assert texts(folder) == before
    assert opened.history()[0].undone


def test_a_pin_that_others_made_is_turned_over_and_comes_back_to_the_byte(tmp_path: Path) -> None:
    text = b"---\nname: x\nPinned: Yes  # since May\nmetadata:\n  pinned: true\n---\nbody\n"
    text = text.replace(b"Pinned: Yes", b"pinned: Yes")
    folder = lay(tmp_path / "store", {"x.md": text, "y.md": b"- **[PINNED] port** 7070\n- tea\n"})
    opened = workspace(folder)
    pin(opened, "x.md", pinned=False)
    assert texts(folder)["x.md"] == text.replace(b"Yes", b"No").replace(b"true", b"false")
    pin(opened, "x.md")
    assert texts(folder)["x.md"] == text
    pin(opened, "y.md", 1, pinned=False)
    assert texts(folder)["y.md"] == b"- **port** 7070\n- tea\n"
    pin(opened, "y.md", 1)
    assert texts(folder)["y.md"] == b"- **[PINNED] port** 7070\n- tea\n"


def test_of_several_pins_the_right_one_is_taken_back(tmp_path: Path) -> None:
    folder = lay(tmp_path / "store", {"a.md": b"- one\n- two\n- three\n"})
    opened = workspace(folder)
    for index in (1, 2, 3):
        pin(opened, "a.md", index)
    pin(opened, "a.md", 2, pinned=False)
    assert texts(folder)["a.md"] == b"- [PINNED] one\n- two\n- [PINNED] three\n"
    assert [line.undone for line in opened.history()] == [False, True, False]


def test_unpinning_keeps_what_was_written_since(tmp_path: Path) -> None:
    folder = lay(tmp_path / "store", STORE)
    opened = workspace(folder)
    pin(opened, "kiln.md")
    with (folder / "kiln.md").open("ab") as file:
        file.write(b"It cools overnight.\r\n")
    pin(opened, "kiln.md", pinned=False)
    assert texts(folder)["kiln.md"] == KILN + b"It cools overnight.\r\n"


def test_a_file_that_changed_since_it_was_shown_is_left_alone(tmp_path: Path) -> None:
    folder = lay(tmp_path / "store", STORE)
    memory = workspace(folder).memory()
    _, seen = memory.text("kiln.md")
    (folder / "kiln.md").write_bytes(KILN + b"more\n")
    with pytest.raises(ChangedError, match=r"kiln\.md was changed since it was read; look again"):
        memory.weigh("kiln.md", 0, seen, pinned=True)


def test_what_is_written_while_the_question_stands_is_kept_or_stops_the_pin(tmp_path: Path) -> None:
    folder = lay(tmp_path / "store", {"a.md": b"- one\n- two\n"})
    memory = workspace(folder).memory()
    wanted = memory.weigh("a.md", 2, memory.text("a.md")[1], pinned=True)
    (folder / "a.md").write_bytes(b"- zero\n- one\n- two\n")
    memory.carry_out(wanted)
    assert texts(folder)["a.md"] == b"- zero\n- one\n- [PINNED] two\n"
    wanted = memory.weigh("a.md", 1, memory.text("a.md")[1], pinned=True)
    (folder / "a.md").write_bytes(b"- nought\n- one\n- [PINNED] two\n")
    with pytest.raises(ChangedError, match="changed just there"):
        memory.carry_out(wanted)
    assert texts(folder)["a.md"] == b"- nought\n- one\n- [PINNED] two\n"
    assert left_over(folder) == []


def test_a_held_store_is_not_written_to(tmp_path: Path) -> None:
    folder = lay(tmp_path / "store", STORE)
    before = texts(folder)
    memory = workspace(folder).memory()
    wanted = memory.weigh("kiln.md", 0, memory.text("kiln.md")[1], pinned=True)
    with hold(Root(folder), "dream"), pytest.raises(StoreLockedError):
        memory.carry_out(wanted)
    assert texts(folder) == before


def test_a_link_and_a_file_outside_are_never_pinned(tmp_path: Path) -> None:
    folder = lay(tmp_path / "store", STORE)
    (tmp_path / "outside.md").write_bytes(b"outside\n")
    (folder / "way.md").symlink_to("../outside.md")
    memory: OpenMemory = workspace(folder).memory()
    for path in ("way.md", "../outside.md", ".dream-state.json"):
        with pytest.raises(ChangedError):
            memory.weigh(path, 0, memory.text(path)[1], pinned=True)


@pytest.mark.parametrize(
    ("text", "index", "pinned", "says"),
    [
        (b"- [T](x.md) - hook\n- [U](y.md) - hook\n", 1, True, "only points to a file: pin that file instead"),
        (b"---\npinned: true\n---\n- a\n- b\n", 1, False, "pinned with the file that holds it, at line 1"),
        (b"# [PINNED] A\n\n- a\n\n# B\n\ntext\n", 2, False, "pinned with the section that holds it, at line 1"),
        (b"---\ntags: [a, pinned]\n---\n- a\n", 0, False, "pinned by a tag"),
        (b"- [PINNED] a\n- [PINNED] b\n", 0, False, "pinned by what it holds"),
        (b"", 0, True, "holds no note to pin there"),
        (b"\xff\xfe", 0, True, "holds no note to pin there"),
    ],
)
def test_why_a_pin_does_not_fit_is_said(tmp_path: Path, text: bytes, index: int, pinned: bool, says: str) -> None:
    memory = workspace(lay(tmp_path / "store", {"a.md": text})).memory()
    with pytest.raises(UnpinnableError, match=says):
        memory.weigh("a.md", index, memory.text("a.md")[1], pinned=pinned)


def test_a_pinned_file_is_no_longer_offered_for_pruning(tmp_path: Path) -> None:
    folder = lay(tmp_path / "store", {"a.md": typed("a", "session_state", "Old", "Old.\n", modified="2025-01-01")})
    opened = workspace(folder)
    assert [one.cls for one in opened.doctor().findings] == ["stale"]
    pin(opened, "a.md")
    assert opened.doctor().findings == ()
