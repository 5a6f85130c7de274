// Definitions of evaluated_features.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/race.hpp>
#include <fettle/measure/timer.hpp>
#include <fettle/variant/training/evaluated_features.hpp>
#include <fettle/variant/training/trainee.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE bool evaluated_features::complete() const {
  return std::all_of(problems.begin(), problems.end(),
                     [](const std::string& problem) { return problem.empty(); });
}

[[gnu::cold]] FETTLE_INLINE evaluated_features evaluate_features(const trainee& function) {
  constexpr double sample_s = 20e-6;  // a thousand times the clock's resolution
  evaluated_features made;
  for (std::size_t i = 0; i < function.features.size(); ++i) {
    double value = 0.0;
    std::string problem;
    std::vector<double> times;
    try {
      const timer once;
      value = function.evaluate(i);
      // Many evaluations a reading of the clock, which costs more than most features.
      const auto repeat = static_cast<std::size_t>(
          std::clamp(sample_s / std::max(once.seconds(), 1e-9), 1.0, 1000.0));
      for (int round = 0; round < 3; ++round) {
        const timer clock;
        for (std::size_t k = 0; k < repeat; ++k) value = function.evaluate(i);
        times.push_back(clock.seconds() * 1e9 / static_cast<double>(repeat));
      }
    } catch (const std::exception& thrown) {
      problem = std::string("threw: ") + thrown.what();
    } catch (...) {
      problem = "threw an exception of a type not derived from std::exception";
    }
    const bool known = problem.empty();
    made.values.push_back(known ? value : std::numeric_limits<double>::quiet_NaN());
    made.nanoseconds.push_back(known ? median(times) : 0.0);
    made.problems.push_back(std::move(problem));
  }
  return made;
}

}  // namespace fettle::detail
