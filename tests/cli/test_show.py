from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema

from dreamreview.cli.report import SECTIONS
from dreamreview.model.proposal import Kind
from dreamreview.tui.outline import Grouping, outline
from dreamreview.workspace import Workspace

Command = Callable[..., Any]

SECRET = "Tern-4417-Quayside"


def test_the_document_follows_the_schema_of_the_package(command: Command, declared: Path, bare: Path) -> None:
    schema = json.loads((resources.files("dreamreview.model") / "manifest.schema.json").read_text(encoding="utf-8"))
    for folder in (declared, bare):
        jsonschema.validate(command("show", folder, "--json").json(), schema)


def test_each_change_tells_what_became_of_it(command: Command, declared: Path) -> None:
    command("decide", declared, "2", "--accept", "date1", "--choose", "port1=B")
    command("apply", declared, "--yes")
    shown = command("show", declared, "--json").json()
    port, _, date, *_ = shown["changes"]
    assert (date["state"], date["choice"], date["applied"], date["stale"]) == ("accepted", None, "a1", None)
    assert (port["state"], port["choice"], port["applied"]) == ("accepted", "B", "a1")
    assert shown["counts"] == {
        "changes": 5,
        "undecided": 3,
        "accepted": 2,
        "rejected": 0,
        "edited": 0,
        "skipped": 0,
        "partial": 0,
        "stale": 0,
        "applied": 2,
    }


def test_a_change_that_no_longer_fits_shows_both_texts(command: Command, declared: Path) -> None:
    command("decide", declared, "2", "--accept", "date1")
    live = (declared / "ports.md").read_text().replace("happened yesterday", "was put off")
    (declared / "ports.md").write_text(live)
    stale = command("show", declared, "--json").json()["changes"][2]["stale"]
    assert stale["base"] == "- The move happened yesterday."
    assert "- The move was put off." in stale["live"]
    assert "stale: " in command("show", declared).out


def test_a_secret_is_masked_in_every_form_and_an_edit_that_lost_one_says_so(command: Command, declared: Path) -> None:
    for words in ([], ["--json"], ["--patch"]):
        answer = command("show", declared, *words)
        assert SECRET not in answer.out + answer.err
    edits = {change["id"]: change["edits"] for change in command("show", declared, "--json").json()["changes"]}
    assert edits["red1"][0]["old"] == "- The password: Tern-4…side\n"
    assert edits["red1"][0]["masked"] is True
    assert "masked" not in edits["date1"][0]


def test_the_report_has_a_section_a_kind_with_its_size_and_every_card_in_full(command: Command, declared: Path) -> None:
    printed = command("show", declared).out
    for heading in ("Conflicts (1)", "Prune (1)", "Dates (1)", "Index (1)", "Redactions (1)"):
        assert f"\n{heading}\n" in printed
    assert "    A: 8443\n      from ports.md:1, 2026-01-05\n        > - Staging listens on port 8443.\n" in printed
    assert "    B (suggested): 9443\n" in printed
    assert "      - - The move happened yesterday.\n      + - The move happened on 2026-01-04.\n" in printed
    assert printed.endswith("0 of 5 decided\n")


def test_the_patch_of_a_bare_proposal_makes_its_copy(command: Command, bare: Path, tmp_path: Path) -> None:
    patch = tmp_path / "changes.patch"
    patch.write_text(command("show", bare, "--patch").out)
    subprocess.run(["git", "apply", "--unsafe-paths", f"--directory={bare}", patch], cwd="/", check=True)
    copy = bare / ".dream-proposals" / "20260104T000000000"
    assert (bare / "MEMORY.md").read_bytes() == (copy / "MEMORY.md").read_bytes()


def test_the_patch_names_each_change_and_each_side_of_a_conflict(command: Command, declared: Path) -> None:
    lines = command("show", declared, "--patch").out.splitlines()
    assert [line for line in lines if line.startswith("#")] == [
        "# port1 conflict: Two ports",
        "# port1 option A: 8443",
        "# port1 option B: 9443",
        "# prune1 prune: Old heater",
        "# date1 date: Say which day",
        "# index1 index: Two lines that point nowhere new",
        "# red1 redact: A password",
    ]


def test_files_come_and_go_in_a_patch_as_git_writes_it(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    copy = folder / ".dream-proposals" / "20260104T000000000"
    (copy / "new").mkdir(parents=True)
    (folder / "MEMORY.md").write_text("index\n")
    (copy / "MEMORY.md").write_text("index\n")
    (folder / "gone.md").write_text("old fact\nwithout end")
    (copy / "new" / "tab\t.md").write_text("fact\n")
    printed = command("show", folder, "--patch").out
    gone = "diff --git a/gone.md b/gone.md\ndeleted file mode 100644\n--- a/gone.md\n+++ /dev/null\n@@ -1,2 +0,0 @@\n"
    assert gone + "-old fact\n-without end\n\\ No newline at end of file\n" in printed
    named = '"a/new/tab\\t.md" "b/new/tab\\t.md"\nnew file mode 100644\n--- /dev/null\n+++ "b/new/tab\\t.md"\n'
    assert f"diff --git {named}@@ -0,0 +1,1 @@\n+fact\n" in printed


def test_a_text_that_a_person_wrote_is_shown_beside_the_suggestion(
    command: Command, declared: Path, tmp_path: Path
) -> None:
    (tmp_path / "text").write_text("- Moved on Sunday.\n")
    command("decide", declared, "2", "--edit", f"date1={tmp_path / 'text'}")
    printed = command("show", declared).out
    assert "    instead, as a person wrote it:\n" in printed
    assert "+ - Moved on Sunday.\n" in printed


HOSTILE = b"\x1b]52;c;aGk=\x07 \xc2\x9b31m \x1b[2J \xe2\x80\xae back \xe2\x80\x8b [/] [@click=app.quit]x[/]\x08\n"


def test_nothing_in_a_text_or_a_name_reaches_the_terminal_raw(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "hostile"
    copy = folder / ".dream-proposals" / "20260104T000000000"
    copy.mkdir(parents=True)
    (folder / "a.md").write_bytes(b"fact\n" + HOSTILE)
    (copy / "a.md").write_bytes(b"fact\n" + HOSTILE * 2)
    (copy / "esc\x1b[31m\u202e.md").write_bytes(HOSTILE)
    ids = [change["id"] for change in command("show", folder, "--json").json()["changes"]]
    runs = [
        command("show", folder),
        command("show", folder, "--json"),
        command("review", folder, "--plain", stdin="\n\n\n"),
        command("decide", folder, "2", *(word for name in ids for word in ("--accept", name))),
        command("apply", folder, "--dry-run"),
        command("apply", folder, "--yes"),
        command("history", folder),
        command("undo", folder),
        command("decide", folder, "2", "--accept", "\x1b[31mno"),
        command("show", tmp_path / "no\x1b[31m"),
        command("doctor", folder),
        command("dream", folder),
    ]
    printed = "".join(run.out + run.err for run in runs).replace("\n", "").replace("\t", "")
    assert [char for char in printed if not char.isprintable()] == []
    assert "[@click=app.quit]x[/]" in printed


def test_nothing_to_show_is_one_line(command: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    answer = command("show", tmp_path / "empty")
    assert (answer.code, answer.out.count("\n"), answer.err) == (0, 1, "")
    assert command("show", tmp_path / "empty", "--json").json() is None


def test_a_proposal_that_is_not_there_is_wrong_usage(command: Command, bare: Path) -> None:
    answer = command("show", bare, "1999")
    assert (answer.code, answer.out) == (2, "")
    assert "1999" in answer.err


def test_kinds_stand_in_the_order_in_which_the_app_lists_them(command: Command, tmp_path: Path) -> None:
    command("demo", "--keep", tmp_path / "demo")
    review = Workspace(tmp_path / "demo").open(command("proposals", tmp_path / "demo", "--json").json()[0]["id"])
    in_app = [
        str(SECTIONS[Kind(group.name)]) for group in outline(review.cards(), Grouping.KIND, lambda _: True).groups
    ]
    assert in_app == ["Redactions", "Quarantine", "Conflicts", "Merges", "Prune", "Dates", "Index"]
    headings = [line.partition(" (")[0] for line in command("show", tmp_path / "demo").out.splitlines()]
    assert [heading for heading in headings if heading in SECTIONS.values()] == in_app
    heard = command("review", tmp_path / "demo", "--plain", stdin="\n" * 20).out.splitlines()
    assert [line.partition(" (")[0] for line in heard if line.partition(" (")[0] in in_app] == in_app
