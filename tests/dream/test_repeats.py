from __future__ import annotations

from dreamreview.dream.engine import Draft
from dreamreview.dream.repeats import folded
from dreamreview.model.proposal import Evidence, FileEdit, Kind


def _draft(path: str, text: str, title: str = "t", confidence: float = 0.9) -> Draft:
    return Draft(
        kind=Kind.DATE,
        phase="consolidate",
        title=title,
        reason="r.",
        confidence=confidence,
        evidence=(Evidence(path, 1, 1, text),),
        texts=(text,),
        edits=(FileEdit(id="", path=path, stop=1),),
    )


def test_drafts_over_the_same_text_become_one_with_all_edits() -> None:
    drafts = [_draft("a.md", "x"), _draft("b.md", "y"), _draft("c.md", "x", "u", 0.7)]
    one, other = folded(drafts)
    assert [edit.path for edit in one.edits] == ["a.md", "c.md"]
    assert (one.title, one.confidence) == ("t and 1 more of the same", 0.7)
    assert one.reason == "r. It stands in 2 places."
    assert other == drafts[1]
