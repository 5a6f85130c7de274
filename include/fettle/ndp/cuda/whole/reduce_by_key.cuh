// reduce_by_key of scalars by the whole device: CUB's, which keeps the order of the elements.
//
// Elements and keys are read through the expression; the seed is put before a run's sum when it is
// written, and runs that the destination has no room for are dropped: how many there are is known
// only when the keys have been read.
#pragma once

#include <cstddef>
#include <cub/device/device_reduce.cuh>
#include <cuda_runtime.h>
#include <iterator>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/cuda/block/cub_iterator.cuh>
#include <fettle/ndp/cuda/block/cub_operator.cuh>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/run_chunk.hpp>
#include <fettle/ndp/cuda/block/scan_range.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Where runs' sums go: run i to destination[i], where there is room.
template <typename D, typename Op, typename T>
struct run_writer {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = void;
  using difference_type = index_t;
  using pointer = void;

  struct place {
    const run_writer& to;
    index_t run;

    __device__ void operator=(const T& sum) const {
      if (run < to.destination.size()) {
        store(to.destination[run], static_cast<T>(to.op(to.seed, sum)));
      }
    }
  };
  using reference = place;

  D destination;
  Op op;
  T seed;

  __device__ place operator[](index_t run) const { return {*this, run}; }
};

/// Discards the keys of the runs.
template <typename K>
struct run_keys_dropped {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = K;
  using difference_type = index_t;
  using pointer = void;

  struct place {
    __device__ void operator=(const K& /*key*/) const {}
  };
  using reference = place;

  __device__ place operator[](index_t /*run*/) const { return {}; }
};

/// All runs by one thread, in order.
template <typename E, typename D>
__global__ void serial_runs_kernel(const __grid_constant__ E e,
                                   const __grid_constant__ D destination) {
  using T = typename E::value_type;
  const index_t count = e.size();
  auto value = static_cast<T>(e.seed);
  index_t run = 0;
  for (index_t i = 0; i < count; ++i) {
    if (i > 0 && begins_run(e.keys, i)) {
      if (run < destination.size()) store(destination[run], value);
      value = static_cast<T>(e.seed);
      ++run;
    }
    value = static_cast<T>(e.op(value, e.source[i]));
  }
  if (count > 0 && run < destination.size()) store(destination[run], value);
}

/// Runs of equal keys one after the other, by one thread.
template <typename E, typename D>
void run_runs_serially(const platform::cuda& on, const computation& named, const E& e,
                       const D& destination) {
  launch(named, on.stream, dim3(1), dim3(1), 0, serial_runs_kernel<E, D>, e, destination);
}

/// The i-th run's value into destination[i].
template <typename E, typename D>
void run_device_reduce_by_key(const platform::cuda& on, const computation& named, const E& e,
                              const D& destination) {
  using T = typename E::value_type;
  using operator_type = decltype(e.op);
  if constexpr (!can_combine_v<operator_type, decltype(e.source), decltype(e.seed)>) {
    run_runs_serially(on, named, e, destination);
  } else {
    if (e.size() == 0) return;
    const workspace<index_t> runs(on, named, 1);
    std::size_t bytes = 0;
    const auto reduce = [&](void* temporary) {
      return cub::DeviceReduce::ReduceByKey(
          temporary, bytes, iterator_over<typename E::key_type>(e.keys),
          run_keys_dropped<typename E::key_type>{}, iterator_over<T>(e.source),
          run_writer<D, operator_type, T>{destination, e.op, static_cast<T>(e.seed)}, runs.data(),
          cub_operator<operator_type, T>(e.op), e.size(), on.stream);
    };
    check(named, reduce(nullptr), "sizing a reduce_by_key");
    const workspace<unsigned char> temporary(on, named, static_cast<index_t>(bytes));
    check(named, reduce(temporary.data()), "launching a reduce_by_key");
  }
}

}  // namespace fettle::ndp::cuda::detail
