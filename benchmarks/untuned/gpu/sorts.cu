// Sorts, histograms and inclusive sums: Fettle's default rule beside CUB's calls with their memory
// allocated beforehand and Thrust's as its documentation shows them, which sort a copy.
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include <fettle/ndp/execute.hpp>

#include "contenders.cuh"

namespace ndp_gpu {

namespace {

constexpr fb::index bins = 256;

struct bin_of {
  template <typename T>
  FETTLE_HOST_DEVICE fb::index operator()(T x) const {
    return static_cast<fb::index>(x);
  }
};

template <typename T>
void compare_sorts(bench& b, fb::index n) {
  const device_array<T> values(numbers_in_runs<T>(n, 16e6, 1));
  const device_array<fb::index> order(static_cast<std::size_t>(n));
  const device_array<fb::index> indices(static_cast<std::size_t>(n));
  const T* const x = values.data();
  const ndp::sequence<const T> in(x, n);
  const auto policy = thrust::cuda::par.on(b.stream);
  thrust::sequence(policy, indices.data(), indices.data() + n);
  const double bytes = 2.0 * n * sizeof(T);
  compare_calls<T>(
      b, {"sort", fb::short_number(n), type_name<T>(), 1, n, bytes}, static_cast<std::size_t>(n),
      [&](auto to) { ndp::execute<"sort">(ndp::sort(in), to, b.platform()); },
      [&](T* out) {
        return std::vector{cub_call<T>(
                               [&, x](void* memory, std::size_t& size, T* to) {
                                 return cub::DeviceRadixSort::SortKeys(
                                     memory, size, x, to, n, 0, int{sizeof(T) * 8}, b.stream);
                               },
                               out),
                           call<T>{"thrust", [=](T* to) {
                                     thrust::copy(policy, x, x + n, to);
                                     thrust::sort(policy, to, to + n);
                                   }}};
      });
  compare_calls<T>(
      b, {"sort_by_key", fb::short_number(n), type_name<T>(), 1, n, bytes + 8.0 * n},
      static_cast<std::size_t>(n),
      [&](auto to) {
        ndp::execute<"sort_by_key">(
            ndp::sort_by_key(in, ndp::sequence<const fb::index>(indices.data(), n)),
            ndp::zip(to, ndp::sequence<fb::index>(order.data(), n)), b.platform());
      },
      [&](T* out) {
        return std::vector{
            cub_call<T>(
                [&, x](void* memory, std::size_t& size, T* to) {
                  return cub::DeviceRadixSort::SortPairs(memory, size, x, to, indices.data(),
                                                         order.data(), n, 0, int{sizeof(T) * 8},
                                                         b.stream);
                },
                out),
            call<T>{"thrust", [&, x, policy](T* to) {
                      thrust::copy(policy, x, x + n, to);
                      thrust::copy(policy, indices.data(), indices.data() + n, order.data());
                      thrust::stable_sort_by_key(policy, to, to + n, order.data());
                    }}};
      });
}

template <typename T>
void compare_bins(bench& b, fb::index n) {
  const device_array<T> values(numbers_in_runs<T>(n, bins, 1));
  const T* const x = values.data();
  const ndp::sequence<const T> in(x, n);
  compare_calls<std::int32_t>(
      b, {"histogram", fb::short_number(n), type_name<T>(), 1, n, 1.0 * n * sizeof(T)},
      static_cast<std::size_t>(bins),
      [&](auto to) {
        ndp::execute<"histogram">(ndp::histogram(ndp::map(bin_of{}, in), bins), to, b.platform());
      },
      [&](std::int32_t* out) {
        return std::vector{cub_call<std::int32_t>(
            [&, x](void* memory, std::size_t& size, std::int32_t* to) {
              return cub::DeviceHistogram::HistogramEven(memory, size, x, to, bins + 1, T(0),
                                                         T(bins), n, b.stream);
            },
            out)};
      });
}

template <typename T>
void compare_inclusive_scan(bench& b, fb::index n) {
  const auto in = b.first_values<T>(n);
  const auto policy = thrust::cuda::par.on(b.stream);
  compare_calls<T>(
      b, {"inclusive_scan", fb::short_number(n), type_name<T>(), 1, n, 2.0 * n * sizeof(T)},
      static_cast<std::size_t>(n),
      [&](auto to) {
        ndp::execute<"inclusive_scan">(ndp::inclusive_scan(ndp::plus{}, in, T(0)), to,
                                       b.platform());
      },
      [&](T* out) {
        return std::vector{
            cub_call<T>(
                [&, x = in.data()](void* memory, std::size_t& size, T* to) {
                  return cub::DeviceScan::InclusiveSum(memory, size, x, to, n, b.stream);
                },
                out),
            call<T>{"thrust",
                    [=, x = in.data()](T* to) { thrust::inclusive_scan(policy, x, x + n, to); }}};
      });
}

}  // namespace

void add_sorts(bench& b) {
  for (const fb::index n : fb::flat_sizes(b.asked)) {
    if (b.asked.time_is_up()) return;
    compare_sorts<double>(b, n);
    compare_sorts<float>(b, n);
    compare_bins<double>(b, n);
    compare_bins<float>(b, n);
    compare_inclusive_scan<double>(b, n);
    compare_inclusive_scan<float>(b, n);
  }
}

}  // namespace ndp_gpu
