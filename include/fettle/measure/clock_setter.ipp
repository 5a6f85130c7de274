// Definitions of clock_setter.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <unistd.h>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/clock_setter.hpp>

namespace fettle::inline FETTLE_ABI {

[[gnu::cold]] FETTLE_INLINE clock_setter::clock_setter(unsigned device, const std::string& library,
                                                       clock_hysteresis rule)
    : clocks_(device, library), guard_(device, library, clocks_.before()), rule_(rule) {
  set_ = clocks_.set_now();
}

[[gnu::cold]] FETTLE_INLINE clock_setter::~clock_setter() {
  try {
    if (now_ != 0 && problem_.empty() && getpid() == owner_) change(0);
  } catch (const error&) {
    return;  // the guard tries, too
  }
}

FETTLE_INLINE bool clock_setter::wish(unsigned mhz) noexcept {
  const std::scoped_lock lock(mutex_);
  if (mhz == now_) return problem_.empty() || mhz == 0;
  if (!problem_.empty()) return false;
  if (changes_ > 0) {
    const double mean = spent_s_ / static_cast<double>(changes_);
    if (since_.seconds() - last_ < std::max(rule_.least_s, mean / rule_.overhead)) return false;
  }
  try {
    change(mhz);
    return true;
  } catch (const std::exception& why) {
    problem_ = why.what();
    return false;
  }
}

[[gnu::cold]] FETTLE_INLINE void clock_setter::force(unsigned mhz) {
  const std::scoped_lock lock(mutex_);
  if (mhz == now_) return;
  if (!problem_.empty()) throw error(problem_);
  try {
    change(mhz);
  } catch (const std::exception& why) {
    problem_ = why.what();
    throw;
  }
}

// Somebody else's clocks are theirs: they are neither changed nor set back.
[[gnu::cold]] FETTLE_INLINE void clock_setter::check_whose() const {
  const unsigned there = clocks_.set_now();
  if (there == set_) return;
  throw error("somebody else has set " + clocks_.name() + " to " + number_text(there) +
              " MHz meanwhile; this program leaves its clock alone from now on");
}

[[gnu::cold]] FETTLE_INLINE void clock_setter::change(unsigned mhz) {
  if (getpid() != owner_) throw error("a process that was forked leaves the GPU's clock alone");
  const timer clock;
  try {
    check_whose();
  } catch (const error&) {
    now_ = 0;
    static_cast<void>(guard_.tell(false));
    throw;
  }
  if (!guard_.tell(true)) {
    clocks_.set(clocks_.before());
    now_ = 0;
    throw error("the guard that sets the clock of " + clocks_.name() +
                " back is gone; the clock is set back and left alone from now on");
  }
  clocks_.set(mhz == 0 ? clocks_.before() : mhz);
  now_ = mhz;
  set_ = clocks_.set_now();
  if (mhz == 0) static_cast<void>(guard_.tell(false));
  spent_s_ += clock.seconds();
  ++changes_;
  last_ = since_.seconds();
}

[[gnu::cold]] FETTLE_INLINE unsigned clock_setter::now() const {
  const std::scoped_lock lock(mutex_);
  return now_;
}

[[gnu::cold]] FETTLE_INLINE double clock_setter::cost_s() const {
  const std::scoped_lock lock(mutex_);
  return changes_ == 0 ? std::numeric_limits<double>::quiet_NaN()
                       : spent_s_ / static_cast<double>(changes_);
}

[[gnu::cold]] FETTLE_INLINE std::size_t clock_setter::changes() const {
  const std::scoped_lock lock(mutex_);
  return changes_;
}

[[gnu::cold]] FETTLE_INLINE std::string clock_setter::problem() const {
  const std::scoped_lock lock(mutex_);
  return problem_;
}

namespace detail {

[[gnu::cold]] FETTLE_INLINE clock_setter* process_clocks(std::string& problem) {
  struct made {
    std::unique_ptr<clock_setter> setter;
    std::string problem;
  };
  static const made one = [] {
    made found;
    const char* const device = std::getenv("FETTLE_CLOCK_DEVICE");
    try {
      const unsigned number =
          device == nullptr ? 0 : static_cast<unsigned>(std::strtoul(device, nullptr, 10));
      found.setter = std::make_unique<clock_setter>(number);
    } catch (const error& why) {
      found.problem = why.what();
    }
    return found;
  }();
  problem = one.problem;
  return one.setter.get();
}

}  // namespace detail
}  // namespace fettle
