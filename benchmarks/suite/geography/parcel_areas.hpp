// parcel_areas: y[r] = twice the signed area of the polygon whose corners are row r: the sum of
// x[k] y[k'] - x[k'] y[k], where k' is the next corner, of the last one the first.
//
// struct of 2 ints (8 bytes) -> 64 bits. In Fettle: map > reduce(plus) over a nest, of map(i -> the
// term of corner i, range(0, size of the row)).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct parcel_areas {
  struct corner {
    std::int32_t x;
    std::int32_t y;
  };
  FETTLE_HOST_DEVICE static std::int64_t cross(const corner& a, const corner& b) {
    return std::int64_t{a.x} * b.y - std::int64_t{b.x} * a.y;
  }

  static constexpr const char* name = "parcel_areas";
  static constexpr const char* types = "8 bytes";
  static constexpr family shapes = family::rows;
  using output = std::int64_t;

  /// Decimetres of a national grid.
  static auto make(const shape& like) {
    const auto offsets = like.offsets(8);
    const auto corners = filled(offsets.back(), [](std::uint64_t k) {
      return corner{static_cast<std::int32_t>(7e6 * fb::unit(k, 1)),
                    static_cast<std::int32_t>(13e6 * fb::unit(k, 2))};
    });
    return problem(rows_of(offsets), rows_of(offsets), corners, offsets);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index r, view<const corner> p, view<const index> offsets,
                                      view<std::int64_t> y) {
    const index first = offsets[r];
    const index last = offsets[r + 1];
    std::int64_t sum = 0;
    for (index k = first; k + 1 < last; ++k) sum += cross(p[k], p[k + 1]);
    if (first < last) sum += cross(p[last - 1], p[first]);
    y[r] = sum;
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const corner> p, view<const index> offsets,
                     view<std::int64_t> y) {
    a_warp_a_row(
        on.stream, offsets, std::int64_t{0},
        [=] __device__(index r, index k) {
          return cross(p[k], p[k + 1 < offsets[r + 1] ? k + 1 : offsets[r]]);
        },
        plus{}, [=] __device__(index r, std::int64_t sum) { y[r] = sum; });
  }
#endif
};

}  // namespace suite
