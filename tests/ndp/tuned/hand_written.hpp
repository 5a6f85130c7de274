// What the tuner writes as fettle_config.hpp for two_computations.cpp, by hand: the deployed
// header, and those of a training program (TEST_TRAINING) and its shards (TEST_SHARD=1, 2).
#ifndef FETTLE_CONFIG_HPP
#define FETTLE_CONFIG_HPP

#ifdef TEST_SHARD
#define FETTLE_NDP_SHARD
#endif
#ifdef TEST_TRAINING
#define FETTLE_NDP_TRAINING
#endif

#include <fettle/ndp/tuned.hpp>
#include <fettle/variant/policy.hpp>

#ifdef __CUDACC__
#define TEST_PLATFORM fettle::ndp::platform::cuda
#define TEST_POLICY fettle::ndp::cuda::policy{.block_size_x = 128}
#else
#define TEST_PLATFORM fettle::ndp::platform::openmp
#define TEST_POLICY fettle::ndp::openmp::policy{.num_threads = 2}
#endif

namespace fettle::tuning_policies {
struct spmv {
  static constexpr std::string_view name = "spmv.tested";
};
struct total {
  static constexpr std::string_view name = "total.tested";
};
}  // namespace fettle::tuning_policies

template <>
struct fettle::ndp::tuned_computation<"spmv", TEST_PLATFORM> {
  using tuning_policy = fettle::tuning_policies::spmv;
  using with_rows = fettle::ndp::candidate<
      fettle::ndp::schedule::independent<fettle::ndp::schedule::sequential<>>, TEST_POLICY>;
  using flattened = fettle::ndp::candidate<fettle::ndp::schedule::flattened<>,
                                           std::remove_cvref_t<decltype(TEST_POLICY)>{}>;
#if defined(TEST_TRAINING)
  using candidates = fettle::ndp::candidate_list<>;
#elif !defined(TEST_SHARD)
  using candidates = fettle::ndp::candidate_list<with_rows, flattened>;
#elif TEST_SHARD == 1
  using candidates = fettle::ndp::candidate_list<with_rows>;
#else
  using candidates = fettle::ndp::candidate_list<flattened>;
#endif
  template <typename E>
  static constexpr void check() {
#ifndef TEST_ANOTHER_SPMV
    static_assert(fettle::ndp::signature_v<E> == "map>reduce irregular double,int32 double",
                  "spmv is no longer the computation that was tuned");
#endif
  }
};

template <>
struct fettle::ndp::tuned_computation<"total", TEST_PLATFORM> {
  using tuning_policy = fettle::tuning_policies::total;
#if defined(TEST_TRAINING) || (defined(TEST_SHARD) && TEST_SHARD == 2)
  using candidates = fettle::ndp::candidate_list<>;
#else
  using candidates = fettle::ndp::candidate_list<
      fettle::ndp::candidate<fettle::ndp::schedule::sequential<>, decltype(TEST_POLICY){}>>;
#endif
  template <typename E>
  static constexpr void check() {
    static_assert(fettle::ndp::signature_v<E> == "reduce flat double double",
                  "total is no longer the computation that was tuned");
  }
};

#endif
