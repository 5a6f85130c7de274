"""Model directories: what the tuner hands to the program (docs/formats.md, section 3).

`write_model` is the one writer and `read_model` the one reader on the Python side; model.py says
what a model is. The C++ side is include/fettle/model/model_directory.hpp.
"""

from __future__ import annotations

import re
import shutil
import zlib
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, get_args

from fettle.core.regular_file import read_regular
from fettle.core.written_file import check_writable, write_together
from fettle.model.model import DIVIDING, Model, ModelInput, Transform, check
from fettle.model.model_text import REMEDY, Lines, ModelError, number_text, percent_encoded
from fettle.model.predictor_text import (
    MAXIMUM_NODES,
    SvmPredictor,
    TreePredictor,
    checked,
    read_svm,
    read_trees,
)
from fettle.model.refined_model_text import (
    Refinement,
    parameters_line,
    read_parameters,
    read_refinement,
)

VERSION = 1
VERSION_WITH_PARAMETERS = 2  # what is written of variants with parameters; others stay version 1
# In bytes, as in include/fettle/model/limits.hpp.
MAXIMUM_DESCRIPTION_SIZE = 1 << 26
MAXIMUM_PREDICTOR_SIZE = 1 << 30
_ONCE = ["function", "classifier", "variants", "default", "features", "guard", "predictor"]


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
    predictor = checked(model.predictor, len(model.inputs), len(model.variants)).encode()
    checksum = f"{zlib.crc32(predictor):08x}"
    name = f"model-{checksum}{_ending(model.classifier)}"
    out = [
        f"fettle-model {VERSION_WITH_PARAMETERS if model.parameters else VERSION}",
        f"function {percent_encoded(model.function)}",
        f"classifier {model.classifier}",
        " ".join(["variants", *map(percent_encoded, model.variants)]),
        f"default {percent_encoded(model.default)}",
        " ".join(["features", *map(percent_encoded, model.features)]),
    ]
    for one in model.inputs:
        features = [one.feature] if one.divisor is None else [one.feature, one.divisor]
        ends = [number_text(one.low), number_text(one.high)]
        out.append(" ".join(["input", one.transform, *map(percent_encoded, features), *ends]))
    out.append("guard none" if model.guard is None else f"guard {number_text(model.guard)}")
    out.append(f"predictor {name} {checksum} {len(predictor)}")
    for key, value in model.provenance.items():
        out.append(f"provenance {percent_encoded(key)} {percent_encoded(value)}")
    out += [parameters_line(variant, values) for variant, values in model.parameters.items()]
    out += refined
    text = ("\n".join(out) + "\n").encode(errors="surrogateescape")
    text += f"end {zlib.crc32(text):08x}\n".encode()
    return [*files, (directory / name, predictor), (directory / "model.txt", text)]


def _ending(classifier: str) -> str:
    return ".svm" if classifier == "svm" else ".tree"


def named_in(directory: Path, key: Literal["predictor", "refine"]) -> list[str]:
    """The predictor's file, or the folders of refinements in their order, that model.txt names.

    Of a description that is missing or broken, those that can be told.
    """
    try:
        text = (directory / "model.txt").read_text(errors="surrogateescape")
    except OSError:
        return []
    place = {"predictor": 1, "refine": 2}[key]
    lines = [line.split() for line in text.splitlines()]
    return [words[place] for words in lines if words[:1] == [key] and len(words) > place]


def _all_named_in(directory: Path) -> set[str]:
    return {*named_in(directory, "predictor"), *named_in(directory, "refine")}


def _remove_stale(directory: Path, kept: Collection[str]) -> None:
    """Removes what models before the last one have left in a directory."""
    for pattern in ("model*.tree", "model*.svm"):
        for file in directory.glob(pattern):
            if file.name not in kept:
                file.unlink(missing_ok=True)
    for folder in directory.glob("points-*"):
        if folder.name not in kept:
            shutil.rmtree(folder, ignore_errors=True)


def check_model_directory(directory: Path) -> None:
    """Raises FettleError where `write_model` could not write there: to be known before training."""
    for name in ("model.txt", "model-*"):  # the second: a new file beside it
        check_writable(directory / name, "the model")


def read_model(directory: Path) -> Model:
    """The model in `directory`. Raises ModelError, which names file, line and remedy."""
    file = directory / "model.txt"
    data = _bytes_of(file)
    lines = Lines(file, data.decode(errors="surrogateescape"))
    words = lines.next("'fettle-model'")
    if len(words) != 2 or words[0] != "fettle-model":
        lines.fail("this is not a model description: it does not begin with 'fettle-model'")
    known = (str(VERSION), str(VERSION_WITH_PARAMETERS))
    if words[1].endswith("\r"):
        lines.fail("it ends with a carriage return; keep model files as they are written")
    if words[1] not in known:
        lines.fail(
            f"the model is of version {words[1][:20]}, this program reads {' and '.join(known)}"
        )
    has_parameters = words[1] == known[1]
    parameters: dict[str, dict[str, tuple[int, ...]]] = {}
    refinements: list[Refinement] = []
    entries: dict[str, list[str]] = {}
    inputs: list[ModelInput] = []
    provenance: dict[str, str] = {}
    while True:
        key, *words = lines.next("'end'") or [""]
        if key == "end":
            break
        if key == "input":
            inputs.append(_input(lines, words))
        elif key == "provenance":
            if len(words) not in (1, 2):
                lines.fail("a provenance is a name and a value")
            provenance[lines.name(words[0])] = lines.name(words[1]) if len(words) == 2 else ""
        elif key == "parameters" and has_parameters:
            variant, values = read_parameters(lines, words)
            if variant in parameters:
                lines.fail(f"there are two lines 'parameters' for {variant!r}")
            parameters[variant] = values
        elif key == "refine" and has_parameters:
            refinements.append(read_refinement(lines, words))
        elif key not in _ONCE:
            lines.fail(f"{key[:40]!r} is not a key of a model description")
        elif key in entries:
            lines.fail(f"there are two lines {key!r}")
        else:
            entries[key] = [lines.name(word) for word in words]
    before = data[: data.rindex(b"end")]
    if words != [f"{zlib.crc32(before):08x}"]:
        lines.fail("the checksum does not match: the file was damaged or edited")
    if lines:
        lines.number += 1
        lines.fail("there is more after the end")
    model = replace(_assembled(lines, entries, tuple(inputs), provenance), parameters=parameters)
    return _refined(lines, model, refinements)


def _refined(lines: Lines, model: Model, refinements: Sequence[Refinement]) -> Model:
    """The model with those that refine it."""
    found: dict[str, Model] = {}
    for one in refinements:
        if one.variant not in model.variants or one.variant in found:
            lines.fail(
                f"the refinement of {one.variant[:40]!r} is of none of the variants, or twice"
            )
        directory = lines.file.parent / one.directory
        if f"{zlib.crc32(_bytes_of(directory / 'model.txt')):08x}" != one.checksum:
            raise ModelError(
                f"'{directory / 'model.txt'}' does not match the checksum in the model that it "
                f"refines: it was damaged, edited or is of another training; {REMEDY}"
            )
        found[one.variant] = read_model(directory)
    try:
        check(refined := replace(model, refinements=found))
    except ModelError as error:
        raise ModelError(f"'{lines.file}': {error}; {REMEDY}") from None
    return refined


def _input(lines: Lines, words: list[str]) -> ModelInput:
    """The words of an input line after its key."""
    transform = next((known for known in get_args(Transform) if [known] == words[:1]), None)
    if transform is None:
        lines.fail(f"an input's transform is none of {', '.join(get_args(Transform))}")
    divides = transform in DIVIDING
    lines.expect(words, 5 if divides else 4, "input transform feature [feature] low high")
    names = [lines.name(word) for word in words[1:-2]]
    low, high = (lines.real(word, "the range of an input") for word in words[-2:])
    return ModelInput(transform, names[0], names[1] if divides else None, low, high)


def _assembled(
    lines: Lines,
    entries: dict[str, list[str]],
    inputs: tuple[ModelInput, ...],
    provenance: dict[str, str],
) -> Model:
    """The model that the description and the predictor's file make."""
    for key in _ONCE:
        if key not in entries:
            lines.fail(f"there is no line {key!r}")
    for key in ("function", "classifier", "default", "guard"):
        lines.expect([key, *entries[key]], 2, f"{key} and one word")
    lines.expect(entries["predictor"], 3, "predictor file checksum size")
    classifier = entries["classifier"][0]
    name, checksum, size = entries["predictor"]
    if classifier not in ("svm", "tree", "forest"):
        lines.fail(f"the classifier {classifier[:40]!r} is none of svm, tree and forest")
    if not re.fullmatch(rf"[A-Za-z0-9_-]+\{_ending(classifier)}", name):
        lines.fail(
            f"the predictor's file {name[:40]!r} is not a name of a file beside this one that "
            f"ends in {_ending(classifier)}"
        )
    file = lines.file.with_name(name)
    most = lines.integer(size, "the predictor's size", 0, MAXIMUM_PREDICTOR_SIZE)
    data = _bytes_of(file, most + 1)
    if str(len(data)) != size or f"{zlib.crc32(data):08x}" != checksum:
        raise ModelError(
            f"'{file}' does not match the size and checksum in '{lines.file}': it was damaged, "
            f"edited or is of another training; {REMEDY}"
        )
    text = data.decode(errors="surrogateescape")
    variants = tuple(entries["variants"])
    predictor: SvmPredictor | TreePredictor
    if classifier == "svm":
        read_svm(file, text, len(inputs), len(variants))
        predictor = SvmPredictor(text)
    else:
        most = 1 if classifier == "tree" else MAXIMUM_NODES
        predictor = read_trees(file, text, len(inputs), len(variants), most)
    guard = entries["guard"][0]
    model = Model(
        entries["function"][0],
        variants,
        tuple(entries["features"]),
        inputs,
        predictor,
        entries["default"][0],
        None if guard == "none" else lines.real(guard, "the guard"),
        provenance,
    )
    try:
        check(model)
    except ModelError as error:
        raise ModelError(f"'{lines.file}': {error}; {REMEDY}") from None
    return model


def _bytes_of(path: Path, most: int = MAXIMUM_DESCRIPTION_SIZE) -> bytes:
    try:
        return read_regular(path, most)
    except OSError as error:
        raise ModelError(f"cannot open '{path}': {error.strerror}; {REMEDY}") from None
