// One named computation, of types that a header of the tuner can name: sums of rows.
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"
#endif
#include <fettle/ndp.hpp>
namespace ndp = fettle::ndp;
struct row_sum {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};
int main() {
  const ndp::sequence<const double> values;
  const ndp::sequence<const int> offsets;
  const ndp::sequence<double> sums;
  ndp::execute<"spmv">(ndp::map(row_sum{}, ndp::nest(values, offsets)), sums);
}
