// The sums of the rows of a ragged table, in parallel.
#include <cstdio>
#include <vector>

#include <fettle/ndp.hpp>

namespace ndp = fettle::ndp;

int main() {
  std::vector<double> values = {1, 2, 3, 4, 5, 6};
  std::vector<int> row_offsets = {0, 1, 3, 3, 6};  // rows of 1, 2, 0 and 3 values
  std::vector<double> sums(4);

  auto rows = ndp::nest(ndp::make_sequence(values), ndp::make_sequence(row_offsets));
  auto row_sums = ndp::map([](auto row) { return ndp::reduce(ndp::plus{}, row, 0.0); }, rows);
  ndp::execute(row_sums, ndp::make_sequence(sums), ndp::platform::openmp{});

  for (double sum : sums) std::printf("%g\n", sum);  // 1 5 0 15
}
