// running_maxima: y[i] = the greatest of x[0 .. i - 1]; the least int for i = 0.
//
// int -> int. In Fettle: scan(maximum), seed the least int.
#pragma once

#include <limits>

#include "../common/processor.hpp"
#ifdef __CUDACC__
#include <cub/device/device_scan.cuh>
#else
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_scan.h>
#endif

namespace suite {

struct running_maxima {
  static constexpr const char* name = "running_maxima";
  static constexpr const char* types = "int";
  static constexpr family shapes = family::sizes;
  static constexpr bool whole = true;
  using output = std::int32_t;
  static constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();

  static auto make(const shape& like) {
    const index n = like.elements(8);
    const auto x = filled(n, [](std::uint64_t i) {
      return static_cast<std::int32_t>(i / 8 + fb::hash(i, 7) % 1000);
    });
    return problem(n, n, x);
  }

  static void reference(view<const std::int32_t> x, view<std::int32_t> y) {
    std::int32_t greatest = least;
    for (index i = 0; i < x.size(); ++i) {
      y[i] = greatest;
      greatest = maximum{}(greatest, x[i]);
    }
  }

  static void loop(view<const std::int32_t> x, view<std::int32_t> y) {
    scan_by_parts(
        x.size(), least, [=](index i) { return x[i]; }, maximum{},
        [=](index i, std::int32_t greatest) { y[i] = greatest; });
  }

#ifdef __CUDACC__
  template <int Items>
  static void scan(const device& on, view<const std::int32_t> x, view<std::int32_t> y) {
    scan_in_three_passes<Items>(
        on, x.size(), least, [=] __device__(index i) { return x[i]; }, maximum{},
        [=] __device__(index i, std::int32_t greatest) { y[i] = greatest; });
  }
  static constexpr const char* threads_name = "three passes, an item a thread";
  static void threads(const device& on, view<const std::int32_t> x, view<std::int32_t> y) {
    scan<1>(on, x, y);
  }
  static constexpr const char* second_name = "three passes, 4 items a thread";
  static void second(const device& on, view<const std::int32_t> x, view<std::int32_t> y) {
    scan<4>(on, x, y);
  }

  static constexpr const char* library_name = "cub";
  static void library(const device& on, view<const std::int32_t> x, view<std::int32_t> y) {
    on.cub(0, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveScan(storage, bytes, x.data(), y.data(), maximum{}, least,
                                            x.size(), on.stream);
    });
  }
#else
  static constexpr const char* library_name = "tbb";
  static void library(const host&, view<const std::int32_t> x, view<std::int32_t> y) {
    tbb::parallel_scan(
        tbb::blocked_range<index>(0, x.size()), least,
        [=](const tbb::blocked_range<index>& range, std::int32_t greatest, bool is_final) {
          for (index i = range.begin(); i < range.end(); ++i) {
            const std::int32_t next = maximum{}(greatest, x[i]);
            if (is_final) y[i] = greatest;
            greatest = next;
          }
          return greatest;
        },
        maximum{});
  }
#endif
};

}  // namespace suite
