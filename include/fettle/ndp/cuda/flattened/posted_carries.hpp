// posted_carries: the partial results of rows that tile boundaries cut, posted for the block in
// whose tile the row ends.
//
// A value is cut in words of 32 bits, and each is written together with a flag in one access of 64
// bits: a reader that sees the flag has the word, so no fence is needed. The kernel before clears
// the flags. Blocks wait for blocks of lower numbers only; those have started before, so all get
// done. Needs no CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

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

/// Interleaved: the first words of all tiles, then their second words, and so on, for warps whose
/// lanes take neighbouring tiles'.
template <typename T, bool Interleaved = false>
struct posted_carries {
  static_assert(std::is_trivially_copyable_v<T>, "parts are copied word by word");
  using word = unsigned long long;
  static constexpr int words = static_cast<int>((sizeof(T) + 3) / 4);
  static constexpr word flag = word{1} << 32U;

  word* data;         // `words` for each tile
  index_t tiles = 0;  // where interleaved

  [[nodiscard]] FETTLE_HOST_DEVICE word* at(index_t tile, int i) const {
    return data + (Interleaved ? i * tiles + tile : tile * words + i);
  }

  [[nodiscard]] static constexpr index_t words_for(index_t tiles) { return tiles * words; }

  /// By `lanes` members together, before anybody posts.
  FETTLE_HOST_DEVICE void clear(index_t tile, int lane, int lanes) const {
    for (int i = lane; i < words; i += lanes) *at(tile, i) = 0;
  }

  FETTLE_HOST_DEVICE void post(index_t tile, const T& value) const {
    std::uint32_t word_of[std::size_t{words}] = {};
    memcpy(word_of, &value, sizeof(T));
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int i = 0; i < words; ++i) {
      write_posted(at(tile, i), flag | word_of[i]);
    }
  }

  /// Waits until the carry is there.
  [[nodiscard]] FETTLE_HOST_DEVICE T take(index_t tile) const {
    word seen[std::size_t{words}];
    word flags = 0;
    do {
      flags = flag;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
      for (int i = 0; i < words; ++i) seen[i] = read_posted(at(tile, i));
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
      for (int i = 0; i < words; ++i) flags &= seen[i];
    } while (flags == 0);
    std::uint32_t word_of[std::size_t{words}];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int i = 0; i < words; ++i) word_of[i] = static_cast<std::uint32_t>(seen[i]);
    T value;
    memcpy(&value, word_of, sizeof(T));
    return value;
  }
};

}  // namespace fettle::ndp::cuda::detail
