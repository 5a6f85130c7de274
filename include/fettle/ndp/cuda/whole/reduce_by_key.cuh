// reduce_by_key of scalars by the whole device: CUB's, which keeps the order of the elements, or by
// tiles, in one kernel (posted_runs.cuh) or in three (tiled_runs.cuh).
//
// Elements and keys are read through the expression; the seed is put before a run's sum when it is
// written, and runs that the destination has no room for are dropped: how many there are is known
// only when the keys have been read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cuda_runtime.h>
#include <iterator>
#include <limits>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/store.hpp>
#include <fettle/ndp/cuda/block/cub_iterator.cuh>
#include <fettle/ndp/cuda/block/cub_operator.cuh>
#include <fettle/ndp/cuda/block/one_integer.hpp>
#include <fettle/ndp/cuda/block/output_iterator.cuh>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/block/run_chunk.hpp>
#include <fettle/ndp/cuda/block/scan_range.cuh>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/library_call.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/cuda/whole/posted_runs.cuh>
#include <fettle/ndp/cuda/whole/tiled_runs.cuh>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/replicate.hpp>
#include <fettle/ndp/operator/runs_by_key.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/shape/counted.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// A run's value by the sum of its elements: the seed is put before it.
template <typename Op, typename T>
struct seeded_sum {
  using sum_type = T;
  Op op;
  T seed;
  __device__ T operator()(const T& sum) const { return static_cast<T>(op(seed, sum)); }
};

/// ... by the number of its elements, which are all the integer `each`: counted in 32 bits.
template <typename T, typename Integer>
struct seeded_count {
  using sum_type = std::int32_t;
  T seed;
  Integer each;
  __device__ T operator()(std::int32_t number) const {
    return static_cast<T>(seed + static_cast<T>(number) * static_cast<T>(each));
  }
};

/// Where runs' values go: run i to destination[i], where there is room.
template <typename D, typename Value>
struct run_writer {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = void;
  using difference_type = index_t;
  using pointer = void;

  struct proxy {
    const run_writer& to;
    index_t run;

    __device__ void operator=(const typename Value::sum_type& sum) const {
      if (run < to.destination.size()) store(to.destination[run], to.value(sum));
    }
  };
  using reference = proxy;

  D destination;
  Value value;

  __device__ proxy operator[](index_t run) const { return {*this, run}; }
};

/// Where runs' keys and values go if both are wanted: into the two parts of a destination's
/// element.
template <typename D>
struct store_run_key {
  D destination;
  template <typename K>
  __device__ void operator()(index_t run, const K& key) const {
    if (run >= destination.size()) return;
    auto&& to = destination[run];
    get<0>(to) = key;
  }
};
template <typename D, typename Value>
struct store_run_value {
  D destination;
  Value value;
  __device__ void operator()(index_t run, const typename Value::sum_type& sum) const {
    if (run >= destination.size()) return;
    auto&& to = destination[run];
    get<1>(to) = value(sum);
  }
};

/// Discards the keys of the runs.
template <typename K>
struct run_keys_dropped {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = K;
  using difference_type = index_t;
  using pointer = void;

  struct proxy {
    __device__ void operator=(const K& /*key*/) const {}
  };
  using reference = proxy;

  __device__ proxy operator[](index_t /*run*/) const { return {}; }
};

/// All runs by one thread, in order.
template <typename E, typename D>
__global__ void serial_runs_kernel(const __grid_constant__ E e,
                                   const __grid_constant__ D destination) {
  using T = typename E::sum_type;
  const index_t count = e.size();
  auto value = static_cast<T>(e.seed);
  index_t run = 0;
  const auto close_run = [&](index_t last) {
    if (run < destination.size()) {
      if constexpr (is_keyed_runs_v<E>) {
        auto&& to = destination[run];
        auto& key = get<0>(to);
        key = static_cast<std::remove_reference_t<decltype(key)>>(e.keys[last]);
        get<1>(to) = value;
      } else {
        store(destination[run], value);
      }
    }
    ++run;
  };
  for (index_t i = 0; i < count; ++i) {
    if (i > 0 && begins_run(e.keys, i)) {
      close_run(i - 1);
      value = static_cast<T>(e.seed);
    }
    value = static_cast<T>(e.op(value, e.source[i]));
  }
  if (count > 0) close_run(count - 1);
  if constexpr (is_counted_v<D>) destination.results[0] = run;
}

/// Runs of equal keys one after the other, by one thread.
template <typename E, typename D>
void run_runs_serially(const platform::cuda& on, const computation& named, const E& e,
                       const D& destination) {
  launch(named, on.stream, dim3(1), dim3(1), 0, serial_runs_kernel<E, D>, e, destination);
}

/// Elements that CUB's kernel takes, at most. It is given 32-bit numbers: a number of 64 bits and a
/// value of 8 bytes are no word that blocks pass to each other at once, which takes twice as long.
inline constexpr index_t most_of_library_runs = std::numeric_limits<int>::max();

/// ... by CUB's kernel, which `call` calls: at least one element. value() makes a run's value of
/// what the kernel computes for it.
template <typename E, typename D, typename Value, typename Call>
void run_library_runs(const platform::cuda& on, const computation& named, const E& e,
                      const D& destination, const Value& value, const Call& call) {
  using T = typename Value::sum_type;
  using K = typename E::key_type;
  const workspace<index_t> own_runs(on, named, is_counted_v<D> ? 0 : 1);
  const auto call_counted = [call, destination, keys = iterator_over<K>(e.keys),
                             own = own_runs.data()](void* temporary, std::size_t& bytes,
                                                    auto to_keys, auto sums) {
    if constexpr (is_counted_v<D>) {
      return call(temporary, bytes, keys, to_keys, sums, destination.results.data());
    } else {
      return call(temporary, bytes, keys, to_keys, sums, own);
    }
  };
  const auto reduce = [call_counted, value, destination](void* temporary, std::size_t& bytes) {
    if constexpr (is_keyed_runs_v<E>) {
      return call_counted(temporary, bytes, output_to<K>(store_run_key<D>{destination}),
                          output_to<T>(store_run_value<D, Value>{destination, value}));
    } else {
      return call_counted(temporary, bytes, run_keys_dropped<K>{},
                          run_writer<D, Value>{destination, value});
    }
  };
  call_library(on, named, "launching a reduce_by_key", e.size(), reduce);
}

template <typename E, typename D>
void run_library_runs(const platform::cuda& on, const computation& named, const E& e,
                      const D& destination) {
  using T = typename E::sum_type;
  using operator_type = decltype(E::op);
  const auto seed = static_cast<T>(e.seed);
  const auto count = static_cast<int>(e.size());
  const cudaStream_t stream = on.stream;
  if constexpr (is_one_integer_v<decltype(E::source)> && std::is_same_v<operator_type, plus> &&
                std::is_integral_v<T>) {
    using integer = decltype(e.source.value);
    run_library_runs(on, named, e, destination, seeded_count<T, integer>{seed, e.source.value},
                     [count, stream](void* temporary, std::size_t& bytes, auto keys, auto to_keys,
                                     auto lengths, auto* runs) {
                       return cub::DeviceRunLengthEncode::Encode(temporary, bytes, keys, to_keys,
                                                                 lengths, runs, count, stream);
                     });
  } else {
    run_library_runs(
        on, named, e, destination, seeded_sum<operator_type, T>{e.op, seed},
        [source = e.source, op = e.op, count, stream](
            void* temporary, std::size_t& bytes, auto keys, auto to_keys, auto sums, auto* runs) {
          return cub::DeviceReduce::ReduceByKey(temporary, bytes, keys, to_keys,
                                                iterator_over<T>(source), sums, runs,
                                                cub_operator<operator_type, T>(op), count, stream);
        });
  }
}

/// Whether tiles take less than CUB's kernel.
template <typename T>
inline constexpr bool prefers_tiled_runs_v = sizeof(T) > 8;

/// The i-th run's value into destination[i].
template <typename E, typename D>
void run_device_reduce_by_key(const platform::cuda& on, const computation& named, const E& e,
                              const D& destination) {
  using operator_type = decltype(e.op);
  if constexpr (!can_combine_v<operator_type, decltype(e.source), decltype(e.seed)>) {
    run_runs_serially(on, named, e, destination);
  } else if (e.size() == 0) {
    if constexpr (is_counted_v<D>) run_runs_serially(on, named, e, destination);
  } else if (run_posted_runs(on, named, e, destination)) {
    return;
  } else if (prefers_tiled_runs_v<typename E::sum_type> || e.size() > most_of_library_runs) {
    run_tiled_runs(on, named, e, destination);
  } else if constexpr (!prefers_tiled_runs_v<typename E::sum_type>) {
    run_library_runs(on, named, e, destination);
  }
}

}  // namespace fettle::ndp::cuda::detail
