"""How the secrets of a memory stay at home: each is sent as a token, which is turned back only where it stood."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from dreamreview.model.secrets import MASK, find_secrets

_ROUNDS = 8
"""How often a text is searched again, since one secret taken out may bring another to light."""
SHORTEST_KNOWN = 5
"""Characters from which a secret that is known is looked for where nothing beside it says that it is one."""


class UnknownTokenError(Exception):
    """A text holds a token that stands for no secret of the lines it is to replace."""


class Veil:
    """Takes secrets out of what is sent, and puts them back into what comes home."""

    def __init__(self, nonce: str) -> None:
        """Make a veil whose tokens no text can foresee; `nonce` is made of letters and digits."""
        self._start = f"[hidden-{nonce}-"
        self._pattern = re.compile(re.escape(self._start) + r"\d+\]")
        self._lookalike = re.compile(r"\[hidden-\w{1,64}-\d+\]")
        self._tokens: dict[str, str] = {}
        self._secrets: dict[str, str] = {}

    def lines(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Return the lines of one text as they are sent: as many, their secrets replaced, also one over several lines.

        Args:
            texts: lines without terminators.
        """
        whole = "\n".join(texts)
        for _ in range(_ROUNDS):
            veiled = self._once(whole)
            if veiled == whole:
                break
            whole = veiled
        return tuple(whole.split("\n"))

    def text(self, text: str) -> str:
        """Return a text as it is sent: also without the secrets that are known from elsewhere."""
        for secret in sorted(self._tokens, key=len, reverse=True):
            if len(secret) >= SHORTEST_KNOWN and secret in text:
                alone = rf"(?<![^\W_]){re.escape(secret)}(?![^\W_])"
                text = re.sub(alone, self._tokens[secret], text)
        return "\n".join(self.lines(text.split("\n")))

    def beginning(self, text: str, most: int) -> str:
        """Return the beginning of a text as it is sent: cut once its secrets are out, a token whole or not at all."""
        sent = self.text(text)
        cut = next(
            (match.start() for match in self._pattern.finditer(sent) if match.start() < most < match.end()), most
        )
        return sent[:cut]

    def for_people(self, text: str) -> str:
        """Return a text as a person reads it: what the model wrote with tokens, and what we say with secrets."""
        return self._pattern.sub(MASK, self.text(text))

    def tokens_of(self, text: str) -> frozenset[str]:
        """Return the tokens of a text, also those that only look like one."""
        return frozenset(self._lookalike.findall(text))

    def revealed(self, text: str, allowed: Collection[str]) -> str:
        """Return a text with its tokens turned back into what they stand for.

        Raises:
            UnknownTokenError: it holds a token that is not among those allowed.
        """
        for token in sorted(self.tokens_of(text)):
            if token not in allowed:
                raise UnknownTokenError(token)
        return self._pattern.sub(lambda match: self._secrets.get(match[0], match[0]), text)

    def _once(self, whole: str) -> str:
        """Hide what is found in one search, but for tokens, which are hidden already."""
        parts: list[str] = []
        reach = 0
        for start, stop in self._bare(whole):
            parts += whole[reach:start], self._hidden(whole[start:stop])
            reach = stop
        return "".join([*parts, whole[reach:]])

    def _bare(self, whole: str) -> Iterator[tuple[int, int]]:
        """Yield the parts of secrets that are no tokens."""
        tokens = [match.span() for match in self._pattern.finditer(whole)]
        for span in find_secrets(whole):
            start = span.start
            for first, stop in tokens:
                if first < span.stop and start < stop:
                    if start < first:
                        yield start, first
                    start = stop
            if start < span.stop:
                yield start, span.stop

    def _hidden(self, secret: str) -> str:
        """Put tokens in the place of a secret, one for each line of it that says anything."""
        pieces = secret.split("\n")
        return "\n".join(self._token(piece) if any(map(str.isalnum, piece)) else piece for piece in pieces)

    def _token(self, secret: str) -> str:
        if secret not in self._tokens:
            token = f"{self._start}{len(self._tokens) + 1}]"
            self._tokens[secret] = token
            self._secrets[token] = secret
        return self._tokens[secret]
