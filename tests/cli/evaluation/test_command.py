from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

NOTES = "- The mill opens at 07:00 on weekdays.\n- The mill opens at 08:00 on weekdays.\n- Ruth keeps bees.\n"
KEY = {
    "conflicts": [
        {"a": {"path": "mill.md", "line": 1}, "b": {"path": "mill.md", "line": 2}, "topic": "hours", "winner": None},
        {"a": {"path": "mill.md", "line": 2}, "b": {"path": "mill.md", "line": 3}, "topic": "bees", "winner": None},
    ],
    "duplicates": [],
}
ROOT = Path(__file__).resolve().parents[3]


def run(module: str, *words: object, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HOME": str(home), "PYTHONPATH": str(ROOT), "DREAMREVIEW_NOW": "2026-01-05T08:00:00Z"}
    return subprocess.run(
        [sys.executable, "-m", module, *map(str, words)], env=environment, capture_output=True, text=True, check=False
    )


def test_a_proposal_is_scored_from_the_command_line(tmp_path: Path) -> None:
    folder, key = tmp_path / "store", tmp_path / "key.json"
    folder.mkdir()
    (folder / "mill.md").write_text(NOTES)
    key.write_text(json.dumps(KEY))
    assert run("dreamreview", "dream", folder, home=tmp_path).returncode == 0
    answer = run("dreamreview.evaluate", folder, key, "--json", home=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    shape = json.loads(answer.stdout)
    assert shape["classes"]["conflicts"] == {
        "precision": 1.0,
        "recall": 0.5,
        "expected": 2,
        "hits": 1,
        "missed": ["mill.md:2 and mill.md:3: bees"],
        "wrong": [],
    }
    told = run("dreamreview.evaluate", folder, key, home=tmp_path).stdout.splitlines()
    assert "conflicts             1.00      0.50     2       1      0" in told
    assert "conflicts missed: mill.md:2 and mill.md:3: bees" in told


def test_what_cannot_be_evaluated_is_said_in_one_line(tmp_path: Path) -> None:
    key = tmp_path / "key.json"
    key.write_text("{}")
    for words, code in (
        ((tmp_path,), 2),
        ((tmp_path, tmp_path / "nowhere.json"), 1),
        ((tmp_path, key), 1),
        ((tmp_path, key, "--proposal", "x"), 2),
    ):
        answer = run("dreamreview.evaluate", *words, home=tmp_path)
        assert (answer.returncode, answer.stdout, answer.stderr.count("\n")) == (code, "", 1), answer.stderr
        assert answer.stderr.startswith("dreamreview: ")
