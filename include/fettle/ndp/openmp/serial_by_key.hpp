// serial_by_key: segmented reductions on one thread, and what the parallel ones share with them:
// where runs begin, where the result of a run goes, and whether all of them fit.
#pragma once

#include <string>

#include <fettle/core/error.hpp>
#include <fettle/ndp/index.hpp>
#include <fettle/ndp/openmp/fold_rows.hpp>
#include <fettle/ndp/openmp/node.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>
#include <fettle/ndp/store.hpp>

namespace fettle::ndp::openmp {

/// Element i has another key than the one before it.
template <typename K>
[[nodiscard]] inline bool begins_run(const K& keys, index_t i) {
  return i == 0 || !(keys[i - 1] == keys[i]);
}

/// How many runs begin in [first, last).
template <typename K>
[[nodiscard]] inline index_t runs_begun(const K& keys, index_t first, index_t last) {
  if (first >= last) return 0;
  index_t count = begins_run(keys, first) ? 1 : 0;
  for (index_t i = first + 1; i < last; ++i) count += keys[i - 1] == keys[i] ? 0 : 1;
  return count;
}

/// For how many runs the destination has room.
template <typename E, typename D>
[[nodiscard]] inline index_t room_for_runs(const E& e, const D& destination) {
  if constexpr (row_by_key_node<E> && !nested<D>) {
    const index_t length = e.seed.size();
    return length > 0 ? destination.size() / length : destination.size();
  } else {
    return destination.size();
  }
}

[[noreturn]] inline void throw_too_many_runs(index_t room, index_t runs) {
  throw error("reduce_by_key: the destination has room for " + std::to_string(room) +
              " runs, the keys have " + std::to_string(runs));
}

/// Where the result of run `run` goes: the row of a reduce_by_key > map.
template <row_by_key_node E, typename D>
[[nodiscard]] inline auto row_of_run(const E& e, const D& destination, index_t run) {
  if constexpr (nested<D>) {
    return destination[run];
  } else {
    const index_t length = e.seed.size();
    return subsequence(destination, run * length, length);
  }
}

/// The i-th run's p op s[k] op ... into destination[i] (or its i-th row), in order.
template <typename E, typename D>
inline void by_key_in_order(const E& e, const D& destination) {
  const index_t count = e.size();
  const index_t room = room_for_runs(e, destination);
  index_t run = 0;
  for (index_t i = 0; i < count; ++run) {
    if (run >= room) throw_too_many_runs(room, run + runs_begun(e.keys, i, count));
    if constexpr (row_by_key_node<E>) {
      const index_t first = i;
      while (++i < count && e.keys[i - 1] == e.keys[i]) {
      }
      const auto row = row_of_run(e, destination, run);
      fold_rows(e.op, e.source, first, i, e.seed, row, 0, e.seed.size());
    } else {
      typename E::value_type value = e.op(e.seed, e.source[i]);
      while (++i < count && e.keys[i - 1] == e.keys[i]) value = e.op(value, e.source[i]);
      store<element_t<D>>(destination[run], value);
    }
  }
}

}  // namespace fettle::ndp::openmp
