"""All inputs of one function, one after the other: only what the store lacks is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from fettle.core.wording import any_of, counted
from fettle.training.measure import Measurer
from fettle.training.program import Input, InputError, ProgramError

# With so many inputs failing and none working, the fault is not the inputs'.
GIVE_UP_AFTER = 5


@dataclass
class Collection:
    """Which inputs are known now, and why others are not."""

    measured: list[Input] = field(default_factory=list)
    evaluated: list[Input] = field(default_factory=list)  # their features, and no variant
    reused: list[Input] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)  # input name -> reason

    def add(self, other: Collection) -> None:
        """Takes in what another collection found."""
        self.measured += other.measured
        self.evaluated += other.evaluated
        self.reused += other.reused
        self.left_out |= other.left_out

    def complete(self, inputs: Sequence[Input]) -> list[Input]:
        """The inputs that are not left out, in the order given."""
        return [given for given in inputs if given.name not in self.left_out]


def collect(
    measurer: Measurer,
    inputs: Sequence[Input],
    want: Literal["measure", "features"] = "measure",
    *,
    deadline: float | None = None,
    quiet: bool = False,
) -> Collection:
    """Brings the store up to date for `inputs`.

    An input that cannot be measured is left out with its reason. After `deadline` (of
    `time.monotonic`) no further input is begun. Raises ProgramError when none could be measured,
    unless `quiet`, which shows no stage either.
    """
    found = Collection()
    if not measurer.may_measure:
        return _known(measurer, inputs, want, found)
    if want == "measure":
        _take_early(measurer, inputs, found)
        _check_hope(measurer, len(inputs), found, quiet)
    # A program that offers other variants than it did makes inputs incomplete that looked complete.
    for _ in range(3):
        missing = _missing(measurer, inputs, want, found)
        if not missing and (measurer.offer_is_current or not found.complete(inputs)):
            break
        if missing:
            _measure(measurer, missing, len(inputs), want, deadline, found, quiet)
        else:
            _probe(measurer, found.complete(inputs))
    if not found.complete(inputs) and not quiet:
        raise ProgramError(_nothing(measurer, found))
    done = {given.name for given in found.measured}
    found.reused = [given for given in found.complete(inputs) if given.name not in done]
    return found


def _take_early(measurer: Measurer, inputs: Sequence[Input], found: Collection) -> None:
    """Counts what was measured together with other functions' inputs; leaves out what failed."""
    for given in inputs:
        if given.name not in measurer.early:
            continue
        error = measurer.early.pop(given.name)
        if error is None:
            found.measured.append(given)
        else:
            found.left_out[given.name] = str(error)
            measurer.display.say(f"left out: {error}")


def _check_hope(measurer: Measurer, total: int, found: Collection, quiet: bool) -> None:
    """Raises ProgramError where many inputs have failed and none works: more are not tried."""
    works = quiet or found.measured or found.evaluated
    if not works and found.left_out and len(found.left_out) >= min(GIVE_UP_AFTER, total):
        raise ProgramError(_nothing(measurer, found))


def _known(
    measurer: Measurer,
    inputs: Sequence[Input],
    want: Literal["measure", "features"],
    found: Collection,
) -> Collection:
    if measurer.offer is not None:
        measurer.check_offer(measurer.offer)
    reason = "not measured, and nothing is to be measured now"
    found.left_out = {given.name: reason for given in _missing(measurer, inputs, want, found)}
    found.reused = found.complete(inputs)
    if not found.reused:
        raise ProgramError(
            f"{measurer.subject.function!r}: nothing is known of {any_of(len(inputs), 'input')} "
            f"({measurer.subject.program} on {measurer.subject.machine}); measure them first"
        )
    return found


def _missing(
    measurer: Measurer,
    inputs: Sequence[Input],
    want: Literal["measure", "features"],
    found: Collection,
) -> list[Input]:
    return [g for g in found.complete(inputs) if not measurer.is_complete(g, want)]


def _measure(
    measurer: Measurer,
    missing: Sequence[Input],
    total: int,
    want: Literal["measure", "features"],
    deadline: float | None,
    found: Collection,
    quiet: bool,
) -> None:
    display = measurer.display
    name = measurer.subject.function
    known_before = total - len(missing) - len(found.measured) - len(found.left_out)
    if known_before > 0 and not quiet:
        display.say(f"{name}: {known_before} of {counted(total, 'input')} are known already")
    if not quiet:
        display.begin(name if want == "measure" else f"{name} features", len(missing))
    try:
        left = {given.name: given for given in missing}
        runs = measurer.spent.measuring_starts
        for given, error in measurer.measured(missing, want, deadline):
            del left[given.name]
            ran = measurer.spent.measuring_starts > runs
            runs = measurer.spent.measuring_starts
            known = found.measured if ran else found.evaluated
            if error is None and given not in known:
                known.append(given)
            if error is not None:
                found.left_out[given.name] = str(error)
                display.say(f"left out: {error}")
                _check_hope(measurer, total, found, quiet)
            if not quiet:
                display.advance()
        for name in left:
            found.left_out[name] = "not measured: the time budget was spent"
    finally:
        if not quiet:
            display.end()


def _probe(measurer: Measurer, inputs: Sequence[Input]) -> None:
    for given in inputs:
        try:
            measurer.probe(given)
        except InputError as error:
            measurer.warn(str(error))
        if measurer.offer_is_current:
            return
    raise ProgramError(
        f"the program trained {measurer.subject.function!r} before, but for none of the inputs "
        "does it now; see the warnings above"
    )


def _nothing(measurer: Measurer, found: Collection) -> str:
    reasons = list(found.left_out.values())
    if len(reasons) == 1:
        failed = "the only input tried could not be measured:"
    else:
        failed = f"none of the {len(reasons)} inputs tried could be measured; the last one says:"
    return f"{measurer.subject.function!r}: {failed}\n{reasons[-1]}"
