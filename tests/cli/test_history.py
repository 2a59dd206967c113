"""What was applied, told by id and title; as JSON just as other programs rely on it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from dreamreview.workspace import Workspace
from tests.cli.conftest import BARE_ID, DECLARED_ID, SECRET

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command


def accept(command: Command, folder: Path, proposal: str, count: int) -> list[str]:
    changes = command("show", folder, proposal, "--json").json()["changes"]
    ids = [change["id"] for change in changes if not change["options"]][:count]
    options = [word for one in ids for word in ("--accept", one)]
    assert command("decide", folder, proposal, *options).code == 0
    return ids


def test_each_apply_names_its_changes_by_id_and_title(command: Command, bare: Path) -> None:
    one, other = accept(command, bare, BARE_ID, 2)
    command("apply", bare, "--yes")
    at = command("history", bare, "--json").json()[0]["at"]
    assert command("history", bare).out.splitlines() == [
        f"a1  {at}  from {BARE_ID}  2 changes",
        f"    {one}  Edit MEMORY.md line 6",
        f"    {other}  Edit MEMORY.md line 31",
    ]
    command("undo", bare)
    assert command("history", bare).out.splitlines()[0].endswith("  2 changes · undone")


def test_the_document_holds_ids_alone(command: Command, bare: Path) -> None:
    ids = accept(command, bare, BARE_ID, 2)
    command("apply", bare, "--yes")
    (found,) = command("history", bare, "--json").json()
    assert found == {"apply": "a1", "at": found["at"], "proposal": BARE_ID, "changes": ids, "undone": False}


def test_titles_outlive_the_copy_and_the_end_of_their_proposal(command: Command, bare: Path) -> None:
    accept(command, bare, BARE_ID, 2)
    command("apply", bare, "--yes")
    command("dream", bare)
    assert "Edit MEMORY.md line 31" in command("history", bare).out


def test_an_apply_whose_proposal_is_gone_or_broken_is_told_by_ids(command: Command, declared: Path) -> None:
    (one,) = accept(command, declared, DECLARED_ID, 1)
    command("apply", declared, DECLARED_ID, "--yes")
    (declared / ".dream-proposals" / DECLARED_ID / ".dream-manifest.json").write_text("{")
    (declared / ".dreamreview" / "bases" / DECLARED_ID).write_bytes(b"broken")
    answer = command("history", declared)
    assert (answer.code, answer.out.splitlines()[1]) == (0, f"    {one}")


def test_a_title_from_elsewhere_is_drawn_inert_and_masked(command: Command, declared: Path) -> None:
    (one,) = accept(command, declared, DECLARED_ID, 1)
    command("apply", declared, DECLARED_ID, "--yes")
    manifest = declared / ".dream-proposals" / DECLARED_ID / ".dream-manifest.json"
    document = json.loads(manifest.read_text())
    for change in document["changes"]:
        change["title"] = f"\x1b]0;pwn\x07 password: {SECRET}"
    manifest.write_text(json.dumps(document))
    out = command("history", declared).out
    assert one in out
    assert "\x1b" not in out
    assert SECRET not in out


def test_a_pin_is_told_as_done_by_hand(command: Command, bare: Path) -> None:
    memory = Workspace(bare).memory()
    path = memory.first_files()[0].path
    memory.carry_out(memory.weigh(path, 0, memory.text(path)[1], pinned=True))
    at = command("history", bare, "--json").json()[0]["at"]
    assert command("history", bare).out.splitlines()[0] == f"a1  {at}  by hand  1 change"
