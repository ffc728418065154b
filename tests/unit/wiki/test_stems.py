"""The stems that are written down are those that the stemmer gives, and nearly all that are asked for at the start."""

from __future__ import annotations

from snowballstemmer.english_stemmer import EnglishStemmer

from curator.wiki.english.stems import WRITTEN
from scripts.stems import stemmed


def test_what_is_written_down_is_what_the_stemmer_says() -> None:
    wrong = {word: stem for word, stem in WRITTEN.items() if EnglishStemmer().stemWord(word) != stem}

    assert wrong == {}


def test_few_words_are_stemmed_when_curator_is_loaded() -> None:
    missing = stemmed()

    assert len(missing) < 200, "write them down: python tests/scripts/stems.py"
