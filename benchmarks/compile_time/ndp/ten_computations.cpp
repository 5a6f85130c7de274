// Ten computations of different shapes in one file, for OpenMP, or for CUDA where nvcc compiles it.
#include <fettle/ndp.hpp>

namespace ndp = fettle::ndp;

#ifdef __CUDACC__
using platform = ndp::platform::cuda;
#else
using platform = ndp::platform::openmp;
#endif

using doubles = ndp::sequence<const double>;
using ints = ndp::sequence<const int>;

struct scaled_sum {
  double factor;
  FETTLE_HOST_DEVICE double operator()(double x, double y) const { return factor * x + y; }
};
struct doubled {
  FETTLE_HOST_DEVICE double operator()(double x) const { return 2 * x; }
};
struct is_positive {
  FETTLE_HOST_DEVICE bool operator()(double x) const { return x > 0; }
};
struct window_sum {
  template <typename Window>
  FETTLE_HOST_DEVICE auto operator()(const Window& window) const {
    return ndp::reduce(ndp::plus{}, window, 0.0);
  }
};
struct row_dot {
  doubles x;
  FETTLE_HOST_DEVICE auto operator()(const doubles& row, const ints& columns) const {
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, row, ndp::gather(x, columns)), 0.0);
  }
};
struct row_largest {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::maximum{}, row, 0.0);
  }
};
struct row_doubled {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::map(doubled{}, row);
  }
};
struct row_running_sums {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::inclusive_scan(ndp::plus{}, row, 0.0);
  }
};

double compute(doubles x, doubles y, ints columns, ints offsets, ndp::sequence<double> results,
               ndp::sequence<int> counts) {
  const platform on{};
  const auto rows = ndp::nest(x, offsets);
  ndp::execute(ndp::map(scaled_sum{2.0}, x, y), results, on);
  const double sum = ndp::execute(ndp::reduce(ndp::plus{}, x, 0.0), on);
  ndp::execute(ndp::inclusive_scan(ndp::plus{}, x, 0.0), results, on);
  ndp::execute(ndp::map(row_dot{y}, rows, ndp::nest(columns, offsets)), results, on);
  ndp::execute(ndp::map(row_largest{}, rows), results, on);
  ndp::execute(ndp::map(row_doubled{}, rows), ndp::nest(results, offsets), on);
  ndp::execute(ndp::map(row_running_sums{}, rows), ndp::nest(results, offsets), on);
  ndp::execute(ndp::filter(is_positive{}, x), results, on);
  ndp::execute(ndp::histogram(columns, counts.size()), counts, on);
  ndp::execute(ndp::map(window_sum{}, ndp::windows(x, 5)), results, on);
  return sum;
}
