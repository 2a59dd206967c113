"""The server as strangers meet it: by its real answers to real requests."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from dreamreview.errors import DreamReviewError
from dreamreview.tui.browser import server as serving
from dreamreview.tui.browser.server import PageServer, serve

Client = TestClient[web.Request, web.Application]
KEY = "00112233445566778899aabbccddeeff"
ROUTES = [f"/{KEY}/", f"/{KEY}/part/textual.js", f"/{KEY}/socket"]


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    """A browser that has reached the server of an empty folder."""
    async with TestClient(TestServer(PageServer((str(tmp_path),), "memory", KEY).application())) as reached:
        yield reached


def origin(client: Client) -> str:
    return str(client.make_url("")).rstrip("/")


async def test_whoever_has_the_address_gets_the_page_and_its_parts(client: Client) -> None:
    answer = await client.get(f"/{KEY}/")
    assert (answer.status, answer.content_type) == (200, "text/html")
    assert "textual-terminal" in await answer.text()
    part = await client.get(f"/{KEY}/part/textual.js")
    assert (part.status, part.content_type) == (200, "text/javascript")


@pytest.mark.parametrize("path", ["/", "/favicon.ico", "/socket", "/wrong/", "/wrong/socket", "/wrong/part/page.js"])
async def test_without_the_key_there_is_nothing(client: Client, path: str) -> None:
    answer = await client.get(path, headers={"Origin": origin(client)})
    assert answer.status == 403
    assert await answer.text() == "Open the address that dreamreview printed, as it stands there.\n"


@pytest.mark.parametrize("path", ROUTES)
async def test_a_name_that_was_made_to_point_here_reaches_nothing(client: Client, path: str) -> None:
    for host in ("rebound.example", f"rebound.example:{client.port}", "127.0.0.1.rebound.example"):
        answer = await client.get(path, headers={"Host": host, "Origin": f"http://{host}"})
        assert answer.status == 403


@pytest.mark.parametrize("stranger", ["http://stranger.example", "http://localhost:9", "null", ""])
async def test_a_page_from_elsewhere_cannot_drive_the_app_even_with_the_key(client: Client, stranger: str) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await client.ws_connect(f"/{KEY}/socket", headers={"Origin": stranger})
    assert refused.value.status == 403


async def test_a_request_that_does_not_say_from_where_cannot_either(client: Client) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await client.ws_connect(f"/{KEY}/socket")
    assert refused.value.status == 403


@pytest.mark.parametrize("path", [*ROUTES, "/", f"/{KEY}/part/nothing"])
async def test_every_answer_carries_the_policy_even_a_refusal(client: Client, path: str) -> None:
    answer = await client.get(path)
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Server"] == "dreamreview"


async def test_a_strange_name_is_not_repeated_in_the_policy(client: Client) -> None:
    answer = await client.get("/", headers={"Host": "rebound.example; script-src *"})
    assert "rebound" not in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
async def test_nothing_can_be_sent_but_by_the_socket(client: Client, method: str) -> None:
    answer = await client.request(method, f"/{KEY}/")
    assert answer.status in {403, 405}


async def test_only_so_many_pages_run_an_app(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "SESSIONS", 0)
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await client.ws_connect(f"/{KEY}/socket", headers={"Origin": origin(client)})
    assert refused.value.status == 503


async def test_the_page_runs_the_app_and_closing_it_ends_the_app(client: Client) -> None:
    page = await client.ws_connect(f"/{KEY}/socket?width=90&height=20", headers={"Origin": origin(client)})
    drawn = b""
    while b"dream now" not in drawn:
        drawn += (await page.receive(30)).data
    await page.close()
    assert page.close_code == aiohttp.WSCloseCode.OK


async def test_leaving_the_app_closes_the_page(client: Client) -> None:
    page = await client.ws_connect(f"/{KEY}/socket", headers={"Origin": origin(client)})
    drawn = b""
    while b"dream now" not in drawn:
        drawn += (await page.receive(30)).data
    await page.send_str("no message of a page")
    await page.send_str('["stdin", "q"]')
    kinds = [message.type async for message in page]
    assert set(kinds) <= {aiohttp.WSMsgType.BINARY}
    assert page.closed


def test_a_port_in_use_is_one_clear_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            DreamReviewError, match=f"^port {port} is in use: name another with --port, or leave it out"
        ):
            serve((str(tmp_path),), "memory", port, pytest.fail)


@pytest.mark.parametrize("library", ["aiohttp", "textual_serve"])
def test_a_missing_library_is_one_clear_line(library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "find_spec", lambda name: None if name == library else name)
    with pytest.raises(DreamReviewError, match=r"python -m pip install 'dreamreview\[serve\]'"):
        serve((str(tmp_path),), "memory", None, pytest.fail)
