"""Values beside a word for a secret: assignments, headers, command lines, sentences that say what a password is."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dreamreview.model.patterns import Pattern
from dreamreview.model.secret_values import is_coded, is_credential, is_free, is_named, is_varied, is_wordy, trim

Match = re.Match[str]


@dataclass(frozen=True, slots=True)
class Form:
    """How a credential is told by what stands around it."""

    rule: str
    pattern: Pattern
    """Its group ``v`` is the value."""
    accepts: Callable[[Match], bool]
    """Whether a match is a credential."""
    needs: Sequence[str]
    """Words of which one is there, in lower case, wherever it matches."""
    whole: Pattern | None = None
    """Where `pattern` only finds the word to begin at: what must match there, with the group ``v``."""

    def matches(self, line: str) -> Iterator[Match]:
        """Yield what it finds in a line, whether or not it overlaps."""
        if self.whole is not None:
            yield from self._from_words(line, self.whole)
            return
        yield from (match for match in self.pattern.finditer(line) if self.accepts(match))

    def _from_words(self, line: str, whole: Pattern) -> Iterator[Match]:
        """Yield what begins at a word and has a value within reach; the words are many, the values are few."""
        values = [match.start() for match in _CODED.finditer(line) if is_coded(trim(match[0]))]
        for found in self.pattern.finditer(line) if values else ():
            place = bisect_left(values, found.start())
            if place < len(values) and values[place] <= found.end() + _REACH:
                match = whole.match(line, found.start())
                if match and self.accepts(match):
                    yield match


_PROSE = r"\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff01-\uff65"
"""Letters and marks of Chinese, Japanese and Korean: no key has any, a remark behind one does."""
_LEAST_WHOLE = 24
"""Characters from which a key that ends in dots is shown far enough to be a secret all the same."""

# --- forms that need no word ------------------------------------------------------------------------------------------

_URL_PASSWORD = Pattern(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.\-]{1,20}://(?P<u>[^\s/:@]{0,80}):(?P<v>[^\s/@]{3,200})@")
_URL_USER = Pattern(r"(?<![A-Za-z0-9])https?://(?P<v>[0-9a-f]{32})@")
_URL_QUERY = Pattern(
    r"[?&;](?:access_token|auth_token|refresh_token|id_token|token|auth|api_?key|subscription-key|key|apikey|client_secret"
    r"|secret|password|passwd|pwd|sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|code_verifier)"
    r"=(?P<v>[A-Za-z0-9_%.~+/\-]{12,500})",
    re.IGNORECASE,
)
_BEARER = Pattern(
    r"\b(?:bearer|authorization[\"']?[ \t]*[:=][ \t]*[\"']?(?:token|basic|apikey|key|digest|negotiate))[ \t]+"
    r"(?P<v>[A-Za-z0-9._~+/=\-]{12,2000})",
    re.IGNORECASE,
)
_NETRC = Pattern(r"\blogin[ \t]+\S{1,80}[ \t]+password[ \t]+(?P<v>\S{4,200})", re.IGNORECASE)
_PAIRED = Pattern(
    r"\b(?:log-?ins?|credentials?|zugang(?:sdaten)?|anmeldung|basic auth)"
    r"(?:[ \t](?:of|for|to|at|on|from|zum|zur|für|von|bei)(?:[ \t][\w.'\-]{1,30}){1,5})?"
    r"[\"'`*]{0,3}[ \t]{0,2}[:=][\"'`*]{0,3}[ \t]{0,2}[\"'`]?"
    r"[\w.+\-]{2,60}(?:@[\w.\-]{3,80})?[\"'`]?(?:[ \t]{1,2}/[ \t]{1,2}|:)[\"'`]?(?P<v>[^\s\"'`|/]{8,200})",
    re.IGNORECASE,
)
_USER_AND = Pattern(
    r"\b(?:user(?:name)?|benutzer|login)[ \t]{0,2}[:=]?[ \t]{1,2}[\"'`]?[\w.+@\-]{2,80}[\"'`]?[ \t]{0,2}[,;/]?"
    r"[ \t]{1,2}(?:and[ \t]|und[ \t])?(?:pw|pwd|pass|password|passwort|kennwort)[ \t]{0,2}[:=]?[ \t]{1,2}[\"'`]?"
    r"(?P<v>[^\s\"'`|]{6,200})",
    re.IGNORECASE,
)
_DOOR_CODE = Pattern(
    r"(?:\bPIN(?![A-Za-z])|\b(?i:(?:door|gate|alarm|safe|entry|entrance|lock|locker|garage|building|lift|padlock)"
    r"[ \-](?:code|pin|combination)|türcode|torcode|门禁密码))"
    r"(?:[ \t](?i:of|for|to|at|on|from)(?:[ \t][\w.'\-]{1,30}){1,5})?"
    r"(?:[ \t]{0,2}[:=：][ \t]{0,2}|[ \t](?i:is|was|ist)[ \t])[\"'`*]{0,3}(?P<v>\d[\d\-]{2,10}\d[#*]?)(?!\w|\.\d)"
)
_PGPASS = Pattern(r"^[\w.*\-]{1,80}:(?:\d{2,5}|\*):[\w*\-]{1,60}:[\w.*\-]{1,60}:(?P<v>\S{4,200})[ \t\r]*$")
_COOKIE = Pattern(
    r"(?:\bcookie[\"']?:[ \t]*[\"']?|;[ \t]*)[\w.\-]{1,60}=(?P<v>[A-Za-z0-9._~+/=%:\-]{12,2000})", re.IGNORECASE
)
_SEED_PHRASE = Pattern(
    r"\b(?:seed|recovery|mnemonic|backup)(?:[ \t]+(?:phrase|words))?[ \t]*[:=][ \t]*[\"'`]?"
    r"(?P<v>(?:[a-z]{3,8}[ \t]+){11,23}[a-z]{3,8})",
    re.IGNORECASE,
)
_BASIC_USER = Pattern(
    r"\b(?:curl|wget|http|https|xh)\b[^\n]{0,200}?[ \t](?:-u|--user|-a|--auth)[ \t=]+"
    r"[\"']?[^\s:\"']{1,80}:(?P<v>[^\s\"'`]{4,200})"
)
_SHORT_FLAG = Pattern(
    r"\b(?:mysql(?:dump|admin)?\b[^\n|]{0,120}?[ \t]-p|sshpass[ \t]+-p[ \t]*"
    r"|(?:docker|podman|helm|az|oc)\b[^\n|]{0,120}?\blogin\b"
    r"[^\n|]{0,120}?[ \t]-p[ \t]+|redis-cli\b[^\n|]{0,120}?[ \t]-a[ \t]+|-pass(?:in|out)?[ \t]+pass:)"
    r"[\"']?(?P<v>[^\s\"'`|$<]{4,200})"
)
_TAGGED = Pattern(
    r"<[\w.:\-]{0,30}(?:pass(?:word|wd|phrase)?|pwd|secret|token|api-?key|private-?key)[\w.:\-]{0,10}"
    r"(?:[ \t][^<>]{0,80})?>"
    r"(?P<v>[^<>\s]{4,400})</",
    re.IGNORECASE,
)
_ATTRIBUTE = Pattern(
    r"\b(?:key|name)=[\"'][\w.:\-]{0,40}(?:password|passwd|pwd|secret|token|api-?key)[\w.:\-]{0,10}[\"']"
    r"[ \t]+value=[\"'](?P<v>[^\"']{4,400})[\"']",
    re.IGNORECASE,
)
_ENVIRONMENT = Pattern(
    r"(?<![A-Za-z0-9_])[A-Z0-9_]{0,60}(?:KEY|SECRET|TOKEN|PASS|PASSWORD|PASSWD|PWD|PW|PAT|DSN"
    r"|CREDENTIALS?)(?:_[A-Z0-9]{1,20}){0,3}"
    r"\d{0,2}(?<!_FILE)(?<!_PATH)(?<!_ID)(?<!_NAME)(?<!_URL)(?<!_TTL)(?<!_SIZE)(?<!_LENGTH)(?<!_LIMIT)(?<!_HEADER)(?<!_TYPE)"
    rf"[ \t]?=[ \t]?[\"']?(?P<v>[^\s\"'`<>|;){_PROSE}]{{6,400}})"
)
_SQL = Pattern(r"\b(?:identified[ \t]+by|with[ \t]+password|password)[ \t]+'(?P<v>[^'\s]{4,200})'", re.IGNORECASE)

# --- a word for a secret, then what it is -----------------------------------------------------------------------------

_WORD = (
    r"(?:pass(?:word|wd|phrase|code)|(?<![a-z])pass(?=[\"'`*]{0,3}[ \t]{0,2}[:=])|pwd|\bpw\b|\bpsk\b|secret|token"
    r"|credentials?"
    r"|(?:api|wi-?fi|wlan|wpa\d?|network|access|secret|private|signing|encryption|master|account|auth|service|session"
    r"|license|subscription|functions?|storage)[ _\-]?key"
    r"|passwort|kennwort|api[- ]?schlüssel|mot de passe|contraseña|senha|wachtwoord|lösenord|hasło|heslo|parola|şifre"
    r"|пароль|токен|密码|密碼|口令|密钥|密鑰|令牌|パスワード|비밀번호|토큰|mật khẩu|पासवर्ड|كلمة المرور|סיסמה)"
)
_QUOTE = r"[\"'`*_]{0,3}"
_VALUE = rf"(?P<v>(?![\[<{{$*%(])(?:(?!&[A-Za-z][\w.\-]{{1,40}}=)[^\s\"'`<>|,;)\]}}{_PROSE}]){{4,400}})"
_ASSIGNED = Pattern(
    rf"(?P<k>{_WORD})(?:(?<=[a-zA-Z])(?![a-zA-Z])|(?<![a-zA-Z]))\d{{0,2}}{_QUOTE}[ \t]{{0,4}}"
    rf"(?P<sep>:=|=>|=|:|：|\||,(?=[ \t]?[\"'])|(?:is|was|are|ist|war|lautet|est|es|är|jest|je|è|это|là)(?=[ \t])"
    rf"|[是为为は은는][:：]?)[ \t]{{0,4}}{_QUOTE}"
    rf"[ \t]{{0,2}}{_QUOTE}{_VALUE}",
    re.IGNORECASE,
)
_BEFORE = Pattern(
    rf"(?<![^\s\"'`*(]){_VALUE}[\"'`*)]{{0,3}}[ \t](?:is|as|=)[ \t](?:(?:the|our|my|her|his|their|its)[ \t])?"
    rf"(?:\w+[ \t]){{0,2}}?{_WORD}(?![A-Za-z])",
    re.IGNORECASE,
)
_FLAG = Pattern(rf"(?<![\w\-])--[a-z\-]{{0,20}}?{_WORD}[ \t=]+[\"']?{_VALUE}", re.IGNORECASE)
_ECHOED = Pattern(
    rf"\b(?:echo|printf)[ \t]+(?:-n[ \t]+)?[\"']?(?P<v>[A-Za-z0-9+/_.=~\-]{{12,400}})[\"']?[ \t]*[>|]"
    rf"[^\n]{{0,80}}?{_WORD}",
    re.IGNORECASE,
)
_OTHER_KEY = Pattern(
    r"(?:public|primary|foreign|cache|sort|partition|idempotency|object|row|natural|registry|host|map|storage|hash"
    r"|dedup|publishable|anon|site)"
    r"[ _\-]$",
    re.IGNORECASE,
)
_ANY_WORD = Pattern(rf"{_WORD}|\bkey(?![A-Za-z])", re.IGNORECASE)
_NEAR = Pattern(
    rf"(?:{_WORD}|\bkey)(?![A-Za-z])(?P<between>(?:[^\n.!?:=|]|\.(?=\w)){{0,60}}?)(?P<link>[:=,：，]|[ \t](?:is|was))?"
    r"[ \t]{0,2}[(\"'`*]{0,3}(?<![A-Za-z0-9_\-/.=])(?=[A-Za-z+/_.~\-]{0,400}\d)"
    r"(?P<v>[A-Za-z0-9+/_.~\-]{10,400}={0,2})(?![=\w])",
    re.IGNORECASE,
)
_CODED = Pattern(r"(?<![A-Za-z0-9_\-/.=])[A-Za-z0-9+/_.~\-]{10,400}={0,2}")
_REACH = 80
"""Characters behind a word in which its value begins."""
_TALK = Pattern(
    r"(?i)(?<![^\W_])(?:commit|release|revision|rev|sha\d*|hash\w*|digest|checksum|build|tag|version|branch|ref|pr|policy"
    r"|rotat\w*|fingerprint|thumbprint|length|expir\w*|limit|ttl|lifetime|name|named|variable|header|file|path|type|format"
    r"|field|id|ids|count|size|model|address|contract|symbol|issued"
    r"|budget|bucket|usage|scope|issuer|error|code|cache|primary|foreign|sort|partition|public|idempotency|ticket"
    r"|no|not|never|without)(?![^\W_])"
)
_WHENCE = Pattern(r"(?i)(?<![^\W_])(?:from|via|in|at|see|by)(?![^\W_])")
"""Words of where a key is from: it may be told of, unless it stands at the end of the line, behind a colon."""
_LONG = 20
"""Characters from which a value at the end of a line is a key, whoever put it there."""
_PREFIXED = Pattern(r"[a-z]{2,10}_(?:live|test|prod)_[a-z0-9]{20,}")
"""A key that says whose it is and whether it is for real, as those of Stripe do."""
_HOST = Pattern(r"[a-z0-9\-]+(?:\.[a-z0-9\-]+)*\.(?:[a-z]{2,}|\d{1,3})(?::\d+)?")
_DATE = Pattern(r"\d{4}-\d\d-\d\d")

_WORD_NEEDS_TEXT = (
    "pass pwd pw psk secret token credential key kennwort schlüssel mot contrase senha wachtwoord lösenord hasło heslo"
    " parola şifre пароль токен 密 口令 令牌 パスワード 비밀번호 토큰 mật पास كلمة סיסמה"
)
_WORD_NEEDS = _WORD_NEEDS_TEXT.split()


def is_elided(match: Match) -> bool:
    """Tell whether only the beginning of a key stands there, with dots for the rest."""
    value = trim(match["v"])
    return len(value) < _LEAST_WHOLE and match.string.startswith(("...", "…"), match.start("v") + len(value))


def _is_assigned(match: Match) -> bool:
    value, key, separator = trim(match["v"]), match["k"].casefold(), match["sep"]
    is_password = key.startswith(("pass", "pw"))
    if not is_password and is_elided(match):
        return False
    if not is_password and any(mark in value for mark in "/=(") and is_wordy(value.partition("(")[0]):
        return False
    if _is_named_resource(match):
        return False
    if key.startswith("credential") and re.fullmatch(r"\w+=\S*|[\w.+\-]+@[\w\-]+(?:\.[\w\-]+)+", value):
        return False
    if is_coded(value):
        return separator != "|" or len(value) >= 8
    if value.isdigit():
        return len(value) >= 6 and is_password and key != "pass" and separator in "=:："
    if not is_free(value) or is_named(value) or re.fullmatch(r"[\w]+(?:\.[a-zA-Z_]\w*)+", value):
        return False
    if match["k"].isupper() and separator == "=":
        return len(value) >= 6
    if key.startswith("credential"):
        return False
    has_mark = re.search(r"[!-~]", re.sub(r"[\w\-.:/=]", "", value)) and re.search(r"[A-Za-z]", value)
    return bool(has_mark) and len(value) >= 8


def _is_named_resource(match: Match) -> bool:
    """Tell whether it is a part of the name that a cloud gives a resource."""
    return "arn:" in match.string[max(0, match.start() - 100) : match.start()]


def _closes_line(match: Match) -> bool:
    """Tell whether a long value is all that stands behind a colon at the end of a line."""
    is_told = (match["link"] or "") in (":", "：", "=") and len(trim(match["v"])) >= _LONG
    return is_told and not match.string[match.end() :].strip(" \t\r.\"'`*)")


def _is_near(match: Match) -> bool:
    value, between = trim(match["v"]), match["between"]
    if len(value) < 10 or is_elided(match) or _is_named_resource(match) or _TALK.search(between) or not is_coded(value):
        return False
    if _WHENCE.search(between) and not _closes_line(match):
        return False
    if "`" in between.rstrip(" (`") and not match["link"]:
        return False
    if _HOST.fullmatch(value) or _DATE.search(value):
        return False
    if value.count("/") and not re.search(r"[A-Z].*[0-9]|[0-9].*[A-Z]", value):
        return False
    is_password = match[0][:4].casefold() in ("pass", "kenn", "wach")
    if not is_password and is_wordy(value):
        return False
    if match[0][:3].casefold() == "key":
        is_mixed = bool(re.search(r"[a-z]", value) and re.search(r"[A-Z]", value)) and not value.startswith("AAAA")
        other = _OTHER_KEY.search(match.string[max(0, match.start() - 16) : match.start()])
        return len(value) >= 20 and (is_mixed or _PREFIXED.fullmatch(value) is not None) and other is None
    link = between + (match["link"] or "")
    if is_password and re.search(r"[:：]|\bis\b", link):
        return True
    return len(value) >= 16 or bool(re.search(r"[A-Z]", value))


def _is_password_of_url(match: Match) -> bool:
    return is_free(match["v"]) and match["v"] != match["u"] and not is_elided(match)


def _is_paired(match: Match) -> bool:
    value = trim(match["v"])
    sorts = (re.search(sort, value) for sort in (r"[A-Za-z]", r"\d", r"[^\w.\-:/]"))
    return all(sorts) or (is_coded(value) and re.search(r"[-_.]v\d+$", value) is None)


def _is_door_code(match: Match) -> bool:
    value = match["v"]
    return 4 <= sum(char.isdigit() for char in value) <= 8 and not _DATE.search(value)


def _is(accepts: Callable[[str], bool]) -> Callable[[Match], bool]:
    return lambda match: accepts(trim(match["v"])) and not is_elided(match)


FORMS: tuple[Form, ...] = (
    Form("url-password", _URL_PASSWORD, _is_password_of_url, ("://",)),
    Form("url-password", _URL_USER, _is(is_varied), ("://",)),
    Form("url-query", _URL_QUERY, _is(is_coded), ("?", "&")),
    Form("bearer", _BEARER, _is(is_credential), ("bearer", "authorization")),
    Form("cookie", _COOKIE, _is(is_coded), ("cookie",)),
    Form("assignment", _ENVIRONMENT, _is(is_coded), ("=",)),
    Form("assignment", _TAGGED, _is(is_free), ("</",)),
    Form("assignment", _ATTRIBUTE, _is(is_free), ("value=",)),
    Form("assignment", _SQL, _is(is_free), ("identified", "password")),
    Form("seed-phrase", _SEED_PHRASE, lambda _: True, ("seed", "recovery", "mnemonic", "backup")),
    Form("login", _NETRC, _is(is_free), ("login",)),
    Form("login", _PAIRED, _is_paired, ("login", "log-in", "credential", "zugang", "anmeldung", "basic auth")),
    Form("login", _USER_AND, _is_paired, ("user", "benutzer", "login")),
    Form("code", _DOOR_CODE, _is_door_code, ("pin", "code", "combination", "门禁")),
    Form("login", _PGPASS, _is(is_free), (":",)),
    Form("login", _BASIC_USER, _is(is_free), ("curl", "wget", "http", "xh")),
    Form("login", _SHORT_FLAG, _is(is_free), ("-p", "redis-cli")),
    Form("flag", _FLAG, _is(is_coded), ("--",)),
    Form("near-word", _ECHOED, _is(is_coded), ("echo", "printf")),
    Form("near-word", _BEFORE, _is(is_coded), (" is ", " as ", " = ")),
    Form("assignment", _ASSIGNED, _is_assigned, _WORD_NEEDS),
    Form("near-word", _ANY_WORD, _is_near, _WORD_NEEDS, _NEAR),
)


def forms_in(lower: str) -> list[tuple[Form, list[str]]]:
    """Return the forms of which words stand in a text, which is given in lower case, with these words."""
    found = ((form, [need for need in form.needs if need in lower]) for form in FORMS)
    return [(form, needs) for form, needs in found if needs]
