"""Pictures in Markdown and the sentences under them: of README.md, and sections of other pages."""

from collections.abc import Callable, Mapping, Sequence
from textwrap import fill

from computation_pictures import Read, choices, speed_ups
from cost_pictures import costs
from records import best_others, row_of
from svg import Chart


def speed_up(read: Read) -> str:
    """How many computations are faster, and the least speed-up."""
    found = speed_ups(read)
    faster = sum(one.geomean >= 1 for one in found)
    least = min(found, key=lambda one: one.geomean)
    return (
        "the alternative's time over Fettle's, geometric mean over inputs that were not tuned on; "
        "of several alternatives the fastest one. "
        f"{faster} of {len(found)} are at least 1; the least is {least.geomean:.2f}, "
        f"{least.computation} over {least.over} on {least.machine}."
    )


def share_of_best(read: Read) -> str:
    """What the pictured shares are."""
    found = choices(read)
    spread = f"{min(one.mean for one in found):.2f} to {max(one.mean for one in found):.2f}"
    fixed = f"{min(one.fixed for one in found):.2f} to {max(one.fixed for one in found):.2f}"
    return (
        "time of the best variant over time of the chosen one. Models that choose variants or "
        f"parameters reach {spread} on average, one choice for all inputs {fixed}. Both times are "
        "measured, so noise takes some shares above 1 (those above 1.2 are drawn at 1.2)."
    )


def selection_cost(read: Read) -> str:
    """From a bound call to a forest."""
    record = read("selection_cost")
    assert record
    calls, models = costs(record.rows).values()
    bound = next(cost.ns for cost in calls if cost.what == "bound call")
    tree = max(cost.ns for cost in calls if "tree" in cost.what)
    forest = max(models, key=lambda cost: (cost.what.startswith("forest"), cost.ns))
    return (
        f"a call that selects by a tree costs {tree:.0f} ns, one that was bound before "
        f"{bound:.1f} ns, which is a function pointer. Forests cost more: "
        f"{forest.ns / 1000:.1f} µs for {forest.what.removeprefix('forest of ')}."
    )


def search_convergence(read: Read) -> str:
    """The strategies at the smallest and the largest budget."""
    record = read("search_spaces")
    assert record
    rows = [row for row in record.rows if "mean_share" in row]
    parts = []
    for budget in (min(row["budget"] for row in rows), max(row["budget"] for row in rows)):
        ours = row_of(rows, strategy="auto", budget=budget)["mean_share"]
        (_, theirs) = best_others(rows, budget)[1]
        parts.append(f"{ours:.3f} (Kernel Tuner's best: {theirs:.3f}) after {budget} measurements")
    return f"`auto` has found {' and '.join(parts)}."


CAPTIONS = {
    "speed_up": ("Speed-up", ("ndp_gpu", "reduction_openmp"), speed_up),
    "share_of_best": ("Share of best", ("spmv", "parameters"), share_of_best),
    "selection_cost": ("Cost of a selection", ("selection_cost",), selection_cost),
    "search_convergence": ("Search", ("search_spaces",), search_convergence),
}


def readme_text(read: Read, pictures: str) -> str:
    """The pictures, each for light and dark pages, and a sentence or two about each."""
    shown = {
        name: (title, caption)
        for name, (title, needed, caption) in CAPTIONS.items()
        if all(map(read, needed))
    }
    if not shown:
        return ""
    titles = {name: title for name, (title, _) in shown.items()}
    sentences = [f"**{title}**: {caption(read)}" for title, caption in shown.values()]
    return "\n".join(_paragraphs(pictures, titles, sentences))


def section(
    heading: str,
    drawings: Sequence[Callable[[Read], tuple[Chart, float] | None]],
    sentences: Sequence[str],
    read: Read,
) -> str:
    """A section of benchmarks/results/README.md; empty where nothing of it is recorded."""
    titles = {draw.__name__: draw.__name__ for draw in drawings if draw(read)}
    if not titles:
        return ""
    return "\n".join(["", f"## {heading}", "", *_paragraphs("pictures", titles, sentences)])


def _paragraphs(folder: str, titles: Mapping[str, str], sentences: Sequence[str]) -> list[str]:
    """The lines of pictures, each for light and dark pages, and of a list of sentences."""
    images = [
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{folder}/{name}-dark.svg">'
        f'<img width="380" alt="{title}" src="{folder}/{name}-light.svg"></picture>'
        for name, title in titles.items()
    ]
    said = [fill(f"- {sentence}", 100, subsequent_indent="  ") for sentence in sentences]
    return ['<p align="center">', *images, "</p>", "", *([*said, ""] if said else [])]
