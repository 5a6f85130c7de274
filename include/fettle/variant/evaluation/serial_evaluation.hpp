// How features and constraints are evaluated unless a policy asks for more: one after another, in
// the calling thread. parallel_evaluation.hpp has the one on oneTBB.
#pragma once

#include <cstddef>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

/// An evaluation runs independent jobs. It offers
///   for_each(n, job)    equivalent to: for (std::size_t i = 0; i < n; ++i) job(i);
///   is_concurrent       whether jobs may overlap, and whether `background` exists
///   is_linked           (optional) whether the program is linked with what it needs
///   background          (concurrent ones only) starts jobs that run on after the call; see
///                       tbb_evaluation
struct serial_evaluation {
  static constexpr bool is_concurrent = false;

  template <typename Job>
  static void for_each(std::size_t n, Job&& job) {
    for (std::size_t i = 0; i < n; ++i) job(i);
  }
};

}  // namespace fettle
