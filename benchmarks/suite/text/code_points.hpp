// code_points: y[0] = how many bytes of an UTF-8 text begin a character: those whose first two bits
// are not 10.
//
// byte -> int. In Fettle: reduce(plus) of map(begins, text).
#pragma once

#include "../common/processor.hpp"
#ifdef __CUDACC__
#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/transform_iterator.h>
#else
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>
#endif

namespace suite {

struct code_points {
  struct begins {
    FETTLE_HOST_DEVICE index operator()(std::uint8_t c) const { return (c & 0xC0) != 0x80 ? 1 : 0; }
  };

  static constexpr const char* name = "code_points";
  static constexpr const char* types = "byte";
  static constexpr family shapes = family::sizes;
  static constexpr bool whole = true;
  using output = index;

  static auto make(const shape& like) {
    const index n = like.elements(1);
    return problem(n, 1, integers<std::uint8_t>(n, 4, 256));
  }

  static void reference(view<const std::uint8_t> s, view<index> y) {
    y[0] = 0;
    for (const std::uint8_t c : s) y[0] += begins{}(c);
  }

  static void loop(view<const std::uint8_t> s, view<index> y) {
    y[0] = fold_by_parts(s.size(), 0, [=](index i) { return begins{}(s[i]); }, plus{});
  }

#ifdef __CUDACC__
  // A thread reads 16 bytes at a time; a block adds its count to the output.
  static constexpr const char* threads_name = "16 bytes a thread, atomics";
  static void threads(const device& on, view<const std::uint8_t> s, view<index> y) {
    check(cudaMemsetAsync(y.data(), 0, sizeof(index), on.stream), "cudaMemsetAsync");
    const index words = (s.size() + 15) / 16;
    fold_kernel<<<1024, block_threads, 0, on.stream>>>(
        words, 0,
        [=] __device__(index word) {
          index count = 0;
          if (16 * word + 16 <= s.size()) {
            const uint4 bytes = reinterpret_cast<const uint4*>(s.data())[word];
            const auto* each = reinterpret_cast<const std::uint8_t*>(&bytes);
            for (int i = 0; i < 16; ++i) count += begins{}(each[i]);
          } else {
            for (index i = 16 * word; i < s.size(); ++i) count += begins{}(s[i]);
          }
          return count;
        },
        plus{}, [=] __device__(index, index count) { atomicAdd(y.data(), count); });
  }

  static constexpr const char* second_name = "two passes";
  static void second(const device& on, view<const std::uint8_t> s, view<index> y) {
    fold_in_two_passes(
        on, s.size(), 0, [=] __device__(index i) { return begins{}(s[i]); }, plus{},
        [=] __device__(index, index count) { y[0] = count; });
  }

  static constexpr const char* library_name = "cub";
  static void library(const device& on, view<const std::uint8_t> s, view<index> y) {
    const auto ones = thrust::make_transform_iterator(s.data(), begins{});
    on.cub(0, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceReduce::Sum(storage, bytes, ones, y.data(), s.size(), on.stream);
    });
  }
#else
  static constexpr const char* library_name = "tbb";
  static void library(const host&, view<const std::uint8_t> s, view<index> y) {
    y[0] = tbb::parallel_reduce(
        tbb::blocked_range<const std::uint8_t*>(s.begin(), s.end()), 0,
        [](const tbb::blocked_range<const std::uint8_t*>& range, index count) {
          for (const std::uint8_t c : range) count += begins{}(c);
          return count;
        },
        plus{});
  }
#endif
};

}  // namespace suite
