// Definitions of first_call.hpp.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/variant/registration/held_warnings.hpp>
#include <fettle/variant/selection/first_call.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE const call_plan& first_call::make(registered& all, contenders& compared,
                                                              context& shared,
                                                              model_loader embedded,
                                                              bool searches_online) {
  const held_warnings held;
  const std::scoped_lock lock(mutex_);
  if (owned_ != nullptr) return *owned_;
  all.names.check_complete();
  auto deployed = std::make_unique<deployment>(make_deployment(all.names, shared, embedded));
  if (deployed->training != nullptr) compared.load(*deployed->training, all.names);
  add_points(all.callables, *deployed, all.names, shared);
  deployment_ = std::move(deployed);
  compared.lay_out(all);
  owned_ = call_plan::make(*deployment_, all.names, all.callables, all.features, searches_online);
  plan_.store(owned_.get(), std::memory_order_release);
  return *owned_;
}

[[gnu::cold]] FETTLE_INLINE void first_call::refuse_after(const registry& function,
                                                          std::string_view what) const {
  if (plan() == nullptr) return;
  function.complain(std::string(what) + " after the first call; register everything before it");
}

}  // namespace fettle::detail
