// record_offsets: y[i] = sum of length[0 .. i - 1]: where records of up to 255 bytes begin.
//
// byte -> 64 bits. In Fettle: scan(plus), seed 0 of 64 bits.
#pragma once

#include "../common/processor.hpp"
#ifdef __CUDACC__
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>
#else
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_scan.h>
#endif

namespace suite {

struct record_offsets {
  static constexpr const char* name = "record_offsets";
  static constexpr const char* types = "byte";
  static constexpr family shapes = family::sizes;
  static constexpr bool whole = true;
  using output = std::int64_t;

  static auto make(const shape& like) {
    const index n = like.elements(9);
    return problem(n, n, integers<std::uint8_t>(n, 16, 256));
  }

  static void reference(view<const std::uint8_t> length, view<std::int64_t> y) {
    std::int64_t sum = 0;
    for (index i = 0; i < length.size(); ++i) {
      y[i] = sum;
      sum += length[i];
    }
  }

  static void loop(view<const std::uint8_t> length, view<std::int64_t> y) {
    scan_by_parts(
        length.size(), std::int64_t{0}, [=](index i) { return std::int64_t{length[i]}; }, plus{},
        [=](index i, std::int64_t sum) { y[i] = sum; });
  }

#ifdef __CUDACC__
  template <int Items>
  static void scan(const device& on, view<const std::uint8_t> length, view<std::int64_t> y) {
    scan_in_three_passes<Items>(
        on, length.size(), std::int64_t{0},
        [=] __device__(index i) { return std::int64_t{length[i]}; }, plus{},
        [=] __device__(index i, std::int64_t sum) { y[i] = sum; });
  }
  static constexpr const char* threads_name = "three passes, an item a thread";
  static void threads(const device& on, view<const std::uint8_t> length, view<std::int64_t> y) {
    scan<1>(on, length, y);
  }
  static constexpr const char* second_name = "three passes, 4 items a thread";
  static void second(const device& on, view<const std::uint8_t> length, view<std::int64_t> y) {
    scan<4>(on, length, y);
  }

  static constexpr const char* library_name = "cub";
  static void library(const device& on, view<const std::uint8_t> length, view<std::int64_t> y) {
    on.cub(0, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveScan(storage, bytes, length.data(), y.data(),
                                            cuda::std::plus<>{}, std::int64_t{0}, length.size(),
                                            on.stream);
    });
  }
#else
  static constexpr const char* library_name = "tbb";
  static void library(const host&, view<const std::uint8_t> length, view<std::int64_t> y) {
    tbb::parallel_scan(
        tbb::blocked_range<index>(0, length.size()), std::int64_t{0},
        [=](const tbb::blocked_range<index>& range, std::int64_t sum, bool is_final) {
          for (index i = range.begin(); i < range.end(); ++i) {
            if (is_final) y[i] = sum;
            sum += length[i];
          }
          return sum;
        },
        plus{});
  }
#endif
};

}  // namespace suite
