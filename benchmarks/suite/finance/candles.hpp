// candles: y[r] = the first, highest, lowest and last price of the trades of row r, the quantity
// and the number of them; all zeros where there is none.
//
// struct of 8 bytes -> struct of 32 bytes, not commutative. In Fettle: map > reduce(append) over a
// nest, of map(trade -> a candle of one).
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct candles {
  struct trade {
    float price;
    std::int32_t quantity;
  };
  struct alignas(16) candle {
    float open;
    float high;
    float low;
    float close;
    std::int64_t quantity;
    std::int64_t trades;
  };
  /// The first candle may be one without trades.
  struct append {
    FETTLE_HOST_DEVICE candle operator()(const candle& a, const candle& b) const {
      if (a.trades == 0) return b;
      if (b.trades == 0) return a;
      return {a.open,  maximum{}(a.high, b.high), minimum{}(a.low, b.low),
              b.close, a.quantity + b.quantity,   a.trades + b.trades};
    }
  };
  struct of_one {
    FETTLE_HOST_DEVICE candle operator()(const trade& t) const {
      return {t.price, t.price, t.price, t.price, t.quantity, 1};
    }
  };

  static constexpr const char* name = "candles";
  static constexpr const char* types = "8 bytes";
  static constexpr family shapes = family::rows;
  using output = candle;
  using component = unsigned char;

  static auto make(const shape& like) {
    const auto offsets = like.offsets(8);
    const auto trades = filled(offsets.back(), [](std::uint64_t k) {
      return trade{float(100 + fb::unit(k, 1)),
                   static_cast<std::int32_t>(1 + fb::hash(k, 2) % 500)};
    });
    return problem(rows_of(offsets), rows_of(offsets), trades, offsets);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index r, view<const trade> x, view<const index> offsets,
                                      view<candle> y) {
    const index first = offsets[r];
    const index last = offsets[r + 1];
    candle all{0, 0, 0, 0, 0, 0};
    if (first < last) all = of_one{}(x[first]);
    for (index k = first + 1; k < last; ++k) {
      all.high = maximum{}(all.high, x[k].price);
      all.low = minimum{}(all.low, x[k].price);
      all.quantity += x[k].quantity;
    }
    if (first < last) all.close = x[last - 1].price;
    all.trades = last - first;
    y[r] = all;
  }

#ifdef __CUDACC__
  // Lanes take trades in turn; which trade is the first and the last is known.
  static constexpr const char* second_name = "a warp a row";
  static void second(const device& on, view<const trade> x, view<const index> offsets,
                     view<candle> y) {
    a_warp_a_row(
        on.stream, offsets, candle{0, 0, 0, 0, 0, 0},
        [=] __device__(index, index k) { return of_one{}(x[k]); }, append{},
        [=] __device__(index r, candle all) {
          if (all.trades > 0) {
            all.open = x[offsets[r]].price;
            all.close = x[offsets[r + 1] - 1].price;
          }
          y[r] = all;
        });
  }
#endif
};

}  // namespace suite
