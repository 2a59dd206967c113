"""Review and live folder in, the exact bytes to write out, with the digest expected at each path."""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dreamreview.model.edits import Differ, Text, close, render, terminator_of
from dreamreview.model.placing import place
from dreamreview.model.proposal import Act, FileEdit, squeeze
from dreamreview.model.undo_clashes import undo_clash
from dreamreview.model.weave import Weave, act_key, begin
from dreamreview.model.weaving import anchor, observe

if TYPE_CHECKING:
    from dreamreview.model.files import FileState
    from dreamreview.model.review import Chosen


@dataclass(frozen=True, slots=True)
class Target:
    """What one path has to become, and what has to stand there when that happens."""

    path: str
    before: str | None
    """sha256 of the bytes expected there, None where nothing may be."""
    before_mode: int | None
    after: bytes | None
    """None where the path goes."""
    after_mode: int | None


@dataclass(frozen=True, slots=True)
class Clash:
    """A change that no longer fits, with both texts."""

    change: str
    path: str
    reason: str
    base: str
    """What the change was about."""
    live: str
    """What stands there now."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The world as a plan sees it."""

    live: Callable[[str], FileState | None]
    base: Callable[[str], FileState | None]
    """The proposal's base; unused when undoing."""
    names: Callable[[], frozenset[str]]
    """Every path of the live store, for acts that claim a name."""
    differ: Differ
    retired: frozenset[str]
    """Acts undone so far, as ``APPLY/CHANGE``."""
    weaves: Mapping[str, Weave]
    """Weaves of the paths concerned: by their name now for an apply, by uid for an undo."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an apply or an undo is about to do."""

    targets: tuple[Target, ...] = ()
    weaves: Mapping[str, Weave] = field(default_factory=dict)
    """Woven histories as they will be, by uid."""
    applied: Mapping[str, tuple[Chosen, ...]] = field(default_factory=dict)
    """Change to the units carried out (or found done)."""
    clashes: tuple[Clash, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    kept: tuple[str, ...] = ()
    """Paths whose deletion was accepted in part, so that what was kept keeps the file."""
    retired: frozenset[str] = frozenset()
    """Acts retired once it is done."""


def digest(data: bytes) -> str:
    """Return the lower-case hex sha256 of bytes."""
    return hashlib.sha256(data).hexdigest()


def excerpt(text: Iterable[bytes]) -> str:
    """Return lines as text for reading; undecodable bytes as U+FFFD."""
    return b"".join(close(line, b"\n") for line in text).decode("utf-8", "replace").removesuffix("\n")


@dataclass(slots=True)
class _Bench:
    """Weaves on the bench: each path's history with the live text observed, under the handle it was asked for."""

    ground: Ground
    apply: str = ""
    proposal: str = ""
    woven: dict[str, Weave] = field(default_factory=dict)
    stood: dict[str, tuple[str, FileState | None]] = field(default_factory=dict)
    """Handle to the path before this plan and what stood there."""

    def weave(self, handle: str) -> Weave:
        """Return a weave (by base path for an apply, by uid for an undo), observed and anchored."""
        if handle not in self.woven:
            self.woven[handle] = self._start(handle)
        return self.woven[handle]

    def _start(self, handle: str) -> Weave:
        ground = self.ground
        base = ground.base(handle) if self.proposal else None
        weave = ground.weaves.get(handle)
        if weave is None:
            text = base.text if base else None
            uid = f"{self.apply}:{handle}"
            weave = begin(uid, handle, text, base.mode if base else 0o644, terminator_of(text or ()))
        live = self.live(weave)
        self.stood[handle] = (weave.path(ground.retired), live)
        weave = observe(weave, ground.retired, live.text if live else None, live.mode if live else None, ground.differ)
        if self.proposal:
            weave = anchor(weave, ground.retired, self.proposal, base.text if base else (), ground.differ)
        return weave

    def live(self, weave: Weave) -> FileState | None:
        """Return what stands at a weave's path; nothing where that name is another weave's by now."""
        retired = self.ground.retired
        path = weave.path(retired)
        if not weave.exists(retired):
            others = (other for other in self.ground.weaves.values() if other.uid != weave.uid)
            if any(other.path(retired) == path and other.exists(retired) for other in others):
                return None
        return self.ground.live(path)


def plan_apply(apply: str, proposal: str, accepted: Mapping[str, tuple[Chosen, ...]], ground: Ground) -> Plan:
    """Work out what carrying out accepted changes means for the live folder as it stands.

    A change is carried out whole or, where any of its edits clashes, not at all.

    Args:
        apply: id of the apply that will carry the plan out.
        proposal: id of the proposal.
        accepted: change to its accepted units that no earlier apply carried out.
        ground: the live folder, the base and the history.
    """
    bench = _Bench(ground, apply, proposal)
    names = _Names(ground)
    applied: dict[str, tuple[Chosen, ...]] = {}
    clashes: list[Clash] = []
    kept: list[str] = []
    for change, chosen in accepted.items():
        clash = _try_change(bench, names, apply, change, chosen)
        if clash:
            clashes.append(clash)
            continue
        applied[change] = chosen
        kept += [
            one.edit.path
            for one in chosen
            if one.edit.act is Act.DELETE and bench.woven[one.edit.path].exists(ground.retired)
        ]
    return _finish(bench, ground.retired, Plan(applied=applied, clashes=tuple(clashes), kept=tuple(kept)))


def _try_change(bench: _Bench, names: _Names, apply: str, change: str, chosen: tuple[Chosen, ...]) -> Clash | None:
    """Place every edit of a change on the bench; on a clash put the bench back as it was."""
    paths = {one.edit.path for one in chosen}
    before, claimed = {path: bench.woven[path] for path in paths & bench.woven.keys()}, names.copy()
    for one in chosen:
        edit = one.edit
        weave = bench.weave(edit.path)
        live = bench.ground.live(edit.path)
        reason = _kind_clash(bench, edit, live)
        if reason is None:
            placed = place(weave, bench.ground.retired, bench.proposal, one, act_key(apply, change, edit.id))
            is_there = edit.act is Act.CREATE and weave.exists(bench.ground.retired)
            reason = placed.clash or (None if placed.is_done or is_there else names.claim(edit))
            bench.woven[edit.path] = placed.weave
        if reason:
            bench.woven.update(before)
            for path in paths - before.keys():
                bench.woven.pop(path, None)
            names.restore(claimed)
            there = live.text if live else ()
            return Clash(change, edit.path, reason, excerpt(edit.old), excerpt(_around(there, edit)))
    return None


def _kind_clash(bench: _Bench, edit: FileEdit, live: FileState | None) -> str | None:
    base = bench.ground.base(edit.path)
    if live and base and live.is_link != base.is_link and edit.act is not Act.CREATE:
        return "a link and a file changed places meanwhile"
    return None


def _around(live: Text, edit: FileEdit) -> Text:
    """Return what stands where an edit would go, give or take a line, for a person to compare."""
    if edit.act is not Act.LINES:
        return live[:200]
    return live[max(edit.start - 1, 0) : max(edit.stop, edit.start + 1) + 1]


def _near(weave: Weave, retired: frozenset[str], live: Text, deed: str) -> Text:
    """Return what stands where an act wrote or took lines, and the lines around; all of it where it did neither."""
    strands = enumerate(weave.strands)
    own = [at for at, one in strands if any(act.startswith(f"{deed}/") for act in (one.born, *one.killed))]
    if not own:
        return live[:200]
    visible = weave.visible(retired)
    first, last = bisect_left(visible, own[0]), bisect_right(visible, own[-1])
    return live[max(first - 1, 0) : last + 2][:200]


@dataclass(slots=True)
class _Names:
    """The names of the store as a plan changes them, so that no act takes a name that is in use."""

    ground: Ground
    gone: set[str] = field(default_factory=set)
    added: set[str] = field(default_factory=set)

    def copy(self) -> tuple[set[str], set[str]]:
        return set(self.gone), set(self.added)

    def restore(self, state: tuple[set[str], set[str]]) -> None:
        self.gone, self.added = state

    def claim(self, edit: FileEdit) -> str | None:
        """Note what an edit does to names; say so where the name it wants is taken."""
        if edit.act is Act.DELETE:
            self.gone.add(edit.path)
            self.added.discard(edit.path)
        wanted = edit.to if edit.act is Act.RENAME else edit.path if edit.act is Act.CREATE else None
        if wanted is None:
            return None
        if edit.act is Act.RENAME:
            self.gone.add(edit.path)
        return self.take(wanted)

    def take(self, wanted: str) -> str | None:
        """Claim a name, or say what stands in its way."""
        names = (self.ground.names() - self.gone) | self.added
        parts = wanted.split("/")
        above = {"/".join(parts[:count]) for count in range(1, len(parts))}
        if wanted in names:
            return f"{wanted} is there already"
        if above & names:
            return f"{min(above & names)} is a file, so nothing can stand below it"
        if any(name.startswith(f"{wanted}/") for name in names):
            return f"{wanted} is a folder"
        self.added.add(wanted)
        return None


def plan_undo(deeds: Iterable[str], touched: Mapping[str, tuple[str, ...]], ground: Ground) -> Plan:
    """Work out what taking acts back means for the live folder as it stands; what others wrote since stays.

    Args:
        deeds: ``APPLY/CHANGE`` keys to take back.
        touched: each of them to the uids of the weaves that it wrote to.
        ground: the live folder and the history.
    """
    bench = _Bench(ground)
    undone = frozenset(deed for deed in deeds if deed not in ground.retired)
    for uid in {uid for deed in undone for uid in touched[deed]}:
        bench.weave(uid)
    clashes: dict[str, Clash] = {}
    while True:
        found = _undo_clashes(bench, undone - clashes.keys(), touched)
        if not found:
            break
        clashes |= found
    deeds = undone - clashes.keys()
    return _finish(bench, ground.retired | deeds, Plan(clashes=tuple(clashes.values()), retired=ground.retired | deeds))


def _undo_clashes(bench: _Bench, deeds: frozenset[str], touched: Mapping[str, tuple[str, ...]]) -> dict[str, Clash]:
    found: dict[str, Clash] = {}
    retired = bench.ground.retired
    for deed in sorted(deeds):
        for uid in touched[deed]:
            weave = bench.weave(uid)
            reason = undo_clash(weave, retired, deeds, deed) or _name_clash(bench, weave, retired | deeds)
            if reason:
                path, live = bench.stood[uid]
                ours = [strand.line for strand in weave.strands if strand.born.startswith(f"{deed}/")]
                there = _near(weave, retired, live.text, deed) if live else ()
                found[deed] = Clash(deed.partition("/")[2], path, reason, excerpt(ours), excerpt(there))
                break
    return found


def _name_clash(bench: _Bench, weave: Weave, after: frozenset[str]) -> str | None:
    """Say so where a path would come back under a name that somebody else uses now."""
    path, name = weave.path(bench.ground.retired), weave.path(after)
    is_back = not weave.exists(bench.ground.retired) and weave.exists(after)
    if name == path and not is_back:
        return None
    going = {other.path(bench.ground.retired) for other in bench.woven.values() if not other.exists(after)}
    moving = {one.path(bench.ground.retired) for one in bench.woven.values() if one.path(after) != name}
    own: set[str] = {path} if weave.exists(bench.ground.retired) else set()
    return _Names(bench.ground, gone=own | going | moving).take(name)


def _finish(bench: _Bench, retired: frozenset[str], plan: Plan) -> Plan:
    """Turn the weaves on the bench into targets."""
    targets: list[Target] = []
    renamed: list[tuple[str, str]] = []
    for handle, weave in bench.woven.items():
        (path, live), name = bench.stood[handle], weave.path(retired)
        after = render(weave.text(retired), weave.terminator) if weave.exists(retired) else None
        mode = weave.mode_now(retired) if after is not None else None
        stood = b"".join(live.text) if live else None
        before = digest(stood) if stood is not None else None
        if name != path:
            renamed.append((path, name))
            targets.append(Target(path, before, live.mode if live else None, None, None))
            targets.append(Target(name, None, None, after, mode))
        elif after is None and live is None:
            continue
        elif live is None or after is None or (after, mode) != (stood, live.mode):
            targets.append(Target(path, before, live.mode if live else None, after, mode))
    weaves = {weave.uid: weave for weave in bench.woven.values() if weave.acts}
    return replace(
        plan, targets=tuple(_clear(targets)), weaves=weaves, renamed=tuple(renamed), retired=plan.retired or retired
    )


def _clear(targets: list[Target]) -> list[Target]:
    """Join a path that goes and comes into one target, and put what comes before what goes, so that nothing is ever
    nowhere; only what stands in the way of a name goes first.
    """
    by_path: dict[str, Target] = {}
    for target in targets:
        other = by_path.get(target.path)
        if other is None:
            by_path[target.path] = target
        elif target.after is None:
            by_path[target.path] = replace(other, before=target.before, before_mode=target.before_mode)
        else:
            by_path[target.path] = replace(other, after=target.after, after_mode=target.after_mode)
    written = [path for path, target in by_path.items() if target.after is not None]
    above = {"/".join(path.split("/")[:depth]) for path in written for depth in range(1, path.count("/") + 1)}
    below = tuple(f"{path}/" for path in written)
    twins = {squeeze(path) for path in written}

    def turn(target: Target) -> tuple[int, str]:
        if target.after is not None:
            return 1, target.path
        # Some file systems take names that differ in case or accent form alone for one.
        is_twin = squeeze(target.path) in twins
        is_in_the_way = is_twin or target.path in above or target.path.startswith(below)
        return 0 if is_in_the_way else 2, target.path

    return sorted(by_path.values(), key=turn)
