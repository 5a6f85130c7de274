// for_each_staged: a loop over elements of a sequence that reads several of them before it uses the
// first, so that their loads overlap. A compiler does that where the loop's body is a sum; behind a
// comparison of structures it leaves one load in flight. Needs no CUDA.
#pragma once

#include <cstddef>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/cuda/block/costly_elements.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// What an element of S is in a register; `void` where it cannot wait there.
template <typename S>
struct staged_element {
  using type = void;
};
template <typename S>
  requires(std::is_trivially_copyable_v<typename S::value_type> &&
           std::is_default_constructible_v<typename S::value_type> &&
           std::is_convertible_v<element_t<S>, typename S::value_type> &&
           !sequence_like<typename S::value_type> && sizeof(typename S::value_type) <= 32 &&
           !has_costly_elements_v<S>)
struct staged_element<S> {
  using type = typename S::value_type;
};

/// Elements of S that a thread reads before it uses the first; 1: costly or wide ones, which
/// several at once would only make more code, in more registers.
template <typename S>
inline constexpr int staged_loads_v = [] {
  using element = typename staged_element<S>::type;
  if constexpr (std::is_void_v<element>) {
    return 1;
  } else {
    return sizeof(element) <= 2 ? 8 : sizeof(element) <= 16 ? 4 : 2;
  }
}();

/// f(s[i]) for i = first, first + stride, ... below end, in order; Count elements are read at a
/// time, and none behind the end, where a map's function would be called for nothing.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <int Count, typename S, typename F>
FETTLE_HOST_DEVICE void for_each_staged(const S& s, index_t first, index_t end, index_t stride,
                                        const F& f) {
  using element = typename staged_element<S>::type;
  index_t i = first;
  if constexpr (Count > 1 && !std::is_void_v<element>) {
    element staged[std::size_t{Count}];
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
    for (; i + (Count - 1) * stride < end; i += Count * stride) {
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
      for (int j = 0; j < Count; ++j) staged[j] = s[i + j * stride];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
      for (int j = 0; j < Count; ++j) f(staged[j]);
    }
    if (i >= end) return;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int j = 0; j < Count - 1; ++j) {
      if (i + j * stride < end) staged[j] = s[i + j * stride];
    }
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int j = 0; j < Count - 1; ++j) {
      if (i + j * stride < end) f(staged[j]);
    }
  } else {
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
    for (; i < end; i += stride) f(s[i]);
  }
}

/// The same, but begin(s[first]) for the first element.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <int Count, typename S, typename Begin, typename F>
FETTLE_HOST_DEVICE void for_each_staged(const S& s, index_t first, index_t end, index_t stride,
                                        const Begin& begin, const F& f) {
  using element = typename staged_element<S>::type;
  if (first >= end) return;
  if constexpr (Count > 1 && !std::is_void_v<element>) {
    element staged[std::size_t{Count}];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int j = 0; j < Count; ++j) {
      if (first + j * stride < end) staged[j] = s[first + j * stride];
    }
    begin(staged[0]);
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int j = 1; j < Count; ++j) {
      if (first + j * stride < end) f(staged[j]);
    }
    for_each_staged<Count>(s, first + Count * stride, end, stride, f);
  } else {
    begin(s[first]);
    for_each_staged<Count>(s, first + stride, end, stride, f);
  }
}

}  // namespace fettle::ndp::cuda::detail
