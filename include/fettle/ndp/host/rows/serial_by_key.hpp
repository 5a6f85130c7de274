// serial_by_key: segmented reductions on one thread, and what the parallel ones have in common with
// them: where runs begin and end, where the result of a run goes, and whether all of them fit.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/host/lanes/assign.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/fold_rows.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>
#include <fettle/ndp/shape/counted.hpp>
#include <fettle/ndp/shape/destination_size.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// Element i has another key than the one before it.
template <typename K>
[[nodiscard]] inline bool begins_run(const K& keys, index_t i) {
  return i == 0 || !(keys[i - 1] == keys[i]);
}

/// Where the run of element i ends, at `last` at the latest.
template <typename K>
[[nodiscard]] inline index_t run_end(const K& keys, index_t i, index_t last) {
  while (++i < last && keys[i - 1] == keys[i]) {
  }
  return i;
}

/// fold(), not inlined and with copies of the views: the code around it keeps its registers.
template <typename Op, typename S, typename T>
[[nodiscard, gnu::noinline]] T fold_long_run(Op op, S s, index_t first, index_t last, T value) {
  return fold(op, s, first, last, value);
}

/// value op s[first] op ... for the elements of first's run before `last`; `first` moves behind
/// them. Keys and elements are read together; only a long run has its end looked up first, so that
/// its elements can be combined by lanes.
template <bool InOrder, typename Op, typename S, typename K, typename T>
[[nodiscard]] inline T fold_run(const Op& op, const S& s, const K& keys, index_t& first,
                                index_t last, T value) {
  value = op(value, s[first]);
  index_t i = first + 1;
  if constexpr (!InOrder) {
    // A run that is shorter than this costs less when nothing is looked up.
    if (constexpr index_t few = 16; last - first > few && keys[first] == keys[first + few]) {
      first = run_end(keys, first, last);
      return fold_long_run(op, s, i, first, value);
    }
  }
  while (i < last && keys[i - 1] == keys[i]) {
    value = op(value, s[i]);
    ++i;
  }
  first = i;
  return value;
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
[[nodiscard]] inline index_t room_for_runs([[maybe_unused]] const E& e, const D& destination) {
  if constexpr (row_by_key_node<E> && !nested<D>) {
    const index_t length = e.seed.size();
    return length > 0 ? destination.size() / length : e.size();
  } else {
    return destination.size();
  }
}

/// What is known of a run where it begins, at element i: its key, where that is wanted.
template <typename E, typename D>
inline void open_run(const E& e, const D& destination, index_t run, index_t i) {
  if constexpr (is_keyed_runs_v<E>) {
    auto&& to = destination[run];
    auto& key = get<0>(to);
    key = static_cast<std::remove_reference_t<decltype(key)>>(e.keys[i]);
  }
}

/// ... and where it ends.
template <typename E, typename D, typename T>
inline void close_run(const E& /*e*/, const D& destination, index_t run, const T& value) {
  if constexpr (is_keyed_runs_v<E>) {
    auto&& to = destination[run];
    auto& sum = get<1>(to);
    sum = static_cast<std::remove_reference_t<decltype(sum)>>(value);
  } else {
    store<element_t<D>>(destination[run], value);
  }
}

/// Where the result of run `run` of a reduce_by_key > map goes.
template <row_by_key_node E, typename D>
[[nodiscard]] inline auto row_of_run([[maybe_unused]] const E& e, const D& destination,
                                     index_t run) {
  if constexpr (nested<D>) {
    return destination[run];
  } else {
    const index_t length = e.seed.size();
    return subsequence(destination, run * length, length);
  }
}

/// The i-th run's p op s[k] op ... into element i of `destination`.
template <bool InOrder, scalar_by_key_node E, typename D>
inline void by_key_in_thread(const E& e, const D& destination) {
  own_t<E> own = e;
  own_t<D> to = destination;
  const index_t count = own.size();
  const index_t room = to.size();
  const auto seed = static_cast<typename E::sum_type>(own.seed);
  index_t run = 0;
  for (index_t i = 0; i < count; ++run) {
    if (run >= room) {
      const index_t runs = run + runs_begun(own.keys, i, count);
      set_count(destination, runs);
      ndp::detail::throw_too_many_runs(room, runs);
    }
    open_run(own, to, run, i);
    close_run(own, to, run, fold_run<InOrder>(own.op, own.source, own.keys, i, count, seed));
  }
  set_count(destination, run);
}

/// The i-th run's p op s[k] op ... into row i of `destination`, for the columns [begin, end).
template <row_by_key_node E, typename D>
inline void by_key_columns(const E& e, const D& destination, index_t begin, index_t end) {
  const index_t count = e.size();
  const index_t room = room_for_runs(e, destination);
  index_t run = 0;
  for (index_t first = 0; first < count; ++run) {
    if (run >= room) {
      ndp::detail::throw_too_many_runs(room, run + runs_begun(e.keys, first, count));
    }
    const index_t last = run_end(e.keys, first, count);
    fold_rows(e.op, e.source, first, last, e.seed, row_of_run(e, destination, run), begin, end);
    first = last;
  }
}

}  // namespace fettle::ndp::host::detail
