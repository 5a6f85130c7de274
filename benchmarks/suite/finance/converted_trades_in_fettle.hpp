// converted_trades in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "converted_trades.hpp"

namespace suite {
template <>
struct fettle_expression<converted_trades> {
  struct convert {
    float kept;
    FETTLE_HOST_DEVICE float operator()(float amount, float rate) const {
      return amount * rate * kept;
    }
  };
  struct of_account {
    ndp::sequence<const float> rates;
    template <typename Amounts, typename Currencies>
    FETTLE_HOST_DEVICE auto operator()(const Amounts& amounts, const Currencies& currencies,
                                       float fee) const {
      return ndp::map(convert{1 - fee}, amounts, ndp::gather(rates, currencies));
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const float> x, view<const std::uint8_t> currency,
                  view<const index> offsets, view<const float> fee, view<const float> rate,
                  view<float> y) {
    const auto ends = sequence_of(offsets);
    ndp::execute<"converted_trades">(
        ndp::map(of_account{sequence_of(rate)}, ndp::nest(sequence_of(x), ends),
                 ndp::nest(sequence_of(currency), ends), sequence_of(fee)),
        sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
