// What one pass over a matrix finds: sums, the greatest and the least over its rows, of which the
// features are made on either processor.
#pragma once

#include <cmath>
#include <optional>

#include <fettle/core/host_device.hpp>

namespace solvers {

inline constexpr int block_rows = 8;  ///< of the blocks that block_jacobi inverts

/// What a row says: its diagonal element and its other entries.
struct row_numbers {
  double diagonal = 0;
  double others = 0;  ///< the sum of the other entries' absolute values
  double count = 0;   ///< of the other entries
  double same = 0;    ///< how many of them have the diagonal's sign
  double block = 0;   ///< as `others`, of those in the row's block

  /// Element `value` in column c of row r.
  FETTLE_HOST_DEVICE void add(int r, int c, double value) {
    if (r == c) return;
    others += std::fabs(value);
    count += 1;
    if (value * diagonal > 0) same += 1;
    if (r / block_rows == c / block_rows) block += std::fabs(value);
  }
};

/// Sums, and the greatest and the least, over rows.
struct matrix_numbers {
  double trace = 0;
  double deviation = 0;          ///< of the diagonal's absolute values from `usual`
  double squared_deviation = 0;  ///< likewise; with one value on the diagonal it is 0 exactly
  double dominance = 0;          ///< the diagonal's parts of the rows' sums
  double not_positive = 0;       ///< diagonal elements
  double others = 0;
  double same = 0;
  double coupled = 0;  ///< rows that have entries beside the diagonal
  double block = 0;    ///< the parts of these that are in the row's block
  double weakest_row = 1;
  double left_bandwidth = 0;
  double row_norm = 0;  ///< the greatest sum of a row's absolute values

  /// `usual` is the same for all rows, `left` how far row's first entry is left of its diagonal.
  FETTLE_HOST_DEVICE void add(const row_numbers& row, double usual, double left) {
    const double absolute = std::fabs(row.diagonal);
    const double sum = absolute + row.others;
    const double apart = absolute - usual;
    trace += row.diagonal;
    deviation += apart;
    squared_deviation += apart * apart;
    if (sum > 0) dominance += row.diagonal / sum;
    if (!(row.diagonal > 0)) not_positive += 1;
    others += row.count;
    same += row.same;
    if (row.others > 0) {
      coupled += 1;
      block += row.block / row.others;
      weakest_row = std::fmin(weakest_row, (absolute - row.others) / (absolute + 1e-300));
    }
    left_bandwidth = std::fmax(left_bandwidth, left);
    row_norm = std::fmax(row_norm, sum);
  }

  FETTLE_HOST_DEVICE friend matrix_numbers operator+(matrix_numbers p, const matrix_numbers& q) {
    p.trace += q.trace;
    p.deviation += q.deviation;
    p.squared_deviation += q.squared_deviation;
    p.dominance += q.dominance;
    p.not_positive += q.not_positive;
    p.others += q.others;
    p.same += q.same;
    p.coupled += q.coupled;
    p.block += q.block;
    p.weakest_row = std::fmin(p.weakest_row, q.weakest_row);
    p.left_bandwidth = std::fmax(p.left_bandwidth, q.left_bandwidth);
    p.row_norm = std::fmax(p.row_norm, q.row_norm);
    return p;
  }
};

/// The features that one pass finds.
enum class number : unsigned {
  trace,
  diag_avg,
  diag_var,
  diag_dominance,
  left_bandwidth,
  norm_1,
  negative_diagonal,
  weakest_row,
  same_signs,
  block_weight,
};

/// What is found together for the features of one selection: who asks for a feature a second time
/// has a new call, of which the matrix may have changed.
template <class Result>
class found_together {
 public:
  template <class Feature, class Pass>
  const Result& get(Feature feature, const Pass& pass) {
    const unsigned bit = 1U << static_cast<unsigned>(feature);
    if (!found_ || (asked_ & bit) != 0) {
      found_ = pass();
      asked_ = 0;
    }
    asked_ |= bit;
    return *found_;
  }

 private:
  std::optional<Result> found_;
  unsigned asked_ = 0;
};

}  // namespace solvers
