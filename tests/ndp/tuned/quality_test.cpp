// Tuned computations with approximate candidates: which run, what a check does, and the measures of
// errors.
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/tuned.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"

namespace ndp = fettle::ndp;

namespace quality_test {

using policy = ndp::openmp::policy;

struct unchecked {
  template <typename E>
  static constexpr void check() {}
};
struct of_reduce {
  using candidates =
      ndp::candidate_list<ndp::candidate<ndp::schedule::sequential<>, policy{.sample = 4}>>;
};
struct of_map {
  using candidates = ndp::candidate_list<
      ndp::candidate<ndp::schedule::independent<>, policy{.num_threads = 1, .perforate = 2}>>;
};

}  // namespace quality_test

// What fettle_config.hpp holds, and a program's own measure.
// clang-format off
template <> struct fettle::ndp::tuned_computation<"total", fettle::ndp::platform::openmp>
    : quality_test::unchecked, quality_test::of_reduce {
  struct tuning_policy : fettle::policy<"total"> { static constexpr unsigned check_every = 3; };
  using quality = fettle::ndp::relative_norm;
  static constexpr double bound = 0.05;
};
template <> struct fettle::ndp::tuned_computation<"unbounded", fettle::ndp::platform::openmp>
    : quality_test::unchecked, quality_test::of_reduce {
  using tuning_policy = fettle::policy<"unbounded">;
};
template <> struct fettle::ndp::tuned_computation<"own", fettle::ndp::platform::openmp>
    : quality_test::unchecked, quality_test::of_reduce {
  struct tuning_policy : fettle::policy<"own"> { static constexpr unsigned check_every = 1; };
  using quality = fettle::ndp::quality_of<"own">;
  static constexpr double bound = 0.05;
};
template <> struct fettle::ndp::tuned_computation<"squares", fettle::ndp::platform::openmp>
    : quality_test::unchecked, quality_test::of_map {
  using tuning_policy = fettle::policy<"squares">;
  using quality = fettle::ndp::largest_relative;
  static constexpr double bound = 0.05;
};
template <> struct fettle::ndp::quality_of<"own"> {
  static inline std::size_t calls = 0;
  static double error(std::span<const double> exact, std::span<const double> out) {
    ++calls;
    return exact.size() == 1 && out.size() == 1 ? 1.0 : 0.0;
  }
};
// clang-format on

namespace {

using quality_test::policy;

struct listening {
  test::scratch folder;
  std::vector<std::string> warnings;
  listening() {
    ndp::set_tuning_options(
        {.model_directory = folder.path(),
         .on_warning = [this](std::string_view text) { warnings.emplace_back(text); }});
  }
};
listening program;

/// A model that always chooses `variant`, and admits it where the length is at most 1e6.
void write_model(const std::string& function, const std::string& variant) {
  test::split_model model;
  model.function = function;
  model.variants = {"default", variant};
  model.features = {"length"};
  model.range_high = 1e6;
  model.below = model.above = {1.0, 0.0};
  model.further = {"approximate " + variant, "bound 0.05", "error_input linear length 0 1000000",
                   "admit " + variant + " -1 0"};
  test::write_model(program.folder.path(), model);
}
const std::string sampled = "sequential%20sample=4";

/// Ones, but `others` in the tiles that a sample of every fourth leaves out.
std::vector<double> ones_and(double others, std::size_t count = 4096) {
  std::vector<double> x(count, 1.0);
  for (std::size_t i = 0; i < count; ++i) {
    if (i / static_cast<std::size_t>(ndp::sampled_tile) % 4 != 0) x[i] = others;
  }
  return x;
}

struct square {
  double operator()(double x) const { return x * x; }
};

}  // namespace

TEST_CASE("an approximate candidate runs within the bound, and a checked call returns the exact") {
  write_model("total", sampled);
  const std::vector<double> like = ones_and(1.01);
  const double exact = 4096 * 1.0075;
  const auto total = [](const std::vector<double>& x) {
    return ndp::execute<"total">(ndp::reduce(ndp::plus{}, ndp::make_sequence(x), 0.0),
                                 ndp::platform::openmp{});
  };
  CHECK(std::fabs(total(like) - exact) < 1e-9);  // the first call is checked
  CHECK(total(like) == 4096.0);
  CHECK(total(like) == 4096.0);
  CHECK(std::fabs(total(like) - exact) < 1e-9);  // and one in three
  CHECK(program.warnings.empty());
  const std::vector<double> unlike = ones_and(2);
  CHECK(total(unlike) == 4096.0);  // not seen
  CHECK(total(unlike) == 4096.0);
  CHECK(total(unlike) == 4096 * 1.75);
  REQUIRE(program.warnings.size() == 1);
  CHECK(program.warnings[0].find("a check of sequential sample=4 failed: its error was 0.428") !=
        std::string::npos);
  for (int call = 0; call < 5; ++call) CHECK(total(unlike) == 4096 * 1.75);
  CHECK(std::fabs(total(like) - exact) < 1e-9);
  program.warnings.clear();
}

TEST_CASE("without a bound no approximate candidate runs") {
  write_model("unbounded", sampled);
  const std::vector<double> x = ones_and(2);
  for (int call = 0; call < 3; ++call) {
    CHECK(ndp::execute<"unbounded">(ndp::reduce(ndp::plus{}, ndp::make_sequence(x), 0.0),
                                    ndp::platform::openmp{}) == 4096 * 1.75);
  }
}

TEST_CASE("a program's own measure judges") {
  write_model("own", sampled);
  const std::vector<double> x = ones_and(1);
  for (int call = 0; call < 3; ++call) {
    CHECK(ndp::execute<"own">(ndp::reduce(ndp::plus{}, ndp::make_sequence(x), 0.0),
                              ndp::platform::openmp{}) == 4096.0);
  }
  CHECK(ndp::quality_of<"own">::calls == 1);  // which found an error of 1
  CHECK(program.warnings.size() == 1);
  program.warnings.clear();
}

TEST_CASE("what overwrites its input cannot be checked, and is computed exactly") {
  write_model("squares", "independent%20num_threads=1%20perforate=2");
  std::vector<double> x(100);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i) + 1000;
  std::vector<double> out(100);
  const auto in = ndp::make_sequence(x);
  const auto run = [&](const auto& to) {
    ndp::execute<"squares">(ndp::map(square{}, in), to, ndp::platform::openmp{});
  };
  run(ndp::make_sequence(out));
  CHECK(out[1] == 1001.0 * 1001.0);  // checked
  run(ndp::make_sequence(out));
  CHECK(out[1] == 1000.0 * 1000.0);
  CHECK(out[99] == 1098.0 * 1098.0);
  run(in);
  CHECK(x[1] == 1001.0 * 1001.0);
  CHECK(program.warnings.empty());
}

TEST_CASE("measures of errors") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::nan("");
  using numbers = std::vector<double>;
  const numbers exact{3, 4, 0};
  CHECK(ndp::relative_norm::error(exact, exact) == 0);
  CHECK(ndp::relative_norm::error(exact, numbers{3, 4, 1}) == 0.2);
  CHECK(ndp::largest_relative::error(numbers{3, 4}, numbers{3, 5}) == 0.25);
  CHECK(ndp::mean_relative::error(numbers{3, 4}, numbers{3, 5}) == 0.125);
  CHECK(ndp::largest_relative::error(exact, numbers{3, 4, 1}) == infinity);
  CHECK(ndp::mean_relative::error(numbers{}, numbers{}) == 0);
  CHECK(ndp::relative_norm::error(numbers{0, 0}, numbers{0, 1e-9}) == infinity);
  CHECK(ndp::relative_norm::error(numbers{3e200, 4e200}, numbers{3e200, 8e200}) == 0.8);
  CHECK(ndp::relative_norm::error(numbers{3e-200, 4e-200}, numbers{3e-200, 8e-200}) == 0.8);
  for (const double special : {nan, infinity}) {
    CHECK(ndp::relative_norm::error(numbers{special, 1}, numbers{special, 1}) == 0);
    CHECK(ndp::largest_relative::error(numbers{special}, numbers{special}) == 0);
    CHECK(ndp::relative_norm::error(numbers{1, 1}, numbers{special, 1}) == infinity);
    CHECK(ndp::largest_relative::error(numbers{1}, numbers{special}) == infinity);
    CHECK(ndp::mean_relative::error(numbers{special}, numbers{1}) > 1);
  }
}
