"""Builds what measuring needs: the training program, and the candidates in shards.

The program's source is compiled once as it is, with no candidates, and once for each shard, a
shared object that holds some of them. A shard that does not compile is halved until the candidates
at fault are known; those are dropped, with the reason.
"""

from __future__ import annotations

import hashlib
import shlex
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from fettle.core.errors import FettleError
from fettle.core.progress import Display
from fettle.core.wording import counted
from fettle.core.written_file import holds
from fettle.ndp.base.computation import Computation
from fettle.ndp.build_lock import build_lock
from fettle.ndp.candidate import Candidate
from fettle.ndp.compiler_output import (
    head_of,
    is_full,
    is_out_of_memory,
    listed_files,
    reason_of,
)
from fettle.ndp.header import TunedComputation
from fettle.ndp.manifest import Dropped, Manifest, Shard, read_manifest, write_manifest
from fettle.ndp.ninja_run import Step, run_steps
from fettle.ndp.remote_build import run_parts
from fettle.ndp.shards import Unit, cut, divide
from fettle.ndp.toolchain import Toolchain
from fettle.training.build import BuildError, write_generated
from fettle.training.code_variant import CodeVariant
from fettle.training.policy_header import existing_header, foreign_policies, policy_header
from fettle.training.remote_pool import Executor

HEADER = "fettle_config.hpp"
LITTLE = 1 << 20  # bytes free on a disk that is as good as full
HOPELESS = 4  # candidates that fail one by one before it is taken for everybody's fault


@dataclass(frozen=True)
class Plan:
    """What is to be built, where and how."""

    source: Path
    toolchain: Toolchain
    directory: Path
    computations: Mapping[str, Computation]  # by their functions' names
    candidates: Mapping[str, Sequence[Candidate]]
    jobs: int
    header: Path | None = None  # the program's own, whose policies of other functions are needed
    more_sources: Sequence[Path] = ()  # compiled once and linked to everything
    executor: Executor | None = None  # whose workers compile; None: this process's machine

    def units(self) -> list[Unit]:
        """All candidates, ordered by schedule."""
        return [
            (function, candidate)
            for function, candidates in self.candidates.items()
            for candidate in sorted(candidates, key=lambda one: one.schedule)
        ]


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

    def run(self) -> Manifest:
        begin = time.monotonic()
        write_header(self.plan, "training", [], "FETTLE_NDP_TRAINING")
        failing = self._compile(self._first_parts())
        while failing:
            failing = self._compile(self._halves(failing))
        if not self.whole:
            self._give_up()
        manifest = Manifest(
            source=str(self.plan.source),
            platform=self.plan.toolchain.platform,
            program=str(self._program().relative_to(self.plan.directory)),
            computations=self.plan.computations,
            shards=tuple(self._shard(part) for part in sorted(self.whole, key=_order)),
            dropped=tuple(self.dropped),
            state=self._state(),
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
        return self._state() == before.state

    def _compile(self, parts: Sequence[_Part]) -> list[_Part]:
        """Compiles parts, and the program; returns the parts that fail."""
        steps = self._steps_of_others()
        if self.plan.executor is None or not parts:
            steps += self._steps_of_program()
        of_part: dict[str, list[Step]] = {}
        for part in parts:
            header = write_header(self.plan, f"shards/{part.name}", part.units, "FETTLE_NDP_SHARD")
            of_part[part.name] = self._steps_of_part(part, header)
            if self.plan.executor is None:
                steps += of_part[part.name]
        what = f"building {self.plan.source.name}"
        failed: dict[Path, str] = {}
        if steps:
            failed = run_steps(
                self.plan.directory, steps, jobs=self.plan.jobs, what=what, display=self.display
            )
        if self.plan.executor is not None and parts and not failed:
            named = {f"shard {name}": its for name, its in of_part.items()}
            named["training program"] = self._steps_of_program()
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

    def _steps_of_others(self) -> list[Step]:
        header = self.plan.directory / "training" / HEADER
        return [
            Step(
                output=output,
                command=self.plan.toolchain.compile(source, output, include=header),
                inputs=[source, header],
                what=source.name,
                lists_files=True,
                but=HEADER,  # the program's own one, which the build's header replaces
            )
            for source, output in zip(self.plan.more_sources, self._others(), strict=True)
        ]

    def _others(self) -> list[Path]:
        names = enumerate(self.plan.more_sources)
        return [self.plan.directory / "others" / f"{i}_{source.stem}.o" for i, source in names]

    def _steps_of_program(self) -> list[Step]:
        return self._two_steps(
            self.plan.directory / "training" / "program.o", self._program(), "training program"
        )

    def _steps_of_part(self, part: _Part, header: Path) -> list[Step]:
        count = len(part.units)
        what = f"shard {part.name}, {counted(count, 'candidate')}"
        return self._two_steps(header.with_name("shard.o"), header.with_name("shard.so"), what)

    def _two_steps(self, compiled: Path, linked: Path, what: str) -> list[Step]:
        header, source = compiled.with_name(HEADER), self.plan.source
        toolchain, objects = self.plan.toolchain, [compiled, *self._others()]
        link = toolchain.link(objects, linked, shared=linked.suffix == ".so")
        return [
            Step(
                output=compiled,
                command=toolchain.compile(source, compiled, include=header),
                inputs=[source, header],
                what=what,
                lists_files=True,
                but=HEADER,  # the program's own one, which the build's header replaces
            ),
            Step(output=linked, command=link, inputs=objects, what=f"{what}: link"),
        ]

    def _program(self) -> Path:
        return self.plan.directory / "training" / self.plan.source.stem

    def _state(self) -> str:
        """Changes with every file that the compiler reads for the program, and with its command."""
        compile_step = self._steps_of_program()[0]
        digest = hashlib.blake2b(shlex.join(compile_step.command).encode(), digest_size=16)
        for path in listed_files(Path(f"{compile_step.output}.d"), self.plan.directory):
            about = path.stat()
            digest.update(f"{path} {about.st_size} {about.st_mtime_ns}\n".encode())
        return digest.hexdigest()


def write_header(plan: Plan, folder: str, units: Iterable[Unit], macro: str) -> Path:
    """The header of a shard, or of the training program, in a folder of the build directory."""
    chosen: dict[str, list[Candidate]] = {}
    for function, candidate in units:
        chosen.setdefault(function, []).append(candidate)
    if macro != "FETTLE_NDP_SHARD":  # the program knows every function, without candidates
        chosen = {function: [] for function in plan.computations}
    command = f"fettle ndp tune {plan.source}"
    there = "" if plan.header is None else existing_header(plan.header)
    text = policy_header(
        [CodeVariant(function) for function in chosen],
        Path("fettle_models"),
        computations={
            function: TunedComputation(plan.computations[function], tuple(candidates), command)
            for function, candidates in chosen.items()
        },
        defines=[macro],
        existing=foreign_policies(there, plan.computations),
    )
    path = plan.directory / folder / HEADER
    if not holds(path, text):
        write_generated(path, text)
    return path


def _order(part: _Part) -> tuple[int, str]:
    """Parts in the order of their candidates: 0, 1a, 1b, 2, 10."""
    number = part.name.rstrip("ab")
    return int(number), part.name
