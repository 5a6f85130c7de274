// row_norms ROWS LENGTH even|ragged: the sum of squares of each row of a table, compared with a
// serial loop. Rows have LENGTH elements on average; ragged ones from none to many times that.
//
// The computation has a name, so `fettle ndp tune` can tune it (tune.py). Nothing else is needed:
// the header that tuning writes may be included, as below, or named by the compiler's -include.
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <fettle/ndp.hpp>

#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"
#endif

namespace ndp = fettle::ndp;

struct square {
  double operator()(double x) const { return x * x; }
};

struct sum_of_squares {
  template <typename Row>
  auto operator()(Row row) const {
    return ndp::reduce(ndp::plus{}, ndp::map(square{}, row), 0.0);
  }
};

struct table {
  std::vector<double> values;
  std::vector<int> row_offsets{0};
};

table make_table(int rows, int length, bool ragged) {
  table made;
  for (int row = 0; row < rows; ++row) {
    const int here = !ragged ? length : row % 32 == 0 ? 24 * length : row % 4 * length / 6;
    for (int k = 0; k < here; ++k) made.values.push_back(1.0 / (1 + (row + k) % 7));
    made.row_offsets.push_back(static_cast<int>(made.values.size()));
  }
  return made;
}

int main(int count, char** arguments) {
  if (count != 4) {
    std::fprintf(stderr, "usage: row_norms ROWS LENGTH even|ragged\n");
    return 2;
  }
  try {
    const int rows = std::stoi(arguments[1]);
    const table t =
        make_table(rows, std::stoi(arguments[2]), std::string(arguments[3]) == "ragged");
    std::vector<double> norms(static_cast<std::size_t>(rows), -1.0);

    const auto nested = ndp::nest(ndp::make_sequence(t.values), ndp::make_sequence(t.row_offsets));
    ndp::execute<"row_norms">(ndp::map(sum_of_squares{}, nested), ndp::make_sequence(norms),
                              ndp::platform::openmp{});

    for (std::size_t row = 0; row < norms.size(); ++row) {
      double expected = 0.0;
      for (int k = t.row_offsets[row]; k < t.row_offsets[row + 1]; ++k) {
        const double x = t.values[static_cast<std::size_t>(k)];
        expected += x * x;
      }
      // Written so that a NaN fails.
      if (!(std::abs(norms[row] - expected) <= 1e-12 * (1.0 + expected))) {
        std::fprintf(stderr, "row %zu is %.17g instead of %.17g\n", row, norms[row], expected);
        return 1;
      }
    }
    std::printf("%d rows as the serial loop has them\n", rows);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "row_norms: %s\n", problem.what());
    return 1;
  }
}
