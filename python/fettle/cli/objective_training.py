"""`fettle train` on a table with a row a run: a model for each objective."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from typing import TYPE_CHECKING

from fettle.cli.classifier_option import classifier_named
from fettle.cli.objective_options import declared, objectives_of, read_runs, said_of
from fettle.cli.table_arguments import warnings_as_lines
from fettle.cli.table_reports import fit_lines, fit_record
from fettle.core.errors import FettleError
from fettle.core.wording import counted

if TYPE_CHECKING:
    from fettle.classifiers import Fit
    from fettle.model.model import Model


def run_objectives(options: argparse.Namespace) -> int:
    """Train each objective on the same measurements, report, write the model directories."""
    from fettle.data.failed_text import failed_lines
    from fettle.data.row_sample import row_sample
    from fettle.model.model_directory import check_model_directory, write_model
    from fettle.model.never_chosen import never_choosing
    from fettle.objectives.description import (
        check_objectives,
        objective_directory,
        write_description,
    )
    from fettle.objectives.learning import failed_variants, training_set_by
    from fettle.objectives.objective import DEFAULT

    if options.model.exists() and not options.model.is_dir():
        raise FettleError(f"{options.model} is a file; --model names a directory to write")
    check_model_directory(options.model)
    metrics = declared(options)
    objectives = objectives_of(options, metrics)
    check_objectives(objectives)
    name = options.name or options.model.resolve().name or "model"
    said: list[str] = []
    records: list[dict[str, object]] = []
    with warnings_as_lines():
        table = read_runs(options, metrics, options.features)
        failed = failed_variants(table, options.allow_failures)
        withheld = {one.variant for one in failed if not one.allowed}
        said += failed_lines(name, failed)
        said.append(
            f"{options.table}: {counted(len(table.runs.inputs), 'input')}, features "
            f"{', '.join(table.features)}; {counted(len(table.runs.variants), 'variant')}"
        )
        models: list[Model] = []
        fits: list[Fit] = []
        for objective in objectives:
            whole, costs = training_set_by(objective, table, name, failed, options.default)
            data = row_sample(whole, options.rows, options.seed)
            kind = options.classifier or "extra-trees"
            learner = classifier_named(kind, calls=options.calls, seed=options.seed)
            # Further objectives keep the recipes of the first one, whose search takes most time.
            fit = learner.fit_and_judge(data, fits[0] if fits else None)
            fits.append(fit)
            model = never_choosing(fit.model, withheld)
            about = {"objective_name": objective.name, "objective": str(objective)}
            models.append(replace(model, provenance=model.provenance | about))
            own = objective_directory(options.model, objective)
            directory = options.model if objective.name == DEFAULT else own
            said += [*said_of(objective, metrics), *costs.lines()]
            said += [f"  {line}" for line in fit_lines(fit, len(data), directory)]
            record = fit_record(fit, directory, failed)
            record |= {"objective": objective.name, "meaning": str(objective), "rows": len(whole)}
            records.append(record | {"unsatisfied": len(costs.unsatisfied)})
    for objective, model in zip(objectives, models, strict=True):
        if objective.name != DEFAULT:
            write_model(objective_directory(options.model, objective), model)
    write_description(options.model, metrics, objectives)
    write_model(options.model, models[0])
    print(json.dumps(records, indent=1) if options.json else "\n".join(said))
    return 0
