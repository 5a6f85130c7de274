// What the calls of an online search have said of its points, and which of them to run again: the
// best of many points that ran once is one that was lucky.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/statistics.hpp>
#include <fettle/variant/parameters/parameter_space.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Costs of points, a sample a run; smaller is better, and they may be negative. Not thread-safe.
class point_race {
 public:
  bool knows(const parameter_values& point) const { return points_.contains(point); }
  /// How many points have been begun.
  std::size_t size() const noexcept { return points_.size(); }

  /// A point begins to run.
  void begin(const parameter_values& point) { ++points_[point].running; }

  /// Takes back a point that no longer runs.
  void forget(const parameter_values& point) { points_.erase(point); }

  /// What a run cost; infinite where it failed.
  void tell(const parameter_values& point, double cost) {
    entry& told = points_[point];
    --told.running;
    told.costs.push_back(cost);
    told.middle = median(told.costs);
  }

  /// The point with the smallest median, of those that ran more than once, where there are any that
  /// worked; nothing where none worked.
  std::optional<parameter_values> best() const {
    const contenders sorted = ranked();
    for (const contender& one : sorted) {
      if (one->second.costs.size() > 1) return one->first;
    }
    if (sorted.empty()) return std::nullopt;
    return sorted.front()->first;
  }
  double cost_of(const parameter_values& point) const { return points_.at(point).middle; }

  /// The point to run next, with `runs` left: of those that may be the best the one that ran least.
  /// The fewer runs are left, the fewer points are in it. Nothing where all are told apart.
  std::optional<parameter_values> next(std::size_t runs) const {
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

 private:
  struct entry {
    std::vector<double> costs;
    std::size_t running = 0;
    double middle = std::numeric_limits<double>::infinity();

    std::size_t runs() const { return costs.size() + running; }
  };
  using table = std::map<parameter_values, entry>;
  using contender = table::const_iterator;
  using contenders = std::vector<contender>;

  static constexpr std::size_t runs_a_point = 3;
  static constexpr std::size_t fewest_in_field = 2;
  static constexpr std::size_t fewest_pairs = 3;     // of which noise is known
  static constexpr double indifference = 0.01;       // of the best's cost
  static constexpr double sure = 2.0;                // standard errors between two that differ
  static constexpr double median_error = 1.2533;     // times that of a mean, of normal samples
  static constexpr double median_distance = 0.9539;  // of two normal samples, in deviations

  /// The points that worked, the best first.
  contenders ranked() const {
    contenders found;
    for (contender one = points_.begin(); one != points_.end(); ++one) {
      if (is_finite(one->second.middle)) found.push_back(one);
    }
    std::stable_sort(found.begin(), found.end(), [](const contender& one, const contender& other) {
      return one->second.middle < other->second.middle;
    });
    return found;
  }

  /// The standard deviation of a run; nothing where too few points ran twice.
  static std::optional<double> noise_of(const contenders& of) {
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

  /// Whether more runs would change nothing: the other is behind, or both are well known and equal.
  static bool is_settled(const table::value_type& best, const table::value_type& other,
                         double noise) {
    const double gap = other.second.middle - best.second.middle;
    const double error = median_error * noise *
                         std::sqrt(1.0 / static_cast<double>(best.second.costs.size()) +
                                   1.0 / static_cast<double>(other.second.costs.size()));
    const double slight = indifference * std::fabs(best.second.middle);
    return gap > sure * error || (gap <= slight && sure * error <= slight);
  }

  table points_;
};

}  // namespace fettle::detail
