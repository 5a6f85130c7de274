// The driver: every computation of a list on every shape, each contender checked against the serial
// reference, then timed in turns.
//
//   PROGRAM [--only NAME]... [--shape NAME]... [--megabytes N] [--seconds S] [--check]
//   PROGRAM SHAPE MEGABYTES  (once.hpp)
//
// --megabytes: of inputs and output of a case (64). --seconds: for a case (0.2). --check: small
// inputs, and nothing is timed.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "../../common/ndp/comparison.hpp"
#include "computation.hpp"
#include "inputs.hpp"
#include "once.hpp"
#include "report.hpp"

namespace suite {

struct options {
  std::vector<std::string> only;
  std::vector<std::string> shapes;
  double megabytes = 64;
  double seconds = 0.2;
  bool check = false;
};

[[nodiscard]] inline options parse_options(int count, char** arguments) {
  options all;
  for (int i = 1; i < count; ++i) {
    const std::string_view name = arguments[i];
    const char* value = i + 1 < count ? arguments[i + 1] : nullptr;
    if (name == "--check") {
      all.check = true;
      all.megabytes = 0.25;
    } else if (value != nullptr && name == "--only") {
      all.only.emplace_back(arguments[++i]);
    } else if (value != nullptr && name == "--shape") {
      all.shapes.emplace_back(arguments[++i]);
    } else if (value != nullptr && name == "--megabytes") {
      all.megabytes = std::atof(arguments[++i]);
    } else if (value != nullptr && name == "--seconds") {
      all.seconds = std::atof(arguments[++i]);
    } else {
      std::fprintf(stderr,
                   "usage: %s [--only NAME]... [--shape NAME]... [--megabytes N] [--seconds S] "
                   "[--check]\n",
                   arguments[0]);
      std::exit(2);
    }
  }
  return all;
}

[[nodiscard]] inline bool wants(const std::vector<std::string>& only, std::string_view name) {
  return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
}

template <typename T>
[[nodiscard]] double bytes_of(const std::vector<T>& all) {
  return static_cast<double>(all.size() * sizeof(T));
}
template <typename T>
  requires std::is_arithmetic_v<T>
[[nodiscard]] double bytes_of(T) {
  return sizeof(T);
}

template <typename Processor>
class driver {
 public:
  explicit driver(options asked) : asked_(std::move(asked)) {
    effort_.seconds = asked_.seconds;
    effort_.most_rounds = 21;
    if (!asked_.check) findings_.copy_bandwidth = copy_bandwidth(processor_, watch_);
  }

  template <typename... Computations>
  [[nodiscard]] int run(computations<Computations...>) {
    (add<Computations>(), ...);
    findings_.sum_up();
    return findings_.failures() > 0 ? 1 : 0;
  }

 private:
  template <typename Computation>
  void add() {
    if (!wants(asked_.only, Computation::name)) return;
    for (const std::string& name : shapes_of(Computation::shapes)) {
      if (wants(asked_.shapes, name)) add<Computation>({name, 1e6 * asked_.megabytes});
    }
  }

  template <typename Computation>
  void add(const shape& like) {
    using output = typename Computation::output;
    auto problem = Computation::make(like);
    const auto expected = expected_output<Computation>(problem);
    double bytes = bytes_of(expected);
    std::int64_t elements = problem.outputs;
    std::apply(
        [&](const auto&... all) {
          ((bytes += bytes_of(all)), ...);
          ((elements = std::max<std::int64_t>(elements, count_of(all))), ...);
        },
        problem.inputs);
    const auto inputs = upload_inputs<Processor>(problem);
    typename Processor::template array<output> found(expected.size());
    const view<output> destination(found.data(), problem.outputs);
    processor_.steps = problem.steps;
    processor_.forget_scratch();

    fb::comparison c{
        {Computation::name, like.name, Computation::types, problem.steps, elements, bytes},
        {},
        [&] { processor_.poison(found); },
        [&] { return is_right<Computation>(processor_.download(found), expected); }};
    std::vector<std::string> roles;
    const auto contend = [&](const char* name, const char* role, auto run) {
      roles.emplace_back(role);
      const std::string pool = std::string_view(name).starts_with("tbb") ? "oneTBB" : "";
      c.contenders.push_back(
          {name, fb::kind::peer,
           [&, run] {
             std::apply(
                 [&](const auto&... all) { run(processor_, input_view(all)..., destination); },
                 inputs);
           },
           pool});
    };
    if constexpr (expressed_in_fettle<Computation>) {
      contend("fettle", "fettle", [](const Processor& on, auto... views) {
        fettle_expression<Computation>::run(on, views...);
      });
    }
    add_others<Computation>(processor_, contend);
    if constexpr (has_library<Computation>) {
      contend(Computation::library_name, "library",
              [](const Processor& on, auto... views) { Computation::library(on, views...); });
    }
    findings_.add(asked_.check ? check(c) : fb::compare(watch_, c, effort_), roles);
  }

  [[nodiscard]] static fb::finished check(const fb::comparison& c) {
    fb::finished result{c.on, {}};
    for (const fb::contender& one : c.contenders) {
      result.outcomes.push_back(fb::detail::first_run(c, one));
    }
    return result;
  }

  template <typename T>
  [[nodiscard]] static std::int64_t count_of(const T& input) {
    if constexpr (std::is_arithmetic_v<T>) {
      return 1;
    } else {
      return static_cast<std::int64_t>(input.size());
    }
  }
  options asked_;
  Processor processor_{};
  typename Processor::stopwatch watch_{processor_.make_stopwatch()};
  fb::effort effort_{};
  report findings_{};
};

/// The body of main().
template <typename Processor, typename List>
[[nodiscard]] int run_program(int count, char** arguments, List all) {
  try {
    const bool once = count == 3 && arguments[1][0] != '-';
    if (once) return execute_once<Processor>(arguments, all);
    return driver<Processor>(parse_options(count, arguments)).run(all);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", arguments[0], error.what());
    return 1;
  }
}

}  // namespace suite
