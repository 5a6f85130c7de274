// latest_orders: y[r] = the order of customer r with the greatest date, the last one of those;
// zeros where there is none.
//
// struct of 16 bytes -> struct; not commutative. In Fettle: map > reduce(later) over a nest.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct latest_orders {
  struct alignas(16) order {
    std::int64_t number;
    std::int32_t date;
    float amount;
  };
  struct later {
    FETTLE_HOST_DEVICE order operator()(const order& a, const order& b) const {
      return b.date < a.date ? a : b;
    }
  };

  static constexpr const char* name = "latest_orders";
  static constexpr const char* types = "16 bytes";
  static constexpr family shapes = family::rows;
  using output = order;
  using component = unsigned char;

  /// Dates from 1 on, so that any order is later than the seed.
  static auto make(const shape& like) {
    const auto offsets = like.offsets(16);
    const auto orders = filled(offsets.back(), [](std::uint64_t k) {
      return order{static_cast<std::int64_t>(k) + 1,
                   static_cast<std::int32_t>(fb::hash(k, 5) % 365) + 1, float(fb::unit(k, 6))};
    });
    return problem(rows_of(offsets), rows_of(offsets), orders, offsets);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index r, view<const order> x, view<const index> offsets,
                                      view<order> y) {
    order latest{0, 0, 0};
    for (index k = offsets[r]; k < offsets[r + 1]; ++k) {
      if (x[k].date >= latest.date) latest = x[k];
    }
    y[r] = latest;
  }

#ifdef __CUDACC__
  // Lanes take orders in turn; of equal dates the greater number is the later one.
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const order> x, view<const index> offsets,
                     view<order> y) {
    a_warp_a_row(
        on.stream, offsets, order{0, 0, 0}, [=] __device__(index, index k) { return x[k]; },
        [] __device__(const order& a, const order& b) {
          const bool first = a.date > b.date || (a.date == b.date && a.number > b.number);
          return first ? a : b;
        },
        [=] __device__(index r, const order& latest) { y[r] = latest; });
  }
#endif
};

}  // namespace suite
