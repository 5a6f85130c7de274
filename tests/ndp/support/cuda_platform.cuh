// CUDA as the platform of the execution tests: memory is the device's, and policies are constants.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/type_list.hpp>
#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

#include "ndp/support/values.hpp"

namespace ndp_test {

using tested_platform = fettle::ndp::platform::cuda;

inline void require_success(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// Copies to the GPU, and waits until all is there: cudaMemcpy alone returns when it has read
/// pageable memory, and streams that do not wait for the default one could be ahead of it.
template <typename T>
void upload(T* to, const std::vector<T>& values) {
  require_success(cudaMemcpy(to, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  require_success(cudaDeviceSynchronize());
}

/// Elements in the platform's memory.
template <typename T>
class data {
 public:
  explicit data(const std::vector<T>& values) : count_(values.size()) {
    static_assert(std::is_trivially_copyable_v<T>);
    require_success(cudaMalloc(&elements_, (count_ + 1) * sizeof(T)));
    upload(elements_, values);
  }
  data(data&& other) noexcept
      : elements_(std::exchange(other.elements_, nullptr)), count_(other.count_) {}
  data(const data&) = delete;
  data& operator=(const data&) = delete;
  ~data() { cudaFree(elements_); }

  [[nodiscard]] fettle::ndp::sequence<const T> read() const { return {elements_, size()}; }
  [[nodiscard]] fettle::ndp::sequence<T> write() { return {elements_, size()}; }
  /// Waits for the work on the default stream.
  [[nodiscard]] std::vector<T> values() const {
    std::vector<T> out(count_);
    require_success(cudaMemcpy(out.data(), elements_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return out;
  }

 private:
  [[nodiscard]] index_t size() const { return static_cast<index_t>(count_); }

  T* elements_ = nullptr;
  std::size_t count_ = 0;
};

#ifndef FETTLE_TEST_ONLY_COMPILED
/// Of several sizes; fewer than on the host, where a type costs less time to compile.
using element_types = fettle::type_list<float, double, std::int8_t>;

/// Of the schedules that are valid for an expression, those that are tested: all.
template <typename Schedules>
using tested_schedules_t = Schedules;
#else
// Where nothing can run: one type, and one schedule beside the default rule's, from the middle.
using element_types = fettle::type_list<std::int8_t>;
template <typename Schedules>
using tested_schedules_t =
    fettle::type_list<fettle::type_at_t<Schedules, std::size_t{Schedules::size / 2}>>;
#endif

namespace detail {

using fettle::ndp::cuda::block_reduce_algorithm;
using fettle::ndp::cuda::block_scan_algorithm;
using fettle::ndp::cuda::execution_resource;
using fettle::ndp::cuda::policy;

// Every resource on every level, narrow warps, grains, the other algorithms. Where nothing can run,
// the last alone is compiled: it is the farthest from the default rule's.
using sampled_policies = fettle::type_list<
#ifndef FETTLE_TEST_ONLY_COMPILED
    fettle::ndp::constant<policy{}>,
    fettle::ndp::constant<policy{
        .block_size_x = 64,
        .logical_warp_size = 8,
        .level = {.first = {.grain_size = 3, .resource = execution_resource::warp},
                  .second = {.grain_size = 2, .resource = execution_resource::thread}}}>,
#endif
    fettle::ndp::constant<policy{
        .block_size_x = 32,
        .block_size_y = 4,
        .logical_warp_size = 2,
        .level = {.first = {.block_reduce_algo = block_reduce_algorithm::raking,
                            .block_scan_algo = block_scan_algorithm::raking,
                            .block_scan_grain_size = 3,
                            .resource = execution_resource::block},
                  .second = {.grain_size = 3,
                             .block_reduce_algo = block_reduce_algorithm::raking,
                             .block_scan_algo = block_scan_algorithm::raking_memoize,
                             .block_scan_grain_size = 3,
                             .resource = execution_resource::block,
                             .unroll = 4}}}>>;

}  // namespace detail

template <typename Schedule, typename Visit>
void for_each_policy(Visit&& visit) {
  fettle::for_each(detail::sampled_policies{}, [&]<typename Policy>(fettle::type_tag<Policy>) {
    if constexpr (fettle::ndp::cuda::violation(Policy::value, Schedule{}).empty()) {
      visit(Policy{}, "policy " + to_string(Policy::value));
    }
  });
}

}  // namespace ndp_test
