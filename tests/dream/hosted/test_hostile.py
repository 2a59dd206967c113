"""A service that answers to do harm: bounded, named, left out, and never a path outside the copy."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dreamreview.dream.engine import EngineError
from tests.dream.hosted.conftest import Bench
from tests.dream.hosted.local_service import Answer, LocalService, Request, Texts

NOTES = {"MEMORY.md": "- [Pump](pump.md)\n", "pump.md": "The pump.\n", "sub/heater.md": "The heater.\n"}


def dreamed(service: LocalService, bench: Bench, more: Texts) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Return what the result adds to the copy, and what is said."""
    bench.write(NOTES)
    before = bench.memory()
    service.dreamer = lambda texts: {**texts, **more}
    dreamt = bench.dream()
    assert bench.memory() == before
    texts = bench.texts()
    assert {path: texts.pop(path) for path in before} == before
    return texts, dreamt.warnings


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("/../outside.md", "its path has an empty part, . or .."),
        ("/a/../../outside.md", "its path has an empty part, . or .."),
        ("//etc/passwd.md", "its path has an empty part, . or .."),
        ("outside.md", "its path has an empty part, . or .."),
        ("/", "its path has an empty part, . or .."),
        ("/a\nb.md", "its path holds a character that is not seen, or none of UTF-8"),
        ("/a\x1b[2Jb.md", "its path holds a character that is not seen, or none of UTF-8"),
        ("/a\u202eb.md", "its path holds a character that is not seen, or none of UTF-8"),
        ("/a\ud800b.md", "its path holds a character that is not seen, or none of UTF-8"),
        ("/cafe\u0301.md", "its path is not in Unicode's composed form"),
        ("/" + "a" * 1_024, "its path is longer than 1,024 bytes"),
        ("/" + "a" * 300, "its path holds a name longer than 255 bytes"),
        ("/" + "a/" * 20 + "b.md", "its path has more than 20 parts"),
        ("/.git/config", "its path leads into a repository"),
        ("/sub/.GIT/config", "its path leads into a repository"),
        ("/.dreamreview/hosted.json", "its path leads into the bookkeeping"),
        ("/.dream-state.json", "its path leads into the bookkeeping"),
        ("/PUMP.md", "some systems cannot tell its path from pump.md"),
        ("/pump.md/below.md", "its path leads through the file pump.md"),
        ("/sub", "a folder of that name is there"),
        ("/sk-live-9f8e7d6c5b4a39281706.md", "its path holds what looks like a secret"),
    ],
)
def test_a_path_that_may_not_come_is_named_and_left_out(
    service: LocalService, bench: Bench, name: str, reason: str
) -> None:
    came, said = dreamed(service, bench, {name: "Bad.\n", "/good.md": "Good.\n"})

    assert came == {"good.md": b"Good.\n"}
    assert len(said) == 1
    assert said[0].endswith(f": not taken, {reason}")
    assert said[0].isprintable()


def test_of_new_paths_that_exclude_each_other_the_first_comes(service: LocalService, bench: Bench) -> None:
    came, said = dreamed(service, bench, {"/New.md": "1\n", "/new.md": "2\n", "/x": "3\n", "/x/y.md": "4\n"})

    assert came == {"New.md": b"1\n", "x": b"3\n"}
    assert said == (
        "new.md: not taken, some systems cannot tell its path from New.md",
        "x/y.md: not taken, its path leads through the file x",
    )


@pytest.mark.parametrize("content", ["a" * 102_401, "é" * 51_201, "a\0b", "a\ud800b"])
def test_a_content_that_may_not_come_is_named_and_its_file_stays(
    service: LocalService, bench: Bench, content: str
) -> None:
    came, said = dreamed(service, bench, {"/pump.md": content, "/new.md": content})

    assert came == {}
    assert said == (
        "new.md: not taken, it is too long, or no text",
        "pump.md: not taken, it is too long there, or no text",
    )


def test_a_digest_that_lies_hides_no_change(service: LocalService, bench: Bench) -> None:
    bench.write(NOTES)
    service.dreamer = lambda texts: {**texts, "/pump.md": "Another.\n"}

    def lie(request: Request) -> Answer | None:
        if request.query.get("view") != "full":
            return None
        for memory in service.stores["memstore_2"]["memories"].values():
            memory["content_sha256"] = service.stores["memstore_1"]["memories"]["mem_2"]["content_sha256"]
        return None

    service.faults.append(lie)
    bench.dream()

    assert bench.texts()["pump.md"] == b"Another.\n"


def test_a_path_that_is_there_twice_is_taken_once(service: LocalService, bench: Bench) -> None:
    bench.write(NOTES)

    def double(request: Request) -> Answer | None:
        if request.query.get("view") != "full":
            return None
        held = list(service.stores["memstore_2"]["memories"].values())
        return Answer(document={"data": [*held, {**held[1], "content": "Second.\n"}], "next_page": None})

    service.faults.append(double)
    dreamt = bench.dream()

    assert bench.texts() == bench.memory()
    assert dreamt.warnings == ("/pump.md: not taken, its path is there twice",)


def page(memories: list[dict[str, Any]], cursor: object) -> Answer:
    return Answer(document={"data": memories, "next_page": cursor})


@pytest.mark.parametrize("cursor", ["again", 7, "x" * 20_000])
def test_pages_that_never_end_are_an_error_and_never_read_as_deletions(
    service: LocalService, bench: Bench, cursor: object
) -> None:
    bench.write(NOTES)
    service.faults.append(lambda request: page([], cursor) if request.query.get("view") == "full" else None)

    with pytest.raises(EngineError, match="lists memories without end; nothing was taken"):
        bench.dream()
    assert bench.texts() == bench.memory()


def test_more_memories_than_a_store_can_hold_are_an_error(
    service: LocalService, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dreamreview.dream.hosted.service.MAX_MEMORIES", 3)
    bench.write({"pump.md": "The pump.\n"})
    service.dreamer = lambda _: {f"/{number}.md": "x\n" for number in range(4)}

    with pytest.raises(EngineError, match="holds more than a memory store can; nothing was taken"):
        bench.dream()
    assert bench.texts() == bench.memory()


def test_more_text_than_a_store_can_hold_is_an_error(
    service: LocalService, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dreamreview.dream.hosted.service.MAX_TOTAL", 100)
    bench.write({"pump.md": "The pump.\n"})
    service.dreamer = lambda _: {"/pump.md": "x" * 101}

    with pytest.raises(EngineError, match="holds more than a memory store can; nothing was taken"):
        bench.dream()


def test_an_answer_without_end_is_cut_off(service: LocalService, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dreamreview.dream.hosted.calling.MAX_ANSWER", 10_000)
    bench.write(NOTES)
    long = json.dumps({"data": [], "next_page": "x" * 20_000}).encode()
    service.faults.append(lambda request: Answer(raw=long) if request.query.get("view") == "full" else None)

    with pytest.raises(EngineError, match="the answer is longer than any can be"):
        bench.dream()


def test_many_pages_are_read_whole(service: LocalService, bench: Bench) -> None:
    bench.write({f"note_{number:03}.md": f"{number}\n" for number in range(130)})
    service.dreamer = lambda texts: {path: text + "more\n" for path, text in texts.items()}

    bench.dream()

    assert bench.texts() == {f"note_{number:03}.md": f"{number}\nmore\n".encode() for number in range(130)}
    assert len([one for one in service.requests if one.query.get("view") == "full"]) == 7


def test_a_result_that_names_two_stores_or_none_is_no_result(service: LocalService, bench: Bench) -> None:
    bench.write(NOTES)

    def double(request: Request) -> Answer | None:
        if request.line != "GET /v1/dreams/*":
            return None
        outputs = [{"type": "memory_store", "memory_store_id": name} for name in ("memstore_1", "memstore_9")]
        told = {**service.dreams["drm_1"], "status": "completed", "outputs": outputs}
        return Answer(document={key: value for key, value in told.items() if key != "looks"})

    service.faults.append(double)
    with pytest.raises(EngineError, match="drm_1 completed without a memory store to read"):
        bench.dream()


def test_a_result_that_is_empty_deletes_nothing_by_silence_but_by_a_change(service: LocalService, bench: Bench) -> None:
    bench.write(NOTES)
    service.dreamer = lambda _: {}

    bench.dream()

    assert bench.texts() == {}
    assert bench.memory() != {}


def test_numbers_that_make_no_sense_count_as_none(service: LocalService, bench: Bench) -> None:
    bench.write(NOTES)
    service.usage = lambda _: {"input_tokens": -5, "output_tokens": 1e300, "cache_read_input_tokens": "many"}

    dreamt = bench.dream()

    assert (dreamt.usage.input_tokens, dreamt.usage.output_tokens, dreamt.usage.cache_read_tokens) == (0, 0, 0)
