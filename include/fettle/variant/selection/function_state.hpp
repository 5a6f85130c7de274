// What one tuned function keeps, whatever its types are.
#pragma once

#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/cache_lines.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/registration/registered.hpp>
#include <fettle/variant/selection/call_plan.hpp>
#include <fettle/variant/selection/contenders.hpp>
#include <fettle/variant/selection/deployment.hpp>
#include <fettle/variant/selection/first_call.hpp>
#include <fettle/variant/selection/latest_selection.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Neither copied nor moved: the plan refers to it.
class alignas(cache_line) function_state {
 public:
  function_state(context& in, const policy_settings& settings);
  function_state(const function_state&) = delete;
  function_state& operator=(const function_state&) = delete;
  ~function_state();

  /// What is registered, to add to it. Throws fettle::error after the first call.
  registered& open(std::string_view what);

  /// What calls go by. Strict mode may throw here, at every call until the model is mended.
  const call_plan& prepared(model_loader embedded, bool searches_online) {
    const call_plan* const known = first_call_.plan();
    if (known == nullptr) [[unlikely]]
      return first_call_.make(all, compared, *shared, embedded, searches_online);
    return *known;
  }

  // One line for what every call reads here: all else is in the plan.
  latest_selection latest;

 private:
  first_call first_call_;

 public:
  context* shared;
  registered all;
  contenders compared;
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/selection/function_state.ipp>
#endif
