"""How failures of the API end: tried again where that helps, else in one line that says what to do."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from itertools import count, repeat
from threading import Event

import pytest

from dreamreview.dream.claude.engine import ClaudeEngine
from dreamreview.dream.claude.service import Service
from dreamreview.dream.engine import DreamCancelledError, EngineError, Task
from dreamreview.model.budget import Budget
from tests.api.messages import Body, Fails, Says, Step, done, text
from tests.dream.claude.acting import KEY, Staged, corpus_of, on_stage, play

STORE = {"a.md": "- The kiln is in the yard.\n"}
JUNK_DELTA = (
    b"event: content_block_delta\n"
    b'data: {"type": "content_block_delta", "index": 7, "delta": {"type": "text_delta", "text": "x"}}\n\n'
)
LOCAL = "or dream with --engine local, which needs no network"


def failing(step: Step, staged: Staged | None = None) -> tuple[str, int]:
    """Return how a dream ends whose every request is answered alike, and how many there were."""
    made = [0]

    def script() -> Iterator[Step]:
        for each in repeat(step):
            made[0] += 1
            yield each

    with on_stage(corpus_of(STORE), script(), staged) as dream, pytest.raises(EngineError) as caught:
        dream()
    assert "\n" not in str(caught.value)
    return str(caught.value), made[0]


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Fails(400, "invalid_request_error", "prompt is too long"), " refused the request (prompt is too long): "),
        (
            Fails(401, "authentication_error", "invalid x-api-key"),
            "the API key is not valid: correct ANTHROPIC_API_KEY",
        ),
        (Fails(402, "billing_error", "no credit"), "the Claude account cannot be charged (no credit): "),
        (Fails(403, "permission_error", "not for you"), "the API key may not use claude-sonnet-5-5 (not for you): "),
        (Fails(404, "not_found_error"), " knows no model claude-sonnet-5-5: set `model` in the configuration"),
        (Fails(413, "request_too_large", "too large"), "the memory is too large for one request (too large): "),
        (Fails(422, "unprocessable"), " answered with status 422"),
    ],
)
def test_an_error_that_stays_is_told_at_once(step: Fails, said: str) -> None:
    line, made = failing(step)
    assert said in line
    assert line.endswith(LOCAL)
    assert made == 1


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Fails(408, "timeout_error"), " failed with status 408: try again in a few minutes"),
        (Fails(429, "rate_limit_error"), "the rate limit of your Claude account is reached: try again later"),
        (Fails(500, "api_error"), " failed with status 500: try again in a few minutes"),
        (Fails(503, "api_error"), " failed with status 503: try again in a few minutes"),
        (Fails(529, "overloaded_error"), "Claude is overloaded: try again in a few minutes"),
        (Says((text("half"),), cut_after=3), "broke off: try again in a moment"),
        (Says((text("half"),), junk=b"event: ping\ndata: {nonsense\n\n", cut_after=3), "broke off: try again"),
        (Says((), cut_after=0), "broke off: try again"),
        (Says((text("half"),), junk=JUNK_DELTA, cut_after=1), "broke off: try again"),
        (Says((text("x"),), breaks_with={"type": "overloaded_error", "message": "busy"}), "Claude is overloaded"),
        (
            Says((text("x"),), breaks_with={"type": "rate_limit_error", "message": "slow"}),
            "the rate limit of your Claude",
        ),
        (Says((text("x"),), breaks_with={"type": "api_error", "message": "oops"}), "failed with status 500"),
    ],
)
def test_an_error_that_may_pass_is_tried_again_and_then_told(step: Step, said: str) -> None:
    staged = Staged()
    line, made = failing(step, staged)
    assert said in line
    assert line.endswith(LOCAL)
    assert made == 4
    assert sum(staged.pauses) == pytest.approx(7.0)


def test_a_dream_goes_on_once_an_error_has_passed() -> None:
    steps: list[Step] = [
        Fails(529, "overloaded_error"),
        Fails(429, "rate_limit_error"),
        Says((text("x"),), cut_after=2),
        done("Fine."),
    ]
    assert play(corpus_of(STORE), steps).dreamt.narrative == "Fine."


def test_the_wait_that_the_api_asks_for_is_kept() -> None:
    staged = Staged()
    steps: list[Step] = [Fails(429, "rate_limit_error", headers=(("retry-after", "9"),)), done()]
    play(corpus_of(STORE), steps, staged)
    assert sum(staged.pauses) == pytest.approx(9.0)


def test_a_wait_of_many_minutes_is_left_to_the_person() -> None:
    line, made = failing(Fails(429, "rate_limit_error", headers=(("retry-after", "1800"),)))
    assert "try again in 1,800 seconds" in line
    assert made == 1


@pytest.mark.parametrize("asked", ["soon", "-5", "inf", "nan"])
def test_a_wait_that_is_none_is_not_kept(asked: str) -> None:
    staged = Staged()
    play(corpus_of(STORE), [Fails(429, "rate_limit_error", headers=(("retry-after", asked),)), done()], staged)
    assert sum(staged.pauses) == pytest.approx(1.0)


def test_a_stop_is_obeyed_while_waiting() -> None:
    stop = [False]
    staged = Staged(is_cancelled=lambda: stop[0])
    staged.pauses = Stopping(stop)
    steps = repeat(Fails(529, "overloaded_error"))
    with on_stage(corpus_of(STORE), steps, staged) as dream, pytest.raises(DreamCancelledError):
        dream()
    assert len(staged.pauses) == 3


def test_a_stop_is_obeyed_while_nothing_comes_in() -> None:
    asked, is_over = [0], Event()

    def is_stopped() -> bool:
        asked[0] += 1
        return asked[0] > 5

    def hang(_: Body) -> Step:
        is_over.wait()
        return done()

    with on_stage(corpus_of(STORE), [hang], Staged(is_cancelled=is_stopped)) as dream:
        with pytest.raises(DreamCancelledError):
            dream()
        is_over.set()


def test_time_that_is_up_ends_a_wait_for_nothing() -> None:
    is_over, ticks = Event(), count()

    def hang(_: Body) -> Step:
        is_over.wait()
        return done()

    staged = Staged(budget=Budget(seconds=6), clock=lambda: float(next(ticks)))
    with on_stage(corpus_of(STORE), [hang], staged) as dream:
        assert dream().dreamt.warnings == ("stopped at 6 seconds; what was whole by then is here",)
        is_over.set()


class Stopping(list[float]):
    """Waits that somebody stops the third time."""

    def __init__(self, stop: list[bool]) -> None:
        super().__init__()
        self._stop = stop

    def append(self, seconds: float) -> None:
        super().append(seconds)
        self._stop[0] = len(self) == 3


def test_a_key_that_is_not_valid_is_told_before_anything_is_asked() -> None:
    staged = Staged(counts=Fails(401, "authentication_error"))
    line, made = failing(done(), staged)
    assert line.startswith("the API key is not valid")
    assert made == 0


def test_words_of_the_api_are_made_harmless() -> None:
    secret = "sk-" + "Zz9Yy8Xx7Ww6Vv5Uu4"
    line, _ = failing(Fails(400, "invalid_request_error", f"bad\x1b]52;c;{secret}\x07 {'long ' * 200}"))
    assert "\x1b" not in line
    assert secret not in line
    assert len(line) < 400


def test_nobody_there_is_told_in_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    waits: list[float] = []
    engine = ClaudeEngine(service=Service(api_key=KEY, base_url=url, pause=waits.append))
    with pytest.raises(EngineError) as caught:
        engine.dream(Task(corpus=corpus_of(STORE)))
    assert str(caught.value) == f"{url[7:]} cannot be reached: check the network; {LOCAL}"
    assert waits


@pytest.mark.parametrize("method", ["estimate", "dream"])
def test_without_a_key_nothing_is_sent_and_the_way_out_is_named(method: str) -> None:
    engine = ClaudeEngine(service=Service())
    with pytest.raises(EngineError) as caught:
        getattr(engine, method)(Task(corpus=corpus_of(STORE)))
    assert str(caught.value) == f"Claude needs an API key and there is none: set ANTHROPIC_API_KEY; {LOCAL}"


@pytest.mark.parametrize(
    ("service", "name"),
    [
        (Service(api_key="sk-quay-7\n"), "ANTHROPIC_API_KEY"),
        (Service(auth_token=" sk-quay-7"), "ANTHROPIC_AUTH_TOKEN"),
    ],
)
def test_a_key_that_cannot_be_one_is_not_sent_and_not_shown(service: Service, name: str) -> None:
    with pytest.raises(EngineError) as caught:
        ClaudeEngine(service=service).dream(Task(corpus=corpus_of(STORE)))
    told = f"the key in {name} holds a blank, or another character that no key has: copy it again"
    assert str(caught.value) == f"{told}; {LOCAL}"


@pytest.mark.parametrize("url", ["http://example.org", "http://10.0.0.1:80", "ftp://127.0.0.2"])
def test_a_key_never_goes_over_the_network_in_the_clear(url: str) -> None:
    engine = ClaudeEngine(service=Service(api_key=KEY, base_url=url))
    with pytest.raises(EngineError, match="is not asked over http"):
        engine.estimate(Task(corpus=corpus_of(STORE)))


def test_no_proxy_comes_between_us_and_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert play(corpus_of(STORE), [done("Fine.")]).dreamt.narrative == "Fine."


def test_an_address_with_a_password_is_told_without_it() -> None:
    assert Service(base_url="https://me:hunter22@proxy.example:8443/x").host == "proxy.example:8443"


def test_the_estimate_is_made_without_asking_anybody() -> None:
    engine = ClaudeEngine(service=Service(api_key=KEY, base_url="https://api.example.org"))
    estimate = engine.estimate(Task(corpus=corpus_of({"a.md": "- The kiln is in the yard.\n" * 400})))
    assert estimate.recipient == "api.example.org"
    assert 5_000 < estimate.tokens < 20_000
    assert estimate.cost_usd is not None
    assert 0.05 < estimate.cost_usd < 1.0
