"""What the measurements of a function are filed under, and a measurer that files them there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from fettle.core.native import native
from fettle.core.progress import Display
from fettle.core.wording import printable
from fettle.store.base import Store
from fettle.store.subject import Subject
from fettle.training.code_variant import CodeVariant
from fettle.training.compiled_policy import options_of
from fettle.training.gpu_program import gpu_name, uses_gpu
from fettle.training.measure import Measurer
from fettle.training.patience import SECONDS, Patience
from fettle.training.program import Program, ProgramError
from fettle.training.request import Measuring
from fettle.training.settings import Settings


def open_measurer(
    settings: Settings, function: CodeVariant, store: Store, logs: Path, display: Display
) -> Measurer:
    """A measurer for a function of the program, which must be built unless nothing is measured."""
    program = settings.full_program()
    subject = Subject(
        program=settings.filed_under or str(program.path()),
        function=function.name,
        machine=function.device_id or settings.machine or measured_machine(program),
        conditions=" ".join([_conditions(function), *_macros(settings)]),
    )
    if settings.fresh:
        store.forget(subject)
    measurer = Measurer(
        program=program,
        subject=subject,
        store=store,
        logs=logs,
        display=display,
        measuring=_with_timeout(settings),
        silence_seconds=settings.timeout,
        patience=None if settings.schedules else Patience(min(SECONDS, settings.timeout)),
        variants=function.variants,
        allow_failures=function.allow_failures,
        deterministic=function.deterministic,
        options=options_of(function),
        returns_seconds=function.metric == "seconds",
        may_measure=settings.measure,
        fresh_variants=settings.fresh_variants,
        workers=settings.workers,
    )
    if settings.measure:
        measurer.check_build()
    return measurer


def measured_machine(program: Program) -> str:
    """What a program's measurements are filed by: the processor, and the GPU where it uses one."""
    try:
        gpu = gpu_name() if uses_gpu(program.path()) else ""
    except ProgramError:  # nothing is measured, only read
        gpu = ""
    return with_gpu(machine_name(), gpu)


def with_gpu(machine: str, gpu: str) -> str:
    """The name of a machine for functions that run on its GPU."""
    return f"{machine}, {printable(gpu)}" if gpu else machine


def machine_name() -> str:
    """What tells this machine's measurements from those of another one."""
    machine = native().machine_description()
    return printable(f"{machine['processor']}, {machine['cores']} cores")


def _with_timeout(settings: Settings) -> Measuring:
    """The tuner's time-out holds for the first variant of an input unless `Measuring` has one."""
    if settings.measuring.timeout_s is not None:
        return settings.measuring
    return replace(settings.measuring, timeout_s=settings.timeout)


def _macros(settings: Settings) -> list[str]:
    return [f"{name}={value}" for name, value in settings.built_with.items()]


def _conditions(function: CodeVariant) -> str:
    """The options that what is measured depends on."""
    return (
        f"metric={function.metric} larger_is_better={function.larger_is_better} "
        f"constraints={function.constraints}"
        + (f" meters={','.join(function.meters)}" if function.meters else "")
    )
