// The functions of the benchmark of several GPUs.
#pragma once

#include <cstdint>

#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda_devices.hpp>

namespace devices_benchmark {

namespace ndp = fettle::ndp;
using ndp::index_t;

struct scrambled {
  double factor;
  FETTLE_HOST_DEVICE double operator()(index_t i) const {
    return factor * static_cast<double>((i * std::int64_t{2654435761}) & 1023);
  }
};
struct line {
  FETTLE_HOST_DEVICE double operator()(double x) const { return 2 * x + 1; }
};
struct row_sum {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};
struct heat_step {
  template <typename Neighbours>
  FETTLE_HOST_DEVICE double operator()(const Neighbours& n) const {
    return n(0, 0) + 0.1 * (n(-1, 0) + n(1, 0) + n(0, -1) + n(0, 1) - 4 * n(0, 0));
  }
};

// A matrix with 13 to 27 entries a row.
inline constexpr index_t entries_a_row = 20;
struct row_offset {
  FETTLE_HOST_DEVICE int operator()(index_t i) const {
    return static_cast<int>(i * entries_a_row + (i & 7));
  }
};
struct entry_column {
  index_t columns;
  FETTLE_HOST_DEVICE int operator()(index_t i) const {
    return static_cast<int>((i / entries_a_row + i * 7919 % 4001) % columns);
  }
};
struct row_dot {
  ndp::cuda_devices::replica<double> x;
  row_dot for_part(int part) const { return {x.for_part(part)}; }
  template <typename Row, typename Columns>
  FETTLE_HOST_DEVICE auto operator()(const Row& row, const Columns& columns) const {
    return ndp::reduce(ndp::plus{},
                       ndp::map(ndp::multiplies{}, row, ndp::gather(x.read(), columns)), 0.0);
  }
};
struct key_of_entry {
  FETTLE_HOST_DEVICE int operator()(index_t i) const { return static_cast<int>(i / 37); }
};

// One step of k-means with four clusters in the plane.
inline constexpr int clusters = 4;
struct point {
  double x, y;
};
struct cluster_sums {
  double x[clusters];
  double y[clusters];
  double count[clusters];
};
struct add_sums {
  static constexpr bool is_commutative = true;
  template <typename T>
  FETTLE_HOST_DEVICE static constexpr T identity() {
    return T{};
  }
  FETTLE_HOST_DEVICE cluster_sums operator()(const cluster_sums& a, const cluster_sums& b) const {
    cluster_sums sum;
    for (int k = 0; k < clusters; ++k) {
      sum.x[k] = a.x[k] + b.x[k];
      sum.y[k] = a.y[k] + b.y[k];
      sum.count[k] = a.count[k] + b.count[k];
    }
    return sum;
  }
};
struct to_nearest {
  point centre[clusters] = {{1, 2}, {300, 20}, {500, 700}, {900, 100}};
  FETTLE_HOST_DEVICE cluster_sums operator()(double x, double y) const {
    int nearest = 0;
    double least = 1e300;
    for (int k = 0; k < clusters; ++k) {
      const double dx = x - centre[k].x;
      const double dy = y - centre[k].y;
      if (dx * dx + dy * dy < least) {
        least = dx * dx + dy * dy;
        nearest = k;
      }
    }
    cluster_sums one;
    for (int k = 0; k < clusters; ++k) {
      const double here = k == nearest ? 1.0 : 0.0;
      one.x[k] = here * x;
      one.y[k] = here * y;
      one.count[k] = here;
    }
    return one;
  }
};

}  // namespace devices_benchmark
