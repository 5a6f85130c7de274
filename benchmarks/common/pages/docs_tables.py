"""The tables of figures in docs/, as Markdown, from recorded rows; __main__.py writes them."""

from collections.abc import Mapping
from statistics import geometric_mean, mean, stdev
from typing import Any

from records import Rows, best_others, names_of, row_of

PARAMETER_WAYS = {
    "best fixed point": "one point always, the best on the training inputs",
    "defaults": "variants at their defaults, chosen by a model",
    "online": "`online`, after 50 calls on each kind of input",
    "variants": "`variants`",
    "multilevel": "`multilevel`",
    "restricted": "`restricted`",
    "KCCA multilevel": "`multilevel` with `KccaClassifier`",
    "active multilevel, variance": '`multilevel` with `itune(query="variance")`',
    "active multilevel": "`multilevel` with `itune`",
    "active restricted": "`restricted` with `itune`",
}


def parameters(rows: Rows) -> str:
    """The ways of docs/parameters.md on both functions."""
    functions = names_of(rows, "function")
    lines = [
        f"| | {' | '.join(functions)} |",
        f"|---|{'---|' * len(functions)}",
    ]
    for way in names_of(rows, "way"):
        cells = [_way(row_of(rows, function=function, way=way)) for function in functions]
        lines.append(f"| {PARAMETER_WAYS.get(way, way)} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def objectives(rows: Rows) -> str:
    """The objectives of docs/objectives.md on each device, and table 4.1 for each."""
    judged = [row for row in rows if "share" in row]
    devices, metrics = names_of(judged, "device"), names_of(judged, "metric")
    lines = [f"| objective | {' | '.join(devices)} | mean |", f"|---|{'---|' * (len(devices) + 1)}"]
    for metric in metrics:
        own = [row_of(judged, device=device, metric=metric) for device in devices]
        cells = [_objective(*(row[name] for name in OBJECTIVE_WAYS)) for row in own]
        means = [mean(row[name] for row in own) for name in OBJECTIVE_WAYS]
        lines.append(f"| {metric} | {' | '.join(cells)} | {_objective(*means)} |")
    ratios = [row for row in rows if "variant" in row]
    for device in devices:
        head = " | ".join(f"{metric}: T, E, P" for metric in metrics)
        lines += ["", f"| {device} | {head} |", f"|---|{'---|' * len(metrics)}"]
        for variant in names_of([row for row in ratios if row["device"] == device], "variant"):
            own = [row_of(ratios, device=device, metric=m, variant=variant) for m in metrics]
            cells = [f"{row['T']:.2f}, {row['E']:.2f}, {row['P']:.2f}" for row in own]
            lines.append(f"| {variant} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def gpu_sort(rows: Rows) -> str:
    """Sorting on a GPU: the objectives with variant and clock, and table 4.1."""
    judged = [row for row in rows if "share" in row and row["objective"] != "time"]
    device = next(row["device"] for row in rows if "set" in row)
    differ = next(row for row in rows if "winner_differs_at_top_clock" in row)
    lines = [
        f"Sorting, times of an {device}, **simulated power and clocks**; {differ['inputs']} test "
        f"inputs, on {100 * differ['winner_differs_at_top_clock']:.0f} % of which the winner by T "
        "at the highest clock is another one by T/P^2:",
        "",
        "| objective | one model of both | a model of each | by a model of time "
        "| T, E, P over radix | T, E, P over merge |",
        "|---|---|---|---|---|---|",
    ]
    for name in names_of(judged, "objective"):
        joint, two = (row_of(judged, objective=name, models=kind) for kind in ("joint", "two"))
        over = [
            ", ".join(f"{joint[f'over_{variant}'][letter]:.2f}" for letter in "TEP")
            for variant in ("radix", "merge")
        ]
        shares = f"**{joint['share']:.3f}** | {two['share']:.3f} | {joint['by_time']:.3f}"
        lines.append(f"| {name} | {shares} | {' | '.join(over)} |")
    return "\n".join(lines) + "\n"


OBJECTIVE_WAYS = ("share", "trained_on_time", "fastest")


def _objective(share: float, by_time: float, fastest: float) -> str:
    return f"**{share:.3f}**, {by_time:.3f}, {fastest:.3f}"


def _way(row: Mapping[str, Any]) -> str:
    inputs = f", {row['inputs']} inputs" if "inputs" in row else ""
    share, worst = row["share_of_best"], row["share_of_best_worst"]
    return f"{share:.2f} (worst {worst:.2f}); {row['points_measured']} points{inputs}"


def default_rule(rows: Rows) -> str:
    """What the untuned rule reaches of the best candidates of one tuned benchmark's inputs."""
    title = row_of(rows, row="summary")["title"]
    lines = []
    for name, what in (("default", ""), ("default_uninspected", ", rows not inspected")):
        times = [row["batch_us"] for row in rows if row.get("row") == "input"]
        shares = [
            its["exhaustive"] / its[name] for its in times if {name, "exhaustive"} <= set(its)
        ]
        if shares:
            figure = f"{geometric_mean(shares):.2f} ({min(shares):.2f})"
            lines.append(f"| {title}{what} | {figure} | {len(shares)} |\n")
    return "".join(lines)


def search_spaces(rows: Rows) -> str:
    """The strategies of docs/search.md on measured spaces, a column a budget."""
    autos = [row for row in rows if row.get("strategy") == "auto" and "spaces" in row]
    autos.sort(key=lambda row: row["budget"])
    budgets = [row["budget"] for row in autos]
    best = [best_others(rows, budget) for budget in budgets]
    lines = [
        f"| | {' | '.join(f'{budget} measurements' for budget in budgets)} |",
        f"|---|{'---|' * len(budgets)}",
    ]

    def line(what: str, cells: list[str]) -> None:
        lines.append(f"| {what} | {' | '.join(cells)} |")

    line(
        "`auto`",
        [f"{r['mean_share']:.3f} ({r['mean_measured']:.0f} spent)" for r in autos],
    )
    held_out = [f"{row['held_out']:.3f}" for row in autos]
    line("`auto`, the 12 spaces its settings were not chosen on", held_out)
    for index, what in enumerate(("the other strategies here", "Kernel Tuner 1.5's strategies")):
        line(f"best of {what}", [f"{it[index][1]:.3f} (`{it[index][0]}`)" for it in best])
    drawn = [row_of(rows, strategy="random", budget=b)["mean_share"] for b in budgets]
    line("`random`", [f"{share:.3f}" for share in drawn])
    return "\n".join(lines) + "\n"


def search_ablation(rows: Rows) -> str:
    """What each component of `auto` contributes, a line a component and a column a budget."""
    budgets = sorted({row["budget"] for row in rows})
    repeats = [row_of(rows, without="none", budget=budget)["repeat"] for budget in budgets]
    heads = [
        f"{budget} measurements, seeds: {repeat}"
        for budget, repeat in zip(budgets, repeats, strict=True)
    ]
    lines = [
        "`auto` with one component switched off; in brackets the mean difference to the complete "
        "strategy, with its standard error over the spaces, and the measurements spent:\n",
        f"| without | {' | '.join(heads)} |",
        f"|---|{'---|' * len(budgets)}",
    ]
    for component in names_of(rows, "without"):
        cells = []
        for budget in budgets:
            whole = row_of(rows, without="none", budget=budget)
            row = row_of(rows, without=component, budget=budget)
            spent = f"{row['mean_measured']:.0f}"
            changes = [row["shares"][space] - share for space, share in whole["shares"].items()]
            if component != "none":
                error = stdev(changes) / len(changes) ** 0.5
                spent = f"{mean(changes):+.3f} ± {error:.3f}, {spent}"
            cells.append(f"{row['mean_share']:.3f} ({spent})")
        what = component if component != "none" else "(complete)"
        lines.append(f"| {what} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
