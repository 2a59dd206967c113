"""The served app as a person meets it: the real command, its page in a real browser, and what is on disk afterwards."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright  # noqa: A004 - the name is the library's

ROOT = Path(__file__).resolve().parents[3]
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
GARDEN = "# Garden\n\n- beans in row two\n- water at six\n- mulch in May\n- the shed key hangs left\n"
PROPOSAL = "20260301T090000000"

START = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from dreamreview.__main__ import main; main()"
)
"""The command, which an interrupt reaches even where the tests run in the background."""

FIND_TERMINAL = """
Object.defineProperty(Object.prototype, "terminal", {
  configurable: true,
  set(value) {
    Object.defineProperty(this, "terminal", { value, writable: true, configurable: true, enumerable: true });
    if (value?.buffer) window.foundTerminal = value;
  },
});
"""
"""Keeps a hold of the terminal that the page's script makes, so that its text can be read from it."""

SCREEN = """
() => {
  const buffer = window.foundTerminal?.buffer.active;
  return buffer ? Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row).translateToString(true)) : [];
}
"""

OPEN_SOCKET = """
(address) => new Promise((answer) => {
  const socket = new WebSocket(address);
  socket.onopen = () => answer("open");
  socket.onerror = () => answer("refused");
})
"""


class Stranger(BaseHTTPRequestHandler):
    """Answers everything with an empty page."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!DOCTYPE html><title>elsewhere</title><body></body>")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
        """Say nothing."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store with a proposal of two changes, as another program leaves it."""
    store = tmp_path / "memory"
    copy = store / ".dream-proposals" / PROPOSAL
    copy.mkdir(parents=True)
    (store / "garden.md").write_text(GARDEN)
    (copy / "garden.md").write_text(GARDEN.replace("at six", "at seven").replace("left\n", "right\n"))
    return store


@pytest.fixture
def server(folder: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
        "PYTHONPATH": str(ROOT),
        "TERM": "dumb",
        "TEXTUAL_ANIMATIONS": "none",
    }
    process = subprocess.Popen(
        [sys.executable, "-c", START, str(folder), "--serve"], env=environment, stdout=subprocess.PIPE, text=True
    )
    yield process
    process.kill()
    process.communicate()


@pytest.fixture
def address(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    return server.stdout.readline().rstrip("\n")


@pytest.fixture
def stranger() -> Iterator[str]:
    """The address of a page of somebody else's, served on this machine too, where browsers bar least."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Stranger) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        yield f"http://localhost:{listening.server_port}/"
        listening.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        installed = next(filter(None, map(shutil.which, BROWSERS)), playwright.chromium.executable_path)
        if not os.path.exists(installed):
            pytest.skip("no Chromium is installed: apt-get install chromium-headless-shell")
        words = ["--host-resolver-rules=MAP rebound.example 127.0.0.1"]
        # Chromium's sandbox does not run as root; the pages here are our own.
        words += ["--no-sandbox"] if os.geteuid() == 0 else []
        launched = playwright.chromium.launch(executable_path=installed, args=words)
        yield launched
        launched.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1100, "height": 640})
    opened = context.new_page()
    opened.add_init_script(FIND_TERMINAL)
    yield opened
    context.close()


def wait_for(page: Page, text: str, milliseconds: float = 30_000) -> list[str]:
    """Return the lines of the terminal once one of them holds the text."""
    is_there = f"(text) => ({SCREEN})().some((line) => line.includes(text))"
    page.wait_for_function(is_there, arg=text, timeout=milliseconds)
    lines: list[str] = page.evaluate(SCREEN)
    return lines


def wait_until_gone(page: Page, text: str) -> None:
    page.wait_for_function(f"(text) => !({SCREEN})().some((line) => line.includes(text))", arg=text)


def decisions(folder: Path) -> list[tuple[str, str]]:
    """Return what the log of the proposal says was done, and on what."""
    log = folder / ".dreamreview" / "reviews" / f"{PROPOSAL}.jsonl"
    lines = map(json.loads, log.read_text().splitlines()) if log.exists() else []
    return [(line["op"], line["on"]) for line in lines]


def test_a_change_is_read_and_accepted_in_the_browser(address: str, page: Page, folder: Path) -> None:
    page.goto(address)
    wait_for(page, "0 of 2 decided")
    wait_for(page, "- - water at six")
    wait_for(page, "+ - water at seven")
    assert decisions(folder) == []
    page.keyboard.press("a")
    wait_for(page, "1 of 2 decided")
    (decided,) = decisions(folder)
    assert decided[0] == "accept"
    assert (folder / "garden.md").read_text() == GARDEN


def test_what_was_accepted_is_written_by_keys_that_browsers_have_other_uses_for(
    address: str, page: Page, folder: Path
) -> None:
    page.goto(address)
    wait_for(page, "0 of 2 decided")
    page.keyboard.press("Control+p")
    wait_for(page, "Search for commands")
    page.keyboard.press("Escape")
    wait_until_gone(page, "Search for commands")
    page.keyboard.press("a")
    wait_for(page, "1 of 2 decided")
    page.keyboard.press("u")
    wait_for(page, "0 of 2 decided")
    page.keyboard.press("Control+r")
    wait_for(page, "1 of 2 decided")
    page.keyboard.press("Control+s")
    wait_for(page, "y writes")
    # Keys in the dialog's first moment count for nothing, so the yes is said until it is heard.
    for _ in range(40):
        page.keyboard.press("y")
        with suppress(TimeoutError):
            wait_for(page, "U undoes it now", 250)
            break
    wait_for(page, "U undoes it now")
    assert (folder / "garden.md").read_text() == GARDEN.replace("at six", "at seven")


def test_the_page_loads_from_its_server_alone_and_without_complaint(address: str, page: Page) -> None:
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda opened: asked.append(opened.url))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(address)
    wait_for(page, "of 2 decided")
    assert {urlsplit(url).netloc for url in asked} == {urlsplit(address).netloc}
    assert len(asked) == 7
    assert complaints == []
    assert page.evaluate("document.fonts.check('16px Roboto Mono')")


def test_the_app_fills_the_window_and_follows_its_size(address: str, page: Page) -> None:
    page.goto(address)
    lines = wait_for(page, "of 2 decided")
    page.set_viewport_size({"width": 640, "height": 400})
    page.wait_for_function(f"(rows) => ({SCREEN})().length < rows", arg=len(lines))
    smaller = wait_for(page, "help")
    assert "help" in smaller[-1]


def test_leaving_the_app_says_so_and_it_opens_again(address: str, page: Page) -> None:
    page.goto(address)
    wait_for(page, "of 2 decided")
    page.keyboard.press("q")
    wait_for(page, "dream now")
    page.keyboard.press("q")
    page.get_by_text("The app has ended").wait_for()
    page.get_by_text("Open it again").click()
    wait_for(page, "of 2 decided")


def test_ending_the_server_ends_the_page(address: str, page: Page, server: subprocess.Popen[str]) -> None:
    page.goto(address)
    wait_for(page, "of 2 decided")
    server.send_signal(2)
    page.get_by_text("The app has ended").wait_for()
    assert server.wait(60) == 130


def test_a_page_from_elsewhere_in_the_same_browser_cannot_drive_the_app(
    address: str, page: Page, stranger: str
) -> None:
    socket = address.replace("http:", "ws:") + "socket"
    page.goto(address)
    assert page.evaluate(OPEN_SOCKET, socket) == "open"
    page.goto(stranger)
    assert page.evaluate(OPEN_SOCKET, socket) == "refused"


def test_a_name_that_was_made_to_point_here_does_not_reach_the_app(address: str, page: Page) -> None:
    answer = page.goto(address.replace("127.0.0.1", "rebound.example"))
    assert answer is not None
    assert answer.status == 403
    assert answer.text() == "Open the address that dreamreview printed, as it stands there.\n"


def test_another_page_cannot_show_the_app_in_a_frame(address: str, page: Page, stranger: str) -> None:
    page.goto(stranger)
    with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
        page.evaluate(
            "(address) => document.body.append(Object.assign(document.createElement('iframe'), {src: address}))",
            address,
        )
