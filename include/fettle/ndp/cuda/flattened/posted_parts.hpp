// posted_parts: what blocks have of a row that goes on after their shares, posted for the block in
// whose share the row ends.
//
// A value is cut in words of 32 bits, and each is written together with a flag in one access of 64
// bits: who sees the flag has the word, so nobody needs a fence. The kernel before clears the
// flags. Blocks wait for blocks of lower numbers only; those have started before, so all get done.
// Needs no CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda {

namespace detail {

// Accesses that are atomic, go past the caches of one multiprocessor, and order nothing.
FETTLE_HOST_DEVICE inline void write_posted(unsigned long long* to, unsigned long long word) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
#else
  *const_cast<volatile unsigned long long*>(to) = word;
#endif
}
[[nodiscard]] FETTLE_HOST_DEVICE inline unsigned long long read_posted(
    const unsigned long long* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  unsigned long long word;
  asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
  return word;
#else
  return *const_cast<const volatile unsigned long long*>(from);
#endif
}

}  // namespace detail

template <typename T>
struct posted_parts {
  static_assert(std::is_trivially_copyable_v<T>, "parts are copied word by word");
  using word = unsigned long long;
  static constexpr int words = static_cast<int>((sizeof(T) + 3) / 4);
  static constexpr word flag = word{1} << 32U;

  word* data;  // `words` for each share

  [[nodiscard]] static constexpr index_t words_for(index_t shares) { return shares * words; }

  /// By `lanes` members together, before anybody posts.
  FETTLE_HOST_DEVICE void clear(index_t share, int lane, int lanes) const {
    for (int i = lane; i < words; i += lanes) data[share * words + i] = 0;
  }

  FETTLE_HOST_DEVICE void post(index_t share, const T& value) const {
    std::uint32_t word_of[std::size_t{words}] = {};
    memcpy(word_of, &value, sizeof(T));
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int i = 0; i < words; ++i) {
      detail::write_posted(data + share * words + i, flag | word_of[i]);
    }
  }

  /// Waits until the part is there.
  [[nodiscard]] FETTLE_HOST_DEVICE T take(index_t share) const {
    std::uint32_t word_of[std::size_t{words}];
    const word* from = data + share * words;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int i = 0; i < words; ++i) {
      word seen = 0;
      do {
        seen = detail::read_posted(from + i);
      } while ((seen & flag) == 0);
      word_of[i] = static_cast<std::uint32_t>(seen);
    }
    T value;
    memcpy(&value, word_of, sizeof(T));
    return value;
  }
};

}  // namespace fettle::ndp::cuda
