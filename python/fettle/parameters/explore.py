"""Searches the parameters of variants, input by input, and keeps all that it finds in the store.

Every search begins with the points that were best on the inputs before: inputs that are alike need
few measurements then, and few points serve many inputs. After it the points that may be the best
are measured again (racing.py).
"""

from __future__ import annotations

import math
import time
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fettle.core.errors import FettleError
from fettle.parameters.point_session import PointSession
from fettle.parameters.racing import Standing, race
from fettle.search.parameter_search import ParameterSearch
from fettle.search.registry import make_strategy
from fettle.search.run import search
from fettle.search.variant_space import VariantSpace, family_of
from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.costs import cost_of
from fettle.training.examples import is_settled
from fettle.training.measure import Measurer
from fettle.training.program import Input, InputError

# A point that is better than those of other inputs by less than this is not worth deploying.
GAIN = 0.03
# Where a variant's best point is this much slower than the best of all, no more is to be known.
HOPELESS = 2.0


@dataclass
class Explorer:
    """Finds good points for the inputs of one function."""

    measurer: Measurer
    settings: ParameterSearch
    spaces: Mapping[str, VariantSpace]
    seed: int
    deadline: float | None = None
    found: dict[str, list[str]] = field(default_factory=dict)
    """For each variant the names of its good points, those that were found first at the front."""

    def explore(self, given: Input) -> None:
        """Searches on all calls of an input; what is known already costs nothing.

        Raises InputError, and FettleError where the space is empty.
        """
        for example in self._calls(given):
            for variant in self.variants_of(example):
                self._search(given, example.call, self.spaces[variant])

    def variants_of(self, example: Example) -> list[str]:
        """The variants whose parameters are searched on a call."""
        if self.settings.way == "online":
            return []
        if self.settings.way != "restricted":
            return list(self.spaces)
        offer = self._offer
        costs = {name: cost_of(example, name, offer) for name in offer.variants}
        best = min(costs, key=lambda name: costs[name])
        variant = family_of(best, self.spaces)
        return [variant] if variant in self.spaces and math.isfinite(costs[best]) else []

    def measure(self, given: Input, names: Iterable[str]) -> None:
        """Measures points on all calls of an input where they are not known, and the best again."""
        wanted = list(names)
        points = [name for name in wanted if self._is_point(name)]
        for example in self._calls(given):
            with PointSession(self.measurer, given, example.call) as session:
                for name in wanted:
                    if name not in example.verdicts:
                        session.measure(name)
                note = f"{self._call_note(given, example.call)} raced"
                raced = f"{self.settings.measurements} {sorted(points)}"
                if self.measurer.store.note(note) == raced:
                    continue
                self._race(session, points)
                if not self._is_late:
                    self.measurer.store.set_note(note, raced)

    def _is_point(self, name: str) -> bool:
        return any(space.parse(name) is not None for space in self.spaces.values())

    def _race(self, session: PointSession, points: Sequence[str]) -> None:
        """Measures the points again that may be the best of these, unless another variant is."""
        offer, example = self._offer, session.example()
        costs = {name: cost_of(example, name, offer) for name in example.verdicts}
        best = min((costs.get(name, math.inf) for name in points), default=math.inf)
        if math.isfinite(best) and best <= HOPELESS * min(costs.values()):
            race(session, points, offer, self.settings.measurements, lambda: self._is_late)

    def known(self, example: Example, space: VariantSpace) -> dict[str, float]:
        """The costs of a variant's points that were measured on a call."""
        return {
            name: cost_of(example, name, self._offer)
            for name in example.verdicts
            if space.parse(name) is not None
        }

    @property
    def _offer(self) -> Offer:
        assert self.measurer.offer is not None
        return self.measurer.offer

    def _calls(self, given: Input) -> Sequence[Example]:
        offer = self._offer
        known = self.measurer.examples(given)
        return [e for e in known if is_settled(e, offer) and not e.featureless]

    def _search(self, given: Input, call: int, space: VariantSpace) -> None:
        with PointSession(self.measurer, given, call) as session:
            known = self.known(session.example(), space)
            if session.example().verdicts[space.default_name][0] == "excluded":
                return  # a constraint of the variant refuses the input
            may_search = self.measurer.may_measure and not self._is_done(given, call, space, known)
            if may_search:
                self._run(session, space, known)
                self._race(session, list(self.known(session.example(), space)))
                if not self._is_late:  # else it goes on in the next run of the tuner
                    self.measurer.store.set_note(self._note(given, call, space), self._budget)
            self._keep(space, session.example())

    def _run(self, session: PointSession, space: VariantSpace, known: dict[str, float]) -> None:
        settings = self.settings
        exhaustive = settings.way == "variants"
        most = len(space.space) if exhaustive else settings.measurements
        left = most - len(known.keys() - {space.default_name})
        began = time.monotonic()
        for name in self.found.get(space.variant, []):
            if name not in known and left > 0:
                known[name] = session.measure(name)
                left -= 1
        if left <= 0:
            return
        seconds = self._seconds(time.monotonic() - began)
        if seconds is not None and seconds <= 0:
            return
        strategy = make_strategy(
            "exhaustive" if exhaustive else settings.strategy,
            space.space,
            self.seed,
            None if exhaustive else left,
            **({} if exhaustive else dict(settings.options)),
        )
        rows: dict[tuple[Hashable, ...], float] = {
            tuple(_point(space, name).values()): cost for name, cost in known.items()
        }
        try:
            search(
                space.space,
                lambda point: session.measure(space.name_of(point)),
                strategy,
                measurements=left,
                seconds=seconds,
                known=rows,
            )
        except InputError:
            raise
        except FettleError:
            # An input on which nothing works is reported with the failures, by the caller.
            if any(map(math.isfinite, self.known(session.example(), space).values())):
                raise

    @property
    def _is_late(self) -> bool:
        return self.deadline is not None and time.monotonic() >= self.deadline

    def _seconds(self, spent: float) -> float | None:
        """What is left for a search: of the budget per search, and of the tuner's."""
        limits = []
        if self.settings.seconds is not None and self.settings.way != "variants":
            limits.append(self.settings.seconds - spent)
        if self.deadline is not None:
            limits.append(self.deadline - time.monotonic())
        return min(limits, default=None)

    def _keep(self, space: VariantSpace, example: Example) -> None:
        """Notes the best point, unless one of those found before is as good."""
        standing = Standing.of(example, self.known(example, space), self._offer)
        if not standing.samples:
            return
        best, good = standing.best, self.found.setdefault(space.variant, [])
        limit = standing.shrunk(best) * (1 + GAIN)
        if all(n not in standing.samples or standing.shrunk(n) > limit for n in good):
            good.append(best)

    @property
    def _budget(self) -> str:
        s = self.settings
        return f"{s.way} {s.strategy} {s.measurements} {s.seconds} {self.seed} {dict(s.options)}"

    def _note(self, given: Input, call: int, space: VariantSpace) -> str:
        # Of a search that came to its end: in the store, one that was killed looks like one whose
        # time was spent.
        return f"{self._call_note(given, call)} {space} searched"

    def _call_note(self, given: Input, call: int) -> str:
        return f"parameters: {self.measurer.subject} {self.measurer.key(given)} call {call}"

    def _is_done(
        self, given: Input, call: int, space: VariantSpace, known: Mapping[str, float]
    ) -> bool:
        note = self.measurer.store.note(self._note(given, call, space))
        return note == self._budget and bool(known)


def _point(space: VariantSpace, name: str) -> dict[str, int]:
    point = space.parse(name)
    assert point is not None
    return point
