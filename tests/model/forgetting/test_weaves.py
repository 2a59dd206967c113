"""A weave without lines gives, for any acts in force, the text without those lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dreamreview.model import weave_codec
from dreamreview.model.forgetting.wanted import Scope, wanted_line
from dreamreview.model.forgetting.weaves import unwoven
from dreamreview.model.weave import PathAct, PathDeed, Strand, Weave

GONE = b"the lost line\n"
SCOPE = Scope(wanted_line(GONE))
ACTS = ("a1/x/e1", "a2/y/e1", "outside/1/0")
LINES = st.sampled_from([GONE, b"- The lost line.\n", b"> the lost line, told\n", b"a\n", b"b", b"the lost\n"])


@st.composite
def weaves(draw: st.DrawFn) -> Weave:
    count = draw(st.integers(0, 8))
    strands = tuple(
        Strand(n, draw(LINES), draw(st.sampled_from(("", *ACTS))), tuple(draw(st.sets(st.sampled_from(ACTS)))))
        for n in range(count)
    )
    acts = {act: "p" if act.startswith("a") else "" for act in ACTS}
    anchors = {"p": tuple(range(0, count, 2))}
    return Weave("u", "n.md", True, 0o644, strands=strands, acts=acts, anchors=anchors, next_id=count)


@given(weaves(), st.sets(st.sampled_from(["a1/x", "a2/y"])))
def test_whatever_acts_are_in_force_the_text_is_as_before_less_those_lines(weave: Weave, retired: set[str]) -> None:
    found = unwoven(weave, SCOPE).weave
    assert found is not None
    lines = [line for line in weave.text(retired) if not SCOPE.wanted.lines((line,))]
    assert list(found.text(retired)) == lines
    ids = {strand.id for strand in found.strands}
    assert all(set(tied) <= ids for tied in found.anchors.values())
    assert weave_codec.loads(weave_codec.dumps(found)) == found
    assert unwoven(found, SCOPE).weave is found


def test_the_applies_that_brought_or_took_it_are_told() -> None:
    strands = (Strand(0, GONE, "a1/x/e1", ("outside/1/0",)), Strand(1, b"a\n", "a2/y/e1"))
    weave = Weave("u", "n.md", True, 0o644, strands=strands, acts=dict.fromkeys(ACTS, "p"), next_id=2)
    assert unwoven(weave, SCOPE).deeds == {"a1/x"}


def test_the_weave_of_a_file_that_goes_is_not_kept() -> None:
    weave = Weave(
        "u", "old.md", True, 0o644, acts={"a1/x/e1": "p"}, path_acts=(PathAct("a1/x/e1", PathDeed.RENAME, "n.md"),)
    )
    assert unwoven(weave, Scope(SCOPE.wanted, gone=frozenset({"n.md"}))).weave is None
    assert unwoven(weave, Scope(SCOPE.wanted, gone=frozenset({"old.md"}))).weave is weave
