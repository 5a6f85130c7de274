"""From the options of a tuner to what it builds: computations of the source, their candidates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from fettle.core.cores import core_count
from fettle.ndp.analyze import analyze
from fettle.ndp.build_steps import Plan
from fettle.ndp.options import BuildOptions, PathLike, SpaceOptions
from fettle.ndp.places import Places
from fettle.ndp.selection import selected_candidates, selected_computations
from fettle.ndp.toolchain import toolchain_of
from fettle.training.executors import worker_count
from fettle.training.remote_jobs import Executor
from fettle.training.settings import override_of


def plan_of(
    source: PathLike,
    platform: str,
    places: Places,
    options: BuildOptions,
    space: SpaceOptions,
    executor: Executor | None,
) -> Plan:
    """Analyses a source: the computations to tune, and their candidates. Raises FettleError."""
    options.check_build()
    space.check_space()
    toolchain = toolchain_of(
        platform,
        flags=options.flags,
        compiler=options.compiler,
        architecture=options.architecture,
    )
    near = f"-I{places.header.parent}"  # where the headers of embedded models are
    toolchain = replace(toolchain, compile_flags=(*toolchain.compile_flags, near))
    path = Path(source).resolve()
    found = selected_computations(
        analyze(path, toolchain), space.computations, str(source), platform
    )
    executor = override_of("executor") or executor
    return Plan(
        source=path,
        toolchain=toolchain,
        directory=places.directory,
        computations=found,
        candidates={name: selected_candidates(its, space) for name, its in found.items()},
        jobs=options.jobs or worker_count(executor) or core_count(),
        header=places.header,
        more_sources=[Path(more).resolve() for more in options.more_sources],
        executor=executor,
        errors=space.error_bound,
    )
