// vector_loop: a loop of a fixed length that compilers vectorise: its pragma declares that no
// iteration depends on another.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// f(i) for i in [0, Count), in any order.
template <index_t Count, typename F>
[[gnu::always_inline]] inline void vector_loop(const F& f) {
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__)
#pragma GCC ivdep
#ifndef __CUDACC__    // nvcc does not know it
#pragma GCC unroll 1  // an unrolled loop cannot be vectorised
#endif
#endif
  for (index_t i = 0; i < Count; ++i) f(i);
}

}  // namespace fettle::ndp::host::detail
