"""What every engine is handed and what becomes of its answer: bounds, usage, warnings, and its own words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from dreamreview.dream.engine import (
    Draft,
    DreamCancelledError,
    Dreamt,
    EngineError,
    Estimate,
    Progress,
    Task,
)
from dreamreview.dream.evidence import evidence, replace_lines
from dreamreview.errors import UsageError
from dreamreview.model.budget import Budget
from dreamreview.model.proposal import Kind, Usage
from dreamreview.model.review import Op
from dreamreview.settings import Settings
from dreamreview.workspace import Workspace, engines
from tests.workspace.stores import NOW, Files, lay, memory

STORE: Files = {f"n{number}.md": b"The boat number %d is blue.\n" % number for number in range(5)}


def _rewrites(task: Task) -> tuple[Draft, ...]:
    """Suggest one change for each file."""
    return tuple(
        Draft(
            kind=Kind.REWRITE,
            phase="consolidate",
            title=f"Rewrite {path}",
            reason="it reads better",
            confidence=0.8,
            evidence=(evidence(document, 1, 1),),
            texts=(path,),
            edits=(replace_lines(document, 1, 1, (b"It is red.\n",)),),
        )
        for path, document in task.corpus.documents.items()
    )


@dataclass(frozen=True, slots=True)
class Scripted:
    """An engine that answers what a test tells it to."""

    answer: Callable[[Task], Dreamt]
    costs: Estimate | None = None
    problem: EngineError | None = None
    name: str = "claude"
    model: str | None = "dreamer-1"
    needs_copy: bool = False
    tasks: list[Task] = field(default_factory=list)

    def estimate(self, task: Task) -> Estimate | None:
        """Answer what was told."""
        del task
        if self.problem is not None:
            raise self.problem
        return self.costs

    def dream(self, task: Task) -> Dreamt:
        """Answer what was told."""
        self.tasks.append(task)
        return self.answer(task)


@pytest.fixture
def dreamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Workspace]:
    def opened(engine: Scripted, budgets: Budget | None = None) -> Workspace:
        monkeypatch.setattr(engines, "make", lambda *_: engine)
        settings = Settings(budgets=budgets or Budget())
        return Workspace(lay(tmp_path / "store", STORE), settings, lambda: NOW)

    return opened


def _answering(task: Task) -> Dreamt:
    usage = Usage(input_tokens=900, output_tokens=80, cache_read_tokens=500, cost_usd=0.25, turns=4)
    return Dreamt(_rewrites(task), "Rewrote the boats.", usage, warnings=("a call was made again",))


def test_usage_model_and_words_are_kept_with_the_proposal(dreamed: Callable[..., Workspace]) -> None:
    opened = dreamed(Scripted(_answering))
    result = opened.dream()
    assert (result.usage.input_tokens, result.usage.cost_usd, result.usage.turns) == (900, 0.25, 4)
    assert result.warnings == ("a call was made again",)
    proposal = opened.open(result.proposal).proposal
    assert (proposal.engine.name, proposal.engine.model) == ("claude", "dreamer-1")
    assert (proposal.usage.output_tokens, proposal.usage.cache_read_tokens) == (80, 500)
    assert proposal.usage.seconds >= 0
    assert (proposal.summary, proposal.narrative) == ("5 changes: 5 rewrite", "Rewrote the boats.")


def test_what_is_beyond_the_budget_of_changes_waits_for_the_next_dream(dreamed: Callable[..., Workspace]) -> None:
    opened = dreamed(Scripted(_answering), Budget(changes=2))
    result = opened.dream()
    review = opened.open(result.proposal)
    assert [change.title for change in review.proposal.changes] == ["Rewrite n0.md", "Rewrite n1.md"]
    assert "the budget of 2 changes is reached: 3 more wait for the next dream" in result.warnings
    assert opened.dream().proposal is None
    for change in review.proposal.changes:
        review.decide(Op.REJECT, change.id)
    again = opened.open(opened.dream().proposal)
    assert [change.title for change in again.proposal.changes] == ["Rewrite n2.md", "Rewrite n3.md"]


def test_what_a_dream_needs_is_told_before_it_begins(dreamed: Callable[..., Workspace]) -> None:
    told: list[Progress] = []
    engine = Scripted(_answering, Estimate(12_345, 0.5, "example.org"))
    dreamed(engine).dream(on_progress=told.append)
    assert [one.note for one in told if one.note] == [
        "about 12,345 tokens of memory, for example.org; a whole dream of it costs about $0.50"
    ]


def test_an_engine_that_cannot_dream_is_not_asked_to(dreamed: Callable[..., Workspace], tmp_path: Path) -> None:
    engine = Scripted(_answering, problem=EngineError("no key: set one"))
    opened = dreamed(engine)
    before = memory(tmp_path / "store")
    with pytest.raises(EngineError, match="no key: set one"):
        opened.dream()
    assert (engine.tasks, opened.ready(), memory(tmp_path / "store")) == ([], (), before)
    assert (opened.status().last_status, opened.status().needs_attention) == (None, False)
    assert not (tmp_path / "store" / ".dream-state.json").exists()


def test_a_dream_that_never_began_leaves_standing_how_the_last_one_went(
    dreamed: Callable[..., Workspace], tmp_path: Path
) -> None:
    dreamed(Scripted(_answering)).dream()
    opened = dreamed(Scripted(_answering, problem=EngineError("no key: set one")))
    kept = (tmp_path / "store" / ".dream-state.json").read_bytes()
    with pytest.raises(EngineError):
        opened.dream()
    assert (tmp_path / "store" / ".dream-state.json").read_bytes() == kept


def test_a_dream_that_began_and_failed_is_written_down(dreamed: Callable[..., Workspace]) -> None:
    def fail(_task: Task) -> Dreamt:
        raise EngineError("the model did not answer")

    opened = dreamed(Scripted(fail))
    with pytest.raises(EngineError, match="the model did not answer"):
        opened.dream()
    assert (opened.status().last_status, opened.status().needs_attention) == ("failed", True)


def test_a_stop_that_comes_with_the_answer_is_obeyed(dreamed: Callable[..., Workspace]) -> None:
    stops: list[bool] = []

    def late(task: Task) -> Dreamt:
        stops.append(True)
        return _answering(task)

    opened = dreamed(Scripted(late))
    with pytest.raises(DreamCancelledError):
        opened.dream(is_cancelled=lambda: bool(stops))
    assert opened.ready() == ()


def test_what_others_wrote_meanwhile_is_left_out_and_named(dreamed: Callable[..., Workspace], tmp_path: Path) -> None:
    def interrupted(task: Task) -> Dreamt:
        (tmp_path / "store" / "n3.md").write_text("The boat number 3 was sold.\n")
        return _answering(task)

    opened = dreamed(Scripted(interrupted))
    result = opened.dream()
    changes = opened.open(result.proposal).proposal.changes
    assert [change.edits[0].path for change in changes] == ["n0.md", "n1.md", "n2.md", "n4.md"]
    assert result.warnings[-1] == "changed while the engine thought, so what it suggests there is left out: n3.md"


def test_an_engine_is_handed_what_it_may_use_and_no_copy_that_it_does_not_need(
    dreamed: Callable[..., Workspace], tmp_path: Path
) -> None:
    engine = Scripted(_answering)
    (tmp_path / "AGENTS.md").write_text("Be brief.\n")
    opened = dreamed(engine, Budget(turns=3))
    review = opened.open(opened.dream().proposal)
    review.decide(Op.REJECT, review.proposal.changes[0].id, reason="it was blue")
    opened.dream()
    first, second = engine.tasks
    assert (first.budget, first.folder, first.since, first.rejections) == (Budget(turns=3), "", None, ())
    assert b"".join(first.corpus.context["../AGENTS.md"].lines) == b"Be brief.\n"
    assert [(one.title, one.reason) for one in second.rejections] == [("Rewrite n0.md", "it was blue")]
    assert second.since == NOW


def test_an_engine_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no engine 'oracle' here; choose one of: local, claude, "):
        Workspace(lay(tmp_path, STORE), Settings(), lambda: NOW).dream("oracle")
