"""Whether a value that stands where a credential may stand is one, or a stand-in, a name, a word or a number."""

from __future__ import annotations

import re

from dreamreview.model.patterns import Pattern

_PLACEHOLDER = Pattern(
    r"(?i)^(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|key|api[_-]?key|user(?:name)?|change[_-]?(?:me|this|it)"
    r"|example|sample|dummy|placeholder|redacted|removed|hidden|masked|unset|none|null|nil|true|false|todo|tbd|test"
    r"|string|required|optional|foo|bar|foobar|abc123|secret123|password123)$"
    r"|…|\.\.\.|\*{3}|•{2}|x{3,}$|^x{3,}|\byour[_\-]|^my[_\-]|[_\-]here$|\[redacted\]|^%\w+%$|^\$\{?\w|^\{\{|^<\w"
    r"|example(?:key)?$"
)
_STAND_IN = Pattern(
    r"(?i)1234567890|0123456789|abcdefgh|qwertyui|deadbeef|x{6,}|0{12}|\b(?:redacted|example|placeholder|dummy|sample)\b"
    r"|(?:^|[_\-])(?:your|my|some|the|fake|insert|replace)[_\-]"
)
"""What an example of a key is made of; a password may hold it all the same."""
_REFERENCE = Pattern(
    r"^(?:[A-Z][A-Z0-9]*(?:_(?!\d{3})[A-Z0-9]+)+$"  # the name of a variable
    r"|[A-Z]{0,12}(?:ID|NAME|TOKEN|SECRET|KEY|PASSWORD|CODE|HERE)$"
    r"|(?:os|process|env|sys|config|settings|secrets|vault|self|this|ctx|request|ssm|op|file|https?|doppler|arn|ref"
    r"|sops|kms|aws|gcp|azure|keyring|Deno|Bun|System|Environment|getenv|import|awssm|secretsmanager)[.:\[+]"
    r"|~?\.{0,2}/[A-Za-z._]|[A-Za-z_][\w.]*\(|agent:[a-z][\w\-]*(?::|$))"  # where an agent's messages go
    r"|\.(?:md|py|js|ts|json|ya?ml|toml|env|txt|ini|cfg|pem|key|crt|go|rs|rb|sh|sql)$"
)
_NOT_SECRET = Pattern(
    r"(?i)^(?:1password|bitwarden|keepassx?c?|oauth2?|oauth2?\.\d|(?:hmac-?)?sha-?\d+|[hrep]s\d{3}|argon2\w*|bcrypt"
    r"|pbkdf2|base\d\d|ed25519|x25519|aes-?\d+(?:-\w+)?|utf-?\d+|v?\d{1,9}(?:\.\d{1,9})*(?:[-+]\w{1,15})?|\d{4}-\d\d(?:-\d\d)?\S*"
    r"|\d+[a-z]{1,3}|\d{1,6}(?:-\w{1,15}){1,2}|sha\d{3}[:\-].*|md5:.*|\$2[aby]\$.*|\$(?:1|5|6|apr1|y|argon2id?)\$.*)$"
)
"""A name of a program or of a method, a version, a date, a size, or a digest that says so."""
_SEGMENT = Pattern(r"[-_./+=:~$@]")
_WORDY = Pattern(r"[A-Za-z]?[a-z]*(?:[A-Z][a-z]+)*\d{0,2}|[A-Z]+|v?\d{1,3}[a-z]{0,2}")


def trim(value: str) -> str:
    """Return a value without the marks of the sentence or of the markup around it."""
    return value.rstrip(" \t\r\n.,:?*_`\"'([{").removesuffix("\\n")


def is_placeholder(value: str) -> bool:
    """Tell whether a value only says that a credential belongs there."""
    return _PLACEHOLDER.search(value) is not None


def is_varied(value: str) -> bool:
    """Tell whether it is no row of the same few characters, as in an example."""
    longest = max(re.split(r"[-_.]", value), key=len)
    return len(set(longest.casefold())) > 2 and not is_placeholder(value)


def is_wordy(value: str) -> bool:
    """Tell whether it is words and small numbers, as names of classes, packages and models are."""
    return all(_WORDY.fullmatch(part) for part in _SEGMENT.split(value))


def is_issued(value: str) -> bool:
    """Tell whether what begins as a key of an issuer goes on as one, and is no example or name that begins alike."""
    return is_varied(value) and not is_wordy(value) and not _STAND_IN.search(value)


def is_dense(value: str) -> bool:
    """Tell whether it is random letters of both cases and digits."""
    kinds = (r"[a-z]", r"[A-Z]", r"[0-9]")
    return all(re.search(kind, value) for kind in kinds) and len(set(value)) > 20


def is_free(value: str) -> bool:
    """Tell whether a person would type it as a password: anything that is no stand-in for one."""
    return bool(value) and not is_placeholder(value) and not _REFERENCE.search(value) and value[0] not in "<[{$%*("


def is_named(value: str) -> bool:
    """Tell whether it is a name, a version, a date or a digest, which stand beside such words as well."""
    return _NOT_SECRET.search(value) is not None


def is_coded(value: str) -> bool:
    """Tell whether it is a password or key by its look: letters and digits mixed, and no name."""
    if len(value) < 6 or not is_free(value) or is_named(value):
        return False
    return bool(re.search(r"\d", value) and re.search(r"[^\W\d_]", value)) and is_varied(value)


def is_credential(value: str) -> bool:
    """Tell whether it is what stands behind "Bearer" or "Basic": coded, or long and of mixed case."""
    is_mixed = re.search(r"[a-z][A-Z]|[A-Z]{2,}[a-z]|[A-Z]{6}", value)
    return is_coded(value) or bool(is_free(value) and is_mixed and is_varied(value))
