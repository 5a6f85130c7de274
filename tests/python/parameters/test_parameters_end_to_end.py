"""Variants with parameters, tuned in all ways with a program that is built with the C++ library."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
from programs_build import build_command, has_header, run
from quick_classifier import QuickClassifier

from fettle.autotuner import Autotuner, Measuring, SecondRound
from fettle.classifiers import TreeClassifier
from fettle.code_variant import CodeVariant
from fettle.core.errors import FettleError
from fettle.core.progress import Silence
from fettle.data.tuning_result import TuningResult
from fettle.model.model_directory import read_model
from fettle.parameters.deployed import all_classes
from fettle.parameters.stage import Parameters
from fettle.search.parameter_search import ParameterSearch, SearchMethod
from fettle.search.variant_space import offered_spaces
from fettle.store.sqlite import SqliteStore
from fettle.store.subject import Offer
from fettle.training.session import run_session

pytestmark = pytest.mark.skipif(not has_header("vector"), reason="needs a C++ compiler")

SIZES = [str(n) for n in range(11, 125, 6)]
TEST = [str(n) for n in range(12, 125, 10)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program; building it takes most of the time here."""
    made = tmp_path_factory.mktemp("tiles")
    tuner = Autotuner(
        "tiles",
        working_directory=made,
        display=Silence(),
        report_directory=None,
        comparing=None,
    )
    tuner.set_training_args(SIZES[:6])
    tuner.set_build_command(build_command("tiles"))
    tuner.tune([work("online")])
    return made


def work(way: SearchMethod, **options: object) -> CodeVariant:
    search = ParameterSearch(way, **{"strategy": "greedy", "measurements": 20, **options})  # type: ignore[arg-type]
    return CodeVariant(
        "work",
        ("plain", "tiled", "odd"),
        classifier=TreeClassifier(),
        outside_region="predict",
        parameter_search=search,
    )


def tuner_of(folder: Path, name: str, database: str, **options: object) -> Autotuner:
    """A tuner in the folder whose header and models have this name."""
    return Autotuner(
        "tiles",
        working_directory=folder,
        display=Silence(),
        report_directory=None,
        database=f"{database}.sqlite",
        model_directory=f"{name}_models",
        config_header=f"{name}.hpp",  # the program stays as it was built
        comparing=None,
        **options,  # type: ignore[arg-type]
    )


def tune(
    folder: Path,
    function: CodeVariant,
    name: str,
    inputs: list[str] = SIZES,
    *,
    fresh: bool = False,
    **options: object,
) -> TuningResult:
    tuner = tuner_of(folder, name, database=name, **options)
    tuner.set_training_args(inputs)
    tuner.set_test_args(TEST)
    [result] = tuner.tune([function], fresh=fresh)
    return result


def best(n: float) -> float:
    tile = min(abs(t - n / 20) for t in range(7))
    return min(0.5 + n / 50, 1 + 0.2 * tile)


def metric_of(folder: Path, name: str, n: str) -> tuple[str, float]:
    """What the deployed program runs for an input, and what it costs."""
    models = folder / f"{name}_models"
    said = run(folder, "env", f"FETTLE_MODEL_DIR={models}", "./tiles", n)
    variant, _, metric = said.strip().rpartition(" ")
    return variant, float(metric)


@pytest.fixture(scope="module")
def results(folder: Path) -> dict[str, TuningResult]:
    ways: tuple[SearchMethod, ...] = ("variants", "restricted", "multilevel", "online")
    return {way: tune(folder, work(way), way) for way in ways}


@pytest.mark.parametrize("way", ["variants", "restricted", "multilevel"])
def test_every_way_deploys_what_it_has_tuned(
    folder: Path, results: dict[str, TuningResult], way: str
) -> None:
    evaluation = results[way].evaluation
    assert evaluation is not None and evaluation.how == "held-out"
    for n, place in zip(TEST, evaluation.chosen, strict=True):
        variant, metric = metric_of(folder, way, n)
        assert variant == evaluation.data.variants[place], "tuned equals deployed"
        assert best(float(n)) / metric > 0.87
    shares = [best(float(n)) / metric_of(folder, way, n)[1] for n in TEST]
    assert sum(shares) / len(shares) > 0.95


def test_at_default_values_the_program_is_worse(
    folder: Path, results: dict[str, TuningResult]
) -> None:
    assert results["online"].effort.points == 0
    chosen = {n: metric_of(folder, "online", n) for n in TEST}
    assert {variant for variant, _ in chosen.values()} == {"plain", "tiled tile=4 unroll=1"}
    shares = [best(float(n)) / metric for n, (_, metric) in chosen.items()]
    assert sum(shares) / len(shares) < 0.93


def test_restricted_measures_least(results: dict[str, TuningResult]) -> None:
    points = {way: result.effort.points for way, result in results.items()}
    assert 0 < points["restricted"] < points["multilevel"] < points["variants"]
    valid = sum(t * u <= 128 for t in (1, 2, 4, 8, 16, 32, 64) for u in (1, 2, 4, 8))
    every = len(SIZES) * (valid - 1 + 1)  # of tiled and odd, both without the default
    assert points["variants"] >= every


def test_restricted_searches_only_where_a_variant_wins(results: dict[str, TuningResult]) -> None:
    assert not any(
        v.startswith("odd") and v != "odd step=1" for v in results["restricted"].training.variants
    )


def test_the_models_are_of_two_levels(folder: Path, results: dict[str, TuningResult]) -> None:
    model = read_model(folder / "multilevel_models" / "work")
    assert model.variants == ("plain", "tiled", "odd")
    assert model.parameters["tiled"]["tile"] == (1, 2, 4, 8, 16, 32, 64)
    assert set(model.refinements) == {"tiled"}
    assert 3 <= len(model.refinements["tiled"].variants) <= 9
    flat = read_model(folder / "variants_models" / "work")
    assert not flat.refinements and len(flat.variants) > 5


def test_nothing_is_measured_again(folder: Path, results: dict[str, TuningResult]) -> None:
    again = tune(folder, work("restricted"), "restricted")
    assert again.effort.points == 0
    assert again.effort.program_starts <= 1, "to see what the program offers"
    assert again.training.costs.tolist() == results["restricted"].training.costs.tolist()


def samples_in(folder: Path, database: str) -> dict[str, dict[str, tuple[float, ...]]]:
    """What was measured on each input: the samples of each point, by its name."""
    with SqliteStore(folder / f"{database}.sqlite") as store:
        [subject] = store.subjects()
        found: dict[str, dict[str, tuple[float, ...]]] = {}
        for given in store.inputs(subject):
            points = found.setdefault(given.arguments, {})
            for stored in store.contents(subject, given).runs.values():
                for row in stored.rows:
                    points[row.variant] = (*points.get(row.variant, ()), *row.values)
        return found


def test_two_workers_find_what_one_process_finds(
    folder: Path, results: dict[str, TuningResult]
) -> None:
    few = SIZES[:4]
    with ProcessPoolExecutor(2) as executor:
        tune(folder, work("variants"), "workers", few, executor=executor)
    alone, shared = samples_in(folder, "variants"), samples_in(folder, "workers")
    assert set(few) <= shared.keys()
    for name in few:
        assert len(shared[name]) > 20
        assert {*shared[name]} == {*alone[name]}
        assert all({*its} == {*alone[name][point]} for point, its in shared[name].items())


def test_fresh_searches_all_anew(folder: Path) -> None:
    first = tune(folder, work("restricted"), "fresh", SIZES[:8])
    anew = tune(folder, work("restricted"), "fresh", SIZES[:8], fresh=True)
    assert anew.effort.points == first.effort.points > 0


def test_parameters_and_a_second_round(folder: Path) -> None:
    again = SecondRound(Measuring())
    with pytest.raises(FettleError, match=r"'work' has variants with parameters, whose search"):
        tune(folder, work("restricted"), "second", SIZES[:8], second_round=again)


def test_a_larger_budget_goes_on_from_there(folder: Path, results: dict[str, TuningResult]) -> None:
    more = tune(folder, work("restricted", strategy="random", measurements=24), "restricted")
    assert 0 < more.effort.points <= 24 * (len(SIZES) + len(TEST))


def test_points_that_fail_cost_themselves_only(folder: Path) -> None:
    inputs = ["60 crash", "70 crash", "80 throw", "90 throw", "100", "110"]
    result = tune(
        folder, work("multilevel", strategy="exhaustive", measurements=40), "faults", inputs
    )
    assert len(result.training) == len(inputs), "every input has variants and points that work"
    places = [i for i, name in enumerate(result.training.variants) if " tile=16 " in name]
    assert places and all(math.isfinite(cost) for cost in result.training.costs[:2, places].flat)
    assert result.effort.program_starts > 3 * len(inputs), "started again after each crash"
    assert not any(" tile=8 " in name for name in result.training.variants)
    failed = {one.variant: one.inputs for one in result.failed}
    assert all(" tile=8 " in name or " unroll=4" in name for name in failed)
    assert set(failed.values()) <= {2, 4}, "inputs that crash, that throw, or both"
    model = read_model(folder / "faults_models" / "work")
    deployed = {name for one in model.refinements.values() for name in one.variants}
    assert deployed and not deployed & failed.keys()


def test_a_search_may_be_given_seconds(folder: Path) -> None:
    quick = tune(folder, work("multilevel", seconds=1e-6), "seconds", SIZES[:8])
    assert quick.effort.points < 8 * 20 / 2, "a measurement is begun, and then none"


def test_a_time_budget_ends_the_searches(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as clock:  # all is spent when the first search begins
        late = SimpleNamespace(monotonic=lambda: math.inf)
        clock.setattr("fettle.parameters.explore.time", late)
        few = tune(folder, work("multilevel"), "budget", SIZES[:8], time_budget=1e6)
    assert len(few.training) == 8
    assert few.effort.points == 0
    rest = tune(folder, work("multilevel"), "budget", SIZES[:8])
    assert rest.effort.points > 20, "the searches that were cut short go on"


def test_models_are_made_of_what_the_store_holds(
    folder: Path, results: dict[str, TuningResult]
) -> None:
    tuner = tuner_of(folder, "stored", database="multilevel")
    tuner.set_training_args(SIZES)
    settings = tuner.settings.changed(measure=False)
    [result] = run_session(settings, [work("multilevel")], None, Silence(), parameters=Parameters())
    assert result.effort.program_starts == 0
    assert result.training.variants == results["multilevel"].training.variants
    assert metric_of(folder, "faults", "100")[0].startswith("tiled tile=")


def test_incremental_tuning_explores_few_inputs(folder: Path) -> None:
    tuner = tuner_of(folder, "active", database="active")
    tuner.set_training_args(SIZES)
    function = work("restricted")
    function.classifier = QuickClassifier()
    [result] = tuner.itune([function], iterations=4)
    assert len(result.training) < len(SIZES)
    assert result.effort.points < 20 * len(SIZES)
    assert any(name.startswith("tiled tile=") for name in result.training.variants)


def test_a_killed_tuner_goes_on_where_it_was(folder: Path) -> None:
    """A tuner is killed in the middle of its searches; the next one measures only what is left."""
    script = f"""
import os, signal
from pathlib import Path
from fettle.parameters import point_session
measure, count = point_session.PointSession.measure, 0
def dying(self, name):
    global count
    count += 1
    if count == 30:
        os.kill(os.getpid(), signal.SIGKILL)
    return measure(self, name)
point_session.PointSession.measure = dying
from test_parameters_end_to_end import tune, work
tune(Path({str(folder)!r}), work("multilevel"), "killed")
"""
    paths = [str(Path(__file__).parent), str(Path(__file__).parent.parent), *sys.path]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    killed = subprocess.run([sys.executable, "-c", script], env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    whole = tune(folder, work("multilevel"), "unkilled")
    rest = tune(folder, work("multilevel"), "killed")
    assert rest.effort.points == whole.effort.points - 29
    assert rest.training.variants == whole.training.variants
    assert rest.training.costs.tolist() == whole.training.costs.tolist()


def test_more_points_than_a_model_can_choose_among(folder: Path) -> None:
    offer = {"values": {"a": list(range(2000))}, "defaults": {"a": 0}, "constraints": []}
    spaces = offered_spaces({"g": offer})
    program = Offer(("g a=0",), (), "g a=0", "s", False, {})
    with pytest.raises(FettleError, match=r"2000 points, but a model can choose among 1024"):
        all_classes(program, spaces)
