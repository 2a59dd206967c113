"""A store that lives at the service: copied, dreamed, reviewed, and written back over what was seen."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dreamreview.dream.engine import EngineError
from dreamreview.errors import StoreError, UsageError
from dreamreview.model.review import Op
from dreamreview.settings import Settings
from dreamreview.workspace import ApplyResult, Decision, Workspace, giving_back, writing
from dreamreview.workspace.context import Context
from dreamreview.workspace.values import TwoTexts
from tests.dream.hosted.local_service import Answer, LocalService, Request, at_hand, refusal

NOTES = {
    "/MEMORY.md": "- [Pump](pump.md)\n",
    "/pump.md": "The pump runs at 6.\nIt is loud.\n",
    "/old.md": "The heater was sold.\n",
}
DREAMED = {
    "/MEMORY.md": "- [Pump](pump.md)\n",
    "/pump.md": "The pump runs at six.\nIt is loud.\n",
    "/valve.md": "The valve sticks.\n",
}
SECRET = "sk-live-9f8e7d6c5b4a39281706"


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[LocalService]:
    with at_hand(monkeypatch, tmp_path / "home", lambda _: dict(DREAMED)) as found:
        yield found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "memory"
    found.mkdir()
    return found


def opened(folder: Path) -> Workspace:
    return Workspace(folder, Settings(), lambda: datetime(2026, 9, 15, 12, tzinfo=UTC))


def texts(folder: Path) -> dict[str, str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    names = {path.relative_to(folder).as_posix(): path for path in files}
    return {f"/{name}": path.read_text() for name, path in sorted(names.items()) if not name.startswith(".")}


def accept(workspace: Workspace, proposal: str, *paths: str) -> None:
    """Accept the changes of some paths, or all without any."""
    review = workspace.open(proposal)
    wanted = [one.id for one in review.proposal.changes if not paths or one.edits[0].path in paths]
    review.decide_all([Decision(Op.ACCEPT, name) for name in wanted])


def mirrored(service: LocalService, folder: Path) -> tuple[Workspace, str]:
    """Return a folder that is a copy of a store, and the store."""
    store = service.add_store(NOTES)
    workspace = opened(folder)
    workspace.import_(f"memstore:{store}")
    return workspace, store


def test_an_empty_folder_becomes_a_copy_by_an_apply_that_can_be_undone(service: LocalService, folder: Path) -> None:
    workspace, store = mirrored(service, folder)

    assert texts(folder) == NOTES
    assert [line.proposal for line in workspace.history()] == [workspace.proposals()[0].id]
    result = workspace.import_(f"memstore:{store}")
    assert (result.proposal, result.summary) == (None, "nothing to change")


def test_a_dream_of_a_store_that_lives_there_is_reviewed_and_what_is_accepted_goes_back(
    service: LocalService, folder: Path
) -> None:
    store = service.add_store(NOTES)
    dream = service.add_dream(store)
    workspace = opened(folder)

    result = workspace.import_(f"dream:{dream}")

    assert texts(folder) == service.texts(store) == NOTES
    assert result.proposal is not None
    assert (result.source, result.counts) == ("memory store", {"delete": 1, "edit": 1, "create": 1})
    assert result.warnings == (f"3 memories of {store} copied to {folder}",)
    accept(workspace, result.proposal)
    applied = workspace.apply(result.proposal)

    assert applied.there is not None
    assert applied.there.is_whole
    assert (applied.there.store, applied.there.written) == (store, ("pump.md", "valve.md", "old.md"))
    assert texts(folder) == service.texts(store) == DREAMED


def test_only_what_was_accepted_goes_back_and_an_undo_takes_it_back_there_too(
    service: LocalService, folder: Path
) -> None:
    store = service.add_store(NOTES)
    dream = service.add_dream(store)
    workspace = opened(folder)
    result = workspace.import_(f"dream:{dream}")
    assert result.proposal is not None
    accept(workspace, result.proposal, "pump.md")

    workspace.apply(result.proposal)
    assert service.texts(store) == {**NOTES, "/pump.md": DREAMED["/pump.md"]}
    undone = workspace.undo()

    assert undone.there is not None
    assert undone.there.written == ("pump.md",)
    assert texts(folder) == service.texts(store) == NOTES


def test_updates_carry_the_digest_of_what_was_seen(service: LocalService, folder: Path) -> None:
    store = service.add_store(NOTES)
    digests = {one["path"]: one["content_sha256"] for one in service.stores[store]["memories"].values()}
    workspace = opened(folder)
    result = workspace.import_(f"dream:{service.add_dream(store)}")
    assert result.proposal is not None
    accept(workspace, result.proposal)
    service.requests.clear()
    workspace.apply(result.proposal)

    changes = service.asked("POST /v1/memory_stores/*/memories/*")
    removals = service.asked("DELETE /v1/memory_stores/*/memories/*")
    assert [one.body["precondition"] for one in changes] == [
        {"type": "content_sha256", "content_sha256": digests["/pump.md"]}
    ]
    assert [one.query["expected_content_sha256"] for one in removals] == [digests["/old.md"]]


def clashed(service: LocalService, folder: Path) -> tuple[Workspace, str]:
    """Return a copy of a store in which others changed what was accepted here."""
    store = service.add_store(NOTES)
    workspace = opened(folder)
    result = workspace.import_(f"dream:{service.add_dream(store)}")
    assert result.proposal is not None
    accept(workspace, result.proposal)
    service.put(store, "/pump.md", NOTES["/pump.md"] + "A new seal came.\n")
    applied = workspace.apply(result.proposal)
    assert applied.there is not None
    assert applied.there.conflicts == (
        TwoTexts("pump.md", DREAMED["/pump.md"], NOTES["/pump.md"] + "A new seal came.\n"),
    )
    return workspace, store


def test_what_others_changed_meanwhile_is_a_conflict_with_both_texts_and_nothing_is_lost(
    service: LocalService, folder: Path
) -> None:
    _, store = clashed(service, folder)

    assert texts(folder) == DREAMED
    assert service.texts(store) == {**DREAMED, "/pump.md": NOTES["/pump.md"] + "A new seal came.\n"}


def test_a_conflict_is_settled_by_a_review_of_their_text(service: LocalService, folder: Path) -> None:
    workspace, store = clashed(service, folder)

    theirs = workspace.import_(f"memstore:{store}")
    assert theirs.proposal is not None
    review = workspace.open(theirs.proposal)
    first, second = review.proposal.changes
    review.decide_all([Decision(Op.ACCEPT, second.id)])
    half = workspace.apply(theirs.proposal)
    assert half.there is not None
    assert half.there.left == ("pump.md: stays here until all that others changed in it is decided",)
    assert service.texts(store)["/pump.md"] == NOTES["/pump.md"] + "A new seal came.\n"

    workspace.open(theirs.proposal).decide_all([Decision(Op.REJECT, first.id)])
    there = workspace.give_back()

    assert there is not None
    assert there.is_whole
    both = DREAMED["/pump.md"] + "A new seal came.\n"
    assert texts(folder)["/pump.md"] == service.texts(store)["/pump.md"] == both
    assert workspace.give_back() is None


def test_a_memory_that_others_deleted_or_made_meanwhile_is_a_conflict_too(service: LocalService, folder: Path) -> None:
    store = service.add_store(NOTES)
    workspace = opened(folder)
    result = workspace.import_(f"dream:{service.add_dream(store)}")
    assert result.proposal is not None
    accept(workspace, result.proposal)
    memories = service.stores[store]["memories"]
    for name in [name for name, one in memories.items() if one["path"] == "/pump.md"]:
        del memories[name]
    service.put(store, "/valve.md", "Another valve.\n")

    applied = workspace.apply(result.proposal)

    assert applied.there is not None
    assert applied.there.conflicts == (
        TwoTexts("pump.md", DREAMED["/pump.md"], None),
        TwoTexts("valve.md", DREAMED["/valve.md"], "Another valve.\n"),
    )
    assert service.texts(store) == {"/MEMORY.md": NOTES["/MEMORY.md"], "/valve.md": "Another valve.\n"}


def test_what_cannot_get_there_waits_for_the_next_apply(service: LocalService, folder: Path) -> None:
    store = service.add_store(NOTES)
    workspace = opened(folder)
    result = workspace.import_(f"dream:{service.add_dream(store)}")
    assert result.proposal is not None
    accept(workspace, result.proposal)
    service.faults.append(lambda _: refusal(401, "authentication_error", "expired"))

    applied = workspace.apply(result.proposal)

    assert applied.there is not None
    assert applied.there.problem == "the service does not accept the key in ANTHROPIC_API_KEY: expired"
    assert (texts(folder), service.texts(store)) == (DREAMED, NOTES)
    service.faults.clear()
    there = workspace.give_back()
    assert there is not None
    assert there.is_whole
    assert service.texts(store) == DREAMED


class _KilledError(BaseException):
    """Stands for a kill: nothing of the program runs any more, as far as it is concerned."""


def test_an_apply_that_is_killed_before_anything_got_there_is_sent_by_the_next(
    service: LocalService, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = service.add_store(NOTES)
    workspace = opened(folder)
    result = workspace.import_(f"dream:{service.add_dream(store)}")
    assert result.proposal is not None
    accept(workspace, result.proposal)

    def kill(*_: object) -> None:
        raise _KilledError

    with monkeypatch.context() as patch:
        patch.setattr(giving_back, "give_back", kill)
        with pytest.raises(_KilledError):
            workspace.apply(result.proposal)
    assert (texts(folder), service.texts(store)) == (DREAMED, NOTES)
    there = workspace.give_back()

    assert there is not None
    assert there.is_whole
    assert service.texts(store) == DREAMED


def test_an_apply_that_could_not_write_here_sends_nothing(
    service: LocalService, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = service.add_store(NOTES)
    workspace = opened(folder)
    result = workspace.import_(f"dream:{service.add_dream(store)}")
    assert result.proposal is not None
    accept(workspace, result.proposal)
    before = writing.apply

    def fail(context: Context, proposal: str, *, dry_run: bool) -> ApplyResult:
        if dry_run:
            return before(context, proposal, dry_run=True)
        raise StoreError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(writing, "apply", fail)
        with pytest.raises(StoreError, match="the disk is full"):
            workspace.apply(result.proposal)
    there = workspace.give_back()

    assert there is not None
    assert (there.is_whole, there.written) == (True, ())
    assert texts(folder) == service.texts(store) == NOTES


def test_an_update_whose_answer_was_lost_is_found_done(service: LocalService, folder: Path) -> None:
    store = service.add_store(NOTES)
    workspace = opened(folder)
    result = workspace.import_(f"dream:{service.add_dream(store)}")
    assert result.proposal is not None
    accept(workspace, result.proposal, "pump.md")

    def lose(request: Request) -> Answer | None:
        if request.line == "POST /v1/memory_stores/*/memories/*" and service.texts(store) == NOTES:
            service.put(store, "/pump.md", request.body["content"])
            return refusal(400, "invalid_request_error", "lost")
        return None

    service.faults.append(lose)
    first = workspace.apply(result.proposal)
    assert first.there is not None
    assert first.there.left == ("pump.md: stays here, the service refused (status 400): lost",)
    service.faults.clear()
    again = workspace.give_back()

    assert again is not None
    assert (again.is_whole, again.written) == (True, ("pump.md",))


def test_a_secret_that_the_service_was_never_told_stays_here(service: LocalService, folder: Path) -> None:
    workspace, store = mirrored(service, folder)
    result = workspace.import_(f"dream:{service.add_dream(store)}")
    assert result.proposal is not None
    accept(workspace, result.proposal, "pump.md")
    (folder / "pump.md").write_text(NOTES["/pump.md"] + f"The api key is {SECRET}.\n")

    applied = workspace.apply(result.proposal)

    assert applied.there is not None
    assert applied.there.left == ("pump.md: stays here, it holds a secret that is not known there",)
    assert service.texts(store) == NOTES


def test_a_secret_that_lives_there_comes_and_goes_back_as_it_is(service: LocalService, folder: Path) -> None:
    text = f"The api key is {SECRET}.\nPlain.\n"
    store = service.add_store({"/keys.md": text})
    service.dreamer = lambda held: {"/keys.md": held["/keys.md"].replace("Plain", "Plainer")}
    workspace = opened(folder)
    result = workspace.import_(f"dream:{service.add_dream(store)}")
    assert result.proposal is not None
    accept(workspace, result.proposal)
    workspace.apply(result.proposal)

    assert service.texts(store) == texts(folder) == {"/keys.md": text.replace("Plain", "Plainer")}


def test_what_others_change_there_comes_for_review(service: LocalService, folder: Path) -> None:
    workspace, store = mirrored(service, folder)
    service.put(store, "/pump.md", "The pump rests.\n")
    service.put(store, "/valve.md", "The valve sticks.\n")

    result = workspace.import_(f"memstore:{store}")

    assert texts(folder) == NOTES
    assert result.proposal is not None
    accept(workspace, result.proposal)
    service.requests.clear()
    applied = workspace.apply(result.proposal)
    assert applied.there is not None
    assert applied.there.is_whole
    assert texts(folder) == service.texts(store)
    assert [one.method for one in service.requests if one.method != "GET"] == []


def test_what_is_another_here_than_the_dream_read_is_left_out(service: LocalService, folder: Path) -> None:
    workspace, store = mirrored(service, folder)
    dream = service.add_dream(store)
    (folder / "pump.md").write_text("Edited by hand.\n")

    result = workspace.import_(f"dream:{dream}")

    assert [str(one) for one in result.left] == ["pump.md: not taken, it is another here than the one that was sent"]
    assert result.counts == {"delete": 1, "create": 1}


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"status": "running"}, "the hosted dream drm_1 is still running; import it once it has completed"),
        ({"status": "failed", "error": {"type": "timeout", "message": ""}}, "drm_1 failed: it took too long"),
        ({"status": "canceled"}, "the hosted dream drm_1 was canceled; nothing was kept"),
        ({"status": "expired"}, "the hosted dream drm_1 has expired; dream again"),
    ],
)
def test_a_dream_that_has_not_completed_is_told_of_and_nothing_is_touched(
    service: LocalService, folder: Path, more: dict[str, object], told: str
) -> None:
    store = service.add_store(NOTES)
    dream = service.add_dream(store, **more)  # type: ignore[arg-type]

    with pytest.raises(EngineError, match=told):
        opened(folder).import_(f"dream:{dream}")
    assert texts(folder) == {}


def test_a_dream_that_wrote_into_its_own_source_is_told_of(service: LocalService, folder: Path) -> None:
    store = service.add_store(NOTES)
    dream = service.add_dream(store)
    service.dreams[dream]["outputs"] = [{"type": "memory_store", "memory_store_id": store}]

    with pytest.raises(EngineError, match=f"wrote into {store} itself; import memstore:{store} to see it"):
        opened(folder).import_(f"dream:{dream}")


@pytest.mark.parametrize("source", ["dream:", "dream:../x", "memstore:a b", "memstore:" + "x" * 201])
def test_what_is_no_id_is_refused(service: LocalService, folder: Path, source: str) -> None:
    with pytest.raises(UsageError, match=r"names no id; say memstore:memstore_\.\. or dream:drm_\.\."):
        opened(folder).import_(source)
    assert service.requests == []


@pytest.mark.parametrize("source", ["dream:drm_9", "memstore:memstore_9"])
@pytest.mark.usefixtures("service")
def test_what_is_not_there_is_told_of(folder: Path, source: str) -> None:
    with pytest.raises(EngineError, match="is it the right key"):
        opened(folder).import_(source)
    assert texts(folder) == {}


def test_a_folder_with_other_memory_is_not_mixed_with_a_dream(service: LocalService, folder: Path) -> None:
    store = service.add_store(NOTES)
    (folder / "own.md").write_text("Mine.\n")

    with pytest.raises(UsageError, match="is no copy of memstore_1, which was dreamed"):
        opened(folder).import_(f"dream:{service.add_dream(store)}")
    assert texts(folder) == {"/own.md": "Mine.\n"}


def test_a_folder_that_holds_all_of_a_store_becomes_its_copy(service: LocalService, folder: Path) -> None:
    store = service.add_store(NOTES)
    for path, text in {**NOTES, "/own.md": "Mine.\n"}.items():
        (folder / path[1:]).write_text(text)
    workspace = opened(folder)

    result = workspace.import_(f"dream:{service.add_dream(store)}")

    assert result.proposal is not None
    accept(workspace, result.proposal)
    workspace.apply(result.proposal)
    assert service.texts(store) == DREAMED
    assert texts(folder) == {**DREAMED, "/own.md": "Mine.\n"}


def test_a_store_that_has_nothing_to_do_with_the_folder_comes_like_any_copy(
    service: LocalService, folder: Path
) -> None:
    store = service.add_store(NOTES)
    (folder / "own.md").write_text("Mine.\n")
    workspace = opened(folder)

    result = workspace.import_(f"memstore:{store}")

    assert result.proposal is not None
    assert result.counts == {"create": 3, "delete": 1}
    accept(workspace, result.proposal)
    assert workspace.apply(result.proposal).there is None
    assert service.texts(store) == texts(folder) == NOTES


def test_a_folder_that_was_sent_gets_what_others_changed_there_and_may_write_over_it_then(
    service: LocalService, folder: Path
) -> None:
    (folder / "pump.md").write_text("The pump runs at 6.\n")
    service.dreamer = dict
    workspace = opened(folder)
    workspace.dream("hosted")
    service.put("memstore_1", "/pump.md", "The pump runs at 6.\nAn agent was here.\n")

    result = workspace.import_("memstore:memstore_1")
    assert result.counts == {"edit": 1}
    (folder / "pump.md").write_text("The pump runs at 7.\n")
    warnings = workspace.dream("hosted").warnings

    assert warnings == ()
    assert service.texts("memstore_1") == {"/pump.md": "The pump runs at 7.\n"}


def test_a_secret_that_was_kept_at_home_stays_in_its_line_when_others_change_the_rest_there(
    service: LocalService, folder: Path
) -> None:
    (folder / "keys.md").write_text(f"One.\nTwo.\nThe api key is {SECRET}.\n")
    service.dreamer = dict
    workspace = opened(folder)
    workspace.dream("hosted")
    held = service.texts("memstore_1")["/keys.md"]
    assert SECRET not in held
    service.put("memstore_1", "/keys.md", held.replace("One", "ONE").replace("The api", "Our api"))

    result = workspace.import_("memstore:memstore_1")

    assert result.proposal is not None
    assert [str(one) for one in result.left] == ["keys.md: 1 edit not taken, around a secret that was held back"]
    accept(workspace, result.proposal)
    workspace.apply(result.proposal)
    assert texts(folder) == {"/keys.md": f"ONE.\nTwo.\nThe api key is {SECRET}.\n"}


def test_a_store_that_lives_there_is_dreamed_there_without_being_sent(service: LocalService, folder: Path) -> None:
    workspace, store = mirrored(service, folder)
    service.put(store, "/old.md", "The heater came back.\n")
    service.requests.clear()

    result = workspace.dream("hosted")

    assert [one.line for one in service.requests if one.method == "POST"] == ["POST /v1/dreams"]
    assert result.warnings[0] == (
        f"old.md: it is another in {store}, so it is left out; `dreamreview import FOLDER memstore:{store}` shows how"
    )
    assert result.counts == {"edit": 1, "create": 1}


@pytest.mark.usefixtures("service")
def test_a_hosted_dream_ends_as_a_proposal_like_any_other(folder: Path) -> None:
    for path, text in NOTES.items():
        (folder / path[1:]).write_text(text)
    workspace = opened(folder)

    result = workspace.dream("hosted")

    assert texts(folder) == NOTES
    assert result.proposal is not None
    proposal = workspace.open(result.proposal).proposal
    assert (proposal.engine.name, proposal.engine.model) == ("hosted", "claude-opus-4-8")
    assert result.counts == {"delete": 1, "edit": 1, "create": 1}
    assert workspace.dream("hosted").proposal is None
    accept(workspace, result.proposal)
    assert workspace.apply(result.proposal).there is None
    assert texts(folder) == DREAMED


def test_a_dream_that_is_killed_for_good_is_taken_up_by_the_next_and_the_folder_stays(
    service: LocalService, folder: Path, tmp_path: Path
) -> None:
    for path, text in NOTES.items():
        (folder / path[1:]).write_text(text)
    script = (
        "import sys; from dreamreview.cli.main import run; sys.exit(run(['dream', sys.argv[1], '--engine', 'hosted']))"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), "HOME": str(tmp_path / "home")}
    victim: list[subprocess.Popen[bytes]] = []

    def kill(request: Request) -> Answer | None:
        number = len(service.asked("POST /v1/memory_stores/*/memories"))
        if (request.line == "POST /v1/memory_stores/*/memories" and number == 2) or request.line == "GET /v1/dreams/*":
            victim[0].send_signal(signal.SIGKILL)
            victim[0].wait()
        return None

    service.faults.append(kill)
    for _ in range(2):
        victim[:] = [subprocess.Popen([sys.executable, "-c", script, str(folder)], env=environment)]
        assert victim[0].wait(60) == -signal.SIGKILL
        assert texts(folder) == NOTES
    service.faults.clear()
    result = opened(folder).dream("hosted")

    assert result.warnings == ("the hosted dream drm_1, begun earlier, was taken up again",)
    assert result.counts == {"delete": 1, "edit": 1, "create": 1}
    assert len(service.asked("POST /v1/memory_stores")) == 1
    assert len(service.asked("POST /v1/dreams")) == 1
    assert len(service.asked("POST /v1/memory_stores/*/memories")) == 3
    assert texts(folder) == NOTES
