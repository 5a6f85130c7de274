// What the OpenMP kernels' tests share: lengths, policies, and a walk over all schedules of an
// expression, with a check of its results.
#pragma once

#include <string>
#include <vector>

#include <fettle/core/type_list.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/openmp.hpp>
#include <fettle/ndp/schedule/lattice.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/expression.hpp>

#include "support/catch.hpp"

namespace openmp_cases {

namespace ndp = fettle::ndp;
using ndp::index_t;

/// Lengths around every block and vector that a kernel has.
inline std::vector<index_t> lengths() {
  return {0, 1, 2, 3, 7, 8, 15, 16, 17, 32, 33, 65, 128, 129, 1000, 4097, 40001};
}

inline std::vector<ndp::openmp::policy> policies() {
  using ndp::openmp::execution_resource;
  using ndp::openmp::omp_schedule;
  using ndp::openmp::policy;
  std::vector<policy> out{{}, {.num_threads = 1}, {.num_threads = 2}, {.num_threads = 7}};
  policy unrolled{.num_threads = 2};
  for (int i = 0; i < unrolled.level.count; ++i) unrolled.level[i].enable_unroll = true;
  out.push_back(unrolled);
  for (const auto schedule : {omp_schedule::static_, omp_schedule::dynamic, omp_schedule::guided}) {
    for (const int chunk : {0, 3}) {
      policy dealt{.num_threads = 3};
      dealt.level.first = {.schedule = schedule, .chunk_size = chunk};
      out.push_back(dealt);
    }
  }
  policy nested{.num_threads = 4, .enable_nesting = true};
  nested.level.second.resource = execution_resource::team;
  out.push_back(nested);
  policy one_thread{.num_threads = 3};
  one_thread.level.first.resource = execution_resource::thread;
  out.push_back(one_thread);
  return out;
}

/// visit(schedule, policy, text) for every schedule that is valid for E, with every policy that
/// fits it.
template <typename E, typename Visit>
void for_each_way(const E& /*e*/, const Visit& visit) {
  using all = ndp::schedule::valid_t<ndp::expression_of_t<E>, ndp::platform::openmp>;
  fettle::for_each(all{}, [&]<typename S>(fettle::type_tag<S>) {
    for (const auto& policy : policies()) {
      if (!ndp::openmp::violation(policy, S{}).empty()) continue;
      visit(S{}, policy,
            std::string(ndp::schedule::to_string<S>()) + ' ' + ndp::openmp::to_string(policy));
    }
  });
}

/// `e` into flat memory of `expected`'s size gives `expected`, by every schedule and policy and by
/// the default rule. `about` is said where it does not.
template <typename E, typename T>
void check_every_way(const E& e, const std::vector<T>& expected, const std::string& about = {}) {
  std::vector<T> out;
  for_each_way(e, [&](auto schedule, const ndp::openmp::policy& policy, const std::string& text) {
    INFO(about << ' ' << text << ", " << expected.size() << " results");
    out.assign(expected.size(), T{});
    ndp::execute(e, ndp::make_sequence(out), ndp::platform::openmp{}, schedule, policy);
    CHECK(out == expected);
  });
  INFO(about << " default rule, " << expected.size() << " results");
  out.assign(expected.size(), T{});
  ndp::execute(e, ndp::make_sequence(out), ndp::platform::openmp{});
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

}  // namespace openmp_cases
