// one_pass_execution: a map of a program, whose values are kept, and a reduction of them as one
// step, on platforms that can do both in one pass (platform_traits).
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/program/rewrite.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/shape/execute_checks.hpp>
#include <fettle/ndp/shape/one_pass.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// The destinations of both in a program, some of which are known when it runs.
template <typename Kept, typename Total>
struct late_one_pass_destination {
  Kept kept;
  Total total;

  [[nodiscard]] auto resolved() const {
    return made(resolved_destination(kept), resolved_destination(total));
  }

 private:
  template <typename K, typename T>
  [[nodiscard]] static one_pass_destination<K, T> made(const K& kept, const T& total) {
    return {kept, total};
  }
};

/// Platform can compute E in one pass.
template <typename Platform, typename E>
inline constexpr bool takes_in_one_pass_v = false;
template <typename Platform, typename M, typename R>
inline constexpr bool takes_in_one_pass_v<Platform, one_pass<M, R>> = [] {
  if constexpr (rules::one_pass::applies_v<M, R> &&
                requires { platform_traits<Platform>::template takes_one_pass_v<M, R>; }) {
    return platform_traits<Platform>::template takes_one_pass_v<M, R>;
  } else {
    return false;
  }
}();

template <typename Platform>
struct one_pass_execution {
  template <typename E>
  static constexpr bool applies_v = takes_in_one_pass_v<Platform, E>;

  template <fixed_string Name, typename E, typename D>
  static void run(const E& e, const D& destination, const Platform& on) {
    platform_traits<Platform>::run_one_pass(on, named<Name>(), e, destination);
  }
};

}  // namespace fettle::ndp::detail
