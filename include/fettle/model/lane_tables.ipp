// Definitions of lane_tables.hpp.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/lane_tables.hpp>
#include <fettle/model/svm_view.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

[[gnu::cold]] FETTLE_INLINE double longest_square(const svm_view& svm) noexcept {
  double longest = 0;
  for (std::size_t k = 0; k < svm.vectors; ++k) {
    double square = 0;
    for (std::size_t i = 0; i < svm.inputs; ++i) {
      const double v = svm.vector_values[k * svm.inputs + i];
      square += v * v;
    }
    longest = std::fmax(longest, square);
  }
  return longest;
}

[[gnu::cold]] FETTLE_INLINE void set_reach(lane_tables& tables, double inputs,
                                           double longest) noexcept {
  const double reach = std::sqrt(1000 / tables.scale) - std::sqrt(longest);
  tables.clamps = !(reach > 0 && reach * reach >= 4 * inputs);
  tables.largest_square = tables.clamps ? 16 * inputs : std::fmin(16 * inputs, reach * reach);
}

[[gnu::cold]] FETTLE_INLINE void write_bounds(const svm_view& svm, const lane_tables& tables,
                                              double longest, double* bounds) noexcept {
  constexpr double unit = 0x1p-53;
  const double n = svm.inputs;
  const double exponent_error =
      unit * tables.scale * ((2 * n + 32) * 2 * (longest + tables.largest_square) + 8 * n);
  const double kernel_error = 0.6932 * exponent_error + 4.2e-11 + (32 + n + 6) * unit;
  // The estimate of 2^(t + dt) - 2^t is linear in dt: it wants a small one.
  const bool usable = exponent_error < 1e-3;
  const std::size_t rows = svm.classes - 1;
  for (std::size_t i = 0, pair = 0; i < svm.classes; ++i) {
    for (std::size_t j = i + 1; j < svm.classes; ++j, ++pair) {
      double sum = 0;
      for (std::size_t k = svm.class_begin[i]; k < svm.class_begin[i + 1]; ++k) {
        sum += std::fabs(svm.coefficients[k * rows + j - 1]);
      }
      for (std::size_t k = svm.class_begin[j]; k < svm.class_begin[j + 1]; ++k) {
        sum += std::fabs(svm.coefficients[k * rows + i]);
      }
      const double m = 2.0 * widest_lanes + svm.class_begin[i + 1] - svm.class_begin[i] +
                       svm.class_begin[j + 1] - svm.class_begin[j];
      const double error =
          sum * kernel_error + 2 * (m + 10) * unit * (sum + std::fabs(svm.rho[pair]));
      bounds[pair] = usable ? 2 * error + 1e-290 : 1e300;
    }
  }
}

[[gnu::cold]] FETTLE_INLINE lane_tables build_lane_tables(const svm_view& svm, std::size_t lanes,
                                                          std::span<double> storage) noexcept {
  lane_tables tables;
  const std::size_t needed = lane_storage(svm.classes, svm.vectors, svm.inputs);
  if (lanes == 0 || needed == 0 || storage.size() < needed) return tables;
  for (double& value : storage) value = 0;

  const std::size_t rows = svm.classes - 1;
  const std::size_t columns = rounded_up(svm.vectors, widest_lanes);
  const std::size_t padded_pairs = rounded_up(svm.pairs(), widest_lanes);
  double* const weights = storage.data();
  double* const rho = weights + (1 + svm.inputs) * columns;
  double* const bounds = rho + padded_pairs;
  double* const coefficients = bounds + padded_pairs;

  tables.columns = static_cast<std::uint32_t>(columns);
  tables.scale = svm.gamma * 1.4426950408889634;
  const double longest = longest_square(svm);
  set_reach(tables, svm.inputs, longest);
  for (std::size_t k = 0; k < svm.vectors; ++k) {
    double square = 0;
    for (std::size_t i = 0; i < svm.inputs; ++i) {
      const double v = svm.vector_values[k * svm.inputs + i];
      square += v * v;
      weights[(1 + i) * columns + k] = 2 * tables.scale * v;
    }
    weights[k] = -tables.scale * square;
  }

  std::size_t slot = 0;
  for (std::size_t c = 0; c < svm.classes; ++c) {
    const std::size_t begin = svm.class_begin[c];
    const std::size_t end = svm.class_begin[c + 1];
    const std::size_t group_begin = begin / lanes;
    const std::size_t group_end = begin == end ? group_begin : rounded_up(end, lanes) / lanes;
    tables.group_begin[c] = static_cast<std::uint16_t>(group_begin);
    tables.group_end[c] = static_cast<std::uint16_t>(group_end);
    for (std::size_t group = group_begin; group < group_end; ++group) {
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t lane = 0; lane < lanes; ++lane, ++slot) {
          const std::size_t k =
              group * lanes + lane;  // a neighbour class's vector counts for naught
          if (k >= begin && k < end) coefficients[slot] = svm.coefficients[k * rows + row];
        }
      }
    }
  }

  write_bounds(svm, tables, longest, bounds);
  for (std::size_t i = 0, pair = 0; i < svm.classes; ++i) {
    for (std::size_t j = i + 1; j < svm.classes; ++j, ++pair) {
      if (!is_finite(bounds[pair]) || bounds[pair] > 1e100) return lane_tables{};
      rho[pair] = svm.rho[pair];
      tables.first[pair] = static_cast<std::uint16_t>((i * rows + j - 1) * lanes);
      tables.second[pair] = static_cast<std::uint16_t>((j * rows + i) * lanes);
      const std::uint64_t first_vote = std::uint64_t{1} << (4 * i);
      tables.all_first += first_vote;
      tables.second_wins[pair] = (std::uint64_t{1} << (4 * j)) - first_vote;
    }
  }
  for (std::size_t pair = svm.pairs(); pair < padded_pairs; ++pair)
    bounds[pair] = -1;  // never near

  tables.weights = weights;
  tables.coefficients = coefficients;
  tables.rho = rho;
  tables.bounds = bounds;
  tables.lanes = static_cast<std::uint32_t>(lanes);
  return tables;
}

}  // namespace fettle::model::detail
