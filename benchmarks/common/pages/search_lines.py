"""The tables' lines on searching parameters, of each recorded benchmark."""

from statistics import mean

from records import Line, Rows, best_others, row_of


def search_laplacian(rows: Rows) -> list[Line]:
    """Strategies on a measured space, beside the published figures of the same methods."""
    published = [row for row in rows if "published_mean" in row]
    dlmt = row_of(rows, case="DLMT")
    what = f"Search, Laplacian kernel, {dlmt['repeat']} searches each: mean slowdown"
    figure = f"DLMT {dlmt['mean_slowdown']:.3f}, largest {dlmt['max_slowdown']:.3f}, with "
    figure += f"{dlmt['mean_budget']:.1f} measurements (the paper's {dlmt['published_mean']:.2f}, "
    figure += f"{dlmt['published_max']:.2f}, {dlmt['published_mean_budget']:.1f}); "
    auto = row_of(rows, case="auto")
    figure += f"auto {auto['mean_slowdown']:.3f}, largest {auto['max_slowdown']:.3f}, with "
    figure += f"{auto['mean_budget']:.1f}, above 1.02 in {auto['above_1.02']}"
    others = [
        f"{row['case'].partition(',')[0]} {row['mean_slowdown']:.2f} ({row['published_mean']:.2f})"
        for row in published
        if row is not dlmt
    ]
    same = "The same, the paper's other methods (in brackets: the paper's figure)"
    return [(what, figure), (same, ", ".join(others))]


def search_spaces(rows: Rows) -> list[Line]:
    """What auto comes to on measured kernels, beside the best of the others."""
    lines = []
    for auto in [row for row in rows if row.get("strategy") == "auto"]:
        budget = auto["budget"]
        what = f"Search, {auto['spaces']} measured kernel spaces, {budget} measurements: "
        figure = f"auto {auto['mean_share']:.3f}"
        (own, own_share), (tuner, tuner_share) = best_others(rows, budget)
        figure += f", best of the other methods here {own_share:.3f} ({own})"
        figure += f", best of Kernel Tuner's {tuner_share:.3f} ({tuner})"
        drawn = row_of(rows, strategy="random", budget=budget)["mean_share"]
        lines.append((f"{what}mean of optimum / best found", f"{figure}, random {drawn:.3f}"))
    return lines


def search_spapt(rows: Rows) -> list[Line]:
    """Each strategy's mean over the kernels, beside the authors' runs."""
    rows = [row for row in rows if "strategy" in row]
    kernels = {row["kernel"]: row for row in rows}
    shares = {
        name: mean(row["mean_share"] for row in rows if row["strategy"] == name)
        for name in dict.fromkeys(row["strategy"] for row in rows)
    }
    authors = {
        name: mean(row[column] for row in kernels.values())
        for name, column in (("random", "published_random"), ("DLMT", "published_dlmt"))
    }
    budget = next(iter(kernels.values()))["budget"]
    what = f"Search, samples of {len(kernels)} SPAPT kernels, {budget} measurements: "
    figure = ", ".join(f"{name} {share:.3f}" for name, share in shares.items())
    paper = ", ".join(f"{name} {share:.3f}" for name, share in authors.items())
    return [(f"{what}mean of best of the sample / best found", f"{figure}; authors' runs: {paper}")]


def search_construction(rows: Rows) -> list[Line]:
    """The largest constrained space, built and filtered."""
    found = max(rows, key=lambda row: row["product"])
    what = f"Building the space of {found['space']}, {found['points']} of {found['product']} points"
    figure = f"{found['propagation_s']:.3f} s, {found['propagation_ratio']:.0f} times faster than "
    return [(what, f"{figure}filtering the product ({found['filter_s']:.1f} s)")]


def stencil(rows: Rows) -> list[Line]:
    """Grouped searches with a predicted part of the space, each beside both of the references."""
    lines = []
    for search, title in (
        ("blocks predicted", "blocks alone"),
        ("refined predicted two", "refined, two ways of loading"),
    ):
        found = row_of(rows, search=search)
        parts = [
            f"{found[f'speedup_{other}']:.2f} of {name} best (geometric mean) in "
            f"{found[f'cost_share_{other}']:.1%} of its time"
            for other, name in (
                ("expert", "the expert search's"),
                ("random", "random-1000's"),
            )
        ]
        what = f"Stencils on a GPU, {found['kernels']} of 104 kernels, loading predicted, {title}"
        lines.append((f"{what}: speed of the best found", "; ".join(parts)))
    return [*lines, loading_gap(rows)]


def loading_gap(rows: Rows) -> Line:
    """How much there is to predict: what always the same way of loading misses."""
    times = [row["microseconds"] for row in rows if "kernel" in row]
    ways = [name for name in times[0] if name.startswith("refined ")]
    shares = {
        way.removeprefix("refined "): [min(its[w] for w in ways) / its[way] for its in times]
        for way in ways
    }
    always, after = sorted(shares, key=lambda way: -mean(shares[way]))[:2]
    what = f"The same, loading always by {always}: share of the best loading, mean (worst kernel)"
    figure = f"{mean(shares[always]):.4f} ({min(shares[always]):.3f}): nothing to predict; "
    figure += f"{after} {mean(shares[after]):.3f} ({min(shares[after]):.3f})"
    return what, figure


def thresholds(rows: Rows) -> list[Line]:
    """Thresholds between versions: what tuning them gains, and which runs it needs."""
    platform = "GPU" if next(r["platform"] for r in rows if "platform" in r) == "cuda" else "CPU"
    simple = row_of(rows, programs="simple")
    what = f"Thresholds on a {platform}, ten programs, {simple['data_sets']} data sets left out: "
    figure = f"{simple['speedup_moderate']:.2f} (untuned {simple['untuned_speedup_moderate']:.2f}; "
    figure += f"of the best versions {simple['share_of_best']:.3f}), one run a version"
    lines = [(what + "speed over moderate flattening, geometric mean", figure)]
    loops = [row for row in rows if row.get("kind") == "loop" and "tuner" in row]
    parts = [
        f"{row['tuner']} {row['speedup_moderate']:.2f} ({row['runs']:g} runs)"
        for row in loops
        if row["tuner"] in ("instrumented", "binary", "active", "CMA on indices", "CMA, naive")
    ]
    if parts:
        lines.append((f"The same, LUD, a loop on shrinking sizes ({platform})", ", ".join(parts)))
    judged = [row["shares"] for row in rows if "shares" in row]
    names = ("thresholds", "thresholds of the tree", "tree", "svm", "moderate")
    chosen = [f"{name} {mean(one[name] for one in judged):.3f}" for name in names]
    what = (
        f"The same versions chosen by classifiers, {len(judged)} programs ({platform}): share of "
    )
    lines.append((f"{what}best on data left out", ", ".join(chosen)))
    return lines


def search_carried(rows: Rows) -> list[Line]:
    """Parameters of kernels on GPUs that were never measured: the best of ten points."""

    def share(way: str) -> float:
        return float(mean(row[way] for row in rows))

    others = {
        "without device features": "carried_without_device_features",
        "by the sources' mean": "mean_of_sources",
        "by the nearest GPU": "nearest",
        "random": "random",
    }
    ways = ("carried", *others.values())
    hindsight = mean(max(row[way] for way in ways) for row in rows)
    figure = f"{share('carried'):.3f} ("
    figure += ", ".join(f"{said} {share(way):.3f}" for said, way in others.items())
    figure += f"; the best of these ways on each, known afterwards, {hindsight:.3f})"
    what = f"Parameters carried to a GPU never measured, {len(rows)} published tables: optimum / "
    return [(what + "best of ten tried points", figure)]
