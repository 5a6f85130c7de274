"""A tuner's options as the expert layer's engine takes them: settings and functions."""

from __future__ import annotations

from fettle.classifiers import AutoClassifier
from fettle.core.errors import FettleError
from fettle.ndp.header import DEFAULT
from fettle.ndp.machine import machine_of, remembered_machine
from fettle.ndp.manifest import Manifest
from fettle.ndp.options import DeployOptions, MeasureOptions, SpaceOptions
from fettle.ndp.places import Places
from fettle.ndp.platforms import platform_named
from fettle.training.code_variant import CodeVariant
from fettle.training.settings import Settings, words

# One pass over the rows finds them all (row_facts.hpp).
ROW_STATISTICS = ("longest_row", "row_variation", "empty_rows", "work_in_longest_rows")


def functions_of(
    platform: str, space: SpaceOptions, deployment: DeployOptions, manifest: Manifest
) -> list[CodeVariant]:
    """The computations to tune as functions, whose variants are what was built for them.

    Those of a program are its fusions, which only the running program knows.
    """
    return [
        CodeVariant(
            name,
            None
            if its.is_program
            else (DEFAULT, *(candidate.text for candidate in manifest.candidates(name))),
            classifier=deployment.classifier or AutoClassifier(calls=deployment.calls),
            feature_selection=deployment.feature_selection,
            shared_features=[ROW_STATISTICS],
            outside_region=deployment.outside_region,
            embed_model=deployment.embed_model,
            metric="seconds" if its.is_program else platform_named(platform).metric,
            coverage=deployment.coverage,
            confidence=deployment.confidence,
        )
        for name, its in manifest.computations.items()
        if not space.computations or its.name in space.computations
    ]


def settings_of(
    places: Places,
    platform: str,
    options: MeasureOptions,
    manifest: Manifest,
    *,
    measure: bool = True,
    fresh: bool = False,
) -> Settings:
    """The settings for measuring what was built and training on it.

    Raises FettleError for a build for another platform, and where the machine has no name.
    """
    if manifest.platform != platform:
        raise FettleError(
            f"{places.directory} holds a build for {manifest.platform}, not for {platform}"
        )
    training, test = options.parsed_inputs()
    settings = Settings(
        program=str(places.directory / manifest.program),
        config_header=None,
        model_directory=places.models,
        database=places.database,
        store=options.store,
        executor=options.executor,
        report_directory=places.directory / "report",
        timeout=options.timeout,
        time_budget=options.time_budget,
        seed=options.seed,
        machine=options.machine,
        measuring=options.measuring,
        second_round=options.second_round,
        comparing=options.comparing,
        launch_prefix=words(options.launch_prefix, "the launch prefix"),
        environment={**options.environment, **manifest.environment(places.directory)},
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
        settings = settings.changed(machine=there or machine_of(platform))
    return settings
