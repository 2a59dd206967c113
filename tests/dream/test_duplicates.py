from __future__ import annotations

from datetime import date

import pytest

from dreamreview.dream.duplicates import excerpt, groups
from dreamreview.dream.engine import Corpus, Policy
from dreamreview.dream.statements import find
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Kind

RULE = "Coil every rope clockwise on deck as soon as the boat lies still at the quay.\n"
APPLIED = "- When the boat lies at the quay: coil the ropes on deck clockwise, then report `coiled`.\n"
TABLE = (
    "| Sail | Size | Use |\n| --- | --- | --- |\n| Storm jib | 9 m² | gales from 30 kn |\n| Genoa | 40 m² | calm |\n"
)
SENTENCE = "- Always set the storm jib of 9 m² in gales from 30 kn.\n"


def _kinds(files: dict[str, str]) -> list[Kind]:
    documents = {path: parse(path, text.encode()) for path, text in files.items()}
    return [draft.kind for draft in find(Corpus(documents, frozenset(files), date(2026, 9, 15)), Policy())]


def test_groups_need_every_pair_to_agree() -> None:
    assert groups({(0, 1): 0.9, (1, 2): 0.8}) == [(0, 1)]
    assert groups({(0, 1): 0.9, (1, 2): 0.8, (0, 2): 0.7}) == [(0, 1, 2)]


def test_the_surest_pair_comes_first() -> None:
    assert groups({(0, 1): 0.7, (1, 2): 0.9}) == [(1, 2)]


def test_groups_do_not_share_members() -> None:
    assert groups({(0, 1): 0.9, (2, 3): 0.9, (1, 2): 0.8}) == [(0, 1), (2, 3)]


def test_an_excerpt_is_one_short_masked_line() -> None:
    assert excerpt("a\nb") == "a b"
    assert len(excerpt("word " * 40)) <= 60
    assert "a1B2a1B2a1B2" not in excerpt("the token ghp_" + "a1B2" * 9)


@pytest.mark.parametrize(
    "files",
    [
        {"a.md": f"---\nname: ropes\ntype: feedback\n---\n{RULE}\n{APPLIED}"},
        {"a.md": f"# Sails\n\n{TABLE}\n{SENTENCE}"},
        {
            "a.md": "# Ropes\n\n- **Rope indexing**: proper labels for fast finding\n",
            "b.md": "# Charts\n\n- **Chart indexing**: use proper labels for charts found often\n",
        },
    ],
)
def test_what_would_only_be_moved_stays_where_it_is(files: dict[str, str]) -> None:
    assert _kinds(files) == []


def test_what_stands_in_two_files_is_said_once() -> None:
    assert _kinds({"a.md": RULE, "b.md": APPLIED}) == [Kind.MERGE]
    assert _kinds({"a.md": f"# Sails\n\n{TABLE}", "b.md": f"# Sails\n\n{SENTENCE}"}) == [Kind.MERGE]


def test_an_entry_that_is_said_elsewhere_goes_with_the_sign_that_parts_it_from_the_next() -> None:
    entries = f"The whale sings at night.\n§\n{RULE}§\nThe gull sleeps.\n"
    fuller = f"# Ropes\n\n{RULE.replace('rope', 'single rope')}\nKnots are another matter.\n"
    documents = {path: parse(path, text.encode()) for path, text in {"a.md": entries, "b.md": fuller}.items()}
    (draft,) = find(Corpus(documents, frozenset(documents), date(2026, 9, 15)), Policy())
    (gone,) = draft.edits
    assert (gone.path, gone.old) == ("a.md", (RULE.encode(), "§\n".encode()))
