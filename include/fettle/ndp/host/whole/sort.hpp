// sort, sort_by_key: std::stable_sort of a part of the elements by each thread, then rounds in
// which neighbouring parts are merged, each merge by all threads in equal tiles.
//
// Elements are sorted in a buffer, so that a destination may be any writable sequence.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/order.hpp>
#include <fettle/ndp/base/split.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/rows/serial_sort.hpp>
#include <fettle/ndp/host/team/team_like.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// How many of the first `count` elements of the merge of a and b, in which a's come first where
/// neither is less, are a's.
template <typename T, typename Less>
[[nodiscard]] index_t taken_of_first(const T* a, index_t a_size, const T* b, index_t b_size,
                                     index_t count, const Less& less) {
  index_t low = std::max<index_t>(count - b_size, 0);
  index_t high = std::min(count, a_size);
  while (low < high) {
    const index_t i = low + (high - low) / 2;
    if (less(b[count - i - 1], a[i])) {
      high = i;
    } else {
      low = i + 1;
    }
  }
  return low;
}

/// Elements [begin, end) of the merge of a and b to `out`.
template <typename T, typename Less>
void merge_tile(T* a, index_t a_size, T* b, index_t b_size, index_t begin, index_t end, T* out,
                const Less& less) {
  const index_t first = taken_of_first(a, a_size, b, b_size, begin, less);
  const index_t last = taken_of_first(a, a_size, b, b_size, end, less);
  std::merge(std::make_move_iterator(a + first), std::make_move_iterator(a + last),
             std::make_move_iterator(b + (begin - first)),
             std::make_move_iterator(b + (end - last)), out + begin, less);
}

/// Sorts `count` elements on the threads of `at`; `other` has room for as many. Returns where they
/// are.
template <team_like Team, typename T, typename Less>
[[nodiscard]] T* sort_on_team(const Team& at, int threads, T* elements, T* other, index_t count,
                              const Less& less) {
  const int parts = threads;
  at.for_parts(threads, parts, [&](index_t begin, index_t end) {
    for (index_t part = begin; part < end; ++part) {
      sort_elements(elements + part_begin(count, static_cast<int>(part), parts),
                    elements + part_begin(count, static_cast<int>(part) + 1, parts), less);
    }
  });
  std::vector<index_t> ends;  // of the sorted parts
  ends.reserve(static_cast<std::size_t>(parts));
  for (int part = 0; part < parts; ++part) ends.push_back(part_begin(count, part + 1, parts));
  while (ends.size() > 1) {
    std::vector<index_t> merged;
    merged.reserve((ends.size() + 1) / 2);
    for (std::size_t k = 0; k < ends.size(); k += 2) {
      merged.push_back(ends[std::min(k + 1, ends.size() - 1)]);
    }
    at.for_parts(threads, threads, [&](index_t first_tile, index_t last_tile) {
      const index_t begin = part_begin(count, static_cast<int>(first_tile), threads);
      const index_t end = part_begin(count, static_cast<int>(last_tile), threads);
      for (std::size_t k = 0; k < ends.size(); k += 2) {
        const index_t low = k == 0 ? 0 : ends[k - 1];
        const index_t high = merged[k / 2];
        const index_t from = std::max(begin, low);
        const index_t to = std::min(end, high);
        if (from >= to) continue;
        merge_tile(elements + low, ends[k] - low, elements + ends[k], high - ends[k], from - low,
                   to - low, other + low, less);
      }
    });
    std::swap(elements, other);
    ends = std::move(merged);
  }
  return elements;
}

template <team_like Team, sort_node E, typename D>
void sort_by_team(const Team& at, const E& e, const D& destination) {
  const index_t count = e.size();
  const int threads = at.template divide<schedule::none>(count).team;
  if constexpr (std::is_default_constructible_v<sorted_element<E>>) {
    if (threads > 1) {
      using T = sorted_element<E>;
      const auto buffer = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(2 * count));
      T* const elements = buffer.get();
      const int parts = threads;
      at.for_parts(threads, parts, [&](index_t begin, index_t end) {
        read_elements(e, part_begin(count, static_cast<int>(begin), parts),
                      part_begin(count, static_cast<int>(end), parts), elements);
      });
      const sorted_elements_less<E> less{e.less};
      const T* const sorted = sort_on_team(at, threads, elements, elements + count, count, less);
      at.for_parts(threads, parts, [&](index_t begin, index_t end) {
        write_elements<E>(sorted, part_begin(count, static_cast<int>(begin), parts),
                          part_begin(count, static_cast<int>(end), parts), destination);
      });
      return;
    }
  }
  sort_in_thread(e, destination);
}

}  // namespace fettle::ndp::host::detail
