"""Whether the numbers in a dreamer's own words agree with what its proposal holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from dreamreview.model.proposal import Act, Change, Kind

SUMMARY_MISMATCH = "summary-mismatch"
"""Flag of a proposal whose dreamer claims other numbers than can be counted."""
MOST = 5
"""Claims that are told; a narrative with more of them is wrong anyway."""

_REACH = 20_000
_UNDECLARED = frozenset((Kind.EDIT, Kind.CREATE, Kind.DELETE, Kind.RENAME, Kind.MODE))
_WORDS = {
    word: number
    for number, word in enumerate(
        ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
}
_NUMBER = rf"(?P<number>[0-9]{{1,5}}|{'|'.join(_WORDS)})"
_BETWEEN = r"(?:\s+(?!and\b|or\b|of\b|in\b|to\b|from\b|into\b)[a-z][a-z-]{0,20}){0,2}?"
_ACTS = {
    **dict.fromkeys(("deleted", "removed"), "deleted"),
    **dict.fromkeys(("created", "added"), "created"),
    "renamed": "renamed",
    **dict.fromkeys(("changed", "edited", "updated", "modified", "touched"), "changed"),
}
"""What is said of a file to what was done to it."""
_ALL = "suggests|suggested|proposes|proposed|made|makes"
_RAISED = "found|flagged|raised"
_DONE = "|".join(_ACTS)
_CLAIM = re.compile(
    rf"(?:\b(?P<verb>{_DONE}|{_ALL}|{_RAISED})\s+)?(?<![\w.,:/#-]){_NUMBER}{_BETWEEN}\s+"
    r"(?P<noun>changes?|edits|suggestions?|files?|conflicts?|contradictions?)\b"
    rf"(?:\s+(?:(?:was|were|are|is|have been|has been)\s+)?(?P<after>{_DONE}|in all|in total|altogether)\b)?"
    r"(?P<part>\s+(?:to|in|of|for|on|about|that|which)\b(?! all\b| total\b))?",
    re.IGNORECASE,
)


def mismatches(narrative: str, changes: Sequence[Change]) -> tuple[str, ...]:
    """Return the claims of a narrative that its changes do not bear out, each with what can be counted instead.

    Claims are a number and what it counts: all changes, conflicts that were found, and files that were created,
    deleted, renamed or changed. Of what can be counted in several ways each number will do, and so will several
    numbers that come to it together.
    """
    claims: dict[str, list[tuple[int, str]]] = {}
    for match in _CLAIM.finditer(narrative[:_REACH]):
        subject = _subject(match)
        if subject:
            said = match["number"].casefold()
            number = _WORDS[said] if said in _WORDS else int(said)
            claims.setdefault(subject, []).append(
                (number, " ".join(match[0].removesuffix(match["part"] or "").split()))
            )
    return tuple(_wrong(claims, changes))[:MOST]


def _subject(match: re.Match[str]) -> str:
    """Return what a claim counts; nothing where that is not clear."""
    verb, noun = (match["verb"] or match["after"] or "").casefold(), match["noun"].casefold()
    if noun.startswith("file"):
        return _ACTS.get(verb, "")
    if noun.startswith(("conflict", "contradiction")):
        return "conflicts" if verb in _RAISED.split("|") else ""
    if match["part"]:  # of some of them, who knows how many others there are
        return ""
    return "changes" if verb in (*_ALL.split("|"), "in all", "in total", "altogether") else ""


def _wrong(claims: Mapping[str, list[tuple[int, str]]], changes: Sequence[Change]) -> Iterator[str]:
    for subject, said in claims.items():
        counted = _counted(subject, changes)
        numbers = [number for number, _ in said]
        if counted and not {*counted} & {*numbers, sum(numbers)}:
            yield f"it says “{said[0][1]}”, and {_told(subject, counted[0])}"


def _told(subject: str, number: int) -> str:
    noun = subject if subject in {"changes", "conflicts"} else "files"
    noun = noun.removesuffix("s") if number == 1 else noun
    verb = "" if noun == subject or subject.startswith(noun) else f" {subject}"
    return f"there {'is' if number == 1 else 'are'} {number} {noun}{verb}"


def _counted(subject: str, changes: Sequence[Change]) -> tuple[int, ...]:
    """Return every number that a claim may rightly state, the plainest first; nothing where it cannot be told."""
    edits = [edit for change in changes for edit in change.edits]
    acts = Counter(edit.act for edit in edits)
    if subject == "changes":
        return len(changes), len(edits), len({edit.path for edit in edits})
    if subject == "conflicts":
        is_declared = any(change.kind not in _UNDECLARED for change in changes)
        return (sum(change.kind is Kind.CONFLICT for change in changes),) if is_declared else ()
    if subject == "changed":
        changed = {edit.path for edit in edits if edit.act in {Act.LINES, Act.MODE}}
        return len(changed), len({edit.path for edit in edits})
    return (acts[{"deleted": Act.DELETE, "created": Act.CREATE, "renamed": Act.RENAME}[subject]],)
