// permuted_records: y[to[i]] = x[i], to a permutation within blocks of 4096 records.
//
// struct of 16 bytes, int -> struct. In Fettle: scatter.
#pragma once

#include "../common/processor.hpp"
#ifdef __CUDACC__
#include <thrust/execution_policy.h>
#include <thrust/scatter.h>
#endif

namespace suite {

struct permuted_records {
  struct alignas(16) record {
    std::uint64_t key;
    double value;
  };

  static constexpr const char* name = "permuted_records";
  static constexpr const char* types = "16 bytes";
  static constexpr family shapes = family::sizes;
  using output = record;
  using component = unsigned char;

  static auto make(const shape& like) {
    constexpr index block = 4096;
    const index n = like.elements(36);
    auto to = filled(n, [](std::uint64_t i) { return static_cast<index>(i); });
    for (index first = 0; first < n; first += block) {
      const auto order = permutation(std::min(block, n - first), 13);
      for (index i = 0; i < size_of(order); ++i) {
        to[static_cast<std::size_t>(first + i)] = first + order[static_cast<std::size_t>(i)];
      }
    }
    const auto records =
        filled(n, [](std::uint64_t i) { return record{fb::hash(i, 14), fb::unit(i, 15)}; });
    return problem(n, n, records, to);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index i, view<const record> x, view<const index> to,
                                      view<record> y) {
    y[to[i]] = x[i];
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a thread 4 records";
  static void second(const device& on, view<const record> x, view<const index> to, view<record> y) {
    const index threads = (y.size() + 3) / 4;
    for_each_thread(on.stream, threads, [=] __device__(index first) {
      for (index i = first; i < x.size(); i += threads) y[to[i]] = x[i];
    });
  }

  static constexpr const char* library_name = "thrust";
  static void library(const device& on, view<const record> x, view<const index> to,
                      view<record> y) {
    thrust::scatter(thrust::cuda::par_nosync.on(on.stream), x.begin(), x.end(), to.begin(),
                    y.begin());
  }
#endif
};

}  // namespace suite
