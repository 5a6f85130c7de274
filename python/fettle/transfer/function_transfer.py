"""The model of one function from what other machines measured.

The chosen method scores the variants for this machine on the inputs of the sources; the function's
own classifier learns from these scores, so that the program selects by a model like any other. A
few inputs measured here correct what the sources say.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fettle.core.errors import FettleError
from fettle.core.progress import Display
from fettle.core.wording import printable
from fettle.data.training_set import Floats
from fettle.model.model import Model
from fettle.model.model_directory import write_model
from fettle.model.never_chosen import never_choosing
from fettle.training.code_variant import CodeVariant
from fettle.training.settings import Settings
from fettle.transfer.distilled import always, predicted_set
from fettle.transfer.guard import unlike
from fettle.transfer.measured_here import MeasuredHere, measure_here
from fettle.transfer.method import masked_share
from fettle.transfer.methods import asked_for, compare, methods_for
from fettle.transfer.outcome import FromSource
from fettle.transfer.portable import portable_model
from fettle.transfer.portable_errors import admit_portable, is_held_out
from fettle.transfer.profile_selection import notes_of
from fettle.transfer.sources import joined
from fettle.transfer.stored_sources import StoredSources
from fettle.transfer.target import Choice, Transferred
from fettle.transfer.telling_inputs import telling_inputs


@dataclass(frozen=True)
class FunctionTransfer:
    """Chooses by what the sources say of one function; a `portable` model is for all machines."""

    settings: Settings
    function: CodeVariant
    sources: StoredSources
    display: Display
    portable: bool

    def run(self, method: str, measure: int) -> FromSource:
        """Writes the model; with `measure` so many inputs are measured here."""
        data, machines, target = self.sources.data, self.sources.machines, self.sources.target
        reason = unlike(target, machines)
        seed = self.settings.seed
        offered = methods_for(self.function, self.sources.profiles)
        expected: float | None = None
        if reason:  # nothing that the sources say is asked
            name = "fixed"
        else:
            judged = compare(asked_for(self.function, method), data, machines, seed, of=offered)
            name = judged.name
            expected = judged.expected[name].mean if len(machines.names) > 1 else None
        chooser = offered[name]().fit(data, machines, seed)
        transferred = Transferred(data, machines, chooser, name, seed)
        lacking = np.zeros(len(data.variants), dtype=bool)
        choice = transferred.on(target, lacking)
        here: MeasuredHere | None = None
        before: float | None = None
        if measure:
            here = self._measure(measure)
            if len(here.data):
                own = masked_share(choice.scores(here.data.values), here.data.costs)
                before = float(own.mean())
                choice = transferred.on(target, lacking, here.data)
        by = choice.how if not reason or before is not None else "default"
        if self.portable:
            return self._portable(here)
        self._write(choice, here, reason if before is None else "", by)
        return FromSource(
            self.function.name,
            self._directory,
            by,
            target.names[0],
            machines.names,
            expected,
            reason,
            self.sources.left_out,
            0 if here is None else len(here.data),
            before,
            notes=notes_of(name, chooser, target, self.sources.profiles),
        )

    def _measure(self, count: int) -> MeasuredHere:
        def choose(values: Floats, known: Sequence[int], more: int) -> Sequence[int]:
            return telling_inputs(values, more, known, self.settings.seed)

        return measure_here(
            self.settings,
            self.function,
            self.sources.data,
            self.sources.target.names[0],
            count,
            choose,
            self.display,
        )

    def _write(self, choice: Choice, here: MeasuredHere | None, unlike: str, by: str) -> None:
        """Trains the function's classifier on what was chosen, and writes its model."""
        data, function = self.sources.data, self.function
        _, once = np.unique(data.input, return_index=True)
        values = data.values[once]
        if here is not None:
            values = np.vstack([values, here.values])
        scores = choice.scores(values)
        if unlike:
            scores = always(self.sources.default, data.variants, len(values))
        if here is not None:
            values = np.vstack([values, here.data.values])
            scores = np.vstack([scores, here.data.gains()])
        withheld = self._withheld(here)
        learned = predicted_set(
            function.name,
            data.features,
            data.variants,
            self.sources.default,
            values,
            scores,
            withheld,
        )
        model = never_choosing(function.classifier.fit(learned), withheld)
        write_model(self._directory, self._with_provenance(model, by))

    def _portable(self, here: MeasuredHere | None) -> FromSource:
        """Writes a model for all machines; what was measured here is one of its sources."""
        sources = self.sources
        data, machines = sources.data, sources.machines
        if here is not None and len(here.data):
            data, machines = joined(data, here.data), machines.with_one(sources.target)
        seed = self.settings.seed
        errors, tests = (
            sources.errors,
            {printable(shlex.join(one.arguments)) for one in self.settings.test_inputs},
        )
        learned = data
        if errors is not None:  # the test inputs prove where approximate variants may run
            proving = [is_held_out(name, tests) for name in sources.names]
            numbers = [number for number, proves in enumerate(proving) if proves]
            learned = data.rows(np.flatnonzero(~np.isin(data.input, numbers)))
        found = portable_model(
            self.function, learned, machines, sources.default, self._withheld(here), seed
        )
        model = found.model
        notes: tuple[str, ...] = ()
        if errors is not None:
            model, proof = admit_portable(
                self.function, errors, model, data, machines, sources.names, tests, seed
            )
            notes = tuple(proof.lines())
        write_model(self._directory, self._with_provenance(model, "portable"))
        return FromSource(
            self.function.name,
            self._directory,
            "portable",
            "any machine",
            machines.names,
            found.expected,
            "",
            sources.left_out,
            0 if here is None else len(here.data),
            device=found.model.device,
            notes=notes,
        )

    def _withheld(self, here: MeasuredHere | None) -> set[str]:
        """The variants that failed on an input of a source or here, but for those allowed to."""
        failed = {*self.sources.failed, *(() if here is None else here.failed)}
        withheld = failed - set(self.function.allow_failures)
        variants = self.sources.data.variants
        if set(variants) <= withheld:
            raise FettleError(
                f"{self.function.name}: every variant failed on some input "
                f"({', '.join(variants)}); mend one, or say allow_failures=[...]"
            )
        return withheld

    def _with_provenance(self, model: Model, by: str) -> Model:
        facts = {
            "transferred_to": "any" if model.device else self.sources.target.names[0],
            "transferred_from": ", ".join(self.sources.machines.names),
            "transferred_by": by,
        }
        return replace(model, provenance={**model.provenance, **facts})

    @property
    def _directory(self) -> Path:
        return self.settings.place(self.settings.model_directory) / self.function.name
