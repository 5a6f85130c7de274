// dispatch_by_key: the overloads of `realise` for reduce_by_key, of scalars and of vectors, and for
// filter, partition, unique, reduce_by_index, sort and sort_by_key.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/dispatch/dispatch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/whole/reduce_by_index.cuh>
#include <fettle/ndp/cuda/whole/reduce_by_key.cuh>
#include <fettle/ndp/cuda/whole/select.cuh>
#include <fettle/ndp/cuda/whole/sort.cuh>
#include <fettle/ndp/cuda/whole/vector_reduce_by_key.cuh>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <typename E>
concept by_key_node = is_reduced_by_key_v<E>;

template <by_key_node E, typename D, typename Inner, typename Policy>
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::cooperative<Inner> /*schedule*/, Policy /*policy*/) {
  if constexpr (sequence_like<typename E::value_type>) {
    run_vector_reduce_by_key<Policy, false>(on, named, e, destination);
  } else {
    run_device_reduce_by_key(on, named, e, destination);
  }
}

/// Elements one after the other; coordinates of vectors side by side all the same.
template <by_key_node E, typename D, typename Inner, typename Policy>
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::sequential<Inner> /*schedule*/, Policy /*policy*/) {
  if constexpr (sequence_like<typename E::value_type>) {
    run_vector_reduce_by_key<Policy, true>(on, named, e, destination);
  } else {
    run_runs_serially(on, named, e, destination);
  }
}

template <by_index_node E, typename D, typename Inner, typename Policy>
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::cooperative<Inner> /*schedule*/, Policy /*policy*/) {
  run_device_reduce_by_index(on, named, e, destination);
}
template <by_index_node E, typename D, typename Inner, typename Policy>
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::sequential<Inner> /*schedule*/, Policy /*policy*/) {
  run_bins_serially(on, named, e, destination);
}

/// A sort has one implementation: there is none by one thread.
template <sort_node E, typename D, typename Schedule, typename Policy>
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             Schedule /*schedule*/, Policy /*policy*/) {
  run_device_sort(on, named, e, destination);
}

template <selection_node E, typename D, typename Inner, typename Policy>
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::cooperative<Inner> /*schedule*/, Policy /*policy*/) {
  run_device_selection(on, named, e, destination);
}
template <selection_node E, typename D, typename Inner, typename Policy>
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::sequential<Inner> /*schedule*/, Policy /*policy*/) {
  run_selection_serially(on, named, e, destination);
}

}  // namespace fettle::ndp::cuda::detail
