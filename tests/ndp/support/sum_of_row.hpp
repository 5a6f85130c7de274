// The sum of a row, of whatever type its elements are.
#pragma once

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/operator/reduce.hpp>

namespace ndp_test {

struct sum_of_row {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::reduce(fettle::ndp::plus{}, row, typename Row::value_type{});
  }
};

}  // namespace ndp_test
