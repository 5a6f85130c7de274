// The careful way to evaluate a support vector machine: the operations of libsvm's svm_predict, in
// libsvm's order, each rounded to double. What it chooses, svm_predict chooses.
//
// The fast way (svm_lanes.hpp) asks here whenever a decision value is too near zero to be sure of.
// Machines that the fast way does not take, or processors that it does not know, always come here.
#pragma once

#include <cstddef>

#include <fettle/core/abi.hpp>
#include <fettle/model/rounded.hpp>
#include <fettle/model/svm_view.hpp>
#include <fettle/model/svm_votes.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

/// exp(-gamma |x - v|^2) of one support vector. libsvm's sparse vectors give the same sum: a
/// missing value adds the other's square, at the same index.
[[nodiscard]] double careful_kernel(const svm_view& svm, std::size_t vector,
                                    const double* x) noexcept;

/// Adds every pair's decision value to `votes`. Needs no memory beyond 8 KiB of stack however large
/// the machine is: a tile of pairs at a time, for which the kernel values of the tile's classes are
/// computed as they are needed (again, from 33 classes on). Each pair's sum runs over the support
/// vectors in file order, which is libsvm's: the first class's, then the second's.
void careful_votes(const svm_view& svm, const double* x, vote_count& votes) noexcept;

}  // namespace fettle::model::detail

#ifndef FETTLE_COMPILED
#include <fettle/model/svm_careful.ipp>
#endif
