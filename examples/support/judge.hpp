// Measures every variant of an example and the tuned function on one input.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <fettle/core/json_writer.hpp>
#include <fettle/measure/statistics.hpp>
#include <fettle/measure/timer.hpp>

#include "tuned_example.hpp"

namespace examples {

inline constexpr double no_result = std::numeric_limits<double>::infinity();

/// Seconds of one call: those that it returns where the example says that its metric is a time,
/// those that seconds_from makes of its metric, or those that pass. no_result where an infinite
/// time or a rate of 0 is returned.
template <class Example, class Result, class... Args, class... Given>
double seconds_of(Result (*run)(Args...), Given&... given) {
  const fettle::timer clock;
  if constexpr (std::is_void_v<Result>) {
    run(given...);
    return clock.seconds();
  } else {
    const Result metric = run(given...);
    const double seconds = clock.seconds();
    if (std::isinf(metric) || metric == 0) return no_result;
    if constexpr (requires { Example::returns_seconds; }) return metric;
    if constexpr (requires { Example::seconds_from(metric, given...); })
      return Example::seconds_from(metric, given...);
    return seconds;
  }
}

/// What every variant of an example takes on one input.
struct variant_seconds {
  std::vector<double> seconds;  ///< of one call of each variant; no_result where it has none
  std::vector<bool> excluded;   ///< whether its constraint excludes the variant
  std::vector<bool> failed;     ///< whether it was left out, or wrong; empty: none was
  std::vector<bool> late;       ///< whether it had no result because it gave up; empty: none did
  std::vector<double> lost;     ///< seconds of a run that had no result; 0 where there was none
};

/// What `measure` tells and asks.
struct measuring {
  double budget;                                      ///< seconds for all variants
  std::vector<std::string> without;                   ///< variants that are not run
  void (*starts)(const std::string& what) = nullptr;  ///< called before a variant's first run
};

struct judgement : variant_seconds {
  fettle::selection chosen;
  double selection_seconds = 0;  ///< the model's features and the choice
  double tuned_seconds = 0;      ///< of the tuned call: of the chosen variant, or of its successors
};

/// Measures for about `how.budget` seconds, at least nine rounds: variants take turns, in another
/// order each round, so that a disturbance hits all of them, and the median counts. A variant that
/// takes more than five times as long as the best, after two rounds or half of the budget, is left
/// at that; its first run, which is not counted otherwise, may then be all that is known. One whose
/// result is not the default's counts as failed, which is said on stderr.
template <tuned_example Example, class Arguments>
variant_seconds measure(Arguments& arguments, const Arguments& pristine, const measuring& how) {
  constexpr std::size_t count = std::size(Example::variants);
  std::vector<std::vector<double>> samples(count);
  std::vector<double> first_runs(count, no_result);
  std::vector<bool> runs(count, true);
  variant_seconds result;
  result.failed.assign(count, false);
  result.lost.assign(count, 0.0);
  result.late.assign(count, false);
  const auto medians = [&] {
    result.seconds = first_runs;
    for (std::size_t k = 0; k < count; ++k)
      if (!samples[k].empty()) result.seconds[k] = fettle::median(samples[k]);
    return *std::min_element(result.seconds.begin(), result.seconds.end());
  };
  for (std::size_t k = 0; k < count; ++k)
    if (const auto applies = Example::variants[k].applies; applies != nullptr)
      runs[k] = std::apply(applies, arguments);
  for (const bool one : runs) result.excluded.push_back(!one);
  for (std::size_t k = 0; k < count; ++k)
    if (runs[k] && std::find(how.without.begin(), how.without.end(), Example::variants[k].name) !=
                       how.without.end()) {
      result.failed[k] = true;
      runs[k] = false;
    }
  using captured = decltype(std::apply(Example::capture, arguments));
  std::optional<captured> expected;
  const auto is_right = [&](std::size_t k, double seconds) {
    if (seconds == no_result) return true;
    captured found = std::apply(Example::capture, arguments);
    if (k == 0) expected = std::move(found);
    return k == 0 || !expected || Example::agree(*expected, found);
  };

  const fettle::timer clock;
  for (int round = -1; round < 9 || (round < 400 && clock.seconds() < how.budget); ++round) {
    for (std::size_t n = 0; n < count; ++n) {
      // Each round has another order: threads of a parallel variant may still spin when the next
      // runs.
      const std::size_t stride = round % 2 == 0 ? 1 : count - 1;
      const std::size_t k = (n * stride + static_cast<std::size_t>(round + 1) / 2) % count;
      if (!runs[k]) continue;
      if (round < 0 && how.starts != nullptr) how.starts(std::string(Example::variants[k].name));
      if constexpr (Example::changes_input) arguments = pristine;
      const fettle::timer run;
      const double seconds = std::apply(
          [&](auto&... given) { return seconds_of<Example>(Example::variants[k].run, given...); },
          arguments);
      if (seconds == no_result) {
        runs[k] = false;
        result.lost[k] = run.seconds();
        if constexpr (requires { Example::gave_up; })
          result.late[k] = std::apply(Example::gave_up, arguments);
      }
      if (round < 0 && !is_right(k, seconds)) {
        std::fprintf(stderr, "%s: the result of %s is not the default's\n", Example::name,
                     std::string(Example::variants[k].name).c_str());
        result.failed[k] = true;
        runs[k] = false;
        continue;
      }
      if (round < 0) {
        first_runs[k] = seconds;
      } else {
        samples[k].push_back(seconds);
      }
    }
    if (round == 1 || (round < 1 && clock.seconds() > how.budget / 2)) {
      const double best = medians();
      for (std::size_t k = 0; k < count; ++k)
        if (result.seconds[k] > 5 * best) runs[k] = false;
    }
    if (clock.seconds() > 4 * how.budget) break;
  }
  medians();
  return result;
}

/// Measures the variants as `measure` does, and what the tuned function chooses.
template <tuned_example Example, class Function, class Arguments>
judgement judge(Function& function, Arguments& arguments, double budget) {
  const Arguments pristine = arguments;
  judgement result;
  static_cast<variant_seconds&>(result) =
      measure<Example>(arguments, pristine, {.budget = budget, .without = {}});
  const auto restore = [&] {
    if constexpr (Example::changes_input) arguments = pristine;
  };
  restore();
  std::vector<double> selections;
  const auto select = [&](auto&... given) { return function.select(given...); };
  result.chosen = std::apply(select, arguments);
  for (int n = 0; n < 15; ++n) {
    const fettle::timer selecting;
    std::apply(select, arguments);
    selections.push_back(selecting.seconds());
  }
  result.selection_seconds = fettle::median(selections);
  result.tuned_seconds = result.seconds[result.chosen.index];
  using returned = decltype(std::apply(function, arguments));
  if constexpr (!std::is_void_v<returned>) {
    if (result.tuned_seconds == no_result) {  // the next best variants follow within the call
      restore();
      const fettle::timer whole;
      const returned metric = std::apply(function, arguments);
      const double best = *std::min_element(result.seconds.begin(), result.seconds.end());
      if (!std::isinf(metric) && metric != 0)
        result.tuned_seconds = std::max(whole.seconds(), best);
    }
  }
  return result;
}

/// The field "seconds": a variant without a result has "inf", or "late" where it gave up, one that
/// a constraint excludes "excluded", and one that failed "failed".
template <class Variants>
void add_seconds(fettle::json_writer& writer, const variant_seconds& result,
                 const Variants& variants) {
  writer.key("seconds").begin_object();
  for (std::size_t k = 0; k < result.seconds.size(); ++k) {
    writer.key(variants[k].name);
    if (result.excluded[k]) {
      writer.value("excluded");
    } else if (k < result.failed.size() && result.failed[k]) {
      writer.value("failed");
    } else if (k < result.late.size() && result.late[k]) {
      writer.value("late");
    } else {
      writer.value(result.seconds[k]);
    }
  }
  writer.end_object();
}

/// One line of JSON.
template <class Variants>
std::string json_line(const std::string& input, const judgement& result, const Variants& variants,
                      double calls) {
  std::string text;
  fettle::json_writer writer(text);
  writer.begin_object().field("input", input);
  add_seconds(writer, result, variants);
  writer.field("chosen", result.chosen.variant);
  writer.field("reason", to_text(result.chosen.reason));
  writer.field("selection_seconds", result.selection_seconds);
  writer.field("tuned_seconds", result.tuned_seconds);
  writer.field("calls", calls);
  writer.end_object();
  return text;
}

}  // namespace examples
