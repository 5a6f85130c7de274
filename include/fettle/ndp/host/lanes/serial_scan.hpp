// serial_scan: the inner loops of every scan on one thread.
//
// In order, each sum waits for the one before it. By groups, the elements of four are combined
// among themselves first, and only one operation in four waits: more calls of the operator, but
// four times fewer in a row. By blocks, the elements are computed by a separate loop first, and
// then combined by vectors. Always an element is read before the result at its index is
// written, so a scan may overwrite its source.
#pragma once

#include <cstddef>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/computed_block.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/lanes.hpp>
#include <fettle/ndp/host/lanes/scan_lanes.hpp>
#include <fettle/ndp/host/team/unroll.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// Shorter runs are not worth vectors, or a few of them where the alternative has branches.
template <typename Op, typename T>
inline constexpr index_t shortest_scanned_v = ignores_nan_v<Op, T> ? 16 : computed_elements;

/// d[i] = value op s[first] op ... op s[i - 1] for i in [first, last), op s[i] too where Inclusive;
/// returns the value behind them. `unroll` at a time; 0: the compiler decides.
template <bool Inclusive, typename Op, typename S, typename T, typename D>
inline T scan_in_order(const Op& op, const S& s, index_t first, index_t last, T value, const D& d,
                       int unroll = 0) {
  const auto advance = [&](index_t i) {
    const auto next = static_cast<T>(op(value, s[i]));
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

// Whether elements lie side by side in memory as T's.
template <typename S, typename T>
inline constexpr bool is_memory_of_v = false;
template <typename T>
inline constexpr bool is_memory_of_v<sequence<T>, T> = true;
template <typename T>
inline constexpr bool is_memory_of_v<sequence<const T>, T> = true;

// The same of whole blocks of Count elements; `first` moves behind them. What lies in memory is
// read and written there: a copy would be stored by narrower vectors than it is loaded by, which
// waits for the stores.
template <bool Inclusive, index_t Count, typename S, typename Op, typename T, typename D>
[[gnu::always_inline]] inline T scan_blocks(const S& s, index_t& first, index_t last,
                                            const Op& /*op*/, T value, const D& d) {
  [[maybe_unused]] alignas(64) T block[std::size_t{Count}];
  for (; first + Count <= last; first += Count) {
    const T* from = block;
    if constexpr (is_memory_of_v<S, T>) {
      from = &s[first + Count - 1] - (Count - 1);
    } else {
      compute_block<Count>(s, first, block);
    }
    if constexpr (is_memory_of_v<D, T>) {
      value = scan_lanes<Inclusive, Count, Op>(from, value, &d[first + Count - 1] - (Count - 1));
    } else {
      value = scan_lanes<Inclusive, Count, Op>(from, value, block);
      for (index_t k = 0; k < Count; ++k) store<element_t<D>>(d[first + k], block[k]);
    }
  }
  return value;
}

/// Scans that are done by blocks, of runs that are not short.
template <typename Op, typename S, typename T>
concept scans_by_blocks =
    scans_by_lanes<Op, T> && splittable<Op, S, T> && std::is_constructible_v<T, element_t<S>>;

/// scan_part() of fewer elements than a block has.
template <bool Inclusive, typename Op, typename S, typename T, typename D>
[[gnu::always_inline]] inline T scan_few(const Op& op, const S& s, index_t first, index_t last,
                                         T value, const D& d) {
  if constexpr (std::is_arithmetic_v<T> && splittable<Op, S, T> &&
                std::is_constructible_v<T, element_t<S>> && !ignores_nan_v<Op, T>) {
    for (; first + 4 <= last; first += 4) {
      const T a = static_cast<T>(s[first]);
      const auto ab = static_cast<T>(op(a, s[first + 1]));
      const T c = static_cast<T>(s[first + 2]);
      const auto cd = static_cast<T>(op(c, s[first + 3]));
      const auto abc = static_cast<T>(op(ab, c));
      const auto abcd = static_cast<T>(op(ab, cd));
      constexpr index_t at = Inclusive ? 0 : 1;
      if constexpr (!Inclusive) store<element_t<D>>(d[first], value);
      store<element_t<D>>(d[first + at], static_cast<T>(op(value, a)));
      store<element_t<D>>(d[first + at + 1], static_cast<T>(op(value, ab)));
      store<element_t<D>>(d[first + at + 2], static_cast<T>(op(value, abc)));
      value = static_cast<T>(op(value, abcd));
      if constexpr (Inclusive) store<element_t<D>>(d[first + 3], value);
    }
  }
  if constexpr (scans_by_blocks<Op, S, T> && ignores_nan_v<Op, T>) {
    for (; first < last; ++first) {
      keep_scalar();  // few are left
      const auto next = static_cast<T>(op(value, s[first]));
      store<element_t<D>>(d[first], Inclusive ? next : value);
      value = next;
    }
    return value;
  } else {
    return scan_in_order<Inclusive>(op, s, first, last, value, d);
  }
}

/// scan_in_order() with the operations regrouped where they are cheap.
template <bool Inclusive, typename Op, typename S, typename T, typename D>
[[gnu::always_inline]] inline T scan_part(const Op& op, const S& s, index_t first, index_t last,
                                          T value, const D& d) {
  if constexpr (scans_by_blocks<Op, S, T>) {
    value = scan_blocks<Inclusive, computed_elements>(s, first, last, op, value, d);
    value = scan_blocks<Inclusive, shortest_scanned_v<Op, T>>(s, first, last, op, value, d);
  }
  return scan_few<Inclusive>(op, s, first, last, value, d);
}

}  // namespace fettle::ndp::host::detail
