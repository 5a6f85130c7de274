// Pathfinder (Rodinia): the cheapest way through a grid, row by row. A step is, for every grid of
// a batch and every column, the least of three neighbours and a cost.
#pragma once

#include "measuring.hpp"

namespace thresholds {

struct pathfinder {
  static constexpr const char* name = "pathfinder";

  static index_t elements(const data_set& d) { return d.a * d.b; }
  static std::vector<data_set> data() {
    return {{"1x1024", true, 1, 1024},     {"1x100000", false, 1, 100000},
            {"1x2^20", true, 1, 1 << 20},  {"64x1024", true, 64, 1024},
            {"391x256", false, 391, 256},  {"4096x256", true, 4096, 256},
            {"16x65536", true, 16, 65536}, {"8192x1024", false, 8192, 1024},
            {"65536x32", true, 65536, 32}};
  }

  struct step {
    const float* reached;
    const float* wall;
    index_t columns;
    FETTLE_HOST_DEVICE float operator()(index_t grid, index_t column) const {
      const float* row = reached + grid * columns;
      float least = row[column];
      if (column > 0 && row[column - 1] < least) least = row[column - 1];
      if (column + 1 < columns && row[column + 1] < least) least = row[column + 1];
      return least + wall[grid * columns + column];
    }
  };

  static void run(bench& b) {
    const auto [grids, columns] = std::pair(b.data.a, b.data.b);
    array<float> reached = some_numbers(grids * columns);
    array<float> wall = some_numbers(grids * columns);
    b.maps("step", {grids, columns}, step{pointer_to(reached), pointer_to(wall), columns});
  }
};

}  // namespace thresholds
