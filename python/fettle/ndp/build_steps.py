"""What is to be built, and the commands that build it: the training program, and shards.

The header that each of them includes in place of the program's own has its candidates.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fettle.core.wording import counted
from fettle.core.written_file import holds
from fettle.ndp.base.computation import Computation
from fettle.ndp.candidate import Candidate
from fettle.ndp.compiler_output import listed_files
from fettle.ndp.header import ErrorBound, TunedComputation, TunedProgram
from fettle.ndp.ninja_run import Step
from fettle.ndp.shards import Unit
from fettle.ndp.toolchain import Toolchain
from fettle.training.build import write_generated
from fettle.training.code_variant import CodeVariant
from fettle.training.policy_header import existing_header, foreign_policies, policy_header
from fettle.training.remote_jobs import Executor

HEADER = "fettle_config.hpp"
LIBRARY = "fettle_compiled.cpp"
COMPILED = "-DFETTLE_COMPILED"


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
    errors: ErrorBound | None = None  # of approximate candidates

    def errors_of(self, function: str) -> ErrorBound | None:
        """The bound on errors of a function; None where all its candidates are exact."""
        return self.errors if self.computations[function].may_approximate else None

    def units(self) -> list[Unit]:
        """All candidates, ordered by schedule."""
        return [
            (function, candidate)
            for function, candidates in self.candidates.items()
            for candidate in sorted(candidates, key=lambda one: one.schedule)
        ]


class BuildSteps:
    """The commands of a plan, each with what it reads and writes."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def of_others(self) -> list[Step]:
        """Compiles the sources that are linked to everything."""
        header = self._plan.directory / "training" / HEADER
        return [
            Step(
                output=output,
                command=self._plan.toolchain.compile(source, output, include=header),
                inputs=[source, header],
                what=source.name,
                lists_files=True,
                but=HEADER,  # the program's own one, which the build's header replaces
            )
            for source, output in zip(self._plan.more_sources, self._others(), strict=True)
        ]

    def _others(self) -> list[Path]:
        names = enumerate(self._plan.more_sources)
        return [self._plan.directory / "others" / f"{i}_{source.stem}.o" for i, source in names]

    def of_program(self) -> list[Step]:
        """Compiles the training program, without candidates, and links it.

        Fettle's functions that are not templates, most of what it costs, are compiled beside it,
        hardly optimised: nothing that is measured calls them.
        """
        folder, toolchain = self._plan.directory / "training", self._plan.toolchain
        if COMPILED in toolchain.compile_flags:  # the user links the library
            return self._two_steps(folder / "program.o", self.program, "training program")
        toolchain = replace(toolchain, compile_flags=(*toolchain.compile_flags, COMPILED))
        compile_it = toolchain.compile(folder / LIBRARY, folder / "fettle_compiled.o")
        library = Step(
            output=folder / "fettle_compiled.o",
            command=["-O1" if word == "-O3" else word for word in compile_it],
            inputs=[folder / LIBRARY],
            what="Fettle's functions",
            lists_files=True,
        )
        names = (folder / "program.o", self.program, "training program")
        return [library, *self._two_steps(*names, toolchain, [library.output])]

    def of_shard(self, name: str, count: int, header: Path) -> list[Step]:
        """Compiles a shard of so many candidates, and links it; beside its header."""
        what = f"shard {name}, {counted(count, 'candidate')}"
        return self._two_steps(header.with_name("shard.o"), header.with_name("shard.so"), what)

    def _two_steps(
        self,
        compiled: Path,
        linked: Path,
        what: str,
        toolchain: Toolchain | None = None,
        libraries: Sequence[Path] = (),
    ) -> list[Step]:
        header, source = compiled.with_name(HEADER), self._plan.source
        toolchain = toolchain or self._plan.toolchain
        objects = [compiled, *self._others(), *libraries]
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

    @property
    def program(self) -> Path:
        """The training program."""
        return self._plan.directory / "training" / self._plan.source.stem

    def state(self) -> str:
        """Changes with every file that the compiler reads for the program, and with its command."""
        [*_, compile_step, _] = self.of_program()
        digest = hashlib.blake2b(shlex.join(compile_step.command).encode(), digest_size=16)
        for path in listed_files(Path(f"{compile_step.output}.d"), self._plan.directory):
            about = path.stat()
            digest.update(f"{path} {about.st_size} {about.st_mtime_ns}\n".encode())
        return digest.hexdigest()


def _tuned(
    plan: Plan, function: str, candidates: Sequence[Candidate], command: str
) -> TunedComputation | TunedProgram:
    its = plan.computations[function]
    if its.is_program:
        return TunedProgram(its, ())
    return TunedComputation(its, tuple(candidates), command, plan.errors_of(function))


def write_library(plan: Plan) -> None:
    """The source of Fettle's functions that are not templates, for the training program."""
    path = plan.directory / "training" / LIBRARY
    text = "#include <fettle/compiled.ipp>\n"
    if not holds(path, text):
        write_generated(path, text)


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
            function: _tuned(plan, function, candidates, command)
            for function, candidates in chosen.items()
        },
        defines=[macro],
        existing=foreign_policies(there, plan.computations),
    )
    path = plan.directory / folder / HEADER
    if not holds(path, text):
        write_generated(path, text)
    return path
