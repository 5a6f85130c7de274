"""How good predictions of the partition are: in kernels, and in time.

Garvey and Abdelrahman 2018, section 8.2. Absolute accuracy: on what fraction of the kernels the
predicted value is the best one. Penalty-weighted accuracy: "the average speedup of the heuristic
using the model relative to its corresponding oracle, averaged over all kernels": the oracle's time
over that of the search that goes where the model says, so that a mistake counts by what it costs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from fettle.core.errors import FettleError
from fettle.core.wording import counted
from fettle.search.grouped.partition_model import Example, PartitionModel

Train = Callable[[Sequence[Example]], PartitionModel]


def penalty_weighted_accuracy(shares: Sequence[float]) -> float:
    """The mean of oracle / predicted over kernels, 1 where no prediction costs anything."""
    if not shares:
        raise FettleError("no kernels were given: accuracy is undefined")
    return math.fsum(shares) / len(shares)


def nothing_to_predict(
    parameter: str, examples: Sequence[Example], *, within: float = 0.05
) -> str | None:
    """Where one value is always the best or nearly so, a sentence with the gap; else None.

    `within`: by how much of the time that value may miss the best on any kernel. A model of such
    examples can only repeat that value, so that a good accuracy says nothing of the model.
    """
    if not examples:
        raise FettleError("no kernels were given: there is nothing to judge")
    worst = {
        value: min(example.share([value]) for example in examples) for value in examples[0].times
    }
    always = max(worst, key=lambda value: worst[value])
    if worst[always] < 1 - within:
        return None
    others = [value for value in worst if value != always]
    text = (
        f"nothing to predict: {parameter}={always!r} takes at most "
        f"{100 * (1 / worst[always] - 1):.2g} % longer than the best on each of "
        f"{counted(len(examples), 'kernel')}"
    )
    if not others:
        return text
    means = {v: math.fsum(one.share([v]) for one in examples) / len(examples) for v in others}
    after = max(others, key=lambda value: means[value])
    return f"{text}; the next, {after!r}, reaches {means[after]:.3f} of it on the mean"


@dataclass(frozen=True)
class CrossValidation:
    """What models predicted for kernels that they had not seen."""

    predicted: Mapping[str, tuple[Hashable, ...]]
    shares: Mapping[str, float]
    right: Mapping[str, bool]

    @property
    def absolute(self) -> float:
        """The fraction of the kernels whose best value is among the predicted ones."""
        return sum(self.right.values()) / len(self.right)

    @property
    def penalty_weighted(self) -> float:
        """The mean of oracle / predicted."""
        return penalty_weighted_accuracy(list(self.shares.values()))

    @property
    def geometric(self) -> float:
        """The same as a geometric mean, which weighs costly mistakes more."""
        if min(self.shares.values()) == 0:
            return 0.0
        return math.exp(math.fsum(map(math.log, self.shares.values())) / len(self.shares))


def cross_validate(
    examples: Sequence[Example],
    train: Train,
    *,
    top: int = 1,
    group: Callable[[Example], Hashable] = lambda example: example.name,
) -> CrossValidation:
    """Each kernel predicted by a model of the others; the paper's leave-one-out.

    `group`: examples with the same key are left out together, such as the radii of one shape. One
    training a group. Raises FettleError for names that are there twice, and where nothing is left
    to train on.
    """
    names = [example.name for example in examples]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise FettleError(f"two examples are named {twice!r}; a kernel is one example")
    groups: dict[Hashable, list[Example]] = {}
    for example in examples:
        groups.setdefault(group(example), []).append(example)
    if len(groups) < 2:
        raise FettleError(
            f"cross-validation leaves one group out and trains on the others, but there is "
            f"{'only one' if groups else 'none'}"
        )
    predicted: dict[str, tuple[Hashable, ...]] = {}
    for left_out in groups.values():
        model = train([example for example in examples if example not in left_out])
        for example in left_out:
            predicted[example.name] = model.predict(example.features, top)
    return CrossValidation(
        {name: predicted[name] for name in names},
        {example.name: example.share(predicted[example.name]) for example in examples},
        {
            example.name: any(example.times[v] == example.best for v in predicted[example.name])
            for example in examples
        },
    )
