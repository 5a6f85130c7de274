"""From all that a store holds of an input to its calls, as the tuner learns from them."""

from __future__ import annotations

from fettle.store.contents import Contents, Example
from fettle.store.starts import comparable


def examples_of(held: Contents) -> list[Example]:
    """The calls of an input by number; samples of several runs are made comparable (starts.py).

    Samples of other metrics than the function's own are in `others`. Raises ValueError where a
    variant counts as measured and has no samples.
    """
    found = {
        call: Example(call, dict(features), dict(seconds))
        for call, (features, seconds) in sorted(held.features.items())
    }
    samples: dict[int, dict[str, dict[int, list[float]]]] = {}
    for start, stored in enumerate(held.runs.values()):
        for row in stored.rows:
            if row.call not in found:
                continue
            if row.metric != "":
                others = found[row.call].others.setdefault(row.variant, {})
                others.setdefault(row.metric, []).extend(row.values)
            else:
                of_variant = samples.setdefault(row.call, {}).setdefault(row.variant, {})
                of_variant.setdefault(start, []).extend(row.values)
    for call, its in samples.items():
        found[call].samples = comparable(its)
    for (call, variant), (verdict, reason) in held.verdicts.items():
        found[call].verdicts[variant] = (verdict, reason)
        if verdict == "measured" and not found[call].samples.get(variant):
            raise ValueError(f"{variant!r} counts as measured, but has no samples")
    for (call, variant), same in held.bitwise.items():
        found[call].bitwise[variant] = same
    for (call, variant), lost in held.lost_seconds.items():
        found[call].lost_seconds[variant] = lost
    return list(found.values())
