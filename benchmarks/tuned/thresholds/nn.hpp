// NN (Rodinia): the nearest of all records, for each query.
#pragma once

#include "measuring.hpp"

namespace thresholds {

struct nn {
  static constexpr const char* name = "nn";

  static index_t elements(const data_set& d) { return d.a * d.b; }
  static std::vector<data_set> data() {
    return {{"1x855280", false, 1, 855280}, {"1x65536", true, 1, 65536},
            {"1x2^21", true, 1, 1 << 21},   {"16x32768", true, 16, 32768},
            {"256x1024", true, 256, 1024},  {"128x16384", false, 128, 16384},
            {"4096x256", true, 4096, 256},  {"4096x128", false, 4096, 128},
            {"65536x64", true, 65536, 64}};
  }

  struct distance {
    const float* latitudes;
    const float* longitudes;
    const float* queries;
    FETTLE_HOST_DEVICE float operator()(index_t query, index_t record) const {
      const float north = latitudes[record] - queries[2 * query];
      const float east = longitudes[record] - queries[2 * query + 1];
      return sqrtf(north * north + east * east);
    }
  };

  static void run(bench& b) {
    const auto [queries, records] = std::pair(b.data.a, b.data.b);
    array<float> latitudes = some_numbers(records);
    array<float> longitudes = some_numbers(records);
    array<float> asked = some_numbers(2 * queries);
    b.reduces("distances", {queries, records}, ndp::minimum{}, 1e30F,
              distance{pointer_to(latitudes), pointer_to(longitudes), pointer_to(asked)});
  }
};

}  // namespace thresholds
