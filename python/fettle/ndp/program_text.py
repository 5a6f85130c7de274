"""A program of computations as text: what it consists of, and which of it may be fused."""

from __future__ import annotations

from fettle.core.wording import counted
from fettle.ndp.base.computation import Computation


def program_text(program: Computation) -> str:
    """The program's computations, in the order in which they were added, and its fusions."""
    if not program.parts:
        return (
            f"{program.function} on {program.platform}: a program, which was not reached; give the "
            "arguments of a start that executes it by --start\n"
        )
    parts = [
        f"  {part.name}: {part.expression}" + (f" of {', '.join(part.reads)}" if part.reads else "")
        for part in program.parts
    ]
    return "\n".join(
        [
            f"{program.function} on {program.platform}: a program of "
            f"{counted(len(program.parts), 'computation')}, "
            f"{counted(len(program.fusions), 'fusion')}",
            "",
            *parts,
            "",
            "fused:",
            *(f"  {fused}" for fused in program.fusions),
            "",
        ]
    )
