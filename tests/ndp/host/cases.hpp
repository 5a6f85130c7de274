// What the tests of kernels on the host's threads have in common: lengths, and a walk over all
// schedules and policies of an expression, with a check of its results.
#pragma once

#include <string>
#include <vector>

#include <fettle/core/type_list.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/schedule/lattice.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/expression.hpp>

#include "support/catch.hpp"

namespace host_cases {

namespace ndp = fettle::ndp;
using ndp::index_t;

/// Lengths around every block and vector that a kernel has.
inline std::vector<index_t> lengths() {
  return {0, 1, 2, 3, 7, 8, 15, 16, 17, 32, 33, 65, 128, 129, 1000, 4097, 40001};
}

/// visit(schedule, policy, text) for every schedule that is valid for E on the platform, with every
/// policy that fits it.
template <typename Platform, typename E, typename Policies, typename Visit>
void for_each_way(const E& /*e*/, const Policies& policies, const Visit& visit) {
  using all = ndp::schedule::valid_t<ndp::expression_of_t<E>, Platform>;
  fettle::for_each(all{}, [&]<typename S>(fettle::type_tag<S>) {
    // Flattened work is cut by where rows lie, which not every nested sequence knows.
    if constexpr (ndp::schedule::kind_v<S> != ndp::schedule::kind::flattened ||
                  ndp::has_outer_shape_v<E>) {
      for (const auto& policy : policies) {
        if (!violation(policy, S{}).empty()) continue;
        visit(S{}, policy, std::string(ndp::schedule::to_string<S>()) + ' ' + to_string(policy));
      }
    }
  });
}

/// `e` into flat memory of `expected`'s size gives `expected`, by every schedule and policy and by
/// the default rule. `about` is said where it does not.
template <typename Platform, typename E, typename T, typename Policies>
void check_every_way(const E& e, const std::vector<T>& expected, const Policies& policies,
                     const std::string& about = {}) {
  std::vector<T> out;
  const auto by_hand = [&](auto schedule, const auto& policy, const std::string& text) {
    INFO(about << ' ' << text << ", " << expected.size() << " results");
    out.assign(expected.size(), T{});
    ndp::execute(e, ndp::make_sequence(out), Platform{}, schedule, policy);
    CHECK(out == expected);
  };
  for_each_way<Platform>(e, policies, by_hand);
  INFO(about << " default rule, " << expected.size() << " results");
  out.assign(expected.size(), T{});
  ndp::execute(e, ndp::make_sequence(out), Platform{});
  CHECK(out == expected);
}

/// Commutative and not known to the library.
struct plus_of_user {
  static constexpr bool is_commutative = true;
  template <typename T>
  T operator()(const T& a, const T& b) const {
    return static_cast<T>(a + b);
  }
};

}  // namespace host_cases
