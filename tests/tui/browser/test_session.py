"""A run of the app behind a page: it draws, and it ends with whoever carries its screen."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

import pytest

from dreamreview.tui.browser import packets, session
from dreamreview.tui.browser.session import Session


async def started(folder: Path) -> Session:
    return await Session.start((str(folder),), 90, 20)


async def test_the_app_draws_and_takes_keys_until_it_is_left(tmp_path: Path) -> None:
    app = await started(tmp_path)
    drawn = bytearray()
    left = False

    async def send(data: bytes) -> None:
        nonlocal left
        drawn.extend(data)
        if b"dream now" in drawn and not left:
            left = True
            await app.type(packets.packet(packets.DATA, b"q"))

    await asyncio.wait_for(app.show(send), 60)
    await app.end()
    assert left
    assert app._process.returncode == 0


async def test_without_a_folder_the_app_opens_on_all_that_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DREAMREVIEW_CONFIG", "DREAMREVIEW_FOLDER", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in ("-barn", "-field"):
        folder = tmp_path / ".claude/projects" / name / "memory"
        folder.mkdir(parents=True)
        (folder / "MEMORY.md").write_text("- the beans are in row two\n")
    app = await Session.start((), 90, 20)
    drawn = bytearray()
    is_drawn = asyncio.Event()

    async def send(data: bytes) -> None:
        drawn.extend(data)
        if b"-barn" in drawn and b"-field" in drawn:
            is_drawn.set()

    showing = asyncio.create_task(app.show(send))
    await asyncio.wait_for(is_drawn.wait(), 60)
    showing.cancel()
    await asyncio.gather(showing, return_exceptions=True)
    await app.end()
    assert app._process.returncode == 0


async def test_an_app_whose_server_is_gone_ends_by_itself(tmp_path: Path) -> None:
    app = await started(tmp_path)
    await packets.begun(app._stdout)
    app._stdin.close()
    try:
        async with asyncio.timeout(60):
            while await app._stdout.read(65536):
                pass
            assert await app._process.wait() == 0
    finally:
        await app.end()


def test_an_app_that_draws_for_nobody_ends_without_a_word(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-c", session._START, session._PACKAGES, str(tmp_path)]
    environment = session._environment(90, 20)
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        drawn = b""
        while b"dream now" not in drawn:
            piece = os.read(process.stdout.fileno(), 65536)
            assert piece
            drawn += piece
        process.stdout.close()
        process.stdin.write(packets.meta(type="resize", width=60, height=12))
        process.stdin.close()
        try:
            process.wait(60)
        finally:
            process.kill()
        complaint = process.stderr.read()
    assert (process.returncode, complaint) == (0, b"")


async def test_ending_a_session_ends_an_app_that_is_drawing(tmp_path: Path) -> None:
    app = await started(tmp_path)
    await app.end()
    assert app._process.returncode == 0


async def test_an_app_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "GRACE", 0.1)
    app = await started(tmp_path)
    await packets.begun(app._stdout)
    app._process.send_signal(signal.SIGSTOP)
    await app.end()
    assert app._process.returncode == -signal.SIGKILL


async def test_keys_for_an_app_that_has_ended_are_lost_quietly(tmp_path: Path) -> None:
    app = await started(tmp_path)
    await app.end()
    await app.type(packets.packet(packets.DATA, b"a"))
    await app.end()


async def test_modules_that_lie_in_the_current_folder_are_not_taken_for_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dreamreview.py").write_text("raise SystemExit(9)\n")
    (tmp_path / "json.py").write_text("raise SystemExit(9)\n")
    monkeypatch.chdir(tmp_path)
    app = await started(tmp_path)
    assert await packets.begun(app._stdout)
    await app.end()
