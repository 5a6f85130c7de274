"""What a tuner would try of a computation, as text: sizes by schedule, and what was cut and why."""

from __future__ import annotations

from fettle.core.wording import counted
from fettle.ndp.base.computation import Computation
from fettle.ndp.policies import KNOB_VALUES, policy_space
from fettle.search.space import Space


def space_text(computation: Computation, size: str = "full") -> str:
    """The space of a computation: for each schedule its parameters, its points, what was cut."""
    spaces = {name: policy_space(computation, name, size) for name in computation.schedules}
    points = sum(len(space) for space in spaces.values())
    product = sum(space.product for space in spaces.values())
    lines = [
        f"{computation.title} on {computation.platform}: {counted(points, 'candidate')} of "
        f"{product} "
        f"({size}), {len(spaces)} schedules",
    ]
    if computation.knobs:
        tried = "; ".join(
            f"{knob} = {', '.join(map(str, KNOB_VALUES[knob]))}" for knob in computation.knobs
        )
        lines += ["", f"with a bound on the error (--bound) also: {tried}"]
    for schedule, space in spaces.items():
        lines += ["", *_schedule_lines(schedule, space)]
    if computation.pruned:
        lines += ["", f"not on {computation.platform}:"]
        lines += [f"  {schedule}: {reason}" for schedule, reason in computation.pruned]
    return "\n".join([*lines, ""])


def _schedule_lines(schedule: str, space: Space) -> list[str]:
    lines = [f"{schedule}: {len(space)} of {space.product}"]
    for parameter in space.parameters:
        left = {point[parameter.name] for point in space}
        values = [_value(value) for value in parameter.values if value in left]
        lines.append(f"  {parameter.name}: {', '.join(values) or 'nothing left'}")
    width = len(str(space.product))
    by_count = sorted(space.pruned.items(), key=lambda cut: -cut[1])
    lines += [f"  cut {count:>{width}}: {reason}" for reason, count in by_count]
    return lines


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
