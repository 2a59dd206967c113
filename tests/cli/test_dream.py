from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A small memory with one fact that stands twice and a link to nowhere."""
    folder = tmp_path / "store"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("- [Boat](boat.md): the boat\n- [Gone](gone.md): nothing\n")
    (folder / "boat.md").write_text(
        "# Boat\n\n- The mooring costs 84 EUR a month.\n- Fuel is sold at the east pier.\n"
        "- The mooring costs 84 EUR a month.\n"
    )
    return folder


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and path.name[0] != "."}


def test_a_dream_leaves_a_proposal_and_the_folder_as_it_was(command: Command, store: Path) -> None:
    before = _files(store)
    answer = command("dream", store, "--json")
    assert answer.code == 0
    shape = answer.json()
    assert list(shape) == ["proposal", "status", "summary", "counts", "usage", "seconds"]
    assert shape["status"] == "completed"
    assert shape["counts"] == {"index": 1, "merge": 1}
    assert _files(store) == before
    assert command("proposals", store, "--json").json()[0]["id"] == shape["proposal"]


def test_a_dream_is_told_in_lines(command: Command, store: Path) -> None:
    answer = command("dream", store)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == (
        f"proposal 20260105T080000000: 2 changes: 1 merge, 1 index\nreview them with: dreamreview {store}\n"
    )


def test_what_waits_is_named_where_a_dream_finds_nothing_new(command: Command, store: Path) -> None:
    command("dream", store)
    answer = command("dream", store)
    assert answer.out.startswith("completed: nothing new in 2 files\n")
    assert answer.out.endswith(f"\n1 proposal waits from before; review with: dreamreview {store}\n")


def test_a_folder_with_a_blank_is_named_as_a_shell_takes_it(command: Command, store: Path) -> None:
    folder = store.rename(store.with_name("my notes"))
    assert command("dream", folder).out.endswith(f"\nreview them with: dreamreview '{folder}'\n")


def test_after_an_explanation_the_next_step_comes_last(command: Command, store: Path) -> None:
    assert command("dream", store, "--explain").out.endswith(f"\nreview them with: dreamreview {store}\n")


def test_every_change_is_explained_on_demand(command: Command, store: Path) -> None:
    answer = command("dream", store, "--explain")
    assert "Merges (1)\n" in answer.out
    assert "from boat.md:3" in answer.out
    assert "    found by duplicates: likeness 1 (at least 0.54)\n" in answer.out
    assert "    found by index_lines: by a rule, without a measure\n" in answer.out
    assert answer.out.count("    found by ") == 2
    assert "found by" not in command("show", store).out


def test_what_was_left_apart_is_explained_with_the_slot_that_refused(command: Command, tmp_path: Path) -> None:
    (tmp_path / "mill.md").write_text(
        "- Gate 3 of the mill race opens towards the weir.\n- Gate 4 of the mill race opens towards the weir.\x1b[0m\n"
    )
    answer = command("dream", tmp_path, "--explain")
    assert answer.code == 0
    assert "Left apart (1)\n\nmill.md:1 and mill.md:2\n    looked at by duplicates: likeness " in answer.out
    assert "    left apart: speak of different things: Gate 3 against 4\n" in answer.out
    assert "\x1b" not in answer.out
    assert "Left apart" not in command("dream", tmp_path).out


def test_pairs_far_from_a_merge_are_counted_in_one_line(command: Command, tmp_path: Path) -> None:
    (tmp_path / "mill.md").write_text(
        "- The mill race opens towards the weir at dawn every day of the year.\n"
        "- The mill race cat sleeps in the flour loft all winter long with kittens.\n"
    )
    answer = command("dream", tmp_path, "--explain")
    assert answer.out.endswith("\nLeft apart: 1 pair, which never came near a merge\n")


def test_an_explanation_is_no_part_of_the_document(command: Command, store: Path) -> None:
    assert list(command("dream", store, "--explain", "--json").json()) == [
        "proposal", "status", "summary", "counts", "usage", "seconds"
    ]  # fmt: skip


def test_a_second_dream_finds_nothing_new(command: Command, store: Path) -> None:
    command("dream", store)
    again = command("dream", store, "--json")
    assert (again.code, again.json()["proposal"]) == (0, None)


def test_an_engine_that_is_not_there_is_refused(command: Command, store: Path) -> None:
    answer = command("dream", store, "--engine", "oracle")
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert "oracle" in answer.err


def test_all_stores_are_dreamt_and_the_worst_end_counts(
    command: Command, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f'stores = ["{tmp_path / "nowhere"}", "{store}"]\n')
    monkeypatch.setenv("DREAMREVIEW_CONFIG", str(file))
    answer = command("dream", "--all")
    assert answer.code == 1
    assert "nowhere" in answer.err
    assert f"{store}\nproposal 20260105T080000000: 2 changes: " in answer.out


def test_the_doctor_names_what_a_dream_would_mend_and_changes_nothing(command: Command, store: Path) -> None:
    before = _files(store)
    answer = command("doctor", store, "--json")
    assert answer.code == 5
    shape = answer.json()
    assert list(shape) == ["findings", "files", "notes", "index"]
    assert shape["files"] == 2
    assert shape["index"] == {"lines": 2, "bytes": 55, "over": []}
    assert {"dangling", "duplicates"} <= {finding["class"] for finding in shape["findings"]}
    assert all(set(finding) == {"class", "path", "lines", "message"} for finding in shape["findings"])
    assert _files(store) == before
    assert "MEMORY.md:2" in command("doctor", store).out


def test_the_doctor_names_and_counts_secrets_and_words_for_a_day(command: Command, tmp_path: Path) -> None:
    (tmp_path / "ill").mkdir()
    (tmp_path / "ill" / "a.md").write_text("- The pump was mended yesterday.\n- password: FAKE-0000-mail\n")
    answer = command("doctor", tmp_path / "ill")
    assert (answer.code, answer.out.splitlines()[2:]) == (
        5,
        [
            "undated  a.md:1  “yesterday” has no day that it can be counted from.",
            "secrets  a.md:2  It holds a password or key, for every agent to read.",
            "2 findings: secrets 1, undated 1",
        ],
    )
    assert [name.name for name in (tmp_path / "ill").iterdir() if name.name != ".dreamreview"] == ["a.md"]


def test_the_doctor_finds_nothing_in_a_healthy_folder(command: Command, tmp_path: Path) -> None:
    (tmp_path / "well").mkdir()
    (tmp_path / "well" / "MEMORY.md").write_text("- [Boat](boat.md): the boat\n")
    (tmp_path / "well" / "boat.md").write_text("The mooring costs 84 EUR a month.\n")
    answer = command("doctor", tmp_path / "well")
    assert answer.code == 0
    assert answer.out.endswith("nothing found\n")
