// unroll: how many iterations of a sequential loop are written out one after the other, level by
// level, and a loop that is.
#pragma once

#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// The factors of a level and of those below it.
class unroll_factors {
 public:
  constexpr unroll_factors() = default;

  /// of(k): the factor of the k-th level from here.
  template <typename Of>
  [[nodiscard]] static constexpr unroll_factors from(int levels, const Of& of) {
    unroll_factors all;
    for (int k = levels - 1; k >= 0; --k) all.packed_ = all.packed_ << 4U | unsigned(of(k));
    return all;
  }

  [[nodiscard]] constexpr int here() const noexcept { return static_cast<int>(packed_ & 15U); }
  /// Those of the level below.
  [[nodiscard]] constexpr unroll_factors below() const noexcept {
    unroll_factors rest;
    rest.packed_ = packed_ >> 4U;
    return rest;
  }

 private:
  unsigned packed_ = 0;  // four bits a level
};

// Calls body(i) for as many groups of Factor as there are; returns where they end.
template <int Factor, typename Body>
inline index_t for_groups(index_t first, index_t last, const Body& body) {
  for (; first + Factor <= last; first += Factor) {
    [&]<int... Ks>(std::integer_sequence<int, Ks...> /*items*/) {
      (body(first + Ks), ...);
    }(std::make_integer_sequence<int, Factor>{});
  }
  return first;
}

/// body(i) for all i of [first, last) in order, `factor` at a time, which is 1, 2, 4 or 8. Not
/// inlined: the loop that the compiler shapes stays small where it is.
template <typename Body>
[[gnu::noinline]] void for_each_unrolled(index_t first, index_t last, int factor,
                                         const Body& body) {
  if (factor == 8) {
    first = for_groups<8>(first, last, body);
  } else if (factor == 4) {
    first = for_groups<4>(first, last, body);
  } else if (factor == 2) {
    first = for_groups<2>(first, last, body);
  }
#if defined(__clang__)
#pragma clang loop unroll(disable)
#elif defined(__GNUC__) && !defined(__CUDACC__)  // nvcc does not know it
#pragma GCC unroll 1
#endif
  for (; first < last; ++first) body(first);
}

}  // namespace fettle::ndp::host::detail
