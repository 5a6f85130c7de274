// training: how a platform trains whose memory any thread of the host can read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

template <typename Platform>
struct training {
  /// Variants return nothing; a call's time is that of its run.
  static constexpr bool times_calls = false;

  template <typename T, typename Stored>
  static void read(const Platform& /*on*/, const T* from, index_t count, Stored* to) {
    std::copy(from, from + count, to);
  }
  template <typename Stored, typename T>
  static void write(const Platform& /*on*/, const Stored* from, index_t count, T* to) {
    std::transform(from, from + count, to, [](const Stored& x) { return static_cast<T>(x); });
  }
  template <typename T>
  static void poison(const Platform& /*on*/, T* data, index_t count, int byte) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (count > 0) std::memset(data, byte, static_cast<std::size_t>(count) * sizeof(T));
  }
};

}  // namespace fettle::ndp::host::detail
