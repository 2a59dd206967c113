"""A claim is supported by what the memory held before; what it never held is named, whoever states it."""

from __future__ import annotations

from collections.abc import Mapping

from dreamreview.model.edits import Text, split_lines
from dreamreview.model.proposal import Act, Change, FileEdit, Kind, Option
from dreamreview.model.support import unsupported

BASE = {
    "boat.md": b"# Boat\n\nThe boat is moored at pier 4 since 2026-03-02.\nYesterday Ines paid 84 EUR.\n",
    "fuel.md": b"Fuel costs 1.79 EUR at the east pier; see `pump.toml`.\n",
}


def _unsupported(*changes: Change, base: Mapping[str, bytes] = BASE, come: tuple[str, ...] = ()) -> dict[str, object]:
    def before(path: str) -> Text | None:
        return split_lines(base[path]) if path in base else None

    found = unsupported(changes, before, base, (*base, *come))
    return {name: sides[""] if "" in sides else dict(sides) for name, sides in found.items()}


def _edit(path: str, start: int, stop: int, new: str) -> FileEdit:
    old = split_lines(BASE[path])[start:stop] if path in BASE else ()
    act = Act.LINES if path in BASE else Act.CREATE
    return FileEdit("e1", path, act, start, stop, old, split_lines(new.encode()))


def _change(edit: FileEdit, kind: Kind = Kind.REWRITE, name: str = "c1") -> Change:
    return Change(name, kind, "", "", 0.5, "", edits=(edit,))


def test_what_stood_anywhere_in_the_memory_supports_a_claim() -> None:
    edit = _edit("boat.md", 2, 3, "The boat lies at pier 4, where Fuel costs 1.79 EUR (`pump.toml`).\n")
    assert _unsupported(_change(edit)) == {"c1": ()}


def test_what_it_never_held_is_named() -> None:
    edit = _edit(
        "boat.md", 2, 3, "The boat is moored at pier 5 since 2026-03-02 and belongs to Odile; see `dock.toml`.\n"
    )
    assert _unsupported(_change(edit)) == {"c1": ("5", "Odile", "dock.toml")}


def test_what_a_change_puts_back_elsewhere_is_supported_by_what_it_takes() -> None:
    taken = _change(_edit("fuel.md", 0, 1, ""), name="c1")
    brought = _change(_edit("new.md", 0, 0, "Fuel costs 1.79 EUR at the east pier; see `pump.toml`.\n"), name="c2")
    assert _unsupported(taken, brought, come=("new.md",)) == {"c1": (), "c2": ()}


def test_names_of_proposed_files_support_themselves() -> None:
    edit = _edit("boat.md", 4, 4, "- [Log](log/2026-03.md): the log\n")
    assert _unsupported(_change(edit), come=("log/2026-03.md",)) == {"c1": ()}
    assert _unsupported(_change(edit)) == {"c1": ("log/2026-03.md",)}


def test_a_day_that_is_worked_out_counts_from_a_day_of_its_file() -> None:
    dated = _edit("boat.md", 3, 4, "2026-03-01: Ines paid 84 EUR.\n")
    assert _unsupported(_change(dated, Kind.DATE)) == {"c1": ()}
    assert _unsupported(_change(dated, Kind.REWRITE)) == {"c1": ("2026-03-01",)}
    undated = _change(
        _edit("fuel.md", 0, 1, "On 2026-03-01 Fuel cost 1.79 EUR at the east pier; see `pump.toml`.\n"), Kind.DATE
    )
    assert _unsupported(undated) == {"c1": ("2026-03-01",)}


def test_each_side_of_a_conflict_is_held_against_the_memory() -> None:
    sides = (
        Option("A", "", edits=(_edit("boat.md", 2, 3, "The boat is moored at pier 4.\n"),)),
        Option("B", "", edits=(_edit("boat.md", 2, 3, "The boat is moored at pier 7.\n"),)),
    )
    assert _unsupported(Change("c1", Kind.CONFLICT, "", "", 0.5, "", options=sides)) == {"c1": {"A": (), "B": ("7",)}}


def test_a_secret_is_never_named_and_what_stands_for_one_claims_nothing() -> None:
    key = "sk-ant-api03-q8Zr51vLm0TxWc7Yd2Kp94Hs6Bn3Gf"
    edit = _edit("boat.md", 4, 4, f"api_key: {key}\ntoken: [redacted]\n")
    assert key not in repr(_unsupported(_change(edit)))


def test_bytes_that_are_no_text_claim_nothing() -> None:
    edit = FileEdit("e1", "logo.bin", Act.CREATE, new=(b"\0\x01 Odile 2031-01-01\n",))
    assert _unsupported(_change(edit)) == {"c1": ()}
