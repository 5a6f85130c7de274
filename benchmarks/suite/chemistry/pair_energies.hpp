// pair_energies: y[0] = the sum of the Lennard-Jones energies of pairs of atoms.
//
// 2 ints, struct of 32 bytes -> double; two gathers, a root and a division a pair. In Fettle:
// reduce(plus) of map(energy, gather(atoms, first), gather(atoms, second)).
#pragma once

#include <algorithm>

#include "../common/processor.hpp"

namespace suite {

struct pair_energies {
  struct alignas(16) atom {
    double at[3];
    float radius;
    float depth;
  };
  /// Mixed by Lorentz's and Berthelot's rules.
  struct energy {
    FETTLE_HOST_DEVICE double operator()(const atom& a, const atom& b) const {
      double squares = 0;
      for (int i = 0; i < 3; ++i) squares += (b.at[i] - a.at[i]) * (b.at[i] - a.at[i]);
      const double radius = 0.5 * (double(a.radius) + double(b.radius));
      const double s = radius * radius / squares;
      const double cube = s * s * s;
      return 4 * std::sqrt(double(a.depth) * double(b.depth)) * (cube * cube - cube);
    }
  };

  static constexpr const char* name = "pair_energies";
  static constexpr const char* types = "2 x 4 + 32 bytes";
  static constexpr family shapes = family::sizes;
  static constexpr bool whole = true;
  using output = double;
  static constexpr double tolerance = 1e-9;

  /// Eight pairs of each atom; it and the others lie near each other in memory, on a lattice.
  static auto make(const shape& like) {
    const index n = like.elements(12);
    const index atoms = n / 8 + 1;
    const auto near = static_cast<std::uint64_t>(std::min(atoms - 1, 300));
    const auto all = filled(atoms, [](std::uint64_t i) {
      const auto draw = [=](std::uint64_t k) { return 0.3 * fb::unit(i, k); };
      return atom{
          {double(i % 16) + draw(1), double(i / 16 % 16) + draw(2), double(i / 256) + draw(3)},
          float(0.9 + draw(4)),
          float(0.1 + draw(5))};
    });
    const auto first = filled(n, [](std::uint64_t k) { return static_cast<index>(k / 8); });
    const auto other = filled(n, [=](std::uint64_t k) {
      return static_cast<index>((k / 8 + 1 + fb::hash(k, 6) % near) % std::uint64_t(atoms));
    });
    return problem(n, 1, first, other, all);
  }

  static void reference(view<const index> first, view<const index> other, view<const atom> x,
                        view<double> y) {
    y[0] = 0;
    for (index k = 0; k < first.size(); ++k) y[0] += energy{}(x[first[k]], x[other[k]]);
  }

  static void loop(view<const index> first, view<const index> other, view<const atom> x,
                   view<double> y) {
    double sum = 0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
    for (index k = 0; k < first.size(); ++k) sum += energy{}(x[first[k]], x[other[k]]);
    y[0] = sum;
  }

#ifdef __CUDACC__
  static constexpr const char* threads_name = "grid stride, atomics";
  static void threads(const device& on, view<const index> first, view<const index> other,
                      view<const atom> x, view<double> y) {
    check(cudaMemsetAsync(y.data(), 0, sizeof(double), on.stream), "cudaMemsetAsync");
    fold_kernel<<<1024, block_threads, 0, on.stream>>>(
        first.size(), 0.0, [=] __device__(index k) { return energy{}(x[first[k]], x[other[k]]); },
        plus{}, [=] __device__(index, double sum) { atomicAdd(y.data(), sum); });
  }

  static constexpr const char* second_name = "two passes";
  static void second(const device& on, view<const index> first, view<const index> other,
                     view<const atom> x, view<double> y) {
    fold_in_two_passes(
        on, first.size(), 0.0,
        [=] __device__(index k) { return energy{}(x[first[k]], x[other[k]]); }, plus{},
        [=] __device__(index, double sum) { y[0] = sum; });
  }
#endif
};

}  // namespace suite
