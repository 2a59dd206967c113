from __future__ import annotations

import os
from pathlib import Path

import pytest

from dreamreview.model.proposal import LINK_MODE, Act, Kind
from dreamreview.store.importing.patch import from_diffs
from dreamreview.store.importing.values import Suggested
from tests.store.importing.grounds import gone, ground_of, left, made
from tests.workspace.stores import Files

BASE: Files = {
    "a.md": b"one\ntwo\nthree\n",
    "deep/b.md": b"x\n",
    "sp ace.md": b"s\n",
    "out": (b"../elsewhere", LINK_MODE),
    "empty.md": b"",
}
EDIT = b"@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"
EDITED = {"a.md": b"one\nTWO\nthree\n"}


def imported(tmp_path: Path, *diffs: bytes, base: Files = BASE) -> Suggested:
    ground = ground_of(tmp_path / "store", base)
    return from_diffs(ground, [(f"{number}.patch", diff) for number, diff in enumerate(diffs, 1)])


@pytest.mark.parametrize(
    "names",
    [
        b"diff --git a/a.md b/a.md\n--- a/a.md\n+++ b/a.md\n",
        b"diff --git a.md a.md\n--- a.md\n+++ a.md\n",
        b"diff --git i/a.md w/a.md\n--- i/a.md\n+++ w/a.md\n",
        b'diff --git "a/\\141.md" "b/a.md"\n--- "a/\\141.md"\n+++ "b/a.md"\n',
        b"--- a/a.md\n+++ b/a.md\n",
        b"--- a.md\n+++ a.md\n",
        b"--- ./a.md\t2026-01-01 10:00:00\n+++ ./a.md\t2026-01-02 10:00:00\n",
        b"--- a.md.orig\n+++ a.md\n",
        b"--- a.md\n+++ a.md.new\n",
        b"--- old store/a.md\t2026-01-01\n+++ new store/a.md\t2026-01-01\n",
        b"--- /STORE/a.md\n+++ /STORE/a.md\n",
        b"diff --git a/one/mem/a.md b/two/other/mem/a.md\n--- a/one/mem/a.md\n+++ b/two/other/mem/a.md\n",
    ],
)
def test_a_file_is_found_however_the_diff_names_it(tmp_path: Path, names: bytes) -> None:
    found = imported(tmp_path, names.replace(b"/STORE", os.fsencode(tmp_path / "store")) + EDIT)
    assert (left(found), made(found)) == ([], EDITED)


def test_every_edit_is_a_card_with_its_reason_and_its_lines(tmp_path: Path) -> None:
    mail = b"From %s Mon Sep 17 00:00:00 2001\nSubject: [PATCH] Shout\n\n---\n" % (b"0" * 40)
    (change,) = imported(tmp_path, mail + b"diff --git a/a.md b/a.md\n--- a/a.md\n+++ b/a.md\n" + EDIT).changes
    assert (change.kind, change.title, change.reason) == (Kind.EDIT, "Edit a.md line 2", "In 1.patch: Shout.")
    assert [(one.path, one.first, one.last, one.quote) for one in change.evidence] == [("a.md", 2, 2, "two\n")]
    assert change.flags == ()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../up.md", "its path holds an empty part, . or .."),
        ("a/../../up.md", "its path holds an empty part, . or .."),
        ("/etc/up.md", "its path is absolute and leads outside the memory folder"),
        ("out/up.md", "its path leads through the link out"),
        ("a.md/up.md", "its path leads through the file a.md"),
        ("deep", "a folder of that name is there"),
        (".dream-proposals/up.md", "its path leads into the bookkeeping"),
        (".dreamreview/rejected.jsonl", "its path leads into the bookkeeping"),
        ("deep/.git/hooks/post-commit", "its path leads into a repository"),
        ("deep/.DS_Store", "the store leaves it out"),
        ("n" * 300, "its path holds a name longer than 255 bytes"),
    ],
)
def test_a_path_that_no_change_may_touch_is_refused_by_name(tmp_path: Path, name: str, reason: str) -> None:
    new = (
        f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n+x\n"
        if name[0] != "/"
        else f"--- /dev/null\n+++ {name}\n@@ -0,0 +1 @@\n+x\n"
    )
    found = imported(tmp_path, b"--- a/a.md\n+++ b/a.md\n" + EDIT + new.encode())
    assert made(found) == EDITED
    assert [(what, why) for what, _, why in left(found)] == [(name, reason)]


def test_a_file_behind_a_link_is_not_edited(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.md").write_bytes(b"one\ntwo\nthree\n")
    found = imported(tmp_path, b"--- a/out/a.md\n+++ b/out/a.md\n" + EDIT)
    assert (found.changes, left(found)) == (
        (),
        [("out/a.md", "line 1 of 1.patch", "its path leads through the link out")],
    )


def test_hunks_that_do_not_fit_are_named_with_their_place_and_the_rest_comes(tmp_path: Path) -> None:
    diff = (
        b"--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-ONE\n+1\n@@ -3 +3 @@\n-three\n+3\n"
        b"--- a/no.md\n+++ b/no.md\n@@ -1 +1 @@\n-a\n+b\n"
    )
    found = imported(tmp_path, diff)
    assert made(found) == {"a.md": b"one\ntwo\n3\n"}
    assert left(found) == [
        ("a.md", "line 3 of 1.patch", "its old lines do not stand in the file, at line 1 or elsewhere"),
        ("no.md", "line 9 of 1.patch", "the store has no such file"),
    ]


def test_binary_patches_submodules_and_combined_diffs_are_refused_by_name(tmp_path: Path) -> None:
    diff = (
        b"diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n"
        b"diff --git a/sub b/sub\nnew file mode 160000\nindex 000..123\n--- /dev/null\n"
        b"+++ b/sub\n@@ -0,0 +1 @@\n+Subproject commit 1\n"
        b"diff --cc a.md\nindex 1,2..3\n--- a/a.md\n+++ b/a.md\n@@@ -1,1 -1,1 +1,1 @@@\n--x\n++y\n"
    )
    found = imported(tmp_path, diff)
    assert [(what, reason.split(";")[0]) for what, _, reason in left(found)] == [
        ("p.png", "it is a binary patch"),
        ("sub", "it is a submodule (mode 160000)"),
        ("a.md", "it is the combined diff of a merge"),
    ]
    assert found.changes == ()


def test_files_are_made_removed_renamed_copied_and_given_modes(tmp_path: Path) -> None:
    diff = (
        b"diff --git a/n.md b/n.md\nnew file mode 100755\nindex 0000000..1111111\n--- /dev/null\n"
        b"+++ b/n.md\n@@ -0,0 +1 @@\n+new\n"
        b"diff --git a/none.md b/none.md\nnew file mode 100644\nindex 0000000..e69de29\n"
        b"diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n"
        b"@@ -0,0 +1 @@\n+a.md\n\\ No newline at end of file\n"
        b"diff --git a/empty.md b/empty.md\ndeleted file mode 100644\nindex e69de29..0000000\n"
        b"diff --git a/deep/b.md b/c d.md\nsimilarity index 100%\nrename from deep/b.md\nrename to c d.md\n"
        b"diff --git a/sp ace.md b/twin.md\nsimilarity index 90%\ncopy from sp ace.md\ncopy to twin.md\n"
        b"--- a/sp ace.md\t\n+++ b/twin.md\n@@ -1 +1,2 @@\n s\n+t\n"
        b"diff --git a/a.md b/a.md\nold mode 100644\nnew mode 100755\n"
    )
    found = imported(tmp_path, diff)
    assert left(found) == []
    assert made(found) == {
        "n.md": b"new\n",
        "none.md": b"",
        "l": b"a.md",
        "c d.md": b"x\n",
        "twin.md": b"s\nt\n",
        "a.md": b"one\ntwo\nthree\n",
    }
    assert gone(found) == {"empty.md", "deep/b.md"}
    edits = {edit.path: edit for change in found.changes for edit in change.edits}
    assert (edits["deep/b.md"].act, edits["deep/b.md"].to) == (Act.RENAME, "c d.md")
    assert (edits["n.md"].mode, edits["l"].mode, edits["a.md"].mode) == (0o755, LINK_MODE, 0o755)


def test_a_file_is_removed_only_if_it_holds_what_the_diff_takes_away(tmp_path: Path) -> None:
    header = b"diff --git a/a.md b/a.md\ndeleted file mode 100644\n--- a/a.md\n+++ /dev/null\n"
    other = imported(tmp_path, header + b"@@ -1,2 +0,0 @@\n-one\n-two\n")
    assert (other.changes, left(other)[0][2]) == ((), "it holds other lines than the diff takes away")
    same = imported(tmp_path, header + b"@@ -1,3 +0,0 @@\n-one\n-two\n-three\n")
    assert (gone(same), left(same)) == ({"a.md"}, [])


def test_a_new_file_that_is_there_already_is_done_or_refused(tmp_path: Path) -> None:
    new = b"--- /dev/null\n+++ b/deep/b.md\n@@ -0,0 +1 @@\n+%s\n"
    same, other = imported(tmp_path, new % b"x"), imported(tmp_path, new % b"y")
    assert (same.changes, same.done, left(same)) == ((), 1, [])
    assert (other.changes, left(other)[0][2]) == ((), "it should be new, but is there already with another text")


def test_two_files_can_change_places(tmp_path: Path) -> None:
    diff = (
        b"diff --git a/deep/b.md b/sp ace.md\nrename from deep/b.md\nrename to sp ace.md\n"
        b"diff --git a/sp ace.md b/deep/b.md\nrename from sp ace.md\nrename to deep/b.md\n"
    )
    assert made(imported(tmp_path, diff)) == {"sp ace.md": b"x\n", "deep/b.md": b"s\n"}


def test_what_takes_a_name_that_is_not_given_up_is_taken_back(tmp_path: Path) -> None:
    diff = (
        b"diff --git a/deep/b.md b/a.md\nrename from deep/b.md\nrename to a.md\n"
        b"diff --git a/a.md b/a.md\ndeleted file mode 100644\n--- a/a.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-another\n"
    )
    found = imported(tmp_path, diff)
    assert found.changes == ()
    assert [what for what, _, _ in left(found)] == ["a.md", "a.md"]


def test_patches_are_made_one_after_the_other(tmp_path: Path) -> None:
    names = b"--- a/a.md\n+++ b/a.md\n"
    one, two = names + EDIT, names + b"@@ -1,3 +1,4 @@\n one\n-TWO\n+2\n+2.5\n three\n"
    found = imported(tmp_path, one, two)
    assert made(found) == {"a.md": b"one\n2\n2.5\nthree\n"}
    assert {change.reason for change in found.changes} == {"In 1.patch; nobody said why; In 2.patch; nobody said why."}
    assert found.narrative == "Imported from 1.patch, 2.patch."


def test_an_addition_without_context_says_that_its_base_is_unknown(tmp_path: Path) -> None:
    header = b"diff --git a/a.md b/a.md\n%s--- a/a.md\n+++ b/a.md\n@@ -1,0 +2 @@\n+x\n"
    guessed = imported(tmp_path, header % b"")
    assert [change.flags for change in guessed.changes] == [("base-unknown",)]
    known = imported(tmp_path, header % b"index 4cb29ea..1111111 100644\n")
    assert [change.flags for change in known.changes] == [()]
    assert made(known) == made(guessed) == {"a.md": b"one\nx\ntwo\nthree\n"}


def test_what_diff_says_with_dates_of_new_and_removed_files_is_understood(tmp_path: Path) -> None:
    epoch = b"\t1970-01-01 01:00:00.000000000 +0100\n"
    now = b"\t2026-09-01 10:00:00.000000000 +0100\n"
    diff = (
        b"diff -ruN one/deep/b.md two/deep/b.md\n--- one/deep/b.md"
        + now
        + b"+++ two/deep/b.md"
        + epoch
        + b"@@ -1 +0,0 @@\n-x\n"
        b"diff -ruN one/n.md two/n.md\n--- one/n.md" + epoch + b"+++ two/n.md" + now + b"@@ -0,0 +1 @@\n+n\n"
    )
    found = imported(tmp_path, diff)
    assert (made(found), gone(found), left(found)) == ({"n.md": b"n\n"}, {"deep/b.md"}, [])


def test_a_diff_of_the_whole_repository_touches_the_store_alone(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    diff = (
        b"diff --git a/src/a.md b/src/a.md\n--- a/src/a.md\n+++ b/src/a.md\n" + EDIT
        + b"diff --git a/store/a.md b/store/a.md\n--- a/store/a.md\n+++ b/store/a.md\n" + EDIT
    )  # fmt: skip
    found = imported(tmp_path, diff)
    assert made(found) == EDITED
    assert [reason for _, _, reason in left(found)] == ["it lies outside the memory folder"]


def test_a_path_that_changes_between_file_and_folder_is_one_change(tmp_path: Path) -> None:
    diff = (
        b"diff --git a/deep b/deep\nnew file mode 100644\n--- /dev/null\n+++ b/deep\n@@ -0,0 +1 @@\n+d\n"
        b"diff --git a/deep/b.md b/deep/b.md\ndeleted file mode 100644\n--- a/deep/b.md\n"
        b"+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
    )
    found = imported(tmp_path, diff)
    assert (made(found), left(found), len(found.changes)) == ({"deep": b"d\n"}, [], 1)


def test_a_file_that_grows_over_the_limit_is_refused(tmp_path: Path) -> None:
    ground = ground_of(tmp_path / "store", BASE)
    ground.size_limit = 14
    found = from_diffs(ground, [("big.patch", b"--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-one\n+a much longer line\n")])
    assert left(found) == [("a.md", "line 1 of big.patch", "it would be larger than 14 bytes")]


def test_a_link_is_pointed_elsewhere_and_never_followed(tmp_path: Path) -> None:
    hunk = b"@@ -1 +1 @@\n-../elsewhere\n\\ No newline at end of file\n+a.md\n\\ No newline at end of file\n"
    header = b"diff --git a/out b/out\nindex 1234567..89abcde %s\n--- a/out\n+++ b/out\n"
    found = imported(tmp_path, header % b"120000" + hunk)
    assert (made(found), found.changes[0].flags) == ({"out": b"a.md"}, ("link",))
    other = imported(tmp_path, header % b"100644" + hunk)
    assert left(other)[0][2] == "it was a file, and is none in the store"
