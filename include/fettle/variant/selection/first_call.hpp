// The plan of one tuned function, made when it is called first.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/selection/deployment.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// `Plan` is what calls read; it refers to a deployment, which is kept here beside it.
template <typename Plan>
class first_call {
 public:
  /// The plan. Where there is none yet, `deploy` returns a deployment and `lay_out` the shared
  /// plan of one; either may throw, and both are tried again then.
  template <typename Deploy, typename LayOut>
  const Plan& plan(Deploy&& deploy, LayOut&& lay_out) {
    const Plan* known = plan_.load(std::memory_order_acquire);
    if (known == nullptr) [[unlikely]]
      return made(deploy, lay_out);
    return *known;
  }

  /// Registration after the first call is misuse. Throws fettle::error.
  void refuse_after(const registry& function, std::string_view what) const {
    if (plan_.load(std::memory_order_acquire) == nullptr) return;
    function.complain(std::string(what) + " after the first call; register everything before it");
  }

 private:
  template <typename Deploy, typename LayOut>
  [[gnu::noinline, gnu::cold]] const Plan& made(Deploy& deploy, LayOut& lay_out) {
    const std::scoped_lock lock(mutex_);
    if (owned_ == nullptr) {
      deployment_ = std::make_unique<const deployment>(deploy());
      owned_ = lay_out(*deployment_);
      plan_.store(owned_.get(), std::memory_order_release);
    }
    return *owned_;
  }

  std::atomic<const Plan*> plan_{nullptr};  // first: all that calls after the first read
  std::shared_ptr<const Plan> owned_;
  std::unique_ptr<const deployment> deployment_;
  std::mutex mutex_;
};

}  // namespace fettle::detail
