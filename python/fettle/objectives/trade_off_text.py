"""The trade-off between objectives as lines for people; table 4.1's layout among them."""

from __future__ import annotations

from collections.abc import Iterator

from fettle.core.wording import counted, shortened
from fettle.objectives.trade_off import Selector, TradeOff

SHOWN = 20
"""How many inputs are shown one by one."""


def trade_off_lines(found: TradeOff) -> Iterator[str]:
    """How often each variant is on the front, and each way of choosing beside the others."""
    table = found.table
    count = len(table.inputs)
    yield f"on the Pareto front of {', '.join(found.names)} (not dominated):"
    for name, fronts in zip(table.variants, found.front.sum(axis=0), strict=True):
        yield f"  {name:<24} on {fronts} of {counted(count, 'input')}"
    if found.dominated:
        yield f"dominated on every input: {', '.join(found.dominated)}"
    yield "each metric over the best of it (geometric mean over the inputs; ^: smaller is better):"
    shown = list(found.ways[0].relative)
    arrows = [
        f"{name} {'v' if table.metrics.directions[name] == 'larger' else '^'}" for name in shown
    ]
    yield f"  {'':<28} {' '.join(f'{name:>14}' for name in arrows)}"
    for way in found.ways:
        figures = " ".join(f"{way.relative[name]:>14.4f}" for name in shown)
        mark = "front" if way.on_front else ""
        part = f" on {way.inputs} of {count}" if way.inputs < count else ""
        yield f"  {_called(way):<28} {figures}   {mark}{part}".rstrip()
    yield from _against(found, shown)


def _against(found: TradeOff, shown: list[str]) -> Iterator[str]:
    """The layout of table 4.1."""
    for way in found.ways:
        if way.kind == "variant":
            continue
        yield f"{_called(way)}, each metric over that of a fixed variant (mean over the inputs):"
        width = max(map(len, way.against))
        yield f"  {'':<{width}} {' '.join(f'{name:>12}' for name in shown)}"
        for variant, ratios in way.against.items():
            figures = " ".join(f"{ratios[name]:>12.4f}" for name in shown)
            yield f"  {variant:<{width}} {figures}"


def front_lines(found: TradeOff) -> Iterator[str]:
    """The front of each input."""
    table = found.table
    yield "the front of each input:"
    for name, front in list(zip(table.inputs, found.front, strict=True))[:SHOWN]:
        members = [variant for variant, there in zip(table.variants, front, strict=True) if there]
        yield f"  {shortened(name):<28} {', '.join(members)}"
    if len(table.inputs) > SHOWN:
        yield f"  and {counted(len(table.inputs) - SHOWN, 'input')} more (--json has all)"


def _called(way: Selector) -> str:
    return {"variant": way.name, "optimum": f"best by {way.name}", "model": f"model {way.name}"}[
        way.kind
    ]
