"""Which language a text is written in, and what its words are compared by in German and Russian."""

from __future__ import annotations

import re
import unicodedata

from dreamreview.dream.words import words

_GERMAN_TELLING = words(
    """
    der das den dem des und ist nicht wird werden mit für von auf sich bei nach wenn dass oder aber auch als zum zur vom
    beim eine einen einem einer kein keine keinen muss soll kann haben hat sind über unter vor seit jede jeden jeder
    immer nur noch wir durch ohne nie niemals zwei drei ins ans dann diese dieser dieses sein ihre ihm ihn wurde gibt
    darf dürfen müssen sollen können damit bevor jedes
    """
)
"""Words that stand in nearly every German sentence and in no English one."""
_ENGLISH_TELLING = words("the a an of and is are to for with on that it not by be has have this from at or as we")
_GERMAN_LETTERS = frozenset("äöüß")
_OTHER_LETTERS = frozenset("åøæéèêçñãõığşőű")
GERMAN_STOPS = _GERMAN_TELLING | words(
    """
    die ein es er sie man ihr mir mich uns euch im am um an in zu aus bis ab war was wer wie so da hier dort denn weil
    doch schon sehr mehr viel viele alle alles etwas nichts ihn ihnen dir dich seinen seiner seinem sei wäre würde
    würden worden hatte hatten lässt lassen machen macht bitte jetzt also dabei dafür davon dazu daran dessen deren
    welche welcher welches solche jedoch sondern sowie während gegen innerhalb binnen her hin geht gehen
    kommt kommen sonst neu
    """
)
"""German words that carry no topic by themselves."""
RUSSIAN_STOPS = words(
    """
    в во на с со к ко у о об от до из за по под над при для без не ни нет да но или же ли бы если когда где уже ещё еще
    только также есть был была было были быть будет будут этого этом этой эту эти тот того том той та те мне нам вам им
    ней нём нем ним ему ей него неё нее них себя свой своя свои своих можно нужно надо очень чем через после перед
    каждый каждую каждое каждые каждого между потому поэтому теперь который которая которое которые всё все всех всегда
    там тут так как что чтобы и а я он она оно они мы вы его её ее их наш ваш мой сейчас пока пусть весь вся сам сама
    """
)
"""Russian words that carry no topic by themselves."""

_WORD = re.compile(r"[^\W\d_]+")
_GERMAN_NOUN = re.compile(r"\b(?:[Dd]ie|[Ee]in|[Ii]m|[Aa]m)\s+[A-ZÄÖÜ][a-zäöüß]{2,}")
"""A small word that English has as well, and a noun with its capital."""
_NO_CYRILLIC = re.compile(r"[^\u0400-\u04ff]")


def is_german(text: str) -> bool:
    """Tell whether a text is German rather than English, by its small words and letters."""
    low = [word.casefold() for word in _WORD.findall(text)]
    german = sum(word in _GERMAN_TELLING for word in low) + len(_GERMAN_NOUN.findall(text))
    english = sum(word in _ENGLISH_TELLING for word in low)
    letters = set(text.casefold())
    has_letters = not letters.isdisjoint(_GERMAN_LETTERS) and letters.isdisjoint(_OTHER_LETTERS)
    return german + has_letters > english and (german >= 2 or has_letters or (german == 1 and len(low) <= 8))


_SEPARABLE = (
    r"(?:her(?:aus|ein|unter)|zurück|durch|über|unter|nach|auf|aus|ein|vor|weg|bei|mit|los|hin|her|ab|an|zu|um)"
)
_PARTICIPLE = re.compile(rf"(?P<before>{_SEPARABLE})?ge(?P<root>[^\W\d_]{{3,}}?)(?:t|en)$")
_GERMAN_ENDINGS = (
    "ungen", "ung", "heiten", "heit", "keiten", "keit", "ieren", "iert", "lich", "isch", "test", "tet", "ten", "te",
    "ern", "est", "en", "er", "em", "es", "et", "st", "e", "s", "n", "t",
)  # fmt: skip
_PLAIN = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"})


def _is_long(word: str, ending: str) -> bool:
    """Tell whether enough of a word is left without an ending."""
    return len(word) - len(ending) >= (4 if ending in ("n", "t") else 3)


def german_root(word: str) -> str:
    """Return what a lower-case German word is compared by: no ending, no umlaut, no sign of a participle."""
    word = _PARTICIPLE.sub(lambda match: (match["before"] or "") + match["root"], word).translate(_PLAIN)
    while True:
        ending = next((each for each in _GERMAN_ENDINGS if word.endswith(each) and _is_long(word, each)), None)
        if ending is None:
            return word
        word = word[: -len(ending)]


_VOWELS = "аеиоуыэюя"
_GERUNDS = re.compile(r"(?:(?<=[ая])(?:вшись|вши|в)|(?:ившись|ывшись|ивши|ывши|ив|ыв))$")
_REFLEXIVE = re.compile(r"(?:ся|сь)$")
_ADJECTIVAL = re.compile(
    r"(?:(?<=[ая])(?:ем|нн|вш|ющ|щ)|(?:ивш|ывш|ующ))?"
    r"(?:ими|ыми|его|ого|ему|ому|ее|ие|ые|ое|ей|ий|ый|ой|ем|им|ым|ом|их|ых|ую|юю|ая|яя|ою|ею)$"
)
_VERBAL = re.compile(
    r"(?:(?<=[ая])(?:нно|ете|йте|ешь|ла|на|ли|ем|ло|но|ет|ют|ны|ть|й|л|н)"
    r"|(?:ейте|уйте|ила|ыла|ена|ите|или|ыли|ило|ыло|ено|ует|уют|ены|ить|ыть|ишь|ей|уй|ил|ыл|им|ым|ен|ят|ит|ыт|ую|ю))$"
)
_NOMINAL = re.compile(
    r"(?:иями|ями|ами|ией|иям|ием|иях|ев|ов|ие|ье|еи|ии|ей|ой|ий|ям|ем|ам|ом|ах|ях|ию|ью|ия|ья|а|е|и|й|о|у|ы|ь|ю|я)$"
)
_DERIVED = re.compile(r"[^аеиоуыэюя][аеиоуыэюя]+[^аеиоуыэюя]+[аеиоуыэюя].*ость?$")


def russian_root(word: str) -> str:
    """Return what a lower-case Russian word is compared by. The Snowball algorithm for Russian (M. Porter)."""
    word = word.replace("ё", "е")
    start = next((place + 1 for place, letter in enumerate(word) if letter in _VOWELS), len(word))
    head, rest = word[:start], word[start:]
    rest, count = _GERUNDS.subn("", rest)
    if not count:
        rest = _REFLEXIVE.sub("", rest)
        for form in (_ADJECTIVAL, _VERBAL, _NOMINAL):
            rest, count = form.subn("", rest, count=1)
            if count:
                break
    rest = rest.removesuffix("и")
    if _DERIVED.search(head + rest):
        rest = re.sub(r"ость?$", "", rest)
    rest = re.sub(r"ейше?$", "", rest)
    rest = rest[:-1] if rest.endswith("нн") else rest.removesuffix("ь")
    return head + rest


def is_cyrillic(word: str) -> bool:
    """Tell whether a word is written in Cyrillic letters alone."""
    return bool(word) and _NO_CYRILLIC.search(word) is None


_NUMBERS = {
    word: number
    for number, names in enumerate(
        (
            "one eins час", "two zwei два", "three drei три", "four vier четыре", "five fünf пять", "six sechs шесть",
            "seven sieben семь", "eight acht восемь", "nine neun девять", "ten zehn десять", "eleven elf одиннадцать",
            "twelve zwölf двенадцать",
        ),
        start=1,
    )
    for word in names.split()
}  # fmt: skip
_HOUR = rf"(?P<hour>\d{{1,2}}|{'|'.join(_NUMBERS)})"
_HOURS = re.compile(
    rf"(?i)\b{_HOUR}(?:\s(?:o'clock|uhr|час[аов]*))?\s(?:in\sthe\s(?P<en>morning|afternoon|evening)|(?P<nights>at\snight)"
    rf"|(?P<de>morgens|früh|vormittags|nachmittags|abends|nachts)|(?P<ru>утра|дня|вечера))\b"
    rf"|\b(?P<uhr>\d{{1,2}})(?:[.:](?P<minute>\d\d))?\sUhr\b"
)
_PAST = re.compile(rf"(?i)\b(?:(?:a\s)?(?P<part>half|quarter)\s(?P<way>past|to)|um\s(?P<halb>halb))\s{_HOUR}\b(?!:)")
_CLOCK = re.compile(rf"(?i)\b{_HOUR}\s?o['’]clock\b")
_DARK = re.compile(r"(?i)\b(?:night|nightly|evening|nacht|nachts|abend|abends)\b")
_CJK_HOUR = re.compile(
    r"(?P<every>[每毎])?(?P<part>上午|早上|凌晨|午前|中午|下午|晚上|晚间|夜里|午後|[晚晩夜])[，、の]?\s?(?P<hour>\d{1,2})\s?(?=[点時])"
)
_LATE = words("afternoon evening nachmittags abends дня вечера 下午 晚上 晚间 夜里 午後 晚 晩 夜")


def with_hours(text: str) -> str:
    """Return a text whose hours told in words ("six in the evening", "half past nine", "18 Uhr") stand as 18:00."""
    text = _HOURS.sub(_hour, _PAST.sub(lambda match: _past(match, text), text))
    text = _CLOCK.sub(_on_the_clock, text)
    return _CJK_HOUR.sub(_cjk_hour, text)


def _on_the_clock(match: re.Match[str]) -> str:
    """Tell an hour of which nothing says whether it is of the night; twelve of them is taken for noon."""
    said = match["hour"].casefold()
    number = int(said) if said.isdecimal() else _NUMBERS[said]
    return f"{number:02}:00" if number < 25 else match[0]


def _hour(match: re.Match[str]) -> str:
    if match["uhr"]:
        return f"{int(match['uhr']):02}:{match['minute'] or '00'}" if int(match["uhr"]) < 25 else match[0]
    said = match["hour"].casefold()
    number = int(said) if said.isdecimal() else _NUMBERS[said]
    if not 1 <= number <= 12:
        return match[0]
    part = match["en"] or match["de"] or match["ru"] or ("evening" if number > 6 else "morning")
    return f"{_of_day(number, part.casefold()):02}:00"


def _cjk_hour(match: re.Match[str]) -> str:
    """Tell an hour behind the part of the day; where it is every such part, that word stays."""
    kept = f"{match['every']}{match['part']}" if match["every"] else ""
    return f"{kept}{_of_day(int(match['hour']), match['part'])}"


def _past(match: re.Match[str], text: str) -> str:
    """Tell a time such as "half past six"; whether it is day or night, the sentence says, else the hour itself."""
    said = match["hour"].casefold()
    number = int(said) if said.isdecimal() else _NUMBERS[said]
    if not 1 <= number <= 12:
        return match[0]
    is_dark = _DARK.search(text) is not None
    hour = number % 12 + 12 * ((number < 6) != is_dark)
    minutes = 60 * hour + {"half": 30, "quarter": 15}.get((match["part"] or "half").casefold(), 30) * (
        -1 if match["halb"] or (match["way"] or "").casefold() == "to" else 1
    )
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"


def _of_day(hour: int, part: str) -> int:
    return hour % 12 + 12 if part in _LATE and hour <= 12 else hour


_DETERMINERS = words("ist hat wird war kann soll muss darf will")
_FINITE = re.compile(r"[^\W\d_]{3,}t$")
_NOUN = re.compile(r"(?:ung|heit|keit|schaft|tion|tät|nis|tum|chen|lein|ment|ik|ur|ge.+(?:t|en))$")


def is_german_name(word: str, following: str) -> bool:
    """Tell whether a capitalised German word that opens a sentence is a proper name: the subject, with no article.

    A noun in the singular has one before it; `following` is the word behind it as it stands.
    """
    low = word.casefold()
    is_verb = following.islower() and (following in _DETERMINERS or _FINITE.match(following) is not None)
    return is_verb and low not in GERMAN_STOPS and _NOUN.search(unicodedata.normalize("NFC", low)) is None
