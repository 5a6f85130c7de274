// The CPU benchmark's frame. A file that adds comparisons declares its function here and is called
// from main.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/tbb.hpp>

#include "../../common/ndp/frame.hpp"
#include "../../common/ndp/stopwatch.hpp"

namespace ndp_cpu {

namespace fb = fettle_benchmarks;
namespace ndp = fettle::ndp;

template <typename T>
using array = std::vector<T>;

using bench = fb::frame<stopwatch, array>;

using fb::type_name;

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

/// Fettle on OpenMP, and on oneTBB: the same kernels and default rule on another team of threads.
template <fettle::fixed_string Name, typename E, typename D>
[[nodiscard]] std::vector<fb::contender> ours(const E& e, const D& destination) {
  return {{"fettle", fb::kind::ours,
           [=] { ndp::execute<Name>(e, destination, ndp::platform::openmp{}); }},
          {"fettle on oneTBB", fb::kind::peer,
           [=] { ndp::execute<Name>(e, destination, ndp::platform::tbb{}); }, "oneTBB"}};
}

void add_reductions(bench& b);
void add_scans(bench& b);
void add_segmented_sums(bench& b);
void add_sparse_products(bench& b);
void add_fused_loops(bench& b);
void add_operators(bench& b);

}  // namespace ndp_cpu
