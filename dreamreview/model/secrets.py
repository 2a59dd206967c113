"""Which parts of a text are credentials, and how such a text is shown to a reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from dreamreview.model.patterns import Pattern

SHORT_SECRET = 18
"""A secret below this length is shown as ``***``; a longer one keeps its ends. OpenClaw's log redactor."""

_SHORTEST = 8
"""Characters below which a line holds no secret with anything to say what it is."""

_LEAST_WHOLE = 24
"""Characters from which a key that ends in dots is shown far enough to be a secret all the same."""

MASK = "***"
REDACTED = "[redacted]"
"""What stands in a memory in place of a secret that was taken out."""


@dataclass(frozen=True, slots=True)
class SecretSpan:
    """A credential in a text."""

    start: int
    """First character."""
    stop: int
    """One past its last character."""
    rule: str
    """Name of the rule that knew it."""


def find_secrets(text: str) -> tuple[SecretSpan, ...]:
    """Return the credentials of a text in order, none overlapping; only the value, never the name beside it."""
    found = sorted(_candidates(text), key=lambda span: (span.start, -span.stop))
    merged: list[SecretSpan] = []
    for span in found:
        if merged and span.start < merged[-1].stop:
            last = merged[-1]
            merged[-1] = SecretSpan(last.start, max(last.stop, span.stop), last.rule)
        else:
            merged.append(span)
    return tuple(merged)


def mask(text: str) -> str:
    """Return the text with each credential reduced to its ends, for anything made for reading."""
    return _replace(text, _shown)


def masks_of(text: str) -> frozenset[str]:
    """Return what stands for the credentials of a text once it is masked."""
    return frozenset(_shown(text[span.start : span.stop]) for span in find_secrets(text))


def _shown(secret: str) -> str:
    return MASK if len(secret) < SHORT_SECRET else f"{secret[:6]}…{secret[-4:]}"


def redact(text: str) -> str:
    """Return the text with each credential replaced by `REDACTED`, so that none is left to find."""
    while find_secrets(text):
        text = _replace(text, lambda _: REDACTED)
    return text


def _replace(text: str, shown: Callable[[str], str]) -> str:
    parts: list[str] = []
    reach = 0
    for span in find_secrets(text):
        parts += text[reach : span.start], shown(text[span.start : span.stop])
        reach = span.stop
    return "".join([*parts, text[reach:]])


# --- shapes that speak for themselves ---------------------------------------------------------------------------------

_EDGE = r"(?<![A-Za-z0-9_])"
_TAIL = r"[A-Za-z0-9_\-]"
_PREFIXES = (
    rf"sk-{_TAIL}{{16,}}",
    r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{8,}",
    r"gh[oprsu]_[A-Za-z0-9]{16,}",
    r"github_pat_[A-Za-z0-9_]{16,}",
    rf"gl(?:pat|dt|rt|cbt|ptt|ft|soat)-{_TAIL}{{12,}}",
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",
    r"xox[abeoprs]-[A-Za-z0-9\-]{8,}",
    r"xapp-[A-Za-z0-9\-]{8,}",
    rf"AIza{_TAIL}{{24,}}",
    rf"ya29\.{_TAIL}{{16,}}",
    r"(?:gsk|npm|hf|r8|jina|lin_api|dop_v1|doo_v1|glsa|rubygems|ntn|secret|figd|whsec|sntry[su])_[A-Za-z0-9_\-]{16,}",
    r"(?:pplx|tvly|nvapi|xai|fc|m0|tskey|PMAK|NRAK|ATATT3|cloudinary)-?[A-Za-z0-9_\-]{20,}",
    r"ak_[A-Za-z0-9]{12,}",
    r"pypi-AgEI[A-Za-z0-9_\-]{16,}",
    r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{16,}",
    rf"SG\.{_TAIL}{{12,}}\.{_TAIL}{{12,}}",
    r"key-[0-9a-f]{24,}",
    r"dapi[0-9a-f]{24,}",
    rf"dckr_pat_{_TAIL}{{12,}}",
    rf"hv[sbr]\.{_TAIL}{{16,}}",
    r"AGE-SECRET-KEY-1[A-Z0-9]{20,}",
    rf"sq0(?:atp|csp)-{_TAIL}{{16,}}",
    r"(?:bot)?\d{6,12}:AA[A-Za-z0-9_\-]{20,}",
    r"(?<=hooks\.slack\.com/services/)[A-Za-z0-9/]{16,}",
    r"(?<=/api/webhooks/)\d{6,}/[A-Za-z0-9_\-]{16,}",
)
_KEY_PREFIX = Pattern(_EDGE + r"(?P<v>" + "|".join(_PREFIXES) + r")")
_JWT = Pattern(_EDGE + r"(?P<v>eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}(?:\.[A-Za-z0-9_\-]*)?)")
_PEM = Pattern(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PEM_LINES = Pattern(r"(?:(?:\\n|[\s>])+[A-Za-z0-9+/=]{16,})+")
_PEM_LIMIT = 16_000
"""Characters after which a key without an end is no key."""
_PEM_WIDTH = 60
_PEM_BODY = Pattern(r"[ \t>]*(?P<v>[A-Za-z0-9+/]{60,76}={0,2})[ \t\r]*$")
_URL_PASSWORD = Pattern(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.\-]{1,20}://[^\s/:@]{0,80}:(?P<v>[^\s/@]{3,200})@")
_URL_USER = Pattern(r"(?<![A-Za-z0-9])https?://(?P<v>[0-9a-f]{32})@")
_URL_QUERY = Pattern(
    r"[?&](?:access_token|auth_token|token|api_?key|key|secret|password|sig|signature|x-amz-signature)"
    r"=(?P<v>[A-Za-z0-9_%.~+/\-]{12,500})",
    re.IGNORECASE,
)
_BEARER = Pattern(
    r"\b(?:bearer|authorization:[ \t]*(?:token|basic))[ \t]+(?P<v>[A-Za-z0-9._~+/=\-]{12,2000})", re.IGNORECASE
)
_NETRC = Pattern(r"\blogin[ \t]+\S{1,80}[ \t]+password[ \t]+(?P<v>\S{4,200})", re.IGNORECASE)
_COOKIE = Pattern(r"\bcookie:[ \t]*[\w.\-]{1,60}=(?P<v>[A-Za-z0-9._~+/=%\-]{12,2000})", re.IGNORECASE)
_PROSE = r"\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff01-\uff65"
"""Letters and marks of Chinese, Japanese and Korean: no key has any, a remark behind one does."""
_ENVIRONMENT = Pattern(
    r"(?<![A-Za-z0-9_])[A-Z0-9_]{0,60}(?:KEY|SECRET|TOKEN|PASS|PASSWORD|PASSWD|PWD"
    r"|CREDENTIALS?)(?:_[A-Z0-9]{1,20}){0,3}"
    r"\d{0,2}(?<!_FILE)(?<!_PATH)(?<!_ID)(?<!_NAME)(?<!_URL)(?<!_TTL)(?<!_SIZE)(?<!_LENGTH)(?<!_LIMIT)(?<!_HEADER)(?<!_TYPE)"
    rf"=[\"']?(?P<v>[^\s\"'`<>|;){_PROSE}]{{6,400}})"
)
_SEED_PHRASE = Pattern(
    r"\b(?:seed|recovery|mnemonic)[ \t]+(?:phrase"
    r"|words)[ \t]*[:=][ \t]*[\"'`]?(?P<v>(?:[a-z]{3,8}[ \t]+){11,23}[a-z]{3,8})",
    re.IGNORECASE,
)
_BASIC_USER = Pattern(r"\bcurl\b[^\n]{0,200}?[ \t](?:-u|--user)[ \t=]+[\"']?[^\s:\"']{1,80}:(?P<v>[^\s\"'`]{4,200})")

# --- values beside a word for a secret --------------------------------------------------------------------------------

_WORD = (
    r"(?:pass(?:word|wd|phrase|code)|(?<![a-z])pass(?=[\"'`*]{0,3}[ \t]{0,2}[:=])|pwd|\bpw\b|\bpsk\b|secret|token"
    r"|credentials?"
    r"|api[ _\-]?key|(?:access|secret|private|signing|encryption|master|account|auth|service|session|license)[ _\-]?key"
    r"|passwort|kennwort|api[- ]?schlüssel|mot de passe|contraseña|senha|wachtwoord|пароль|токен|密码|口令|密钥|令牌"
    r"|パスワード|비밀번호)"
)
_QUOTE = r"[\"'`*_]{0,3}"
_VALUE = rf"(?P<v>(?![\[<{{$*%(])(?:(?!&[A-Za-z][\w.\-]{{1,40}}=)[^\s\"'`<>|,;)\]}}{_PROSE}]){{4,400}})"
_ASSIGNED = Pattern(
    rf"(?P<k>{_WORD})(?:(?<=[a-zA-Z])(?![a-zA-Z])|(?<![a-zA-Z]))\d{{0,2}}{_QUOTE}[ \t]{{0,4}}"
    rf"(?P<sep>:=|=>|=|:|：|\||(?:is|was|are|ist|war|lautet|est|es|är)(?=[ \t])|[是为は][:：]?)[ \t]{{0,4}}{_QUOTE}"
    rf"[ \t]{{0,2}}{_QUOTE}{_VALUE}",
    re.IGNORECASE,
)
_BEFORE = Pattern(
    rf"(?<![^\s\"'`*(]){_VALUE}[\"'`*)]{{0,3}}[ \t](?:is|as|=)[ \t](?:(?:the|our|my|her|his|their|its)[ \t])?"
    rf"(?:\w+[ \t]){{0,2}}?{_WORD}(?![A-Za-z])",
    re.IGNORECASE,
)
_FLAG = Pattern(rf"--[a-z\-]{{0,20}}{_WORD}[ \t=]+[\"']?{_VALUE}", re.IGNORECASE)
_OTHER_KEY = Pattern(
    r"(?:public|primary|foreign|cache|sort|partition|idempotency|object|row|natural|registry|host|map|storage|hash"
    r"|dedup)"
    r"[ _\-]$",
    re.IGNORECASE,
)
_ANY_WORD = Pattern(rf"{_WORD}|\bkey(?![A-Za-z])", re.IGNORECASE)
_NEAR = Pattern(
    rf"(?:{_WORD}|\bkey)(?![A-Za-z])(?P<between>[^\n.!?:=|]{{0,60}}?)(?P<link>[:=,：，]|[ \t](?:is|was))?"
    r"[ \t]{0,2}[(\"'`*]{0,3}(?<![A-Za-z0-9_\-/.=])(?P<v>[A-Za-z0-9+/_.~\-]{10,400}={0,2})(?![=\w])",
    re.IGNORECASE,
)

_PLACEHOLDER = Pattern(
    r"(?i)^(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|key|api[_-]?key|user(?:name)?|change[_-]?(?:me|this|it)"
    r"|example|sample|dummy|placeholder|redacted|removed|hidden|masked|unset|none|null|nil|true|false|todo|tbd|test"
    r"|string|required|optional|foo|bar|foobar|abc123|secret123|password123)$"
    r"|…|\.\.\.|\*{3}|•{2}|x{4,}$|^x{3,}|\byour[_\-]|^my[_\-]|[_\-]here$|\[redacted\]|^%\w+%$|^\$\{?\w|^\{\{|^<\w"
)
_REFERENCE = Pattern(
    r"^(?:[A-Z][A-Z0-9]*(?:_(?!\d{3})[A-Z0-9]+)+$"  # the name of a variable
    r"|[A-Z]{0,12}(?:ID|NAME|TOKEN|SECRET|KEY|PASSWORD|CODE|HERE)$"
    r"|(?:os|process|env|sys|config|settings|secrets|vault|self|this|ctx|request|ssm|op|file|https?|doppler)[.:\[]"
    r"|~?\.{0,2}/[A-Za-z._]|[A-Za-z_][\w.]*\(|agent:[a-z][\w\-]*(?::|$))"  # where an agent's messages go
    r"|\.(?:md|py|js|ts|json|ya?ml|toml|env|txt|ini|cfg|pem|key|crt|go|rs|rb|sh|sql)$"
)
_NOT_SECRET = Pattern(
    r"(?i)^(?:1password|bitwarden|keepassx?c?|oauth2?|oauth2?\.\d|(?:hmac-?)?sha-?\d+|[hrep]s\d{3}|argon2\w*|bcrypt"
    r"|pbkdf2|base\d\d|ed25519|x25519|aes-?\d+(?:-\w+)?|utf-?\d+|v?\d+(?:\.\d+)*(?:[-+]\w+)?|\d{4}-\d\d(?:-\d\d)?\S*"
    r"|\d+[a-z]{1,3}|\d+(?:-\w+){1,2})$"
)
_TALK = Pattern(
    r"(?i)\b(?:commit|release|revision|rev|sha\d*|hash|digest|checksum|build|tag|version|branch|ref|pr|policy|rotat\w*"
    r"|fingerprint|thumbprint|length|expir\w*|limit|ttl|lifetime|name|named|variable|header|file|path|type|format"
    r"|field|id|ids|count|size"
    r"|budget|bucket|usage|scope|issuer|error|code|cache|primary|foreign|sort|partition|public|idempotency|ticket"
    r"|from|via|in|at|see|no|not|never|without)\b"
)


def _candidates(text: str) -> Iterator[SecretSpan]:
    if "-----BEGIN" in text:
        keys = list(_private_keys(text))
        yield from keys
        text = _blanked(text, keys)
    begin = 0
    for line in text.split("\n"):
        while spans := list(_in_line(line)) if len(line) >= _SHORTEST else []:
            yield from (SecretSpan(begin + span.start, begin + span.stop, span.rule) for span in spans)
            line = _blanked(line, spans)  # noqa: PLW2901 - what is found is taken out, another may stand behind it
        begin += len(line) + 1


def _blanked(line: str, spans: Iterable[SecretSpan]) -> str:
    """Return a line of the same length in which the secrets read as taken out."""
    for span in spans:
        line = f"{line[: span.start]}{'[' + '•' * (span.stop - span.start - 1)}{line[span.stop :]}"
    return line


def _in_line(line: str) -> Iterator[SecretSpan]:
    """Yield the secrets of one line; a rule is tried only where one of the words it needs is there."""
    lower = line.lower()
    for rule, pattern, accepts, needs in _RULES:
        if any(need in lower for need in needs):
            for match in pattern.finditer(line):
                if accepts(_trim(match["v"])) and not _is_elided(match):
                    yield _span(match, rule)
    if len(line) >= _PEM_WIDTH and (body := _PEM_BODY.match(line)) and _is_dense(body["v"]):
        yield _span(body, "private-key")
    if any(word in lower for word in _NEAR_NEEDS):
        for match in _ASSIGNED.finditer(line):
            if _is_assigned(match) and (match["k"].casefold().startswith(("pass", "pw")) or not _is_elided(match)):
                yield _span(match, "assignment")
        for word in _ANY_WORD.finditer(line):
            near = _NEAR.match(line, word.start())
            if near and _is_near(near) and not _is_elided(near):
                yield _span(near, "near-word")


def _private_keys(text: str) -> Iterator[SecretSpan]:
    for begin in _PEM.finditer(text):
        end = text.find("-----END", begin.end(), begin.end() + _PEM_LIMIT)
        if end < 0:
            lines = _PEM_LINES.match(text, begin.end(), begin.end() + _PEM_LIMIT)
            end = lines.end() if lines else begin.end()
        body = text[begin.end() : end]
        start = begin.end() + len(body) - len(body.lstrip())
        if len(body.strip()) >= 8 and not _PLACEHOLDER.search(body.strip()):
            yield SecretSpan(start, begin.end() + len(body.rstrip()), "private-key")


def _span(match: re.Match[str], rule: str) -> SecretSpan:
    start = match.start("v") + len(match["v"]) - len(match["v"].lstrip())
    return SecretSpan(start, match.start("v") + len(_trim(match["v"])), rule)


def _trim(value: str) -> str:
    return value.rstrip(" \t\r\n.,:!?*_`\"'").removesuffix("\\n")


def _is_elided(match: re.Match[str]) -> bool:
    """Tell whether only the beginning of a key stands there, with dots for the rest."""
    value = _trim(match["v"])
    return len(value) < _LEAST_WHOLE and match.string.startswith(("...", "…"), match.start("v") + len(value))


def _is_varied(value: str) -> bool:
    """Not a row of the same few characters, as in an example."""
    longest = max(re.split(r"[-_.]", value), key=len)
    return len(set(longest.casefold())) > 2 and not _PLACEHOLDER.search(value)


def _is_dense(value: str) -> bool:
    kinds = (r"[a-z]", r"[A-Z]", r"[0-9]")
    return all(re.search(kind, value) for kind in kinds) and len(set(value)) > 20


def _is_free(value: str) -> bool:
    """Anything that a person would type as a password, but no stand-in for one."""
    return bool(value) and not _PLACEHOLDER.search(value) and not _REFERENCE.search(value) and value[0] not in "<[{$%*("


def _is_coded(value: str) -> bool:
    """A password or key by its look: letters and digits mixed, and no word, version, date, path or name."""
    if len(value) < 6 or not _is_free(value) or _NOT_SECRET.search(value):
        return False
    return bool(re.search(r"\d", value) and re.search(r"[^\W\d_]", value)) and _is_varied(value)


def _is_credential(value: str) -> bool:
    """What stands behind "Bearer" or "Basic": coded, or long and of mixed case."""
    is_mixed = re.search(r"[a-z][A-Z]|[A-Z]{2,}[a-z]|[A-Z]{6}", value)
    return _is_coded(value) or bool(_is_free(value) and is_mixed and _is_varied(value))


def _is_assigned(match: re.Match[str]) -> bool:
    value, key, separator = _trim(match["v"]), match["k"], match["sep"]
    if _is_coded(value):
        return separator != "|" or len(value) >= 8
    if not _is_free(value) or _NOT_SECRET.search(value) or re.fullmatch(r"[\w]+(?:\.[a-zA-Z_]\w*)+", value):
        return False
    if value.isdigit():
        return len(value) >= 6 and key.casefold().startswith("pass") and separator in "=:："
    if key.isupper() and separator == "=":
        return len(value) >= 6
    if key.casefold().startswith("credential"):
        return False
    return (
        bool(re.search(r"[!-~]", re.sub(r"[\w\-.:/=]", "", value)) and re.search(r"[A-Za-z]", value))
        and len(value) >= 8
    )


def _is_near(match: re.Match[str]) -> bool:
    value, between = _trim(match["v"]), match["between"]
    if len(value) < 10 or _TALK.search(between) or not _is_coded(value):
        return False
    if re.fullmatch(r"[a-z0-9\-]+(?:\.[a-z0-9\-]+)+(?::\d+)?", value) or re.search(r"\d{4}-\d\d-\d\d", value):
        return False
    if value.count("/") and not re.search(r"[A-Z].*[0-9]|[0-9].*[A-Z]", value):
        return False
    if match[0][:3].casefold() == "key":
        is_mixed = re.search(r"[a-z]", value) and re.search(r"[A-Z]", value) and not value.startswith("AAAA")
        other = _OTHER_KEY.search(match.string[max(0, match.start() - 16) : match.start()])
        return len(value) >= 20 and bool(is_mixed) and other is None
    link = between + (match["link"] or "")
    if match[0][:4].casefold() in ("pass", "kenn", "wach") and re.search(r"[:：]|\bis\b", link):
        return True
    return len(value) >= 16 or bool(re.search(r"[A-Z]", value))


_NEAR_NEEDS = re.split(
    " ",
    "pass pwd pw psk secret token credential key kennwort schlüssel mot contrase senha wachtwoord пароль токен 密 口令"
    " 令牌 パスワード 비밀번호",
)
_PREFIX_NEEDS = re.split(
    " ",
    "sk- k_live_ k_test_ k_prod_ ghp_ gho_ ghr_ ghs_ ghu_ github_pat_ gl akia asia abia acca xox xapp- aiza ya29. gsk_"
    " npm_ hf_ r8_ jina_ lin_api_ _v1_ glsa_ rubygems_ ntn_ secret_ figd_ whsec_ sntry pplx tvly nvapi xai fc m0"
    " tskey pmak nrak atatt3 cloudinary ak_ pypi- shp sg. key- dapi dckr_pat_ hv age-secret sq0 :aa hooks.slack.com"
    " /api/webhooks/",
)
_RULES: tuple[tuple[str, Pattern, Callable[[str], bool], Sequence[str]], ...] = (
    ("key-prefix", _KEY_PREFIX, _is_varied, _PREFIX_NEEDS),
    ("jwt", _JWT, _is_varied, ("eyj",)),
    ("url-password", _URL_PASSWORD, _is_free, ("://",)),
    ("url-password", _URL_USER, _is_varied, ("://",)),
    ("url-query", _URL_QUERY, _is_coded, ("?", "&")),
    ("bearer", _BEARER, _is_credential, ("bearer", "authorization")),
    ("bearer", _COOKIE, _is_coded, ("cookie",)),
    ("assignment", _ENVIRONMENT, _is_coded, ("=",)),
    ("seed-phrase", _SEED_PHRASE, bool, ("seed", "recovery", "mnemonic")),
    ("netrc", _NETRC, _is_free, ("login",)),
    ("basic-auth", _BASIC_USER, _is_free, ("curl",)),
    ("flag", _FLAG, _is_coded, ("--",)),
    ("near-word", _BEFORE, _is_coded, (" is ", " as ", " = ")),
)
"""Name, pattern, what its value must be, and words of which one is there (lower case) wherever it matches."""
