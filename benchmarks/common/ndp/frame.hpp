// frame: what a benchmark program of untuned computations is on any platform: its inputs where they
// are computed with, its works one after another, its report, its last lines.
#pragma once

#include <algorithm>
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/ndp/sequence/contiguous.hpp>

#include "comparison.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "report.hpp"

namespace fettle_benchmarks {

/// What tables and records call the type of the elements.
template <typename T>
[[nodiscard]] constexpr const char* type_name() {
  static_assert(std::is_same_v<T, double> || std::is_same_v<T, float>);
  return std::is_same_v<T, double> ? "double" : "float";
}

/// The state of a program. Array<T> is memory that its computations may use, made from a
/// std::vector<T>; Stopwatch is as of compare().
template <typename Stopwatch, template <typename> typename Array>
struct frame {
  options asked;
  effort allowed;
  Stopwatch watch;
  report findings{};
  // The values of all inputs, and the vector of all matrices.
  std::tuple<Array<double>, Array<float>> values{};
  std::tuple<Array<double>, Array<float>> vector{};

  void make_inputs() {
    const std::int64_t count = std::min<std::int64_t>(asked.largest, most_elements / 2) * 2;
    values = both_types(static_cast<std::size_t>(count), values_seed);
    vector = both_types(most_columns, vector_seed);
  }

  template <typename T>
  [[nodiscard]] fettle::ndp::sequence<const T> first_values(std::int64_t count) const {
    return {std::get<Array<T>>(values).data(), count};
  }
  template <typename T>
  [[nodiscard]] fettle::ndp::sequence<const T> first_of_vector(std::int64_t count) const {
    return {std::get<Array<T>>(vector).data(), count};
  }

  void compare(const comparison& c) { findings.add(fettle_benchmarks::compare(watch, c, allowed)); }

 private:
  static std::tuple<Array<double>, Array<float>> both_types(std::size_t count, std::uint64_t seed) {
    return {Array<double>(small_integers<double>(count, seed)),
            Array<float>(small_integers<float>(count, seed))};
  }
};

/// A work by the name that --only knows, and what adds its comparisons.
template <typename Bench>
using work = std::pair<const char*, void (*)(Bench&)>;

/// Runs the works that are asked for, then `sum_up(bench)`. Throws std::runtime_error where an
/// output of Fettle's was wrong or missing.
template <typename Bench, typename SumUp>
void run_works(Bench& bench, std::initializer_list<work<Bench>> works, SumUp sum_up) {
  for (const auto& [name, add] : works) {
    if (bench.asked.wants(name)) add(bench);
  }
  sum_up(bench);
  if (bench.asked.time_is_up()) {
    std::printf("the limit of %.0f s left inputs out\n", bench.asked.limit);
  }
  std::printf("%.1f s in all\n", bench.asked.since_start.seconds());
  if (bench.findings.failures() > 0) {
    throw std::runtime_error(std::to_string(bench.findings.failures()) +
                             " outputs of Fettle's were wrong or missing, see FAILED above");
  }
}

/// The body of main(): the status, 1 with a sentence where something failed.
template <typename Run>
[[nodiscard]] int run_program(const char* program, int count, char** arguments, Run run) {
  try {
    run(parse_options(count, arguments, FETTLE_MATRIX_CACHE));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program, error.what());
    return 1;
  }
}

}  // namespace fettle_benchmarks
