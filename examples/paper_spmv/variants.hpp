// The six variants, in the form of figure 2.2: function objects derived from variant_type that
// return the seconds they took.
#pragma once

#include <algorithm>
#include <cstddef>

#include <fettle/measure/timer.hpp>
#include <fettle/variant.hpp>

namespace MySparse {

/// A row at a time, four partial sums a row.
template <typename HostMatrix>
struct csr_vector_type : fettle::variant_type<HostMatrix*> {
  double operator()(HostMatrix* matrix) override {
    const fettle::timer clock;
    for (std::size_t i = 0; i < matrix->rows; ++i) {
      double sums[4] = {0.0, 0.0, 0.0, 0.0};
      const std::size_t end = matrix->row_offsets[i + 1];
      std::size_t k = matrix->row_offsets[i];
      for (; k + 4 <= end; k += 4) {
        for (std::size_t lane = 0; lane < 4; ++lane) {
          sums[lane] += matrix->values[k + lane] * matrix->x[matrix->column_of[k + lane]];
        }
      }
      for (; k < end; ++k) sums[0] += matrix->values[k] * matrix->x[matrix->column_of[k]];
      matrix->y[i] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }
    return clock.seconds();
  }
};

/// A row at a time, one sum.
template <typename HostMatrix>
struct csr_scalar_type : fettle::variant_type<HostMatrix*> {
  double operator()(HostMatrix* matrix) override {
    const fettle::timer clock;
    for (std::size_t i = 0; i < matrix->rows; ++i) {
      double sum = 0.0;
      for (std::size_t k = matrix->row_offsets[i]; k < matrix->row_offsets[i + 1]; ++k) {
        sum += matrix->values[k] * matrix->x[matrix->column_of[k]];
      }
      matrix->y[i] = sum;
    }
    return clock.seconds();
  }
};

/// Two rows at a time, as long as both have entries.
template <typename HostMatrix>
struct csr_pairs_type : fettle::variant_type<HostMatrix*> {
  double operator()(HostMatrix* matrix) override {
    const fettle::timer clock;
    const auto product = [matrix](std::size_t k) {
      return matrix->values[k] * matrix->x[matrix->column_of[k]];
    };
    std::size_t i = 0;
    for (; i + 2 <= matrix->rows; i += 2) {
      std::size_t upper = matrix->row_offsets[i];
      std::size_t lower = matrix->row_offsets[i + 1];
      const std::size_t both = std::min(lower - upper, matrix->row_offsets[i + 2] - lower);
      double upper_sum = 0.0;
      double lower_sum = 0.0;
      for (std::size_t k = 0; k < both; ++k) {
        upper_sum += product(upper + k);
        lower_sum += product(lower + k);
      }
      for (upper += both; upper < matrix->row_offsets[i + 1]; ++upper) upper_sum += product(upper);
      for (lower += both; lower < matrix->row_offsets[i + 2]; ++lower) lower_sum += product(lower);
      matrix->y[i] = upper_sum;
      matrix->y[i + 1] = lower_sum;
    }
    for (; i < matrix->rows; ++i) {
      matrix->y[i] = 0.0;
      for (std::size_t k = matrix->row_offsets[i]; k < matrix->row_offsets[i + 1]; ++k) {
        matrix->y[i] += product(k);
      }
    }
    return clock.seconds();
  }
};

/// A diagonal at a time: no column indices to load.
template <typename HostMatrix>
struct dia_type : fettle::variant_type<HostMatrix*> {
  double operator()(HostMatrix* matrix) override {
    const fettle::timer clock;
    std::fill(matrix->y.begin(), matrix->y.end(), 0.0);
    const auto rows = static_cast<std::ptrdiff_t>(matrix->rows);
    const auto columns = static_cast<std::ptrdiff_t>(matrix->columns);
    for (std::size_t d = 0; d < matrix->diagonals.size(); ++d) {
      const std::ptrdiff_t offset = matrix->diagonals[d];
      const double* values = matrix->diagonal_values.data() + d * matrix->rows;
      const std::ptrdiff_t end = std::min(rows, columns - offset);
      for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(0, -offset); i < end; ++i) {
        matrix->y[static_cast<std::size_t>(i)] +=
            values[i] * matrix->x[static_cast<std::size_t>(i + offset)];
      }
    }
    return clock.seconds();
  }
};

/// One entry of every row at a time.
template <typename HostMatrix>
struct ell_type : fettle::variant_type<HostMatrix*> {
  double operator()(HostMatrix* matrix) override {
    const fettle::timer clock;
    std::fill(matrix->y.begin(), matrix->y.end(), 0.0);
    for (std::size_t k = 0; k < matrix->row_width; ++k) {
      const double* values = matrix->ell_values.data() + k * matrix->rows;
      const std::size_t* columns = matrix->ell_columns.data() + k * matrix->rows;
      for (std::size_t i = 0; i < matrix->rows; ++i)
        matrix->y[i] += values[i] * matrix->x[columns[i]];
    }
    return clock.seconds();
  }
};

/// Entry by entry, the loop that section 2.1 starts from.
template <typename HostMatrix>
struct coo_type : fettle::variant_type<HostMatrix*> {
  double operator()(HostMatrix* matrix) override {
    const fettle::timer clock;
    std::fill(matrix->y.begin(), matrix->y.end(), 0.0);
    for (std::size_t i = 0; i < matrix->values.size(); ++i) {
      matrix->y[matrix->row_of[i]] += matrix->values[i] * matrix->x[matrix->column_of[i]];
    }
    return clock.seconds();
  }
};

}  // namespace MySparse
