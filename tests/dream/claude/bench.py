"""The tools of one dream without a conversation around them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dreamreview.dream.claude.cards import Citing
from dreamreview.dream.claude.framing import Frame
from dreamreview.dream.claude.memory_tool import MemoryTool
from dreamreview.dream.claude.sessions import Sessions
from dreamreview.dream.claude.support import Support
from dreamreview.dream.claude.toolbox import Answer, Bench, Toolbox
from dreamreview.dream.claude.veil import Veil
from dreamreview.dream.claude.working_copy import WorkingCopy
from dreamreview.dream.engine import Corpus, Policy
from tests.dream.claude.acting import cites, corpus_of

ANY = "The ground that every card of these tests stands on."
GROUND = "ground.md"


class Tools:
    """A toolbox over some files, called as the model would."""

    def __init__(self, files: Mapping[str, str | bytes], sessions: Sessions | None = None) -> None:
        self.corpus: Corpus = corpus_of({GROUND: ANY + "\n", **files})
        self.copy = WorkingCopy(self.corpus)
        self.veil, frame = Veil("hidden1"), Frame("marks1")
        citing = Citing(self.corpus, sessions or Sessions(()), self.veil)
        memory = MemoryTool(self.copy, self.veil, frame)
        support = Support(self.corpus, Policy(), self.copy, self.veil)
        self.box = Toolbox(Bench(citing, self.copy, memory, support, frame), None)

    def open(self, kind: str = "rewrite", *evidence: dict[str, Any], **more: Any) -> Answer:
        given = {"kind": kind, "title": "t", "reason": "r", "confidence": 0.5, **more}
        return self.box.call("open_card", {**given, "evidence": list(evidence) or [cites(GROUND, 1, 1, ANY)]})

    def memory(self, command: str, **given: object) -> Answer:
        return self.box.call("memory", {"command": command, **given})

    def replace(self, path: str, old: str, new: str) -> Answer:
        return self.memory("str_replace", path=f"/memories/{path}", old_str=old, new_str=new)

    def close(self) -> Answer:
        return self.box.call("close_card", {})

    def bytes_of(self, name: str) -> bytes:
        return b"".join(line.data for line in self.copy.lines(name))
