"""Measures kernels whose work-group size is chosen at the launch: each is compiled once."""

from __future__ import annotations

from collections.abc import Sequence

from compiling import Compiled, Source
from measuring import OnGpu, Replay
from shapes import kernel_named

from fettle.search.grouped import Measured
from fettle.search.grouped.lockstep import Batch

Key = tuple[str, tuple[str, ...]]  # a source's terms and options


class OfAnySize(OnGpu):
    """As OnGpu, which measures winners; but searches do so on kernels of any work-group size.

    The first point that needs a kernel pays for its compilation.
    """

    def __init__(self, *, jobs: int | None = None, time_limit: float | None = None) -> None:
        super().__init__(jobs=jobs, time_limit=time_limit)
        self._compiled: dict[Key, Compiled] = {}

    def batch(self, batch: Batch) -> list[Measured | None]:
        """Compiles what no earlier point needed, and measures."""
        found = Replay.batch(self, batch)
        if self.is_late:
            return found
        named = [(kernel_named(name), point) for name, point in batch]
        wanted = {
            i: self.source(*named[i], fixed=False) for i, one in enumerate(found) if one is None
        }
        unpaid = self._compile(list(wanted.values()))
        for i, source in wanted.items():
            compiled = self._compiled[key_of(source)]
            seconds, spent, reason = self.device.measure(*named[i], compiled, fixed=False)
            found[i] = Measured(seconds, spent + unpaid.pop(key_of(source), 0.0))
            self.count(reason)
            if self.is_late:
                break
        return found

    def _compile(self, sources: Sequence[Source]) -> dict[Key, float]:
        """Compile what is new, and say what that cost."""
        new = {key_of(one): one for one in sources if key_of(one) not in self._compiled}
        keys = list(new)
        for i, compiled in self.compilers.compile(dict(enumerate(new.values()))):
            self._compiled[keys[i]] = compiled
        return {key: self._compiled[key].seconds for key in keys}


def key_of(source: Source) -> Key:
    """What makes a source another one."""
    return source.terms, tuple(source.options)
