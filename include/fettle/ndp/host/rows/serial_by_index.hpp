// serial_by_index: reduce_by_index on one thread, and the bins of a part of the elements.
//
// Few bins are repeated where the operator commutes: an element need not wait until the one before
// it is in the same bin.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/operator_traits.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/rows/narrower_bins.hpp>
#include <fettle/ndp/operator/reduce_by_index.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// The bins of a part of the elements.
template <by_index_node E>
class part_bins {
 public:
  using value_type = typename E::value_type;

  /// All of them empty.
  explicit part_bins(const E& e, index_t elements)
      : repeated_(are_repeated(e, elements) ? repeats : 1),
        bins_(static_cast<std::size_t>(e.bins * repeated_), empty()) {}

  /// Whether each bin is there several times: few bins of so many elements.
  [[nodiscard]] static bool are_repeated(const E& e, index_t elements) {
    return can_repeat && e.bins <= most_repeated && elements / 16 >= e.bins;
  }

  void add(const E& e, index_t first, index_t last) {
    own_t<E> own = e;
    bin* const bins = bins_.data();
    if constexpr (can_repeat) {
      if (repeated_ == repeats) {
        for (; first + repeats <= last; first += repeats) {
          // All indices before any bin: as far as a compiler knows, one may be the other's memory.
          index_t to[std::size_t{repeats}];
          for (index_t k = 0; k < repeats; ++k) to[k] = own.bin_of(first + k);
          for (index_t k = 0; k < repeats; ++k) {
            if (to[k] >= 0) append(own, bins[to[k] * repeats + k], first + k);
          }
        }
      }
    }
    for (; first < last; ++first) {
      const index_t b = own.bin_of(first);
      if (b >= 0) append(own, bins[b * repeated_], first);
    }
  }

  /// value op what bin b has.
  [[nodiscard]] value_type appended(const E& e, value_type value, index_t b) const {
    for (index_t k = 0; k < repeated_; ++k) {
      const bin& own = bins_[static_cast<std::size_t>(b * repeated_ + k)];
      if constexpr (has_empty_value) {
        value = static_cast<value_type>(e.op(value, own.value));
      } else if (own.value) {
        value = static_cast<value_type>(e.op(value, *own.value));
      }
    }
    return value;
  }

 private:
  static constexpr bool has_empty_value = [] {
    if constexpr (std::is_arithmetic_v<value_type>) {
      return has_identity_v<decltype(E::op), value_type>;
    } else {
      return false;
    }
  }();
  static constexpr index_t repeats = 4;
  static constexpr index_t most_repeated = 1024;
  static constexpr bool can_repeat = has_empty_value && is_commutative_v<decltype(E::op)>;

  struct bin {  // not a bool, of which a vector would make bits
    std::conditional_t<has_empty_value, value_type, std::optional<value_type>> value;
  };

  [[nodiscard]] static bin empty() {
    if constexpr (has_empty_value) {
      return {identity_v<decltype(E::op), value_type>};
    } else {
      return {};
    }
  }

  static void append(const E& e, bin& to, index_t i) {
    if constexpr (has_empty_value) {
      to.value = static_cast<value_type>(e.op(to.value, e.source[i]));
    } else if (to.value) {
      to.value.emplace(static_cast<value_type>(e.op(*to.value, e.source[i])));
    } else {
      to.value.emplace(static_cast<value_type>(e.source[i]));
    }
  }

  index_t repeated_;
  std::vector<bin> bins_;
};

/// An element converts to a partial result, and two of these combine.
template <typename E>
inline constexpr bool has_part_bins_v =
    splittable<decltype(E::op), decltype(E::source), typename E::value_type> &&
    std::is_constructible_v<typename E::value_type, element_t<decltype(E::source)>>;

/// By one thread, in order: in the destination, unless bins are repeated or its elements are of
/// another type.
template <by_index_node E, typename D>
void reduce_by_index_in_thread(const E& e, const D& destination) {
  using value_type = typename E::value_type;
  own_t<E> own = e;
  const auto seed = static_cast<value_type>(own.seed);
  const index_t count = own.source.size();
  if constexpr (has_part_bins_v<E>) {
    if (!std::is_same_v<D, sequence<value_type>> || part_bins<E>::are_repeated(own, count)) {
      part_bins<E> bins(own, count);
      bins.add(own, 0, count);
      for (index_t b = 0; b < own.bins; ++b) {
        store<element_t<D>>(destination[b], bins.appended(own, seed, b));
      }
      return;
    }
  }
  if constexpr (std::is_same_v<D, sequence<value_type>>) {
    std::fill_n(destination.data(), own.bins, seed);
    auto* const bins = destination.data();
    for (index_t i = 0; i < count; ++i) {
      const index_t b = own.bin_of(i);
      if (b >= 0) bins[b] = static_cast<value_type>(own.op(bins[b], own.source[i]));
    }
  } else {
    // Not of values, of which a vector might make bits.
    std::vector<std::optional<value_type>> bins(static_cast<std::size_t>(own.bins), seed);
    for (index_t i = 0; i < count; ++i) {
      const index_t b = own.bin_of(i);
      if (b < 0) continue;
      value_type& bin = *bins[static_cast<std::size_t>(b)];
      bin = static_cast<value_type>(own.op(bin, own.source[i]));
    }
    for (index_t b = 0; b < own.bins; ++b) {
      store<element_t<D>>(destination[b], *bins[static_cast<std::size_t>(b)]);
    }
  }
}

/// Sums of whole numbers into narrower ones, as these.
template <by_index_node E, typename D>
  requires sums_as_narrower_v<E, D>
void reduce_by_index_in_thread(const E& e, const D& destination) {
  add_as_narrower(e, destination, [](const auto& narrower, const auto& to) {
    reduce_by_index_in_thread(narrower, to);
  });
}

}  // namespace fettle::ndp::host::detail
