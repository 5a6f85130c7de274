// training_platform<platform::openmp>: copies of memory that any thread can read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/training_platform.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

template <>
struct training_platform<platform::openmp> {
  /// Variants return nothing; a call's time is that of its run.
  static constexpr bool times_calls = false;

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
