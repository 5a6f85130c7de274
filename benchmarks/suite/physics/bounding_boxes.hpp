// bounding_boxes: y[r] = the least and greatest coordinates of the points of row r; (3e38, -3e38)
// where it is empty.
//
// struct of 3 floats (12 bytes) -> struct of 6 floats (24 bytes). In Fettle: map > reduce(unite)
// over a nest, of map(p -> (p, p)).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct bounding_boxes {
  struct point {
    float at[3];
  };
  struct box {
    float least[3];
    float greatest[3];
  };
  struct unite {
    FETTLE_HOST_DEVICE box operator()(const box& a, const box& b) const {
      box all;
      for (int i = 0; i < 3; ++i) {
        all.least[i] = minimum{}(a.least[i], b.least[i]);
        all.greatest[i] = maximum{}(a.greatest[i], b.greatest[i]);
      }
      return all;
    }
  };
  FETTLE_HOST_DEVICE static box empty() {
    return {{3e38f, 3e38f, 3e38f}, {-3e38f, -3e38f, -3e38f}};
  }

  static constexpr const char* name = "bounding_boxes";
  static constexpr const char* types = "12 bytes";
  static constexpr family shapes = family::rows;
  using output = box;
  using component = float;
  static constexpr double tolerance = 0;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(12);
    const auto points = filled(offsets.back(), [](std::uint64_t k) {
      return point{{float(fb::unit(k, 9)), float(fb::unit(k, 10)), float(fb::unit(k, 11))}};
    });
    return problem(rows_of(offsets), rows_of(offsets), points, offsets);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index r, view<const point> p, view<const index> offsets,
                                      view<box> y) {
    box all = empty();
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      for (int i = 0; i < 3; ++i) {
        all.least[i] = minimum{}(all.least[i], p[k].at[i]);
        all.greatest[i] = maximum{}(all.greatest[i], p[k].at[i]);
      }
    }
    y[r] = all;
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const point> p, view<const index> offsets,
                     view<box> y) {
    a_warp_a_row(
        on.stream, offsets, empty(),
        [=] __device__(index, index k) {
          const point a = p[k];
          return box{{a.at[0], a.at[1], a.at[2]}, {a.at[0], a.at[1], a.at[2]}};
        },
        unite{}, [=] __device__(index r, const box& all) { y[r] = all; });
  }
#endif
};

}  // namespace suite
