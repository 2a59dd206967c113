"""Diffs that were cut, mixed up or made up: they make a proposal or are left, and nothing breaks."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamreview.errors import DreamReviewError
from dreamreview.model.claims import path_problem
from dreamreview.model.manifest import check_changes, dumps, loads
from dreamreview.model.proposal import LINK_MODE, Base, Proposal
from dreamreview.store.importing.ground import Ground
from dreamreview.store.importing.recognising import suggested_by
from tests.store.importing.grounds import ground_of, made
from tests.workspace.stores import Files

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))

STORE: Files = {
    "a.md": b"one\ntwo\nthree\n",
    "b.md": b"x\r\ny\r\n",
    "d/c.md": b"x",
    "l": (b"../out", LINK_MODE),
    "e.md": b"",
}
NAMES = (
    "a.md",
    "b.md",
    "d/c.md",
    "d",
    "l",
    "l/x",
    "e.md",
    "n.md",
    "a.md/x",
    "../x",
    "/x",
    ".git/x",
    ".dreamreview/x",
    "",
)
names = st.sampled_from(NAMES).flatmap(lambda name: st.sampled_from((f"a/{name}", f"b/{name}", name, "/dev/null")))
verbs = st.sampled_from(("old", "new", "new file", "deleted file"))
modes = st.sampled_from(("100644", "100755", "120000", "160000", "9", ""))
texts = st.sampled_from(("one", "two", "three", "x", "y", "x\r", ""))
odd = ("index 1..2 100644", "Binary files a/a.md and b/a.md differ", "\\ No newline", "-- ", "@@ -", "", "\r")
plain = st.sampled_from(NAMES)
lines = st.one_of(
    st.builds("diff --git {} {}".format, names, names),
    st.builds("--- {}".format, names),
    st.builds("+++ {}".format, names),
    st.builds("--- {0}\n+++ {1}".format, names, names),
    st.builds("rename from {0}\nrename to {1}".format, plain, plain),
    st.builds("copy from {0}\ncopy to {1}".format, plain, plain),
    st.builds("@@ -{},{} +{},{} @@".format, *(st.integers(0, 4) for _ in range(4))),
    st.builds("{} mode {}".format, verbs, modes),
    st.sampled_from(odd),
    st.builds("{}{}".format, st.sampled_from((" ", "-", "+")), texts),
)
diffs = st.lists(lines, max_size=25).map(lambda some: "\n".join(some).encode() + b"\n")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    return ground_of(tmp_path_factory.mktemp("import") / "store", STORE)


@settings(max_examples=int(300 * SCALE), deadline=None, suppress_health_check=list(HealthCheck))
@given(diffs)
def test_any_diff_makes_a_proposal_that_holds_or_is_left(store: Ground, data: bytes) -> None:
    try:
        found = suggested_by(store, "-", data)
    except DreamReviewError:
        return
    check_changes(found.changes)
    at = "2026-09-15T12:00:00Z"
    proposal = Proposal(id="20260915T120000000", created_at=at, base=Base("declared", "", at), changes=found.changes)
    assert [change.id for change in loads(dumps(proposal)).changes] == [change.id for change in found.changes]
    after = made(found)
    assert [path_problem(path) for path in after] == [None] * len(after)
    stands = {path for path in {*STORE, *after} if path not in (found.before or {}) or path in after}
    assert not any(path.startswith(f"{other}/") for path in after for other in stands)
    assert all(one.what and one.reason for one in found.left)
