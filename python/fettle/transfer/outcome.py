"""What came of a model from other machines' measurements, and its report."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fettle.core.wording import counted


@dataclass(frozen=True)
class FromSource:
    """A model for this machine that others' measurements made, and what to expect of it."""

    function: str
    directory: Path
    method: str
    machine: str
    sources: tuple[str, ...]
    expected: float | None
    """Mean share of best with each source in turn as the target and nothing measured there; None
    with one source, and where the machine is unlike all."""
    unlike: str
    """Why the sources say nothing of this machine: what was measured here decides, or the default.
    Empty otherwise."""
    left_out: tuple[str, ...]
    measured: int = 0
    """Inputs measured on this machine."""
    before: float | None = None
    """The mean share of best on these of the choice without them."""
    device: tuple[str, ...] = ()
    """Of a portable model: the features of the machine that it asks for where it is loaded."""
    notes: tuple[str, ...] = ()
    """What the method goes by: sources, device features, proxies."""

    def __str__(self) -> str:
        lines = [f"{self.function} on {self.machine}, from {', '.join(self.sources)}:"]
        if self.unlike:
            runs = f"{self.method}" if self.measured else "the default variant runs"
            lines.append(f"  too unlike the sources ({self.unlike}): {runs}")
        elif self.expected is None:
            lines.append("  one source: what to expect here cannot be judged")
        elif self.device or self.method == "portable":
            asks = f"asks a machine for {', '.join(self.device)}" if self.device else "asks nothing"
            lines.append(
                f"  expected share of best {self.expected:.3f} on a machine that is not a source "
                f"(portable, {asks}; each source in turn left out)"
            )
        else:
            lines.append(
                f"  expected share of best {self.expected:.3f} without a run here ({self.method}; "
                "each source in turn as the target, inputs held out)"
            )
        if self.before is not None:
            lines.append(
                f"  {counted(self.measured, 'input')} measured here; on them the choice had "
                f"reached {self.before:.3f} without them"
            )
        lines += [f"  {note}" for note in self.notes if not self.unlike]
        lines += [f"  left out: {why}" for why in self.left_out]
        lines.append(f"  model: {self.directory}")
        return "\n".join(lines)
