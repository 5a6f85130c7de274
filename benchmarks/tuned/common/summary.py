"""From measured times to rows of the record and to the table that is printed."""

import math
from collections.abc import Mapping, Sequence

from measuring import Measured
from narrowing import Narrowed
from sloc import lines_of
from suite import Benchmark
from tuning import Tuned

Row = dict[str, object]


def reference_of(benchmark: Benchmark, platform: str, measured: Sequence[Measured]) -> str:
    """The first of the references that was measured on every input."""
    for name in benchmark.references[platform]:
        if all(name in one.call_us for one in measured):
            return name
    raise SystemExit(f"{benchmark.name} on {platform}: no reference was measured")


def input_rows(benchmark: Benchmark, measured: Sequence[Measured], tuned: Tuned) -> list[Row]:
    """A row an input: times and throughput of all contenders, and of the exhaustive search.

    Throughput is that of many calls in a row, as in the papers, which ran every program 100 times.
    The exhaustive search's time is the tuned program's, scaled by what the tuner's race of all
    candidates on this input says: the best ones' time over the chosen ones'.
    """
    rows: list[Row] = []
    for one in measured:
        call, batch = dict(one.call_us), dict(one.batch_us)
        form = tuned.forms.get(one.input.text)
        share = tuned.share_of_exhaustive(benchmark, one.input)
        for times in (call, batch):
            if share is not None and "tuned" in times:
                times["exhaustive"] = times["tuned"] * share
        work = one.elements * benchmark.per_element * benchmark.scale * 1e6
        rows.append(
            {
                "row": "input",
                "label": one.input.label,
                "input": one.input.text,
                "elements": one.elements,
                "share_of_best": share,
                "form": form.name if form else None,
                "call_us": {name: round(us, 3) for name, us in call.items()},
                "batch_us": {name: round(us, 3) for name, us in batch.items()},
                "throughput": {name: round(work / us, 4) for name, us in batch.items()},
            }
        )
    return rows


def function_rows(tuned: Tuned) -> list[Row]:
    """A row a tuned function: its line of table 5.7, and how it was judged by itself."""
    return [
        {
            "row": "function",
            "function": one.function,
            "expression": one.expression,
            "features": list(one.features),
            "features_known": list(one.features_known),
            "feature_ns": round(one.feature_seconds * 1e9, 1),
            "training_inputs": one.training_inputs,
            "judged_by": one.judged_by,
            "judged_inputs": len(one.inputs),
            "space": one.candidates,
            **_raced(tuned.narrowed.get(one.function)),
            "dropped": one.dropped,
            "variants": list(one.winners),
            "share_of_best": round(one.charged_share_of_best.mean, 4) if one.inputs else None,
            "over_default": round(one.over_default, 4) if one.inputs else None,
            "measuring_seconds": round(one.measuring_seconds, 1),
        }
        for one in tuned.outcomes
    ]


def _raced(its: Narrowed | None) -> Row:
    """How many candidates were raced on most of the training inputs, and on the test inputs."""
    return {} if its is None else {"raced": len(its.near), "judged_among": len(its.possible)}


def summary_row(
    benchmark: Benchmark,
    platform: str,
    measured: Sequence[Measured],
    tuned: Tuned,
) -> Row:
    """The line of table 5.8."""
    ours = "tuned" if all("tuned" in one.call_us for one in measured) else "fettle"
    reference = reference_of(benchmark, platform, measured)
    others = dict.fromkeys((reference, *benchmark.shown[platform], "default"))
    there = [name for name in others if all(name in one.call_us for one in measured)]
    in_a_row = {
        name: speed_up([one.batch_us[name] / one.batch_us[ours] for one in measured])
        for name in there
    }
    of_one_call = {
        name: speed_up([one.call_us[name] / one.call_us[ours] for one in measured])
        for name in there
    }
    shares = [tuned.share_of_exhaustive(benchmark, one.input) for one in measured]
    known = [share for share in shares if share is not None]
    return {
        "row": "summary",
        "benchmark": benchmark.name,
        "title": benchmark.title,
        "platform": platform,
        "unit": benchmark.unit,
        "ours": ours,
        "reference": reference,
        "inputs": len(measured),
        "speed_ups": in_a_row,
        "speed_ups_of_one_call": of_one_call,
        "races": tuned.races,
        "share_of_exhaustive": round(sum(known) / len(known), 4) if known else None,
        "lines": {
            "ours": lines_of(benchmark.code["ours"]),
            "reference": lines_of(benchmark.code.get(platform, ())),
        },
    }


def speed_up(ratios: Sequence[float]) -> Mapping[str, float]:
    """The mean, as the papers give it, the geometric mean and the least."""
    return {
        "mean": round(sum(ratios) / len(ratios), 4),
        "geomean": round(math.exp(sum(map(math.log, ratios)) / len(ratios)), 4),
        "least": round(min(ratios), 4),
    }


def print_summary(rows: Sequence[Row]) -> None:
    """Throughput by input and the summary, for who looks on."""
    inputs = [row for row in rows if row["row"] == "input"]
    [summary] = [row for row in rows if row["row"] == "summary"]
    names: list[str] = []
    for row in inputs:
        assert isinstance(row["throughput"], dict)
        names += [name for name in row["throughput"] if name not in names]
    print(f"\n{summary['title']} on {summary['platform']}: {summary['unit']}")
    print(f"{'':18}" + "".join(f"{name:>15}" for name in names))
    for row in inputs:
        throughput = row["throughput"]
        assert isinstance(throughput, dict)
        values = (
            f"{throughput[name]:15.4g}" if name in throughput else f"{'-':>15}" for name in names
        )
        print(f"{str(row['label'])[:17]:18}" + "".join(values))
    for row in rows:
        if row["row"] == "function":
            assert isinstance(row["variants"], list)
            print(
                f"{row['function']}: {len(row['variants'])} of {row['space']} candidates, share of "
                f"best {row['share_of_best']}: {', '.join(row['variants'])}"
            )
    for what, key in (("in a row", "speed_ups"), ("one call", "speed_ups_of_one_call")):
        speed_ups = summary[key]
        assert isinstance(speed_ups, dict)
        for name, values in speed_ups.items():
            print(
                f"{what}: {name} / {summary['ours']}: geometric mean {values['geomean']:.3f}, "
                f"least {values['least']:.3f}, mean {values['mean']:.3f}"
            )
    print(f"{summary['ours']} / exhaustive: {summary['share_of_exhaustive']}", flush=True)
