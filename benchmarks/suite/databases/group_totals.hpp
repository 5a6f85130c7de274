// group_totals: y[g] = (count, sum, greatest) of the amounts of the rows whose key is g; keys are
// sorted, and each of 0 .. groups - 1 occurs.
//
// int, 64 bits -> struct of 24 bytes. In Fettle: reduce_by_key(merge, map(a -> (1, a, a), amounts),
// keys, (0, 0, least)).
#pragma once

#include <limits>

#include "../common/processor.hpp"
#ifdef __CUDACC__
#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#endif

namespace suite {

struct group_totals {
  struct total {
    std::int64_t count;
    std::int64_t sum;
    std::int64_t greatest;
  };
  struct merge {
    FETTLE_HOST_DEVICE total operator()(const total& a, const total& b) const {
      return {a.count + b.count, a.sum + b.sum, maximum{}(a.greatest, b.greatest)};
    }
  };
  struct one {
    FETTLE_HOST_DEVICE total operator()(std::int64_t amount) const { return {1, amount, amount}; }
  };
  static constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

  static constexpr const char* name = "group_totals";
  static constexpr const char* types = "64 bits";
  static constexpr family shapes = family::rows;
  static constexpr bool whole = true;
  using output = total;
  using component = std::int64_t;

  static auto make(const shape& like) {
    auto offsets = like.offsets(12);
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    const auto amounts = filled(offsets.back(), [](std::uint64_t k) {
      return static_cast<std::int64_t>(1e6 * fb::unit(k, 1)) - 500'000;
    });
    return problem(rows_of(offsets), rows_of(offsets), row_indices(offsets), amounts);
  }

  static void reference(view<const index> key, view<const std::int64_t> amount, view<total> y) {
    for (total& all : y) all = {0, 0, least};
    for (index k = 0; k < key.size(); ++k) y[key[k]] = merge{}(y[key[k]], one{}(amount[k]));
  }

  /// A part of the rows each thread, from where a group begins.
  static void loop(view<const index> key, view<const std::int64_t> amount, view<total> y) {
    const auto begin_of_group = [&](index k) {
      while (k > 0 && k < key.size() && key[k] == key[k - 1]) ++k;
      return k;
    };
    for_each_part(key.size(), [=](int, index first, index last) {
      index k = begin_of_group(first);
      const index end = begin_of_group(last);
      while (k < end) {
        const index group = key[k];
        total all{0, 0, least};
        for (; k < end && key[k] == group; ++k) all = merge{}(all, one{}(amount[k]));
        y[group] = all;
      }
    });
  }

#ifdef __CUDACC__
  static constexpr const char* threads_name = "atomics";
  static void threads(const device& on, view<const index> key, view<const std::int64_t> amount,
                      view<total> y) {
    for_each_thread(on.stream, y.size(), [=] __device__(index g) { y[g] = {0, 0, least}; });
    for_each_thread(on.stream, key.size(), [=] __device__(index k) {
      using word = unsigned long long;
      total* const to = &y[key[k]];
      atomicAdd(reinterpret_cast<word*>(&to->count), word{1});
      atomicAdd(reinterpret_cast<word*>(&to->sum), static_cast<word>(amount[k]));
      atomicMax(reinterpret_cast<long long*>(&to->greatest), static_cast<long long>(amount[k]));
    });
  }

  // A thread an element finds where groups begin; then a warp a group.
  static constexpr const char* second_name = "a warp a group";
  static void second(const device& on, view<const index> key, view<const std::int64_t> amount,
                     view<total> y) {
    const view<index> offsets = on.scratch<index>(0, y.size() + 1);
    for_each_thread(on.stream, key.size(), [=] __device__(index k) {
      if (k == 0 || key[k] != key[k - 1]) offsets[key[k]] = k;
      if (k == 0) offsets[y.size()] = key.size();
    });
    a_warp_a_row(
        on.stream, view<const index>(offsets.data(), offsets.size()), total{0, 0, least},
        [=] __device__(index, index k) { return one{}(amount[k]); }, merge{},
        [=] __device__(index g, const total& all) { y[g] = all; });
  }

  static constexpr const char* library_name = "cub";
  static void library(const device& on, view<const index> key, view<const std::int64_t> amount,
                      view<total> y) {
    const auto ones = thrust::make_transform_iterator(amount.data(), one{});
    index* const runs = on.scratch<index>(1, 1).data();
    on.cub(2, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceReduce::ReduceByKey(storage, bytes, key.data(),
                                            thrust::make_discard_iterator(), ones, y.data(), runs,
                                            merge{}, key.size(), on.stream);
    });
  }
#endif
};

}  // namespace suite
