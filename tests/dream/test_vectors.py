from __future__ import annotations

import os
import stat
from datetime import date
from pathlib import Path

import pytest

from dreamreview.dream import vectors
from dreamreview.dream.claims import know
from dreamreview.dream.engine import Corpus, EngineError
from dreamreview.dream.judging import looked_at
from dreamreview.dream.relation import Kinship
from dreamreview.dream.vector_cache import VectorCache
from dreamreview.model.markdown import parse

np = pytest.importorskip("numpy")
safetensors = pytest.importorskip("safetensors.numpy")
tokenizers = pytest.importorskip("tokenizers")

MEANINGS = (
    ("oven", "stove"),
    ("heat", "hot"),
    ("forty", "minutes"),
    ("takes", "load"),
    ("lamp", "lantern"),
    ("green", "mole"),
    ("red", "buoy"),
)
"""Words of which each pair has one direction: a model that knows a few words."""


@pytest.fixture
def model(tmp_path: Path) -> str:
    """Lay a static model of a few words, by random projection, as Model2Vec saves one; return its folder."""
    words = ["[UNK]", *(word for meaning in MEANINGS for word in meaning)]
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({word: at for at, word in enumerate(words)}, "[UNK]"))
    made.normalizer = tokenizers.normalizers.Lowercase()
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    directions = np.random.default_rng(7).normal(size=(len(MEANINGS), 32))
    table = np.vstack([np.zeros((1, 32)), np.repeat(directions, 2, axis=0)]).astype(np.float32)
    folder = tmp_path / "model"
    folder.mkdir()
    made.save(str(folder / "tokenizer.json"))
    safetensors.save_file({"embeddings": table}, str(folder / "model.safetensors"))
    return str(folder)


def _found(model: str, cache: str | None = None) -> vectors.Model:
    found = vectors.find(model, cache)
    assert found is not None
    return found


def test_texts_of_one_meaning_are_neighbours(model: str) -> None:
    made = _found(model).embed(["oven heat", "stove hot", "lamp green", "", "unheard of"])
    assert made.neighbours() == [(0, 1)]
    assert made.cosine(0, 1) == pytest.approx(1.0, abs=1e-5)
    assert made.nearness(0, 1) == 1.0
    assert made.nearness(0, 2) == 0.0
    assert made.cosine(3, 0) == made.cosine(4, 0) == 0.0


def test_vectors_bring_together_what_no_word_does_and_slots_decide(model: str) -> None:
    said = "- The oven takes forty minutes to heat.\n"
    texts = {"a.md": said, "b.md": "- Load it hot after 40 minutes: the stove.\n", "c.md": "- The lamp is green.\n"}
    documents = {path: parse(path, text.encode()) for path, text in texts.items()}
    corpus = Corpus(documents=documents, files=frozenset(texts), today=date(2026, 9, 15))

    def same(found: vectors.Model | None) -> list[tuple[str, str]]:
        verdicts = looked_at(know(corpus, found))
        return [(v.one.path, v.other.path) for v in verdicts if v.relation.kinship is Kinship.DUPLICATE]

    assert same(None) == []
    assert same(_found(model)) == [("a.md", "b.md")]
    documents["b.md"] = parse("b.md", b"- Load it hot after 50 minutes: the stove.\n")
    assert same(_found(model)) == []


def test_a_vector_is_kept_by_the_digest_of_its_text_for_its_owner_alone(model: str, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first = _found(model, str(cache)).embed(["oven heat", "lamp green"]).rows
    (file,) = cache.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert b"oven" not in file.read_bytes()
    found = _found(model, str(cache))
    kept = vectors.Model(found.name, None, found.table, VectorCache(str(cache)))
    assert (kept.embed(["lamp green", "oven heat"]).rows == first[::-1]).all()


@pytest.mark.parametrize("damage", [b"", b"not a database at all, but long enough to look like a file of some kind"])
def test_a_cache_that_cannot_be_used_costs_time_alone(model: str, tmp_path: Path, damage: bytes) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "vectors.sqlite").write_bytes(damage)
    assert _found(model, str(cache)).embed(["oven heat"]).rows.any()


def test_nothing_is_looked_for_where_the_user_wants_none(model: str) -> None:
    assert vectors.find(vectors.OFF, None) is None
    assert _found(model).name == _found(model).name


def test_without_the_extra_a_dream_does_without_and_a_named_model_says_what_to_install(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "find_spec", lambda _name: None)
    assert vectors.find(vectors.AUTO, None) is None
    with pytest.raises(EngineError, match=r"pip install 'dreamreview\[semantic\]'"):
        vectors.find(model, None)


def test_a_folder_without_a_model_is_named(model: str, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"there is no tokenizer\.json in .*; name the folder of a model"):
        vectors.find(str(tmp_path), None)
    Path(model, "model.safetensors").write_bytes(b"no weights")
    vectors._load.cache_clear()
    with pytest.raises(EngineError, match="is no model that can be read"):
        vectors.find(model, None)
    os.remove(os.path.join(model, "model.safetensors"))
    with pytest.raises(EngineError, match=r"there is no model\.safetensors"):
        vectors.find(model, None)
