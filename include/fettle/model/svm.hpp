// The support vector machine as a predictor: the variant that libsvm's svm_predict chooses, for
// every input, at a fraction of its cost (dissertation chapter 2 uses libsvm for this).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <fettle/core/abi.hpp>
#include <fettle/model/lane_tables.hpp>
#include <fettle/model/svm_careful.hpp>
#include <fettle/model/svm_lanes.hpp>
#include <fettle/model/svm_view.hpp>
#include <fettle/model/svm_votes.hpp>

namespace fettle::inline FETTLE_ABI::model {

namespace detail {

/// The class with the most of the votes that are packed in four bits each; the first of equals.
[[nodiscard]] std::size_t most_votes(std::uint64_t votes, std::size_t classes) noexcept;

void scores_of(const svm_view& svm, const double* decisions, std::span<double> scores) noexcept;

}  // namespace detail

/// The variant that the machine chooses for the inputs x[0 .. svm.inputs), which may be scaled
/// roughly; nothing where the fast way is not certain of libsvm's choice. `scores` as below.
/// Allocates nothing. About 1 ns (AVX-512: 0.6) a support vector and 50 ns.
[[nodiscard]] std::optional<std::size_t> svm_quick_choice(const svm_view& svm,
                                                          const detail::lane_tables& tables,
                                                          const double* x,
                                                          std::span<double> scores) noexcept;

/// The variant that libsvm's svm_predict chooses for the scaled inputs x[0 .. svm.inputs), by its
/// own operations. `scores`, where not empty, receives a number a variant, larger is better, the
/// chosen variant's the largest; variants that the machine does not know get -1, the smallest.
/// Allocates nothing; costs about what svm_predict does.
[[nodiscard]] std::size_t svm_careful_choice(const svm_view& svm, const double* x,
                                             std::span<double> scores) noexcept;

}  // namespace fettle::model

#ifndef FETTLE_COMPILED
#include <fettle/model/svm.ipp>
#endif
