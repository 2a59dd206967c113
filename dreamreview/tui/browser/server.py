"""The server that carries the app to a browser: on the loopback address alone, behind a key, one run for each page."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, NoReturn

from dreamreview.errors import DreamReviewError
from dreamreview.tui.browser import gate, packets
from dreamreview.tui.browser.page import asset, headers, page
from dreamreview.tui.browser.session import GRACE, Session

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from aiohttp import web

ADDRESS = "127.0.0.1"
"""The only address it listens at."""

SESSIONS = 8
"""Runs of the app at the same time: each page that is open has one."""

_HEARTBEAT = 15.0


def serve(arguments: Sequence[str], title: str, port: int | None, announce: Callable[[str], None]) -> NoReturn:
    """Serve the app until it is interrupted.

    Args:
        arguments: of the command line of each run: the absolute path of a memory folder, or nothing.
        title: what the page says it is open on.
        port: where to listen; None for any that is free.
        announce: is given the address to open, once it can be opened.

    Raises:
        DreamReviewError: the libraries are missing, or the port cannot be had.
        KeyboardInterrupt: it was interrupted or told to end; every app it ran has ended.
    """
    if find_spec("aiohttp") is None or find_spec("textual_serve") is None:
        raise DreamReviewError("--serve needs more libraries: python -m pip install 'dreamreview[serve]'")
    with suppress(asyncio.CancelledError):
        asyncio.run(_serve(PageServer(arguments, title, gate.new_key()), port, announce))
    raise KeyboardInterrupt


async def _serve(server: PageServer, port: int | None, announce: Callable[[str], None]) -> None:
    from aiohttp import web

    # Nothing of a request is logged: the key stands in each.
    silent = logging.getLogger(__name__)
    silent.addHandler(logging.NullHandler())
    silent.propagate = False
    runner = web.AppRunner(server.application(), access_log=None, logger=silent, shutdown_timeout=GRACE + 5)
    await runner.setup()
    try:
        await _listen(web.TCPSite(runner, ADDRESS, port or 0), port)
        if (task := asyncio.current_task()) is not None:
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        announce(f"http://{ADDRESS}:{runner.addresses[0][1]}/{server.key}/")
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


async def _listen(site: web.TCPSite, port: int | None) -> None:
    try:
        await site.start()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise DreamReviewError(f"port {port} is in use: name another with --port, or leave it out") from error
        if error.errno == errno.EACCES:
            raise DreamReviewError(f"port {port} is not open to you: name one above 1023, or leave it out") from error
        raise DreamReviewError(f"cannot listen at {ADDRESS}: {error.strerror}") from error


class PageServer:
    """Answers the requests for one app."""

    def __init__(self, arguments: Sequence[str], title: str, key: str) -> None:
        self.key = key
        self._arguments = arguments
        self._title = title
        self._sockets: set[web.WebSocketResponse] = set()

    def application(self) -> web.Application:
        """Return what aiohttp runs."""
        from aiohttp import web

        @web.middleware
        async def guard(
            request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
        ) -> web.StreamResponse:
            self._admit(request)
            return await handler(request)

        application = web.Application(middlewares=[guard])
        application.add_routes(
            [
                web.get("/{key}/", self._page),
                web.get("/{key}/part/{name}", self._part),
                web.get("/{key}/socket", self._socket),
            ]
        )
        application.on_response_prepare.append(_tell_browser)
        application.on_shutdown.append(self._close)
        return application

    def _admit(self, request: web.Request) -> None:
        """Let pass what names this machine and has the key.

        Raises:
            HTTPForbidden: anything else, whatever it asks for.
        """
        from aiohttp import web

        has_key = gate.is_key(request.match_info.get("key", ""), self.key)
        if not gate.is_loopback(request.headers.get("Host")) or not has_key:
            raise web.HTTPForbidden(text="Open the address that dreamreview printed, as it stands there.\n")

    async def _page(self, request: web.Request) -> web.StreamResponse:
        from aiohttp import web

        return web.Response(text=page(self._title, request.headers["Host"], self.key), content_type="text/html")

    async def _part(self, request: web.Request) -> web.StreamResponse:
        from aiohttp import web

        found = asset(request.match_info["name"])
        if found is None:
            raise web.HTTPNotFound
        return web.Response(body=found[0], content_type=found[1])

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        """Run the app for a page, until the page is closed or the app is left."""
        from aiohttp import web

        if not gate.is_same_origin(request.headers.get("Origin"), request.headers.get("Host")):
            raise web.HTTPForbidden(text="The app takes its keys from its own page alone.\n")
        if len(self._sockets) >= SESSIONS:
            raise web.HTTPServiceUnavailable(text=f"{SESSIONS} pages are open: close one.\n")
        socket = web.WebSocketResponse(heartbeat=_HEARTBEAT, max_msg_size=packets.MESSAGE_LIMIT)
        self._sockets.add(socket)
        try:
            await socket.prepare(request)
            width = packets.cells(request.query.get("width"), 80)
            height = packets.cells(request.query.get("height"), 24)
            await _run(socket, await Session.start(self._arguments, width, height))
        finally:
            self._sockets.discard(socket)
            await socket.close()
        return socket

    async def _close(self, _: web.Application) -> None:
        """End what runs, as if every page had been closed."""
        for socket in list(self._sockets):
            await socket.close()


async def _run(socket: web.WebSocketResponse, session: Session) -> None:
    """Carry between a page and a run of the app until either is gone."""
    ways = [asyncio.create_task(session.show(socket.send_bytes)), asyncio.create_task(_listen_to(socket, session))]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        await session.end()


async def _listen_to(socket: web.WebSocketResponse, session: Session) -> None:
    from aiohttp import WSMsgType

    async for message in socket:
        if message.type is WSMsgType.TEXT and (packet := packets.from_page(message.data)) is not None:
            await session.type(packet)


async def _tell_browser(request: web.Request, response: web.StreamResponse) -> None:
    host = request.headers.get("Host")
    response.headers.update(headers(host if host and gate.is_loopback(host) else ADDRESS))
