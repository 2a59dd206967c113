"""Laws of sending: only what differs, over nothing that others wrote, and what is there is known afterwards."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.dream.engine import Corpus, Task
from dreamreview.dream.hosted.outgoing import Outgoing
from dreamreview.dream.hosted.pushing import ensured, push
from dreamreview.dream.hosted.service import Service
from dreamreview.model.uploads import Uploads
from dreamreview.store.rooted import Root
from dreamreview.store.uploads import UploadsFile
from tests.dream.hosted.local_service import Answer, LocalService, Request, Texts
from tests.dream.hosted.test_returning import PATHS, become, in_process, out, states

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
TASK = Task(corpus=Corpus(documents={}, files=frozenset(), today=date(2026, 9, 15)))
WRITES = ("POST", "DELETE")


def outgoing(texts: Texts) -> list[Outgoing]:
    return [out(path, text) for path, text in sorted(texts.items())]


def pushed(client: Service, file: UploadsFile, texts: Texts) -> tuple[Uploads, set[str], list[str]]:
    uploads = ensured(client, file, file.load(client.endpoint), "a store")
    found = push(client, file, uploads, outgoing(texts), TASK)
    assert file.load(client.endpoint) == found.uploads
    return found.uploads, {*found.sent}, found.left


@settings(max_examples=max(15, int(25 * SCALE)), deadline=None)
@given(base=states, ours=states, theirs=states)
def test_what_differs_is_sent_and_what_others_wrote_stays(base: Texts, ours: Texts, theirs: Texts) -> None:
    service = LocalService()
    client = in_process(service)
    with TemporaryDirectory() as place:
        file = UploadsFile(Root(Path(place)))
        uploads, _, _ = pushed(client, file, base)
        become(service, uploads.store, {f"/{path}": text for path, text in theirs.items()})
        service.requests.clear()
        uploads, sent, left = pushed(client, file, ours)

        writes = 0
        for path in PATHS:
            held = service.texts(uploads.store).get(f"/{path}")
            was, mine, other = base.get(path), ours.get(path), theirs.get(path)
            is_theirs = other is not None and other not in (was, mine)
            named = [told for told in left if told.startswith(f"{path}: ")]
            assert held == (other if is_theirs or (mine is None and was is None) else mine)
            assert (path in sent) == (mine is not None and not is_theirs)
            assert bool(named) == (is_theirs and (mine is not None or was is not None))
            writes += held != other
        assert len([one for one in service.requests if one.method in WRITES]) == writes

        service.requests.clear()
        pushed(client, file, ours)
        assert [one.line for one in service.requests if one.method in WRITES] == []


@settings(max_examples=max(10, int(20 * SCALE)), deadline=None)
@given(ours=states, later=states, stop=st.integers(1, 4), is_heard=st.booleans())
def test_a_push_that_was_cut_off_anywhere_is_finished_by_the_next(
    ours: Texts, later: Texts, stop: int, *, is_heard: bool
) -> None:
    service = LocalService()
    client = in_process(service)

    class _KilledError(BaseException):
        pass

    with TemporaryDirectory() as place:
        file = UploadsFile(Root(Path(place)))
        written = 0

        def kill(request: Request) -> Answer | None:
            nonlocal written
            written += request.method in WRITES
            if written == stop:
                if is_heard:
                    service._carry_out(request)
                raise _KilledError
            return None

        service.faults.append(kill)
        with suppress(_KilledError):
            pushed(client, file, ours)
        service.faults.clear()
        uploads, sent, left = pushed(client, file, later)

        assert service.texts(uploads.store) == {f"/{path}": text for path, text in later.items()}
        assert (sent, left) == ({*later}, [])
        assert len(service.stores) == 1
