"""Laws of writing back: what others wrote is never lost, what was accepted gets there, and doing it twice is once."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import httpx2
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.dream.hosted.outgoing import Outgoing, name_of
from dreamreview.dream.hosted.returning import Wanted, give_back
from dreamreview.dream.hosted.service import Service, digest_of
from dreamreview.model.uploads import Sent, Uploads
from tests.dream.hosted.local_service import KEY, MEMORY_BETA, LocalService, Request, Texts
from tests.dream.hosted.test_service import speaking_to

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
PATHS = ("a.md", "b.md", "sub/c.md")
HEADERS = {"x-api-key": KEY, "anthropic-beta": MEMORY_BETA}

states = st.dictionaries(st.sampled_from(PATHS), st.sampled_from(["one\n", "two\n", "three\n"]), max_size=3)


def in_process(service: LocalService) -> Service:
    """Return a client that speaks to the service without a socket."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content) if request.content else None
        asked = Request(request.method, request.url.path, dict(request.url.params), body)
        found = service.answer(asked, HEADERS)
        return httpx2.Response(found.status, json=found.document)

    return speaking_to(answer)


def out(path: str, text: str) -> Outgoing:
    return Outgoing(path, name_of(path), text, digest_of(text), digest_of(text))


def known(service: LocalService, store: str) -> dict[str, Sent]:
    held = service.stores[store]["memories"].values()
    return {one["path"][1:]: Sent(one["id"], one["memory_version_id"], (one["content_sha256"],)) for one in held}


def become(service: LocalService, store: str, texts: Texts) -> None:
    """Let others make a store hold some texts."""
    for name, one in list(service.stores[store]["memories"].items()):
        if one["path"] not in texts:
            del service.stores[store]["memories"][name]
    for path, text in texts.items():
        if service.texts(store).get(path) != text:
            service.put(store, path, text)


@settings(max_examples=max(25, int(120 * SCALE)), deadline=None)
@given(base=states, ours=states, theirs=states)
def test_nothing_of_either_side_is_lost_and_what_can_get_there_does(base: Texts, ours: Texts, theirs: Texts) -> None:
    service = LocalService()
    store = service.add_store({f"/{path}": text for path, text in base.items()})
    uploads = Uploads(endpoint="x", store=store, is_mirror=True, memories=known(service, store), waiting=PATHS)
    become(service, store, {f"/{path}": text for path, text in theirs.items()})
    client = in_process(service)
    wanted = [Wanted(path, out(path, ours[path]) if path in ours else None) for path in PATHS]

    found = give_back(client, uploads, [want for want in wanted if base.get(want.path) != ours.get(want.path)])

    clashed = {one.path: (one.here, one.there) for one in found.conflicts}
    for path in PATHS:
        held = service.texts(store).get(f"/{path}")
        was, mine, other = base.get(path), ours.get(path), theirs.get(path)
        if was == mine or mine == other:
            assert held == other
            assert path not in clashed
        elif was == other:
            assert held == mine
            assert path in found.written
        else:
            assert held == other
            assert clashed[path] == (mine, other)
    assert (found.left, found.problem) == ([], None)
    assert {*found.uploads.waiting} == {*clashed} | {path for path in PATHS if base.get(path) == ours.get(path)}

    service.requests.clear()
    again = give_back(client, replace(found.uploads, waiting=PATHS), [w for w in wanted if w.path not in clashed])
    assert [one.line for one in service.requests if one.method != "GET"] == []
    assert again.written == []


@settings(max_examples=max(25, int(60 * SCALE)), deadline=None)
@given(base=states, ours=states, theirs=states)
def test_what_was_shown_of_theirs_may_be_written_over(base: Texts, ours: Texts, theirs: Texts) -> None:
    service = LocalService()
    store = service.add_store({f"/{path}": text for path, text in base.items()})
    memories = known(service, store)
    become(service, store, {f"/{path}": text for path, text in theirs.items()})
    shown = {path: digest_of(theirs[path]) if path in theirs else "" for path in PATHS}
    uploads = Uploads(endpoint="x", store=store, is_mirror=True, memories=memories, imported={"p1": shown})
    wanted = [Wanted(path, out(path, ours[path]) if path in ours else None) for path in PATHS]

    found = give_back(in_process(service), uploads, wanted)

    assert service.texts(store) == {f"/{path}": text for path, text in ours.items()}
    assert (found.conflicts, found.left, found.problem) == ([], [], None)
    assert found.uploads.imported == {}
