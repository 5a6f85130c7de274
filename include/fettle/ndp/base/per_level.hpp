// per_level: the parameters of a policy that belong to single nesting levels.
//
// Named members rather than an array, because nvcc cannot pass on template arguments of class type
// with an array in them, and its device code cannot call std::array's subscript.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// `Level` once for each of the three outermost levels; deeper ones use the third.
template <typename Level>
struct per_level {
  static constexpr int count = 3;

  Level first{};
  Level second{};
  Level third{};

  /// The parameters of the level with this index, which counts from 0.
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr const Level& operator[](int index) const noexcept {
    return index <= 0 ? first : index == 1 ? second : third;
  }
  [[nodiscard]] FETTLE_HOST_DEVICE constexpr Level& operator[](int index) noexcept {
    return index <= 0 ? first : index == 1 ? second : third;
  }
  [[nodiscard]] friend constexpr bool operator==(const per_level&, const per_level&) = default;
};

}  // namespace fettle::ndp
