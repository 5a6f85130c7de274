// training_platform<P>: what training needs of a platform beyond running computations: copying a
// destination's memory, spoiling it, and timing what the processor's clock cannot see the end of.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include <fettle/ndp/backend.hpp>
#include <fettle/ndp/index.hpp>
#include <fettle/ndp/platform.hpp>

namespace fettle::ndp {

template <platform_like Platform>
struct training_platform;

template <>
struct training_platform<platform::openmp> {
  /// Variants return nothing; a call's time is that of its run.
  static constexpr bool times_calls = false;
  static constexpr bool reads_any_memory = true;

  template <typename T, typename Stored>
  static void read(const platform::openmp& /*on*/, const T* from, index_t count, Stored* to) {
    std::copy(from, from + count, to);
  }
  template <typename Stored, typename T>
  static void write(const platform::openmp& /*on*/, const Stored* from, index_t count, T* to) {
    std::transform(from, from + count, to, [](const Stored& x) { return static_cast<T>(x); });
  }
  /// Fills with a byte.
  template <typename T>
  static void spoil(const platform::openmp& /*on*/, T* data, index_t count, int byte) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (count > 0) std::memset(data, byte, static_cast<std::size_t>(count) * sizeof(T));
  }
};

}  // namespace fettle::ndp

#ifdef __CUDACC__
#include <fettle/ndp/cuda/training_platform.cuh>
#endif
