// kinetic_energy: y[0] = sum of m |v|^2 / 2 over all particles.
//
// struct of 8 floats (32 bytes) -> double. In Fettle: reduce(plus) of map(energy, particles).
#pragma once

#include "../common/particle.hpp"
#include "../common/processor.hpp"

#ifdef __CUDACC__
#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/transform_iterator.h>
#else
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>
#endif

namespace suite {

struct kinetic_energy {
  struct energy {
    FETTLE_HOST_DEVICE double operator()(const particle& p) const {
      const double squares = double(p.v[0]) * double(p.v[0]) + double(p.v[1]) * double(p.v[1]) +
                             double(p.v[2]) * double(p.v[2]);
      return 0.5 * double(p.mass) * squares;
    }
  };

  static constexpr const char* name = "kinetic_energy";
  static constexpr const char* types = "32 bytes";
  static constexpr family shapes = family::sizes;
  static constexpr bool whole = true;
  using output = double;
  static constexpr double tolerance = 1e-9;

  static auto make(const shape& like) {
    const index n = like.elements(32);
    return problem(n, 1, particles(n));
  }

  static void reference(view<const particle> x, view<double> y) {
    y[0] = 0;
    for (const particle& p : x) y[0] += energy{}(p);
  }

  static void loop(view<const particle> x, view<double> y) {
    double sum = 0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
    for (index i = 0; i < x.size(); ++i) sum += energy{}(x[i]);
    y[0] = sum;
  }

#ifdef __CUDACC__
  static constexpr const char* threads_name = "grid stride, atomics";
  static void threads(const device& on, view<const particle> x, view<double> y) {
    check(cudaMemsetAsync(y.data(), 0, sizeof(double), on.stream), "cudaMemsetAsync");
    fold_kernel<<<1024, block_threads, 0, on.stream>>>(
        x.size(), 0.0, [=] __device__(index i) { return energy{}(x[i]); }, plus{},
        [=] __device__(index, double sum) { atomicAdd(y.data(), sum); });
  }

  static constexpr const char* second_name = "two passes";
  static void second(const device& on, view<const particle> x, view<double> y) {
    fold_in_two_passes(
        on, x.size(), 0.0, [=] __device__(index i) { return energy{}(x[i]); }, plus{},
        [=] __device__(index, double sum) { y[0] = sum; });
  }

  static constexpr const char* library_name = "cub";
  static void library(const device& on, view<const particle> x, view<double> y) {
    const auto energies = thrust::make_transform_iterator(x.data(), energy{});
    on.cub(0, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceReduce::Sum(storage, bytes, energies, y.data(), x.size(), on.stream);
    });
  }
#else
  static constexpr const char* library_name = "tbb";
  static void library(const host&, view<const particle> x, view<double> y) {
    y[0] = tbb::parallel_reduce(
        tbb::blocked_range<const particle*>(x.begin(), x.end()), 0.0,
        [](const tbb::blocked_range<const particle*>& range, double sum) {
          for (const particle& p : range) sum += energy{}(p);
          return sum;
        },
        plus{});
  }
#endif
};

}  // namespace suite
