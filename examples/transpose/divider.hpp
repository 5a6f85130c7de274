// Division by a number of 32 bits that stays the same, on a GPU and on the host.
#pragma once

#include <cstdint>

#include <fettle/core/host_device.hpp>

namespace transpose::device {

using number = std::uint32_t;

/// Divides by a multiplication (Lemire, Kaser, Kurz, SPE 2019).
struct divider {
  number by;
  std::uint64_t reciprocal;

  FETTLE_HOST_DEVICE explicit divider(number divisor)
      : by(divisor), reciprocal(divisor == 1 ? 0 : ~std::uint64_t{0} / divisor + 1) {}
  FETTLE_HOST_DEVICE number quotient(number x) const {
    return by == 1 ? x : static_cast<number>(high_half(reciprocal, x));
  }
  FETTLE_HOST_DEVICE number remainder(number x) const { return x - quotient(x) * by; }

 private:
  /// The upper 64 bits of the product.
  FETTLE_HOST_DEVICE static std::uint64_t high_half(std::uint64_t x, number y) {
#ifdef __CUDA_ARCH__
    return __umul64hi(x, y);
#else
    return ((x >> 32) * y + ((x & 0xFFFFFFFFU) * y >> 32)) >> 32;
#endif
  }
};

}  // namespace transpose::device
