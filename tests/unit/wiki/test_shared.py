"""The words that a claim shares with what it rests on."""

from __future__ import annotations

from curator.wiki.support.shared import SharedWords, shared_words


def test_words_of_one_family_and_numbers_are_shared_as_each_side_writes_them() -> None:
    shared = shared_words(
        "Oolong is brewed 3 times.", ["Brewing oolong takes patience,", "and is done 3 times in 12 hours."]
    )

    assert shared == SharedWords(("Oolong", "brewed", "3", "times"), ("Brewing", "oolong", "3", "times"))


def test_small_words_tell_nothing_and_without_a_quote_nothing_is_shared() -> None:
    assert shared_words("It is the one.", ["It is the other."]).of_claim == ()
    assert shared_words("Oolong is tea.", []) == SharedWords((), ())
