"""Each way in which the service can refuse or fail ends in one line that says what to do, and keeps nothing half."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dreamreview.dream.engine import EngineError
from tests.dream.hosted.conftest import Bench
from tests.dream.hosted.local_service import Answer, LocalService, at, refusal

OFFER = "; `dreamreview dream FOLDER --engine local` needs no service"
DISABLED = "memory stores and dreams are not enabled for this key"
ACCESS = "ask for access at https://claude.com/form/claude-managed-agents"
NOTES = {"MEMORY.md": "- x\n", "pump.md": "The pump.\n"}
STEPS = (
    "POST /v1/memory_stores",
    "GET /v1/memory_stores/*/memories",
    "POST /v1/memory_stores/*/memories",
    "POST /v1/dreams",
    "GET /v1/dreams/*",
)


def told(bench: Bench) -> str:
    before = bench.memory()
    with pytest.raises(EngineError) as raised:
        bench.dream()
    assert bench.memory() == bench.texts() == before
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_no_key_says_which_one_to_set(bench: Bench, service: LocalService, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.write(NOTES)
    monkeypatch.delenv("ANTHROPIC_API_KEY")

    assert told(bench) == f"the hosted engine needs a key: set ANTHROPIC_API_KEY{OFFER}"
    assert service.requests == []


def test_a_wrong_key_is_told_of(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.write(NOTES)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "another")

    assert told(bench) == f"the service does not accept the key in ANTHROPIC_API_KEY: invalid x-api-key{OFFER}"


@pytest.mark.parametrize("key", ["sk-quay-7\n", "sk quay-7", "sk-qu\u00e4y-7"])
def test_a_key_that_cannot_be_one_is_not_sent_and_not_shown(
    bench: Bench, service: LocalService, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    bench.write(NOTES)
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)

    problem = "the key in ANTHROPIC_API_KEY holds a blank, or another character that no key has: copy it again"
    assert told(bench) == f"{problem}{OFFER}"
    assert service.requests == []


def test_a_key_never_goes_over_the_network_in_the_clear(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.write(NOTES)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://memory.example.org")

    assert told(bench).startswith("memory.example.org is not asked over http, which would show the key and the memory")


def test_no_proxy_comes_between_us_and_this_machine(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.write(NOTES)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    bench.dream()
    assert bench.texts() == bench.memory()


def test_no_network_is_told_of_after_some_patience(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.write(NOTES)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")

    said = told(bench)

    assert said.startswith("the service cannot be reached: ")
    assert said.endswith(f"; look at the network (and ANTHROPIC_BASE_URL), then try again{OFFER}")
    assert bench.time.seconds == pytest.approx(7)


@pytest.mark.parametrize(
    ("status", "kind", "message", "said"),
    [
        (402, "billing_error", "credit is low", f"the service wants its bills settled first: credit is low{OFFER}"),
        (
            403,
            "permission_error",
            "no dreams for you",
            f"{DISABLED}: no dreams for you; {ACCESS}{OFFER}",
        ),
        (
            400,
            "invalid_request_error",
            "unexpected value in the anthropic-beta header",
            f"{DISABLED}: unexpected value in the anthropic-beta header; {ACCESS}{OFFER}",
        ),
        (429, "rate_limit_error", "slow", f"the service has had too many requests: slow; try again later{OFFER}"),
        (529, "overloaded_error", "", f"the service cannot answer just now (status 529); try again later{OFFER}"),
        (500, "api_error", "oops", f"the service cannot answer just now (status 500): oops; try again later{OFFER}"),
    ],
)
@pytest.mark.parametrize("step", STEPS[:2])
def test_each_refusal_is_told_in_one_line(
    service: LocalService, bench: Bench, status: int, kind: str, message: str, said: str, step: str
) -> None:
    bench.write(NOTES)
    service.faults.append(at(step, refusal(status, kind, message)))

    assert told(bench) == said


def test_dreams_that_the_service_does_not_know_are_told_of(service: LocalService, bench: Bench) -> None:
    bench.write(NOTES)
    service.faults.append(at("POST /v1/dreams", refusal(404, "not_found_error", "Not Found")))

    assert told(bench) == f"the service knows no dreams; are they enabled for this key?{OFFER}"


def test_a_service_that_is_lost_while_a_dream_runs_is_told_of_and_the_dream_goes_on(
    service: LocalService, bench: Bench
) -> None:
    bench.write(NOTES)
    service.faults.append(at("GET /v1/dreams/*", refusal(503, "api_error", "down")))

    assert told(bench) == (
        "the service cannot answer just now (status 503): down; try again later; "
        "the dream goes on there, and the same command takes it up again"
    )
    service.faults.clear()
    bench.dream()
    assert list(service.dreams) == ["drm_1"]


def test_a_redirect_is_not_followed(service: LocalService, bench: Bench) -> None:
    bench.write(NOTES)
    elsewhere = Answer(307, {}, headers={"location": "http://127.0.0.1:9/elsewhere"})
    service.faults.append(at("POST /v1/memory_stores", elsewhere))

    assert told(bench) == (
        f"the service sends us to another address, where nothing is sent: correct ANTHROPIC_BASE_URL{OFFER}"
    )


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    "answer",
    [
        Answer(raw=b"<html>a portal</html>", headers={"content-type": "text/html"}),
        Answer(raw=b"{not json"),
        Answer(raw=b"[" * 100_000),
        Answer(document={}),
        Answer(document={"id": 7, "data": 7, "status": [], "path": None, "inputs": 3}),
        Answer(document={"id": "../../x", "data": "x", "status": "completed"}),
        Answer(document=[]),
        Answer(document=None),
        Answer(raw=b"\x1f\x8b", headers={"content-encoding": "gzip"}),
    ],
)
def test_an_answer_of_another_kind_is_told_of_and_nothing_is_kept(
    service: LocalService, bench: Bench, step: str, answer: Answer
) -> None:
    bench.write(NOTES)
    service.faults.append(at(step, answer))

    line = told(bench)
    assert line.startswith(("the service answered", "the service cannot be reached"))
    assert not any(inner in line for inner in ("object has no attribute", "recursion", "NoneType"))


def test_what_the_service_says_is_shown_inert_short_and_masked(service: LocalService, bench: Bench) -> None:
    bench.write(NOTES)
    message = "\x1b]0;x\x07 token sk-live-9f8e7d6c5b4a39281706\n" + "y" * 500
    service.faults.append(at("POST /v1/memory_stores", refusal(402, "billing_error", message)))

    said = told(bench)

    assert said.startswith("the service wants its bills settled first: ␛]0;x␇ token sk-liv…1706 yyy")
    assert len(said) < 350


def test_the_engine_is_loaded_without_the_sdk() -> None:
    script = (
        "import sys, dreamreview.dream.hosted.engine, dreamreview.workspace.hosted, dreamreview.workspace.giving_back; "
        "sys.exit(any(name in sys.modules for name in ('anthropic', 'httpx2', 'pydantic')))"
    )

    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.mark.parametrize("words", [("dream", "FOLDER", "--engine", "hosted"), ("import", "FOLDER", "dream:drm_1")])
def test_without_a_key_it_is_said_before_the_sdk_is_loaded(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "pump.md").write_text("The pump.\n")
    script = (
        "import sys; from dreamreview.cli.main import run; code = run(sys.argv[1:]); "
        "sys.exit(50 if any(name in sys.modules for name in ('anthropic', 'httpx2', 'pydantic')) else code)"
    )
    home = {name: str(tmp_path) for name in ("HOME", "USERPROFILE", "APPDATA", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
    arguments = [str(tmp_path / "memory") if word == "FOLDER" else word for word in words]
    ended = subprocess.run(
        [sys.executable, "-c", script, *arguments], env=kept | home, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == f"dreamreview: the hosted engine needs a key: set ANTHROPIC_API_KEY{OFFER}\n"
