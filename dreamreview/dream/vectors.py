"""Sentence vectors of the `semantic` extra: which statements are near in meaning, by a model that lies on this machine.

Nothing is fetched: the vectors come with the extra, or lie in a folder that the user names. They gather candidates and
lower the bar a little; amounts, names, scope and denial decide as ever.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from glob import glob
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from dreamreview.dream.engine import EngineError

if TYPE_CHECKING:
    from dreamreview.dream.vector_cache import VectorCache

AUTO = "auto"
"""Use the vectors of the extra where it is installed."""
OFF = "off"
"""Use none."""
NEEDED = ("numpy", "safetensors", "tokenizers")
"""What a model is read with."""
BUNDLE = "wordllama"
"""The package of the extra that brings vectors: static ones of 256 dimensions, in its wheel. MIT licence."""
NEIGHBOURS = 5
"""Texts that each text is held against for its vector alone."""
NEAR = 0.55
"""Cosine from which two texts are worth a look."""
SURE = 0.85
"""Cosine from which no more is gained."""
MOST = 20_000
"""Texts up to which each is held against all others; in a larger store vectors gather no candidates."""
_BLOCK = 1_024


@dataclass(frozen=True)
class Vectors:
    """The unit vectors of some texts, one row each."""

    rows: Any
    """A matrix of 32-bit floats; a text without a known word is a row of zeros."""

    def cosine(self, one: int, other: int) -> float:
        """Return how near two texts are, -1 to 1."""
        return float(self.rows[one] @ self.rows[other])

    def nearness(self, one: int, other: int) -> float:
        """Return how near two texts are beyond what any two are, 0 to 1."""
        return min(max((self.cosine(one, other) - NEAR) / (SURE - NEAR), 0.0), 1.0)

    def neighbours(self) -> list[tuple[int, int]]:
        """Return the pairs of texts that are near, lower index first, in order."""
        count = len(self.rows)
        if count > MOST:
            return []
        numpy = import_module("numpy")
        found: set[tuple[int, int]] = set()
        for start in range(0, count, _BLOCK):
            near = self.rows[start : start + _BLOCK] @ self.rows.T
            for at, row in enumerate(near, start=start):
                row[at] = -1.0
                best = numpy.argsort(-row, kind="stable")[:NEIGHBOURS]
                found.update((min(at, int(to)), max(at, int(to))) for to in best if row[to] >= NEAR)
        return sorted(found)


@dataclass(frozen=True)
class Model:
    """A static model: the vector of a text is the mean of the vectors of its pieces."""

    name: str
    """Digest of its weights."""
    tokenizer: Any
    table: Any
    cache: VectorCache | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of some texts; those that are kept from before are not made again."""
        numpy = import_module("numpy")
        size = self.table.shape[1]
        digests = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        known = self.cache.get(self.name, digests) if self.cache else {}
        rows = numpy.zeros((len(texts), size), dtype=numpy.float32)
        fresh: dict[bytes, bytes] = {}
        for at, (text, digest) in enumerate(zip(texts, digests, strict=True)):
            kept = known.get(digest)
            if kept is not None and len(kept) == 4 * size:
                rows[at] = numpy.frombuffer(kept, dtype=numpy.float32)
                continue
            ids = [
                piece for piece in self.tokenizer.encode(text, add_special_tokens=False).ids if piece < len(self.table)
            ]
            if ids:
                mean = self.table[ids].mean(axis=0, dtype=numpy.float32)
                rows[at] = mean / (numpy.linalg.norm(mean) or 1.0)
            fresh[digest] = rows[at].tobytes()
        if self.cache and fresh:
            self.cache.put(self.name, fresh)
        return Vectors(rows)


def find(semantic: str, cache: str | None) -> Model | None:
    """Return the model that the user's configuration means, None where it means none or the extra is not installed.

    Args:
        semantic: `AUTO`, `OFF`, or a folder with ``tokenizer.json`` and ``model.safetensors`` (as Model2Vec saves one).
        cache: folder for the vectors of texts seen before, None to keep none.

    Raises:
        EngineError: a folder is named and holds no model, or the extra is not installed.
    """
    if semantic == OFF or (semantic == AUTO and not _is_installed((*NEEDED, BUNDLE))):
        return None
    if not _is_installed(NEEDED):
        raise EngineError("sentence vectors need the semantic extra: pip install 'dreamreview[semantic]'")
    tokenizer, weights = _bundled() if semantic == AUTO else _in_folder(semantic)
    return _load(tokenizer, weights, cache) if tokenizer else None


def _is_installed(names: Sequence[str]) -> bool:
    return all(find_spec(name) is not None for name in names)


def _bundled() -> tuple[str, str]:
    spec = find_spec(BUNDLE)
    base = next(iter(spec.submodule_search_locations or ()), "") if spec else ""
    found = (
        sorted(glob(os.path.join(base, "tokenizers", "*.json"))),
        sorted(glob(os.path.join(base, "weights", "*.safetensors"))),
    )
    return (found[0][0], found[1][0]) if all(found) else ("", "")


def _in_folder(folder: str) -> tuple[str, str]:
    paths = (os.path.join(folder, "tokenizer.json"), os.path.join(folder, "model.safetensors"))
    for path in paths:
        if not os.path.isfile(path):
            raise EngineError(f"semantic: there is no {os.path.basename(path)} in {folder}; name the folder of a model")
    return paths


@lru_cache(maxsize=2)
def _load(tokenizer: str, weights: str, cache: str | None) -> Model:
    from dreamreview.dream.vector_cache import VectorCache

    data, described = _read(weights), _read(tokenizer)
    broken = import_module("safetensors").SafetensorError
    try:
        tensors = import_module("safetensors.numpy").load(data)
        is_tokenizer = "type" in json.loads(described)["model"]
    except (broken, ValueError, KeyError, TypeError) as error:
        raise EngineError(
            f"semantic: {weights} is no model that can be read: {' '.join(str(error).split())}"
        ) from error
    if not is_tokenizer:
        raise EngineError(f"semantic: {tokenizer} describes no tokenizer")
    pieces = import_module("tokenizers").Tokenizer.from_str(described.decode("utf-8"))
    tables = [tensor for _, tensor in sorted(tensors.items()) if tensor.ndim == 2]
    if not tables:
        raise EngineError(f"semantic: {weights} holds no table of vectors")
    pieces.no_padding()
    pieces.no_truncation()
    table = max(tables, key=lambda tensor: tensor.shape[0])
    name = hashlib.sha256(data).hexdigest()
    return Model(name, pieces, table.astype("float32"), VectorCache(cache) if cache else None)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise EngineError(f"semantic: {path} cannot be read: {(error.strerror or str(error)).lower()}") from error
