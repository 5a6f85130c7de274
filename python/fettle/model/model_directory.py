"""Model directories: what the tuner hands to the program (docs/formats.md, section 3).

`write_model` is the one writer. The one reader is include/fettle/model/model_directory.hpp, which
`read_model` calls.
"""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal

from fettle.core.expression import is_parameter_name
from fettle.core.native import native
from fettle.core.written_file import check_writable, write_together
from fettle.model.model import Admission, ErrorModel, Expectation, Model, ModelInput, check
from fettle.model.model_text import REMEDY, ModelError, model_errors, number_text, percent_encoded
from fettle.model.predictor_kinds import KINDS, kind_of

VERSION = 1
VERSION_WITH_PARAMETERS = 2  # what is written of variants with parameters; others stay version 1
VERSION_WITH_DEVICE = 3  # and of portable models, and those that say what to expect
VERSION_WITH_ERRORS = 4  # and of models with approximate variants


def write_model(directory: Path, model: Model) -> Path:
    """Write the model into `directory` (made if need be) and return the path of its model.txt.

    All that model.txt names is named by its checksum and written before it, and stays while the
    next model is written: a program that loads meanwhile gets the old model or the new one. Raises
    ModelError where the model contradicts itself or the disk is full; the old one stays then.
    Models that refine this one are written into folders of it.
    """
    files = _files_of(directory, model)
    kept = _all_named_in(directory)
    try:
        write_together(files)
    except OSError as error:
        raise ModelError(
            f"cannot write the model '{files[-1][0]}': {error.strerror}; make it possible or name "
            "another place"
        ) from None
    _remove_stale(directory, kept | _all_named_in(directory))
    return directory / "model.txt"


def _files_of(directory: Path, model: Model) -> list[tuple[Path, bytes]]:
    """The files of a model and of those that refine it, its own model.txt last."""
    check(model)
    files: list[tuple[Path, bytes]] = []
    refined: list[str] = []
    for number, (variant, refinement) in enumerate(model.refinements.items(), 1):
        of_it = _files_of(directory, refinement)
        checksum = f"{zlib.crc32(of_it[-1][1]):08x}"
        folder = f"points-{number}-{checksum}"
        files += [(directory / folder / path.relative_to(directory), data) for path, data in of_it]
        refined.append(f"refine {percent_encoded(variant)} {folder} {checksum}")
    sizes = len(model.inputs), len(model.variants)
    predictor = model.predictor.file_text(*sizes).encode(errors="surrogateescape")
    checksum = f"{zlib.crc32(predictor):08x}"
    name = f"model-{checksum}{model.predictor.file_ending}"
    out = [
        f"fettle-model {_version_of(model)}",
        f"function {percent_encoded(model.function)}",
        f"classifier {model.classifier}",
        " ".join(["variants", *map(percent_encoded, model.variants)]),
        f"default {percent_encoded(model.default)}",
        " ".join(["features", *map(percent_encoded, model.features)]),
    ]
    out += [_input_line("input", one) for one in model.inputs]
    out.append("guard none" if model.guard is None else f"guard {number_text(model.guard)}")
    out.append(f"predictor {name} {checksum} {len(predictor)}")
    for key, value in model.provenance.items():
        out.append(f"provenance {percent_encoded(key)} {percent_encoded(value)}")
    out += [_parameters_line(variant, values) for variant, values in model.parameters.items()]
    out += refined
    if model.device:
        out.append(" ".join(["device", *map(percent_encoded, model.device)]))
    for variant, its in model.expectations.items():
        numbers = map(number_text, (its.deviation, its.constant, *its.slopes))
        out.append(" ".join(["expect", percent_encoded(variant), *numbers]))
    if model.errors is not None and model.errors.approximate:
        out += _error_lines(model.errors)
    text = ("\n".join(out) + "\n").encode(errors="surrogateescape")
    text += f"end {zlib.crc32(text):08x}\n".encode()
    describe = native().describe
    with model_errors():
        describe("model.txt", text)
    model.predictor.tables(*sizes)  # raises ModelError where the C++ reader refuses its file
    return [*files, (directory / name, predictor), (directory / "model.txt", text)]


def _input_line(key: str, one: ModelInput) -> str:
    features = [one.feature] if one.divisor is None else [one.feature, one.divisor]
    ends = [number_text(one.low), number_text(one.high)]
    return " ".join([key, one.transform, *map(percent_encoded, features), *ends])


def _error_lines(errors: ErrorModel) -> list[str]:
    out = [
        " ".join(["approximate", *map(percent_encoded, errors.approximate)]),
        f"bound {number_text(errors.bound)}",
        *(_input_line("error_input", one) for one in errors.inputs),
    ]
    for variant, its in errors.admissions.items():
        numbers = map(number_text, (its.constant, *its.slopes))
        out.append(" ".join(["admit", percent_encoded(variant), *numbers]))
    return out


def _version_of(model: Model) -> int:
    if model.errors is not None and model.errors.approximate:
        return VERSION_WITH_ERRORS
    if model.device or model.expectations:
        return VERSION_WITH_DEVICE
    return VERSION_WITH_PARAMETERS if model.parameters else VERSION


def _parameters_line(variant: str, parameters: Mapping[str, tuple[int, ...]]) -> str:
    """A line `parameters tiled tile=16,32 unroll=1,2`."""
    for name, values in parameters.items():
        if not is_parameter_name(name) or not values:
            raise ModelError(f"{name!r} of {variant!r} is not a parameter with values")
    words = [f"{name}={','.join(map(str, values))}" for name, values in parameters.items()]
    return " ".join(["parameters", percent_encoded(variant), *words])


def named_in(directory: Path, key: Literal["predictor", "refine"]) -> list[str]:
    """The predictor's file, or the folders of refinements in their order, that model.txt names.

    Of a description that is missing or damaged, those that can be read.
    """
    try:
        text = (directory / "model.txt").read_text(errors="surrogateescape")
    except OSError:
        return []
    column = {"predictor": 1, "refine": 2}[key]
    lines = [line.split() for line in text.splitlines()]
    return [words[column] for words in lines if words[:1] == [key] and len(words) > column]


def _all_named_in(directory: Path) -> set[str]:
    return {*named_in(directory, "predictor"), *named_in(directory, "refine")}


def _remove_stale(directory: Path, kept: Collection[str]) -> None:
    """Removes what models before the last one have left in a directory."""
    for kind in KINDS:
        for file in directory.glob(f"model*{kind.file_ending}"):
            if file.name not in kept:
                file.unlink(missing_ok=True)
    for folder in directory.glob("points-*"):
        if folder.name not in kept:
            shutil.rmtree(folder, ignore_errors=True)


def check_model_directory(directory: Path) -> None:
    """Raises FettleError where `write_model` could not write there: to be known before training."""
    for name in ("model.txt", "model-*"):  # the second: a new file beside it
        check_writable(directory / name, "the model")


def read_model(directory: Path, checksum: int | None = None) -> Model:
    """The model in `directory`. Raises ModelError, which names file, line and remedy.

    `checksum` is what its model.txt has to have.
    """
    read_files = native().read_model
    with model_errors():
        read = read_files(directory, checksum)
    model = Model(
        read["function"],
        read["variants"],
        read["features"],
        tuple(ModelInput(*one) for one in read["inputs"]),
        kind_of(read["classifier"]).of_file(read["text"], read["tables"]),
        read["default"],
        read["guard"],
        read["provenance"],
        read["parameters"],
        {
            variant: read_model(directory / folder, its_checksum)
            for variant, folder, its_checksum in read["refinements"]
        },
        read["device"],
        {name: Expectation(*numbers) for name, numbers in read["expectations"].items()},
        ErrorModel(
            read["approximate"],
            read["bound"],
            tuple(ModelInput(*one) for one in read["error_inputs"]),
            {name: Admission(*numbers) for name, numbers in read["admissions"].items()},
        )
        if read["approximate"]
        else None,
    )
    try:
        check(model)
    except ModelError as error:
        raise ModelError(f"'{directory / 'model.txt'}': {error}; {REMEDY}") from None
    return model
