"""One step of the benchmark in a process of its own; prints the seconds it took.

What was written to get ready is on the disk before a step that writes begins: it would be waited for with the rest.
"""

from __future__ import annotations

import os
import sys
import time
from importlib import import_module
from pathlib import Path

import git

from dreamreview.model.edits import split_lines
from dreamreview.model.files import FileState
from dreamreview.model.proposal import Base, Change, FileEdit, Kind, Proposal
from dreamreview.model.review import Op
from dreamreview.store import proposals
from dreamreview.store.rooted import Root
from dreamreview.store.scan import scan
from dreamreview.workspace import Decision, Workspace

STAMP = "20260901T000000000"


def open_review(folder: Path) -> float:
    """Open the bare proposal and count its states, live folder included."""
    workspace = Workspace(folder)
    begun = time.perf_counter()
    counts = workspace.open(STAMP).counts
    seconds = time.perf_counter() - begun
    assert counts.changes > 0
    return seconds


def git_diff(folder: Path) -> float:
    """Compare the same two trees with git, through the same library."""
    link = folder.parent / "pair"
    link.mkdir(exist_ok=True)
    for name, target in (("a", folder / "plain"), ("b", folder / ".dream-proposals" / STAMP)):
        (link / name).unlink(missing_ok=True)
        (link / name).symlink_to(target)
    plain = folder / "plain"
    plain.mkdir()
    topics = sorted(path for path in folder.iterdir() if path.name.startswith("topic"))
    for topic in topics:
        topic.rename(plain / topic.name)
    command = ["git", "diff", "--no-index", "-U0", "--no-prefix", "a/", "b/"]
    runner = git.Git(str(link))
    seconds = []
    for _ in range(2):
        begun = time.perf_counter()
        runner.execute(command, with_extended_output=True, with_exceptions=False, stdout_as_string=False)
        seconds.append(time.perf_counter() - begun)
    for topic in topics:
        (plain / topic.name).rename(topic)
    plain.rmdir()
    return min(seconds)


def apply_all(folder: Path) -> float:
    """Accept every change but one and apply them; with one left the copy stays, whose removal is no part of this.

    Like the opens it is timed with imports done.
    """
    for name in ("dreamreview.workspace.writing", "concurrent.futures.thread", "filelock"):
        import_module(name)
    workspace = Workspace(folder)
    review = workspace.open(STAMP)
    review.decide_all([Decision(Op.ACCEPT, change.id) for change in review.proposal.changes[1:]])
    os.sync()
    begun = time.perf_counter()
    result = workspace.apply(STAMP)
    seconds = time.perf_counter() - begun
    assert result.apply is not None
    assert not result.stale
    return seconds


def copy_and_sync(folder: Path) -> float:
    """Write as many files of the same size next to their originals and fsync each."""
    paths = sorted(folder.glob("topic*/*.md"))
    chosen = paths[: len(paths) // 20]
    os.sync()
    begun = time.perf_counter()
    for path in chosen:
        twin = path.with_suffix(".twin")
        data = path.read_bytes()
        fd = os.open(twin, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.write(fd, data)
        os.fsync(fd)
        os.close(fd)
    seconds = time.perf_counter() - begun
    aside = folder.with_name(f"{folder.name}-twins")
    aside.mkdir()
    for number, path in enumerate(chosen):
        path.with_suffix(".twin").rename(aside / str(number))
    return seconds


def propose(folder: Path) -> float:
    """Publish a proposal with one change in each of 5 % of the files."""
    root = Root(folder)
    live = scan(root)
    chosen = sorted(live.entries)[::20]
    changes, changed, base = [], {}, {}
    for number, path in enumerate(chosen):
        text = split_lines(root.read(path))
        new = (b"- this line was changed by the dream.\n",)
        edit = FileEdit(id="e1", path=path, start=10, stop=11, old=text[10:11], new=new)
        name = f"c{number}"
        changes.append(Change(name, Kind.REWRITE, "Rewrite a line", "", 0.9, name * 8, edits=(edit,)))
        changed[path] = (b"".join((*text[:10], *new, *text[11:])), live.entries[path].mode)
        base[path] = FileState(text, live.entries[path].mode)
    at = "2026-09-01T00:00:00Z"
    proposal = Proposal("20260902T000000000", at, Base("declared", "", at), tuple(changes))
    os.sync()
    begun = time.perf_counter()
    proposals.publish(root, proposal, changed, live, base)
    return time.perf_counter() - begun


STEPS = {
    "open": open_review,
    "git-diff": git_diff,
    "apply": apply_all,
    "copy-and-sync": copy_and_sync,
    "propose": propose,
}

if __name__ == "__main__":
    print(f"{STEPS[sys.argv[1]](Path(sys.argv[2])):.6f}")
