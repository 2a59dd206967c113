from __future__ import annotations

import pytest

from dreamreview.dream.similarity import content, scan
from dreamreview.dream.slots import names_of
from dreamreview.dream.tongues import german_root, is_german, russian_root, with_hours


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Der Kran wird jeden Morgen geölt.", True),
        ("Schlüssel hängen links", True),
        ("Kran im Hafen", True),
        ("The crane is oiled every morning.", False),
        ("Müller owns the crane and the boats.", False),
        ("Kranen smøres på mandag, når båten er inne", False),
        ("", False),
    ],
)
def test_german_is_told_by_its_small_words_and_letters(text: str, expected: bool) -> None:
    assert is_german(text) is expected


@pytest.mark.parametrize(
    "forms",
    [
        ("prüfen", "prüft", "geprüft", "prüfung", "prüfungen"),
        ("tag", "tage", "tagen"),
        ("rad", "räder", "rädern"),
        ("kunde", "kunden"),
        ("sichern", "gesichert", "sicherung"),
        ("abholen", "abgeholt", "abholung"),
    ],
)
def test_the_forms_of_a_german_word_have_one_root(forms: tuple[str, ...]) -> None:
    assert len({german_root(form) for form in forms}) == 1


@pytest.mark.parametrize(
    "forms",
    [
        ("билет", "билеты", "билета", "билетов"),
        ("копия", "копию", "копии"),
        ("орех", "орехи", "орехами"),
        ("числа", "числом", "числе"),
        ("бесплатный", "бесплатно", "бесплатная"),
    ],
)
def test_the_forms_of_a_russian_word_have_one_root(forms: tuple[str, ...]) -> None:
    assert len({russian_root(form) for form in forms}) == 1


def test_small_words_of_a_language_say_nothing() -> None:
    assert list(content(scan("Der Kran wird mit dem Öl von gestern geschmiert"))) == ["kran", "ol", "gest", "schmi"]
    assert list(content(scan("Он уже был там только с ней"))) == []


def test_german_nouns_are_no_names_but_a_bare_subject_is() -> None:
    texts = ("Lotte leitet die Werft.", "Die Werft prüft den Kran.", "Ein Kran steht am Kai.")
    assert names_of(texts) == {"lotte"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mails leave at six in the evening.", "Mails leave at 18:00."),
        ("We open at half past six.", "We open at 06:30."),
        ("Every night at a quarter past one", "Every night at 01:15"),
        ("Um 18 Uhr ist Schluss", "Um 18:00 ist Schluss"),
        ("um sieben morgens", "um 07:00"),
        ("в шесть вечера", "в 18:00"),
        ("前日の午後6時まで", "前日の18時まで"),
        ("下午3点开会", "15点开会"),
        ("每晚8点打开", "每晚20点打开"),
        ("Room 14 in the evening building", "Room 14 in the evening building"),
        ("six boats", "six boats"),
    ],
)
def test_hours_told_in_words_stand_in_figures(text: str, expected: str) -> None:
    assert with_hours(text) == expected
