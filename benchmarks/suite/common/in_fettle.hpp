// What an expression in Fettle needs of the suite. Beside computation NAME.hpp, NAME_in_fettle.hpp
// specialises fettle_expression, and the group's list.hpp includes it:
//
//   template <>
//   struct suite::fettle_expression<suite::row_norms> {
//     template <typename Processor>
//     static void run(const Processor& on, view<const float> values, view<const index> offsets,
//                     view<float> norms) {
//       ndp::execute<"row_norms">(ndp::map(...), sequence_of(norms), platform_of(on));
//     }
//   };
//
// Temporaries of several executes come from on.template scratch<T>(number, count).
#pragma once

#include <fettle/ndp.hpp>

#include "processor.hpp"

namespace suite {

namespace ndp = fettle::ndp;

template <typename T>
[[nodiscard]] auto sequence_of(view<T> all) {
  return ndp::make_sequence(all.data(), all.size());
}

#ifdef __CUDACC__
[[nodiscard]] inline ndp::platform::cuda platform_of(const device& on) { return {on.stream}; }
#else
[[nodiscard]] inline ndp::platform::openmp platform_of(const host&) { return {}; }
#endif

}  // namespace suite
