// What the calls of an online search have said of its points, and which of them to run again: the
// best of many points that ran once is one that was lucky.
#pragma once

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
  void tell(const parameter_values& point, double cost);

  /// The point with the smallest median, of those that ran more than once, where there are any that
  /// worked; nothing where none worked.
  std::optional<parameter_values> best() const;
  double cost_of(const parameter_values& point) const { return points_.at(point).middle; }

  /// The point to run next, with `runs` left: of those that may be the best the one that ran least.
  /// The fewer runs are left, the fewer points are in it. Nothing where the order of all is
  /// certain.
  std::optional<parameter_values> next(std::size_t runs) const;

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
  contenders ranked() const;

  /// The standard deviation of a run; nothing where too few points ran twice.
  static std::optional<double> noise_of(const contenders& of);

  /// Whether more runs would change nothing: the other is behind, or both are well known and equal.
  static bool is_settled(const table::value_type& best, const table::value_type& other,
                         double noise);

  table points_;
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/online/online_race.ipp>
#endif
