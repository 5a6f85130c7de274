"""What tuning leaves for the program: the header with the winners, and the models."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from fettle.core.cpp_names import cpp_text, model_header_name
from fettle.core.errors import FettleError
from fettle.core.written_file import holds, write_together
from fettle.data.tuning_result import TuningResult
from fettle.model.embedded_model import embedded_model_header
from fettle.model.model_directory import read_model
from fettle.ndp.base.computation import Computation
from fettle.ndp.header import (
    DEFAULT,
    ErrorBound,
    TunedComputation,
    TunedProgram,
    specialised,
)
from fettle.ndp.manifest import Manifest
from fettle.training.build import write_generated
from fettle.training.code_variant import CodeVariant
from fettle.training.policy_header import existing_header, policy_header


def deploy(
    header: Path,
    model_directory: Path,
    manifest: Manifest,
    functions: Sequence[CodeVariant],
    command: str,
    errors: ErrorBound | None = None,
) -> None:
    """Writes the header of the program: these functions with their variants, which are the winners.

    What the header has of other functions stays. `command` tunes again; it stands in the message
    for a program that has changed since. `errors` bounds those of candidates with knobs.
    """
    computations: dict[str, TunedComputation | TunedProgram] = {}
    for function in functions:
        kept = function.variants
        assert isinstance(kept, tuple)
        if manifest.computations[function.name].is_program:
            fusions = tuple(name for name in kept if name != DEFAULT)
            its = manifest.computations[function.name]
            computations[function.name] = TunedProgram(its, fusions)
            continue
        known = {one.text: one for one in manifest.candidates(function.name)}
        candidates = tuple(known[name] for name in kept if name != DEFAULT)
        its = manifest.computations[function.name]
        bounded = errors if any(one.is_approximate for one in candidates) else None
        computations[function.name] = TunedComputation(its, candidates, command, bounded)
    embedded = [function.name for function in functions if function.embed_model]
    for name in embedded:
        model = read_model(model_directory / name)
        _replace(header.with_name(model_header_name(name)), embedded_model_header(model))
    text = policy_header(
        functions,
        model_directory,
        embedded=embedded,
        existing=existing_header(header),
        computations=computations,
    )
    _replace(header, text)


def functions_to_deploy(
    functions: Sequence[CodeVariant],
    results: Sequence[TuningResult],
    manifest: Manifest,
    header: str,
) -> list[CodeVariant]:
    """The functions that `deploy` writes into a header with this text, each with its variants.

    Where the machine was too busy to tell how good the model is, what the header has of the
    function stays, if the computation is the same; otherwise the function gets the default variant.
    """
    changed = []
    for function, result in zip(functions, results, strict=True):
        if not result.unsteady:
            function.variants = result.model.variants
        elif _is_known(manifest.computations[function.name], header):
            continue
        else:
            function.variants, function.embed_model = (DEFAULT,), False
        changed.append(function)
    return changed


def _is_known(its: Computation, header: str) -> bool:
    """Whether a header with this text is of the same computation."""
    return (specialised(its) if its.is_program else cpp_text(its.signature)) in header


@contextlib.contextmanager
def undone_by_errors(model_directory: Path, functions: Sequence[CodeVariant]) -> Iterator[None]:
    """Restores the models in `model_directory` if a FettleError is raised inside.

    Models and header belong together: the header lists the variants that the models choose among.
    """
    folders = [model_directory / function.name for function in functions]
    before = {path: path.read_bytes() for path in _files(folders)}
    try:
        yield
    except FettleError:
        for path in _files(folders):
            if path not in before:
                path.unlink()
        changed = [(path, content) for path, content in before.items() if _differs(path, content)]
        with contextlib.suppress(OSError):  # the error at hand says more
            write_together(changed)
        raise


def _files(folders: Sequence[Path]) -> list[Path]:
    return [path for folder in folders for path in folder.rglob("*") if path.is_file()]


def _differs(path: Path, content: bytes) -> bool:
    return not path.exists() or path.read_bytes() != content


def _replace(path: Path, text: str) -> None:
    """Only where it changes: what includes the header is not compiled in vain."""
    if not holds(path, text):
        write_generated(path, text)
