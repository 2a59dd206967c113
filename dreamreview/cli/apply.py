"""`dreamreview apply`: write what was accepted, after showing what that is."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import as_json, named_folder, proposal_argument
from dreamreview.cli.hints import command
from dreamreview.cli.opening import open_review, open_store
from dreamreview.cli.report import fidelity_lines, totals
from dreamreview.cli.written import IN_PART, NOTHING, effects, exit_status, is_empty, shape, there_shape, there_told
from dreamreview.errors import DreamReviewError, UsageError

if TYPE_CHECKING:
    from dreamreview.workspace import ApplyResult, OpenReview, Workspace


@click.command(short_help="Write what was accepted; asks first.")
@named_folder
@proposal_argument
@click.option("--dry-run", "is_dry", is_flag=True, help="Say what would be written, and write nothing.")
@click.option("--yes", "is_sure", is_flag=True, help="Write without asking.")
@as_json
def apply(folder: str, proposal: str | None, is_dry: bool, is_sure: bool, is_json: bool) -> int:
    """Write what was accepted in PROPOSAL to FOLDER, in one transaction that `undo` takes back.

    What is undecided stays undecided. Ends 4 when some of it no longer fits the live folder.
    """
    workspace = open_store(folder)
    review = open_review(workspace, proposal)
    if review is None:
        return _nothing_ready(workspace, folder, is_dry=is_dry, is_json=is_json)
    if is_sure and not is_dry:
        result: ApplyResult | None = workspace.apply(review.proposal.id)
    else:
        plan = workspace.apply(review.proposal.id, dry_run=True)
        if not (is_dry or is_empty(plan) or output.is_terminal()):
            raise UsageError("apply writes only after a yes: give --yes, or run it on a terminal")
        result = plan if is_dry else _asked(workspace, review, plan)
    if result is None:
        output.note("nothing was written")
        return 0
    if not is_dry and is_empty(result) and result.there is None:
        result = replace(result, there=workspace.give_back())
    elsewhere = _waiting_elsewhere(workspace, review) if proposal is None and is_empty(result) else ""
    if is_json:
        output.document(shape(result))
        if elsewhere:
            output.note(f"nothing of {review.proposal.id}, the newest, was to be written; {elsewhere}")
    else:
        first, *rest = _told(workspace, review, result)
        output.say_all(["; ".join(filter(None, (first, elsewhere))), *rest])
    return exit_status(result)


def _waiting_elsewhere(workspace: Workspace, review: OpenReview) -> str:
    """Return which older proposal holds decisions that an apply would carry out, and how to do so; or nothing."""
    for line in workspace.proposals():
        is_decided = line.status == "ready" and not line.problem and line.counts.undecided < line.counts.changes
        if is_decided and line.id != review.proposal.id:
            with suppress(DreamReviewError):  # one that cannot be opened is no reason to fail
                if waits(workspace, workspace.open(line.id)):
                    return f"decisions wait in {line.id}: {command('apply', workspace.folder, line.id)}"
    return ""


def _nothing_ready(workspace: Workspace, folder: str, *, is_dry: bool, is_json: bool) -> int:
    """Send what still waits for the store at the service that the folder is a copy of, and say what became of it."""
    there = None if is_dry else workspace.give_back()
    shape = NOTHING | {"dry_run": is_dry} | ({} if there is None else {"there": there_shape(there)})
    if there is None or is_json:
        output.nothing_ready(folder, shape, is_json=is_json)
    else:
        output.say_all(["sent what waited", *there_told(there)])
    return 0 if there is None or there.is_whole else IN_PART


def apply_asking(workspace: Workspace, review: OpenReview) -> int:
    """Show what would be written, write it if the answer is yes, say what became of it; return the exit status."""
    result = _asked(workspace, review, workspace.apply(review.proposal.id, dry_run=True))
    if result is None:
        output.note("nothing was written")
        return 0
    output.say_all(_told(workspace, review, result))
    return exit_status(result)


def waits(workspace: Workspace, review: OpenReview) -> bool:
    """Tell whether an apply would write something, or settle what others did already."""
    plan = workspace.apply(review.proposal.id, dry_run=True)
    return not is_empty(plan) or bool(plan.settled)


def _asked(workspace: Workspace, review: OpenReview, plan: ApplyResult) -> ApplyResult | None:
    """Return what was done, or the plan where there is nothing to write, or None where the answer was no.

    The question is asked again when the folder or the decisions have changed while it stood on the screen.
    """
    shown = _decided(review)
    if is_empty(plan) and plan.settled:
        return workspace.apply(review.proposal.id)
    while not is_empty(plan):
        for line in (totals(review), *effects(plan), *_beyond(review)):
            output.tell(line)
        if not output.confirm(f"Write this to {workspace.folder}?"):
            return None
        review.refresh()
        again, seen = workspace.apply(review.proposal.id, dry_run=True), _decided(review)
        if (again, seen) == (plan, shown):
            return workspace.apply(review.proposal.id)
        output.note("the folder or the decisions have changed meanwhile; this is what would be written now")
        plan, shown = again, seen
    return plan


def _beyond(review: OpenReview) -> list[str]:
    """Return what is accepted does beyond its own words; of what others did already, the reverse is written."""
    if review.proposal.is_observed:
        return []
    return [f"  {line}" for line in fidelity_lines(review, is_chosen=True)]


def _decided(review: OpenReview) -> list[object]:
    return [(card.change.id, card.review) for card in review.cards()]


def _told(workspace: Workspace, review: OpenReview, result: ApplyResult) -> list[str]:
    if is_empty(result) and result.settled:
        return [f"nothing {'would have' if result.dry_run else 'had'} to be written", *effects(result)]
    if is_empty(result):
        done, chosen = ("decided", "rejected") if review.proposal.is_observed else ("accepted", "accepted")
        if result.stale:
            nothing = f"nothing that is {chosen} fits the live folder"
        elif not review.proposal.is_observed and review.counts.accepted:
            nothing = "what is accepted leaves everything as it is"
        else:
            nothing = f"nothing is {done} yet"
        return [f"{nothing}: {totals(review)}", *effects(result)]
    if result.dry_run:
        return [f"this would be written to {workspace.folder}:", *effects(result), *_beyond(review)]
    takes_back = command("undo", workspace.folder, str(result.apply))
    return [f"applied {result.apply}", *effects(result), f"take it back with: {takes_back}"]
