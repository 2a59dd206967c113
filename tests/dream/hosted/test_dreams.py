"""Whole dreams at the service, through every way in which one can end, by the real SDK."""

from __future__ import annotations

import pytest

from dreamreview.dream.engine import DreamCancelledError, EngineError
from dreamreview.dream.hosted import following
from dreamreview.model.budget import Budget
from tests.dream.hosted.conftest import Bench
from tests.dream.hosted.local_service import LocalService, Texts, at, refusal

NOTES = {
    "MEMORY.md": "- [Pump](pump.md): when it runs\n",
    "pump.md": "The pump runs at six.\nThe pump runs at 6.\n",
    "old/heater.md": "The heater was sold.\n",
}


def tidy(texts: Texts) -> Texts:
    changed = {**texts, "/pump.md": "The pump runs at six.\n", "/valve.md": "The valve sticks.\n"}
    del changed["/old/heater.md"]
    return changed


def test_what_a_completed_dream_changed_is_in_the_copy_and_nowhere_else(service: LocalService, bench: Bench) -> None:
    bench.write(NOTES)
    before = bench.memory()
    service.dreamer = tidy

    dreamt = bench.dream()

    assert bench.texts() == {
        "MEMORY.md": b"- [Pump](pump.md): when it runs\n",
        "pump.md": b"The pump runs at six.\n",
        "valve.md": b"The valve sticks.\n",
    }
    assert (dreamt.is_tree, dreamt.drafts, dreamt.warnings) == (True, (), ())
    assert (
        dreamt.narrative == "The hosted dream drm_1 of claude-opus-4-8 completed; the result stays there in memstore_2."
    )
    assert bench.memory() == before


def test_what_the_dream_says_of_itself_stands_beside_it_masked(service: LocalService, bench: Bench) -> None:
    bench.write(NOTES)
    service.words = "I merged 2 notes. The password: Tern-4417-Quayside"

    dreamt = bench.dream()

    assert dreamt.narrative == (
        "I merged 2 notes. The password: Tern-4…side\n\n"
        "The hosted dream drm_1 of claude-opus-4-8 completed; the result stays there in memstore_2."
    )
    (asked,) = service.asked("GET /v1/sessions/sesn_dream/events")
    assert asked.query == {"limit": "1", "order": "desc", "types[]": "agent.message"}


def test_progress_tells_what_is_sent_and_what_is_spent(service: LocalService, bench: Bench) -> None:
    bench.write(NOTES)
    service.statuses = ["pending", "pending", "running", "running", "completed"]

    dreamt = bench.dream()

    told = [(one.phase, one.files, one.tokens) for one in bench.told]
    assert told == [
        ("send", 1, 0),
        ("send", 2, 0),
        ("send", 3, 0),
        ("wait", 3, 0),
        ("wait", 3, 0),
        ("wait", 3, 1_111),
        ("consolidate", 3, 2_222),
        ("consolidate", 3, 3_333),
        ("fetch", 3, 4_444),
    ]
    assert (dreamt.usage.input_tokens, dreamt.usage.output_tokens, dreamt.usage.cache_read_tokens) == (4_004, 400, 40)
    assert dreamt.usage.cost_usd == pytest.approx(0.030045)


def test_a_dream_is_looked_at_less_and_less_often(service: LocalService, bench: Bench) -> None:
    bench.write(NOTES)
    service.statuses = ["pending"] + ["running"] * 10 + ["completed"]

    bench.dream()

    assert bench.time.seconds == pytest.approx(sum(1.5**number for number in range(9)) + 30 * 2)
    assert max(bench.time.waits) == 0.5


def test_the_service_is_told_how_to_keep_the_notes_and_makes_a_store_of_its_own(
    service: LocalService, bench: Bench
) -> None:
    bench.write(NOTES)
    service.sessions = ["sesn_1", "sesn_2"]

    bench.dream()

    (asked,) = service.asked("POST /v1/dreams")
    assert asked.body["output_behavior"] == {"type": "create_new"}
    assert asked.body["inputs"] == [
        {"type": "memory_store", "memory_store_id": "memstore_1"},
        {"type": "sessions", "session_ids": ["sesn_1", "sesn_2"]},
    ]
    assert "at most 200 lines" in asked.body["instructions"]


def test_sessions_that_are_named_are_read_instead_of_those_that_had_the_store(
    service: LocalService, bench: Bench
) -> None:
    bench.write(NOTES)
    bench.sessions = ("sesn_9",)

    bench.dream()

    assert service.asked("POST /v1/dreams")[0].body["inputs"][1] == {"type": "sessions", "session_ids": ["sesn_9"]}
    assert service.asked("GET /v1/sessions") == []


def test_a_service_that_wants_sessions_and_gets_none_is_told_of_in_one_line(
    service: LocalService, bench: Bench
) -> None:
    bench.write(NOTES)
    service.wants_sessions = True

    with pytest.raises(EngineError, match=r"name their ids \(sesn_\.\.\) in the configuration as hosted_sessions"):
        bench.dream()


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ({"type": "timeout", "message": "x"}, "it took too long; give it fewer sessions or less memory"),
        ({"type": "input_memory_store_too_large", "message": "x"}, "the memory is too large for it"),
        ({"type": "input_session_unavailable", "message": "x"}, "one of its sessions was deleted meanwhile"),
        ({"type": "something_new", "message": "the\x1b[31m moon\nfell"}, "the␛[31m moon fell"),
    ],
)
def test_a_dream_that_fails_says_why(service: LocalService, bench: Bench, error: dict[str, str], told: str) -> None:
    bench.write(NOTES)
    before = bench.memory()
    service.statuses, service.error = ["pending", "running", "failed"], error

    with pytest.raises(EngineError) as raised:
        bench.dream()

    assert str(raised.value) == (
        f"the hosted dream drm_1 failed: {told}; `dreamreview dream FOLDER --engine local` needs no service"
    )
    assert bench.memory() == before
    assert bench.texts() == before


@pytest.mark.parametrize(
    ("status", "told"),
    [
        ("canceled", "the hosted dream drm_1 was canceled; nothing was kept"),
        ("expired", "the hosted dream drm_1 has expired; dream again"),
    ],
)
def test_a_dream_that_others_ended_is_told_of_in_one_line(
    service: LocalService, bench: Bench, status: str, told: str
) -> None:
    bench.write(NOTES)
    service.statuses = ["pending", "running", status]

    with pytest.raises(EngineError, match=told):
        bench.dream()


def test_a_status_that_is_not_known_is_an_end_only_where_the_service_says_so(
    service: LocalService, bench: Bench
) -> None:
    bench.write(NOTES)
    service.statuses = ["queued"]

    def end(_: object) -> None:
        for dream in service.dreams.values():
            dream["ended_at"] = "2026-09-15T13:00:00Z" if bench.time.seconds > 60 else None

    service.faults.append(end)
    with pytest.raises(EngineError, match="ended as 'queued', which is not known here"):
        bench.dream()
    assert bench.time.seconds > 60


def test_a_dream_that_is_gone_is_told_of(service: LocalService, bench: Bench) -> None:
    bench.write(NOTES)
    service.faults.append(lambda request: service.dreams.clear() if request.line == "GET /v1/dreams/*" else None)

    with pytest.raises(EngineError, match=r"the hosted dream drm_1 is no longer there; dream again"):
        bench.dream()


def test_a_stop_stops_the_dream_there_too(service: LocalService, bench: Bench) -> None:
    bench.write(NOTES)
    before = bench.memory()
    service.statuses = ["pending", "running"]
    bench.is_cancelled = lambda: bench.time.seconds > 20

    with pytest.raises(DreamCancelledError, match="nothing was kept"):
        bench.dream()

    assert service.dreams["drm_1"]["status"] == "canceled"
    assert bench.memory() == bench.texts() == before
    bench.is_cancelled, service.statuses = (lambda: False), ["pending", "completed"]
    assert bench.dream().warnings == ()


def test_a_stop_that_does_not_get_there_leaves_the_dream_to_be_taken_up_again(
    service: LocalService, bench: Bench
) -> None:
    bench.write(NOTES)
    service.statuses = ["pending", "running", "completed"]
    service.faults.append(at("POST /v1/dreams/*/cancel", refusal(500, "api_error", "down")))
    bench.is_cancelled = lambda: 1 < bench.time.seconds < 2

    with pytest.raises(DreamCancelledError):
        bench.dream()

    bench.is_cancelled = lambda: False
    assert bench.dream().warnings == ("the hosted dream drm_1, begun earlier, was taken up again",)


def test_an_interrupt_stops_the_dream_there_too(service: LocalService, bench: Bench) -> None:
    bench.write(NOTES)
    service.statuses = ["pending", "running"]

    def interrupt(*_: object) -> None:
        if bench.time.seconds > 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bench.dream(interrupt)
    assert service.dreams["drm_1"]["status"] == "canceled"


def test_a_terminal_that_goes_away_leaves_the_dream_to_be_taken_up_again(service: LocalService, bench: Bench) -> None:
    bench.write(NOTES)
    service.statuses = ["pending", "running"]

    def leave(*_: object) -> None:
        if bench.time.seconds > 20:
            raise SystemExit

    with pytest.raises(SystemExit):
        bench.dream(leave)
    assert service.dreams["drm_1"]["status"] != "canceled"
    service.statuses = ["completed"]
    assert bench.dream().warnings == ("the hosted dream drm_1, begun earlier, was taken up again",)


@pytest.mark.parametrize(
    ("budget", "bound"),
    [
        (Budget(seconds=20), "20 seconds"),
        (Budget(tokens=3_000), "3,000 tokens"),
        (Budget(cost_usd=0.02), r"\$0.02"),
    ],
)
def test_a_budget_that_is_spent_ends_the_dream_there_and_keeps_nothing(
    service: LocalService, bench: Bench, budget: Budget, bound: str
) -> None:
    bench.write(NOTES)
    before = bench.memory()
    service.statuses = ["pending", "running"]
    bench.budget = budget

    dreamt = bench.dream()

    assert service.dreams["drm_1"]["status"] == "canceled"
    assert len(dreamt.warnings) == 1
    assert dreamt.warnings[0].startswith(f"the budget of {bound.replace(chr(92), '')} was spent")
    assert bench.texts() == before


def test_a_dream_without_end_is_left_to_itself_after_hours(
    service: LocalService, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert following.LIMIT == 6 * 3600
    monkeypatch.setattr(following, "LIMIT", 600)
    bench.write(NOTES)
    service.statuses = ["pending", "running"]

    with pytest.raises(EngineError, match="drm_1 is still running; dream again to take it up"):
        bench.dream()

    assert 600 <= bench.time.seconds < 660
    assert service.dreams["drm_1"]["status"] == "running"


def test_nothing_that_can_be_sent_asks_for_no_dream(service: LocalService, bench: Bench) -> None:
    bench.write({"picture.md": b"\xff\xfe"})

    with pytest.raises(EngineError, match="nothing of this memory could be sent"):
        bench.dream()
    assert service.dreams == {}
