// peak_pairs: y[r] = the two greatest intensities of row r and where in the row they are, of equal
// ones the earlier first; -1 for those that it has not.
//
// float -> struct of 16 bytes. In Fettle: map > reduce(merge) over a nest, of map((intensity, i) ->
// a pair with one peak, row, range(0, size of the row)).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct peak_pairs {
  struct pair {
    float greatest;
    float next;
    index at_greatest;
    index at_next;
  };
  FETTLE_HOST_DEVICE static bool is_before(float a, index at_a, float b, index at_b) {
    return a > b || (a == b && at_a < at_b);
  }
  /// Commutative, because no two peaks are in one place.
  struct merge {
    FETTLE_HOST_DEVICE pair operator()(const pair& a, const pair& b) const {
      const bool swaps = is_before(b.greatest, b.at_greatest, a.greatest, a.at_greatest);
      const pair& high = swaps ? b : a;
      const pair& low = swaps ? a : b;
      const bool keeps = is_before(high.next, high.at_next, low.greatest, low.at_greatest);
      return {high.greatest, keeps ? high.next : low.greatest, high.at_greatest,
              keeps ? high.at_next : low.at_greatest};
    }
  };
  FETTLE_HOST_DEVICE static pair none() { return {-1, -1, -1, -1}; }

  static constexpr const char* name = "peak_pairs";
  static constexpr const char* types = "float";
  static constexpr family shapes = family::rows;
  using output = pair;
  using component = unsigned char;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(4);
    return problem(rows_of(offsets), rows_of(offsets), reals<float>(offsets.back(), 8), offsets);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index r, view<const float> x, view<const index> offsets,
                                      view<pair> y) {
    pair all = none();
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      if (x[k] > all.greatest) {
        all = {x[k], all.greatest, k - offsets[r], all.at_greatest};
      } else if (x[k] > all.next) {
        all.next = x[k];
        all.at_next = k - offsets[r];
      }
    }
    y[r] = all;
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const float> x, view<const index> offsets,
                     view<pair> y) {
    a_warp_a_row(
        on.stream, offsets, none(),
        [=] __device__(index r, index k) { return pair{x[k], -1, k - offsets[r], -1}; }, merge{},
        [=] __device__(index r, const pair& all) { y[r] = all; });
  }
#endif
};

}  // namespace suite
