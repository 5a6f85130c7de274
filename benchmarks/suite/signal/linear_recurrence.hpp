// linear_recurrence: state before each sample of v <- a[i] v + b[i], v = 1 at first: a filter of
// the first order whose coefficients change.
//
// struct of 2 floats -> float; combined as affine maps of 8 bytes, not commutative. In Fettle:
// scan(then), seed the identity (1, 0), into 2-float structs; then map(m -> m.a + m.b).
#pragma once

#include "../common/processor.hpp"
#ifdef __CUDACC__
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/transform_output_iterator.h>
#endif

namespace suite {

struct linear_recurrence {
  struct affine {
    float a;
    float b;
  };
  /// First `m`, then `n`.
  struct then {
    FETTLE_HOST_DEVICE affine operator()(const affine& m, const affine& n) const {
      return {n.a * m.a, n.a * m.b + n.b};
    }
  };
  struct at_one {
    FETTLE_HOST_DEVICE float operator()(const affine& m) const { return m.a + m.b; }
  };

  static constexpr const char* name = "linear_recurrence";
  static constexpr const char* types = "8 bytes";
  static constexpr family shapes = family::sizes;
  static constexpr bool whole = true;
  using output = float;
  static constexpr double tolerance = 1e-4;

  static auto make(const shape& like) {
    const index n = like.elements(12);
    const auto x = filled(n, [](std::uint64_t i) {
      const bool restarts = fb::hash(i, 11) % 256 == 0;  // so that products do not underflow
      const double a = restarts ? 0 : 0.9 + 0.09 * fb::unit(i, 1);
      return affine{float(a), float(fb::unit(i, 2) - 0.5)};
    });
    return problem(n, n, x);
  }

  static void reference(view<const affine> x, view<float> y) {
    double v = 1;
    for (index i = 0; i < x.size(); ++i) {
      y[i] = float(v);
      v = double(x[i].a) * v + double(x[i].b);
    }
  }

  static void loop(view<const affine> x, view<float> y) {
    scan_by_parts(
        x.size(), affine{1, 0}, [=](index i) { return x[i]; }, then{},
        [=](index i, const affine& all) { y[i] = at_one{}(all); });
  }

#ifdef __CUDACC__
  template <int Items>
  static void scan(const device& on, view<const affine> x, view<float> y) {
    scan_in_three_passes<Items>(
        on, x.size(), affine{1, 0}, [=] __device__(index i) { return x[i]; }, then{},
        [=] __device__(index i, const affine& all) { y[i] = at_one{}(all); });
  }
  static constexpr const char* threads_name = "three passes, an item a thread";
  static void threads(const device& on, view<const affine> x, view<float> y) { scan<1>(on, x, y); }
  static constexpr const char* second_name = "three passes, 4 items a thread";
  static void second(const device& on, view<const affine> x, view<float> y) { scan<4>(on, x, y); }

  static constexpr const char* library_name = "cub";
  static void library(const device& on, view<const affine> x, view<float> y) {
    const auto to = thrust::make_transform_output_iterator(y.data(), at_one{});
    on.cub(0, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveScan(storage, bytes, x.data(), to, then{}, affine{1, 0},
                                            x.size(), on.stream);
    });
  }
#endif
};

}  // namespace suite
