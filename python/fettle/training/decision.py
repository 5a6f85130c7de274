"""What is deployed, by how fast the program was with each model:

- the new model where it gains `Comparing.worth`, else the default variant always;
- but the model that is deployed already, where it gains as much itself and the new one is not
  surely better: by 1 %, and by more than the samples' spread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fettle.data.ties import WIDEST
from fettle.data.tuning_result import Delivered, Gain
from fettle.model.choices import is_always_default
from fettle.model.model import Model
from fettle.training.comparing import SURE
from fettle.training.gain import Ratio, gain_of


def decide(
    ratios: Mapping[str, Sequence[Ratio]],
    former: Model | None,
    worth: float,
    *,
    default_works: bool,
    held_out: bool,
) -> Delivered:
    """What is to be deployed. `ratios`: of each input, untuned over new.

    With a `former` model also untuned over former, and former over new, in this order.
    """
    inputs = tuple(ratios)
    gain, own, contest = (
        gain_of([of[index] for of in ratios.values()]) if former is not None or not index else None
        for index in range(3)
    )
    assert gain is not None
    is_worth = gain.mean >= worth or not default_works
    if former is not None and own is not None and contest is not None:
        is_default = is_always_default(former)
        stays = is_default or own.mean >= worth or not default_works
        if stays and not (is_worth and is_surely_better(contest)):
            if is_default:
                return Delivered("default", inputs, gain=gain, over_former=contest)
            return Delivered("kept", inputs, not held_out, own, contest)
    if is_worth:
        return Delivered("new", inputs, gain=gain, over_former=contest)
    return Delivered(
        "default",
        inputs,
        gain=gain,
        over_former=contest,
        is_unclear=gain.measured_high > max(worth, (1 + WIDEST) * gain.mean),
    )


def is_surely_better(gain: Gain) -> bool:
    """Whether a gain is more than measuring can feign."""
    return gain.mean >= SURE and gain.measured_low > 1
