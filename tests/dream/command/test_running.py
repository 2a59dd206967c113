"""A command runs without a shell and for so long, and nothing of it runs any more once it is said to have ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dreamreview.dream.command import running
from dreamreview.dream.command.running import Ended, run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs of these tests speak POSIX")

LONG = 60.0
"""Seconds that no program of these tests gets to see the end of."""


def _python(code: str, folder: Path, *, seconds: float = LONG, said: bytes = b"") -> Ended:
    environment = {"PATH": os.environ["PATH"]}
    return run([sys.executable, "-c", code], str(folder), environment, said, seconds, lambda: False)


def _is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return _is_zombie(pid)


def _is_zombie(pid: int) -> bool:
    """Tell whether a process has ended and nobody asked how yet, where the system says so."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return False


def _goes(pid: int) -> bool:
    """Wait until a process is gone; the system takes a moment to say so of one that is no child of ours."""
    deadline = time.monotonic() + LONG
    while not _is_gone(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def test_a_command_reads_what_it_is_told_and_its_output_is_kept(tmp_path: Path) -> None:
    code = "import os, sys; sys.stdout.write(sys.stdin.read()[::-1]); sys.stderr.write(os.getcwd()); sys.exit(3)"
    assert _python(code, tmp_path, said=b"abc") == Ended(3, b"cba", os.fsencode(os.path.realpath(tmp_path)))


def test_no_argument_is_read_by_a_shell(tmp_path: Path) -> None:
    odd = "$(touch made) ; `touch made` | \"'*"
    ended = run([sys.executable, "-c", "import sys; print(sys.argv[1])", odd], str(tmp_path), {}, b"", LONG, bool)
    assert ended.out == odd.encode() + b"\n"
    assert list(tmp_path.iterdir()) == []


def test_a_command_that_does_not_read_what_it_is_told_ends_all_the_same(tmp_path: Path) -> None:
    assert _python("", tmp_path, said=b"x" * 4_000_000) == Ended(0, b"", b"")


def test_a_command_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    ended = _python("import time; time.sleep(600)", tmp_path, seconds=0.2)
    assert (ended.stopped, ended.status, ended.out) == ("time", 128 + signal.SIGTERM, b"")


def test_a_command_is_stopped_with_all_that_it_started(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    code = (
        "import os, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(pid)!r} + '.new', 'w').write(str(child.pid))\n"
        f"os.rename({str(pid)!r} + '.new', {str(pid)!r})\n"
        "time.sleep(600)\n"
    )
    assert run([sys.executable, "-c", code], str(tmp_path), {}, b"", LONG, pid.exists).stopped == "cancel"
    assert _goes(int(pid.read_text()))


def test_a_command_that_will_not_end_is_ended(tmp_path: Path) -> None:
    deaf = tmp_path / "deaf"
    code = (
        "import signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"open({str(deaf)!r}, 'w').close()\n"
        "time.sleep(600)\n"
    )
    ended = run([sys.executable, "-c", code], str(tmp_path), {}, b"", LONG, deaf.exists)
    assert (ended.stopped, ended.status) == ("cancel", 128 + signal.SIGKILL)


def test_a_command_is_stopped_when_the_person_says_so(tmp_path: Path) -> None:
    started = tmp_path / "started"
    code = f"open({str(started)!r}, 'w').close(); import time; time.sleep(600)"
    ended = run([sys.executable, "-c", code], str(tmp_path), {}, b"", LONG, started.exists)
    assert ended.stopped == "cancel"


@pytest.mark.parametrize("session", ["False", "True"])
def test_what_a_command_leaves_running_is_ended_with_it(tmp_path: Path, session: str) -> None:
    if session == "True" and not Path(f"/proc/self/task/{os.getpid()}/children").exists():
        pytest.skip("the system does not tell whose child a process is")
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'],\n"
        f"    start_new_session={session}, stdout=subprocess.DEVNULL)\n"
        "print(child.pid)\n"
    )
    ended = _python(code, tmp_path)
    assert (ended.status, ended.stopped) == (0, "")
    assert _goes(int(ended.out))


def test_a_command_that_prints_without_an_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "FLOOD", 200_000)
    ended = _python("while True: print('x' * 1000)", tmp_path)
    assert ended.stopped == "flood"
    assert len(ended.out) <= running.KEPT


def test_of_much_output_the_end_is_kept(tmp_path: Path) -> None:
    ended = _python("print('x' * 300_000); print('done')", tmp_path)
    assert ended.out.endswith(b"x\ndone\n")
    assert len(ended.out) == running.KEPT


def test_a_file_that_is_no_program_ends_with_a_status_and_a_reason(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x00\x01 no program\n")
    broken.chmod(0o755)
    ended = run([str(broken)], str(tmp_path), {}, b"", LONG, lambda: False)
    assert ended.status == 127
    assert ended.err.startswith(b"it cannot be run: ")


def test_a_command_ends_with_the_program_that_started_it(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    code = f"import os, time; open({str(pid)!r}, 'w').write(f'{{os.getpid()}}\\n'); time.sleep(600)"
    starter = (
        "import sys\nfrom dreamreview.dream.command.running import run\n"
        f"run([sys.executable, '-c', {code!r}], {str(tmp_path)!r}, {{}}, b'', 600, lambda: False)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", starter])
    deadline = time.monotonic() + LONG
    while not (pid.exists() and pid.read_text().endswith("\n")):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert _goes(int(pid.read_text()))
