// mass_spectra in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "mass_spectra.hpp"

namespace suite {
template <>
struct fettle_expression<mass_spectra> {
  template <typename Processor>
  static void run(const Processor& on, view<const float> mass, view<const std::uint16_t> intensity,
                  view<std::uint64_t> y) {
    const auto indices = ndp::map(mass_spectra::bin{}, sequence_of(mass));
    ndp::execute<"mass_spectra">(ndp::reduce_by_index(ndp::plus{}, sequence_of(intensity), indices,
                                                      mass_spectra::bins, std::uint64_t{0}),
                                 sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
