"""Every rule by which a claim is judged. The code of a finding is the name of its rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from curator.wiki.support.binding import roles_swapped, subject_swapped, values_exchanged
from curator.wiki.support.case import Case
from curator.wiki.support.coverage import cause_unknown, item_unknown, not_covered, part_uncovered, quote_says_little
from curator.wiki.support.names import code_unknown, name_unknown, token_unknown
from curator.wiki.support.negation import condition_lost, negation_turned, quote_cut
from curator.wiki.support.numbers import date_unknown, number_unknown
from curator.wiki.support.order import (
    bound_turned,
    direction_turned,
    ordinal_turned,
    places_swapped,
    sides_swapped,
    turned_round,
)
from curator.wiki.support.orders import order_to_reader
from curator.wiki.support.status import status_unknown, tense_turned
from curator.wiki.support.strength import frequency_changed, hedge_lost, modal_raised, quantifier_widened

Rule = Callable[[Case], Iterator[str]]

RULES: tuple[Rule, ...] = (
    date_unknown,
    number_unknown,
    negation_turned,
    quote_cut,
    condition_lost,
    quantifier_widened,
    frequency_changed,
    hedge_lost,
    modal_raised,
    name_unknown,
    code_unknown,
    turned_round,
    ordinal_turned,
    sides_swapped,
    places_swapped,
    direction_turned,
    bound_turned,
    values_exchanged,
    roles_swapped,
    subject_swapped,
    status_unknown,
    tense_turned,
    cause_unknown,
    item_unknown,
    order_to_reader,
    quote_says_little,
    not_covered,
    part_uncovered,
)
ANY_LANGUAGE: tuple[Rule, ...] = (token_unknown, code_unknown)
"""Those that hold for a claim or a source in any language; the others know English only."""
