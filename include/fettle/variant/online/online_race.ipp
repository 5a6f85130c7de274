// Definitions of online_race.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/statistics.hpp>
#include <fettle/variant/online/online_race.hpp>
#include <fettle/variant/parameters/parameter_space.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE void point_race::tell(const parameter_values& point, double cost) {
  entry& measured = points_[point];
  --measured.running;
  measured.costs.push_back(cost);
  measured.middle = median(measured.costs);
}

[[gnu::cold]] FETTLE_INLINE std::optional<parameter_values> point_race::best() const {
  const contenders sorted = ranked();
  for (const contender& one : sorted) {
    if (one->second.costs.size() > 1) return one->first;
  }
  if (sorted.empty()) return std::nullopt;
  return sorted.front()->first;
}

[[gnu::cold]] FETTLE_INLINE std::optional<parameter_values> point_race::next(
    std::size_t runs) const {
  contenders open = ranked();
  if (open.size() < 2) return std::nullopt;
  const std::optional<double> noise = noise_of(open);
  if (noise) {
    const contender first = open.front();
    const auto is_behind = [&](const contender& one) {
      return one != first && is_settled(*first, *one, *noise);
    };
    open.erase(std::remove_if(open.begin(), open.end(), is_behind), open.end());
    if (open.size() < 2) return std::nullopt;
  }
  const std::size_t field = std::clamp(runs / runs_a_point, fewest_in_field, open.size());
  return (*std::min_element(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(field),
                            [](const contender& one, const contender& other) {
                              return one->second.runs() < other->second.runs();
                            }))
      ->first;
}

[[gnu::cold]] FETTLE_INLINE point_race::contenders point_race::ranked() const {
  contenders found;
  for (contender one = points_.begin(); one != points_.end(); ++one) {
    if (is_finite(one->second.middle)) found.push_back(one);
  }
  std::stable_sort(found.begin(), found.end(), [](const contender& one, const contender& other) {
    return one->second.middle < other->second.middle;
  });
  return found;
}

[[gnu::cold]] FETTLE_INLINE std::optional<double> point_race::noise_of(const contenders& of) {
  std::vector<double> distances;
  for (const contender& one : of) {
    const std::vector<double>& costs = one->second.costs;
    for (std::size_t i = 1; i < costs.size(); ++i) {
      if (is_finite(costs[i - 1]) && is_finite(costs[i])) {
        distances.push_back(std::fabs(costs[i] - costs[i - 1]));
      }
    }
  }
  if (distances.size() < std::min(fewest_pairs, of.size())) return std::nullopt;
  return median(distances) / median_distance;
}

[[gnu::cold]] FETTLE_INLINE bool point_race::is_settled(const table::value_type& best,
                                                        const table::value_type& other,
                                                        double noise) {
  const double gap = other.second.middle - best.second.middle;
  const double error = median_error * noise *
                       std::sqrt(1.0 / static_cast<double>(best.second.costs.size()) +
                                 1.0 / static_cast<double>(other.second.costs.size()));
  const double slight = indifference * std::fabs(best.second.middle);
  return gap > sure * error || (gap <= slight && sure * error <= slight);
}

}  // namespace fettle::detail
