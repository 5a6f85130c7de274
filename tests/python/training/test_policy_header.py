"""The policy header: each option is in it, other policies stay, C++ can read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fettle.code_variant import CodeVariant
from fettle.core.cpp_names import identifier_of, model_header_name
from fettle.core.errors import FettleError
from fettle.training.policy_header import existing_header, policy_header

MODELS = Path("/models")


def header(function: CodeVariant, **options: object) -> str:
    return policy_header([function], MODELS, **options)  # type: ignore[arg-type]


def test_the_defaults() -> None:
    lines = header(CodeVariant("spmv", 6)).splitlines()
    assert lines[1:] == [
        "#ifndef FETTLE_CONFIG_HPP",
        "#define FETTLE_CONFIG_HPP",
        "#include <fettle/variant/policy.hpp>",
        "namespace fettle::tuning_policies {",
        "struct spmv {",
        '  static constexpr std::string_view name = "spmv";',
        "  static constexpr std::size_t variant_count = 6;",
        "  static constexpr bool constraints = true;",
        "  static constexpr bool parallel_feature_evaluation = false;",
        "  static constexpr bool parallel_constraint_evaluation = false;",
        "  static constexpr bool async_feature_eval = false;",
        "  static constexpr fettle::constraint_failure on_constraint_failure = "
        "fettle::constraint_failure::use_default;",
        "  static constexpr fettle::infinite_metric on_infinite_metric = "
        "fettle::infinite_metric::returned;",
        "  static constexpr fettle::outside_region outside_region = "
        "fettle::outside_region::use_default;",
        "  static constexpr fettle::metric_source metric = fettle::metric_source::returned;",
        "  static constexpr bool larger_is_better = false;",
        "  static constexpr bool strict = false;",
        '  static constexpr std::string_view model_directory = "/models";',
        "  using evaluation = fettle::serial_evaluation;",
        "};",
        "}",
        'template <> struct fettle::policy<"spmv"> : fettle::tuning_policies::spmv {};',
        "#endif  // FETTLE_CONFIG_HPP",
    ]


@pytest.mark.parametrize(
    ("option", "value", "line"),
    [
        ("variants", None, "std::size_t variant_count = 0;"),
        ("variants", ["a", "b"], "std::size_t variant_count = 2;"),
        ("constraints", False, "bool constraints = false;"),
        ("parallel_feature_evaluation", True, "bool parallel_feature_evaluation = true;"),
        ("parallel_constraint_evaluation", True, "bool parallel_constraint_evaluation = true;"),
        ("async_feature_eval", True, "bool async_feature_eval = true;"),
        ("on_constraint_failure", "next_best", "= fettle::constraint_failure::next_best;"),
        ("on_infinite_metric", "next_best", "= fettle::infinite_metric::next_best;"),
        ("outside_region", "predict", "= fettle::outside_region::predict;"),
        ("metric", "elapsed", "= fettle::metric_source::elapsed;"),
        ("larger_is_better", True, "bool larger_is_better = true;"),
        ("strict", True, "bool strict = true;"),
    ],
)
def test_every_option_is_in_the_header(option: str, value: object, line: str) -> None:
    function = CodeVariant("spmv")
    setattr(function, option, value)
    assert line in header(function)


@pytest.mark.parametrize(
    "option",
    ["parallel_feature_evaluation", "parallel_constraint_evaluation", "async_feature_eval"],
)
def test_only_parallel_policies_need_tbb(option: str) -> None:
    function = CodeVariant("spmv")
    assert "parallel_evaluation.hpp" not in header(function)
    setattr(function, option, True)
    text = header(function)
    assert "#include <fettle/variant/parallel_evaluation.hpp>" in text
    assert "using evaluation = fettle::tbb_evaluation;" in text


def test_only_policies_timed_by_events_need_cuda() -> None:
    function = CodeVariant("spmv", metric="elapsed")
    assert "event_clock" not in header(function)
    function.metric = "events"
    text = header(function)
    assert "#include <fettle/measure/event_clock.cuh>" in text
    assert "using clock = fettle::event_clock;" in text
    assert "metric = fettle::metric_source::elapsed;" in text


def test_a_model_is_compiled_in() -> None:
    text = header(CodeVariant("spmv"), embedded=["spmv"])
    assert '#include "spmv_model.hpp"' in text
    assert "using embedded_model = fettle::tuned_models::spmv;" in text


def test_policies_of_other_scripts_are_kept() -> None:
    first = header(CodeVariant("sort", async_feature_eval=True), embedded=["sort"])
    both = header(CodeVariant("spmv"), existing=first)
    assert "struct sort {" in both
    assert "struct spmv {" in both
    assert '#include "sort_model.hpp"' in both
    assert "parallel_evaluation.hpp" in both
    changed = header(CodeVariant("sort"), existing=both)
    assert changed.count("struct sort {") == 1
    assert "tbb" not in changed
    assert header(CodeVariant("sort"), existing=changed) == changed


def test_texts_are_escaped() -> None:
    text = policy_header([CodeVariant("f")], Path('/a "quoted"\\path\n'))
    assert r'model_directory = "/a \"quoted\"\\path\012";' in text


def test_names_become_identifiers() -> None:
    assert identifier_of("sparse matrix-vector") == "sparse_matrix_vector"
    assert model_header_name("a.b") == "a_b_model.hpp"
    assert 'name = "a.b";' in header(CodeVariant("a.b"))


@pytest.mark.parametrize("name", ["3d", "double", "new", "strict", "name", "guard"])
def test_names_that_c_plus_plus_cannot_have(name: str) -> None:
    with pytest.raises(FettleError, match="cannot name a C\\+\\+ policy"):
        identifier_of(name)


def test_names_that_clash() -> None:
    with pytest.raises(FettleError, match=r"'a-b' and 'a\.b' would both be"):
        policy_header([CodeVariant("a.b"), CodeVariant("a-b")], MODELS)


def test_what_stands_in_a_header_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "fettle_config.hpp"
    assert existing_header(path) == ""
    path.touch()
    assert existing_header(path) == ""
    path.write_text(header(CodeVariant("spmv")))
    assert existing_header(path) == path.read_text()


def test_a_file_of_the_user_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "main.cpp"
    for content in (b"int main() {}\n", b"\x7fELF\xff\xfe"):
        path.write_bytes(content)
        with pytest.raises(FettleError, match=r"main\.cpp is there and no header that Fettle"):
            existing_header(path)
    with pytest.raises(FettleError, match=r"cannot read the header .*: Is a directory; make it"):
        existing_header(tmp_path)


def test_a_header_that_was_cut_off_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "fettle_config.hpp"
    whole = header(CodeVariant("spmv"), existing=header(CodeVariant("sort")))
    path.write_text(whole[: len(whole) // 2])
    with pytest.raises(FettleError, match=r"fettle_config\.hpp is cut off: .*; remove it, and"):
        existing_header(path)
