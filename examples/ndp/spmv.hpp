// Sparse matrix times vector, y = A x, for A in CSR form: the paper's listings 1 and 8.
//
// A map over the rows whose function returns a reduce: map > reduce. The gather and the map inside
// the reduce are fused into it; no temporary is made.
#pragma once

#include <fettle/ndp.hpp>

namespace examples {

namespace ndp = fettle::ndp;

/// A matrix in CSR form, as views.
template <typename Value, typename Index>
struct csr_sequences {
  ndp::sequence<const Value> nonzeros;
  ndp::sequence<const Index> column_indices;
  ndp::sequence<const Index> row_offsets;
};

/// One row of the matrix times the vector. Lambdas would do on the processor (see below); nvcc
/// wants a named function object.
template <typename Value>
struct row_times_vector {
  ndp::sequence<const Value> vector;

  template <typename Row, typename IndexRow>
  FETTLE_HOST_DEVICE auto operator()(Row row, IndexRow indices) const {
    // Gather elements from the vector
    auto z = ndp::gather(vector, indices);
    // Element-wise multiplication of the vector with the row
    auto vector_mul = ndp::map(ndp::multiplies{}, row, z);
    // Sum up elements to obtain the dot product
    return ndp::reduce(ndp::plus{}, vector_mul, Value(0));
  }
};

/// s_result[i] = sum over row i's k of nonzeros[k] * s_vector[column_indices[k]].
template <typename Platform, typename Value, typename Index>
void spmv(const Platform& on, const csr_sequences<Value, Index>& a,
          ndp::sequence<const Value> s_vector, ndp::sequence<Value> s_result) {
  auto s_matrix = ndp::nest(a.nonzeros, a.row_offsets);
  auto s_indices = ndp::nest(a.column_indices, a.row_offsets);
  auto spmv = ndp::map(row_times_vector<Value>{s_vector}, s_matrix, s_indices);
  ndp::execute<"spmv">(spmv, s_result, on);
}

#ifndef __CUDACC__

/// The same, as the paper's listing 1 spells it.
template <typename Platform, typename value_t, typename Index>
void spmv_by_lambdas(const Platform& on, const csr_sequences<value_t, Index>& a,
                     ndp::sequence<const value_t> s_vector, ndp::sequence<value_t> s_result) {
  using namespace fettle::ndp;
  auto s_matrix = nest(a.nonzeros, a.row_offsets);
  auto s_indices = nest(a.column_indices, a.row_offsets);
  using row_t = decltype(s_matrix[0]);
  using index_row_t = decltype(s_indices[0]);

  auto spmv = map(
      [=](row_t row, index_row_t indices) {
        auto mul = [](value_t x, value_t y) { return x * y; };
        auto plus = [](value_t x, value_t y) { return x + y; };
        auto z = gather(s_vector, indices);
        auto vector_mul = map(mul, row, z);
        return reduce(plus, vector_mul, value_t(0));
      },
      s_matrix, s_indices);

  execute(spmv, s_result, on);
}

#endif

}  // namespace examples
