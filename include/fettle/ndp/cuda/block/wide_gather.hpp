// wide_gather: a gather of elements of 32 to 128 bytes into memory, 16 bytes at a time, so that
// neighbouring threads read and write neighbouring memory. Needs no CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// What one access reads or writes.
struct alignas(16) wide_word {
  std::uint32_t part[4];
};

/// Words of an element; 0 where E is not a gather from memory, or elements are not wide.
template <typename E, typename D>
inline constexpr int wide_words_v = 0;
template <typename S, typename Indices, typename T>
  requires(std::is_same_v<std::remove_const_t<S>, T> && std::is_trivially_copyable_v<T> &&
           sizeof(T) % sizeof(wide_word) == 0 && sizeof(T) >= 32 && sizeof(T) <= 128)
inline constexpr int wide_words_v<gathered_sequence<sequence<S>, Indices>, sequence<T>> =
    static_cast<int>(sizeof(T) / sizeof(wide_word));

/// Word k of the gathered elements, to word k of the destination.
template <int Words, typename E, typename T>
FETTLE_HOST_DEVICE void copy_wide_word(const E& e, const sequence<T>& destination, index_t k) {
  const index_t i = k / Words;
  const auto at = static_cast<index_t>(e.indices[i]);
  check_index("gather", at, e.source.size());
  const auto* const from = reinterpret_cast<const wide_word*>(e.source.data());
  reinterpret_cast<wide_word*>(destination.data())[k] = from[at * Words + (k - i * Words)];
}

/// Whether both begin at a word.
template <typename E, typename T>
[[nodiscard]] bool has_wide_words(const E& e, const sequence<T>& destination) {
  const auto at_word = [](const void* p) {
    return reinterpret_cast<std::uintptr_t>(p) % sizeof(wide_word) == 0;
  };
  return at_word(e.source.data()) && at_word(destination.data());
}

}  // namespace fettle::ndp::cuda::detail
