"""What tuning leaves for the program: the header with the winners, and the models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fettle.code_variant import CodeVariant
from fettle.embedded_model import embedded_model_header
from fettle.model_directory import read_model
from fettle.ndp.header import DEFAULT, TunedComputation
from fettle.ndp.manifest import Manifest
from fettle.policy_header import existing_header, model_header_name, policy_header
from fettle.training.build import write_generated
from fettle.written_file import holds


def deploy(
    header: Path,
    model_directory: Path,
    manifest: Manifest,
    functions: Sequence[CodeVariant],
    command: str,
) -> None:
    """Writes the header of the program: these functions with their variants, which are the winners.

    What the header has of other functions stays. `command` tunes again; it stands in the message
    for a program that has changed since.
    """
    computations = {}
    for function in functions:
        kept = function.variants
        assert isinstance(kept, tuple)
        known = {one.text: one for one in manifest.candidates(function.name)}
        candidates = tuple(known[name] for name in kept if name != DEFAULT)
        its = manifest.computations[function.name]
        computations[function.name] = TunedComputation(its, candidates, command)
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


def _replace(path: Path, text: str) -> None:
    """Only where it changes: what includes the header is not compiled in vain."""
    if not holds(path, text):
        write_generated(path, text)
