// The fast way to evaluate a support vector machine: all support vectors side by side in vector
// registers. It tells for itself whether its answer is certain (lane_tables.hpp says why).
//
// The same text is compiled for several instruction sets, and the processor says at run time which
// one it has; nothing needs a compiler flag. Compilers without the vector types of GCC 12 and Clang
// go without.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fettle/core/abi.hpp>
#include <fettle/model/lane_tables.hpp>
#include <fettle/model/svm_view.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

/// The lanes that this processor evaluates fastest; 0 where the compiler knows none.
[[nodiscard]] std::size_t best_lanes() noexcept;

/// Evaluates with the lanes that the tables were built for; false where that is not certain.
bool evaluate_in_lanes(const svm_view& svm, const lane_tables& tables, const double* x,
                       double square, double* decisions, std::uint64_t& votes) noexcept;

}  // namespace fettle::model::detail

#ifndef FETTLE_COMPILED
#include <fettle/model/svm_lanes.ipp>
#endif
