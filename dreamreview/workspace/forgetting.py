"""Forgetting: real deletion on request, from the memory and from everything that is kept of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError, StoreError, StoreLockedError, UnsafePathError, UsageError
from dreamreview.model.forgetting.asking import (
    Place,
    Wish,
    scope_of_file,
    scope_of_line,
    telling,
    without_it,
)
from dreamreview.model.forgetting.receipt import Receipt, Removed
from dreamreview.model.forgetting.wanted import Scope, Wanted
from dreamreview.model.pins import pinned_lines
from dreamreview.model.plan import Plan as WritePlan
from dreamreview.model.plan import Target, digest
from dreamreview.model.records import Record
from dreamreview.settings import private_folder
from dreamreview.store import proposals
from dreamreview.store.forgetting import everywhere, request
from dreamreview.store.forgetting.documents import indexes
from dreamreview.store.forgetting.request import Request
from dreamreview.store.history import Entry, History
from dreamreview.store.journal import Journal
from dreamreview.store.lock import Held, hold
from dreamreview.store.opening import open_copy
from dreamreview.store.rooted import Root, shown
from dreamreview.store.scan import check_memory_path
from dreamreview.store.snapshots import looking
from dreamreview.store.transaction import DriftedError, Transaction
from dreamreview.store.working_copy import sweep
from dreamreview.workspace.whereabouts import is_unknown, lines_ever, memory_of, places_left

if TYPE_CHECKING:
    from dreamreview.model.edits import Text
    from dreamreview.store.forgetting.everywhere import Checkpoint
    from dreamreview.workspace.context import Context

UNNAMED = "(a name that holds it)"
"""What a receipt says instead of a name that would tell it."""

LOOK_WAIT = 10.0
"""Seconds that a forgetting waits for a look at the store to end."""

ATTEMPTS = 4
"""How often the memory is read anew when somebody writes to it just then."""


@dataclass(frozen=True, slots=True)
class Planned:
    """What forgetting something comes to; nothing is written yet."""

    receipt: Receipt
    pinned: tuple[str, ...]
    """``PATH:LINE`` of the lines that go though their note is pinned."""
    seen: str
    """Digest of what would be taken out of the memory, and of the files that it stands in."""


class ChangedError(StoreError):
    """The memory is not as it was when it was shown; nothing was forgotten, look again."""


def _no_checkpoint(_step: str) -> None:
    return None


def wish_of(context: Context, place: str | None, match: bytes | None) -> Wish:
    """Return what was asked for; a file whose name ends like a line number is that file.

    Raises:
        UsageError: not just one of the two was given.
    """
    if (place is None) == (match is None):
        raise UsageError("name what to forget: PATH, PATH:LINE, or --match TEXT")
    if place is None:
        return Wish(match=match)
    path, colon, line = place.rpartition(":")
    if not colon or not line.isdecimal() or context.live(place) is not None:
        return Wish(_inside(context, place))
    return Wish(_inside(context, path), int(line))


def _inside(context: Context, path: str) -> str:
    """Return a path inside the folder; one that was named from outside of it is taken for that."""
    whole = os.path.abspath(path)
    if os.path.isabs(path) and whole.startswith(f"{context.root.folder}/"):
        path = os.path.relpath(whole, context.root.folder)
    path = os.path.normpath(path) if path else path
    try:
        check_memory_path(path)
    except UnsafePathError as error:
        raise UsageError(str(error)) from error
    return path


def plan(context: Context, wish: Wish) -> Planned:
    """Work out what forgetting something would remove and where.

    Raises:
        UsageError: there is no such file or line, or nothing was named.
        StoreError: something cannot be read.
    """
    asked, texts = _asked(context, wish, None)
    pinned = []
    for path, text in texts.items():
        left = without_it(asked.scope, asked.place, path, text)
        if left != text:
            gone = range(len(text)) if left is None else _gone(asked, path, text)
            pinned += [f"{path}:{line}" for line in pinned_lines(path, text, gone)]
    return Planned(asked.receipt, tuple(pinned), _seen(asked, texts))


def _seen(asked: Request, texts: Mapping[str, Text]) -> str:
    named = repr(asked.place) + repr(sorted(asked.scope.wanted.phrases)) + repr(asked.scope.wanted.raw)
    touched = {path: text for path, text in texts.items() if without_it(asked.scope, asked.place, path, text) != text}
    held = (f"{path}\0{digest(b''.join(text))}" for path, text in sorted(touched.items()))
    return digest("\0".join((named, *held)).encode("utf-8", "surrogateescape"))


def forget(context: Context, wish: Wish, checkpoint: Checkpoint = _no_checkpoint, seen: str | None = None) -> Receipt:
    """Forget something for good, and return the receipt.

    Once it is begun it is carried out: what a kill or an error cuts off is finished when the folder is opened next.

    Args:
        context: the store.
        wish: what is to be forgotten.
        checkpoint: called before each step.
        seen: `Planned.seen` of what was shown; None trusts the memory as it is.

    Raises:
        ChangedError: it is no longer what was shown.
        UsageError: as for `plan`.
        StoreLockedError: another program holds the store, or looks at it for long.
        StoreError: the system refused something; the message says whether it was begun.
    """
    sweep(private_folder())  # a dream that was killed may have left a copy of it
    with _holding(context) as held:
        asked, texts = _asked(context, wish, _next_id(context.root))
        if seen is not None and seen != _seen(asked, texts):
            raise ChangedError(f"{context.root.folder} was changed since that was shown; nothing was forgotten")
        if asked.receipt.is_empty:
            return replace(asked.receipt, forget=None)
        held.check()
        checkpoint("request")
        request.write(context.root, asked)
        try:
            checkpoint("memory")
            _write_live(context, asked)
        except StoreError:
            if not _has_begun(context, asked):
                request.abandon(context.root)
            raise
        try:
            return _carry_out(context, asked, checkpoint)
        except StoreError as error:
            raise StoreError(f"what is to be forgotten is gone from the memory, the rest follows: {error}") from error


def settle(context: Context) -> tuple[str, ...]:
    """Finish what was begun and cut off; the store is not held. Returns what was done, one sentence each."""
    try:
        with _holding(context):
            return finish(context)
    except DreamReviewError as error:
        return (f"something is still to be forgotten: {error}",)


def finish(context: Context) -> tuple[str, ...]:
    """Do the same with the store held."""
    asked = request.read(context.root)
    if asked is None:
        return ()
    _write_live(context, asked)
    _carry_out(context, asked, _no_checkpoint)
    return (f"finished forgetting {asked.id}, which was cut off",)


@contextmanager
def _holding(context: Context) -> Iterator[Held]:
    with hold(context.root, "forget") as held, looking(context.root, LOOK_WAIT) as is_ours:
        if not is_ours:
            raise StoreLockedError(f"somebody looks at {context.root.folder} for long; try again in a moment")
        yield held


def _next_id(root: Root) -> str:
    numbers = [Journal(root).last()]
    with suppress(DreamReviewError):
        names = (name[1:].partition(".")[0] for name in root.listing(request.FOLDER))
        numbers += [int(number) for number in names if number.isdigit()]
    return f"f{max(numbers) + 1}"


# --- what is asked for -----------------------------------------------------------------------------------


def _asked(context: Context, wish: Wish, name: str | None) -> tuple[Request, dict[str, Text]]:
    """Return a wish as a request, with all that it would remove, and the files of the memory."""
    _open_all(context)
    texts, left = memory_of(context)
    scope, place = _scope(context, wish, texts)
    removed = []
    for path, text in texts.items():
        after = without_it(scope, place, path, text)
        if after != text:
            removed.append(Removed("memory", path, len(text) - len(after or ()) or 1))
    found = everywhere.find(context.root, scope)
    for path in indexes(context.root) if removed or found.removed else ():
        found.add("index", path, 1)
    receipt = Receipt(
        forget=name,
        at=context.instant(),
        removed=(*removed, *found.removed),
        withdrawn=tuple(found.withdrawn),
        cut=tuple(found.cut),
        undo=tuple(found.undo),
        left=tuple(places_left(context, scope, place, texts, left)),
    )
    receipt = _unnamed(receipt, scope)
    return Request(name or "", receipt.at, scope, place, receipt), texts


def _open_all(context: Context) -> None:
    """Hold every copy against its base, so that what is kept of both is as they are."""
    for proposal in proposals.list_ids(context.root):
        with suppress(DreamReviewError):
            open_copy(
                context.root,
                proposal,
                context.scan,
                context.differ,
                ignore=context.settings.ignore,
                size_limit=context.settings.size_limit,
                now=context.now(),
            )


def _scope(context: Context, wish: Wish, texts: Mapping[str, Text]) -> tuple[Scope, Place | None]:
    if wish.match is not None:
        if not wish.match.strip() or b"\n" in wish.match:
            raise UsageError("--match takes some text of one line")
        return Scope(Wanted(raw=(wish.match,))), None
    path, text = wish.path or "", texts.get(wish.path or "")
    if wish.line is None:
        ever = [*telling(text or ()), *lines_ever(context, path)]
        if text is None and not ever:
            raise UsageError(f"there is no file {shown(path)} in {context.root.folder}, and nothing is kept of one")
        stands = "" if text is None else digest(b"".join(text))
        return scope_of_file(texts, path, ever), Place(path, None, 0, stands)
    if text is None or not 1 <= wish.line <= len(text):
        holds = "there is no such file" if text is None else f"it has {len(text)} lines"
        raise UsageError(f"there is no line {wish.line} of {shown(path)}: {holds}; --match forgets what is not there")
    scope = scope_of_line(texts, path, wish.line)
    return scope, Place(path, wish.line, len(scope.wanted.lines(text)), digest(b"".join(text)))


def _unnamed(receipt: Receipt, scope: Scope) -> Receipt:
    """Return a receipt in which no name of a file tells the text itself."""
    return replace(
        receipt,
        removed=tuple(replace(one, path=_named(scope, one.path)) for one in receipt.removed),
        left=tuple(replace(one, path=_named(scope, one.path)) for one in receipt.left),
    )


def _named(scope: Scope, path: str) -> str:
    held = scope.wanted.raw and scope.wanted.count(path.encode("utf-8", "surrogateescape"))
    return UNNAMED if held else path


# --- carrying it out -------------------------------------------------------------------------------------


def _gone(asked: Request, path: str, text: Text) -> list[int]:
    """Return the places of the lines of a file that go, 0-based."""
    line = asked.place.line if asked.place is not None else None
    return [line - 1] if line is not None else sorted(asked.scope.removed(path, text))


def _targets(context: Context, asked: Request) -> list[Target]:
    place, targets = asked.place, []
    for path in _in_memory(context, asked) if place is None else [place.path]:
        live = context.live(path)
        if live is None or live.is_link:
            continue
        after = without_it(asked.scope, place, path, live.text)
        if after == live.text:
            continue
        data = None if after is None else b"".join(after)
        mode = None if after is None else live.mode
        targets.append(Target(path, digest(b"".join(live.text)), live.mode, data, mode))
    return targets


def _in_memory(context: Context, asked: Request) -> tuple[str, ...]:
    """Return the files of the memory.

    Raises:
        StoreError: one cannot be read of which nothing was told that it might stay.
    """
    texts, left = memory_of(context)
    told = {one.path for one in asked.receipt.left}
    for path, reason in left.items():
        if is_unknown(reason) and _named(asked.scope, path) not in told:
            raise StoreError(f"{shown(path)} in {context.root.folder} may hold it, yet {reason}; try again in a moment")
    return tuple(texts)


def _write_live(context: Context, asked: Request) -> None:
    """Take it out of the memory itself, in one transaction of which nothing is kept that holds it."""
    for attempt in range(ATTEMPTS):
        targets = _targets(context, asked)
        if not targets:
            return
        after = {target.path: target.after for target in targets}
        entry = Entry(
            id=asked.id,
            message=f"forget {asked.id}",
            seconds=int(context.now().timestamp()),
            weaves={},
            index=History(context.root).index(),
            before=after,
            after=after,
            modes={target.path: target.after_mode for target in targets if target.after_mode is not None},
        )
        record = Record(asked.id, asked.at, "forget", "")
        try:
            Transaction(context.root).carry_out(record, WritePlan(targets=tuple(targets)), entry)
        except DriftedError:
            if attempt == ATTEMPTS - 1:
                raise
        else:
            return


def _has_begun(context: Context, asked: Request) -> bool:
    """Tell whether the memory was written to already, or may yet be: what is cut off there is finished later."""
    journal = Journal(context.root)
    try:
        return any(record.id == asked.id for record in (*journal.records(), *journal.unfinished()))
    except DreamReviewError:
        return True


def _carry_out(context: Context, asked: Request, checkpoint: Checkpoint) -> Receipt:
    root = context.root
    everywhere.carry_out(root, asked.id, asked.scope, checkpoint)
    checkpoint("look again")
    still = _unnamed(Receipt(None, "", left=tuple(everywhere.left_over(root, asked.scope))), asked.scope).left
    receipt = replace(asked.receipt, left=(*asked.receipt.left, *still))
    everywhere.make_last(root)
    checkpoint("receipt")
    request.close(root, asked, receipt)
    return receipt
