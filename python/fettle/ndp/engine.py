"""A tuner's options as the expert layer's engine takes them: settings, functions and inputs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fettle.classifiers import AutoClassifier
from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError
from fettle.ndp.header import DEFAULT
from fettle.ndp.machine import machine_of, remembered_machine
from fettle.ndp.manifest import Manifest
from fettle.training.program import Input, parse_inputs
from fettle.training.settings import Settings, words

if TYPE_CHECKING:
    from fettle.ndp.tuner import NdpTuner

# One pass over the rows finds them all (row_facts.hpp).
ROW_STATISTICS = ("longest_row", "row_variation", "empty_rows", "work_in_longest_rows")


def inputs_of(tuner: NdpTuner) -> tuple[tuple[Input, ...], tuple[Input, ...]]:
    """The training and the test inputs. Raises FettleError."""
    here = Path.cwd()
    training = parse_inputs(tuner.inputs, what="inputs", directory=here)
    if not tuner.test_inputs:
        return training, ()
    return training, parse_inputs(tuner.test_inputs, what="test_inputs", directory=here)


def functions_of(tuner: NdpTuner, manifest: Manifest) -> list[CodeVariant]:
    """The computations to tune as functions, whose variants are what was built for them."""
    return [
        CodeVariant(
            name,
            (DEFAULT, *(candidate.text for candidate in manifest.candidates(name))),
            classifier=tuner.classifier or AutoClassifier(calls=tuner.calls),
            feature_selection=tuner.feature_selection,
            shared_features=[ROW_STATISTICS],
            outside_region=tuner.outside_region,
            embed_model=tuner.embed_model,
            metric="seconds" if tuner.platform == "cuda" else "returned",
        )
        for name, its in manifest.computations.items()
        if not tuner.computations or its.name in tuner.computations
    ]


def settings_of(
    tuner: NdpTuner, manifest: Manifest, *, measure: bool = True, fresh: bool = False
) -> Settings:
    """The settings for measuring what was built and training on it.

    Raises FettleError for a build for another platform, and where the machine has no name.
    """
    places = tuner.places
    if manifest.platform != tuner.platform:
        raise FettleError(
            f"{places.directory} holds a build for {manifest.platform}, not for {tuner.platform}"
        )
    training, test = inputs_of(tuner)
    settings = Settings(
        program=str(places.directory / manifest.program),
        config_header=None,
        model_directory=places.models,
        database=places.database,
        report_directory=places.directory / "report",
        timeout=tuner.timeout,
        time_budget=tuner.time_budget,
        seed=tuner.seed,
        machine=tuner.machine,
        measuring=tuner.measuring,
        second_round=tuner.second_round,
        comparing=tuner.comparing,
        launch_prefix=words(tuner.launch_prefix, "the launch prefix"),
        environment={**tuner.environment, **manifest.environment(places.directory)},
        training_inputs=training,
        test_inputs=test,
        filed_under=f"{manifest.source} on {manifest.platform}",
        schedules=True,
        measure=measure,
        fresh=fresh,
    )
    settings = settings.overridden().changed(config_header=None)  # it is written at the end
    if settings.machine is None:
        there = None if measure else remembered_machine(settings)
        settings = settings.changed(machine=there or machine_of(tuner.platform))
    return settings
