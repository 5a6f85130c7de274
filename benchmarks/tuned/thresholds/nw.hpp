// NW (Rodinia): Needleman and Wunsch's alignment of pairs of sequences. A row of the table of
// scores is a scan: the gaps along the row are a running maximum. One row for every pair.
#pragma once

#include "measuring.hpp"

namespace thresholds {

struct nw {
  static constexpr const char* name = "nw";

  static index_t elements(const data_set& d) { return d.a * d.b; }
  static std::vector<data_set> data() {
    return {{"1x512", true, 1, 512},       {"1x2048", false, 1, 2048},
            {"1x65536", true, 1, 65536},   {"1x2^20", true, 1, 1 << 20},
            {"64x512", true, 64, 512},     {"1024x1024", false, 1024, 1024},
            {"4096x128", true, 4096, 128}, {"16384x64", true, 16384, 64},
            {"256x8192", false, 256, 8192}};
  }

  struct scored {
    const float* above;
    const float* similarity;
    index_t length;
    FETTLE_HOST_DEVICE float operator()(index_t pair, index_t i) const {
      const index_t at = pair * length + i;
      const float diagonal = i > 0 ? above[at - 1] + similarity[at] : 0.0F;
      const float gap = above[at] - 0.1F;
      return (diagonal > gap ? diagonal : gap) + 0.1F * static_cast<float>(i);
    }
  };

  static void run(bench& b) {
    const auto [pairs, length] = std::pair(b.data.a, b.data.b);
    array<float> above = some_numbers(pairs * length);
    array<float> similarity = some_numbers(pairs * length);
    b.scans("row of scores", {pairs, length}, ndp::maximum{}, -1e30F,
            scored{pointer_to(above), pointer_to(similarity), length});
  }
};

}  // namespace thresholds
