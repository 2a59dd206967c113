"""Whether the process that wrote a lock still runs: not fooled by reused numbers, reboots, zombies, other machines."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.store.owner import Process, from_json, is_alive, is_here, this_process, to_json

needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs Linux's /proc")


def test_this_process_runs_and_is_always_the_same() -> None:
    me = this_process()
    assert (me.pid, me) == (os.getpid(), this_process())
    assert is_here(me)
    assert is_alive(me) is True


def test_a_number_that_nobody_has_is_gone() -> None:
    assert is_alive(replace(this_process(), pid=2**22 + 1)) is False
    assert is_alive(replace(this_process(), pid=2**70)) is False


@needs_proc
def test_a_number_that_another_process_got_is_another_process() -> None:
    assert is_alive(replace(this_process(), started="1")) is False
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as later:
        assert is_alive(replace(this_process(), pid=later.pid)) is False
        assert is_alive(replace(this_process(), pid=later.pid, started=None)) is True


@needs_proc
def test_a_process_that_ended_and_was_not_fetched_is_gone() -> None:
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert is_alive(replace(this_process(), pid=child.pid, started=None)) is False
    child.wait()


@needs_proc
def test_a_name_that_looks_like_fields_is_no_hindrance(tmp_path: Path) -> None:
    program = tmp_path / ") Z 1 ("
    program.symlink_to("/bin/cat")
    with subprocess.Popen([program], stdin=subprocess.PIPE) as child:
        assert is_alive(replace(this_process(), pid=child.pid, started=None)) is True
        assert child.stdin is not None


@needs_proc
def test_before_a_reboot_is_gone_and_another_machine_or_container_cannot_be_seen() -> None:
    me = this_process()
    assert is_alive(replace(me, boot="another")) is False
    assert is_here(replace(me, boot="another"))
    assert is_here(replace(me, host="renamed"))
    assert is_alive(replace(me, host="renamed")) is True
    elsewhere = replace(me, host="elsewhere", boot="another")
    assert not is_here(elsewhere)
    assert is_alive(elsewhere) is None
    assert is_alive(replace(me, space="1")) is None


def test_a_process_is_read_back_as_it_was_written() -> None:
    me = this_process()
    assert from_json(to_json(me)) == me
    bare = Process(pid=1, host="h", started=None, boot=None, space=None)
    assert from_json({"pid": 1, "host": "h", "started": 5, "more": []}) == bare


@given(
    st.none()
    | st.integers()
    | st.lists(st.integers(), max_size=2)
    | st.dictionaries(st.sampled_from(["pid", "host", "started"]), st.none() | st.booleans() | st.integers(max_value=0))
)
def test_what_is_no_process_is_none(value: object) -> None:
    assert from_json(value) is None
