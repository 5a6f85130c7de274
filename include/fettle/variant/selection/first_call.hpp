// The plan of one tuned function, made when it is called first.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/registered.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/selection/call_plan.hpp>
#include <fettle/variant/selection/contenders.hpp>
#include <fettle/variant/selection/deployment.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// What calls read is the plan; it refers to a deployment, which is kept here beside it.
class first_call {
 public:
  /// The plan, or null before make().
  const call_plan* plan() const noexcept { return plan_.load(std::memory_order_acquire); }

  /// Makes the plan of what is registered. Strict mode may throw here, at every call until the
  /// model is mended. `embedded` reads the policy's own model.
  const call_plan& make(registered& all, contenders& compared, context& shared,
                        model_loader embedded, bool searches_online);

  /// Registration after the first call is misuse. Throws fettle::error.
  void refuse_after(const registry& function, std::string_view what) const;

 private:
  std::atomic<const call_plan*> plan_{nullptr};  // first: all that calls after the first read
  std::shared_ptr<const call_plan> owned_;
  std::unique_ptr<const deployment> deployment_;
  std::mutex mutex_;
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/selection/first_call.ipp>
#endif
