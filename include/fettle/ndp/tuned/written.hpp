// What a computation writes: the sequences of its destination, which of their elements every
// correct implementation overwrites, and whether it reads them too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/leaves.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/tuned/call.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

template <typename E>
concept names_its_destination = requires(const E& e) {
  e.destination;  // a scatter
};

template <typename D>
concept has_others = requires(const D& destination) {
  destination.others;  // an epilogue, which reads them
};

/// visit(sequence<T>) for each contiguous sequence that may be written. What the function of a map
/// without a result writes cannot be known.
template <typename E, typename D, typename Visit>
void for_each_written(const E& e, const D& destination, Visit&& visit) {
  const auto if_writable = [&]<typename T>(const sequence<T>& leaf) {
    if constexpr (!std::is_const_v<T>) visit(leaf);
  };
  if constexpr (!std::is_same_v<D, no_destination> && !is_returned_value_v<D>) {
    if constexpr (has_others<D>) {
      for_each_leaf(destination.destination, if_writable);
    } else {
      for_each_leaf(destination, if_writable);
    }
  } else if constexpr (names_its_destination<E>) {
    for_each_leaf(e.destination, if_writable);
  }
}

/// Something of the result can be looked at after a run.
template <typename E, typename D>
inline constexpr bool is_verifiable_v =
    !std::is_same_v<D, no_destination> || names_its_destination<E>;

/// Whether a sequence that is written shares memory with one that is read. What the expression's
/// function objects hold is not seen.
template <typename E, typename D>
[[nodiscard]] bool is_in_place(const E& e, const D& destination) {
  bool found = false;
  if constexpr (has_others<D>) found = is_in_place(destination.others, destination.destination);
  for_each_written(e, destination, [&](const auto& written) {
    const auto* const begin = reinterpret_cast<const char*>(written.data());
    const auto* const end = reinterpret_cast<const char*>(written.data() + written.size());
    bool is_itself = names_its_destination<E>;  // a scatter's destination is among its members
    for_each_leaf(e, [&](const auto& read) {
      const auto* const first = reinterpret_cast<const char*>(read.data());
      const auto* const last = reinterpret_cast<const char*>(read.data() + read.size());
      if (is_itself && first == begin && last == end) {
        is_itself = false;
      } else if (std::less<>{}(first, end) && std::less<>{}(begin, last)) {
        found = true;
      }
    });
  });
  return found;
}

/// Where a row begins, as far as the processor can tell.
template <typename Rows, platform_like Platform>
[[nodiscard]] std::optional<index_t> known_row_begin(const Rows& rows, const Platform& on,
                                                     index_t i) {
  if constexpr (Platform::runs_on_host || !requires { rows.offsets; }) {
    return rows.row_begin(i);
  } else if constexpr (requires { rows.offsets.data(); }) {
    std::remove_cvref_t<decltype(rows.offsets[0])> offset{};
    platform_traits<Platform>::read(on, rows.offsets.data() + i, 1, &offset);
    return static_cast<index_t>(offset);
  } else {
    return std::nullopt;
  }
}

/// A run of elements.
struct element_range {
  index_t first = 0;
  index_t count = 0;
};

template <typename Rows, platform_like Platform>
[[nodiscard]] element_range range_of_rows(const Rows& rows, const Platform& on, index_t count) {
  if (count == 0) return {};
  const std::optional<index_t> begin = known_row_begin(rows, on, 0);
  const std::optional<index_t> end = known_row_begin(rows, on, count);
  return begin && end ? element_range{*begin, *end - *begin} : element_range{};
}

/// The elements of a flat destination, or of the sequence that a nested one's rows lie in, that are
/// overwritten for certain.
template <typename E, typename D, platform_like Platform>
[[nodiscard]] element_range overwritten(const E& e, const D& destination, const Platform& on) {
  if constexpr (is_reduced_v<E>) {
    if constexpr (nested<D>) {
      return {};
    } else if constexpr (sequence_like<typename E::value_type>) {
      return {0, e.seed.size()};
    } else {
      return {0, 1};
    }
  } else if constexpr (is_reduced_by_key_v<E>) {
    return {0, !nested<D> && e.size() > 0 ? 1 : 0};
  } else if constexpr (has_row_offsets<D>) {
    return range_of_rows(destination, on, e.size());
  } else if constexpr (nested<D>) {
    return {};
  } else if constexpr (!sequence_like<typename E::value_type>) {
    return {0, e.size()};
  } else if constexpr (has_outer_shape_v<E>) {
    return range_of_rows(outer_shape(e), on, e.size());
  } else {
    return {};
  }
}

template <typename T, platform_like Platform>
void poison_elements(const sequence<T>& s, const element_range& range, const Platform& on) {
  if constexpr (std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>) {
    platform_traits<Platform>::poison(on, s.data() + range.first, range.count, 0xFB);
  }
}
template <typename S, platform_like Platform>
void poison_elements(const S& s, const element_range& range, const Platform& on) {
  if constexpr (has_others<S>) {
    poison_elements(s.destination, range, on);
  } else if constexpr (has_row_offsets<S>) {
    poison_elements(s.source, range, on);
  } else if constexpr (requires { typename S::operator_type; }) {
    if constexpr (std::is_same_v<typename S::operator_type, op::zip>) {
      [&]<std::size_t... Is>(std::index_sequence<Is...>) {
        (poison_elements(get<Is>(s.sources), range, on), ...);
      }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(s.sources)>>>{});
    }
  }
}

/// Poisons what the last run has written, as far as every correct run overwrites it: so that a
/// variant that writes nothing is found. Other views than sequences, zips, and rows that lie one
/// behind the other are left as they are.
template <typename E, typename D, platform_like Platform>
void poison(const E& e, const D& destination, const Platform& on) {
  if constexpr (is_returned_value_v<D>) {
    destination.value->reset();
  } else if constexpr (!std::is_same_v<D, no_destination>) {
    const element_range range = overwritten(e, destination, on);
    if (range.count > 0) poison_elements(destination, range, on);
  }
}

}  // namespace fettle::ndp::detail
