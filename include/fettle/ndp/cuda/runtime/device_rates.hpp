// What a GPU does in a microsecond, for estimates of times; the defaults are an H100's. Needs no
// CUDA.
#pragma once

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

struct device_rates {
  double bytes = 2.7e6;         // read from memory: four fifths of the nominal bandwidth
  double instructions = 0.9e6;  // of warps, issued: 86 % of four a multiprocessor and clock
  double launch = 3.5;          // takes so many microseconds
  double load = 0.6;            // as well

  [[nodiscard]] friend bool operator==(const device_rates&, const device_rates&) = default;
};

}  // namespace fettle::ndp::cuda::detail
