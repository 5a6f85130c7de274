"""Builds what measuring needs: the training program, and the candidates in shards.

The program's source is compiled once as it is, with no candidates, and once for each shard, a
shared object that holds some of them. A shard that does not compile is halved until the candidates
at fault are known; those are dropped, with the reason.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from fettle.core.errors import FettleError
from fettle.core.progress import Display
from fettle.ndp.build_lock import build_lock
from fettle.ndp.build_steps import BuildSteps, Plan, write_header, write_library
from fettle.ndp.compiler_output import (
    head_of,
    is_full,
    is_out_of_memory,
    reason_of,
)
from fettle.ndp.manifest import Dropped, Manifest, Shard, read_manifest, write_manifest
from fettle.ndp.ninja_run import Step, run_steps
from fettle.ndp.remote_build import run_parts
from fettle.ndp.shards import Unit, cut, divide
from fettle.training.build import BuildError

LITTLE = 1 << 20  # bytes free on a disk that is as good as full
HOPELESS = 4  # candidates that fail one by one before it is taken for everybody's fault


def build(plan: Plan, display: Display) -> Manifest:
    """Brings the build directory up to date; what is so already is not compiled again.

    Raises BuildError where the source or none of the candidates can be compiled, and where the disk
    is full or the memory too small: then no candidate is dropped for it.
    """
    with build_lock(plan.directory, display.say):
        return _Building(plan, display).run()


@dataclass
class _Part:
    """A shard that may yet have to be halved."""

    name: str
    units: list[Unit]
    problem: str = ""  # what the compiler said; empty where it compiles


@dataclass
class _Building:
    plan: Plan
    display: Display
    whole: list[_Part] = field(default_factory=list)  # that compile
    dropped: list[Dropped] = field(default_factory=list)

    @property
    def _steps(self) -> BuildSteps:
        return BuildSteps(self.plan)

    def run(self) -> Manifest:
        begin = time.monotonic()
        write_header(self.plan, "training", [], "FETTLE_NDP_TRAINING")
        write_library(self.plan)
        failing = self._compile(self._first_parts())
        while failing:
            failing = self._compile(self._halves(failing))
        if not self.whole and self.plan.units():
            self._give_up()
        manifest = Manifest(
            source=str(self.plan.source),
            platform=self.plan.toolchain.platform,
            program=str(self._steps.program.relative_to(self.plan.directory)),
            computations=self.plan.computations,
            shards=tuple(self._shard(part) for part in sorted(self.whole, key=_order)),
            dropped=tuple(self.dropped),
            state=self._steps.state(),
            seconds=time.monotonic() - begin,
        )
        write_manifest(self.plan.directory, manifest)
        return manifest

    def _shard(self, part: _Part) -> Shard:
        file = f"shards/{part.name}/shard.so"
        size = (self.plan.directory / file).stat().st_size
        return Shard(file, tuple(part.units), size)

    def _first_parts(self) -> list[_Part]:
        """Those of the last build where they have the same candidates, else all divided anew."""
        units = self.plan.units()
        if not units:  # a program's fusions are compiled in
            return []
        try:
            before = read_manifest(self.plan.directory)
        except FettleError:
            before = None
        if before is not None:
            known = [unit for shard in before.shards for unit in shard.units]
            known += [one.unit for one in before.dropped]
            if set(known) == set(units) and self._still_holds(before):
                self.dropped = list(before.dropped)
                return [_Part(Path(one.file).parent.name, list(one.units)) for one in before.shards]
        shards = divide(units, self.plan.jobs)
        return [_Part(str(number), shard) for number, shard in enumerate(shards)]

    def _still_holds(self, before: Manifest) -> bool:
        """Whether what did not compile would not now: nothing that the compiler reads differs."""
        if not before.dropped:
            return True
        self._compile([])
        return self._steps.state() == before.state

    def _compile(self, parts: Sequence[_Part]) -> list[_Part]:
        """Compiles parts, and the program; returns the parts that fail."""
        steps = self._steps.of_others()
        if self.plan.executor is None or not parts:
            steps += self._steps.of_program()
        of_part: dict[str, list[Step]] = {}
        for part in parts:
            header = write_header(self.plan, f"shards/{part.name}", part.units, "FETTLE_NDP_SHARD")
            of_part[part.name] = self._steps.of_shard(part.name, len(part.units), header)
            if self.plan.executor is None:
                steps += of_part[part.name]
        what = f"building {self.plan.source.name}"
        failed: dict[Path, str] = {}
        if steps:
            failed = run_steps(
                self.plan.directory, steps, jobs=self.plan.jobs, what=what, display=self.display
            )
        if self.plan.executor is not None and parts and not failed:
            named = {"training program": self._steps.of_program()}  # first: it takes longest
            named |= {f"shard {name}": its for name, its in of_part.items()}
            failed = run_parts(self.plan.executor, named, what=what, display=self.display)
        failing: list[_Part] = []
        for part in parts:
            problems = [failed.pop(step.output, "") for step in of_part[part.name]]
            part.problem = "".join(problems)
            (failing if any(problems) else self.whole).append(part)
        for output, log in failed.items():
            raise BuildError(
                f"{self.plan.source} does not compile ({output.name}):\n{head_of(log)}"
            )
        return failing

    def _halves(self, failing: Sequence[_Part]) -> list[_Part]:
        """What to try next; a single candidate that fails is dropped."""
        found: list[_Part] = []
        for part in failing:
            self._check_machine(part)
            if len(part.units) == 1:
                [unit] = part.units
                self.dropped.append(Dropped(unit, reason_of(part.problem)))
                self.display.say(f"dropped: {unit[1].text}: {self.dropped[-1].reason}")
                continue
            for letter, units in zip("ab", cut(part.units, 2), strict=True):
                found.append(_Part(part.name + letter, units, part.problem))
        if not self.whole and len(self.dropped) >= HOPELESS:
            self._give_up()
        return found

    def _check_machine(self, part: _Part) -> None:
        """Raises BuildError where it is not the candidates that are at fault."""
        if is_full(part.problem) or shutil.disk_usage(self.plan.directory).free < LITTLE:
            raise BuildError(
                f"the compiler could not write in {self.plan.directory}: make room there (and in "
                "the folder for temporary files), and run this again; what is compiled stays.\n"
                f"{head_of(part.problem)}"
            )
        if len(part.units) == 1 and is_out_of_memory(part.problem):
            raise BuildError(
                f"the compiler ran out of memory on {part.units[0][1].text}; run this again with "
                "fewer compilers at a time (--jobs), or without this candidate (--only). What is "
                f"compiled stays.\n{head_of(part.problem)}"
            )

    def _give_up(self) -> NoReturn:
        if not self.dropped:
            raise BuildError(f"{self.plan.source}: there are no candidates to build")
        one = self.dropped[0]
        raise BuildError(
            f"{self.plan.source} compiles, but none of the candidates does "
            f"({len(self.dropped)} were tried). {one.unit[1].text}:\n{one.reason}"
        )


def _order(part: _Part) -> tuple[int, str]:
    """Parts in the order of their candidates: 0, 1a, 1b, 2, 10."""
    number = part.name.rstrip("ab")
    return int(number), part.name
