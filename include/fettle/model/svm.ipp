// Definitions of svm.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/model/lane_tables.hpp>
#include <fettle/model/svm.hpp>
#include <fettle/model/svm_careful.hpp>
#include <fettle/model/svm_lanes.hpp>
#include <fettle/model/svm_view.hpp>
#include <fettle/model/svm_votes.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

FETTLE_INLINE std::size_t most_votes(std::uint64_t votes, std::size_t classes) noexcept {
  std::uint64_t best = 0;  // votes above, class below, so that of equals the first is the largest
  for (std::size_t c = 0; c < classes; ++c) {
    const std::uint64_t own = ((votes >> (4 * c)) & 0xF) << 4 | (15 - c);
    best = own > best ? own : best;
  }
  return 15 - (best & 0xF);
}

[[gnu::noinline]] FETTLE_INLINE void scores_of(const svm_view& svm, const double* decisions,
                                               std::span<double> scores) noexcept {
  vote_count votes(svm.classes);
  for (std::size_t i = 0, pair = 0; i < svm.classes; ++i) {
    for (std::size_t j = i + 1; j < svm.classes; ++j, ++pair) votes.add(i, j, decisions[pair]);
  }
  votes.write_scores(svm.labels, scores);
}

}  // namespace fettle::model::detail

namespace fettle::inline FETTLE_ABI::model {

FETTLE_INLINE std::optional<std::size_t> svm_quick_choice(const svm_view& svm,
                                                          const detail::lane_tables& tables,
                                                          const double* x,
                                                          std::span<double> scores) noexcept {
  if (tables.lanes == 0) return std::nullopt;
  double square = 0;
  for (std::size_t i = 0; i < svm.inputs; ++i) square += x[i] * x[i];
  if (square > tables.largest_square) return std::nullopt;
  alignas(64) double decisions[detail::lane_pairs + detail::widest_lanes];
  std::uint64_t votes = 0;
  if (!detail::evaluate_in_lanes(svm, tables, x, square, decisions, votes)) return std::nullopt;
  if (!scores.empty()) detail::scores_of(svm, decisions, scores);
  return svm.labels[detail::most_votes(votes, svm.classes)];
}

[[gnu::noinline]] FETTLE_INLINE std::size_t svm_careful_choice(const svm_view& svm, const double* x,
                                                               std::span<double> scores) noexcept {
  detail::vote_count votes(svm.classes);  // large: the quick way need not make room for it
  detail::careful_votes(svm, x, votes);
  if (!scores.empty()) votes.write_scores(svm.labels, scores);
  return svm.labels[votes.winner()];
}

}  // namespace fettle::model
