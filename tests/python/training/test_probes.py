"""The calls by which a program that has changed is judged."""

from __future__ import annotations

from fettle.store.contents import Example
from fettle.training.probes import choose_probes, probing
from fettle.training.program import Input
from fettle.training.request import Measuring


def known(count: int, **only_on: set[int]) -> dict[Input, list[Example]]:
    """Inputs of growing cost; a variant named in `only_on` ran on some of them."""
    found = {}
    for n in range(count):
        samples = {"a": [float(n + 1)], "b": [2.0 * (n + 1)]}
        samples |= {name: [9.0 * count] for name, those in only_on.items() if n in those}
        found[Input(f"in{n:03}", (str(n),))] = [Example(0, {}, {}, samples)]
    return found


def chosen(examples: dict[Input, list[Example]], *variants: str) -> list[str]:
    return [given.name for given, _ in choose_probes(examples, variants or ("a", "b"))]


def test_a_tenth_within_limits_spread_over_the_costs() -> None:
    assert chosen(known(100)) == ["in010", "in030", "in050", "in070", "in090"]
    assert chosen(known(12)) == ["in002", "in006", "in010"]
    assert chosen(known(2)) == ["in000", "in001"]
    assert chosen({}) == []


def test_always_the_same_in_whatever_order_inputs_are_given() -> None:
    examples = known(40)
    backwards = dict(reversed(examples.items()))
    assert chosen(backwards) == chosen(examples)


def test_a_variant_that_ran_on_few_inputs_is_among_them() -> None:
    seldom = chosen(known(100, c={3, 4, 5, 6, 7, 8, 9}), "a", "b", "c")
    assert len(seldom) == 10
    few = [name for name in seldom if name < "in010"]
    assert few == ["in003", "in005", "in006", "in007", "in009"]
    assert chosen(known(100, c={3}), "a", "b", "c")[5:] == ["in003"]


def test_calls_of_one_input_count_each() -> None:
    calls = [Example(n, {}, {}, {"a": [1.0 + n]}) for n in range(9)]
    calls.append(Example(9, {}, {}))  # features only
    found = choose_probes({Input("in", ("in",)): calls}, ["a"])
    assert [example.call for _, example in found] == [1, 4, 7]


def test_a_probe_is_shorter_than_a_measurement() -> None:
    short = probing(Measuring())
    assert (short.minimum_samples, short.maximum_samples, short.budget_s) == (3, 6, 0.25)
    shorter = probing(Measuring(maximum_samples=2, minimum_samples=1, budget_s=0.1, timeout_s=7))
    assert (shorter.minimum_samples, shorter.maximum_samples, shorter.budget_s) == (2, 2, 0.1)
    assert shorter.timeout_s == 7
