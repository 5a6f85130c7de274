// Definitions of online_search.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/number.hpp>
#include <fettle/variant/online/online_race.hpp>
#include <fettle/variant/online/online_search.hpp>
#include <fettle/variant/parameters/parameter_space.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE std::size_t dice::operator()(std::size_t limit) noexcept {
  state_ += 0x9E3779B97F4A7C15U;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return static_cast<std::size_t>((z ^ (z >> 31U)) % limit);
}

[[gnu::cold]] FETTLE_INLINE point_search::point_search(const parameter_space& space,
                                                       const online_search& options)
    : space_(space), options_(options), random_(options.seed) {
  queue_.push_back(space.defaults());
}

[[gnu::cold]] FETTLE_INLINE std::optional<parameter_values> point_search::ask() {
  if (is_over()) return std::nullopt;
  std::optional<parameter_values> point = explores() ? explore() : std::nullopt;
  if (!point && !explores()) {
    point = race_.next(options_.measurements - measured_ - running_);
    if (!point && running_ == 0) is_exhausted_ = true;
  }
  if (!point) return std::nullopt;
  race_.begin(*point);
  ++running_;
  return point;
}

[[gnu::cold]] FETTLE_INLINE void point_search::tell(const parameter_values& point, double cost) {
  --running_;
  ++measured_;
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

[[gnu::cold]] FETTLE_INLINE void point_search::adopt(const parameter_values& point, double cost) {
  adopted_ = point;
  adopted_cost_ = cost;
  is_exhausted_ = true;
}

[[gnu::cold]] FETTLE_INLINE parameter_values point_search::best() const {
  if (adopted_) return *adopted_;
  return race_.best().value_or(space_.defaults());
}

[[gnu::cold]] FETTLE_INLINE double point_search::best_cost() const {
  if (adopted_) return adopted_cost_;
  const std::optional<parameter_values> known = race_.best();
  return known ? race_.cost_of(*known) : std::numeric_limits<double>::infinity();
}

[[gnu::cold]] FETTLE_INLINE bool point_search::is_cold(const parameter_values& point,
                                                       double cost) const {
  return measured_ == 1 && options_.measurements >= enough_for_two && is_finite(cost) &&
         point == space_.defaults();
}

[[gnu::cold]] FETTLE_INLINE std::optional<parameter_values> point_search::explore() {
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

[[gnu::cold]] FETTLE_INLINE bool point_search::refill() {
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

[[gnu::cold]] FETTLE_INLINE void point_search::push_neighbours(const parameter_values& from) {
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

[[gnu::cold]] FETTLE_INLINE std::optional<parameter_values> point_search::draw() {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    parameter_values point;
    for (const parameter& one : space_.all()) {
      point.push_back(one.values[random_(one.values.size())]);
    }
    if (!race_.knows(point) && space_.violated(point) == nullptr) return point;
  }
  return std::nullopt;
}

}  // namespace fettle::detail
