// Cases of execute() for a scan that stands alone: sums of numbers.
#pragma once

#include <fettle/ndp/base/function.hpp>

#include "ndp/support/check_scan.hpp"

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

}  // namespace

TEST_CASE("scan of every element type") {
  fettle::for_each(element_types{}, []<typename T>(fettle::type_tag<T>) {
    for (const index_t n : execution_sizes) {
      CAPTURE(n);
      check_scan(ndp::plus{}, made_up<T>(n), T(3));
    }
  });
}
