// Checks one scan, exclusive or inclusive, against a loop.
#pragma once

#include <vector>

#include <fettle/ndp/operator/scan.hpp>

#include "ndp/support/on_platform.hpp"

namespace ndp_test {

template <bool Inclusive = false, typename Op, typename T, typename P>
void check_scan(Op op, const std::vector<T>& x, P seed) {
  namespace ndp = fettle::ndp;
  const data<T> in(x);
  const auto e = [&] {
    if constexpr (Inclusive) {
      return ndp::inclusive_scan(op, in.read(), seed);
    } else {
      return ndp::scan(op, in.read(), seed);
    }
  }();
  using value = typename decltype(e)::value_type;
  std::vector<value> expected;
  auto running = static_cast<value>(seed);
  for (const T& element : x) {
    if (!Inclusive) expected.push_back(running);
    running = static_cast<value>(op(running, element));
    if (Inclusive) expected.push_back(running);
  }
  check_all(e, expected);
}

}  // namespace ndp_test
