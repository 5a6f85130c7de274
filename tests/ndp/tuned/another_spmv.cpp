// A shard of another program, whose computation has the same name.
#include <fettle/ndp.hpp>

namespace ndp = fettle::ndp;

struct row_total {
  auto operator()(const ndp::sequence<const float>& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0F);
  }
};

void run(const ndp::sequence<const float>& x, const ndp::sequence<float>& y) {
  ndp::execute<"spmv">(ndp::map(row_total{}, ndp::split(x, 4)), y, ndp::platform::openmp{});
}
