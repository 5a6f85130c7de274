"""Embedded models, compiled into a program, choose what the model directory does: bit for bit."""

from __future__ import annotations

import random
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from programs_build import COMPILER, INCLUDE, has_header

from fettle.core.errors import FettleError
from fettle.model.embedded_model import embedded_model_header
from fettle.model.model import Admission, ErrorModel, Expectation, Model, ModelInput
from fettle.model.model_directory import write_model
from fettle.model.predictor import Predictor
from fettle.model.svm import SvmPredictor
from fettle.model.trees import Tree, TreePredictor

PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

@INCLUDES@

// Everything that the two say of themselves and of 20,000 inputs must be the same, to the last bit.
template <typename Embedded>
int differences(const char* directory) {
  using namespace fettle::model;
  const loaded_model a = load_model_directory(directory);
  const loaded_model b = from_embedded<Embedded>();
  int wrong = a.function != b.function || a.classifier != b.classifier ||
              a.variants != b.variants || a.features != b.features || a.inputs != b.inputs ||
              a.default_variant != b.default_variant || a.used_features != b.used_features ||
              a.provenance != b.provenance || a.expectations != b.expectations ||
              !(a.errors == b.errors);
  std::mt19937_64 random(1);
  std::vector<double> features(a.features.size());
  std::vector<double> x(a.variants.size());
  std::vector<double> y(a.variants.size());
  std::size_t chosen = 0;
  for (int i = 0; i < 20000; ++i) {
    std::uniform_real_distribution<double> exponent(i % 8 == 0 ? -4 : 0, 8);
    for (double& f : features) f = random() % 100 == 0 ? -1 : std::exp(exponent(random));
    const decision one = a.predictor.decide(features, x);
    const decision other = b.predictor.decide(features, y);
    wrong += !(one == other) || std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) != 0;
    wrong += !(b.predictor.decide(features) == other);
    chosen |= std::size_t{1} << one.variant;
  }
  std::printf("%s: %d differences, choices %zx\\n", directory, wrong, chosen);
  return wrong;
}

int main() { return (@CALLS@) != 0; }
"""

INPUTS = (
    ModelInput("log", "nnz", None, 0.5, 7.5),
    ModelInput("log_ratio", "nnz", "rows", -6.0, 6.0),
    ModelInput("linear", "rows", None, 1.0, 2500.0),
    ModelInput("ratio", "rows", 'a \\ "quoted" name\'s', 0.0, 900.0),
)


def random_svm(classes: int, vectors: int) -> SvmPredictor:
    """The text of a machine; labels count down from the last variant."""
    rng = random.Random(classes)
    pairs = classes * (classes - 1) // 2
    sizes = [vectors // classes] * (classes - 1)
    sizes.append(vectors - sum(sizes))
    lines = [
        "svm_type c_svc",
        "kernel_type rbf",
        "gamma 0.7",
        f"nr_class {classes}",
        f"total_sv {vectors}",
        "rho " + " ".join(str(rng.uniform(-1, 1)) for _ in range(pairs)),
        "label " + " ".join(str(classes - k) for k in range(classes)),
        "nr_sv " + " ".join(map(str, sizes)),
        "SV",
    ]
    for _ in range(vectors):
        words = [str(rng.uniform(-10, 10)) for _ in range(classes - 1)]
        words += [f"{i + 1}:{rng.uniform(-1, 1)}" for i in range(len(INPUTS)) if rng.random() < 0.9]
        lines.append(" ".join(words))
    return SvmPredictor("\n".join(lines) + "\n")


def random_tree(rng: random.Random, depth: int, variants: int) -> Tree:
    feature: list[int] = []
    threshold: list[float] = []
    left: list[int] = []
    right: list[int] = []
    cost: list[tuple[float, ...]] = []

    def grow(level: int) -> int:
        node = len(feature)
        for column, nothing in ((feature, -1), (left, -1), (right, -1)):
            column.append(nothing)
        threshold.append(0.0)
        cost.append(())
        if level == 0 or rng.random() < 0.1:
            cost[node] = tuple(rng.uniform(0, 2) for _ in range(variants))
            return node
        feature[node] = rng.randrange(len(INPUTS))
        one = INPUTS[feature[node]]
        threshold[node] = rng.uniform(one.low, one.high)
        left[node] = grow(level - 1)
        right[node] = grow(level - 1)
        return node

    grow(depth)
    return Tree(tuple(feature), tuple(threshold), tuple(left), tuple(right), tuple(cost))


def model_named(name: str, predictor: Predictor) -> Model:
    return Model(
        function=name,
        variants=(*(f"v{k}" for k in range(6)), "größe?"),
        features=("unused", "nnz", "rows", 'a \\ "quoted" name\'s'),
        inputs=INPUTS,
        predictor=predictor,
        default="v0",
        guard=0.1,
        provenance={"machine": 'a "fast" one, 64 cores\t\\', "empty": ""},
    )


def all_models() -> list[Model]:
    rng = random.Random(7)
    leaf = Tree((-1,), (0.0,), (-1,), (-1,), (tuple(float(k) for k in (3, 2, 1, 1, 2, 3, 4)),))
    return [
        model_named("machine", random_svm(6, 50)),
        model_named("two_classes", random_svm(2, 7)),
        replace(model_named("unguarded", random_svm(5, 120)), guard=None),
        replace(
            model_named("tree", TreePredictor((random_tree(rng, 6, 7),))),
            expectations={
                "v1": Expectation(0.25, -7.5, (0.5, 0.0, 1e-3, -2.0)),
                "größe?": Expectation(1.0, 0.0, (0.0, 0.0, 0.0, 0.0)),
            },
        ),
        replace(
            model_named("approximate_variants", TreePredictor((random_tree(rng, 4, 7),))),
            errors=ErrorModel(
                ("v1", "v2", "größe?"),
                0.05,
                (ModelInput("log", "unused", None, 0.5, 7.5), INPUTS[2]),
                {"v1": Admission(-0.25, (1e-3, -2.0)), "größe?": Admission(0.5, (0.0, 1.0))},
            ),
        ),
        model_named("forest", TreePredictor(tuple(random_tree(rng, 5, 7) for _ in range(20)))),
        replace(model_named("constant", TreePredictor((leaf,))), inputs=(), features=()),
    ]


@pytest.mark.skipif(not has_header("vector"), reason="needs a C++ compiler")
def test_embedded_models_choose_what_their_directories_do(tmp_path: Path) -> None:
    models = all_models()
    for model in models:
        write_model(tmp_path / model.function, model)
        (tmp_path / f"{model.function}_model.hpp").write_text(embedded_model_header(model))
    names = [model.function for model in models]
    text = PROGRAM.replace("@INCLUDES@", "\n".join(f'#include "{n}_model.hpp"' for n in names))
    calls = " + ".join(f'differences<fettle::tuned_models::{n}>("{n}")' for n in names)
    (tmp_path / "program.cpp").write_text(text.replace("@CALLS@", calls))
    command = [COMPILER, "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}"]
    built = subprocess.run(
        [*command, "program.cpp", "-o", "program"], cwd=tmp_path, capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr
    ran = subprocess.run(["./program"], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    results = dict(re.findall(r"(\w+): 0 differences, choices (\w+)", ran.stdout))
    assert results.keys() == set(names)
    # The comparison means something: many variants are chosen.
    assert int(results["two_classes"], 16).bit_count() == 2
    assert all(int(results[n], 16).bit_count() >= 4 for n in ("machine", "unguarded", "forest"))


def test_an_error_model_is_compiled_in() -> None:
    text = embedded_model_header(next(one for one in all_models() if one.errors is not None))
    assert "static constexpr double bound = 0.05;" in text
    assert '{"v1", -0.25, error_slopes_1}' in text


def test_a_broken_model_has_no_header() -> None:
    with pytest.raises(FettleError, match=r"model\.svm"):
        embedded_model_header(model_named("machine", SvmPredictor("nonsense\n")))


@pytest.mark.parametrize("name", ["two words here", "variants", "3d", "class"])
def test_a_function_that_cannot_name_a_struct(name: str) -> None:
    model = model_named(name, random_svm(2, 4))
    if name == "two words here":
        assert "struct two_words_here {" in embedded_model_header(model)
    else:
        with pytest.raises(FettleError, match=r"rename|give the function a name"):
            embedded_model_header(model)


def test_no_line_is_longer_than_the_style_allows() -> None:
    for model in all_models():
        assert max(map(len, embedded_model_header(model).splitlines())) <= 100
