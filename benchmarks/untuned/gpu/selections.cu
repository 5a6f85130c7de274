// Selections and runs: Fettle's default rule beside CUB's calls with their memory allocated
// beforehand and Thrust's as its documentation shows them. Fettle and CUB leave the number of
// results on the GPU, Thrust returns it.
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/unique.h>

#include <fettle/ndp/execute.hpp>

#include "contenders.cuh"

namespace ndp_gpu {

namespace {

constexpr double distinct = 1000;

template <typename T>
struct is_large {
  FETTLE_HOST_DEVICE bool operator()(T x) const { return x >= T(distinct / 2); }
};

template <typename T>
[[nodiscard]] fb::input selection(const char* work, fb::index n) {
  return {work, fb::short_number(n), type_name<T>(), 1, n, 2.0 * n * sizeof(T)};
}

template <typename T>
void compare_filters(bench& b, fb::index n, const device_array<fb::index>& number) {
  const device_array<T> values(numbers_in_runs<T>(n, distinct, 1));
  const T* const x = values.data();
  const ndp::sequence<const T> in(x, n);
  const auto policy = thrust::cuda::par.on(b.stream);
  const ndp::sequence<fb::index> count(number.data(), 1);
  const auto kept = static_cast<std::size_t>(thrust::count_if(policy, x, x + n, is_large<T>{}));
  compare_calls<T>(
      b, selection<T>("filter", n), kept,
      [&](auto to) {
        ndp::execute<"filter">(ndp::filter(is_large<T>{}, in), ndp::counted(to, count),
                               b.platform());
      },
      [&](T* out) {
        return std::vector{cub_call<T>(
                               [&, x](void* memory, std::size_t& bytes, T* to) {
                                 return cub::DeviceSelect::If(memory, bytes, x, to, number.data(),
                                                              n, is_large<T>{}, b.stream);
                               },
                               out),
                           call<T>{"thrust", [=](T* to) {
                                     thrust::copy_if(policy, x, x + n, to, is_large<T>{});
                                   }}};
      });
  compare_calls<T>(
      b, selection<T>("partition", n), static_cast<std::size_t>(n),
      [&](auto to) {
        ndp::execute<"partition">(ndp::partition(is_large<T>{}, in), ndp::counted(to, count),
                                  b.platform());
      },
      [&](T*) {
        return std::vector{call<T>{"thrust", [=](T* to) {
                                     thrust::copy(policy, x, x + n, to);
                                     thrust::stable_partition(policy, to, to + n, is_large<T>{});
                                   }}};
      });
}

template <typename T>
void compare_runs(bench& b, fb::index n, const device_array<fb::index>& number) {
  const device_array<T> keys(numbers_in_runs<T>(n, distinct, 5));
  const device_array<T> firsts(static_cast<std::size_t>(n));
  const device_array<fb::index> lengths(static_cast<std::size_t>(n));
  const auto values = b.first_values<T>(n);
  const T* const k = keys.data();
  const ndp::sequence<const T> in(k, n);
  const auto policy = thrust::cuda::par.on(b.stream);
  const ndp::sequence<fb::index> count(number.data(), 1);
  const auto runs = static_cast<std::size_t>(thrust::unique_copy(policy, k, k + n, firsts.data()) -
                                             firsts.data());
  const ndp::sequence<T> first(firsts.data(), static_cast<ndp::index_t>(runs));
  compare_calls<T>(
      b, selection<T>("unique", n), runs,
      [&](auto to) {
        ndp::execute<"unique">(ndp::unique(in), ndp::counted(to, count), b.platform());
      },
      [&](T* out) {
        return std::vector{
            cub_call<T>(
                [&, k](void* memory, std::size_t& bytes, T* to) {
                  return cub::DeviceSelect::Unique(memory, bytes, k, to, number.data(), n,
                                                   b.stream);
                },
                out),
            call<T>{"thrust", [=](T* to) { thrust::unique_copy(policy, k, k + n, to); }}};
      });
  compare_calls<fb::index>(
      b, selection<T>("run_lengths", n), runs,
      [&](auto to) {
        ndp::execute<"run_lengths">(ndp::run_lengths(in), ndp::counted(ndp::zip(first, to), count),
                                    b.platform());
      },
      [&](fb::index* out) {
        return std::vector{
            cub_call<fb::index>(
                [&, k](void* memory, std::size_t& bytes, fb::index* to) {
                  return cub::DeviceRunLengthEncode::Encode(memory, bytes, k, firsts.data(), to,
                                                            number.data(), n, b.stream);
                },
                out),
            call<fb::index>{"thrust", [=, to_keys = firsts.data()](fb::index* to) {
                              thrust::reduce_by_key(policy, k, k + n,
                                                    thrust::constant_iterator<fb::index>(1),
                                                    to_keys, to);
                            }}};
      });
  compare_calls<T>(
      b, selection<T>("reduce_by_key", n), runs,
      [&](auto to) {
        ndp::execute<"reduce_by_key">(ndp::runs_by_key(ndp::plus{}, values, in, T(0)),
                                      ndp::counted(ndp::zip(first, to), count), b.platform());
      },
      [&](T* out) {
        return std::vector{
            cub_call<T>(
                [&, k, v = values.data()](void* memory, std::size_t& bytes, T* to) {
                  return cub::DeviceReduce::ReduceByKey(memory, bytes, k, firsts.data(), v, to,
                                                        number.data(), ndp::plus{}, n, b.stream);
                },
                out),
            call<T>{"thrust", [=, to_keys = firsts.data(), v = values.data()](T* to) {
                      thrust::reduce_by_key(policy, k, k + n, v, to_keys, to);
                    }}};
      });
}

}  // namespace

void add_selections(bench& b) {
  const device_array<fb::index> number(1);
  for (const fb::index n : fb::flat_sizes(b.asked)) {
    if (b.asked.time_is_up()) return;
    compare_filters<double>(b, n, number);
    compare_filters<float>(b, n, number);
    compare_runs<double>(b, n, number);
    compare_runs<float>(b, n, number);
  }
}

}  // namespace ndp_gpu
