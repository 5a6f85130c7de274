// The programs' arrays, where the platform computes.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "../../../examples/ndp/support/program.hpp"

#ifdef __CUDACC__
#include "../../common/ndp/device.cuh"
#endif

namespace thresholds {

namespace ndp = fettle::ndp;
using index_t = ndp::index_t;
using platform_type = examples::platform_type;

template <typename T>
using array = examples::vector_on<platform_type, T>;

/// Numbers in [0, 1) where the platform computes, the same in every run.
inline array<float> some_numbers(index_t count) {
  std::vector<float> numbers(static_cast<std::size_t>(count));
  std::uint32_t state = 12345;
  for (float& number : numbers) {
    state = state * 1664525U + 1013904223U;
    number = static_cast<float>(state >> 8U) * 0x1p-24F;
  }
  return examples::copy_to(platform_type{}, numbers);
}

template <typename Array>
[[nodiscard]] auto* pointer_to(Array& elements) {
  return ndp::make_sequence(elements).data();
}

/// Bytes of ones: NaN in floating point.
template <typename Array>
void poison(Array& elements) {
  const std::size_t bytes = elements.size() * sizeof(typename Array::value_type);
  if (bytes == 0) return;
#ifdef __CUDACC__
  ndp_gpu::check(cudaMemset(pointer_to(elements), 0xFF, bytes), "cudaMemset");
#else
  std::memset(static_cast<void*>(elements.data()), 0xFF, bytes);
#endif
}

}  // namespace thresholds
