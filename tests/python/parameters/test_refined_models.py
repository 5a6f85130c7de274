"""Model directories of version 2: parameters of variants, and models that choose their values."""

from __future__ import annotations

import re
import subprocess
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from programs_build import COMPILER, INCLUDE, WITH_LIBRARY, has_header, run

from fettle.cli.show_commands import describe, text
from fettle.model.embedded_model import embedded_model_header
from fettle.model.model import Model, ModelInput
from fettle.model.model_directory import named_in, read_model, write_model
from fettle.model.model_text import ModelError
from fettle.model.trees import Tree, TreePredictor

GOLDEN = Path(__file__).resolve().parents[2] / "model" / "golden" / "refined" / "mm"


def split_at(feature: str, threshold: float) -> dict[str, object]:
    """What is split on one feature: the first class below, the second above."""
    tree = Tree((0, -1, -1), (threshold, 0.0, 0.0), (1, -1, -1), (2, -1, -1), ((), (0, 1), (1, 0)))
    return {
        "inputs": (ModelInput("linear", feature, None, 0.0, 100.0),),
        "predictor": TreePredictor((tree,)),
    }


@pytest.fixture
def points() -> Model:
    return Model(
        function="mm",
        variants=("tiled tile=16 unroll=4", "tiled tile=64 unroll=2"),
        features=("n", "m"),
        default="tiled tile=16 unroll=4",
        guard=None,
        provenance={},
        **split_at("m", 20.0),  # type: ignore[arg-type]
    )


@pytest.fixture
def refined(points: Model) -> Model:
    return Model(
        function="mm",
        variants=("plain", "tiled"),
        features=("n", "m"),
        default="plain",
        guard=0.25,
        provenance={"inputs": "4"},
        parameters={"tiled": {"tile": (16, 32, 64), "unroll": (1, 2, 4)}},
        refinements={"tiled": points},
        **split_at("n", 10.0),  # type: ignore[arg-type]
    )


def test_a_refined_model_reads_back(refined: Model, tmp_path: Path) -> None:
    write_model(tmp_path, refined)
    assert read_model(tmp_path) == refined


def test_the_text_is_the_golden_one_but_for_names_and_checksums(
    refined: Model, tmp_path: Path
) -> None:
    assert read_model(GOLDEN) == refined
    write_model(tmp_path, refined)
    named = re.compile(r"(?<=model)-[0-9a-f]{8}|(?<=points-1)-[0-9a-f]{8}")
    written = {named.sub("", str(path.relative_to(tmp_path))): path for path in files_of(tmp_path)}
    assert list(written) == [str(path.relative_to(GOLDEN)) for path in files_of(GOLDEN)]
    for name, path in written.items():
        lines = named.sub("", path.read_text()).splitlines()
        changed = [
            line
            for line, golden in zip(lines, (GOLDEN / name).read_text().splitlines(), strict=True)
            if line != golden
        ]
        assert [line.split()[0] for line in changed] in ([], ["end"], ["refine", "end"])


def files_of(directory: Path) -> list[Path]:
    return sorted(path for path in directory.rglob("*") if path.is_file())


def test_points_alone_are_of_version_two_too(refined: Model, tmp_path: Path) -> None:
    flat = replace(refined, variants=("plain", "tiled tile=16 unroll=4"), refinements={})
    assert write_model(tmp_path, flat).read_text().startswith("fettle-model 2\n")
    assert read_model(tmp_path) == flat


def test_what_refined_an_older_model_goes(refined: Model, tmp_path: Path) -> None:
    write_model(tmp_path, refined)
    [folder] = named_in(tmp_path, "refine")
    for there in (True, False):
        write_model(tmp_path, replace(refined, refinements={}))
        assert (tmp_path / folder).is_dir() == there, "the last one's stays"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: replace(m, parameters={}), "'tiled', which is refined, is not a variant with"),
        (
            lambda m: replace(m, refinements={"plain": m.refinements["tiled"]}),
            "'plain', which is refined, is not a variant with parameters",
        ),
        (
            lambda m: replace(
                m, refinements={"tiled": replace(m.refinements["tiled"], features=("n", "m", "k"))}
            ),
            "the refinement of 'tiled' is of another function, of other features",
        ),
        (
            lambda m: replace(m, parameters={"tiled": {"a b": (1,)}}),
            "'a b' of 'tiled' is not a parameter with values",
        ),
        (lambda m: replace(m, parameters={"tiled": {}}), "the variant's parameters are missing"),
    ],
)
def test_a_model_that_contradicts_itself_is_not_written(
    refined: Model, tmp_path: Path, change: Callable[[Model], Model], message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        write_model(tmp_path / "new", change(refined))
    assert not (tmp_path / "new" / "model.txt").exists()


BROKEN = {
    "of version 1": ("fettle-model 2", "fettle-model 1", "'parameters' is not a key"),
    "no values": (" unroll=1,2,4", " unroll=", "'' is not a whole number"),
    "no number": ("unroll=1,2,4", "unroll=1,x", "'x' is not a whole number"),
    "twice": ("unroll=1,2,4", "tile=1,2,4", "'tile' is twice among the parameters"),
    "no parameters": (" tile=16,32,64 unroll=1,2,4", "", "parameters are missing"),
    "outside": ("points-1", "../points-1", "is not a name of a directory beside this file"),
    "of none": ("refine tiled", "refine dia", "the refinement of 'dia' is of none"),
    "another": ("points-1-", "points-2-", "points-2"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_description_is_refused(refined: Model, tmp_path: Path, case: str) -> None:
    path = write_model(tmp_path, refined)
    old, new, message = BROKEN[case]
    content = path.read_text()
    assert old in content
    content = content[: content.rindex("end ")].replace(old, new, 1)
    path.write_text(content + f"end {zlib.crc32(content.encode()):08x}\n")
    with pytest.raises(ModelError) as refused:
        read_model(tmp_path)
    assert message in str(refused.value) and "run the tuning script again" in str(refused.value)


def test_a_damaged_refinement_is_refused(refined: Model, tmp_path: Path) -> None:
    write_model(tmp_path, refined)
    below = tmp_path / named_in(tmp_path, "refine")[0] / "model.txt"
    below.write_text(below.read_text().replace("inputs", "insets"))
    below.write_text(below.read_text() + " ")
    with pytest.raises(
        ModelError, match="does not match the checksum in the model that it refines"
    ):
        read_model(tmp_path)


def test_what_is_compiled_in_is_the_golden_text(refined: Model) -> None:
    golden = (GOLDEN.parent / "mm_model.hpp").read_text().splitlines()
    made = embedded_model_header(refined).splitlines()
    assert made[1:] == golden[1:], "but for the version that made it"


@pytest.mark.parametrize("name", ["parameters", "refined", "points_1", "values_12"])
def test_a_function_that_is_called_like_a_member(refined: Model, name: str) -> None:
    below = replace(refined.refinements["tiled"], function=name)
    with pytest.raises(ModelError, match="cannot have an embedded model; rename it"):
        embedded_model_header(replace(refined, function=name, refinements={"tiled": below}))


PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include <fettle/variant.hpp>
#include "mm_model.hpp"

struct policy : fettle::policy<"mm"> {
  using embedded_model = fettle::tuned_models::mm;
};

int main(int, char** words) {
  fettle::context cx({"", {}, true});  // strict: a model that cannot be used is an error
  fettle::code_variant<policy, std::tuple<double, double>> mm(cx);
  mm.add_variant("plain", [](double, double) {});
  mm.add_variant("tiled", [](double, double, int, int) {},
                 fettle::parameter{"tile", {16, 32, 64}}, fettle::parameter{"unroll", @UNROLL@});
  mm.add_input_feature("n", [](double n, double) { return n; });
  mm.add_input_feature("m", [](double, double m) { return m; });
  try {
    for (int i = 1; words[i] != nullptr; i += 2) {
      mm(std::atof(words[i]), std::atof(words[i + 1]));
      std::printf("%s\\n", std::string(mm.last_selection()->variant).c_str());
    }
  } catch (const fettle::error& problem) {
    std::printf("%s\\n", problem.what());
  }
}
"""


@pytest.mark.skipif(not has_header("vector"), reason="needs a C++ compiler")
@pytest.mark.parametrize("unroll", ["{1, 2, 4}", "{1, 2}"])
def test_a_program_chooses_points_without_a_file(
    refined: Model, tmp_path: Path, unroll: str
) -> None:
    (tmp_path / "mm_model.hpp").write_text(embedded_model_header(refined))
    (tmp_path / "program.cpp").write_text(PROGRAM.replace("@UNROLL@", unroll))
    command = [COMPILER, "-std=c++20", "-O0", f"-I{INCLUDE}", "program.cpp", "-o", "program"]
    subprocess.run([*command, *WITH_LIBRARY, "-pthread"], cwd=tmp_path, check=True)
    said = run(tmp_path, "./program", *map(str, (5, 30, 50, 10, 50, 30, 500, 30))).splitlines()
    if unroll == "{1, 2}":
        assert "trained for other parameters of tiled" in said[0]
    else:
        tiled = ["tiled tile=16 unroll=4", "tiled tile=64 unroll=2"]
        assert said == ["plain", *tiled, "plain"], "and the default outside the trained region"


def test_show_says_what_is_chosen_among(refined: Model, tmp_path: Path) -> None:
    write_model(tmp_path, refined)
    record = describe(read_model(tmp_path), tmp_path)
    assert record["parameters"] == {"tiled": {"tile": [16, 32, 64], "unroll": [1, 2, 4]}}
    assert record["points"] == {"tiled": list(refined.refinements["tiled"].variants)}
    assert all(feature["used"] for feature in record["features"]), "m by the points' model"
    lines = [line.split(maxsplit=3) for line in text(record).splitlines()]
    assert ["points", "of", "tiled", "tile=16 unroll=4, tile=64 unroll=2"] in lines
