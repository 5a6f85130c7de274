// bitmap_overlaps: y[c] = how many bits are set in both bitmaps, in each chunk of 128 words of 64
// bits.
//
// two 64 bits -> int. In Fettle: map > reduce(plus) over split(a, 128) and split(b, 128), of
// map(count of bits of a & b).
#pragma once

#include <bit>

#include "../common/processor.hpp"

namespace suite {

struct bitmap_overlaps {
  static constexpr const char* name = "bitmap_overlaps";
  static constexpr const char* types = "2 x 64 bits";
  static constexpr family shapes = family::sizes;
  using output = index;
  static constexpr index chunk = 128;

  static auto make(const shape& like) {
    const index chunks = like.elements(16 * chunk);
    const auto draw = [=](std::uint64_t seed) {
      return filled(chunks * chunk, [=](std::uint64_t i) { return fb::hash(i, seed); });
    };
    return problem(chunks, chunks, draw(11), draw(12));
  }

  FETTLE_HOST_DEVICE static int count(std::uint64_t word) {
#ifdef __CUDA_ARCH__
    return __popcll(word);
#else
    return std::popcount(word);
#endif
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index c, view<const std::uint64_t> a,
                                      view<const std::uint64_t> b, view<index> y) {
    index sum = 0;
    for (index k = c * chunk; k < (c + 1) * chunk; ++k) sum += count(a[k] & b[k]);
    y[c] = sum;
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a chunk";
  static void second(const device& on, view<const std::uint64_t> a, view<const std::uint64_t> b,
                     view<index> y) {
    for_each_warp(on.stream, y.size(), [=] __device__(index c, int lane) {
      index sum = 0;
      for (index k = c * chunk + lane; k < (c + 1) * chunk; k += 32) sum += count(a[k] & b[k]);
      sum = warp_fold(sum, plus{});
      if (lane == 0) y[c] = sum;
    });
  }
#endif
};

}  // namespace suite
