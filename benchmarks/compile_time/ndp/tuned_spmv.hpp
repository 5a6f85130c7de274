// What the tuner writes as fettle_config.hpp where two candidates beside the default rule win:
// included in front of listing_1.cpp, it makes that the tuned program.
#pragma once

#include <fettle/ndp/tuned.hpp>
#include <fettle/variant/policy.hpp>

#ifdef __CUDACC__
namespace fettle_platform = fettle::ndp::cuda;
using tuned_platform = fettle::ndp::platform::cuda;
inline constexpr fettle_platform::policy tuned_policy{.block_size_x = 128};
#else
namespace fettle_platform = fettle::ndp::openmp;
using tuned_platform = fettle::ndp::platform::openmp;
inline constexpr fettle_platform::policy tuned_policy{.num_threads = 2};
#endif

namespace fettle::tuning_policies {
struct spmv {
  static constexpr std::string_view name = "spmv.compile_time";
};
}  // namespace fettle::tuning_policies

template <>
struct fettle::ndp::tuned_computation<"spmv", tuned_platform> {
  using tuning_policy = fettle::tuning_policies::spmv;
  using candidates = fettle::ndp::candidate_list<
      fettle::ndp::candidate<
          fettle::ndp::schedule::independent<fettle::ndp::schedule::sequential<>>, tuned_policy>,
      fettle::ndp::candidate<fettle::ndp::schedule::flattened<>, fettle_platform::policy{}>>;
  template <typename E>
  static constexpr void check() {
    static_assert(fettle::ndp::signature_v<E> == "map>reduce irregular double,int32 double",
                  "spmv is no longer the computation that was tuned");
  }
};
