// A sparse matrix times a vector, in the platform's memory and with statistics of the rows, for the
// programs that compare ways to compute it. Results are exact: all numbers are small integers.
#pragma once

#include <fettle/ndp/shape/inspect_rows.hpp>

#include "../../common/ndp/computations.hpp"
#include "../common/bench.hpp"
#include "matrix.hpp"

namespace ndp_tuned {

using examples::read_only;

struct matrix_times_vector {
  template <typename T>
  using vector = examples::vector_on<platform_type, T>;

  std::string text;  // of the matrix, see matrix.hpp
  platform_type on;
  fb::csr a = make_matrix(text);
  std::vector<std::int32_t> expected = fb::serial_product(a);
  vector<double> values = numbers(a.nonzeros(), fb::values_seed);
  vector<double> x = numbers(a.columns_count, fb::vector_seed);
  vector<double> y = vector<double>(expected.size());
  vector<fb::index> columns = examples::copy_to(on, a.columns);
  vector<fb::index> offsets = examples::copy_to(on, a.offsets);
  ndp::row_statistics known =
      ndp::inspect_rows(ndp::nest(read_only(values), read_only(offsets)), on);

  /// A x by what is told of the rows.
  [[nodiscard]] auto expression(const ndp::row_statistics& told) const {
    return fb::sparse_product(read_only(values), read_only(columns), read_only(offsets),
                              read_only(x), told);
  }

  /// `run` is the first contender.
  [[nodiscard]] fb::comparison comparison(const char* work, std::function<void()> run) {
    return {
        {work, text, "double", a.rows(), a.nonzeros(), a.least_bytes(sizeof(double)), a.generated},
        {{our_name, fb::kind::ours, std::move(run)}},
        [this] { poison(y); },
        [this] { return holds(y, expected); }};
  }

  [[nodiscard]] vector<double> numbers(fb::index count, std::uint64_t seed) const {
    return examples::copy_to(on, fb::small_integers<double>(static_cast<std::size_t>(count), seed));
  }
};

}  // namespace ndp_tuned
