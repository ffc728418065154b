"""Lies that stand close to what their source says: by each a rule that is kind to notes would let a falsehood pass."""

from __future__ import annotations

import pytest

from curator.wiki.sources.source import Document
from curator.wiki.support.judge import judge

GERMAN = """Die Halle ist im Mai zu. Der Schlüssel liegt bei Anna, und das Licht ist aus.

Rent: 400 euros monthly, deposit 800 euros."""
LIES = [
    (
        "Ana takes no vitamin C. Ben takes iron daily.",
        "Ben takes iron daily.",
        "Diet",
        "Ben does not take iron daily.",
    ),
    (
        "Smoking is not allowed in hall B. Dogs are allowed in hall B.",
        "Smoking is not allowed in hall B. Dogs are allowed in hall B.",
        "Hall B",
        "Dogs are not allowed in hall B.",
    ),
    (
        "Pupils must pay for class A. Parents visit class A for free.",
        "Pupils must pay for class A. Parents visit class A for free.",
        "Class A",
        "Parents must pay for class A.",
    ),
    (
        "Lunch is 12 euros pp. Dinner is not included.",
        "Lunch is 12 euros pp. Dinner is not included.",
        "Trip",
        "Lunch is not included.",
    ),
    (
        "Vote on the budget: 5 yes, 2 no. The board approved the budget.",
        "The board approved the budget.",
        "Board",
        "The board did not approve the budget.",
    ),
    (
        "The shop takes cards. Why not?",
        "The shop takes cards. Why not?",
        "Shop",
        "The shop does not take cards.",
    ),
    (
        "Oh no, the boat leaks in the bow.",
        "Oh no, the boat leaks in the bow.",
        "Boat",
        "The boat does not leak in the bow.",
    ),
    (
        "Wifi works in the garden. In the cellar, no.",
        "Wifi works in the garden. In the cellar, no.",
        "House",
        "Wifi does not work in the garden.",
    ),
    (
        'The old label never stated: "The oil is safe for children". See the new label.',
        "The oil is safe for children",
        "Oil",
        "The oil is safe for children.",
    ),
    (
        'The mayor did not write, "the bridge is safe for lorries". It was a forgery.',
        "the bridge is safe for lorries",
        "Bridge",
        "The bridge is safe for lorries.",
    ),
    (
        "The boat was stolen in May. Witnesses write to ben.carter@police.uk.",
        "The boat was stolen in May.",
        "Boat",
        "The boat was stolen by Ben Carter in May.",
    ),
    (
        "The club meets on Monday at the mill. Contact: anna.lopez@club.org",
        "The club meets on Monday at the mill.",
        "Club",
        "Anna Lopez runs the club, which meets on Monday at the mill.",
    ),
    (
        "The mill was built in 1850. It grinds rye.",
        "It grinds rye.",
        "Mill",
        "The mill runs history courses.",
    ),
    (
        "The church has two towers.",
        "The church has two towers.",
        "Church",
        "The church is not listed in the history.",
    ),
    (
        "Ben stole the boat on Monday.",
        "Ben stole the boat on Monday.",
        "Ben",
        "Ben planned to steal the boat on Monday.",
    ),
    (
        "# Diary\n\nTue 4 March: power cut, 3 hours. Fed the hens.",
        "Tue 4 March: power cut, 3 hours.",
        "Diary",
        "A power cut of 3 hours is scheduled for Tuesday 4 March.",
    ),
    (
        "Spain trip 2025\n\nHotel Casa de la Playa, Calle del Sol 5. Restaurant El Pescador y Los "
        "Hermanos.\nPool closed Sunday, bar open Monday.",
        "Pool closed Sunday, bar open Monday.",
        "Spain trip",
        "The pool is open Sunday and the bar is closed Monday.",
    ),
    (
        "The farm shop sells sun-dried fruit.",
        "The farm shop sells sun-dried fruit.",
        "Farm shop",
        "The farm shop sells dried fruit on Sunday.",
    ),
    (
        "Use the sat-nav to reach the farm; the shop is open.",
        "Use the sat-nav to reach the farm; the shop is open.",
        "Farm",
        "The shop is open on Saturday.",
    ),
    (
        "The Sun heats the water on the roof. The pump runs.",
        "The Sun heats the water on the roof.",
        "Solar heater",
        "The water on the roof is heated on Sunday.",
    ),
    (
        "Bins\n\n- Mon: paper is collected\n- Tue: glass is collected",
        "Tue: glass is collected",
        "Bins",
        "Glass is collected on Monday.",
    ),
    (
        "# Week of 2 June\n\nThu 5: dentist, 30 minutes, room 12",
        "Thu 5: dentist, 30 minutes, room 12",
        "Dentist",
        "The dentist is on 12 June.",
    ),
    (
        "# June\n\n- Sat 7: fair, 20 stalls",
        "Sat 7: fair, 20 stalls",
        "Fair",
        "The fair is on 20 June.",
    ),
    (
        "# Notes\n\nRent rises in June. \n\n- Wed 4: bins out",
        "Wed 4: bins out",
        "Bins",
        "The bins are out on 4 June.",
    ),
    (
        "On 20 February 2025 Ana finished the report; it has 2.5 pages.",
        "On 20 February 2025 Ana finished the report; it has 2.5 pages.",
        "Report",
        "On 20 February 2025 Ana published the report; it has 2.5 pages.",
    ),
    (
        "Draft 0.3 of the report was shown to the board on 1 May 2024.",
        "Draft 0.3 of the report was shown to the board on 1 May 2024.",
        "Report",
        "Draft 0.3 of the report was released on 1 May 2024.",
    ),
    (
        "## 2.9.1 (2025-02-20)\n\n- The manual is written by Ana.",
        "The manual is written by Ana.",
        "Manual",
        "The manual is published by Ana.",
    ),
    (
        "Dogs are allowed in the garden. Not in the house. Towels are free.",
        "Dogs are allowed in the garden. Not in the house. Towels are free.",
        "Hall",
        "Dogs are not allowed in the garden or the house.",
    ),
    (
        "# Ana Costa sues Rita Melo\n\nThe hearing is in May.",
        "Ana Costa sues Rita Melo",
        "Hearing",
        "Rita Melo sues Ana Costa.",
    ),
    (
        "I'd recommend the boat trip at night.",
        "I'd recommend the boat trip at night.",
        "Boat trip",
        "Doctors recommend the boat trip at night.",
    ),
    (
        "We've tested the water of the lake twice this year.",
        "We've tested the water of the lake twice this year.",
        "Lake",
        "Officials tested the water of the lake twice this year.",
    ),
    (
        "Pain 3/10 after lunch: the dose was 10 mg of iron and 40 mg of zinc.",
        "Pain 3/10 after lunch: the dose was 10 mg of iron and 40 mg of zinc.",
        "Dose",
        "The dose was 40 mg of iron and 10 mg of zinc.",
    ),
    (
        "It was not the cook. The safe was not locked.",
        "It was not the cook. The safe was not locked.",
        "Theft",
        "It was the cook, as the safe was not locked.",
    ),
    (
        "The shop does not take cards except on Sundays and gives change only by coin.",
        "The shop does not take cards except on Sundays and gives change only by coin.",
        "Shop",
        "The shop takes cards and gives change only by coin.",
    ),
    (
        "Couldn't reach Ana by phone. Did Ben try by phone?",
        "Couldn't reach Ana by phone. Did Ben try by phone?",
        "Ana",
        "Ana could be reached by phone.",
    ),
    (
        "So, can't we park there? The sign says no.",
        "So, can't we park there? The sign says no.",
        "Parking",
        "We can park there.",
    ),
    (
        "The hall is not free on\n2024-05-12 18:00 - 20:00 and on 3 May.",
        "2024-05-12 18:00 - 20:00 and on 3 May",
        "Hall",
        "The hall is free on 3 May.",
    ),
    (
        "The guests danced except the bride, who was tired.",
        "The guests danced except the bride, who was tired.",
        "Wedding",
        "The tired bride danced.",
    ),
    (
        "The lamp is on iff the pump runs. Ana owns the boat.",
        "The lamp is on iff the pump runs. Ana owns the boat.",
        "Boat",
        "Only Ana owns the boat.",
    ),
    (
        "Anna likes to do the garden with Ben.",
        "Anna likes to do the garden with Ben.",
        "Anna",
        "Anna planned the garden with Ben.",
    ),
    (
        "The Lorn Bridge lies by the Varn Lighthouse.\n\nVarn Lighthouse:\n\nThe keeper was hanged in 1820.",
        "The keeper was hanged in 1820.",
        "Lorn Bridge",
        "The keeper of the Lorn Bridge was hanged in 1820.",
    ),
    (
        "My purse was stolen at the lake. Who did it?",
        "My purse was stolen at the lake. Who did it?",
        "Lake",
        "Your purse was stolen at the lake.",
    ),
    (
        GERMAN,
        "Rent: 400 euros monthly, deposit 800 euros.",
        "Hall",
        "The rent is 800 euros monthly, the deposit 400 euros.",
    ),
]
FAIR = [
    (
        "Are the eggs fresh? No doubt. They are fresh from the farm.",
        "Are the eggs fresh? No doubt. They are fresh from the farm.",
        "Eggs",
        "The eggs are fresh from the farm.",
    ),
    (
        "Is the pool open on Sundays? No change: it is open.",
        "No change: it is open.",
        "Pool",
        "The pool is open on Sundays.",
    ),
    (
        "The key is not in room B. Ask Ana on Friday.",
        "The key is not in room B.",
        "Key",
        "The key is not in room B.",
    ),
    (
        GERMAN,
        "Rent: 400 euros monthly, deposit 800 euros.",
        "Hall",
        "The rent is 400 euros monthly, the deposit 800 euros.",
    ),
]


@pytest.mark.parametrize(("source", "quote", "page", "claim"), LIES)
def test_a_lie_is_refused(source: str, quote: str, page: str, claim: str) -> None:
    assert not judge(claim, [quote], Document.from_text(source), (page,)).supported


@pytest.mark.parametrize(("source", "quote", "page", "claim"), FAIR)
def test_what_only_looks_like_a_no_is_none(source: str, quote: str, page: str, claim: str) -> None:
    assert judge(claim, [quote], Document.from_text(source), (page,)).supported
