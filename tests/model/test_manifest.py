from __future__ import annotations

import copy
import json
import os
from dataclasses import replace
from importlib import resources
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamreview.errors import InvalidManifestError
from dreamreview.model import manifest
from dreamreview.model.edits import Text, split_lines
from dreamreview.model.proposal import (
    LINK_MODE,
    Act,
    Base,
    Change,
    Engine,
    Evidence,
    FileEdit,
    Kind,
    Option,
    Proposal,
    Usage,
)
from tests.model.documents import create, document, lines_edit, one_change, refusal, rename

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
SCHEMA = json.loads(resources.files("dreamreview.model").joinpath("manifest.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def laws(count: int) -> settings:
    return settings(max_examples=int(count * SCALE), deadline=None, suppress_health_check=list(HealthCheck))


prose = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
lines_of = st.lists(
    st.sampled_from([b"a\n", b"b\r\n", b"c\rd\n", b"\xff\xfe\n", b"x\x0cy\n", "z\u2028\n".encode(), b"\n", b"\0\n"]),
    max_size=4,
)
texts = st.builds(
    lambda lines, tail: split_lines(b"".join(lines) + tail), lines_of, st.sampled_from([b"", b"t", b"\x80"])
)
names = st.sampled_from(
    [b"a.md", b"x b/y.md", b":c", b"-d", b'q"', b"new\nline", b"bad\xff.md", "é".encode(), b"$(x)", b"~"]
)
modes = st.sampled_from([None, 0, 0o644, 0o755, 0o7777, LINK_MODE])


@st.composite
def evidences(draw: st.DrawFn) -> Evidence:
    first = draw(st.integers(1, 50))
    return Evidence(
        path=os.fsdecode(draw(names)),
        first=first,
        last=draw(st.integers(first - 1, first + 5)),
        quote=draw(prose),
        date=draw(st.sampled_from([None, "2026-03-04"])),
        session=draw(st.none() | prose),
    )


@st.composite
def edit_sets(draw: st.DrawFn, folder: str, prefix: str, shared: int) -> tuple[FileEdit, ...]:
    edits: list[FileEdit] = []
    for place in range(draw(st.integers(1, 3))):
        path = f"{folder}/{place}/{os.fsdecode(draw(names))}"
        made = FileEdit(id=f"{prefix}{place + 1}", path=path)
        act = draw(st.sampled_from(list(Act)))
        if act is Act.LINES:
            old, new = draw(st.tuples(texts, texts).filter(lambda pair: pair[0] != pair[1]))
            start = draw(st.integers(0, 9))
            edits.append(replace(made, start=start, stop=start + len(old), old=old, new=new))
        elif act is Act.CREATE:
            edits.append(replace(made, act=act, new=draw(texts), mode=draw(modes)))
        elif act is Act.DELETE:
            old = draw(texts)
            edits.append(replace(made, act=act, stop=len(old), old=old, mode=draw(modes)))
        elif act is Act.RENAME:
            edits.append(replace(made, act=act, to=f"{folder}/{place}/to/{os.fsdecode(draw(names))}"))
        else:
            edits.append(replace(made, act=act, old_mode=0o644, mode=0o600))
    if draw(st.booleans()):
        start = shared * 3
        edits.append(FileEdit(id=f"{prefix}9", path="shared.md", start=start, stop=start + 1, old=(b"q\n",), new=()))
    return tuple(edits)


@st.composite
def changes(draw: st.DrawFn, number: int) -> Change:
    kind = draw(st.sampled_from(list(Kind)))
    change = Change(
        id=f"c{number}",
        kind=kind,
        title=draw(prose),
        reason=draw(prose),
        confidence=draw(st.floats(0, 1)),
        fingerprint="f" * 64,
        phase=draw(prose),
        evidence=tuple(draw(st.lists(evidences(), max_size=2))),
        flags=tuple(draw(st.lists(st.sampled_from(["secret", "elision"]), unique=True))),
    )
    folder = f"d{number}"
    if kind is not Kind.CONFLICT:
        return replace(change, edits=draw(edit_sets(folder, "e", number)))
    options = tuple(
        Option(key, draw(prose), tuple(draw(st.lists(evidences(), max_size=2))), draw(edit_sets(folder, key, number)))
        for key in ("A", "B")
    )
    return replace(change, options=options, suggested=draw(st.sampled_from([None, "A", "B"])))


@st.composite
def proposals(draw: st.DrawFn) -> Proposal:
    made = tuple(draw(changes(number)) for number in range(draw(st.integers(0, 4))))
    return Proposal(
        id="20260901T120000000",
        created_at="2026-09-01T12:00:00Z",
        base=Base(
            kind="declared", digest="d" * 64, at="2026-09-01T12:00:00.5Z", tree=draw(st.none() | st.just("a" * 40))
        ),
        changes=manifest.ranked(made),
        status=draw(st.sampled_from(["ready", "failed", "applied", "discarded", "superseded"])),
        rendering="e" * 64,
        engine=Engine(
            name=draw(prose),
            version="1",
            model=draw(st.none() | prose),
            settings=tuple(draw(st.dictionaries(prose, prose, max_size=2)).items()),
        ),
        usage=Usage(input_tokens=draw(st.integers(0, 10**9)), cost_usd=draw(st.none() | st.floats(0, 10)), seconds=0.5),
        summary=draw(prose),
        narrative=draw(prose),
    )


@laws(150)
@given(proposals())
def test_a_proposal_comes_back_from_its_manifest_as_it_was(proposal: Proposal) -> None:
    assert manifest.from_json(manifest.to_json(proposal)) == proposal
    assert manifest.loads(manifest.dumps(proposal)) == proposal


@laws(60)
@given(proposals())
def test_what_is_written_follows_the_schema(proposal: Proposal) -> None:
    VALIDATOR.validate(json.loads(manifest.dumps(proposal)))


JUNK: list[Any] = [
    None,
    True,
    -1,
    0,
    2**80,
    1e400,
    "",
    "..",
    "/x",
    "\ud800",
    "a\0",
    [],
    [1],
    [0, 0],
    [3, 1],
    {},
    {"x": 1},
    [[[]]],
]


def places_of(value: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    for key in keys:
        found.append((value, key))
        found += places_of(value[key])
    return found


@laws(300)
@given(proposals(), st.data())
def test_a_damaged_manifest_is_read_or_refused_and_nothing_else(proposal: Proposal, data: st.DataObject) -> None:
    shape = json.loads(manifest.dumps(proposal))
    for _ in range(data.draw(st.integers(1, 4))):
        holder, key = data.draw(st.sampled_from(places_of(shape)))
        if data.draw(st.booleans()):
            holder[key] = copy.deepcopy(data.draw(st.sampled_from(JUNK)))
        elif isinstance(holder, dict):
            holder.pop(key)
        else:
            holder.append(copy.deepcopy(holder[key]))
    try:
        read = manifest.from_json(shape)
    except InvalidManifestError:
        return
    assert manifest.loads(manifest.dumps(read)) == read


@laws(200)
@given(proposals(), st.data())
def test_damaged_bytes_are_read_or_refused_and_nothing_else(proposal: Proposal, data: st.DataObject) -> None:
    written = bytearray(manifest.dumps(proposal))
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(written) - 1))
        written[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    try:
        read = manifest.loads(bytes(written))
    except InvalidManifestError:
        return
    assert manifest.loads(manifest.dumps(read)) == read


def test_a_line_edit_counts_from_one_and_includes_its_last_line() -> None:
    proposal = manifest.from_json(
        document(one_change(lines_edit(2, 3, "b\nc\n", "B\n"), lines_edit(5, 4, "", "n\n", id="e2")))
    )
    assert proposal.changes[0].edits == (
        FileEdit(id="e1", path="a.md", start=1, stop=3, old=(b"b\n", b"c\n"), new=(b"B\n",), rank=0),
        FileEdit(id="e2", path="a.md", start=4, stop=4, old=(), new=(b"n\n",), rank=1),
    )
    assert manifest.change_to_json(proposal.changes[0])["edits"][1] == lines_edit(5, 4, "", "n\n", id="e2")


def test_a_path_that_is_not_utf8_comes_as_base64_beside_a_printable_one() -> None:
    change = Change(
        id="c1",
        kind=Kind.EDIT,
        title="",
        reason="",
        confidence=1,
        fingerprint="f",
        edits=(FileEdit(id="e1", path="bad\udcff.md", old=(), new=(b"\xff\n",)),),
    )
    assert manifest.change_to_json(change)["edits"] == [
        {"id": "e1", "path": "bad\ufffd.md", "path_b64": "YmFk/y5tZA==", "lines": [1, 0], "old": "", "new_b64": "/wo="}
    ]


def test_a_lone_surrogate_in_prose_is_written_as_a_mark() -> None:
    change = Change(id="c1", kind=Kind.EDIT, title="a\udcffb", reason="", confidence=1, fingerprint="f")
    assert manifest.change_to_json(change)["title"] == "a\ufffdb"


def test_a_text_with_an_open_line_inside_is_not_written() -> None:
    change = Change(
        id="c1",
        kind=Kind.EDIT,
        title="",
        reason="",
        confidence=1,
        fingerprint="f",
        edits=(FileEdit(id="e1", path="a.md", new=(b"open", b"next\n")),),
    )
    with pytest.raises(
        InvalidManifestError, match=r"edit e1 of 'a.md': new: only the last line may lack its terminator"
    ):
        manifest.change_to_json(change)


def test_flags_that_are_worked_out_at_load_are_not_believed() -> None:
    flags = ["secret", "move", "rewrap", "reorder", "refresh", "elision"]
    change = one_change(lines_edit(1, 0, "", "n\n"), flags=flags)
    assert manifest.from_json(document(change)).changes[0].flags == ("secret", "elision")


@pytest.mark.parametrize(
    ("settings_of", "said"),
    [
        (["prompt"], "engine.settings: expected an object"),
        ({"prompt": 1}, "engine.settings.prompt: expected a text"),
        ({"prompt": "x" * 1_001}, "engine.settings.prompt"),
        ({str(number): "" for number in range(101)}, "engine.settings: holds more than 100 entries"),
    ],
)
def test_settings_of_an_engine_are_a_few_short_texts(settings_of: object, said: str) -> None:
    change = one_change(lines_edit(1, 0, "", "n\n"))
    assert refusal(document(change, engine={"settings": settings_of})).startswith(said)


def test_unknown_keys_are_left_alone() -> None:
    change = one_change(lines_edit(1, 0, "", "n\n", masked=True), state="accepted", vanishing=["9"])
    assert len(manifest.from_json(document(change, counts={}, extra=1)).changes) == 1


def test_ranks_follow_place_in_the_file_then_place_in_the_manifest() -> None:
    shapes = [
        one_change(lines_edit(5, 4, "", "late\n")),
        one_change(lines_edit(2, 1, "", "one\n")),
        one_change(lines_edit(2, 1, "", "two\n")),
    ]
    proposal = manifest.from_json(document(*shapes))
    assert [change.edits[0].rank for change in proposal.changes] == [2, 0, 1]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff", "document: is no JSON"),
        (b"{", "document: is no JSON"),
        (b'{"a": NaN}', "document: is no JSON: NaN is no JSON number"),
        (b"[" * 200_000, "document: is nested too deeply"),
        (b"1" * 5_000, "document: is no JSON"),
        (b" " * (manifest.MAX_BYTES + 1), "document: 67108865 bytes are more than 67108864"),
    ],
)
def test_bytes_that_are_no_document_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(InvalidManifestError, match=message):
        manifest.loads(data)


def test_what_show_adds_follows_the_schema_too() -> None:
    shape = document(one_change(lines_edit(1, 0, "", "n\n", masked=True)))
    shown = {
        "state": "partial",
        "choice": None,
        "applied": None,
        "stale": {"reason": "", "base": "", "live": ""},
        "seen": "0" * 64,
    }
    counts = dict.fromkeys(
        ("changes", "undecided", "accepted", "rejected", "edited", "skipped", "partial", "stale", "applied"), 0
    )
    shape["changes"][0] |= shown
    VALIDATOR.validate(shape | {"counts": counts, "warnings": []})
    shape["changes"][0]["state"] = "unsure"
    assert [list(error.path) for error in VALIDATOR.iter_errors(shape)] == [["changes", 0, "state"]]


@pytest.mark.parametrize(
    "change",
    [
        one_change(lines_edit(0, 1, "a\n", "b\n")),
        one_change({"id": "e1", "path": "a.md", "lines": [1, 0], "old": ""}),
        one_change(),
        one_change(kind="conflict"),
        one_change(rename("a.md", "")),
        one_change(create("a.md"), confidence=2),
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(change: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid(document(change))
    assert refusal(document(change))


def test_ids_of_undeclared_changes_depend_on_each_part_alone() -> None:
    def named(path: str = "a.md", to: str | None = None, first: int = 1, old: Text = (), new: Text = (b"n\n",)) -> str:
        return manifest.undeclared_id("edit", path, to, first, old, new)

    assert named() == "50604038410d"
    others = {
        named(),
        named(path="b.md"),
        named(to="c.md"),
        named(first=2),
        named(old=(b"n\n",), new=()),
        named(path="a\udcff"),
    }
    assert len(others) == 6
    assert all(len(each) == 12 for each in others)


def test_the_fingerprint_of_an_undeclared_change_stays_the_same() -> None:
    assert manifest.undeclared_fingerprint("edit", "a.md", (), (b"n\n",)) == (
        "8d31f60f590042d01fcb6fd8926da0365a051df7f66ef54ed843fb0bf4f075b6"
    )
