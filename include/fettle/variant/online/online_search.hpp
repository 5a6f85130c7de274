// Parameters searched by the running program itself (dissertation 7.2.1, "online parameter
// search"): what a user may ask for, and the strategies. Each call of the function runs one point,
// so no call runs twice; the best point of each input is kept, in a file if you like.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
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

  std::size_t operator()(std::size_t limit) noexcept {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return static_cast<std::size_t>((z ^ (z >> 31U)) % limit);
  }

 private:
  std::uint64_t state_;
};

/// A search in one space: ask() for a point, tell() its cost. Two thirds of the measurements try
/// new points, the others run those again that may be the best. Points that run at the same time in
/// several threads are asked for before the earlier ones are told. Not thread-safe.
class point_search {
 public:
  /// `space` must outlive this.
  point_search(const parameter_space& space, const online_search& options)
      : space_(space), options_(options), random_(options.seed) {
    queue_.push_back(space.defaults());
  }

  /// The next point to try; nothing where the search is over, or waits for points that run now.
  std::optional<parameter_values> ask() {
    if (is_over()) return std::nullopt;
    std::optional<parameter_values> point = explores() ? explore() : std::nullopt;
    if (!point && !explores()) {
      point = race_.next(options_.measurements - told_ - running_);
      if (!point && running_ == 0) is_exhausted_ = true;
    }
    if (!point) return std::nullopt;
    race_.begin(*point);
    ++running_;
    return point;
  }

  /// What a point cost; infinite where it failed.
  void tell(const parameter_values& point, double cost) {
    --running_;
    ++told_;
    if (is_cold(point, cost)) {
      race_.forget(point);
      queue_.push_back(point);
      return;
    }
    race_.tell(point, cost);
    if (explores() && cost < descent_cost_) {
      descent_cost_ = cost;
      descent_ = point;
      is_stuck_ = false;
      if (options_.strategy == online_strategy::greedy) queue_.clear();
    }
  }

  /// Ends the search with a point that an earlier one has found.
  void adopt(const parameter_values& point, double cost) {
    adopted_ = point;
    adopted_cost_ = cost;
    is_exhausted_ = true;
  }

  bool is_over() const noexcept {
    return told_ + running_ >= options_.measurements || is_exhausted_;
  }
  bool is_finished() const noexcept { return is_over() && running_ == 0; }
  /// The best point so far; the defaults before anything was told.
  parameter_values best() const {
    if (adopted_) return *adopted_;
    return race_.best().value_or(space_.defaults());
  }
  double best_cost() const {
    if (adopted_) return adopted_cost_;
    const std::optional<parameter_values> known = race_.best();
    return known ? race_.cost_of(*known) : std::numeric_limits<double>::infinity();
  }

 private:
  /// Whether this is the first call of all, by which the defaults would seem slow: it meets memory
  /// that was never touched, and they run again. Where there are few measurements it has to do.
  bool is_cold(const parameter_values& point, double cost) const {
    return told_ == 1 && options_.measurements >= enough_for_two && is_finite(cost) &&
           point == space_.defaults();
  }

  /// Whether the measurements still try new points.
  bool explores() const noexcept {
    return !is_used_up_ && race_.size() < options_.measurements - options_.measurements / 3;
  }

  /// A new point; nothing where there is none, or it depends on points that run now.
  std::optional<parameter_values> explore() {
    while (true) {
      while (!queue_.empty()) {
        parameter_values point = std::move(queue_.back());
        queue_.pop_back();
        if (!race_.knows(point)) return point;
      }
      if (running_ > 0 && options_.strategy == online_strategy::greedy) return std::nullopt;
      if (!refill()) {
        is_used_up_ = true;
        return std::nullopt;
      }
    }
  }

  /// Puts new points into the queue; false where there are none.
  bool refill() {
    if (options_.strategy == online_strategy::greedy && descent_ && !is_stuck_) {
      is_stuck_ = true;  // unless one of these is better
      push_neighbours(*descent_);
      if (!queue_.empty()) return true;
    }
    descent_.reset();
    descent_cost_ = std::numeric_limits<double>::infinity();
    is_stuck_ = false;
    if (std::optional<parameter_values> drawn = draw()) {
      queue_.push_back(*std::move(drawn));
      return true;
    }
    return false;
  }

  /// Points in which one parameter has its next smaller or larger value, and none was asked for.
  void push_neighbours(const parameter_values& from) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      std::optional<std::int64_t> below;
      std::optional<std::int64_t> above;
      for (const std::int64_t value : space_.all()[i].values) {
        if (value < from[i] && (!below || value > *below)) below = value;
        if (value > from[i] && (!above || value < *above)) above = value;
      }
      for (const std::optional<std::int64_t>& value : {below, above}) {
        if (!value) continue;
        parameter_values near = from;
        near[i] = *value;
        if (!race_.knows(near) && space_.violated(near) == nullptr) queue_.push_back(near);
      }
    }
    for (std::size_t i = queue_.size(); i > 1; --i) std::swap(queue_[i - 1], queue_[random_(i)]);
  }

  /// A random valid point that was not asked for; nothing where a thousand tries find none.
  std::optional<parameter_values> draw() {
    for (int attempt = 0; attempt < 1000; ++attempt) {
      parameter_values point;
      for (const parameter& one : space_.all()) {
        point.push_back(one.values[random_(one.values.size())]);
      }
      if (!race_.knows(point) && space_.violated(point) == nullptr) return point;
    }
    return std::nullopt;
  }

  static constexpr std::size_t enough_for_two = 10;

  const parameter_space& space_;
  online_search options_;
  dice random_;
  std::vector<parameter_values> queue_;
  point_race race_;
  std::size_t running_ = 0;
  std::size_t told_ = 0;
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
