from __future__ import annotations

import json

import pytest

from curator.models.llm.reply_checks import secrets_in

NONCE = "9f86d081884c7d659a2feaa0c55ad015"
SYSTEM = " ".join(f"order{n} keeps the wiki" for n in range(30))


def codes(reply: str) -> set[str]:
    return {finding.code for finding in secrets_in(reply, NONCE, SYSTEM)}


@pytest.mark.parametrize(
    "reply",
    [
        json.dumps({"text": f"the fence is {NONCE}"}),
        json.dumps({"text": f"the fence is {NONCE.upper()}"}),
        json.dumps({"text": "-".join(NONCE)}),
        json.dumps({"text": f"\u00e9{NONCE}"}),
        "".join(f"\\u{ord(c):04x}" for c in NONCE),
    ],
)
def test_a_reply_that_repeats_the_nonce_is_refused(reply: str) -> None:
    assert codes(reply) == {"reply_leaks_prompt"}


@pytest.mark.parametrize("between", [" ", "\n", ", ", "\n\n> "])
def test_a_reply_that_repeats_its_orders_is_refused(between: str) -> None:
    words = SYSTEM.split()[7:47]

    assert codes(json.dumps({"text": between.join(words).upper()})) == {"reply_leaks_prompt"}


def test_a_reply_may_use_words_of_its_orders() -> None:
    assert codes(json.dumps({"text": " ".join(SYSTEM.split()[7:46])})) == set()
    assert codes("") == set()


def test_with_no_orders_nothing_leaks() -> None:
    assert secrets_in("some reply", "", "") == []
