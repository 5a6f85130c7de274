// mass_spectra: y[b] = the sum of the intensities of the ions whose mass is in bin b of 4096.
//
// float, 2 bytes -> 64 bits. In Fettle: reduce_by_index(plus), of map(mass -> bin, masses).
#pragma once

#include <algorithm>

#include "../common/processor.hpp"

namespace suite {

#ifdef __CUDACC__
/// Each block adds up bins of its own in shared memory, then adds them to the sums.
template <int Bins, typename Bin>
__global__ void spectrum_kernel(view<const float> mass, view<const std::uint16_t> intensity,
                                Bin bin, unsigned long long* sums) {
  __shared__ unsigned long long own[Bins];
  for (int b = threadIdx.x; b < Bins; b += block_threads) own[b] = 0;
  __syncthreads();
  const std::int64_t stride = std::int64_t{gridDim.x} * block_threads;
  for (std::int64_t i = thread_index(); i < mass.size(); i += stride) {
    const auto k = static_cast<index>(i);
    atomicAdd(own + bin(mass[k]), static_cast<unsigned long long>(intensity[k]));
  }
  __syncthreads();
  for (int b = threadIdx.x; b < Bins; b += block_threads) {
    if (own[b] != 0) atomicAdd(sums + b, own[b]);
  }
}
#endif

struct mass_spectra {
  static constexpr const char* name = "mass_spectra";
  static constexpr const char* types = "4 + 2 bytes";
  static constexpr family shapes = family::sizes;
  static constexpr bool whole = true;
  using output = std::uint64_t;
  static constexpr index bins = 4096;

  /// Half a unit each, from 0 on.
  struct bin {
    FETTLE_HOST_DEVICE index operator()(float mass) const { return static_cast<index>(2 * mass); }
  };

  /// Ions of few masses are frequent: peaks every 64 units.
  static auto make(const shape& like) {
    const index n = like.elements(6);
    const auto masses = filled(n, [](std::uint64_t i) {
      const double noise = 2047 * fb::unit(i, 1);
      const double peak = double(64 * (fb::hash(i, 2) % 31)) + fb::unit(i, 3);
      return float(fb::hash(i, 4) % 4 == 0 ? noise : peak);
    });
    return problem(n, bins, masses, integers<std::uint16_t>(n, 5, 65536));
  }

  static void reference(view<const float> mass, view<const std::uint16_t> intensity,
                        view<std::uint64_t> y) {
    for (std::uint64_t& sum : y) sum = 0;
    for (index i = 0; i < mass.size(); ++i) y[bin{}(mass[i])] += intensity[i];
  }

  /// Each thread has bins of its own.
  static void loop(view<const float> mass, view<const std::uint16_t> intensity,
                   view<std::uint64_t> y) {
    std::vector<std::vector<std::uint64_t>> parts(static_cast<std::size_t>(most_threads()));
    for_each_part(mass.size(), [&](int thread, index first, index last) {
      std::vector<std::uint64_t> own(bins);
      std::uint64_t* const sums = own.data();
      for (index i = first; i < last; ++i) sums[bin{}(mass[i])] += intensity[i];
      parts[static_cast<std::size_t>(thread)] = std::move(own);
    });
    for (std::uint64_t& sum : y) sum = 0;
    for (const auto& own : parts) {
      for (std::size_t b = 0; b < own.size(); ++b) y.data()[b] += own[b];
    }
  }

#ifdef __CUDACC__
  using word = unsigned long long;

  static constexpr const char* threads_name = "atomics";
  static void threads(const device& on, view<const float> mass, view<const std::uint16_t> intensity,
                      view<std::uint64_t> y) {
    check(cudaMemsetAsync(y.data(), 0, bins * sizeof(word), on.stream), "cudaMemsetAsync");
    word* const sums = reinterpret_cast<word*>(y.data());
    for_each_thread(on.stream, mass.size(), [=] __device__(index i) {
      atomicAdd(sums + bin{}(mass[i]), word{intensity[i]});
    });
  }

  static constexpr const char* second_name = "atomics in shared memory";
  static void second(const device& on, view<const float> mass, view<const std::uint16_t> intensity,
                     view<std::uint64_t> y) {
    check(cudaMemsetAsync(y.data(), 0, bins * sizeof(word), on.stream), "cudaMemsetAsync");
    const unsigned blocks = std::min(blocks_for(mass.size()), 512u);
    spectrum_kernel<bins><<<blocks, block_threads, 0, on.stream>>>(
        mass, intensity, bin{}, reinterpret_cast<word*>(y.data()));
    check(cudaGetLastError(), "atomics in shared memory");
  }
#endif
};

}  // namespace suite
