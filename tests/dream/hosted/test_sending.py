"""What goes to the service: only what may, only once, over nothing that others wrote there, and no secret ever."""

from __future__ import annotations

import json
import os
import stat
import unicodedata
from collections.abc import Callable

import pytest

from dreamreview.dream.engine import Progress
from dreamreview.model.uploads import parse
from tests.dream.hosted.conftest import Bench
from tests.dream.hosted.local_service import Answer, LocalService, Request, at, once, refusal

KEPT = {"MEMORY.md": "- [Pump](pump.md)\n", "pump.md": "The pump runs at six.\n"}
CREATE = "POST /v1/memory_stores/*/memories"
CHANGE = "POST /v1/memory_stores/*/memories/*"
REMOVE = "DELETE /v1/memory_stores/*/memories/*"
SECRET = "sk-live-9f8e7d6c5b4a39281706"
PEM = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n" * 3 + "-----END PRIVATE KEY-----\n"


def test_a_second_dream_sends_nothing_that_is_there(service: LocalService, bench: Bench) -> None:
    bench.write(KEPT)
    bench.dream()
    service.requests.clear()

    bench.dream()

    assert service.counted() == {
        "GET /v1/dreams/*": 2,
        "GET /v1/memory_stores/*": 1,
        "GET /v1/memory_stores/*/memories": 2,
        "GET /v1/sessions": 1,
        "GET /v1/sessions/sesn_dream/events": 1,
        "POST /v1/dreams": 1,
    }


def test_a_second_dream_sends_what_changed_and_removes_what_went(service: LocalService, bench: Bench) -> None:
    bench.write({**KEPT, "gone.md": "The heater.\n"})
    bench.dream()
    (bench.live / "gone.md").unlink()
    bench.write({"pump.md": "The pump runs at seven.\n", "new.md": "A valve.\n"})
    service.requests.clear()

    bench.dream()

    assert [request.body["content"] for request in service.asked(CHANGE)] == ["The pump runs at seven.\n"]
    assert [request.body["path"] for request in service.asked(CREATE)] == ["/new.md"]
    assert len(service.asked(REMOVE)) == 1
    assert service.texts("memstore_1") == {
        "/MEMORY.md": "- [Pump](pump.md)\n",
        "/pump.md": "The pump runs at seven.\n",
        "/new.md": "A valve.\n",
    }


def test_what_was_sent_is_kept_for_its_owner_alone_with_ids_versions_and_digests(
    service: LocalService, bench: Bench
) -> None:
    bench.write({"pump.md": "The pump.\n"})

    bench.dream()

    place = bench.live / ".dreamreview" / "hosted.json"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    kept = parse(place.read_bytes())
    assert kept.store == "memstore_1"
    assert kept.memories["pump.md"].id == "mem_1"
    assert kept.memories["pump.md"].version == "memver_1"
    assert kept.memories["pump.md"].digests == (service.stores["memstore_1"]["memories"]["mem_1"]["content_sha256"],)
    assert (kept.running, kept.dreams) == (None, ("drm_1",))


def test_what_cannot_go_is_named_and_the_rest_goes(service: LocalService, bench: Bench) -> None:
    deep = "/".join("abcdefghijklmnopqrst") + "/deep.md"
    bench.write(
        {
            "pump.md": "The pump.\n",
            "big.md": b"a" * 102_401,
            "fits.md": b"a" * 102_400,
            "latin.md": b"caf\xe9\n",
            "nul.md": b"a\0b\n",
            "photo.png": b"\x89PNG",
            deep: "Too deep.\n",
            "odd\u200bname.md": "Unseen.\n",
        }
    )
    os.symlink("pump.md", bench.live / "link.md")

    dreamt = bench.dream()

    assert sorted(service.texts("memstore_1")) == ["/fits.md", "/pump.md"]
    assert dreamt.warnings == (
        f"{deep}: not sent, its path has more than 20 parts",
        "big.md: not sent, 102,401 bytes, and a memory holds 102,400",
        "latin.md: not sent, it is not UTF-8 text",
        "nul.md: not sent, it holds a NUL, so it is no text",
        "odd⟨U+200B⟩name.md: not sent, its path holds a character that is not seen, or none of UTF-8",
        "link.md: not sent, it is no text of memory",
        "photo.png: not sent, it is no text of memory",
    )
    assert bench.texts() == {**bench.memory()}


def test_what_dreams_and_backups_left_behind_is_not_sent_to_be_dreamed_again(
    service: LocalService, bench: Bench
) -> None:
    bench.write({**KEPT, "memory/.dreams/session-corpus/2026-09-01.txt": "They said.\n", "DREAMS.md": "I dreamed.\n"})

    dreamt = bench.dream()

    assert sorted(service.texts("memstore_1")) == ["/MEMORY.md", "/pump.md"]
    assert dreamt.warnings == ("2 files of dreams, archives and backups not sent",)
    assert bench.texts() == bench.memory()


def test_a_name_goes_in_composed_form_and_comes_back_to_the_file_it_belongs_to(
    service: LocalService, bench: Bench
) -> None:
    name = unicodedata.normalize("NFD", "café.md")
    bench.write({name: "Opens at eight.\n", "café.md": "Shut on Sunday.\n"})
    service.dreamer = lambda texts: {path: text + "Quiet.\n" for path, text in texts.items()}

    dreamt = bench.dream()

    sent = sorted([name, "café.md"])
    assert list(service.texts("memstore_1")) == ["/café.md"]
    assert bench.texts()[sent[0]].endswith(b"Quiet.\n")
    assert not bench.texts()[sent[1]].endswith(b"Quiet.\n")
    assert len(dreamt.warnings) == 1
    assert "in Unicode's composed form" in dreamt.warnings[0]


def test_no_secret_is_sent_in_text_or_name_or_title(service: LocalService, bench: Bench) -> None:
    bench.write(
        {
            "keys.md": f"The api key is {SECRET}.\nPlain.\nDB_PASSWORD=tr0ub4dor-and-3\n",
            f"{SECRET}.md": "Its name tells.\n",
            "pem.md": "-----BEGIN PRIVATE KEY-----\n"
            + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n" * 3
            + "-----END PRIVATE KEY-----\n",
        }
    )

    dreamt = bench.dream()

    said = json.dumps([request.body for request in service.requests])
    for part in (SECRET, "tr0ub4dor", "MIIEvQ"):
        assert part not in said
    assert service.texts("memstore_1")["/keys.md"] == (
        "The api key is [redacted•••].\nPlain.\nDB_PASSWORD=[redacted•••]\n"
    )
    assert dreamt.warnings == ("sk-liv…1706.md: not sent, its path holds what looks like a secret",)
    assert bench.texts() == bench.memory()


def test_lines_around_a_secret_change_and_the_secret_stays(service: LocalService, bench: Bench) -> None:
    bench.write({"keys.md": f"one\nThe api key is {SECRET}.\nthree\n"})
    service.dreamer = lambda texts: {
        "/keys.md": texts["/keys.md"].replace("one\n", "ONE\n").replace("three\n", "three\nfour\n")
    }

    dreamt = bench.dream()

    assert bench.texts() == {"keys.md": f"ONE\nThe api key is {SECRET}.\nthree\nfour\n".encode()}
    assert dreamt.warnings == ()


@pytest.mark.parametrize(
    "dreamer",
    [
        lambda texts: {"/keys.md": texts["/keys.md"].replace("The api", "Our api")},
        lambda _: {"/keys.md": "The api key is [redacted•••] too.\nx\n"},
        lambda _: {"/keys.md": ""},
    ],
)
def test_what_stands_for_a_secret_is_never_written_back(
    service: LocalService, bench: Bench, dreamer: Callable[[dict[str, str]], dict[str, str]]
) -> None:
    bench.write({"keys.md": f"The api key is {SECRET}.\n"})
    service.dreamer = dreamer

    dreamt = bench.dream()

    assert bench.texts() == {"keys.md": f"The api key is {SECRET}.\n".encode()}
    assert dreamt.warnings == ("keys.md: 1 edit not taken, around a secret that was held back",)


def test_a_file_with_a_secret_is_neither_deleted_nor_quoted_elsewhere(service: LocalService, bench: Bench) -> None:
    bench.write({"keys.md": f"The api key is {SECRET}.\n", "other.md": "Other.\n"})
    service.dreamer = lambda texts: {
        "/other.md": "Other.\n" + texts["/keys.md"],
        "/third.md": texts["/keys.md"] + "x\n",
    }

    dreamt = bench.dream()

    assert bench.texts() == bench.memory()
    assert dreamt.warnings == (
        "third.md: not taken, it quotes a line whose secret was held back",
        "keys.md: not deleted, for the sake of a secret that was held back",
        "other.md: 1 edit not taken, around a secret of another file",
    )


def test_no_dream_touches_a_pinned_note(service: LocalService, bench: Bench) -> None:
    notes = {"a.md": "- [PINNED] The pump runs at six.\n- It is loud.\n", "b.md": "- 📌 Keep me.\n"}
    bench.write(notes)
    service.dreamer = lambda texts: {"/a.md": texts["/a.md"].replace("six", "6").replace("loud", "silent")}

    dreamt = bench.dream()
    assert dreamt.warnings == (
        "a.md: 1 edit not taken, around a pinned note",
        "b.md: not deleted, for the sake of a pinned note",
    )
    assert bench.texts() == bench.memory()

    service.dreamer = lambda texts: {**texts, "/a.md": texts["/a.md"] + "- A valve.\n"}
    bench.dream()
    assert bench.texts()["a.md"] == b"- [PINNED] The pump runs at six.\n- It is loud.\n- A valve.\n"


def test_a_file_with_a_secret_that_is_only_renamed_keeps_it(service: LocalService, bench: Bench) -> None:
    bench.write({"keys.md": f"The api key is {SECRET}.\n", "a.md": "A.\n"})
    service.dreamer = lambda texts: {"/access.md": texts["/keys.md"], "/a.md": "A.\n"}

    dreamt = bench.dream()

    assert bench.texts() == {"access.md": f"The api key is {SECRET}.\n".encode(), "a.md": b"A.\n"}
    assert dreamt.warnings == ()


def test_what_others_changed_there_is_neither_written_over_nor_dreamed_into_the_file(
    service: LocalService, bench: Bench
) -> None:
    bench.write(KEPT)
    bench.dream()
    service.put("memstore_1", "/pump.md", "An agent wrote this.\n")
    bench.write({"pump.md": "The pump runs at seven.\n"})

    dreamt = bench.dream()

    assert service.texts("memstore_1")["/pump.md"] == "An agent wrote this.\n"
    assert bench.texts() == bench.memory()
    assert dreamt.warnings[0] == (
        "pump.md: not sent, others changed it there; `dreamreview import FOLDER memstore:memstore_1` shows their text"
    )


def test_what_others_changed_there_is_not_removed_either(service: LocalService, bench: Bench) -> None:
    bench.write(KEPT)
    bench.dream()
    service.put("memstore_1", "/pump.md", "An agent wrote this.\n")
    (bench.live / "pump.md").unlink()

    dreamt = bench.dream()

    assert service.texts("memstore_1")["/pump.md"] == "An agent wrote this.\n"
    assert "pump.md: not removed there, where others changed it" in dreamt.warnings


def test_a_memory_that_the_service_will_not_have_is_named_and_the_rest_goes(
    service: LocalService, bench: Bench
) -> None:
    bench.write(KEPT)

    def refuse(request: Request) -> Answer | None:
        if request.line == CREATE and request.body["path"] == "/pump.md":
            return refusal(400, "invalid_request_error", "path: not today")
        return None

    service.faults.append(refuse)
    dreamt = bench.dream()

    assert list(service.texts("memstore_1")) == ["/MEMORY.md"]
    assert dreamt.warnings == ("pump.md: not sent, the service refused (status 400): path: not today",)


def test_a_service_that_takes_nothing_more_is_not_asked_forever(service: LocalService, bench: Bench) -> None:
    bench.write({f"note_{number:02}.md": f"{number}\n" for number in range(30)} | {"MEMORY.md": "x\n"})

    def refuse(request: Request) -> Answer | None:
        is_note = request.line == CREATE and request.body["path"] != "/MEMORY.md"
        return refusal(400, "invalid_request_error", "the store is full") if is_note else None

    service.faults.append(refuse)
    dreamt = bench.dream()

    assert len(service.asked(CREATE)) == 21
    assert dreamt.warnings[-1] == "note_29.md: not sent, the service took none of the last ones"


def test_a_store_that_is_gone_or_archived_is_made_anew(service: LocalService, bench: Bench) -> None:
    bench.write(KEPT)
    bench.dream()
    service.stores["memstore_1"]["archived_at"] = "2026-09-15T12:00:00Z"
    bench.dream()
    assert len(service.texts("memstore_3")) == 2
    del service.stores["memstore_3"]
    bench.dream()
    assert len(service.texts("memstore_5")) == 2


def test_a_store_that_cannot_be_looked_at_but_be_used_is_kept(service: LocalService, bench: Bench) -> None:
    bench.write(KEPT)
    service.faults.append(at("GET /v1/memory_stores/*", refusal(404, "not_found_error", "Not Found")))
    bench.dream()
    bench.dream()

    assert len(service.asked("POST /v1/memory_stores")) == 1
    assert len(service.asked(CREATE)) == 2


def test_what_one_service_was_sent_says_nothing_of_another(
    service: LocalService, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write(KEPT)
    bench.dream()
    monkeypatch.setenv("ANTHROPIC_BASE_URL", service.address.replace("127.0.0.1", "localhost"))
    service.requests.clear()

    bench.dream()

    assert service.asked("GET /v1/memory_stores/*") == []
    assert len(service.asked(CREATE)) == 2


class _KilledError(BaseException):
    """Stands for a kill: nothing of the engine runs any more, as far as it is concerned."""


def test_a_dream_that_was_killed_while_it_sent_goes_on_where_it_was(service: LocalService, bench: Bench) -> None:
    bench.write({f"note_{number}.md": f"{number}\n" for number in range(6)})
    before = bench.memory()

    def kill(progress: Progress) -> None:
        if progress.phase == "send" and progress.files == 3:
            raise _KilledError

    with pytest.raises(_KilledError):
        bench.dream(kill)
    assert len(service.asked(CREATE)) == 3
    bench.dream()

    assert len(service.asked(CREATE)) == 6
    assert len(service.asked("POST /v1/memory_stores")) == 1
    assert bench.memory() == before


def test_a_store_whose_id_was_lost_is_found_by_its_mark(service: LocalService, bench: Bench) -> None:
    bench.write(KEPT)

    def kill_after(request: Request) -> Answer | None:
        if request.line != "POST /v1/memory_stores":
            return None
        service.add_store({}, metadata=request.body["metadata"])
        raise ConnectionAbortedError

    service.faults.append(once(kill_after))
    with pytest.raises(Exception, match="the service cannot be reached"):
        bench.dream()
    service.faults.clear()
    bench.dream()

    assert [request.line for request in service.requests if request.line == "POST /v1/memory_stores"] == [
        "POST /v1/memory_stores"
    ]
    assert len(service.texts("memstore_1")) == 2


def test_a_dream_that_was_killed_while_it_waited_is_taken_up_again(service: LocalService, bench: Bench) -> None:
    bench.write(KEPT)
    service.statuses = ["pending", "running", "running", "completed"]
    service.dreamer = lambda texts: {**texts, "/pump.md": "The pump rests.\n"}

    def kill(progress: Progress) -> None:
        if progress.phase == "consolidate":
            raise _KilledError

    with pytest.raises(_KilledError):
        bench.dream(kill)
    dreamt = bench.dream()

    assert len(service.asked("POST /v1/dreams")) == 1
    assert bench.texts()["pump.md"] == b"The pump rests.\n"
    assert dreamt.warnings == ("the hosted dream drm_1, begun earlier, was taken up again",)


def test_what_changed_here_while_a_dream_was_under_way_is_left_as_it_is(service: LocalService, bench: Bench) -> None:
    bench.write({**KEPT, "old.md": "Old.\n"})
    service.statuses = ["pending", "running", "completed"]
    service.dreamer = lambda texts: {path: text + "Dreamed.\n" for path, text in texts.items()}

    def kill(progress: Progress) -> None:
        if progress.note.endswith("pending at the service"):
            raise _KilledError

    with pytest.raises(_KilledError):
        bench.dream(kill)
    bench.write({"pump.md": "Meanwhile.\n", "new.md": "New.\n"})
    (bench.live / "old.md").unlink()
    dreamt = bench.dream()

    assert bench.texts() == {
        "MEMORY.md": b"- [Pump](pump.md)\nDreamed.\n",
        "pump.md": b"Meanwhile.\n",
        "new.md": b"New.\n",
    }
    assert dreamt.warnings[1:] == (
        "old.md: not taken, it is another here than the one that was sent",
        "pump.md: not taken, it is another here than the one that was sent",
    )


def test_a_dream_whose_id_was_lost_is_found_among_those_of_the_store(service: LocalService, bench: Bench) -> None:
    bench.write(KEPT)

    def lose(request: Request) -> Answer | None:
        if request.line != "POST /v1/dreams":
            return None
        service.add_dream("memstore_1", "pending")
        return refusal(500, "api_error", "lost")

    service.faults.append(once(lose))
    with pytest.raises(Exception, match=r"status 500"):
        bench.dream()
    dreamt = bench.dream()

    assert list(service.dreams) == ["drm_1"]
    assert "drm_1, begun earlier, was taken up again" in dreamt.warnings[0]


def test_an_earlier_dream_that_failed_meanwhile_is_told_of_and_another_begun(
    service: LocalService, bench: Bench
) -> None:
    bench.write(KEPT)

    def kill(progress: Progress) -> None:
        if progress.note.endswith("pending at the service"):
            raise _KilledError

    with pytest.raises(_KilledError):
        bench.dream(kill)
    service.dreams["drm_1"] |= {"status": "failed", "error": {"type": "timeout", "message": ""}}
    dreamt = bench.dream()

    assert dreamt.warnings == (
        "the hosted dream drm_1 failed: it took too long; give it fewer sessions or less memory; another was begun",
    )
    assert list(service.dreams) == ["drm_1", "drm_2"]


def test_a_create_that_was_heard_though_its_answer_was_lost_is_no_conflict(service: LocalService, bench: Bench) -> None:
    bench.write(KEPT)

    def lose(request: Request) -> Answer | None:
        if request.line != CREATE or request.body["path"] != "/pump.md":
            return None
        service.put("memstore_1", request.body["path"], request.body["content"])
        return refusal(500, "api_error", "lost")

    service.faults.append(once(lose))
    dreamt = bench.dream()

    assert dreamt.warnings == ()
    assert len(service.texts("memstore_1")) == 2


def test_what_is_kept_of_an_upload_and_cannot_be_read_says_what_to_do(service: LocalService, bench: Bench) -> None:
    bench.write(KEPT)
    (bench.live / ".dreamreview").mkdir()
    (bench.live / ".dreamreview" / "hosted.json").write_text('{"schema": 1}')

    with pytest.raises(Exception, match=r"hosted.json .* cannot be used: .* remove it, and all is sent anew"):
        bench.dream()
    assert service.requests == []


def test_a_limit_of_requests_is_waited_out(service: LocalService, bench: Bench) -> None:
    bench.write(KEPT)
    limited = refusal(429, "rate_limit_error", "slow down")
    service.faults.append(lambda request: limited if request.line == CREATE and bench.time.seconds < 60 else None)

    dreamt = bench.dream()

    assert dreamt.warnings == ()
    assert len(service.texts("memstore_1")) == 2


def test_a_busy_service_is_asked_again_and_told_times_are_bounded(service: LocalService, bench: Bench) -> None:
    bench.write(KEPT)
    busy = refusal(429, "rate_limit_error", "slow down", retry_after="86400")
    service.faults.append(once(at("GET /v1/memory_stores/*/memories", busy)))

    bench.dream()

    assert bench.time.seconds == pytest.approx(60 + 1 + 1.5)
