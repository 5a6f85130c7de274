// dispatch: which kernel realises an (expression, schedule, policy); the overloads of `realise`.
//
// A generic kernel serves every valid schedule. A special one is added as an overload with a more
// special constraint.
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/cuda/block/resources.cuh>
#include <fettle/ndp/cuda/flattened/flattened_reduce.cuh>
#include <fettle/ndp/cuda/flattened/flattened_scan.cuh>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/generic/node.hpp>
#include <fettle/ndp/cuda/generic/rows.cuh>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/rows/adaptive_rows.cuh>
#include <fettle/ndp/cuda/rows/program_rows.hpp>
#include <fettle/ndp/cuda/rows/row_program.cuh>
#include <fettle/ndp/cuda/rows/short_rows.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/whole/cooperative_reduce.cuh>
#include <fettle/ndp/cuda/whole/cooperative_scan.cuh>
#include <fettle/ndp/cuda/whole/vector_reduce.cuh>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

template <typename Policy>
inline constexpr execution_resource resource_v = Policy::value.level[0].resource;

/// No level in it is parallel. A concept, so that an overload that asks for more is more special.
template <typename Inner>
concept sequential_levels = schedule::is_sequential_v<Inner>;

// ---- one reduction, one scan ---------------------------------------------------------------

template <scalar_reduce_node E, typename D, typename Inner, typename Policy>
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::cooperative<Inner> /*schedule*/, Policy /*policy*/) {
  if constexpr (resource_v<Policy> == execution_resource::automatic) {
    run_device_reduce<Policy>(on, named, e, destination);
  } else {
    using resource = decltype(resource_of_level<Policy, 0, execution_resource::block>());
    run_single<Policy, resource, false>(on, named, e, destination);
  }
}

template <scan_node E, typename D, typename Inner, typename Policy>
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::cooperative<Inner> /*schedule*/, Policy /*policy*/) {
  if constexpr (resource_v<Policy> == execution_resource::automatic) {
    run_device_scan<Policy>(on, named, e, destination);
  } else {
    using resource = decltype(resource_of_level<Policy, 0, execution_resource::block>());
    run_single<Policy, resource, false>(on, named, e, destination);
  }
}

template <typename E, typename D, typename Inner, typename Policy>
  requires(scalar_reduce_node<E> || scan_node<E>)
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::sequential<Inner> /*schedule*/, Policy /*policy*/) {
  run_single<Policy, thread_resource, true>(on, named, e, destination);
}

/// A reduction of sequences, element by element.
template <typename E, typename D, typename Inner, typename Policy>
  requires row_reduce_node<E>
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::cooperative<Inner> /*schedule*/, Policy /*policy*/) {
  if constexpr (resource_v<Policy> == execution_resource::thread) {
    run_vector_serially(on, named, e, destination);
  } else {
    run_vector_reduce<Policy>(on, named, e, destination);
  }
}
template <typename E, typename D, typename Inner, typename Policy>
  requires row_reduce_node<E>
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::sequential<Inner> /*schedule*/, Policy /*policy*/) {
  run_vector_serially(on, named, e, destination);
}

template <typename E, typename Policy>
inline constexpr bool rows_of_block_v = [] {
  if constexpr (map_of_reductions<E>) {
    return flat_rows_of_combinables<E> && resource_v<Policy> == execution_resource::block;
  } else {
    return false;
  }
}();

// ---- elements in parallel ------------------------------------------------------------------

/// All levels below sequential: a thread an element.
template <elements_node E, typename D, sequential_levels Inner, typename Policy>
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::independent<Inner> /*schedule*/, Policy /*policy*/) {
  run_independent<Policy>(on, named, e, destination);
}

/// ... and where a block as a whole takes rows, it stages them in its shared memory.
template <map_of_reductions E, typename D, sequential_levels Inner, typename Policy>
  requires(flat_rows_of_combinables<E> && fits_short_rows_v<E> &&
           resource_v<Policy> == execution_resource::block)
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::independent<Inner> /*schedule*/, Policy policy) {
  short_rows(on, named, e, destination, policy);
}

/// The level below is parallel too: a row for each logical warp, block, or thread; where a block as
/// a whole takes rows, it gives each as many lanes as suit it.
template <elements_node E, typename D, typename Inner, typename Policy>
  requires(!sequential_levels<Inner>)
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::independent<Inner> /*schedule*/, Policy /*policy*/) {
  using resource = decltype(resource_of_level<Policy, 1, execution_resource::warp>());
  if constexpr (program_node<E>) {
    run_programs<Policy, resource>(on, named, e, destination);
  } else if constexpr (rows_of_block_v<E, Policy>) {
    adaptive_rows(on, named, e, destination);
  } else if constexpr (resource::size == 1) {
    run_independent<Policy>(on, named, e, destination);
  } else {
    run_rows<Policy, resource>(on, named, e, destination);
  }
}

// ---- elements one after the other ----------------------------------------------------------

template <elements_node E, typename D, typename Inner, typename Policy>
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::sequential<Inner> /*schedule*/, Policy /*policy*/) {
  if constexpr (schedule::is_sequential_v<Inner>) {
    run_single<Policy, thread_resource, true>(on, named, e, destination);
  } else {
    using resource = decltype(resource_of_level<Policy, 1, execution_resource::block>());
    if constexpr (program_node<E>) {
      run_programs<Policy, resource>(on, named, e, destination, true);
    } else {
      run_sequential_rows<Policy, resource>(on, named, e, destination);
    }
  }
}

// ---- tiles of equal size -------------------------------------------------------------------

template <map_of_reductions E, typename D, typename Inner, typename Policy>
  requires flat_rows_of_combinables<E>
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::flattened<Inner> /*schedule*/, Policy policy) {
  flattened_reduce(on, named, e, destination, policy);
}

template <map_of_scans E, typename D, typename Inner, typename Policy>
  requires flat_rows_of_combinables<E>
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::flattened<Inner> /*schedule*/, Policy policy) {
  flattened_scan(on, named, e, destination, policy);
}

/// Rows that are not contiguous, or whose operator cannot combine parts of them: a thread a row.
template <elements_node E, typename D, typename Inner, typename Policy>
void realise(const platform::cuda& on, const computation& named, const E& e, const D& destination,
             schedule::flattened<Inner> /*schedule*/, Policy /*policy*/) {
  run_independent<Policy>(on, named, e, destination);
}

}  // namespace fettle::ndp::cuda::detail
