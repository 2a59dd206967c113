"""What the commands say of memory stores at the service, and the status they end with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.dream.hosted.local_service import LocalService, at, at_hand, refusal

NOTES = {"/MEMORY.md": "- [Pump](pump.md)\n", "/pump.md": "The pump runs at 6.\n"}
OFFER = "; `dreamreview dream FOLDER --engine local` needs no service"


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[LocalService]:
    with at_hand(
        monkeypatch, tmp_path / "home", lambda texts: {**texts, "/pump.md": "The pump runs at six.\n"}
    ) as found:
        yield found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "memory"
    found.mkdir()
    return found


def filled(folder: Path) -> Path:
    for path, text in NOTES.items():
        (folder / path[1:]).write_text(text)
    return folder


@pytest.mark.usefixtures("service")
def test_a_hosted_dream_leaves_a_proposal_and_says_what_could_not_go(folder: Path, command: Command) -> None:
    filled(folder)
    (folder / "big.md").write_bytes(b"a" * 102_401)

    answer = command("dream", folder, "--engine", "hosted")

    assert answer.code == 0
    assert "dreamreview: big.md: not sent, 102,401 bytes, and a memory holds 102,400" in answer.err.splitlines()
    assert answer.out.splitlines()[0] == "proposal 20260105T080000000: 1 change: 1 edit"


@pytest.mark.usefixtures("service")
def test_without_a_key_a_hosted_dream_ends_in_one_line(
    folder: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")

    answer = command("dream", filled(folder), "--engine", "hosted")

    assert (answer.code, answer.out) == (1, "")
    assert answer.err == f"dreamreview: the hosted engine needs a key: set ANTHROPIC_API_KEY{OFFER}\n"


def test_a_dream_that_fails_there_ends_in_one_line(service: LocalService, folder: Path, command: Command) -> None:
    service.statuses, service.error = ["pending", "failed"], {"type": "timeout", "message": "x"}

    answer = command("dream", filled(folder), "--engine", "hosted")

    assert (answer.code, answer.out) == (1, "")
    told = "the hosted dream drm_1 failed: it took too long; give it fewer sessions or less memory"
    assert answer.err.splitlines()[-1] == f"dreamreview: {told}{OFFER}"


def reviewed(service: LocalService, folder: Path, command: Command) -> str:
    """Return the id of a store whose dream was imported and accepted."""
    store = service.add_store(NOTES)
    answer = command("import", folder, f"dream:{service.add_dream(store)}")
    assert answer.code == 0
    assert answer.err == f"dreamreview: 2 memories of {store} copied to {folder}\n"
    (change,) = command("show", folder, "--json").json()["changes"]
    (ready, _) = command("proposals", folder, "--json").json()
    assert command("decide", folder, ready["id"], "--accept", change["id"]).code == 0
    return store


def test_what_went_back_is_told_by_path(service: LocalService, folder: Path, command: Command) -> None:
    reviewed(service, folder, command)

    answer = command("apply", folder, "--yes")

    assert answer.code == 0
    assert answer.out.splitlines() == [
        "applied a2",
        "  write   pump.md",
        "  there   pump.md",
        f"take it back with: dreamreview undo {folder} a2",
    ]


def test_a_conflict_is_told_with_both_texts_and_ends_4(service: LocalService, folder: Path, command: Command) -> None:
    store = reviewed(service, folder, command)
    service.put(store, "/pump.md", "An agent was here.\nIts password: Tern-4417-Quayside\n\x1b[2J\n")

    answer = command("apply", folder, "--yes")

    assert answer.code == 4
    assert answer.out.splitlines()[2:-1] == [
        f"  clash   pump.md: others changed it in {store} meanwhile, so it was left there as it is",
        "    here: The pump runs at six.",
        "    there: An agent was here.",
        "    there: Its password: Tern-4…side",
        "    there: ␛[2J",
        f"`dreamreview import FOLDER memstore:{store}` shows their text for review; nothing of either was lost",
    ]


def test_a_conflict_comes_as_json_too(service: LocalService, folder: Path, command: Command) -> None:
    store = reviewed(service, folder, command)
    service.put(store, "/pump.md", "An agent was here.\n")

    answer = command("apply", folder, "--yes", "--json")

    assert answer.code == 4
    assert answer.json()["there"] == {
        "store": store,
        "written": [],
        "conflicts": [{"path": "pump.md", "here": "The pump runs at six.\n", "there": "An agent was here.\n"}],
        "left": [],
        "problem": None,
    }


def test_what_waits_is_sent_by_the_next_apply(service: LocalService, folder: Path, command: Command) -> None:
    store = reviewed(service, folder, command)
    service.faults.append(at("POST /v1/memory_stores/*/memories/*", refusal(503, "api_error", "down")))
    answer = command("apply", folder, "--yes")
    assert answer.code == 4
    assert answer.out.splitlines()[2:4] == [
        f"not all is in {store} yet: the service cannot answer just now (status 503): down; try again later",
        "`dreamreview apply` sends what waits",
    ]
    service.faults.clear()

    answer = command("apply", folder)

    assert (answer.code, answer.out) == (0, "sent what waited\n  there   pump.md\n")
    assert service.texts(store)["/pump.md"] == "The pump runs at six.\n"


def test_a_plan_sends_nothing(service: LocalService, folder: Path, command: Command) -> None:
    reviewed(service, folder, command)
    service.requests.clear()

    assert command("apply", folder, "--dry-run").code == 0
    assert service.requests == []


def test_a_folder_of_ones_own_never_speaks_to_the_service_when_it_applies(
    service: LocalService, folder: Path, command: Command
) -> None:
    assert command("dream", filled(folder), "--engine", "hosted").code == 0
    (change,) = command("show", folder, "--json").json()["changes"]
    (ready,) = command("proposals", folder, "--json").json()
    command("decide", folder, ready["id"], "--accept", change["id"])
    service.requests.clear()

    answer = command("apply", folder, "--yes", "--json")

    assert answer.code == 0
    assert "there" not in answer.json()
    assert service.requests == []
