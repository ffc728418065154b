"""The words that make a statement stronger, by kind, each kind with the words of a source that bear it out."""

from __future__ import annotations


def _terms(text: str) -> frozenset[str]:
    return frozenset(term.strip() for term in text.split(","))


_UNIVERSAL = (
    "all, every, each, any, always, entire, entirely, entirety, whole, everything, everyone, everybody, anything, anyone, "
    "everywhere, anywhere, whenever, wherever, whatever, whichever, whoever, throughout, in every case, fully, "
    "full, completely, constantly, invariably, universally, without exception, complete, total, totally, "
    "arbitrary, altogether, wholly, absolutely, per, respective, respectively, forever, permanently, exhaustive, "
    "exhaustively, regardless, no matter, at all times, in all cases, at all, as usual, unanimous, unanimously, alike, "
    "both, nationwide, worldwide, globally, a day, a week, a month, a year, mondays, tuesdays, wednesdays, thursdays, "
    "fridays, saturdays, sundays, daily, weekly, monthly, yearly, annually, hourly, nightly, uniformly, "
    "no, none, nobody, nothing, never, neither, in full, in common, public, 100, "
    "in general, without dissent, without objection, without opposition, without exception"
)
_ONLY = (
    "only, solely, just, alone, merely, exclusively, exclusive, sole, single, nothing but, no other, except, unless, "
    "other than, restricted, limited, exactly, must, if, no sooner, not until, until, purely, but, rather than, mere, "
    "required, requires, require, need, needs, has to, have to, mandatory, reserved, confined, dedicated, one, necessary, "
    "without, "
    "cannot, simply, when, no, none, nothing, not, never, nobody, neither, apart from, at most, up to, at least, maximum, "
    "minimum, limit, limits, once, as soon as, before, after, barely, hardly, few, little, small"
)
_NEVER = (
    "never, none, nobody, no one, nothing, nowhere, not at all, under no circumstances, in no case, no, not ever, not, "
    "one or more, at least one, cannot, without, neither, nor, any, forbidden, prohibited, refused, "
    "refuses, avoid, avoids, stopped, only, fails, impossible, unable, prevents, prevented, rules out, ruled out, "
    "for the first time, always, unset"
)
_RARELY = "rarely, seldom, hardly, scarcely, barely"
_USUALLY = "usually, typically, normally, generally, mostly, commonly, frequently, often, predominantly"
_LASTING = "for good, forever, permanently"
_SURE = (
    "guaranteed, guarantees, certainly, undoubtedly, is proven, was proven, been proven, proven that, proves that, "
    "proved that, definitely, surely"
)
_BOUNDLESS = (
    "without reservation, unconditionally, without restriction, without limit, without any condition, in all weather, "
    "any number, unlimited"
)

STRONGER: tuple[tuple[frozenset[str], frozenset[str]], ...] = (
    (
        _terms("all, every, always, everything, everyone, everywhere, universally"),
        _terms(_UNIVERSAL),
    ),
    (
        _terms("in every case, in all cases, without exception, invariably"),
        _terms(
            "in every case, in all cases, without exception, invariably, always, never, every, each time, no exception"
        ),
    ),
    (
        _terms("at all, whatsoever"),
        _terms(
            "at all, whatsoever, any, never, nothing, none, no, not, without, neither, nobody, entirely, "
            "completely, absolutely"
        ),
    ),
    (_terms("only, solely, exclusively, nothing but, no other"), _terms(_ONLY)),
    (_terms("never, nobody, nowhere, under no circumstances, in no case"), _terms(_NEVER)),
    (
        _terms("none of, not one, not a single, not any"),
        _terms("none, no, not, never, nobody, nothing, neither, without, zero, any, optional, rather than, instead of"),
    ),
    (
        _terms(
            "planned, upcoming, forthcoming, scheduled, will soon, soon be, yet to be, future release, future version, "
            "coming version, next version, coming release, next release, some later time, "
            "in the future, remains to be"
        ),
        _terms(
            "plan, plans, planned, planning, planners, upcoming, coming, forthcoming, future, scheduled, schedule, "
            "schedules, scheduling, scheduler, will, "
            "shall, expected, expects, intended, intends, intend, intention, next, due, proposed, proposes, would, "
            "should, could, may, might, later, to come, to be, aims, aim, hopes, hope, soon, eventually, going to, "
            "not yet, yet, until, still, pending"
        ),
    ),
    (
        _terms("exactly, precisely"),
        _terms("exactly, precisely, exact, precise, just, only, equal, equally, same, identical, identically"),
    ),
    (
        _terms(_LASTING),
        _terms(
            f"{_LASTING}, permanent, always, no longer, lifetime, life, lasting, irrevocable, irrevocably, irreversible, "
            "irreversibly, perpetual, perpetually, never, ever, end, ended, deleted, removed, closed, final, finally"
        ),
    ),
    (
        _terms(_SURE),
        _terms(
            f"{_SURE}, guarantee, guaranteeing, certain, prove, proof, definite, sure, ensure, ensures, ensured, must, "
            "always, assures, assured, shown, showed, shows, demonstrated, confirmed, established, "
            "evidence, clear, clearly, doubt"
        ),
    ),
    (
        _terms(_BOUNDLESS),
        _terms(f"{_BOUNDLESS}, unconditional, unrestricted, arbitrary, arbitrarily, no limit, unbounded, as many"),
    ),
    (
        _terms("completely, totally, altogether, anywhere"),
        _terms(f"{_UNIVERSAL}, thorough, thoroughly, quite, only, not, zero, disappear, disappeared, gone, abolished"),
    ),
    (
        _terms(_RARELY),
        _terms(
            f"{_RARELY}, rare, uncommon, infrequently, little, few, unlikely, no, not, never, only, exception, "
            "exceptional, exceptionally, almost, nearly, slight, slightly, negligible"
        ),
    ),
    (
        _terms(_USUALLY),
        _terms(
            f"{_USUALLY}, {_UNIVERSAL}, most, many, usual, typical, normal, general, common, tend, tends, frequent, "
            "majority, mainly, regularly, largely, a lot, widely, default, customary, sometimes, several, multiple, "
            "numerous, as a rule, repeatedly, chiefly, primarily, traditionally, standard, rule, habit, custom, main, "
            "prefers, preferred"
        ),
    ),
)
"""What a claim may not say more strongly: the words that say it, and those that bear it out."""
