from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from libsvm.svmutil import svm_load_model, svm_predict
from made_up import bands, data_of, deployed, mean_share
from sklearn.svm import SVC

from fettle.classifiers import SvmClassifier
from fettle.classifiers.pairwise_svm import PairwiseSvm, train_pairs
from fettle.classifiers.svm import SvmRecipe
from fettle.core.errors import FettleError
from fettle.data.training_set import TrainingSet
from fettle.model.svm import SvmPredictor


def dear_mistakes(count: int = 120) -> TrainingSet:
    """Where x > 0, a wins on most inputs by 1 %, and costs 100 times as much as b on the others."""
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, count)
    dear = (x > 0) & (rng.random(count) < 0.35)
    costs = np.column_stack([np.where(dear, 100.0, 1.0), np.where(dear, 1.0, 1.01)])
    costs[x <= 0] = (1.0, 1.5)
    return data_of(x[:, None], costs)


def random_machine(classes: int, seed: int) -> tuple[PairwiseSvm, np.ndarray]:
    """Pairs trained on noise: votes and support vectors everywhere."""
    rng = np.random.default_rng(seed)
    table = rng.uniform(-1, 1, (60, 3))
    shares = rng.uniform(0, 1, (60, classes))
    places = sorted(rng.choice(20, classes, replace=False).tolist())
    spread = np.zeros((60, 20))
    spread[:, places] = shares
    return train_pairs(table, spread, places, c=10.0, gamma=2.0), rng.uniform(-1, 1, (200, 3))


def test_learns_bands_in_the_ratio_of_two_sizes(tmp_path: Path) -> None:
    model = SvmClassifier().fit(bands(150))
    unseen = bands(400, seed=9)
    assert isinstance(model.predictor, SvmPredictor)
    assert mean_share(unseen, deployed(model, tmp_path, unseen.values)) > 0.96
    assert float(model.provenance["share_of_best"]) > 0.95


def test_a_mistake_weighs_what_it_costs(tmp_path: Path) -> None:
    data, unseen = dear_mistakes(), dear_mistakes(400)
    by_label = SVC(C=100, gamma=1.0).fit(data.values, data.costs.argmin(axis=1))
    assert mean_share(unseen, by_label.predict(unseen.values)) < 0.9
    model = SvmClassifier().fit(data)
    assert mean_share(unseen, deployed(model, tmp_path, unseen.values)) > 0.98


def test_without_weights_the_usual_winner_is_learned_whatever_a_mistake_costs() -> None:
    data, unseen = dear_mistakes(300), dear_mistakes(400)
    recipe = SvmClassifier(weighted=False).search(data)
    assert str(recipe).endswith("best variants alone")
    chosen = recipe.train(data, seed=0).choose(unseen.values)
    assert (chosen[unseen.values[:, 0] > 0] == 0).mean() > 0.8
    assert mean_share(unseen, chosen) < 0.9


@pytest.mark.parametrize("given", ["no", 0, None])
def test_weighted_is_true_or_false(given: object) -> None:
    with pytest.raises(FettleError, match=f"weighted={given!r}; give True or False"):
        SvmClassifier(weighted=given)
    assert not SvmClassifier(weighted=False).weighted


def test_without_weights_every_variant_that_wins_somewhere_is_a_class() -> None:
    x = np.arange(40.0)[:, None]
    costs = np.column_stack([np.where(x < 20, 1.0, 2.0), np.where(x < 20, 2.0, 1.0), x * 0 + 1.5])
    costs[:3, 2] = 0.999  # worth nothing, and a label all the same
    data = data_of(x, costs)
    recipes = {
        weighted: SvmClassifier(weighted=weighted).search(data) for weighted in (True, False)
    }
    classes = {weighted: recipe.train(data, 0).svm.classes for weighted, recipe in recipes.items()}
    assert classes == {True: (0, 1), False: (0, 1, 2)}


@pytest.mark.parametrize(("classes", "seed"), [(2, 0), (3, 1), (4, 2), (6, 3)])
def test_libsvm_votes_as_the_pairs_do(classes: int, seed: int, tmp_path: Path) -> None:
    svm, rows = random_machine(classes, seed)
    path = tmp_path / "model.svm"
    path.write_text(svm.text())
    loaded = svm_load_model(str(path))
    labels, _, decisions = svm_predict([0] * len(rows), rows.tolist(), loaded, "-q")
    assert [int(label) for label in labels] == svm.choose(rows).tolist()
    for place, machine in enumerate(svm.machines):
        kernel = np.exp(
            -svm.gamma * ((rows[:, None, :] - svm.table[machine.vectors][None]) ** 2).sum(axis=2)
        )
        mine = kernel @ machine.coefficients - machine.rho
        assert [row[place] for row in decisions] == pytest.approx(mine, abs=1e-9)


def test_the_file_lists_a_vector_once_for_several_pairs() -> None:
    svm, _ = random_machine(6, 3)
    needed = sum(len(machine.vectors) for machine in svm.machines)
    listed = SvmPredictor(svm.text()).support_vectors
    assert listed <= 5 * svm.distinct_vectors()
    assert listed < needed / 2


def test_inputs_with_equal_features_are_one_support_vector() -> None:
    table = np.repeat(np.linspace(-1, 1, 12)[:, None], 4, axis=0)
    rng = np.random.default_rng(0)
    svm = train_pairs(table, rng.uniform(0, 1, (48, 2)), [0, 1], c=10.0, gamma=1.0)
    assert SvmPredictor(svm.text()).support_vectors <= 12 < svm.distinct_vectors()


def test_a_pair_that_one_variant_always_wins_takes_no_support_vector() -> None:
    table = np.linspace(-1, 1, 20)[:, None]
    shares = np.column_stack(
        [np.where(table[:, 0] > 0, 1.0, 0.5), np.where(table[:, 0] > 0, 0.5, 1.0), np.full(20, 0.1)]
    )
    svm = train_pairs(table, shares, [0, 1, 2], c=10.0, gamma=1.0)
    assert [len(machine.vectors) > 0 for machine in svm.machines] == [True, False, False]
    assert set(svm.choose(table).tolist()) == {0, 1}


def test_the_same_seed_gives_the_same_model() -> None:
    recipe = SvmRecipe("ratios", "smoothed", 100.0, 1.0)
    first, second = (recipe.train(bands(80, noise=0.2), 3).predictor for _ in range(2))
    assert first == second
    assert recipe.train(bands(80, noise=0.2), 4).predictor != first
