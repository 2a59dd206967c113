from __future__ import annotations

import pytest

from dreamreview.model.index import is_index, pointers_in
from dreamreview.model.links import find_spans
from dreamreview.model.memory import Pointer


def pointers(text: str, *, in_index: bool = True) -> list[tuple[str, str, str]]:
    found = pointers_in(text, 3, find_spans(text), in_index=in_index)
    assert all(isinstance(pointer, Pointer) and pointer.line == 3 for pointer in found)
    return [(pointer.target, pointer.label, pointer.hook) for pointer in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- [Ports](ports.md) — who listens where", [("ports.md", "Ports", "who listens where")]),
        ("- [Ports](ports.md) - who listens where", [("ports.md", "Ports", "who listens where")]),
        ("- [Ports](ports.md): who listens where", [("ports.md", "Ports", "who listens where")]),
        ("- **[Ports](ports.md)** who listens where", [("ports.md", "Ports", "who listens where")]),
        ("| [Ports](ports.md) | who listens where |", [("ports.md", "Ports", "who listens where")]),
        ("- [[ports]] who listens where", [("ports", "ports", "who listens where")]),
        ("- `ports.md` — who listens where", [("ports.md", "ports.md", "who listens where")]),
        ("- ports.md who listens where", [("ports.md", "ports.md", "who listens where")]),
        ("### [Ports](ports.md)", [("ports.md", "Ports", "")]),
        ("- [Ports](ports.md)", [("ports.md", "Ports", "")]),
        ("- 📌 [Ports](ports.md) — kept", [("ports.md", "Ports", "kept")]),
        ("- [x] [Ports](ports.md) — done", [("ports.md", "Ports", "done")]),
        ("[Ports](ports.md) — no bullet", [("ports.md", "Ports", "no bullet")]),
        (
            "- [**`rm` fails in [dry] mode (2026-02-03)**](rm.md) — use `mv`",
            [("rm.md", "`rm` fails in [dry] mode (2026-02-03)", "use `mv`")],
        ),
        ("- [Ports](ports.md) — see also [Hosts](hosts.md)", [("ports.md", "Ports", "see also [Hosts](hosts.md)")]),
        ("- Ports → [ports](ports.md)", [("ports.md", "ports", "Ports")]),
        ("- Ports → notes/ports.md", [("notes/ports.md", "notes/ports.md", "Ports")]),
    ],
)
def test_each_shape_of_entry_is_read(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert pointers(text) == expected


def test_several_targets_on_one_line_are_several_entries() -> None:
    assert pointers("|oven cache: [oven-cache](oven-cache.md) (212), [ci](ci.md) (90)") == [
        ("oven-cache.md", "oven-cache", "oven cache (212)"),
        ("ci.md", "ci", "oven cache (90)"),
    ]
    assert pointers("- [A](a.md), [B](b.md) — both halves") == [
        ("a.md", "A", "both halves"),
        ("b.md", "B", "both halves"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "- The proxy listens on 9001",
        "- The proxy listens on 9001, see [Ports](ports.md)",
        "More in [Ports](ports.md) and elsewhere.",
        "- Backups: ports.md and hosts.md, each night",
        "- ![Plan of the cellar](plan.png)",
        "- [House rules](https://kiln.invalid/rules.md) — on the web",
    ],
)
def test_a_fact_without_a_file_of_its_own_points_nowhere(text: str) -> None:
    assert pointers(text) == []


def test_outside_an_index_only_a_link_with_a_separator_is_an_entry() -> None:
    assert pointers("- [Ports](ports.md) — hook", in_index=False) == [("ports.md", "Ports", "hook")]
    assert pointers("- [[ports]]", in_index=False) == [("ports", "ports", "")]
    assert pointers("- [Ports](ports.md) moved last week", in_index=False) == []
    assert pointers("- `ports.md` — is generated", in_index=False) == []


@pytest.mark.parametrize(
    ("path", "lines", "expected"),
    [
        ("MEMORY.md", ["- a fact"], True),
        ("sub/memory.md", [], True),
        ("INDEX.md", [], True),
        ("list.md", ["- [A](a.md) — a", "- [B](b.md)", "- [[c]] — c", "- a fact"], True),
        ("notes.md", ["- [A](a.md) — a", "- a fact", "- another", "- a third"], False),
        ("links.md", ["- [A](https://a.invalid) — a"] * 4, False),
    ],
)
def test_an_index_is_known_by_its_name_or_its_lines(path: str, lines: list[str], expected: bool) -> None:
    spans = {number: found for number, text in enumerate(lines) if (found := find_spans(text))}
    assert is_index(path, lines, spans) is expected
