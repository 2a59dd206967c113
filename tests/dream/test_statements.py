from __future__ import annotations

import os
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.statements import find
from dreamreview.model.edits import Edit, compose, render
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Act, FileEdit, Kind

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))


def _corpus(files: dict[str, str]) -> Corpus:
    documents = {path: parse(path, text.encode()) for path, text in sorted(files.items())}
    return Corpus(documents=documents, files=frozenset(files), today=date(2026, 9, 15))


def _find(files: dict[str, str]) -> list[Draft]:
    return list(find(_corpus(files), Policy()))


def _after(files: dict[str, str], edits: tuple[FileEdit, ...]) -> dict[str, str]:
    """Return the files as they stand with every edit made."""
    after = dict(files)
    for path in {edit.path for edit in edits}:
        own = [edit for edit in edits if edit.path == path]
        if any(edit.act is Act.DELETE for edit in own):
            del after[path]
            continue
        lines = parse(path, files[path].encode()).lines
        for edit in own:
            assert lines[edit.start : edit.stop] == edit.old
        after[path] = render(compose(lines, [Edit(e.start, e.stop, e.new) for e in own]), b"\n").decode()
    return after


def _note(body: str, created: str = "2026-01-02", name: str = "A note") -> str:
    return f"---\nname: {name}\ndescription: {name}\ntype: project\ncreated: {created}\n---\n{body}"


def test_a_repeated_bullet_is_said_once() -> None:
    files = {"a.md": "- Run the linter before every commit.\n- Tabs in Go.\n", "b.md": "- Water is wet.\n"}
    files["c.md"] = "# Rules\n\n- Run the linter before every commit.\n- Write tests first.\n"
    (draft,) = _find(files)
    assert (draft.kind, draft.phase) == (Kind.MERGE, "consolidate")
    assert {(item.path, item.first) for item in draft.evidence} == {("a.md", 1), ("c.md", 3)}
    after = "".join(_after(files, draft.edits).values())
    assert after.count("linter") == 1
    assert "Write tests first." in after


def test_what_only_the_other_wording_says_is_added_word_for_word() -> None:
    files = {
        "a.md": "- Run `just taste` before a batch is packed; the queue at the scales is far too long for that.\n",
        "b.md": "- `just taste` runs before each batch is packed, the scales' queue is long. It takes 18 minutes.\n",
    }
    (draft,) = _find(files)
    after = "".join(_after(files, draft.edits).values())
    assert after.count("just taste") == 1
    assert "18 minutes" in after


def test_the_tail_of_a_promoted_line_stays_at_its_end() -> None:
    files = {
        "MEMORY.md": (
            "- The choir tape is cut at -23 LUFS with a true peak of -2 dBTP, bells on the left. "
            "[score=0.86 recalls=6 source=memory/2026-01-02.md:8-8]\n"
        ),
        "b.md": "- Choir tape: -23 LUFS, true peak -2 dBTP. `peakmeter tape.wav` must agree.\n",
    }
    (draft,) = _find(files)
    line = _after(files, draft.edits)["MEMORY.md"]
    assert line.endswith("`peakmeter tape.wav` must agree. [score=0.86 recalls=6 source=memory/2026-01-02.md:8-8]\n")


def test_three_that_all_agree_are_one_merge() -> None:
    files = {f"{name}.md": f"# {name}\n\n- Run the linter before every commit.\n" for name in "abc"}
    (draft,) = _find(files)
    assert len(draft.evidence) == 3


def test_equal_files_become_one_and_links_follow() -> None:
    body = "Deploy on weekday mornings only.\n\n**Why:** nobody answers the phone at night.\n"
    files = {
        "deploy.md": _note(body, "2026-03-01"),
        "deploy_copy.md": _note(body, "2026-01-05"),
        "MEMORY.md": "- [Deploy](deploy.md) — mornings\n- [Copy](deploy_copy.md) — mornings\n",
        "other.md": "Read [the rule](deploy_copy.md#why), [[deploy_copy]] and `deploy_copy.md` first.\n",
    }
    (draft,) = _find(files)
    gone = next(edit.path for edit in draft.edits if edit.act is Act.DELETE)
    keep = ({"deploy.md", "deploy_copy.md"} - {gone}).pop()
    after = _after(files, draft.edits)
    assert gone not in after
    assert "created: 2026-01-05" in after[keep]
    stem = keep.removesuffix(".md")
    assert after["other.md"] == f"Read [the rule]({keep}#why), [[{stem}]] and `{keep}` first.\n"
    assert after["MEMORY.md"].count("\n") == 1
    assert keep in after["MEMORY.md"]


def test_a_file_that_makes_the_point_of_another_is_folded_into_it() -> None:
    files = {
        "baking_day.md": _note(
            "We bake on Fridays, finished before 06:30 Bergen time.\n\n**Why:** `shop-bell` rings at seven.\n"
        ),
        "window.md": _note(
            "The bread leaves on Friday morning and must be baked by 06:30 Bergen.\n\n- Dough rests on Thursday.\n"
            "- Nobody bakes in week 31 of a year.\n",
            name="Window",
        ),
    }
    (draft,) = _find(files)
    after = _after(files, draft.edits)
    assert list(after) == ["window.md"]
    assert "**Why:** `shop-bell` rings at seven." in after["window.md"]
    assert "Fridays" not in after["window.md"]


def test_two_sittings_are_two_notes() -> None:
    text = _note("Stopped at the parser; next are the tests of it.\n").replace("type: project", "type: session_state")
    assert _find({"a.md": text, "b.md": text.replace("2026-01-02", "2026-01-09")}) == []


def test_notes_that_say_the_reverse_of_one_another_are_not_made_one() -> None:
    rest = "- Mara wants short commit messages.\n- Mara reads reviews before ten.\n"
    one = _note(f"- Mara prefers tabs over spaces in the build files.\n{rest}", name="How Mara works")
    other = _note(f"- Mara prefers spaces over tabs in the build files.\n{rest}", name="How Mara works")
    drafts = _find({"mara.md": one, "mara_2.md": other})
    assert [draft for draft in drafts if draft.detector == "twin_files"] == []
    taken = {line for draft in drafts for edit in draft.edits for line in edit.old}
    assert not any(b"prefers" in line for line in taken)


def test_mirrors_in_two_folders_are_left_alone() -> None:
    text = _note("Deploy on weekday mornings only.\n")
    assert [draft for draft in _find({"x/a.md": text, "y/a.md": text}) if draft.detector == "twin_files"] == []


def test_a_note_with_a_secret_is_never_merged() -> None:
    line = f"- The token of the upload bot is ghp_{'a1B2' * 9}\n"
    assert _find({"a.md": line, "b.md": f"# X\n\n{line}"}) == []


def test_a_conflict_offers_both_sides_and_suggests_the_later_word() -> None:
    files = {
        "a.md": "- The upload limit is 10 MB.\n- Water is wet.\n",
        "b.md": "- Since 2026-03-02 the upload limit is 25 MB.\n",
    }
    (draft,) = _find(files)
    assert (draft.kind, draft.edits, draft.suggested) == (Kind.CONFLICT, (), "B")
    one, other = draft.options
    assert [item.path for item in one.evidence] == ["a.md"]
    assert [item.path for item in other.evidence] == ["b.md"]
    assert _after(files, other.edits)["a.md"] == "- The upload limit is 25 MB.\n- Water is wet.\n"
    assert _after(files, one.edits)["b.md"] == ""


def test_the_title_of_a_conflict_shows_where_its_sides_differ() -> None:
    told = "- The relay station on the northern mole of the harbour listens for weather pings on port"
    (draft,) = _find({"a.md": f"# Relay\n\n{told} 9443.\n", "b.md": f"# Mole\n\n{told} 8443.\n"})
    assert draft.title == "Which holds? …of the harbour listens for weather pings on port 9443."


def test_nothing_is_suggested_where_nothing_tells() -> None:
    (draft,) = _find({"a.md": "- Marta owns the bakery keys.\n", "b.md": "- Ben owns the bakery keys.\n"})
    assert (draft.kind, draft.suggested) == (Kind.CONFLICT, None)


def test_a_safety_fact_is_not_weakened_by_a_later_remark() -> None:
    files = {
        "people.md": "- Tom has a severe peanut allergy.\n",
        "memory/2026-08-16.md": "- Tom took a spoon of peanut butter today, so peanuts seem harmless to Tom.\n",
    }
    (draft,) = _find(files)
    suggested = next(option for option in draft.options if option.key == draft.suggested)
    assert [item.path for item in suggested.evidence] == ["people.md"]


def test_a_daily_note_is_never_edited() -> None:
    files = {
        "boats.md": "- Marta rows in the Heron 7, in front.\n",
        "memory/2026-08-20.md": "- Marta rows in the Otter from now on, the Heron 7 leaks.\n",
        "x.md": "The Otter and the Heron are boats of Marta.\n",
    }
    for draft in _find(files):
        edits = [*draft.edits, *(edit for option in draft.options for edit in option.edits)]
        assert all(not edit.path.startswith("memory/") for edit in edits)


def test_a_carried_out_plan_is_offered_for_removal() -> None:
    files = {"a.md": "- Plan to use Redis for the session cache.\n- Redis is on for the session cache.\n"}
    (draft,) = _find(files)
    assert draft.kind is Kind.SUPERSEDE
    assert _after(files, draft.edits)["a.md"] == "- Redis is on for the session cache.\n"


def test_an_index_line_that_drifted_from_its_file_is_a_conflict() -> None:
    files = {
        "MEMORY.md": "- [Loans](loans.md) — no fee, books are lent for 14 days\n",
        "loans.md": "# Loans\n\n- Books are lent for 30 days; later ones cost a coin.\n",
    }
    (draft,) = _find(files)
    assert (draft.kind, draft.suggested) == (Kind.CONFLICT, "B")
    other = draft.options[1]
    assert "lent for 30 days" in _after(files, other.edits)["MEMORY.md"]


def test_an_index_line_that_says_what_its_file_says_is_left_alone() -> None:
    files = {
        "MEMORY.md": "- [Loans](loans.md) — books are lent for 30 days\n",
        "loans.md": "# Loans\n\n- Books are lent for 30 days; later ones cost a coin.\n",
    }
    assert _find(files) == []


@settings(max_examples=max(15, int(60 * SCALE)), deadline=None)
@given(
    st.lists(
        st.sampled_from(["a b c d e.", "A runs 5 days.", "A runs 6 days.", "no a b c d e.", "- x", ""]), max_size=8
    )
)
def test_every_edit_fits_the_lines_it_names(lines: list[str]) -> None:
    files = {"a.md": "".join(f"- {line}\n" for line in lines), "b.md": "".join(f"{line}\n\n" for line in lines)}
    for draft in _find(files):
        _after(files, draft.edits)
        for option in draft.options:
            _after(files, option.edits)


def test_what_somebody_said_is_taken_out_and_never_put_into_other_words() -> None:
    files = {
        "rules.md": "- Safety: the oil may be heated to 170 °C.\n",
        "talks.md": "- A cook finds that heating the oil to 190 °C has been fine so far.\n- More.\n",
    }
    (draft,) = _find(files)
    keep = next(option for option in draft.options if option.evidence[0].path == "rules.md")
    assert _after(files, keep.edits)["talks.md"] == "- More.\n"
    assert draft.suggested == keep.key
