// assign: destination[i] = source[i] on one thread, with the processor's vectors where the
// destination is memory.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/fields.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/host/lanes/block.hpp>
#include <fettle/ndp/host/lanes/halo_rows.hpp>
#include <fettle/ndp/host/lanes/join_rows.hpp>
#include <fettle/ndp/host/lanes/lanes.hpp>
#include <fettle/ndp/host/lanes/row_wise.hpp>
#include <fettle/ndp/host/team/unroll.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// How a thread holds an expression or a destination while it works: as a private copy, of which
/// the compiler knows that no store changes it; what is expensive to copy is shared.
template <typename T>
using own_t = std::conditional_t<std::is_trivially_copyable_v<T>, const T, const T&>;

template <typename D>
inline constexpr bool is_memory_of_numbers_v = false;
template <typename T>
inline constexpr bool is_memory_of_numbers_v<sequence<T>> = fits_lanes_v<T>;

/// Elements of a block that is compiled as one loop. Of structures as large as particles, 64 were
/// so much code between the loads that memory was waited for: one step of a million took 7.5 ms in
/// blocks of 64, 6.4 in blocks of 32, 3.8 in blocks of 16.
template <typename D>
inline constexpr index_t block_size_v = 64;
template <typename T>
  requires(sizeof(T) >= 16 && !fits_lanes_v<T>)
inline constexpr index_t block_size_v<sequence<T>> = 16;

/// One element after the other, `unroll` at a time; 0: the compiler decides.
template <typename D, typename S>
inline void assign_in_order(const D& destination, const S& source, index_t begin, index_t end,
                            int unroll = 0) {
  own_t<S> own = source;
  own_t<D> to = destination;
  if (unroll != 0) {
    for_each_unrolled(begin, end, unroll, [&](index_t i) { store<element_t<D>>(to[i], own[i]); });
    return;
  }
  for (; begin < end; ++begin) store<element_t<D>>(to[begin], own[begin]);
}

template <typename T>
inline constexpr bool is_struct_of_numbers_v = false;
template <typename T>
  requires(std::is_class_v<T> && std::is_aggregate_v<T> && std::is_trivially_copyable_v<T>)
inline constexpr bool is_struct_of_numbers_v<T> = ndp::detail::of_numbers<T>;

template <typename Targets, typename Values>
inline constexpr bool are_tuples_v = false;
template <typename... Targets, typename... Values>
inline constexpr bool are_tuples_v<tuple<Targets...>, tuple<Values...>> =
    sizeof...(Targets) == sizeof...(Values) && (std::is_lvalue_reference_v<Targets> && ...);

// target = value; structs of numbers number by number, also in tuples, because compilers vectorise
// no other copy of them.
template <typename Target, typename Value>
[[gnu::always_inline]] inline void store_numbers(Target&& target, const Value& value) {
  using type = std::remove_cvref_t<Target>;
  if constexpr (std::is_lvalue_reference_v<Target> && std::is_same_v<type, Value> &&
                is_struct_of_numbers_v<Value>) {
    ndp::detail::copy_fields(target, value);
  } else if constexpr (are_tuples_v<type, Value>) {
    [&]<std::size_t... Is>(std::index_sequence<Is...> /*numbers*/) {
      (store_numbers<std::tuple_element_t<Is, type>>(get<Is>(target), get<Is>(value)), ...);
    }(std::make_index_sequence<std::tuple_size_v<type>>{});
  } else {
    store<Target>(static_cast<Target&&>(target), value);
  }
}

// destination[i] = source[i].
template <typename D, typename S>
[[gnu::always_inline]] inline void assign_one(const D& destination, const S& source, index_t i) {
  auto&& value = source[i];
  store_numbers<element_t<D>>(destination[i], std::as_const(value));
}

template <index_t Block, typename D, typename S>
[[gnu::always_inline]] inline void assign_block(const D& destination, const S& source,
                                                index_t begin) {
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__)
#pragma GCC ivdep
#ifndef __CUDACC__    // nvcc does not know it
#pragma GCC unroll 4  // of vectors: a loop of so few trips mispredicts its end
#endif
#endif
  for (index_t k = 0; k < Block; ++k) assign_one(destination, source, begin + k);
}

// Blocks of a fixed length, because compilers vectorise these at -O2 too; `begin` moves behind
// them.
template <index_t Block, typename D, typename S>
[[gnu::always_inline]] inline void assign_blocks(const D& destination, const S& source,
                                                 index_t& begin, index_t end) {
  for (; begin + Block <= end; begin += Block) {
    if constexpr (in_blocks<S>) {
      assign_block<Block>(subsequence(destination, begin, Block),
                          block_of<S>::from(source, begin, Block), 0);
    } else {
      assign_block<Block>(destination, source, begin);
    }
  }
}

// assign() of elements that are not row-wise, or of a row.
template <typename D, typename S>
inline void assign_elements(const D& destination, const S& source, index_t begin, index_t end) {
  own_t<S> own = source;
  own_t<D> to = destination;
  if constexpr (is_memory_of_numbers_v<D>) {
    constexpr index_t few = 8;
    if (end - begin < few) {
      for (; begin < end; ++begin) {
        keep_scalar();
        store<element_t<D>>(to[begin], own[begin]);
      }
      return;
    }
    assign_blocks<64>(to, own, begin, end);
    using value = typename D::value_type;
    if constexpr (lanes_v<value> <= 8 && std::is_constructible_v<value, element_t<S>>) {
      for (; begin + lanes_v<value> <= end; begin += lanes_v<value>) {
        const auto lanes = load_lanes<value>(own, begin);
        std::memcpy(to.data() + begin, &lanes, sizeof(lanes));
      }
    }
  } else {
    assign_blocks<block_size_v<D>>(to, own, begin, end);
  }
  assign_in_order(to, own, begin, end);
}

// The same of neighbours in a row of a grid, which may be short.
template <typename D, typename S>
[[gnu::always_inline]] inline void assign_row(const D& destination, const S& source, index_t begin,
                                              index_t end) {
  own_t<S> own = source;
  own_t<D> to = destination;
  if constexpr (is_memory_of_numbers_v<D>) {
    assign_blocks<64>(to, own, begin, end);
    // GCC has no vectors of 8 bytes.
    constexpr index_t small_block = sizeof(typename D::value_type) < 4 ? 16 : 8;
    assign_blocks<small_block>(to, own, begin, end);
  }
  for (; begin < end; ++begin) {
    keep_scalar();
    store<element_t<D>>(to[begin], own[begin]);
  }
}

/// In any order: an element of the destination may be read for its own index only.
template <typename D, typename S>
inline void assign(const D& destination, const S& source, index_t begin, index_t end) {
  if constexpr (row_wise<S>) {
    const bool done = for_rows(
        source, begin, end, [&](const auto& row, index_t first, index_t last, index_t index) {
          if constexpr (rows_of<S>::has_border) {
            assign_row(subsequence(destination, index, last), row, first, last);
          } else {
            assign_elements(subsequence(destination, index, last), row, first, last);
          }
        });
    if (done) return;
  }
  assign_elements(destination, source, begin, end);
}

}  // namespace fettle::ndp::host::detail
