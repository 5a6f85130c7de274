// Checks of indices, lengths and arguments, each naming the operator that was misused.
//
// Arguments (a tile length of zero) are always checked, where an expression is built. Indices and
// lengths are checked only in programs compiled with FETTLE_CHECKED defined (all files of a program
// or none), because they sit in the innermost loops. On the host a violation throws fettle::error;
// in a kernel it stops the kernel, which surfaces as a launch error of the computation, and prints
// the same sentence in checked programs.
#pragma once

#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>

#ifdef __CUDA_ARCH__
#include <cstdio>
#endif

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

#ifdef FETTLE_CHECKED
inline constexpr bool checked = true;
#else
inline constexpr bool checked = false;
#endif

namespace detail {

// Host only and out of line in effect: the message is built when the check has failed.
[[noreturn]] inline void throw_violation(const char* name, const char* what, index_t value,
                                         index_t limit) {
  throw error(std::string(name) + ": " + what + " (" + std::to_string(value) + ", limit " +
              std::to_string(limit) + ")");
}

#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
FETTLE_HOST_DEVICE inline void fail(const char* name, const char* what, index_t value,
                                    index_t limit) {
#ifdef __CUDA_ARCH__
  // A call of printf, though never made, costs a kernel registers and a stack.
  if constexpr (checked) {
    printf("%s: %s (%lld, limit %lld)\n", name, what, static_cast<long long>(value),
           static_cast<long long>(limit));
  }
  __trap();
#else
  throw_violation(name, what, value, limit);
#endif
}

}  // namespace detail

/// Fails unless 0 <= index < size, in checked programs.
FETTLE_HOST_DEVICE constexpr void check_index(const char* name, index_t index, index_t size) {
  if constexpr (checked) {
    if (index < 0 || index >= size) {
      detail::fail(name, "index out of range", index, size);
    }
  }
}

/// Fails unless two sequences that are walked together are equally long, in checked programs.
FETTLE_HOST_DEVICE constexpr void check_same_size(const char* name, index_t first, index_t other) {
  if constexpr (checked) {
    if (first != other) detail::fail(name, "sequences of different lengths", other, first);
  }
}

/// The same for all the sequences that an operator walks together.
template <typename First, typename... Rest>
FETTLE_HOST_DEVICE constexpr void check_same_sizes(const char* name, const First& first,
                                                   const Rest&... rest) {
  if constexpr (checked) (check_same_size(name, first.size(), rest.size()), ...);
}

/// Fails unless an argument is at least `least`, always.
FETTLE_HOST_DEVICE constexpr void require_at_least(const char* name, const char* what,
                                                   index_t value, index_t least) {
  if (value < least) detail::fail(name, what, value, least);
}

}  // namespace fettle::ndp
