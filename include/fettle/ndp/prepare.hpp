// prepare: an execute whose checks are made once, for a computation that runs many times on the
// same memory.
//
//   const auto step = prepare<"step">(e, destination, platform::cuda{stream});
//   for (...) step();        the kernels alone; may be captured into a CUDA graph
//
// The memory is that of the expression, so that every call reads what is there then. Optional, and
// not in <fettle/ndp.hpp>.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/dispatch.hpp>
#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/platforms.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/shape/counted.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/epilogue.hpp>
#include <fettle/ndp/shape/execute_checks.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// A computation with its destination and platform. Calls may be made by one thread at a time, and
/// while what the expression refers to is there and as long as it was.
template <fixed_string Name, typename E, typename D, platform_like Platform>
class prepared_computation {
 public:
  /// Throws what execute throws for arguments whose sizes do not fit together, a destination that
  /// is too small, and memory out of the platform's reach.
  prepared_computation(const E& e, const D& destination, const Platform& on)
      : e_(e), destination_(destination), on_(on) {
    detail::check_sizes<Platform>(detail::named<Name>(), e_, destination_);
    constexpr computation named = detail::named<Name>();
    if constexpr (requires { platform_traits<Platform>::require(on, named, e, destination); }) {
      platform_traits<Platform>::require(on, named, e, destination);
    }
  }

  /// Runs it as tuned, or by the platform's default rule. On CUDA the work is enqueued.
  void operator()() const {
    constexpr computation named = detail::named<Name>();
    if constexpr (requires {
                    platform_traits<Platform>::run_checked(on_, named, e_, destination_);
                  } && !is_tuned_v<Name, Platform>) {
      detail::with_named_errors(named, [&] {
        if (fettle::detail::traces_defaults()) detail::trace_default(on_, named, e_);
        platform_traits<Platform>::run_checked(on_, named, e_, destination_);
      });
    } else {
      detail::run_chosen<Name>(on_, e_, destination_);
    }
  }

 private:
  E e_;
  D destination_;
  Platform on_;
};

/// Checks once what execute(e, destination, on) checks at every call.
template <fixed_string Name = "", typename E, typename D,
          platform_like Platform = platform::preferred>
  requires(!detail::platform_or_schedule<D>)
[[nodiscard]] auto prepare(const E& e, const D& destination, const Platform& on = {}) {
  if constexpr (!detail::check_destination<E, D>() || !detail::check_platform<Platform, E, D>()) {
    return invalid_expression{};
  } else {
    constexpr bool is_quiet = !returns_count<E> || is_counted_v<D>;
    static_assert(is_quiet,
                  "prepare: this computation returns how many results it has, for which a call "
                  "would wait; give a destination that takes the number, counted(destination, n)");
    if constexpr (detail::has_epilogue_v<E>) {
      detail::check_sizes<Platform>(detail::named<Name>(), e, destination);
      return prepare<Name>(detail::reductions_of(e), detail::through_epilogue(e, destination), on);
    } else if constexpr (is_quiet) {
      return prepared_computation<Name, E, D, Platform>(e, destination, on);
    } else {
      return invalid_expression{};
    }
  }
}

/// Without a destination: a scatter or a map of a void function.
template <fixed_string Name = "", typename E, platform_like Platform = platform::preferred>
[[nodiscard]] auto prepare(const E& e, const Platform& on = {}) {
  constexpr bool updates = detail::effect_only<E>;
  static_assert(updates,
                "prepare: this computation needs a destination in memory, also a reduce: "
                "prepare(expression, destination, platform)");
  if constexpr (updates && detail::check_platform<Platform, E, no_destination>()) {
    return prepared_computation<Name, E, no_destination, Platform>(e, no_destination{}, on);
  } else {
    return invalid_expression{};
  }
}

}  // namespace fettle::ndp
