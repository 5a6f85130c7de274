// The matrices that the tests of the SpMV example share, and a reference product to judge by.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "../../examples/spmv/generate_by_name.hpp"

namespace spmv_test {

struct named_matrix {
  std::string name;
  spmv::csr_matrix<double> matrix;
};

/// A matrix from the lengths of its rows, with columns spread over `columns`.
inline spmv::csr_matrix<double> from_row_lengths(const std::vector<int>& lengths, int columns) {
  std::vector<spmv::entry<double>> entries;
  for (int r = 0; r < static_cast<int>(lengths.size()); ++r)
    for (int k = 0; k < lengths[static_cast<std::size_t>(r)]; ++k)
      entries.push_back({r, (k * 7 + r * 3) % columns, 1.0 + 0.25 * k - 0.5 * r});
  return spmv::csr_from_entries<double>(static_cast<int>(lengths.size()), columns, entries);
}

/// Sizes 0, 1, 2 and powers of two with their neighbours; skewed, empty, tall and wide ones.
inline std::vector<named_matrix> matrices() {
  std::vector<named_matrix> all;
  all.push_back({"0 x 0", from_row_lengths({}, 1)});
  all.back().matrix.columns_count = 0;
  all.push_back({"0 x 5", from_row_lengths({}, 5)});
  all.push_back({"5 x 0", spmv::csr_from_entries<double>(5, 0, {})});
  all.push_back({"empty 7 x 3", from_row_lengths({0, 0, 0, 0, 0, 0, 0}, 3)});
  all.push_back({"first row only", from_row_lengths({9, 0, 0, 0, 0}, 9)});
  all.push_back({"last row only", from_row_lengths({0, 0, 0, 0, 9}, 9)});
  all.push_back({"one long row", from_row_lengths({1, 0, 1000, 0, 0, 3, 1}, 1001)});
  for (const int n : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 255, 257}) {
    const std::string size = std::to_string(n);
    for (const std::string& name :
         {"uniform:rows=" + size + ",columns=" + size + ",mean=3,spread=3,reach=0",
          "uniform:rows=" + size + ",columns=" + size + ",mean=2,spread=0,reach=0",
          "uniform:rows=" + size + ",columns=1000,mean=40,spread=20,reach=0",
          "uniform:rows=1000,columns=" + size + ",mean=2,spread=1,reach=0",
          "banded:rows=" + size + ",width=9,density=0.8",
          "banded:rows=" + size + ",width=1,density=1",
          "diagonals:rows=" + size + ",count=4,reach=" + size,
          "power_law:rows=" + size + ",mean=6,exponent=1.3",
          "long_rows:rows=" + size + ",mean=2,count=2,fill=0.9",
          "empty_rows:rows=" + size + ",mean=3,empty=0.7"})
      all.push_back({name, spmv::generate_by_name("generate:" + name + ",seed=5")});
  }
  for (const char* name :
       {"stencil:points=5,side=33", "stencil:points=9,side=20", "stencil:points=7,side=9",
        "stencil:points=27,side=8", "finite_elements:nodes=300,block=3,neighbours=8",
        "block_diagonal:blocks=20,size=30", "power_law:rows=5000,mean=10,exponent=1.2"})
    all.push_back({name, spmv::generate_by_name(std::string("generate:") + name + ",seed=6")});
  return all;
}

/// The vector that the tests multiply with.
inline std::vector<double> test_vector(int size) {
  std::vector<double> x;
  for (int i = 0; i < size; ++i) x.push_back(1.0 + (i * 37 % 101) / 101.0);
  return x;
}

/// A product and, for each row, the sum of the terms' magnitudes, which bounds any rounding.
struct product {
  std::vector<long double> value;
  std::vector<long double> magnitude;
};

inline product reference_product(const spmv::csr_matrix<double>& a, const std::vector<double>& x) {
  product y{std::vector<long double>(static_cast<std::size_t>(a.rows)),
            std::vector<long double>(static_cast<std::size_t>(a.rows))};
  for (std::size_t r = 0; r + 1 < a.row_offsets.size(); ++r)
    for (auto k = static_cast<std::size_t>(a.row_offsets[r]);
         k < static_cast<std::size_t>(a.row_offsets[r + 1]); ++k) {
      const auto term = static_cast<long double>(a.values[k]) *
                        static_cast<long double>(x[static_cast<std::size_t>(a.columns[k])]);
      y.value[r] += term;
      y.magnitude[r] += std::abs(term);
    }
  return y;
}

}  // namespace spmv_test
