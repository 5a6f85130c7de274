// Variants at clocks of a GPU: what the header of a script with tune_frequency() includes.
#pragma once

#include <string>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/measure/clock_setter.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/registration/clock_control.hpp>

namespace fettle::inline FETTLE_ABI {

namespace detail {

/// A variant, and the clock that it wishes for.
struct variant_at_clock {
  any_call variant;
  clock_setter* clocks;
  unsigned mhz;
};

template <typename Result, typename... Args>
struct call_at_clock {
  Result operator()(variant_at_clock& wanted, Args&&... args) const {
    wanted.clocks->wish(wanted.mhz);
    return erased_variant<Result, Args...>::call(wanted.variant, static_cast<Args&&>(args)...);
  }
};

}  // namespace detail

/// The `clock_control` of a policy: the GPU that $FETTLE_CLOCK_DEVICE names, or the first one.
///
/// A call of a function whose frequency model is deployed wishes for the clock that was chosen,
/// then runs the variant. Equivalent to: clocks.wish(mhz); variant(args...). clock_setter.hpp says
/// which wishes are granted.
struct gpu_clocks {
  template <typename Result, typename... Args>
  static const detail::clock_functions& functions() {
    static constexpr detail::clock_functions all{
        &detail::process_clocks, [](clock_setter& clocks, unsigned mhz) { clocks.force(mhz); },
        [](detail::any_call variant, clock_setter& clocks, unsigned mhz) -> detail::any_call {
          using at_clock = detail::call_at_clock<Result, Args...>;
          return detail::erased_variant<Result, Args...>::template owning<at_clock>(
              detail::variant_at_clock{std::move(variant), &clocks, mhz});
        }};
    return all;
  }
};

}  // namespace fettle
