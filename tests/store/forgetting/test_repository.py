"""A repository made again: every reference, every commit, and no object of before."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from dreamreview.store.forgetting import repository
from dreamreview.store.git import run
from dreamreview.store.rooted import Root

HELD = b"one quince\n"


def without(name: str, data: bytes, is_link: bool) -> bytes | None:
    if name == "files/gone.md":
        return None
    return None if is_link and b"quince" in data else data.replace(HELD, b"")


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A bare repository with two branches that meet, a reference of another kind, a link, and loose ends."""
    git_dir = tmp_path / "own" / "deep.git"
    run(["init", "--quiet", "--bare", "--initial-branch=main", str(git_dir)], cwd=str(tmp_path))
    who = b"committer x <x@y> 1700000000 +0100\n"
    stream = b"".join(
        [
            b"blob\nmark :1\ndata 15\none quince\nend\n\n",
            b"blob\nmark :2\ndata 4\nkept\n",
            b"blob\nmark :3\ndata 9\nto quince\n",
            b"commit refs/heads/main\nmark :4\n" + who + b"data 5\nfirst\n",
            b'M 100755 :1 files/a.md\nM 100644 :2 "files/b \\"q\\".md"\n',
            b"M 120000 :3 files/l\nM 100644 :2 files/gone.md\n",
            b"commit refs/heads/other\nmark :5\n" + who + b"data 5\nother\nfrom :4\nM 100644 :1 files/sub/c.md\n",
            b"commit refs/heads/main\nmark :6\n" + who + b"data 5\nmerge\nfrom :4\nmerge :5\nM 100644 :1 before/d.md\n",
            b"commit refs/odd/name\nmark :7\n" + who + b"data 4\nodd\n\nM 100644 :2 files/b.md\n",
            b"commit refs/heads/lost\nmark :8\n" + who + b"data 4\nlost\nM 100644 :1 files/lost.md\n",
        ]
    )
    run(["fast-import", "--quiet", "--force"], git_dir=str(git_dir), data=stream)
    run(["update-ref", "-d", "refs/heads/lost"], git_dir=str(git_dir))
    (git_dir / "fast_import_crash_77").write_text("one quince")
    return git_dir


def everything(git_dir: Path) -> bytes:
    command = ["git", f"--git-dir={git_dir}", "cat-file", "--batch-all-objects", "--batch"]
    return subprocess.run(command, capture_output=True, check=True).stdout


def listing(git_dir: Path, ref: str) -> list[str]:
    out = run(["ls-tree", "-r", "--format=%(objectmode) %(path)", ref], git_dir=str(git_dir))
    return out.decode().splitlines()


def test_every_reference_is_made_again_and_nothing_of_before_is_left(made: Path, tmp_path: Path) -> None:
    root = Root(tmp_path)
    assert repository.repositories(root, "own") == ("own/deep.git",)
    assert repository.find(root, "own/deep.git", without).objects == 3
    told: list[dict[str, str]] = []
    odd = run(["rev-parse", "refs/odd/name"], git_dir=str(made))
    tip = run(["rev-parse", "refs/heads/main"], git_dir=str(made)).decode().strip()
    done = repository.carry_out(root, "own/deep.git", without, lambda commits: told.append(dict(commits)))
    assert told == [done.commits]
    assert done.commits[tip] == run(["rev-parse", "refs/heads/main"], git_dir=str(made)).decode().strip()
    assert b"quince" not in everything(made)
    assert not list(made.glob("fast_import_crash_*"))
    assert run(["rev-parse", "refs/odd/name"], git_dir=str(made)) == odd
    assert listing(made, "refs/heads/main") == [
        "100644 before/d.md",
        "100755 files/a.md",
        '100644 "files/b \\"q\\".md"',
    ]
    assert listing(made, "refs/heads/other")[-1] == "100644 files/sub/c.md"
    parents = run(["log", "-1", "--format=%P|%an <%ae> %at %B", "refs/heads/main"], git_dir=str(made)).decode()
    first, _, rest = parents.partition("|")
    assert len(first.split()) == 2
    assert rest.split("\n")[0] == "x <x@y> 1700000000 merge"
    run(["fsck", "--strict", "--full"], git_dir=str(made))
    refs = run(["for-each-ref", "--format=%(refname)"], git_dir=str(made)).decode().split()
    assert refs == ["refs/heads/main", "refs/heads/other", "refs/odd/name"]


def test_doing_it_again_changes_nothing(made: Path, tmp_path: Path) -> None:
    root = Root(tmp_path)
    repository.carry_out(root, "own/deep.git", without, lambda _: None)
    before = everything(made)
    assert repository.carry_out(root, "own/deep.git", without, lambda _: None).commits == {}
    assert everything(made) == before


def test_cut_off_before_its_references_moved_it_comes_to_the_same_when_done_again(made: Path, tmp_path: Path) -> None:
    root, told = Root(tmp_path), []

    class Cut(Exception):  # noqa: N818 - stands for a kill
        pass

    def cut(commits: object) -> None:
        told.append(commits)
        raise Cut

    with pytest.raises(Cut):
        repository.carry_out(root, "own/deep.git", without, cut)
    assert b"quince" in everything(made)
    done = repository.carry_out(root, "own/deep.git", without, lambda _: None)
    assert told == [done.commits]
    assert b"quince" not in everything(made)


def test_what_killed_programs_left_keeps_nothing(made: Path, tmp_path: Path) -> None:
    (made / "packed-refs.lock").touch()
    (made / "refs" / "heads" / "main.lock").touch()
    run(["repack", "-a", "-d", "-q"], git_dir=str(made))
    for pack in (made / "objects" / "pack").glob("*.pack"):
        pack.with_suffix(".keep").write_text("fast-import")
    (made / "objects" / "pack" / "tmp_pack_x").write_bytes(HELD)
    repository.carry_out(Root(tmp_path), "own/deep.git", without, lambda _: None)
    assert b"quince" not in everything(made)
    assert not [path for path in made.rglob("*") if path.is_file() and b"quince" in path.read_bytes()]
