// discounted_revenue: y[0] = sum of price * discount where 0.045 <= discount <= 0.075 and
// quantity < 24: TPC-H's query 6 without its dates.
//
// double, float, byte -> double. In Fettle: reduce(plus) of map over the three columns.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct discounted_revenue {
  static constexpr const char* name = "discounted_revenue";
  static constexpr const char* types = "8 + 4 + 1 bytes";
  static constexpr family shapes = family::sizes;
  static constexpr bool whole = true;
  using output = double;
  static constexpr double tolerance = 1e-9;

  static auto make(const shape& like) {
    const index n = like.elements(13);
    const auto discount =
        filled(n, [](std::uint64_t i) { return float(fb::hash(i, 2) % 11) * 0.01f; });
    return problem(n, 1, reals<double>(n, 3, 900, 105000), discount,
                   integers<std::uint8_t>(n, 4, 50));
  }

  FETTLE_HOST_DEVICE static double revenue(double price, float discount, std::uint8_t quantity) {
    const bool wanted = discount >= 0.045f && discount <= 0.075f && quantity < 24;
    return wanted ? price * double(discount) : 0;
  }

  static void reference(view<const double> price, view<const float> discount,
                        view<const std::uint8_t> quantity, view<double> y) {
    y[0] = 0;
    for (index i = 0; i < price.size(); ++i) y[0] += revenue(price[i], discount[i], quantity[i]);
  }

  static void loop(view<const double> price, view<const float> discount,
                   view<const std::uint8_t> quantity, view<double> y) {
    double sum = 0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
    for (index i = 0; i < price.size(); ++i) sum += revenue(price[i], discount[i], quantity[i]);
    y[0] = sum;
  }

#ifdef __CUDACC__
  static constexpr const char* threads_name = "grid stride, atomics";
  static void threads(const device& on, view<const double> price, view<const float> discount,
                      view<const std::uint8_t> quantity, view<double> y) {
    check(cudaMemsetAsync(y.data(), 0, sizeof(double), on.stream), "cudaMemsetAsync");
    fold_kernel<<<1024, block_threads, 0, on.stream>>>(
        price.size(), 0.0,
        [=] __device__(index i) { return revenue(price[i], discount[i], quantity[i]); }, plus{},
        [=] __device__(index, double sum) { atomicAdd(y.data(), sum); });
  }

  static constexpr const char* second_name = "two passes";
  static void second(const device& on, view<const double> price, view<const float> discount,
                     view<const std::uint8_t> quantity, view<double> y) {
    fold_in_two_passes(
        on, price.size(), 0.0,
        [=] __device__(index i) { return revenue(price[i], discount[i], quantity[i]); }, plus{},
        [=] __device__(index, double sum) { y[0] = sum; });
  }
#endif
};

}  // namespace suite
