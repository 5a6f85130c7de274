// Cases of tuned computations: what a generated header says and models are written by hand, as the
// tuner writes them. Which variant runs is read off the decision trace.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/percent.hpp>
#include <fettle/ndp.hpp>
#include <fettle/ndp/explain.hpp>
#include <fettle/ndp/shape/inspect_rows.hpp>
#include <fettle/ndp/tuned.hpp>

#include "ndp/support/on_platform.hpp"
#include "support/model_files.hpp"

namespace {

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;
using namespace ndp_test;

#ifdef __CUDACC__
using policy = ndp::cuda::policy;
constexpr policy other_policy{.block_size_x = 128};
const std::string other_text = " block_size_x=128";
#else
using policy = ndp::openmp::policy;
constexpr policy other_policy{.num_threads = 1};  // no team, which few elements are not given
const std::string other_text = " num_threads=1";
#endif

const std::vector<std::string> row_variants{"default", "independent>sequential" + other_text,
                                            "flattened"};
const std::vector<std::string> row_features{"rows",
                                            "average_row_length",
                                            "elements",
                                            "longest_row",
                                            "row_variation",
                                            "empty_rows",
                                            "work_in_longest_rows"
#ifndef __CUDACC__
                                            ,
                                            "busiest_share"
#endif
};

}  // namespace

// What fettle_config.hpp holds; one case is about the signature.
namespace ndp_test {
struct unchecked {
  template <typename E>
  static constexpr void check() {}
};
// In structs, because nvcc cannot name policies that are template arguments of an alias.
struct of_rows {
  using candidates = fettle::ndp::candidate_list<
      fettle::ndp::candidate<
          fettle::ndp::schedule::independent<fettle::ndp::schedule::sequential<>>, other_policy>,
      fettle::ndp::candidate<fettle::ndp::schedule::flattened<>, policy{}>>;
};
struct of_one_value {
  using candidates = fettle::ndp::candidate_list<
      fettle::ndp::candidate<fettle::ndp::schedule::sequential<>, policy{}>>;
};
struct of_elements {
  using candidates = fettle::ndp::candidate_list<
      fettle::ndp::candidate<fettle::ndp::schedule::independent<>, other_policy>>;
};
}  // namespace ndp_test

// clang-format off
template <> struct fettle::ndp::tuned_computation<"sums", tested_platform> {
  using tuning_policy = fettle::policy<"sums">;
  using candidates = of_rows::candidates;
  template <typename E> static constexpr void check() {
    static_assert(signature_v<E> == "map>reduce irregular double double", "stale");
  }
};
template <> struct fettle::ndp::tuned_computation<"skewed", tested_platform> : unchecked {
  using tuning_policy = fettle::policy<"skewed">;
  using candidates = of_rows::candidates;
};
template <> struct fettle::ndp::tuned_computation<"total", tested_platform> : unchecked {
  using tuning_policy = fettle::policy<"total">;
  using candidates = of_one_value::candidates;
};
template <> struct fettle::ndp::tuned_computation<"into", tested_platform> : unchecked {
  using tuning_policy = fettle::policy<"into">;
  using candidates = of_one_value::candidates;
};
template <> struct fettle::ndp::tuned_computation<"halved", tested_platform> : unchecked {
  using tuning_policy = fettle::policy<"halved">;
  using candidates = of_elements::candidates;
};
template <> struct fettle::ndp::tuned_computation<"placed", tested_platform> : unchecked {
  using tuning_policy = fettle::policy<"placed">;
  using candidates = of_elements::candidates;
};
template <> struct fettle::ndp::tuned_computation<"bumped", tested_platform> : unchecked {
  using tuning_policy = fettle::policy<"bumped">;
  using candidates = of_elements::candidates;
};
template <> struct fettle::ndp::tuned_computation<"no model", tested_platform> : unchecked {
  using tuning_policy = fettle::policy<"no model">;
  using candidates = of_one_value::candidates;
};
template <> struct fettle::ndp::tuned_computation<"no choice", tested_platform> : unchecked {
  using tuning_policy = fettle::policy<"no choice">;
  using candidates = fettle::ndp::candidate_list<>;
};
// clang-format on

namespace {

/// Models and trace in a folder of this program, which hears the warnings.
struct listening {
  test::scratch folder;
  std::string trace = folder / "trace.jsonl";
  std::vector<std::string> warnings;

  listening() {
    setenv("FETTLE_TRACE", trace.c_str(), 1);
    ndp::set_tuning_options(
        {.model_directory = folder.path(),
         .on_warning = [this](std::string_view text) { warnings.emplace_back(text); }});
  }
};
listening program;

/// The model chooses variant `low` where the first feature is at most `threshold`, else `high`.
void write_model(const std::string& function, const std::vector<std::string>& variants,
                 std::vector<std::string> features, double threshold, std::size_t low,
                 std::size_t high) {
  test::split_model model;
  model.function = function;
  model.variants.clear();
  for (const std::string& name : variants) model.variants.push_back(fettle::percent_encode(name));
  model.features = std::move(features);
  model.threshold = threshold;
  model.range_high = 1e6;
  model.below.assign(variants.size(), 1.0);
  model.above.assign(variants.size(), 1.0);
  model.below[low] = 0.0;
  model.above[high] = 0.0;
  test::write_model(program.folder.path(), model);
}

/// The last line of the trace says what ran; `lines` is how many there have to be since the last
/// look.
std::string last_choice(std::size_t lines = 1) {
  static std::size_t seen = 0;
  const std::vector<std::string> all = test::lines_of(program.trace);
  const std::size_t known = std::exchange(seen, all.size());
  REQUIRE(all.size() == known + lines);
  return lines == 0 ? "" : all.back();
}
bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
bool chose_by_default_rule(const std::string& line, const std::string& function) {
  return has(line, R"("function":")" + function + "." + std::string(tested_platform::name)) &&
         has(line, R"("reason":"default rule")");
}
bool chose(const std::string& line, const std::string& variant) {
  return has(line, R"("variant":")" + variant + R"(","reason":"model")");
}

struct row_sum {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};
struct halve {
  FETTLE_HOST_DEVICE double operator()(double x) const { return 0.5 * x; }
};
struct bump {
  ndp::sequence<double> out;
  FETTLE_HOST_DEVICE void operator()(index_t i) const { out[i] += 1.0; }
};

/// Rows of lengths 0, 1, 2, 3, 0, 1, ... of ones.
struct made_rows {
  std::vector<int> offsets{0};
  std::vector<double> sums;
  explicit made_rows(index_t count) {
    for (index_t i = 0; i < count; ++i) {
      offsets.push_back(offsets.back() + static_cast<int>(i % 4));
      sums.push_back(static_cast<double>(i % 4));
    }
  }
};

/// execute<Name> over the sums of `count` rows; their statistics may be stated.
template <fettle::fixed_string Name>
void check_sums(index_t count, const ndp::row_statistics& known = {}) {
  const made_rows made(count);
  const data<int> offsets(made.offsets);
  const data<double> values(std::vector<double>(static_cast<std::size_t>(made.offsets.back()), 1));
  data<double> sums = room_for<double>(count);
  ndp::execute<Name>(ndp::map(row_sum{}, ndp::nest(values.read(), offsets.read(), known)),
                     sums.write(), tested_platform{});
  REQUIRE(sums.values() == with_margin(made.sums));
}

}  // namespace

TEST_CASE("rows into a destination: each input gets the variant that the model says") {
  write_model("sums", row_variants, row_features, 1000.0, 1, 2);
  for (const index_t rows : {1, 5, 1000}) {
    check_sums<"sums">(rows);
    CHECK(chose(last_choice(), "independent>sequential" + other_text));
  }
  for (const index_t rows : {6000, 20000}) {
    check_sums<"sums">(rows);
    const std::string line = last_choice();
    CHECK(chose(line, "flattened"));
    CHECK(has(line, R"("features":{"rows":)" + std::to_string(rows) + "}"));
  }
}

TEST_CASE("row statistics are found where they are not stated") {
  std::vector<std::string> features = row_features;
  std::swap(features[0], features[3]);  // the model looks at longest_row
  write_model("skewed", row_variants, features, 10.0, 0, 2);
  check_sums<"skewed">(100);
  std::string line = last_choice();
  CHECK(chose(line, "default"));
  CHECK(has(line, R"("features":{"longest_row":3})"));
  check_sums<"skewed">(6000, {.longest = 31});  // what the program says, true or not
  line = last_choice();
  CHECK(chose(line, "flattened"));
  CHECK(has(line, R"("features":{"longest_row":31})"));
}

TEST_CASE("the value of a reduce, and a reduce into a variable or a sequence") {
  write_model("total", {"default", "sequential"}, {"length"}, 100.0, 0, 1);
  write_model("into", {"default", "sequential"}, {"length"}, 100.0, 0, 1);
  for (const index_t n : {0, 3, 100, 101, 5000}) {
    const data<double> x(std::vector<double>(static_cast<std::size_t>(n), 2.0));
    const auto sum = ndp::reduce(ndp::plus{}, x.read(), 1.0);
    const double expected = 1.0 + 2.0 * static_cast<double>(n);
    const std::string variant = n <= 100 ? "default" : "sequential";
    CHECK(ndp::execute<"total">(sum, tested_platform{}) == expected);
    CHECK(chose(last_choice(), variant));
    float narrow = 0;
    ndp::execute<"total">(sum, narrow, tested_platform{});
    CHECK(narrow == static_cast<float>(expected));
    CHECK(chose(last_choice(), variant));
    data<double> place = room_for<double>(1);
    ndp::execute<"into">(sum, place.write(), tested_platform{});
    CHECK(place.values() == with_margin<double>({expected}));
    CHECK(chose(last_choice(), variant));
    const std::string selected = "  tuned: " + variant + " (model)\n";
    CHECK(has(ndp::explain<"total">(sum, tested_platform{}), selected));
    CHECK(chose(last_choice(), variant));
    CHECK(has(ndp::explain<"into">(sum, place.write(), tested_platform{}), selected));
    CHECK(chose(last_choice(), variant));
    CHECK(!has(ndp::explain<"untuned">(sum, place.write(), tested_platform{}), "tuned: "));
  }
}

TEST_CASE("elements into a destination, which may be their own source") {
  write_model("halved", {"default", "independent" + other_text}, {"length"}, 100.0, 0, 1);
  for (const index_t n : {1, 100, 101, 3000}) {
    data<double> x(std::vector<double>(static_cast<std::size_t>(n), 2.0));
    ndp::execute<"halved">(ndp::map(halve{}, x.read()), x.write(), tested_platform{});
    CHECK(x.values() == std::vector<double>(static_cast<std::size_t>(n), 1.0));
    CHECK(chose(last_choice(), n <= 100 ? "default" : "independent" + other_text));
  }
}

TEST_CASE("a wrong size is refused before anything is chosen") {
  data<double> x(std::vector<double>(10, 2.0));
  data<double> y(std::vector<double>(9, 3.0));
  CHECK_THROWS_WITH(
      ndp::execute<"halved">(ndp::map(halve{}, x.read()), y.write(), tested_platform{}),
      "halved: the destination has 9 elements, the result has 10");
  CHECK(y.values() == std::vector<double>(9, 3.0));
  last_choice(0);
}

TEST_CASE("updates: a scatter and a map without a result") {
  write_model("placed", {"default", "independent" + other_text}, {"length"}, 100.0, 1, 0);
  write_model("bumped", {"default", "independent" + other_text}, {"length"}, 100.0, 1, 0);
  for (const index_t n : {2, 100, 101, 3000}) {
    const std::string variant = n <= 100 ? "independent" + other_text : "default";
    const auto size = static_cast<std::size_t>(n);
    std::vector<int> backwards(size);
    std::vector<double> numbers(size);
    for (std::size_t i = 0; i < size; ++i) {
      backwards[i] = static_cast<int>(size - 1 - i);
      numbers[i] = static_cast<double>(i);
    }
    const data<int> places(backwards);
    const data<double> x(numbers);
    data<double> y(std::vector<double>(size, -1.0));
    ndp::execute<"placed">(ndp::scatter(x.read(), places.read(), y.write()), tested_platform{});
    CHECK(chose(last_choice(), variant));
    ndp::execute<"bumped">(ndp::map(bump{y.write()}, ndp::range(index_t{0}, n)), tested_platform{});
    CHECK(chose(last_choice(), variant));
    std::vector<double> expected(numbers.rbegin(), numbers.rend());
    for (double& value : expected) value += 1.0;
    CHECK(y.values() == expected);
  }
}

TEST_CASE("without a model the default rule runs, and is said to") {
  const data<double> x(std::vector<double>(10, 2.0));
  CHECK(ndp::execute<"no model">(ndp::reduce(ndp::plus{}, x.read(), 1.0), tested_platform{}) == 21);
  CHECK(has(last_choice(), R"("variant":"default","reason":"no model")"));
  REQUIRE(program.warnings.size() == 1);
  CHECK(has(program.warnings[0], "no model: no model (looked for " + program.folder.path()));
}

TEST_CASE("where the default rule is all that is left nothing is chosen, and no model is missed") {
  const data<double> x(std::vector<double>(10, 2.0));
  const auto sum = ndp::reduce(ndp::plus{}, x.read(), 1.0);
  const std::size_t warnings = program.warnings.size();
  CHECK(ndp::execute<"no choice">(sum, tested_platform{}) == 21);
  double place = 0;
  ndp::execute<"no choice">(sum, place, tested_platform{});
  CHECK(place == 21);
  CHECK(chose_by_default_rule(last_choice(2), "no choice"));
  CHECK(program.warnings.size() == warnings);
}

TEST_CASE("computations that were not tuned, unnamed ones and those by hand choose nothing") {
  const data<double> x(std::vector<double>(10, 2.0));
  const auto sum = ndp::reduce(ndp::plus{}, x.read(), 1.0);
  CHECK(ndp::execute<"another">(sum, tested_platform{}) == 21);
  CHECK(chose_by_default_rule(last_choice(), "another"));
  CHECK(ndp::execute(sum, tested_platform{}) == 21);
  CHECK(chose_by_default_rule(last_choice(), "execute"));
  CHECK(ndp::execute<"total">(sum, tested_platform{}, schedule::sequential<>{}) == 21);
  last_choice(0);
}

TEST_CASE("one name for two types that read alike is one function with one model") {
  const data<double> x(std::vector<double>(200, 2.0));
  const data<double> y(std::vector<double>(200, 3.0));
  CHECK(ndp::execute<"total">(ndp::reduce(ndp::maximum{}, x.read(), 1.0), tested_platform{}) == 2);
  CHECK(chose(last_choice(), "sequential"));
  const auto halves = ndp::map(halve{}, y.read());
  CHECK(ndp::execute<"total">(ndp::reduce(ndp::plus{}, halves, 1.0), tested_platform{}) == 301);
  CHECK(chose(last_choice(), "sequential"));
}

TEST_CASE("options cannot be set once a tuned computation has been called") {
  const data<double> x(std::vector<double>(10, 2.0));
  CHECK(ndp::execute<"total">(ndp::reduce(ndp::plus{}, x.read(), 1.0), tested_platform{}) == 21);
  last_choice();
  CHECK_THROWS_WITH(ndp::set_tuning_options({}),
                    "set_tuning_options: a tuned computation was called before; set the options "
                    "first thing in the program");
}
