// read_mismatches: y[r] = the number of elements in which the reads a and b of row r differ.
//
// two bytes -> int. In Fettle: map > reduce(plus) over two nests, of map(differs, row a, row b).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct read_mismatches {
  static constexpr const char* name = "read_mismatches";
  static constexpr const char* types = "2 x byte";
  static constexpr family shapes = family::rows;
  using output = index;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(2);
    const auto base = [](std::uint64_t k, std::uint64_t seed) {
      return static_cast<std::uint8_t>("ACGT"[fb::hash(k, seed) % 4]);
    };
    const auto a = filled(offsets.back(), [=](std::uint64_t k) { return base(k, 5); });
    const auto b = filled(
        offsets.back(), [=](std::uint64_t k) { return base(k, fb::hash(k, 6) % 8 == 0 ? 7 : 5); });
    return problem(rows_of(offsets), rows_of(offsets), a, b, offsets);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index r, view<const std::uint8_t> a,
                                      view<const std::uint8_t> b, view<const index> offsets,
                                      view<index> y) {
    index count = 0;
#pragma omp simd reduction(+ : count)
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) count += a[k] != b[k] ? 1 : 0;
    y[r] = count;
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const std::uint8_t> a, view<const std::uint8_t> b,
                     view<const index> offsets, view<index> y) {
    a_warp_a_row(
        on.stream, offsets, 0, [=] __device__(index, index k) { return a[k] != b[k] ? 1 : 0; },
        plus{}, [=] __device__(index r, index count) { y[r] = count; });
  }
#endif
};

}  // namespace suite
