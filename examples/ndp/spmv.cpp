// spmv [MATRIX]: multiplies a sparse matrix with a vector and compares with the serial loop.
// MATRIX is a Matrix Market file, plain or .xz, or "generate:KIND:key=value,..." (../spmv).
#include "spmv.hpp"

#include <string>

#include "../spmv/generate_by_name.hpp"
#include "../spmv/matrix_market.hpp"
#include "support/program.hpp"
#include "support/random.hpp"

namespace examples {

using csr_matrix = ::spmv::csr_matrix<double>;

std::vector<double> serial_spmv(const csr_matrix& a, const std::vector<double>& x) {
  std::vector<double> y;
  for (std::size_t row = 0; row + 1 < a.row_offsets.size(); ++row) {
    double sum = 0;
    for (auto k = static_cast<std::size_t>(a.row_offsets[row]);
         k < static_cast<std::size_t>(a.row_offsets[row + 1]); ++k) {
      sum += a.values[k] * x[static_cast<std::size_t>(a.columns[k])];
    }
    y.push_back(sum);
  }
  return y;
}

template <typename Platform>
void run(const Platform& on, arguments& given) {
  const std::string name = given.text("generate:power_law:rows=20000,mean=10,exponent=2.2,seed=1");
  given.end();
  const csr_matrix a = name.starts_with(::spmv::generated_prefix)
                           ? ::spmv::generate_by_name(name)
                           : ::spmv::read_matrix_market(name);
  const std::vector<double> x = some_numbers(static_cast<std::size_t>(a.columns_count));
  const std::vector<double> expected = serial_spmv(a, x);

  const auto nonzeros = copy_to(on, a.values);
  const auto columns = copy_to(on, a.columns);
  const auto offsets = copy_to(on, a.row_offsets);
  const auto vector = copy_to(on, x);
  // Poisoned, so that a row that is not written shows.
  auto result = copy_to(on, std::vector<double>(expected.size(), -1e300));

  const csr_sequences<double, ::spmv::index> matrix{read_only(nonzeros), read_only(columns),
                                                    read_only(offsets)};
  const auto call = [&] { spmv(on, matrix, read_only(vector), ndp::make_sequence(result)); };
  const double seconds = seconds_of(on, call);
  require_same("spmv", copy_to_host(result), expected);

#ifndef __CUDACC__
  result.assign(result.size(), -1e300);
  spmv_by_lambdas(on, matrix, read_only(vector), ndp::make_sequence(result));
  require_same("spmv by lambdas", result, expected);
#endif

  report(
      "spmv",
      name + ", " + std::to_string(a.rows) + " rows, " + std::to_string(a.nonzeros()) + " nonzeros",
      seconds);
}

}  // namespace examples

int main(int count, char** values) {
  return examples::run_program("spmv", count, values,
                               [](const auto& on, auto& given) { examples::run(on, given); });
}
