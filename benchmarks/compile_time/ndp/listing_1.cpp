// The paper's listing 1, for OpenMP, or for CUDA where nvcc compiles it.
#include <fettle/ndp.hpp>

namespace ndp = fettle::ndp;

struct row_dot {
  ndp::sequence<const double> x;

  template <typename Row, typename Columns>
  FETTLE_HOST_DEVICE auto operator()(const Row& row, const Columns& columns) const {
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, row, ndp::gather(x, columns)), 0.0);
  }
};

#ifdef __CUDACC__
using platform = ndp::platform::cuda;
#else
using platform = ndp::platform::openmp;
#endif

void multiply(ndp::sequence<const double> values, ndp::sequence<const int> columns,
              ndp::sequence<const int> offsets, ndp::sequence<const double> x,
              ndp::sequence<double> y) {
  ndp::execute<"spmv">(
      ndp::map(row_dot{x}, ndp::nest(values, offsets), ndp::nest(columns, offsets)), y, platform{});
}
