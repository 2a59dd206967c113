"""Which process wrote a lock, and whether it still runs: told apart also after a reboot or a reused number."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass

_BOOT_ID = "/proc/sys/kernel/random/boot_id"


@dataclass(frozen=True, slots=True)
class Process:
    """One run of one program on one machine; what the system does not tell is None."""

    pid: int
    host: str
    started: str | None
    """When it started, in the words of the system."""
    boot: str | None
    """Since which boot of the machine its number counts."""
    space: str | None
    """The pid namespace that its number counts in."""


def this_process() -> Process:
    """Return the process that asks."""
    pid = os.getpid()
    return Process(pid=pid, host=_host(), started=_started(pid), boot=_boot(), space=_space())


def to_json(process: Process) -> dict[str, object]:
    """Return a process as an object of JSON."""
    return asdict(process)


def from_json(value: object) -> Process | None:
    """Read what `to_json` wrote; None for anything else."""
    if not isinstance(value, dict):
        return None
    pid, host = value.get("pid"), value.get("host")
    if not isinstance(pid, int) or isinstance(pid, bool) or pid < 1 or not isinstance(host, str):
        return None
    started, boot, space = (
        text if isinstance(text := value.get(key), str) else None for key in ("started", "boot", "space")
    )
    return Process(pid=pid, host=host, started=started, boot=boot, space=space)


def is_here(process: Process) -> bool:
    """Tell whether a process runs, or ran, on this machine, also under another name or before a reboot."""
    boot = _boot()
    return process.host == _host() or (boot is not None and process.boot == boot)


def is_alive(process: Process) -> bool | None:
    """Tell whether a process still runs; None where that cannot be seen from here (another machine or container)."""
    if not is_here(process):
        return None
    boot, space = _boot(), _space()
    if boot is not None and process.boot is not None and boot != process.boot:
        return False
    if space != process.space:
        return None
    runs = _runs(process.pid)
    if runs and process.started is not None:
        started = _started(process.pid)
        return None if started is None else started == process.started
    return runs


def _runs(pid: int) -> bool | None:
    if sys.platform == "win32":
        return None
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    stat = _stat(pid)
    return stat is None or stat[0] not in {"Z", "X"}


def _started(pid: int) -> str | None:
    stat = _stat(pid)
    if stat is not None:
        return stat[19]
    return _started_by_ps(pid) if sys.platform == "darwin" else None


def _stat(pid: int) -> list[str] | None:
    """Return the fields of ``/proc/PID/stat`` from the third, which is the state, on; the 22nd is the start."""
    text = _text(f"/proc/{pid}/stat")
    fields = text.rpartition(")")[2].split() if text else []
    return fields if len(fields) > 19 else None


def _started_by_ps(pid: int) -> str | None:
    import subprocess

    with suppress(OSError, subprocess.SubprocessError):
        command = ["ps", "-o", "lstart=", "-p", str(pid)]
        environment = {"LC_ALL": "C", "TZ": "UTC", "PATH": os.defpath}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=5, check=False)
        return " ".join(done.stdout.split()) or None
    return None


def _host() -> str:
    if sys.platform != "win32":
        return os.uname().nodename
    import socket

    return socket.gethostname()


def _boot() -> str | None:
    return _text(_BOOT_ID)


def _space() -> str | None:
    with suppress(OSError):
        found = re.fullmatch(r"pid:\[(\d+)\]", os.readlink("/proc/self/ns/pid"))
        return found[1] if found else None
    return None


def _text(path: str) -> str | None:
    with suppress(OSError, ValueError), open(path, encoding="utf-8", errors="replace") as file:
        return file.read(4096).strip() or None
    return None
