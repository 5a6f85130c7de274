"""The tables' lines on choosing variants and what that costs, of each recorded benchmark."""

from records import Line, Rows, names_of, row_of


def spmv(rows: Rows) -> list[Line]:
    """The tuned example against the best of its fixed variants."""
    tuned = row_of(rows, case="tuned")
    fixed = [row for row in rows if not row["case"].startswith("tuned")]
    best = max(fixed, key=lambda row: row["mean"])
    what = f"SpMV, {tuned['held_out']} matrices: share of best"
    return [(what, f"{tuned['mean']:.3f} ({best['case']} for all: {best['mean']:.3f})")]


def schedules(rows: Rows) -> list[Line]:
    """Classifiers on a recorded table, its first set of variants."""
    fewest = min(row["variants"] for row in rows)
    means = {row["case"]: row["mean"] for row in rows if row["variants"] == fewest}
    plain = max(mean for case, mean in means.items() if case.endswith("_ms"))
    figure = f"SVM {means['svm']:.3f}, auto {means['auto']:.3f}; "
    figure += f"SVM trained on labels {means['SVM on labels']:.3f}, best fixed {plain:.3f}"
    return [
        (
            f"{fewest} schedules of SpMV on a GPU, a published table: share of best",
            figure,
        )
    ]


def schedules_kcca(rows: Rows) -> list[Line]:
    """Kernel canonical correlation analysis on the same table."""
    means = {row["variants"]: row["mean"] for row in rows if row["case"] == "kcca"}
    fewest = min(means)
    what = f"The same {fewest} schedules by neighbours of a kernel canonical correlation analysis"
    return [(f"{what}: share of best", f"{means[fewest]:.3f}")]


def transfer(rows: Rows) -> list[Line]:
    """GPUs never trained on, those with all variants: without a run there, and with some."""
    others = {"Gen9", "Xeon6230"}  # a GPU without all formats, and the processor
    judged = [row for row in rows if row.get("device", "Gen9") not in others]

    def mean(method: str, measured: int = 0) -> float:
        which = (method, measured)
        own = [row["mean"] for row in judged if (row["method"], row["measured"]) == which]
        return float(sum(own) / len(own))

    def best_afterwards(named: str = "") -> float:
        best: dict[str, float] = {}
        for row in judged:
            is_carried = row["measured"] == 0 and row["method"] != "trained there"
            if is_carried and row["method"].startswith(named):
                best[row["device"]] = max(row["mean"], best.get(row["device"], 0.0))
        return sum(best.values()) / len(best)

    others = {
        "trees with device features": mean("trees with device features"),
        "majority": mean("majority"),
        "the best single source, known afterwards,": best_afterwards("model of"),
        "the best of all methods, likewise,": best_afterwards(),
        "trained there": mean("trained there"),
    }
    listed = ", ".join(f"{said} {share:.3f}" for said, share in others.items())
    figure = f"{mean('blend'):.3f} ({listed})"
    what = "SpMV formats on 6 GPUs never trained on, a published table: share of best"
    counts = sorted({row["measured"] for row in judged if row["method"] == "blend"} - {0})
    few = ", ".join(f"{mean('blend', n):.3f} ({mean('stacking', n):.3f})" for n in counts)
    with_some = ", ".join(map(str, counts))
    return [(what, figure), (f"The same with {with_some} matrices measured there (stacking)", few)]


def approximate(rows: Rows) -> list[Line]:
    """Approximate variants within a bound, against the fastest exact variant of each input."""
    own = [row for row in rows if "kept" in row]
    mean = row_of(rows, name="geometric mean")["speedup"]
    kept = [row["kept"] for row in own]
    figure = f"{mean:.2f}x ({min(row['speedup'] for row in own):.2f} to "
    figure += f"{max(row['speedup'] for row in own):.2f}); bound kept on {100 * min(kept):.1f} % "
    figure += "or more"
    nested = sum(row["name"].startswith("ndp_") for row in own)
    by_knobs = f" ({nested} nested data-parallel, by knobs of their policies)" if nested else ""
    what = f"{len(own)} computations{by_knobs}, approximate within 5 %, "
    counts = [row["inputs"] for row in own]
    inputs = " to ".join(map(str, sorted({min(counts), max(counts)})))
    what += f"{inputs} held-out inputs each: speed of the fastest exact variant"
    return [(what, figure)]


def check_cost(rows: Rows) -> list[Line]:
    """What checks of approximate variants in a running program cost."""
    sizes = [f"{row['unchecked_ns'] / 1000:.2g}" for row in rows]
    costs = ", ".join(f"{100 * row['cost']:.2f} %" for row in rows)
    what = "One call in 1000 of an approximate variant checked against an exact one that takes "
    return [(what + f"four times as long; calls of {', '.join(sizes)} us", costs)]


def objectives(rows: Rows) -> list[Line]:
    """Objectives of energy and power on a recorded table, each matrix left out in turn."""
    judged = [row for row in rows if "share" in row]
    lines = []
    for metric in ("", "T/E^2", "T/P", "T/P^2"):
        own = [row for row in judged if metric in ("", row["metric"])]
        means = {
            name: sum(row[name] for row in own) / len(own)
            for name in ("share", "trained_on_time", "fastest", "best_fixed")
        }
        what = metric or f"{len({row['metric'] for row in own})} objectives of energy and power"
        figure = f"{means['share']:.3f} (model of time {means['trained_on_time']:.3f}, fastest "
        figure += f"{means['fastest']:.3f}, best fixed {means['best_fixed']:.3f})"
        lines.append((f"SpMV on three devices, a published table, {what}: share of best", figure))
    return lines


def gpu_sort(rows: Rows) -> list[Line]:
    """Variant and clock of sorting on a GPU, simulated power."""
    device = next(row["device"] for row in rows if "set" in row)
    found = []
    for name in ("T/E", "T/P^2"):
        joint, two = (row_of(rows, objective=name, models=kind) for kind in ("joint", "two"))
        figure = f"{joint['share']:.3f} (a model of each {two['share']:.3f}, "
        figure += f"by a model of time {joint['by_time']:.3f})"
        what = f"Sorting, times of an {device}, simulated power and clocks, {name}: share of best"
        found.append((what, figure))
    return found


def training_cost(rows: Rows) -> list[Line]:
    """The tuner's seconds against the usual way's."""
    tuner = row_of(rows, case="tuner")
    lines = []
    for case, what in (
        ("pair, same runs", "as many runs of each"),
        ("pair, all runs", "all runs of each"),
    ):
        pairs = row_of(rows, case=case)
        figure = f"{pairs['times_the_tuner']:.1f} times fewer seconds, "
        figure += f"share of best {tuner['share_of_best']:.3f} ({pairs['share_of_best']:.3f})"
        lines.append((f"Training, against a process a variant and input, {what}", figure))
    return lines


def selection_cost(rows: Rows) -> list[Line]:
    """Models alone beside libsvm, and a bound call beside a direct one; medians."""

    def ns(case: str, contender: str) -> float:
        return float(row_of(rows, case=case, contender=contender)["median_ns"])

    lines = []
    for vectors in (50, 120):
        case = f"svm: {vectors} support vectors, 6 log features, 6 classes"
        figure = f"{ns(case, 'fettle: decide, model directory'):.0f} ns "
        figure += f"(libsvm's `svm_predict`: {ns(case, 'libsvm: svm_predict alone'):.0f} ns)"
        lines.append((f"Selection by {case}", figure))
    case = "tree: depth 6, 6 log features"
    lines.append(
        (
            f"Selection by {case}",
            f"{ns(case, 'fettle: decide, 16 inputs in turn'):.0f} ns",
        )
    )
    case = "whole calls: 6 variants, 6 features, 16 inputs in turn"
    figure = f"{ns(case, 'fettle: bound call'):.1f} ns (a direct call: "
    lines.append(("A bound call", f"{figure}{ns(case, 'direct call'):.1f} ns)"))
    contenders = {row["contender"] for row in rows if row["case"] == case}
    for what, plain in (
        ("A call by a tree of depth 4", "fettle: call, tree of depth 4"),
        ("A bound call", "fettle: bound call"),
    ):
        watched = f"{plain}, monitor = 1024"
        if watched in contenders:
            more = ns(case, watched) - ns(case, plain)
            lines.append((f"{what}, monitored one time in 1024, more than not", f"{more:.1f} ns"))
    return lines


def compile_time(rows: Rows) -> list[Line]:
    """What the header costs a compilation."""
    fettle = row_of(rows, program="fettle/variant.hpp")
    base = row_of(rows, program="<vector> + <functional>")
    seconds = fettle["median_s"] - base["median_s"]
    what = "`#include <fettle/variant.hpp>` at -O0, more than `<vector>` and `<functional>`"
    lines = [(what, f"{seconds:.2f} s")]
    alone, compiled = (
        row_of(rows, program=f"two variants, {form}")
        for form in ("headers alone", "fettle::compiled")
    )
    what = "A program of two variants at -O2, headers alone; with `fettle::compiled`"
    lines.append((what, f"{alone['median_s']:.1f} s; {compiled['median_s']:.1f} s"))
    size = alone["stripped_bytes"] / 1000
    return [*lines, ("The same program, headers alone, stripped", f"{size:.0f} kB")]


def store(rows: Rows) -> list[Line]:
    """Samples into a store and back, two stores merged twice, two workers against one."""
    lines = []
    for kind, name in (("sqlite", "SQLite"), ("redis", "Redis")):
        insert, resume, first, second = (
            row_of(rows, case=case, store=kind)
            for case in ("insert", "resume", "merge, first", "merge, second")
        )
        figure = f"{insert['seconds']:.1f} s, read by the next run in {resume['seconds']:.1f} s; "
        figure += f"a store of {first['runs']} runs merged in {first['seconds']:.0f} s, "
        figure += f"again in {second['seconds']:.0f} s ({second['new_runs']} runs are new)"
        lines.append((f"Store, {name}, {insert['samples']} samples kept", figure))
    for work, does in (("sleeping", "sleeps"), ("sorting", "sorts")):
        one, two = (row_of(rows, case=f"workers, {work}", workers=count) for count in (1, 2))
        what = f"Two Dask workers, a core each, {one['inputs']} inputs of a program that {does}"
        lines.append((what, f"{one['seconds'] / two['seconds']:.2f} times one worker"))
    return lines


def store_build(rows: Rows) -> list[Line]:
    """Candidates built by two workers and by two compilers."""
    what = f"Building {rows[0]['candidates']} candidates by two Dask workers, a core each"
    return [(what, f"{row_of(rows, case='build', by=None)['ratio']:.2f} of two compilers' seconds")]


WAYS = {
    "defaults": "variants at their defaults",
    "online": "the same, and 50 calls of search on each input",
}
"""What README.md calls a way of the record, where that does not speak for itself."""


def parameters(rows: Rows) -> list[Line]:
    """The ways to tune variants with parameters, beside the best point taken always."""
    titles = {"multiply": "a product of small matrices", "sort": "sorting"}
    inputs = {"multiply": "shapes", "sort": "inputs"}
    found = []
    for function in names_of(rows, "function"):
        own = [row for row in rows if row["function"] == function]
        most = max(row.get("inputs", 0) for row in own)
        parts = []
        for way in names_of(own, "way"):
            row = row_of(own, way=way)
            few = row.get("inputs", most) < most
            of = f" (of {row['inputs']} of {most} training inputs)" if few else ""
            parts.append(f"{WAYS.get(way, way)} {row['share_of_best']:.2f}{of}")
        judged_on = f"{own[0]['judged_on']} {inputs[function]}"
        what = f"Tuned parameters of {titles[function]}, {judged_on}: mean share of best"
        found.append((what, ", ".join(parts)))
    return found
