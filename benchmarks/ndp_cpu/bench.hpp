// The CPU benchmark's frame. A file that adds comparisons declares its function here and is called
// from main.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include <fettle/ndp.hpp>

#include "../ndp/comparison.hpp"
#include "../ndp/inputs.hpp"
#include "../ndp/report.hpp"
#include "stopwatch.hpp"

namespace ndp_cpu {

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
  stopwatch watch{};
  fb::report report{};
  // The values of all inputs, and the vector of all matrices.
  std::pair<std::vector<double>, std::vector<float>> values{};
  std::pair<std::vector<double>, std::vector<float>> vector{};

  template <typename T>
  [[nodiscard]] ndp::sequence<const T> first_values(std::int64_t count) const {
    return {std::get<std::vector<T>>(values).data(), count};
  }
  template <typename T>
  [[nodiscard]] ndp::sequence<const T> first_of_vector(std::int64_t count) const {
    return {std::get<std::vector<T>>(vector).data(), count};
  }

  void compare(const fb::comparison& c) { report.add(fb::compare(watch, c, effort)); }
};

/// Bytes of ones: NaN.
template <typename T>
void poison(std::vector<T>& out) {
  if (!out.empty()) std::memset(out.data(), 0xFF, out.size() * sizeof(T));
}

template <typename T>
[[nodiscard]] bool equal(std::span<const T> found, std::span<const std::int32_t> expected) {
  return std::equal(found.begin(), found.end(), expected.begin(), expected.begin() + found.size(),
                    [](T a, std::int32_t b) { return a == static_cast<T>(b); });
}

/// The body of a good hand-written loop: sums by vector lanes.
template <typename T>
[[nodiscard]] T simd_sum(const T* first, const T* last) {
  const std::ptrdiff_t count = last - first;
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::ptrdiff_t i = 0; i < count; ++i) sum += first[i];
  return sum;
}

void add_reductions(bench& b);
void add_scans(bench& b);
void add_segmented_sums(bench& b);
void add_sparse_products(bench& b);
void add_fused_loops(bench& b);

}  // namespace ndp_cpu
