"""Models for this machine from what other machines measured (dissertation, listing 3.2).

Finds the sources of each function in the store, has its model made (function_transfer.py), and
writes the headers that the program includes.
"""

from __future__ import annotations

from collections.abc import Sequence

from fettle.core.blas import OneBlasThread
from fettle.core.errors import FettleError
from fettle.core.numbers import is_whole
from fettle.core.progress import Display
from fettle.core.scikit_learn import without_checks
from fettle.core.wording import counted
from fettle.model.model_directory import check_model_directory
from fettle.store.base import Store
from fettle.store.place import open_store
from fettle.training.build import Build
from fettle.training.code_variant import CodeVariant
from fettle.training.generated_headers import write_model_header, write_policy_header
from fettle.training.settings import Settings
from fettle.transfer.function_transfer import FunctionTransfer
from fettle.transfer.methods import AUTO, METHODS
from fettle.transfer.outcome import FromSource
from fettle.transfer.stored_sources import stored_sources
from fettle.transfer.target_machine import target_of


def tune_from_source(
    settings: Settings,
    functions: Sequence[CodeVariant],
    display: Display,
    method: str = AUTO,
    measure: int = 0,
    portable: bool = False,
) -> list[FromSource]:
    """A model for each function from the store's other machines.

    With `measure` the program is built and so many inputs are measured here, else it is not
    started. A `portable` model is for all machines. The policy header is written as by tuning.
    Raises FettleError where there is no source, and for a method that does not exist.
    """
    if method not in (AUTO, *METHODS):
        raise FettleError(
            f"tune_from_source has no method {method!r}; it has {AUTO}, {', '.join(METHODS)}"
        )
    if not is_whole(measure, 0):
        raise FettleError(f"measure must be a number of inputs from 0 on, not {measure!r}")
    if not isinstance(portable, bool):
        raise FettleError(f"portable must be True or False, not {portable!r}")
    if measure and not settings.training_inputs:
        raise FettleError(
            f"there are no training inputs of which {measure} could be measured; call "
            "set_training_args first"
        )
    with open_store(settings.measurements) as store:
        sources = []
        for function in functions:
            check_model_directory(settings.place(settings.model_directory) / function.name)
            target, known = target_of(settings, function, store)
            named = function.variants if isinstance(function.variants, tuple) else None
            stored = stored_sources(store, function.name, target, known, named)
            _check_variants(function, stored.data.variants)
            sources.append(stored)
    with OneBlasThread()(), without_checks():
        found = [
            FunctionTransfer(settings, function, one, display, portable).run(method, measure)
            for function, one in zip(functions, sources, strict=True)
        ]
    with open_store(settings.measurements) as store:
        _write_headers(settings, functions, store)
    for one in found:
        display.say(str(one))
    return found


def _check_variants(function: CodeVariant, measured: Sequence[str]) -> None:
    """Raises FettleError where the script has another number of variants than were measured."""
    if isinstance(function.variants, int) and function.variants != len(measured):
        raise FettleError(
            f"the tuning script says that {function.name!r} has "
            f"{counted(function.variants, 'variant')}, the machines of the database have measured "
            f"{len(measured)}: {', '.join(measured)}; correct the number, or leave it out"
        )


def _write_headers(settings: Settings, functions: Sequence[CodeVariant], store: Store) -> None:
    """What the program includes; one that has a model compiled in is built anew."""
    if settings.config_header is None:
        return
    build = Build(
        directory=settings.directory,
        environment=settings.full_program().full_environment(),
        store=store,
        build_command=settings.build_command,
        clean_command=settings.clean_command,
    )
    embedded = [function for function in functions if function.embed_model]
    for function in embedded:
        write_model_header(settings, function, build)
    write_policy_header(settings, functions, build)
    if embedded and settings.build_command and build.is_pending:
        build.bring_up_to_date()
