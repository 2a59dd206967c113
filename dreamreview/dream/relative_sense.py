"""Whether a word for a day speaks of one day: rules, names, keys, habits and "nowadays" do not."""

from __future__ import annotations

import re

REACH = 600
"""Characters to either side of a word that are looked at."""
_RECURRING = re.compile(
    r"(?i)\b(?:every|each|per)\s+(?:single\s+|other\s+|last\s+|first\s+|\d+\s+)?(?:day|night|morning|evening|noon"
    r"|week|weekday|month"
    r"|hour"
    r"|minute|run|time|build|mon|tue|wed|thu|fri|sat|sun)|\bwhenever\b|\bjeden\b"
    r"|^\W*(?:never|always)\b|\bon\s+(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|每[天日周月年晚]|毎[日週月]|кажд"
)
PAST = re.compile(r"\b(?:\w{2,}ed|was|were|had|did|done|went|came|made|took|built|wrote|ran|sold|met)\b", re.IGNORECASE)
_TOLD = re.compile(rf"(?<!\bis )(?<!\bare )(?<!\bbe ){PAST.pattern}", re.IGNORECASE)
"""The past, but for what is done to a thing today."""
_REPEATED = re.compile(r"(?i)\b(?:hourly|daily|nightly|weekly|monthly)\b")
"""How often something is done; of a day that is past it names the thing that was done: "the nightly job failed"."""
_PART_OF_PRODUCT = re.compile(
    r"(?i)^\s+(?:tab|view|page|board|tile|screen|panel|list|widget|app|folder|section|macro|button|column|label|field"
    r"|menu|filter|show|function|flag|option|keyword)s?\b|^\s+(?-i:Ltd|Inc|Labs|GmbH|AG|Show|Studios?|Magazine|Radio"
    r"|Podcast|Foundation|Festival|Group|Press)\b"
)
_ARTICLE = re.compile(r"(?i)\b(?:the|a|an|our|your|his|her|my|its|their|no)\s+(?:(?:better|brighter|new|good)\s+)?$")
_FUTURE = re.compile(
    r"(?i)\b(?:will|shall|is|are|be|due|expires?|ends?|starts?|begins?|arrives?|leaves?|comes?|ships?|opens?|closes?"
    r"|returns?|moves?|again|back|'ll|deadline|follow-up)\b|'ll\b"
)
_GERMAN = re.compile(
    r"(?i)\b(?:der|die|das|und|ist|wird|werden|nicht|mit|für|von|vom|zum|zur|kommt|ein|eine|einen|auf|bis|wir|ich"
    r"|sie|es"
    r"|den|dem|im|am|um|ab|schon|erst|noch|wieder|uhr|früh|abend|gegen|nach|bei|hat|soll|muss|kann)\b|[äöüß]"
)
_NORDIC = re.compile(r"(?i)\b(?:og|ikke|på|til|hver|det|ei|ved|jeg|vi|av)\b|[åøæ]")
_DUTCH = re.compile(r"(?i)\b(?:het|een|niet|wordt|voor|van|naar|zijn|deze|wij|ook)\b")


_DAY = re.compile(r"(?i)yesterday|today|tomorrow|tonight|last\s+night")
_WHEN = re.compile(r"(?i)\b(?:if|unless|in case|assum(?:es?|ing)|falls|wenn|sofern)\b|如果|假如|もし|если")
_WHEN_ANYWHERE = re.compile(r"(?i)\bonly\s+(?:if|when)\b|\bunless\b|\bexpects?\b")
_WHEN_RULE = re.compile(r"(?i)\bwhen\b")
_PATTERN = re.compile(r"\bY{4}[-_./]?M{2}\b|\bYYYY-MM-DD|%Y|\b[DT]{2}\.M{2}\.[YJ]{2}|\{date\}|<date>", re.IGNORECASE)
_ANY_DAY = r"(?:yesterday|today|tomorrow|tonight|gestern|heute|morgen|昨天|今天|明天|昨日|今日|明日|어제|오늘|내일)"
_PAIRED_BEFORE = re.compile(rf"(?i){_ANY_DAY}['’s]{{0,2}}\s*[+/&|]\s*$")
_PAIRED_BEHIND = re.compile(rf"(?i)['’s]{{0,2}}\s*[+/&|]\s*{_ANY_DAY}")
_NAMED_BEHIND = re.compile(r"[^.!?\n。！？]{0,24}[(（]`?[\w\-/]+\.[A-Za-z]{1,5}`?[)）]")
"""The name of a view or file, with its source file behind it."""
_MONTH = (
    r"(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?"
    r"|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\.?"
)
_ABSOLUTE = (
    rf"(?:\d{{4}}-\d\d|{_MONTH}\s\d{{1,2}}(?!\d)|\d{{1,2}}(?:st|nd|rd|th|\.)?\s{_MONTH}(?!\w)"
    r"|\d{1,2}[月월]\s?\d{1,2}|\d{1,2}\.\d{1,2}\.)"
)
_WEEKDAY = r"(?:[^\W\d_]{2,10}\.?,?\s)?"
_DATED_BEHIND = re.compile(
    rf"(?i)[*_]{{0,2}}(?:(?:\s*[(（\[]\s*|,\s+|\s+[—–-]\s+){_WEEKDAY}{_ABSOLUTE}|\s*[(（]{_WEEKDAY}\d{{1,2}}/\d{{1,2}}\b)"
)
_DATED_BEFORE = re.compile(rf"(?i){_ABSOLUTE}(?:,?\s\d{{4}}|\d{{0,2}}日?|-\d\d)\s*[(（\[]\s*(?:i\.e\.\s)?$")
_NOWADAYS = re.compile(
    r"(?i)(?:^[\W\d]*(?:\w+[ -]){0,3}?|\b(?:is|are|stays?|remains?)\s+(?:\w+\s){0,2})(?:mono\w+|\w+ronous|hard-?coded"
    r"|manual|static|dynamic|stateless|serverless|sequential|single-\w+|[\w\-]+-(?:based|only|specific|wide))\s+$"
)


def _is_rule(sentence: str, before: str, word: str) -> bool:
    """Tell whether a sentence says what holds on any day, on a condition; a day ahead is one day all the same."""
    if word.casefold().startswith(("tomorrow", "next", "in ", "morgen", "明", "завтра", "내일")):
        return False
    if _WHEN.search(before) or _WHEN_ANYWHERE.search(sentence):
        return True
    return _WHEN_RULE.search(before) is not None and not PAST.search(sentence)


def _is_beside(before: str, after: str) -> bool:
    """Tell whether what stands next to a word leaves nothing to resolve: its date, its pair, the file of that name."""
    beside = (_PAIRED_BEHIND, _NAMED_BEHIND, _DATED_BEHIND)
    if any(form.match(after) for form in beside):
        return True
    return bool(_PAIRED_BEFORE.search(before) or _DATED_BEFORE.search(before))


def is_meant(match: re.Match[str], text: str, bounds: tuple[int, int], style: str) -> bool:
    """Tell whether a word speaks of a day, given the bounds of its sentence."""
    sentence = text[bounds[0] : bounds[1]]
    before, after = text[bounds[0] : match.start()], text[match.end() : bounds[1]]
    near = text[max(0, match.start() - REACH) : match.end() + REACH]
    line = (
        text[max(0, match.start() - REACH) : match.start()].rpartition("\n")[2]
        + text[match.start() : match.end() + REACH].partition("\n")[0]
    )
    if _PATTERN.search(line):
        return False
    is_repeated = _REPEATED.search(sentence) is not None and not _TOLD.search(sentence)
    if is_repeated or _RECURRING.search(sentence) or _is_rule(sentence, before, match["w"]):
        return False
    if _is_beside(before, after):
        return False
    if style == "en-in":
        return bool(_FUTURE.search(sentence)) and not re.search(r"(?i)\b(?:within|\w{2,}ed)\s+(?:\w+\s+){0,2}$", before)
    if style == "de-morgen":
        least = 1 if match["w"].islower() else 2
        return max(len(_GERMAN.findall(near)), len(_DUTCH.findall(near))) >= least and not _NORDIC.search(near)
    if style != "en":
        return True
    if _PART_OF_PRODUCT.match(after) or (_ARTICLE.search(before) and _DAY.fullmatch(match["w"])):
        return False
    if match["w"].casefold() == "today" and _NOWADAYS.search(before) and not re.match(r"\s+\w", after):
        return False
    is_first = not before.strip(" \t\r\n-*+>_([|0123456789.") or before.rstrip()[-1:] in ":—–|"
    is_emphasised = before[-1:] in ("*", "_") and after[:1] in ("*", "_")
    return not match[0][0].isupper() or (is_first and not is_emphasised)
