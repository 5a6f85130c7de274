// The contenders of a comparison (docs/formats.md, section 2, `mode=compare`): the whole function
// as a user's call runs it, untuned, and by the models of two directories. To training each is what
// a variant is elsewhere: raced, verified and named where it crashes.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/variant/registration/registered.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/registration/training_request.hpp>
#include <fettle/variant/selection/call_plan.hpp>
#include <fettle/variant/selection/deployment.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// The contender that runs now. Calls from within it, or from another thread meanwhile, run as it
/// does.
inline std::atomic<std::size_t> running_contender{static_cast<std::size_t>(-1)};

struct contender {
  std::string name;
  std::string problem{};  ///< why its model cannot be used; empty where it can
  std::unique_ptr<deployment> deployed{};
  std::shared_ptr<const call_plan> plan{};
};

/// The contenders of one tuned function; none but in a comparison.
class contenders {
 public:
  /// Loads the models. They may name points of parameters, which are registered then.
  void load(const training_request& request, registry& function);

  /// Makes the plans, when the points are made.
  void lay_out(const registered& all);

  /// The plan by which calls go now, or null: no contender runs.
  const call_plan* running() const noexcept {
    const std::size_t number = running_contender.load(std::memory_order_relaxed);
    return number < all_.size() ? all_[number].plan.get() : nullptr;
  }

  const std::vector<contender>& all() const noexcept { return all_; }
  std::vector<std::string> names() const;

 private:
  void add(std::string name, const std::string& directory, registry& function);

  std::vector<contender> all_;
};

/// While it lives calls run by one contender. Throws fettle::error where its model cannot be used.
class contender_run {
 public:
  contender_run(const contender& one, std::size_t number);
  contender_run(const contender_run&) = delete;
  contender_run& operator=(const contender_run&) = delete;
  ~contender_run() { running_contender = static_cast<std::size_t>(-1); }
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/selection/contenders.ipp>
#endif
