// Cases of execute() for rows of integers of every width, one realisation each.
#pragma once

#include <vector>

#include <fettle/core/type_list.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/operator/split.hpp>

#include "ndp/support/check_one.hpp"
#include "ndp/support/on_platform.hpp"
#include "ndp/support/sum_of_row.hpp"

namespace ndp_test {

struct scan_of_row {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::scan(fettle::ndp::plus{}, row, typename Row::value_type{1});
  }
};

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;
using namespace ndp_test;

const index_t row_type_count = sized<index_t>(70001, 4099);

}  // namespace

TEST_CASE("integers of every width: rows reduced and scanned") {
  fettle::for_each(integers{}, []<typename T>(fettle::type_tag<T>) {
    const index_t length = 37;
    const std::vector<T> x = made_up<T>(row_type_count);
    const auto host_rows = ndp::split(ndp::make_sequence(x), length);
    using sum = decltype(T{} + T{});
    std::vector<sum> sums;
    std::vector<sum> prefixes;
    for (index_t i = 0; i < host_rows.size(); ++i) {
      sums.push_back(sum_of_row{}(host_rows[i]).evaluate());
      scan_of_row{}(host_rows[i]).for_each_serial([&](index_t, sum value) {
        prefixes.push_back(value);
      });
    }
    const data<T> in(x);
    const auto rows = ndp::split(in.read(), length);
    check_one(ndp::map(sum_of_row{}, rows), sums, schedule::flattened<>{});
    check_one(ndp::map(sum_of_row{}, rows), sums, schedule::independent<schedule::cooperative<>>{});
    check_one(ndp::map(scan_of_row{}, rows), prefixes, schedule::flattened<>{});
  });
}
