// Cases of execute() for a reduction that stands alone: a value, a variable, a sequence of one.
#pragma once

#include <cstdint>

#include <fettle/ndp/base/function.hpp>

#include "ndp/support/check_reduce.hpp"

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

}  // namespace

TEST_CASE("reduce of every element type") {
  fettle::for_each(element_types{}, []<typename T>(fettle::type_tag<T>) {
    for (const index_t n : execution_sizes) {
      CAPTURE(n);
      check_reduce(ndp::plus{}, made_up<T>(n), T(3));
    }
  });
}

TEST_CASE("reduce by other operators that commute") {
  for (const index_t n : execution_sizes) {
    CAPTURE(n);
    check_reduce(ndp::minimum{}, made_up<double>(n), 100.0);
    check_reduce(ndp::maximum{}, made_up<std::int32_t>(n), std::int32_t{-100});
    check_reduce(ndp::bit_xor{}, made_up<std::uint32_t>(n), 5u);
  }
}
