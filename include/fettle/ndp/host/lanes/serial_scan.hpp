// serial_scan: the inner loops of every scan on one thread.
//
// In order, each sum waits for the one before it. By groups, the elements of four are combined
// among themselves first, and only one operation in four waits: more calls of the operator, but
// four times fewer in a row. Either way an element is read before the result at its index is
// written, so a scan may overwrite its source.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/team/unroll.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// d[i] = value op s[first] op ... op s[i - 1] for i in [first, last), op s[i] too where Inclusive;
/// returns the value behind them. `unroll` at a time; 0: the compiler decides.
template <bool Inclusive, typename Op, typename S, typename T, typename D>
inline T scan_in_order(const Op& op, const S& s, index_t first, index_t last, T value, const D& d,
                       int unroll = 0) {
  const auto advance = [&](index_t i) {
    T next = op(value, s[i]);
    store<element_t<D>>(d[i], Inclusive ? next : value);
    value = next;
  };
  if (unroll != 0) {
    for_each_unrolled(first, last, unroll, advance);
    return value;
  }
  for (; first < last; ++first) advance(first);
  return value;
}

/// The same with the operations regrouped where they are cheap.
template <bool Inclusive, typename Op, typename S, typename T, typename D>
inline T scan_part(const Op& op, const S& s, index_t first, index_t last, T value, const D& d) {
  if constexpr (std::is_arithmetic_v<T> && splittable<Op, S, T> &&
                std::is_constructible_v<T, element_t<S>>) {
    for (; first + 4 <= last; first += 4) {
      const T a = static_cast<T>(s[first]);
      const T ab = op(a, s[first + 1]);
      const T c = static_cast<T>(s[first + 2]);
      const T cd = op(c, s[first + 3]);
      const T abc = op(ab, c);
      const T abcd = op(ab, cd);
      constexpr index_t at = Inclusive ? 0 : 1;
      if constexpr (!Inclusive) store<element_t<D>>(d[first], value);
      store<element_t<D>>(d[first + at], static_cast<T>(op(value, a)));
      store<element_t<D>>(d[first + at + 1], static_cast<T>(op(value, ab)));
      store<element_t<D>>(d[first + at + 2], static_cast<T>(op(value, abc)));
      value = op(value, abcd);
      if constexpr (Inclusive) store<element_t<D>>(d[first + 3], value);
    }
  }
  return scan_in_order<Inclusive>(op, s, first, last, value, d);
}

}  // namespace fettle::ndp::host::detail
