// The SpMV example: both spellings of listing 1 against the serial loop.
#include <vector>

#include "spmv.hpp"
#include "support/catch.hpp"
#include "support/platform.hpp"

namespace {

using examples::read_only;
using fettle::ndp::make_sequence;
constexpr fettle::ndp::platform::openmp on_openmp;

// A small matrix in CSR form and the vector to multiply it with.
struct product {
  std::vector<double> nonzeros;
  std::vector<int> columns;
  std::vector<int> offsets;
  std::vector<double> x;
};

std::vector<double> serial(const product& p) {
  std::vector<double> y;
  for (std::size_t row = 0; row + 1 < p.offsets.size(); ++row) {
    y.push_back(0);
    for (int k = p.offsets[row]; k < p.offsets[row + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      y.back() += p.nonzeros[at] * p.x[static_cast<std::size_t>(p.columns[at])];
    }
  }
  return y;
}

void check(const product& p) {
  const examples::csr_sequences<double, int> a{read_only(p.nonzeros), read_only(p.columns),
                                               read_only(p.offsets)};
  const std::vector<double> expected = serial(p);
  std::vector<double> y(expected.size(), -1);
  examples::spmv(on_openmp, a, read_only(p.x), make_sequence(y));
  CHECK(y == expected);
  y.assign(y.size(), -1);
  examples::spmv_by_lambdas(on_openmp, a, read_only(p.x), make_sequence(y));
  CHECK(y == expected);
}

}  // namespace

TEST_CASE("spmv multiplies rows of any length") {
  // Whole numbers, so that the order of a sum does not matter.
  check({{1, 2, 3, 4, 5}, {0, 2, 1, 0, 2}, {0, 2, 2, 3, 5, 5}, {10, 20, 30}});
}

TEST_CASE("spmv of rows that are all empty is zero") { check({{}, {}, {0, 0, 0, 0}, {1, 2}}); }

TEST_CASE("spmv without rows does nothing") { check({{}, {}, {0}, {1}}); }

TEST_CASE("spmv takes one long row among many short ones") {
  product p{{}, {}, {0}, {}};
  for (int row = 0; row < 300; ++row) {
    const int length = row == 150 ? 5000 : row % 3;
    for (int k = 0; k < length; ++k) {
      p.nonzeros.push_back((row + k) % 7 - 3);
      p.columns.push_back((row * 31 + k) % 5000);
    }
    p.offsets.push_back(static_cast<int>(p.nonzeros.size()));
  }
  for (int i = 0; i < 5000; ++i) p.x.push_back(i % 11);
  check(p);
}
