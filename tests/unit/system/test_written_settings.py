"""What is plainly right is taken by ``Config`` as it is: the law by which it need not be loaded."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.config import Config
from curator.system.spending import Limits
from curator.system.written_settings import PLAIN, are_plain

VALUES = st.one_of(
    st.text(max_size=9),
    st.text(max_size=9).map(lambda end: f"https://{end}"),
    st.integers(),
    st.floats(),
    st.booleans(),
    st.lists(st.text(max_size=3), max_size=2),
    st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=2),
)


@given(st.dictionaries(st.sampled_from([*Config.model_fields, "models", "MODEL"]), VALUES, max_size=4))
def test_what_is_plain_is_taken_as_it_is(values: dict[str, Any]) -> None:
    if are_plain(values):
        config = Config.load([], {}, values)

        assert {key: getattr(config, key) for key in values} == values
        assert str(Limits.of(values)) == str(config.limits)


@pytest.mark.parametrize("key", PLAIN)
def test_each_plain_setting_is_one(key: str) -> None:
    usual = {"api_base": "http://localhost:1", "tokens": 5, "dollars": 0.5}
    value = next((value for part, value in usual.items() if part in key), "some text")

    assert are_plain({key: value})
    assert getattr(Config.load([], {}, {key: value}), key) == value


@pytest.mark.parametrize(
    "values",
    [{"modle": "x"}, {"model": 1}, {"api_base": "localhost"}, {"tokens_per_day": -1}, {"tokens_per_day": True}],
)
def test_what_may_be_wrong_is_left_to_the_judge(values: dict[str, Any]) -> None:
    assert not are_plain({"model": "m", **values})
