// Cases of execute() for map > reduce: one value a row, for rows of every shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/reduce.hpp>

#include "ndp/support/on_platform.hpp"

namespace ndp_test {

/// row -> p op (all its elements)
template <typename Op, typename P>
struct row_reduce {
  P seed;

  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::reduce(Op{}, row, seed);
  }
};

template <typename Op, typename T, typename P>
void check_rows(const std::vector<rows>& shapes, P seed) {
  namespace ndp = fettle::ndp;
  for (const rows& shape : shapes) {
    CAPTURE(shape.name);
    const std::vector<T> x = made_up<T>(shape.count());
    const std::vector<index_t> offsets = shape.offsets();
    const auto serial = ndp::map(row_reduce<Op, P>{seed},
                                 ndp::nest(ndp::make_sequence(x), ndp::make_sequence(offsets)));
    std::vector<typename decltype(serial)::value_type::value_type> expected;
    for (index_t i = 0; i < serial.size(); ++i) expected.push_back(serial[i].evaluate());
    const data<T> in(x);
    const data<index_t> begins(offsets);
    check_all(ndp::map(row_reduce<Op, P>{seed}, ndp::nest(in.read(), begins.read())), expected);
  }
}

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

}  // namespace

TEST_CASE("sums of rows of every shape and element type") {
  fettle::for_each(element_types{}, []<typename T>(fettle::type_tag<T>) {
    check_rows<ndp::plus, T>(row_shapes(), T(3));
  });
}

TEST_CASE("other operators over rows, those that do not commute in order") {
  check_rows<ndp::maximum, double>(row_shapes(), -100.0);
  check_rows<compose, affine>(row_shapes(), affine{3, 5});
  check_rows<last_of, std::int32_t>(row_shapes(), std::int32_t{77});
}

TEST_CASE("more and longer rows than a block or a chunk holds") {
  check_rows<ndp::plus, double>(row_shapes(20), 0.0);
}
