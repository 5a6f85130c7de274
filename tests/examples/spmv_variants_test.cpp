// Every SpMV variant against a plain product in long double, on shapes that break indexing.
#include <functional>
#include <limits>

#include "../../examples/spmv/csr_merge_path.hpp"
#include "../../examples/spmv/csr_openmp_dynamic.hpp"
#include "../../examples/spmv/csr_openmp_static.hpp"
#include "../../examples/spmv/csr_serial.hpp"
#include "../../examples/spmv/eigen_csr.hpp"
#include "../../examples/spmv/sparse_matrix.hpp"
#include "spmv_matrices.hpp"
#include "support/catch.hpp"

namespace {

using spmv_test::named_matrix;

void set_threads([[maybe_unused]] int count) {
#if defined(_OPENMP)
  omp_set_num_threads(count);
#endif
}

/// Runs `multiply(x, y)` on one, two and five threads into poisoned memory with guards around it.
void check(const std::string& variant, const named_matrix& a,
           const std::function<void(std::span<const double>, std::span<double>)>& multiply) {
  const auto x = spmv_test::test_vector(a.matrix.columns_count);
  const auto expected = spmv_test::reference_product(a.matrix, x);
  const auto rows = static_cast<std::size_t>(a.matrix.rows);
  for (const int threads : {1, 2, 5}) {
    set_threads(threads);
    std::vector<double> y(rows + 2, std::numeric_limits<double>::quiet_NaN());
    y[0] = y[rows + 1] = 12345;
    multiply(x, std::span(y).subspan(1, rows));
    INFO(variant << " on " << a.name << ", " << threads << " threads");
    REQUIRE(y[0] == 12345);
    REQUIRE(y[rows + 1] == 12345);
    std::size_t wrong = rows;
    for (std::size_t r = rows; r-- > 0;)
      // Written so that a NaN is wrong.
      if (!(std::abs(y[r + 1] - expected.value[r]) <= 1e-13L * expected.magnitude[r])) wrong = r;
    if (wrong < rows) {
      INFO("row " << wrong << ": " << y[wrong + 1] << " instead of "
                  << double(expected.value[wrong]));
      REQUIRE(wrong == rows);
    }
  }
}

}  // namespace

TEST_CASE("every variant computes the product") {
  using in = std::span<const double>;
  using out = std::span<double>;
  for (const auto& a : spmv_test::matrices()) {
    const auto& csr = a.matrix;
    check("csr_serial", a, [&](in x, out y) { spmv::csr_serial(csr, x, y); });
    check("csr_openmp_static", a, [&](in x, out y) { spmv::csr_openmp_static(csr, x, y); });
    check("csr_openmp_dynamic", a, [&](in x, out y) { spmv::csr_openmp_dynamic(csr, x, y); });
    check("csr_merge_path", a, [&](in x, out y) { spmv::csr_merge_path(csr, x, y); });
    check("eigen_csr", a, [&](in x, out y) { spmv::eigen_csr(csr, x, y); });
    const auto dia = spmv::dia_from_csr(csr, spmv::occupied_diagonals(csr));
    check("dia_serial", a, [&](in x, out y) { spmv::dia_serial(dia, x, y); });
    check("dia_openmp", a, [&](in x, out y) { spmv::dia_openmp(dia, x, y); });
    const auto ell = spmv::ell_from_csr(csr, spmv::longest_row(csr));
    check("ell_serial", a, [&](in x, out y) { spmv::ell_serial(ell, x, y); });
    check("ell_openmp", a, [&](in x, out y) { spmv::ell_openmp(ell, x, y); });
    const auto sell = spmv::sell_from_csr(csr);
    check("sell_serial", a, [&](in x, out y) { spmv::sell_serial(sell, x, y); });
    check("sell_openmp", a, [&](in x, out y) { spmv::sell_openmp(sell, x, y); });
  }
}

TEST_CASE("variants work on float too") {
  const auto source = spmv::generate_by_name("generate:banded:rows=40,width=5,density=0.7,seed=1");
  spmv::csr_matrix<float> a;
  a.rows = source.rows;
  a.columns_count = source.columns_count;
  a.row_offsets = source.row_offsets;
  a.columns = source.columns;
  for (std::size_t k = 0; k < source.values.size(); ++k) a.values.push_back(float(k % 5) - 2);
  std::vector<float> x;
  for (int i = 0; i < a.columns_count; ++i) x.push_back(float(i % 7) + 0.5f);
  // Small multiples of 1/2 are exact, so that every order of summation gives the same result.
  std::vector<float> expected;
  for (std::size_t r = 0; r < static_cast<std::size_t>(a.rows); ++r) {
    expected.push_back(0);
    for (auto k = static_cast<std::size_t>(a.row_offsets[r]);
         k < static_cast<std::size_t>(a.row_offsets[r + 1]); ++k)
      expected.back() += a.values[k] * x[static_cast<std::size_t>(a.columns[k])];
  }
  const auto result_of = [&](auto&& multiply) {
    std::vector<float> y(static_cast<std::size_t>(a.rows), -77.0f);
    multiply(y);
    return y;
  };
  using vec = std::vector<float>;
  CHECK(result_of([&](vec& y) { spmv::csr_serial(a, x, y); }) == expected);
  CHECK(result_of([&](vec& y) { spmv::csr_openmp_static(a, x, y); }) == expected);
  CHECK(result_of([&](vec& y) { spmv::csr_openmp_dynamic(a, x, y); }) == expected);
  CHECK(result_of([&](vec& y) { spmv::csr_merge_path(a, x, y); }) == expected);
  CHECK(result_of([&](vec& y) { spmv::eigen_csr(a, x, y); }) == expected);
  const auto dia = spmv::dia_from_csr(a, spmv::occupied_diagonals(a));
  CHECK(result_of([&](vec& y) { spmv::dia_serial(dia, x, y); }) == expected);
  const auto ell = spmv::ell_from_csr(a, spmv::longest_row(a));
  CHECK(result_of([&](vec& y) { spmv::ell_serial(ell, x, y); }) == expected);
  const auto sell = spmv::sell_from_csr(a);
  CHECK(result_of([&](vec& y) { spmv::sell_serial(sell, x, y); }) == expected);
}

TEST_CASE("padding reads no element of x that its row does not read") {
  // Column 0 is used by no row: an infinity there must not reach the result.
  const std::vector<spmv::entry<double>> entries = {{0, 1, 2}, {0, 2, 3}, {1, 2, 4}, {2, 1, 5}};
  const auto csr = spmv::csr_from_entries<double>(3, 3, entries);
  const std::vector<double> x = {std::numeric_limits<double>::infinity(), 1, 10};
  const std::vector<double> expected = {32, 40, 5};
  std::vector<double> y(3);
  spmv::ell_serial(spmv::ell_from_csr(csr, spmv::longest_row(csr)), x, y);
  CHECK(y == expected);
  spmv::sell_serial(spmv::sell_from_csr(csr), x, y);
  CHECK(y == expected);
}

TEST_CASE("merge path shares are equal and cover everything once") {
  for (const auto& a : spmv_test::matrices()) {
    const std::span<const spmv::index> row_ends(a.matrix.row_offsets.data() + 1,
                                                static_cast<std::size_t>(a.matrix.rows));
    const std::int64_t work = std::int64_t{a.matrix.rows} + a.matrix.nonzeros();
    spmv::merge_point last = {0, 0};
    for (std::int64_t diagonal = 0; diagonal <= work; diagonal += 1 + work / 50) {
      const auto point = spmv::merge_path_point(row_ends, a.matrix.nonzeros(), diagonal);
      INFO(a.name << ", diagonal " << diagonal << " of " << work);
      REQUIRE(std::int64_t{point.row} + point.nonzero == diagonal);
      REQUIRE(point.row >= last.row);
      REQUIRE(point.nonzero >= last.nonzero);
      // The finished rows end within the nonzeros that are used up; the next one does not.
      if (point.row > 0)
        REQUIRE(row_ends[static_cast<std::size_t>(point.row - 1)] <= point.nonzero);
      if (point.row < a.matrix.rows)
        REQUIRE(row_ends[static_cast<std::size_t>(point.row)] >= point.nonzero);
      last = point;
    }
    const auto end = spmv::merge_path_point(row_ends, a.matrix.nonzeros(), work);
    REQUIRE(end.row == a.matrix.rows);
    REQUIRE(end.nonzero == a.matrix.nonzeros());
  }
}
