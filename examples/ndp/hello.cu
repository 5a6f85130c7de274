// The sums of the rows of a ragged table, on a GPU.
#include <cstdio>
#include <thrust/device_vector.h>
#include <vector>

#include <fettle/ndp.hpp>

namespace ndp = fettle::ndp;

struct sum_of {  // a function object: the form that every compiler takes for every platform
  template <typename Row>
  __host__ __device__ auto operator()(Row row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};

int main() {
  thrust::device_vector<double> values = std::vector<double>{1, 2, 3, 4, 5, 6};
  thrust::device_vector<int> row_offsets = std::vector<int>{0, 1, 3, 3, 6};
  thrust::device_vector<double> sums(4);

  auto rows = ndp::nest(ndp::make_sequence(values), ndp::make_sequence(row_offsets));
  ndp::execute(ndp::map(sum_of{}, rows), ndp::make_sequence(sums), ndp::platform::cuda{});

  for (double sum : sums) std::printf("%g\n", sum);  // 1 5 0 15
}
