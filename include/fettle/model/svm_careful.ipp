// Definitions of svm_careful.hpp.
#pragma once

#include <cmath>
#include <cstddef>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/model/rounded.hpp>
#include <fettle/model/svm_careful.hpp>
#include <fettle/model/svm_view.hpp>
#include <fettle/model/svm_votes.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

FETTLE_INLINE double careful_kernel(const svm_view& svm, std::size_t vector,
                                    const double* x) noexcept {
  const double* v = svm.vector_values + vector * svm.inputs;
  double sum = 0;
  for (std::size_t i = 0; i < svm.inputs; ++i) {
    const double difference = rounded(x[i] - v[i]);
    sum = rounded(sum + rounded(difference * difference));
  }
  return rounded(std::exp(rounded(-svm.gamma * sum)));
}

FETTLE_INLINE void careful_votes(const svm_view& svm, const double* x, vote_count& votes) noexcept {
  constexpr std::size_t tile = 32;
  double sums[tile][tile];
  const std::size_t rows = svm.classes - 1;
  for (std::size_t first = 0; first < svm.classes; first += tile) {
    const std::size_t first_end = first + tile < svm.classes ? first + tile : svm.classes;
    for (std::size_t second = first; second < svm.classes; second += tile) {
      const std::size_t second_end = second + tile < svm.classes ? second + tile : svm.classes;
      for (auto& row : sums) {
        for (double& sum : row) sum = 0;
      }
      const auto visit = [&](std::size_t c) {
        for (std::size_t k = svm.class_begin[c]; k < svm.class_begin[c + 1]; ++k) {
          const double kernel = careful_kernel(svm, k, x);
          const double* coefficient = svm.coefficients + k * rows;
          if (c < first_end) {  // the first of its pairs
            for (std::size_t j = c + 1 > second ? c + 1 : second; j < second_end; ++j) {
              double& sum = sums[c - first][j - second];
              sum = rounded(sum + rounded(coefficient[j - 1] * kernel));
            }
          }
          if (c >= second) {  // the second of its pairs
            for (std::size_t i = first; i < first_end && i < c; ++i) {
              double& sum = sums[i - first][c - second];
              sum = rounded(sum + rounded(coefficient[i] * kernel));
            }
          }
        }
      };
      for (std::size_t c = first; c < first_end; ++c) visit(c);
      for (std::size_t c = second == first ? second_end : second; c < second_end; ++c) visit(c);
      for (std::size_t i = first; i < first_end; ++i) {
        for (std::size_t j = i + 1 > second ? i + 1 : second; j < second_end; ++j) {
          const std::size_t pair = i * (2 * svm.classes - i - 1) / 2 + (j - i - 1);
          votes.add(i, j, rounded(sums[i - first][j - second] - svm.rho[pair]));
        }
      }
    }
  }
}

}  // namespace fettle::model::detail
