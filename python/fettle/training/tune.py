"""Tunes one function of a built program: measures, trains, judges and writes the model."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fettle import __version__
from fettle.classifiers.threshold import ThresholdClassifier
from fettle.code_variant import CodeVariant
from fettle.model_directory import write_model
from fettle.never_chosen import never_choosing
from fettle.parameters.tuning import ParameterTuning
from fettle.reachable_variants import without_unreachable
from fettle.report.summary import Score
from fettle.store.base import Example, Offer
from fettle.training.active import Goal, Learner
from fettle.training.collect import Collection, collect
from fettle.training.deploy import Deployer, gain_facts
from fettle.training.examples import Table, make_table
from fettle.training.failed import FailedVariants, not_chosen
from fettle.training.measure import Measurer
from fettle.training.program import Input, ProgramError
from fettle.training.renew import renew
from fettle.training.second_round import race_again
from fettle.training.settings import Settings
from fettle.training.steadiness import why_not_deployed
from fettle.training.train import Trained, train
from fettle.training.trainer import Judged, Learned, Trainer
from fettle.training_set import TrainingSet, TrainingWarning
from fettle.tuning_result import Delivered, Effort, Failure, LearningStep, TuningResult

# The part of a time budget that goes to measuring; the rest is for comparing what came of it.
MEASURING = 0.8

# Which of the variants that were measured the model is to choose from.
Narrow: TypeAlias = Callable[[Table], Sequence[str]]


def tune_function(
    settings: Settings,
    function: CodeVariant,
    measurer: Measurer,
    goal: Goal | None,
    narrow: Narrow | None = None,
) -> TuningResult:
    """Tunes a function, with a goal incrementally, and writes its model. Raises FettleError."""
    return _Tuning(settings, function, measurer, narrow).run(goal)


def measure_function(settings: Settings, function: CodeVariant, measurer: Measurer) -> None:
    """Brings the store up to date for all inputs of a function. Raises FettleError."""
    tuning = _Tuning(settings, function, measurer)
    tuning.measure_all()


@dataclass
class _Tuning:
    settings: Settings
    function: CodeVariant
    measurer: Measurer
    narrow: Narrow | None = None
    found: Collection = field(default_factory=Collection)
    steps: tuple[LearningStep, ...] = ()
    fit_seconds: float = 0.0
    judged_by: Literal["", "test inputs", "cross-validation"] = ""  # in incremental tuning
    standing: Mapping[str, float] | None = None  # for how many inputs, in incremental tuning
    _parameters: ParameterTuning | None = None

    def __post_init__(self) -> None:
        self.started = datetime.now(timezone.utc)
        budget = self.settings.time_budget
        begin = time.monotonic()
        self.end = None if budget is None else begin + budget
        self.deadline = None if budget is None else begin + MEASURING * budget
        self.trainer = Trainer(
            classifier=self.function.classifier,
            guarded=self.function.outside_region == "default",
            seed=self.settings.seed,
        )

    def measure_all(self) -> None:
        """Measures training and test inputs."""
        self._renew()
        self._measure(self.settings.training_inputs)
        self._test_inputs()

    def run(self, goal: Goal | None) -> TuningResult:
        self._renew()
        if goal is None:  # a time budget goes to what is learned from first
            learned = self._explored(self._measure(self.settings.training_inputs))
            held_out = self._test_inputs()
        else:
            held_out = self._test_inputs()
            learned = self._learn(goal, held_out)
        parameters = self.parameters
        if parameters is not None:
            return self._finish_with_parameters(parameters, learned)
        table = self._usable(self._table(learned, self._failed()))
        test = self._table(held_out, table.failed).data if held_out else None
        begin = time.monotonic()
        kept = table.data.variants if self.narrow is None else tuple(self.narrow(table))
        data = _only(table.data, kept)
        trained = train(
            self.trainer,
            data,
            None if test is None else _only(test, kept),
            feature_selection=self.function.feature_selection,
            say=self.measurer.display.say,
            warn=self.measurer.warn,
        )
        self.fit_seconds += time.monotonic() - begin
        if self.narrow is not None:  # the program is compiled with what the model may choose
            trained = replace(trained, model=without_unreachable(trained.model))
            said = f"{len(trained.model.variants)} of the {len(kept)} that were kept"
            self.measurer.display.say(f"{self.function.name}: the model chooses among {said}")
        return self._deployed(trained, table, data, test)

    def _renew(self) -> None:
        """Forgets what the program, as it is now, no longer takes."""
        renew(self.measurer, [*self.settings.training_inputs, *self.settings.test_inputs])

    def _finish_with_parameters(
        self, parameters: ParameterTuning, learned: Sequence[Input]
    ) -> TuningResult:
        """What follows on measuring where variants have parameters."""
        held_out = self._held_out()
        classes = parameters.complete(learned, held_out, self._failed)
        failed = self._failed()
        table = self._usable(parameters.table_of(learned, classes, failed))
        test = parameters.table_of(held_out, classes, failed).data if held_out else None
        begin = time.monotonic()
        trained = parameters.train(
            self.trainer,
            parameters.table_of(learned, classes, failed, level=True).data,
            test,
            feature_selection=self.function.feature_selection,
            standing=self.standing,
        )
        self.fit_seconds += time.monotonic() - begin
        return self._deployed(trained, table, table.data, test)

    def _deployed(
        self, trained: Trained, table: Table, data: TrainingSet, test: TrainingSet | None
    ) -> TuningResult:
        """Writes the model, unless another one is better, and says what came of it."""
        directory = self.settings.place(self.settings.model_directory)
        place = directory / self.function.name
        trained = replace(trained, model=never_choosing(trained.model, self._withheld(table)))
        judged = _against_all(trained.judged, table.data, test)
        deployer = Deployer(
            self.settings, self.measurer, self.trainer, place, self.end, self.narrow is not None
        )
        unsteady = why_not_deployed(
            table.data, None if judged is None else (judged.data, judged.chosen), place
        )
        delivered: Delivered | None = None
        if unsteady:
            self.measurer.warn(f"{self.function.name}: {unsteady}")
            deployer.withdraw(trained.model, table)
        else:
            trained, delivered = deployer.settle(trained, table, test)
        model = trained.model
        if delivered is not None and delivered.deployed == "kept":
            self.measurer.display.say(f"model: {place} stays")
        elif delivered is not None:
            judged = _against_all(trained.judged, table.data, test)
            facts = self._provenance(trained, judged, data, table.failed) | gain_facts(delivered)
            model = replace(model, provenance=facts)
            write_model(place, model)
            self.measurer.display.say(f"model: {place}")
        left_out = [Failure(name, None, reason) for name, reason in self.found.left_out.items()]
        return TuningResult(
            function=self.function.name,
            training=data,
            model=model,
            evaluation=trained.evaluation,
            effort=self._effort(),
            failures=(*table.failures, *left_out),
            feature_curve=trained.curve,
            learning_curve=self.steps,
            learning_judged_by=self.judged_by,
            machine=dict(self._offer.machine),
            unit=self._offer.unit,
            started=self.started,
            finished=datetime.now(timezone.utc),
            program=self.measurer.subject.program,
            model_directory=directory,
            warnings=tuple(self.measurer.warnings),
            measured=None if self.narrow is None else table.data,
            held_out=None if self.narrow is None else test,
            failed=table.failed.variants,
            delivered=delivered,
            unsteady=unsteady,
        )

    def _withheld(self, table: Table) -> set[str]:
        """What the model must not choose; a variant with parameters stands for its defaults."""
        withheld = set(table.failed.withheld)
        if self.parameters is not None:
            spaces = self.parameters.spaces.items()
            withheld |= {name for name, space in spaces if space.default_name in withheld}
        return withheld

    @property
    def _offer(self) -> Offer:
        assert self.measurer.offer is not None  # known as soon as one input is
        return self.measurer.offer

    def _measure(self, inputs: Sequence[Input], *, quiet: bool = False) -> list[Input]:
        """Brings inputs up to date; returns those that are known then."""
        found = collect(self.measurer, inputs, deadline=self.deadline, quiet=quiet)
        self.found.add(found)
        known = found.complete(inputs)
        again = self.settings.second_round
        if again is not None and self.settings.measure:
            race_again(self.measurer, known, again, deadline=self.deadline, quiet=quiet)
        return known

    @property
    def parameters(self) -> ParameterTuning | None:
        """How variants' parameters are tuned; None where there are none, or nothing is measured."""
        if self._parameters is None:
            self._parameters = ParameterTuning.of(
                self.function.name,
                self.function.parameter_search,
                self.measurer,
                self.settings.seed,
                self.deadline,
                self.function.shared_features,
            )
        return self._parameters

    def _explored(self, inputs: list[Input], *, quiet: bool = False) -> list[Input]:
        """Searches the parameters of the variants on inputs that are measured."""
        if self.parameters is None:
            return inputs
        failed = self.parameters.explore(inputs, quiet=quiet)
        self.found.left_out |= failed
        return [given for given in inputs if given.name not in failed]

    def _held_out(self) -> list[Input]:
        """The test inputs that were measured and are no training inputs."""
        trained_on = {given.arguments for given in self.settings.training_inputs}
        given = [one for one in self.settings.test_inputs if one.arguments not in trained_on]
        return [one for one in given if self.measurer.is_complete(one)]

    def _test_inputs(self) -> list[Input]:
        """Brings the test inputs up to date; those that are no training inputs and known then."""
        trained_on = {given.arguments for given in self.settings.training_inputs}
        given = self.settings.test_inputs
        held_out = [test for test in given if test.arguments not in trained_on]
        if len(held_out) < len(given):
            self.measurer.warn(
                f"{len(given) - len(held_out)} test inputs are training inputs as well; they do "
                "not count as held out"
            )
        if not held_out:
            return []
        try:
            return self._measure(held_out)
        except ProgramError as error:  # the training inputs are measured: that counts
            self.measurer.warn(f"the test inputs cannot be used: {error}")
            return []

    def _table(self, inputs: Sequence[Input], failed: FailedVariants) -> Table:
        function = self.function
        return make_table(
            function.name,
            self._offer,
            self._examples(inputs),
            function.shared_features,
            failed,
            runs_next_best=function.on_infinite_metric == "next_best",
        )

    def _examples(self, inputs: Sequence[Input]) -> list[tuple[str, list[Example]]]:
        return [(given.name, self.measurer.examples(given)) for given in inputs]

    def _failed(self, inputs: Sequence[Input] | None = None) -> FailedVariants:
        """What failed on some inputs; on all of training and test where none are given."""
        settings = self.settings
        asked = (*settings.training_inputs, *settings.test_inputs) if inputs is None else inputs
        examples = self._examples(asked)
        return not_chosen(self.function, self._offer, examples, schedules=settings.schedules)

    def _usable(self, table: Table) -> Table:
        """The table. Raises FettleError where nothing can be learned from it."""
        if not table.data.inputs:
            raise ProgramError(self._nothing_works(table))
        if isinstance(self.function.classifier, ThresholdClassifier):
            table.failed.refuse(self.function.classifier.named, self.function.name)
        return table

    def _learn(self, goal: Goal, held_out: Sequence[Input]) -> list[Input]:
        test = self._table(held_out, self._failed(held_out)).data if held_out else None
        pool = collect(self.measurer, self.settings.training_inputs, "features")
        self.found.left_out |= pool.left_out
        points = {g: self._points(g) for g in pool.complete(self.settings.training_inputs)}
        known = [given for given, rows in points.items() if len(rows)]
        for given in points.keys() - set(known):
            [reason, *_] = [e.featureless for e in self.measurer.examples(given)]
            self.found.left_out[given.name] = reason
        if not known:
            return []
        learner = Learner(
            inputs=known,
            points=[points[given] for given in known],
            measured=[given for given in known if self.measurer.is_complete(given)],
            measure=lambda inputs: self._explored(self._measure(inputs, quiet=True), quiet=True),
            table=lambda inputs: self._learning_table(inputs).data,
            trainer=self.trainer,
            judge=self._judge_of(test),
            tell=self.measurer.display.say,
        )
        self.judged_by = "test inputs" if test else "cross-validation"
        begin, spent = time.monotonic(), self.measurer.spent.seconds
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TrainingWarning)  # of models that are not kept
            learner.learn(goal)
        measuring = self.measurer.spent.seconds - spent
        self.fit_seconds += time.monotonic() - begin - measuring
        self.steps = tuple(learner.steps)
        self.standing = learner.standing()
        return learner.labelled

    def _learning_table(self, inputs: Sequence[Input]) -> Table:
        parameters, failed = self.parameters, self._failed(inputs)
        if parameters is None:
            return self._table(inputs, failed)
        return parameters.variants_table(inputs, failed)

    def _points(self, given: Input) -> NDArray[np.float64]:
        names = self._offer.features
        examples = self.measurer.examples(given)
        known = [example.features for example in examples if not example.featureless]
        rows = [[point[name] for name in names] for point in known if point.keys() >= set(names)]
        return np.array(rows, dtype=float).reshape(len(rows), len(names))

    def _judge_of(self, test: TrainingSet | None) -> Callable[[Learned], Score | None]:
        """By the test inputs, or where there are none by folds of what the model was fitted on."""
        if test is None:
            return lambda learned: learned.score
        held_out = test
        return lambda learned: self.trainer.judge(learned.model, held_out).score()

    def _provenance(
        self, trained: Trained, judged: Judged | None, data: TrainingSet, failed: FailedVariants
    ) -> dict[str, str]:
        facts = dict(trained.model.provenance)
        if judged is not None and trained.evaluation is not None:
            score = judged.score()
            facts |= {
                "judged": trained.evaluation.how,
                "share_of_best": f"{score.mean:.4f}",
                "share_of_best_p5": f"{score.p5:.4f}",
                "share_of_best_worst": f"{score.worst:.4f}",
                "accuracy": f"{score.accuracy:.4f}",
            }
        if data.spread is not None and np.isfinite(data.spread).any():
            facts["spread_of_costs"] = f"{np.nanmedian(data.spread):.4f}"
        macros = [f"{name}={value}" for name, value in self.settings.built_with.items()]
        if macros:
            facts["compiled_with"] = " ".join(macros)
        withheld = [one.variant for one in failed.variants if not one.allowed]
        if withheld:
            more = f" and {len(withheld) - 5} more" if len(withheld) > 5 else ""
            facts["never_chosen"] = ", ".join(withheld[:5]) + more
        return facts | {
            "trained": self.started.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "machine": self.measurer.subject.machine,
            "compiler": self._offer.machine.get("compiler", "unknown"),
            "inputs": str(len(data)),
            "tool": f"fettle {__version__}",
        }

    def _effort(self) -> Effort:
        spent = self.measurer.spent
        return Effort(
            seconds=spent.seconds,
            program_starts=spent.program_starts,
            variant_runs=spent.variant_runs,
            fit_seconds=self.fit_seconds,
            measured_inputs=len(self.found.measured),
            reused_inputs=len(self.found.reused),
            points=spent.points,
        )

    def _nothing_works(self, table: Table) -> str:
        reasons = [f"{f.input}: {f.variant or 'input'}: {f.reason}" for f in table.failures]
        reasons += [f"{name}: {reason}" for name, reason in self.found.left_out.items()]
        shown = "\n".join(f"  {reason}" for reason in reasons[:5])
        said = f"{self.function.name!r}: there is no input to learn from\n{shown}"
        if not table.failed.withheld:
            return said
        return (
            f"{said}\nVariants that failed are not chosen; what was deployed before stays. Mend "
            "them, add constraints that exclude the inputs on which they fail, or say "
            "allow_failures=[...] in the tuning script"
        )


def _only(data: TrainingSet, variants: Sequence[str]) -> TrainingSet:
    """The inputs with some of the variants, without those on which none of them works."""
    return data if tuple(variants) == data.variants else data.only(variants).usable()


def _against_all(
    judged: Judged | None, training: TrainingSet, test: TrainingSet | None
) -> Judged | None:
    """The choices judged against every variant that was measured, kept or not."""
    if judged is None:
        return None
    whole = training if test is None else test
    if judged.data.variants == whole.variants:
        return judged
    places = {name: place for place, name in enumerate(whole.inputs)}
    variant = [whole.variants.index(name) for name in judged.data.variants]
    return Judged(
        whole.rows([places[name] for name in judged.data.inputs]),
        np.array([variant[choice] for choice in judged.chosen], dtype=np.intp),
        judged.feature_seconds,
        judged.costs,
    )
