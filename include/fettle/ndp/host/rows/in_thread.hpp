// in_thread: realises any computation on one thread, with its vector lanes where the schedule lets
// elements combine in another order.
//
// Sequential levels keep the order of every operation. What is independent or cooperative in the
// schedule is done by lanes.
#pragma once

#include <limits>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/fold_rows.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/lanes/serial_scan.hpp>
#include <fettle/ndp/host/rows/column_elements.hpp>
#include <fettle/ndp/host/rows/gathered_rows.hpp>
#include <fettle/ndp/host/rows/packed_columns.hpp>
#include <fettle/ndp/host/rows/serial_by_index.hpp>
#include <fettle/ndp/host/rows/serial_by_key.hpp>
#include <fettle/ndp/host/rows/serial_select.hpp>
#include <fettle/ndp/host/rows/serial_sort.hpp>
#include <fettle/ndp/host/rows/short_rows.hpp>
#include <fettle/ndp/host/rows/side_by_side.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/destination.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

// The levels that a schedule leaves out are sequential.
template <typename S>
struct inner_of {
  using type = schedule::none;
};
template <schedule::schedule_like S>
struct inner_of<S> {
  using type = typename S::inner;
};
template <typename S>
using inner_of_t = typename inner_of<S>::type;

template <typename S>
inline constexpr bool in_order_v = schedule::kind_v<S> == schedule::kind::none ||
                                   schedule::kind_v<S> == schedule::kind::sequential;

/// The value of a scalar reduction. `prefetch`: see fold().
template <schedule::inner_schedule Schedule, scalar_reduce_node E>
[[nodiscard, gnu::always_inline]] inline typename E::value_type value_in_thread(
    const E& e, unroll_factors unroll, [[maybe_unused]] bool prefetch = false) {
  const auto seed = static_cast<typename E::value_type>(e.seed);
  if constexpr (in_order_v<Schedule>) {
    return fold_in_order(e.op, e.source, 0, e.source.size(), seed, unroll.here());
  } else {
    return fold(e.op, e.source, 0, e.source.size(), seed, prefetch);
  }
}

template <schedule::inner_schedule Schedule, typename E, typename D>
void realise_in_thread(const E& e, const D& destination, unroll_factors unroll);

/// Elements without computations in them.
template <typename E>
concept row_of_values = elements_node<E> && !nested_node<E> && !effect_node<E>;

/// From how many elements on a scan is done by blocks.
template <scan_node E>
[[nodiscard]] consteval index_t shortest_by_blocks() {
  using op = std::remove_cvref_t<decltype(E::op)>;
  using value = typename E::value_type;
  if constexpr (scans_by_blocks<op, std::remove_cvref_t<decltype(E::source)>, value>) {
    return shortest_scanned_v<op, value>;
  } else {
    return std::numeric_limits<index_t>::max();
  }
}

/// E has rows, and their length is not known from their type (as that of tiles may be).
template <typename E>
concept has_rows_of_any_length =
    has_outer_shape_v<E> &&
    !has_row_size<std::remove_cvref_t<decltype(outer_shape(std::declval<const E&>()))>>;

/// E is a map > map of rows of any length into memory of numbers. Its short rows are assigned where
/// they are constructed; a longer row is constructed again by assign_row_of(). Rows of a row
/// program are excluded, because each is constructed once.
template <typename E, typename D>
concept assigns_few_here =
    has_rows_of_any_length<E> && is_memory_of_numbers_v<D> && !row_wise<row_t<E>> &&
    !in_blocks<row_t<E>> && !ndp::detail::is_map_of_programs_v<E>;

/// The most elements of a row that is assigned where it is constructed.
inline constexpr index_t longest_assigned_here = 15;

// Row i of map > map, in any order, see scan_row().
template <typename E, typename D>
[[gnu::noinline]] void assign_row_of(const E& e, const D& destination, index_t i) {
  own_t<E> own = e;
  own_t<D> to = destination;
  const row_t<E> row = own[i];
  const auto into = destination_of(own, to, i, row);
  const index_t count = row.size();
  if (count >= block_size_v<std::remove_cvref_t<decltype(into)>>) {
    assign(into, row, 0, count);
    return;
  }
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
  for (index_t k = 0; k < count; ++k) store<element_t<decltype(into)>>(into[k], row[k]);
}

// Row i of map > scan. Not inlined, so that the loop over short rows stays small; and by its index:
// a row that has just been made is in registers, from where it would go to memory and back.
template <typename E, typename D>
  requires scan_node<row_t<E>>
[[gnu::noinline]] void scan_row(const E& e, const D& destination, index_t i) {
  own_t<E> own = e;
  own_t<D> to = destination;
  const row_t<E> row = own[i];
  const auto seed = static_cast<typename row_t<E>::value_type>(row.seed);
  scan_part<row_t<E>::is_inclusive>(row.op, row.source, 0, row.size(), seed,
                                    destination_of(own, to, i, row));
}

/// Row programs that yield values. (Several programs of tiles at a time may be vectorised.)
template <typename E>
concept programs_of_rows =
    ndp::detail::is_map_of_programs_v<E> && has_rows_of_any_length<E> && !nested_node<E>;

// In one place, and with all that the program calls: its rows stay in registers, where a call would
// send them through memory, which takes as long as several elements.
template <programs_of_rows E, typename D>
[[gnu::noinline, gnu::flatten]] void run_programs(const E& e, const D& destination, index_t begin,
                                                  index_t end) {
  own_t<E> own = e;
  own_t<D> to = destination;
  for (; begin < end; ++begin) store<element_t<D>>(to[begin], own[begin]);
}

// The elements [begin, end) of `e`, of what they read where it lies.
template <schedule::inner_schedule Schedule, elements_node E, typename D>
[[gnu::noinline]] void elements_as_they_lie(const E& e, const D& destination, index_t begin,
                                            index_t end, unroll_factors unroll) {
  if constexpr (effect_node<E>) {
    for (index_t i = begin; i < end; ++i) e[i];
  } else if constexpr (nested_node<E>) {
    using inner = inner_of_t<Schedule>;
    [[maybe_unused]] const bool prefetch = has_far_rows(e);
    const auto one_by_one = [&](index_t first, index_t last) {
      if constexpr (gathered_rows_node<E> && !in_order_v<inner>) {
        if (gathers_fast()) {
          reduce_gathered_rows(e, destination, first, last);
          return;
        }
      }
      own_t<E> own = e;
      own_t<D> to = destination;
      for (index_t i = first; i < last; ++i) {
        const row_t<E> row = own[i];
        if constexpr (scalar_reduce_node<row_t<E>>) {
          store<element_t<D>>(to[i], value_in_thread<inner>(row, unroll.below(), prefetch));
        } else if constexpr (row_of_values<row_t<E>> && !in_order_v<inner>) {
          const auto& into = destination_of(own, to, i, row);
          if constexpr (requires { row.assign_to(into); }) {
            row.assign_to(into);
          } else if constexpr (assigns_few_here<E, std::remove_cvref_t<decltype(into)>>) {
            const index_t count = row.size();
            if (count > longest_assigned_here) {
              assign_row_of(e, destination, i);
            } else {
              for (index_t k = 0; k < count; ++k) {
                keep_scalar();
                store<element_t<decltype(into)>>(into[k], row[k]);
              }
            }
          } else {
            assign(into, row, 0, row.size());
          }
        } else if constexpr (scan_node<row_t<E>> && !in_order_v<inner>) {
          if (row.size() < shortest_by_blocks<row_t<E>>()) {
            const auto seed = static_cast<typename row_t<E>::value_type>(row.seed);
            scan_few<row_t<E>::is_inclusive>(row.op, row.source, 0, row.size(), seed,
                                             destination_of(own, to, i, row));
          } else {
            scan_row(e, destination, i);
          }
        } else {
          realise_in_thread<inner>(row, destination_of(own, to, i, row), unroll.below());
        }
      }
    };
    if constexpr (column_elements<E, D> && !in_order_v<inner>) {
      assign_neighbouring_columns(e, destination, begin, end, one_by_one);
    } else if constexpr (side_by_side_node<E>) {
      reduce_in_groups<in_order_v<inner>>(e, destination, begin, end, one_by_one);
    } else if constexpr (contiguous_rows_node<E> && !in_order_v<Schedule>) {
      reduce_short_rows<in_order_v<inner>>(e, destination, begin, end, prefetch, one_by_one);
    } else {
      one_by_one(begin, end);
    }
  } else if constexpr (programs_of_rows<E>) {
    run_programs(e, destination, begin, end);
  } else if constexpr (in_order_v<Schedule>) {
    assign_in_order(destination, e, begin, end, unroll.here());
  } else {
    assign(destination, e, begin, end);
  }
}

/// The elements [begin, end) of `e`. Compiled once for all kernels that distribute such ranges.
template <schedule::inner_schedule Schedule, elements_node E, typename D>
inline void elements_in_thread(const E& e, const D& destination, index_t begin, index_t end,
                               unroll_factors unroll) {
  if constexpr (packs_columns<E, D>) {
    pack_columns(e, destination, begin, end,
                 [&](const auto& its, const auto& into, index_t first, index_t last) {
                   elements_as_they_lie<Schedule>(its, into, first, last, unroll);
                 });
  } else {
    elements_as_they_lie<Schedule>(e, destination, begin, end, unroll);
  }
}

/// Any computation but a scalar reduction, into its destination.
template <schedule::inner_schedule Schedule, typename E, typename D>
inline void realise_in_thread(const E& e, const D& destination, unroll_factors unroll) {
  if constexpr (scalar_reduce_node<E>) {
    store<element_t<D>>(destination[0], value_in_thread<Schedule>(e, unroll));
  } else if constexpr (row_reduce_node<E>) {
    fold_rows(e.op, e.source, 0, e.source.size(), e.seed, destination, 0, e.seed.size());
  } else if constexpr (scan_node<E>) {
    own_t<E> own = e;
    own_t<D> to = destination;
    const auto seed = static_cast<typename E::value_type>(own.seed);
    if constexpr (in_order_v<Schedule>) {
      scan_in_order<E::is_inclusive>(own.op, own.source, 0, own.size(), seed, to, unroll.here());
    } else {
      scan_part<E::is_inclusive>(own.op, own.source, 0, own.size(), seed, to);
    }
  } else if constexpr (row_by_key_node<E>) {
    by_key_columns(e, destination, 0, e.seed.size());
  } else if constexpr (scalar_by_key_node<E>) {
    by_key_in_thread<in_order_v<Schedule>>(e, destination);
  } else if constexpr (selection_node<E>) {
    select_in_thread(e, destination);
  } else if constexpr (by_index_node<E>) {
    reduce_by_index_in_thread(e, destination);
  } else if constexpr (sort_node<E>) {
    sort_in_thread(e, destination);
  } else if constexpr (scatter_node<E>) {
    const index_t count = e.size();
    for (index_t i = 0; i < count; ++i) e.update(i);
  } else {
    elements_in_thread<Schedule>(e, destination, 0, e.size(), unroll);
  }
}

}  // namespace fettle::ndp::host::detail
