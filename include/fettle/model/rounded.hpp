// rounded: arithmetic as IEEE 754 and libsvm do it, whatever the compiler options.
#pragma once

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

/// `value`, rounded to double at this point. The compiler sees no further than this call, so that
/// it can neither fuse a product into the sum it goes to (which changes the last bit), nor reorder
/// a sum under -ffast-math, nor vectorise the logarithm or exponential that comes next into a less
/// accurate one. Free where a register constraint for doubles is known.
[[nodiscard]] inline double rounded(double value) noexcept {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__SSE2_MATH__))
  asm("" : "+x"(value));
  return value;
#elif defined(__GNUC__) && defined(__aarch64__)
  asm("" : "+w"(value));
  return value;
#else
  volatile double stored = value;
  return stored;
#endif
}

}  // namespace fettle::model::detail
