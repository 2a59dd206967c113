"""Whatever a store, or what is imported into it, holds: our own errors in one line, and nothing outside is touched."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dreamreview.model.review import Op
from tests.workspace.stores import BANK, DAILY, TYPED, lay, memory, workspace
from tests.workspace.test_faults import DONE, command

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
ROUNDS = 24 if SCALE <= 1 else int(400 * SCALE)
"""Damaged documents of each kind."""

PATHS = (
    "../outside/secret.md", "/etc/hostname", "..", ".", "", "a//b", "a/../../b", ".dreamreview/lock", ".git/config",
    "a\0b", "memory", "memory/2026-09-11.md/x", "\ud800", "x" * 300, "C:\\x", ".DREAM-STATE.json", "MEMORY.md/",
)  # fmt: skip
VALUES: tuple[object, ...] = (
    None, True, -1, 0, 2**63, 2**70, 10**400, 1e308, -0.5, "", "A", "\x1b[2J", "\u202e", [], {}, [[]],
    {"": {}}, "=" * 70_000,
)  # fmt: skip
SPLINTERS = (b"\0", b"\xff\xfe", b"\r", b"\n\n", b"]}", b"\x1b]8;;", b"---\n", b"../")
DEEP = b"[" * 100_000


def spoilt_value(value: Any, rnd: Random) -> Any:
    """Return JSON with one part of it, somewhere, replaced, left out or doubled."""
    if isinstance(value, dict) and value and rnd.random() < 0.9:
        key = rnd.choice(sorted(value))
        if rnd.random() < 0.1:
            return {other: held for other, held in value.items() if other != key}
        return {**value, key: spoilt_value(value[key], rnd)}
    if isinstance(value, list) and value and rnd.random() < 0.9:
        at = rnd.randrange(len(value))
        if rnd.random() < 0.1:
            return [*value, value[at]]
        return [*value[:at], spoilt_value(value[at], rnd), *value[at + 1 :]]
    if isinstance(value, int) and rnd.random() < 0.3:
        return value + rnd.choice((-2, -1, 1, 2, 1000))
    return rnd.choice(PATHS) if isinstance(value, str) and rnd.random() < 0.6 else rnd.choice(VALUES)


def spoilt_bytes(data: bytes, rnd: Random) -> bytes:
    """Return bytes with a few of them lost, doubled, moved or made up."""
    for _ in range(rnd.randint(1, 4)):
        at, end = sorted((rnd.randint(0, len(data)), rnd.randint(0, len(data))))
        end = min(end, at + rnd.choice((1, 8, 200, len(data))))
        data = rnd.choice(
            (
                data[:at] + data[end:],
                data[:end] + data[at:],
                data[:at] + rnd.randbytes(rnd.randint(1, 9)) + data[end:],
                data[:at] + rnd.choice(SPLINTERS) + data[at:],
                data[:at],
            )
        )
    return data


def spoilt_json(data: bytes, rnd: Random) -> bytes:
    if rnd.random() < 0.02:
        return DEEP
    if rnd.random() < 0.3:
        return spoilt_bytes(data, rnd)
    return json.dumps(spoilt_value(json.loads(data), rnd)).encode()


def spoilt_lines(data: bytes, rnd: Random) -> bytes:
    """Return a log of which one entry, or the bytes, are spoilt."""
    lines = data.splitlines(keepends=True)
    at = rnd.randrange(len(lines))
    return b"".join([*lines[:at], spoilt_json(lines[at], rnd).rstrip(b"\n") + b"\n", *lines[at + 1 :]])


def spoilt_record(data: bytes, rnd: Random) -> bytes:
    """Return a record of a base with a digest that proves what is wrong in it."""
    head, _, body = data.partition(b"\n")
    size = int(head.split()[-1])
    document = spoilt_json(body[:size], rnd)
    body = document + body[size:]
    return f"{head.split()[0].decode()} {hashlib.sha256(body).hexdigest()} {len(document)}\n".encode() + body


def spoilt_proven(data: bytes, rnd: Random) -> bytes:
    """Return a record that is one document, with a digest that proves what is wrong in it."""
    head, _, body = data.partition(b"\n")
    document = spoilt_json(body, rnd)
    return f"{head.split()[0].decode()} {hashlib.sha256(document).hexdigest()}\n".encode() + document


@dataclass(frozen=True)
class Document:
    """A file that others may have written, and the commands that read it."""

    place: str
    """Its path in the store; ``PROPOSAL`` stands for the id of the proposal in it."""
    spoil: Callable[[bytes, Random], bytes]
    commands: tuple[tuple[str, ...], ...]
    seed: bytes | None = None
    """What it holds before it is spoilt, where that is not what the store holds there."""


MANIFEST = ".dream-proposals/PROPOSAL/.dream-manifest.json"
SHOW, DRY, UNDO = ("show", "STORE", "--json"), ("apply", "STORE", "--dry-run"), ("undo", "STORE", "--dry-run")
PATCH = (
    b"diff --git a/MEMORY.md b/MEMORY.md\nindex 1..2 100644\n--- a/MEMORY.md\n+++ b/MEMORY.md\n"
    b"@@ -9,2 +9,3 @@\n \n-- Odile bakes on weekdays.\n+- Odile bakes on Mondays.\n+- Basil bakes.\n"
    b"diff --git a/memory/2026-09-11.md b/new.md\nsimilarity index 90%\n"
    b"rename from memory/2026-09-11.md\nrename to new.md\n"
    b"diff --git a/made.md b/made.md\nnew file mode 100644\n--- /dev/null\n+++ b/made.md\n@@ -0,0 +1 @@\n+made\n"
)
RETENTION = (
    b"# Memory\n\n## Retention\n\n- decisions: forever\n- logs: 30 days\n| kind | keep |\n|---|---|\n| notes | 90d |\n"
    b"```yaml\nretention:\n  session: 7d\n  decision: forever\n```\n"
)
EXPORT = (
    b'---\nid: "1"\nmemory: bakes on Mondays\ncategory: people\nscore: 0.5\ncreated: 2026-09-01\n---\n'
    b"Basil bakes on Mondays.\n"
)
PROSE = b"".join(one for one in (*TYPED.values(), *BANK.values()) if isinstance(one, bytes))
OWNER = (
    b'{"pid": 1, "host": "h", "started": null, "boot": null, "space": null, "token": "t", "purpose": "x", "since": 1, '
    b'"stamps": ["1"]}'
)
DOCUMENTS = {
    "manifest": Document(
        ".dream-proposals/PROPOSAL/.dream-manifest.json", spoilt_json, (SHOW, DRY, ("proposals", "STORE"))
    ),
    "log": Document(".dreamreview/reviews/PROPOSAL.jsonl", spoilt_lines, (SHOW, DRY)),
    "state": Document(".dream-state.json", spoilt_json, (("status", "STORE", "--json"), ("dream", "STORE"))),
    "base": Document(".dreamreview/bases/PROPOSAL", spoilt_record, (SHOW, DRY)),
    "journal": Document(
        ".dreamreview/journal/a1.json", spoilt_json, (("history", "STORE"), ("undo", "STORE", "--dry-run"))
    ),
    "seen": Document(".dreamreview/snapshots/seen", spoilt_proven, (("watch", "STORE", "--once"), SHOW)),
    "owner": Document(
        ".dreamreview/owner.json",
        spoilt_json,
        (("status", "STORE"), ("dream", "STORE")),
        OWNER,
    ),
    "rejected": Document(".dreamreview/rejected.jsonl", spoilt_lines, (SHOW,)),
    "patch": Document("SOURCE", spoilt_bytes, (("import", "STORE", "SOURCE"),), PATCH),
    "export": Document("SOURCE", spoilt_bytes, (("import", "STORE", "SOURCE"),), EXPORT),
    "retention": Document("mem0.md", spoilt_bytes, (("dream", "STORE"), ("doctor", "STORE")), RETENTION),
    "markdown": Document("progress.md", spoilt_bytes, (("dream", "STORE"), ("doctor", "STORE")), PROSE),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a store with an apply that stands and a proposal of which something is decided."""
    folder = lay(tmp_path_factory.mktemp("hostile") / "store", DAILY)
    opened = workspace(folder)
    opened.dream()
    review = opened.open()
    plain = [change.id for change in review.proposal.changes if not change.options]
    for change in plain[: len(plain) // 2]:
        review.decide(Op.ACCEPT, change)
    opened.apply()
    review = opened.open()
    left = [change.id for change in review.proposal.changes if change.id not in plain[: len(plain) // 2]]
    review.decide(Op.REJECT, left[0], reason="no")
    review.decide(Op.SKIP, left[-1])
    (folder / ".dreamreview" / "rejected.jsonl").write_bytes(
        b'{"v": 1, "fingerprint": "ab", "proposal": "p", "reason": "r"}\n'
    )
    assert command("watch", str(folder), "--once")[0] in DONE
    return folder


class Trap:
    """A copy of the store beside a folder that nobody may touch."""

    def __init__(self, whole: Path, place: Path) -> None:
        self._place = place
        self.store, self.outside = place / "store", lay(place / "outside", {"secret.md": b"kept\n"})
        shutil.copytree(whole, self.store, symlinks=True)
        self.source = place / "source"
        (self.proposal,) = (one.name for one in (self.store / ".dream-proposals").iterdir() if one.is_dir())
        self._before = (memory(self.outside), os.stat(self.outside).st_mtime_ns)

    def path(self, place: str) -> Path:
        """Return where a document lies."""
        return self.source if place == "SOURCE" else self.store / place.replace("PROPOSAL", self.proposal)

    def run(self, words: tuple[str, ...]) -> tuple[int, list[str]]:
        names = {"STORE": str(self.store), "SOURCE": str(self.source)}
        return command(*(names.get(word, word) for word in words))

    @property
    def is_untouched(self) -> bool:
        names = {one.name for one in self._place.iterdir()}
        return names <= {"store", "outside", "source"} and self._before == (
            memory(self.outside),
            os.stat(self.outside).st_mtime_ns,
        )


def is_ours(status: int, said: list[str]) -> bool:
    """Tell whether a command ended as one may: done, or with one line that is no exception of Python's."""
    if any("unexpected" in line for line in said):
        return False
    return status in DONE or (status in (1, 2, 3) and [line[:13] for line in said[-1:]] == ["dreamreview: "])


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_spoilt_document_is_read_or_refused_and_nothing_outside_is_touched(
    kind: str, whole: Path, tmp_path: Path
) -> None:
    document, rnd = DOCUMENTS[kind], Random(f"20260915 {kind}")
    ends: Counter[int] = Counter()
    for number in range(ROUNDS):
        trap = Trap(whole, tmp_path / f"round{number}")
        place = trap.path(document.place)
        data = document.spoil(document.seed or place.read_bytes(), rnd)
        place.parent.mkdir(exist_ok=True)
        if place.exists():
            place.unlink()
        place.write_bytes(data)
        before = memory(trap.store)
        for words in document.commands:
            status, said = trap.run(words)
            assert is_ours(status, said), (number, words, said, data[:2000])
            ends[status] += 1
        assert trap.is_untouched, (number, data[:2000])
        assert memory(trap.store) == before, (number, data[:2000])
        shutil.rmtree(trap.store.parent)
    assert ends.total() == ROUNDS * len(document.commands)
