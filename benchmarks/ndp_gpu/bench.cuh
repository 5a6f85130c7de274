// The GPU benchmark's frame. A file that adds comparisons declares its function here and is called
// from main.cu.
#pragma once

#include <cstdint>
#include <cuda_runtime.h>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/ndp.hpp>

#include "../ndp/comparison.hpp"
#include "../ndp/inputs.hpp"
#include "../ndp/report.hpp"
#include "device.cuh"

namespace ndp_gpu {

namespace fb = fettle_benchmarks;
namespace ndp = fettle::ndp;

template <typename T>
[[nodiscard]] constexpr const char* type_name() {
  static_assert(std::is_same_v<T, double> || std::is_same_v<T, float>);
  return std::is_same_v<T, double> ? "double" : "float";
}

struct bench {
  fb::options asked;
  fb::effort effort;
  cudaStream_t stream = nullptr;
  stopwatch watch;
  fb::report report{};
  // The values of all inputs, and the vector of all matrices.
  std::pair<device_array<double>, device_array<float>> values{};
  std::pair<device_array<double>, device_array<float>> vector{};

  template <typename T>
  [[nodiscard]] ndp::sequence<const T> first_values(std::int64_t count) const {
    return {std::get<device_array<T>>(values).data(), count};
  }
  template <typename T>
  [[nodiscard]] ndp::sequence<const T> first_of_vector(std::int64_t count) const {
    return {std::get<device_array<T>>(vector).data(), count};
  }
  [[nodiscard]] ndp::platform::cuda platform() const { return {stream}; }

  void compare(const fb::comparison& c) { report.add(fb::compare(watch, c, effort)); }
};

void add_reductions(bench& b);
void add_scans(bench& b);
void add_segmented_sums(bench& b);
void add_sparse_products(bench& b);

}  // namespace ndp_gpu
