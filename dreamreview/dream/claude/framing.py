"""How text of the memory is handed to the model as data: between marks that no text can foresee."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    """The marks of one dream."""

    nonce: str
    """Letters and digits that nobody who wrote the memory could know."""

    def around(self, what: str, text: str) -> str:
        """Return a text between its marks; a mark that it holds already is spoiled."""
        inner = text.replace(self.nonce, "·")
        return f"<<data {self.nonce} {what}>>\n{inner}\n<<end {self.nonce}>>"


def cut(text: str, most: int) -> str:
    """Return a text of at most so many characters, or its beginning and how much of it is not there."""
    return text if len(text) <= most else f"{text[:most]} (cut here: {len(text) - most:,} more characters)"
