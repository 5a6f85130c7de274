// Parameters searched by the running program itself (dissertation 7.2.1, "online parameter
// search"): what a user may ask for, and the strategies. Each call of the function runs one point,
// so no call runs twice; the best point of each input is kept, in a file if you like.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/number.hpp>
#include <fettle/variant/online/online_race.hpp>
#include <fettle/variant/parameters/parameter_space.hpp>

namespace fettle::inline FETTLE_ABI {

enum class online_strategy {
  greedy,  ///< from the defaults to the best neighbour, again and again; then from random points
  random,  ///< points drawn at random
};

/// For code_variant::search_online().
struct online_search {
  std::size_t measurements = 50;  ///< calls that try something out, at most, for each kind of input
  online_strategy strategy = online_strategy::greedy;
  std::string cache{};     ///< a file that keeps the best points; empty: they are lost at the end
  std::uint64_t seed = 0;  ///< of everything random
};

namespace detail {

/// Random numbers below a limit (splitmix64): <random> alone costs a tenth of a second to compile.
class dice {
 public:
  explicit dice(std::uint64_t seed) noexcept : state_(seed) {}

  std::size_t operator()(std::size_t limit) noexcept;

 private:
  std::uint64_t state_;
};

/// A search in one space: ask() for a point, tell() its cost. Two thirds of the measurements try
/// new points, the others run those again that may be the best. Points that run at the same time in
/// several threads are proposed before the costs of earlier ones are known. Not thread-safe.
class point_search {
 public:
  /// `space` must outlive this.
  point_search(const parameter_space& space, const online_search& options);

  /// The next point to try; nothing where the search is over, or waits for points that run now.
  std::optional<parameter_values> ask();

  /// What a point cost; infinite where it failed.
  void tell(const parameter_values& point, double cost);

  /// Ends the search with a point that an earlier one has found.
  void adopt(const parameter_values& point, double cost);

  bool is_over() const noexcept {
    return measured_ + running_ >= options_.measurements || is_exhausted_;
  }
  bool is_finished() const noexcept { return is_over() && running_ == 0; }
  /// The best point so far; the defaults before any cost is known.
  parameter_values best() const;
  double best_cost() const;

 private:
  /// Whether this is the first call of all, by which the defaults would seem slow: it meets memory
  /// that was never touched, and they run again. Where there are few measurements it has to do.
  bool is_cold(const parameter_values& point, double cost) const;

  /// Whether the measurements still try new points.
  bool explores() const noexcept {
    return !is_used_up_ && race_.size() < options_.measurements - options_.measurements / 3;
  }

  /// A new point; nothing where there is none, or it depends on points that run now.
  std::optional<parameter_values> explore();

  /// Puts new points into the queue; false where there are none.
  bool refill();

  /// Points in which one parameter has its next smaller or larger value, and none was asked for.
  void push_neighbours(const parameter_values& from);

  /// A random valid point that was not asked for; nothing where a thousand tries find none.
  std::optional<parameter_values> draw();

  static constexpr std::size_t enough_for_two = 10;

  const parameter_space& space_;
  online_search options_;
  dice random_;
  std::vector<parameter_values> queue_;
  point_race race_;
  std::size_t running_ = 0;
  std::size_t measured_ = 0;
  bool is_used_up_ = false;    // there are no new points
  bool is_exhausted_ = false;  // nothing is left to find out
  std::optional<parameter_values> adopted_;
  double adopted_cost_ = std::numeric_limits<double>::infinity();
  std::optional<parameter_values> descent_;  // where the present descent is
  double descent_cost_ = std::numeric_limits<double>::infinity();
  bool is_stuck_ = false;  // all its neighbours were asked for
};

}  // namespace detail

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/variant/online/online_search.ipp>
#endif
