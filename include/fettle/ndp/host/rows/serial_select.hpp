// serial_select: filter, partition and unique on one thread, and what a team does in its parts.
//
// Elements are written to a buffer whether they are kept or not, and the next one overwrites what
// is not: that takes no branch, of which a processor would mispredict every second one.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/shape/counted.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// The elements that are kept of `room` at a time.
template <typename T>
class kept_elements {
 public:
  explicit kept_elements(index_t room) {
    if constexpr (plain) elements_.reset(new T[static_cast<std::size_t>(room)]);
  }

  /// Replaces the elements by those that `e` keeps of [first, last); returns how many they are.
  template <selection_node E>
  index_t fill(const E& e, index_t first, index_t last) {
    if constexpr (plain) {
      T* const to = elements_.get();
      index_t kept = 0;
      if constexpr (std::is_same_v<typename E::operator_type, op::unique> &&
                    std::is_arithmetic_v<T>) {
        // An element is read once, and compared with the one before it in a register.
        if (first == last) return 0;
        auto before = static_cast<T>(e.source[first]);
        to[0] = before;
        kept = e.keeps(first, before) ? 1 : 0;
        for (index_t i = first + 1; i < last; ++i) {
          const auto x = static_cast<T>(e.source[i]);
          to[kept] = x;
          kept += before == x ? 0 : 1;
          before = x;
        }
      } else {
        for (index_t i = first; i < last; ++i) {
          const auto x = static_cast<T>(e.source[i]);
          to[kept] = x;
          kept += e.keeps(i, x) ? 1 : 0;
        }
      }
      return kept;
    } else {
      elements_.clear();
      for (index_t i = first; i < last; ++i) {
        const auto x = static_cast<T>(e.source[i]);
        if (e.keeps(i, x)) elements_.push_back(x);
      }
      return static_cast<index_t>(elements_.size());
    }
  }

  /// The first `kept` to destination[at] and what follows, as far as it has room.
  template <typename D>
  void copy_to(const D& destination, index_t at, index_t kept) const {
    const index_t count = std::min(kept, std::max<index_t>(destination.size() - at, 0));
    if (count <= 0) return;
    if constexpr (plain) {
      assign(subsequence(destination, at, count), sequence<const T>(elements_.get(), count), 0,
             count);
    } else {
      for (index_t k = 0; k < count; ++k) {
        store<element_t<D>>(destination[at + k], elements_[static_cast<std::size_t>(k)]);
      }
    }
  }

 private:
  static constexpr bool plain =
      std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>;

  std::conditional_t<plain, std::unique_ptr<T[]>, std::vector<T>> elements_{};
};

/// `results` to a counted destination; throws where there is no room for all of them.
template <selection_node E, typename D>
void finish_selection(const E& /*e*/, const D& destination, index_t results) {
  set_count(destination, results);
  if (results > destination.size()) {
    throw error(std::string(E::operator_type::name) + ": the destination has room for " +
                std::to_string(destination.size()) + " elements, the result has " +
                std::to_string(results));
  }
}

/// How many elements of [first, last) are kept.
template <selection_node E>
[[nodiscard]] index_t count_kept(const E& e, index_t first, index_t last) {
  index_t kept = 0;
  for (index_t i = first; i < last; ++i) {
    kept += e.keeps(i, static_cast<typename E::value_type>(e.source[i])) ? 1 : 0;
  }
  return kept;
}

/// Stores the elements of [first, last): those that are kept from destination[kept] on, the others
/// from destination[other] on (Backwards: from there down). Returns the index behind the kept ones.
template <bool Backwards, selection_node E, typename D>
index_t partition_part(const E& e, const D& destination, index_t first, index_t last, index_t kept,
                       index_t other) {
  for (index_t i = first; i < last; ++i) {
    const auto x = static_cast<typename E::value_type>(e.source[i]);
    const bool keeps = e.keeps(i, x);
    store<element_t<D>>(destination[keeps ? kept : other], x);
    kept += keeps ? 1 : 0;
    other += keeps ? 0 : Backwards ? -1 : 1;
  }
  return kept;
}

template <typename D>
void reverse_elements(const D& destination, index_t first, index_t last) {
  using T = typename D::value_type;
  for (--last; first < last; ++first, --last) {
    const auto low = static_cast<T>(destination[first]);
    const auto high = static_cast<T>(destination[last]);
    store<element_t<D>>(destination[first], high);
    store<element_t<D>>(destination[last], low);
  }
}

/// Elements of a buffer that stays in the first-level cache.
template <typename T>
inline constexpr index_t elements_kept_at_a_time =
    std::max<index_t>(index_t{16 * 1024} / static_cast<index_t>(sizeof(T)), 16);

template <selection_node E, typename D>
void select_in_thread(const E& e, const D& destination) {
  using T = typename E::value_type;
  own_t<E> own = e;
  own_t<D> to = destination;
  const index_t count = own.size();
  index_t results = 0;
  if constexpr (E::is_partition) {
    results = partition_part<true>(own, to, 0, count, 0, count - 1);
    reverse_elements(to, results, count);
  } else {
    const index_t block = std::min(count, elements_kept_at_a_time<T>);
    kept_elements<T> kept(block);
    for (index_t first = 0; first < count; first += block) {
      const index_t found = kept.fill(own, first, std::min(first + block, count));
      kept.copy_to(to, results, found);
      results += found;
    }
  }
  finish_selection(e, destination, results);
}

}  // namespace fettle::ndp::host::detail
