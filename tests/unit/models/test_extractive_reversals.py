"""What a later statement takes back in the same words, and what only sounds like it."""

from __future__ import annotations

import pytest

from curator.models.extractive.reversals import Reversals, taken_back

NAMES = ("Dax valve", "TypedDict", "Wheel")


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The Dax valve can now be opened in winter.", "The Dax valve cannot be opened in winter."),
        ("Since the law of 2020 the Dax valve can be closed by hand.", "The Dax valve cannot be closed by hand."),
        ("Since PEP 655 the Dax valve may be painted.", "The Dax valve must not be painted."),
        ("As of 2021 the Dax valve is supported by Kiel.", "The Dax valve is not supported by Kiel."),
        ("Since PEP 655, a TypedDict can mix both kinds of keys.", "A TypedDict cannot mix both kinds of keys."),
        ("From version 3 on the Dax valve opens at 24 bar.", "The Dax valve opens at 21 bar."),
        ("The Dax valve opens at 29 bar since the works of 2021.", "The Dax valve opens at 22 bar."),
        ("The Dax valve no longer opens at 21 bar; it opens at 24 bar.", "The Dax valve opens at 21 bar."),
        ("The Dax valve now takes two keys.", "The Dax valve takes one key."),
        ("The Dax valve cannot be painted any more.", "The Dax valve can be painted."),
        ("A wheel can now contain compiled extension modules.", "A wheel cannot contain compiled extension modules."),
        ("The Dax valve must no longer be painted.", "The Dax valve should be painted."),
        ("The Dax valve no longer must be painted.", "The Dax valve must be painted."),
        ("The Dax valve may no longer be painted.", "The Dax valve may be painted."),
        ("Since 2020 the Dax valve must be painted.", "The Dax valve cannot be painted."),
        ("The Dax valve now has a lid of tin.", "The Dax valve has no lid of tin."),
        ("The Dax valve (no. 3) can now be opened.", "The Dax valve (no. 3) cannot be opened."),
    ],
)
def test_what_is_told_as_a_change_takes_back_the_same_words(new: str, old: str) -> None:
    assert taken_back(old, Reversals(["It is blue.", new]).about(NAMES)) == 1


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (
            "The Dax valve can be opened in winter.",
            "The Dax valve cannot be opened in winter.",
        ),  # nothing tells a change
        ("The Dax valve can now be opened in summer.", "The Dax valve cannot be opened in winter."),
        ("The Dax valve can now be opened.", "The Dax valve cannot be opened in winter."),
        ("The old Dax valve can now be opened.", "The Dax valve cannot be opened."),
        ("The Dax valve 3 can now be opened.", "The Dax valve 2 cannot be opened."),
        ("Until now the Dax valve cannot be opened.", "The Dax valve can be opened."),
        ("From 3 metres on the Dax valve can be seen.", "The Dax valve cannot be seen."),
        ("The Dax valve now need not be painted.", "The Dax valve may be painted."),
        ("The Dax valve can now be painted.", "The Dax valve is not painted."),
        ("The Dax valve is now painted.", "The Dax valve was not painted."),
        ("The Dax valve is now not only painted.", "The Dax valve is painted."),
        ("The argument is now required.", "The argument is not required."),
        ("A wheel is now required.", "A wheel is not required."),
        ("This is now possible for the Dax valve.", "This is not possible for the Dax valve."),
        ("A bolt can now hold the Dax valve.", "The Dax valve cannot hold a bolt."),
        ("The Dax valve of 24 bar is now made in Kiel.", "The Dax valve of 21 bar is made in Kiel."),
        ("The Dax valve now carries class 3 bolts.", "The Dax valve carries class 2 bolts."),
        ("The Dax valve now opens at 24 bar in summer.", "The Dax valve opens at 21 bar."),
        ("The Dax valve may now open at 24 bar.", "The Dax valve must open at 21 bar."),
        ("The Dax valve opens at 24 bar.", "The Dax valve opens at 21 bar."),
        ("The Dax valve now opens at 24 bar.", "The Dax valve opens at 24 bar."),
        ("The Dax valve can now be opened.", "The Dax valve can now be opened."),
        ("The Dax valve can no longer be painted.", "The Dax valve is old. The Dax valve can be painted."),
        ("The Dax valve can now be painted.", "The Dax valve should not be painted."),
        ("The Dax valve can now be painted.", "The Dax valve must not be painted."),  # who does it, does wrong
        ("The Dax valve no longer must be painted.", "The Dax valve can be painted."),
        ("The Dax valve no longer must be painted.", "The Dax valve may be painted."),
        ("The Dax valve should no longer be painted.", "The Dax valve may be painted."),
        ("Since 2020 the Dax valve may open in frost.", "The Dax valve may not open in frost."),  # perhaps, perhaps not
        ("The Dax valve of Kiel no. 3 is now painted.", "The Dax valve of Kiel 3 is painted."),
        ("The Dax valve can now be opened longer.", "The Dax valve cannot be opened."),
        ("The Dax valve can now be kept where it is not wet.", "The Dax valve can be kept where it is wet."),
        ("The Dax valve now opens on days with no wind.", "The Dax valve opens on days with wind."),
        ("The Dax valve no longer opens.", "Since 2020 the Dax valve opens."),  # which of them is the later one?
    ],
)
def test_other_words_of_it_take_nothing_back(new: str, old: str) -> None:
    assert taken_back(old, Reversals([new]).about(NAMES)) == -1
