// Cases of execute() for the element types that the other cases leave out, to keep programs small:
// integers of every width, one realisation each.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include <fettle/core/type_list.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/scatter.hpp>

#include "ndp/support/check_one.hpp"
#include "ndp/support/on_platform.hpp"
#include "ndp/support/sum_of_row.hpp"

namespace {

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;
using namespace ndp_test;

const index_t type_count = sized<index_t>(70001, 4099);

}  // namespace

TEST_CASE("integers of every width: reduce, gather, scatter") {
  fettle::for_each(integers{}, []<typename T>(fettle::type_tag<T>) {
    const std::vector<T> x = made_up<T>(type_count);
    const data<T> in(x);
    const auto sum = ndp::reduce(ndp::plus{}, in.read(), T(3));
    using result = typename decltype(sum)::value_type;
    // What C++ adds up in: at least an int.
    STATIC_REQUIRE(std::is_same_v<result, decltype(T{} + T{})>);
    REQUIRE(ndp::execute(sum, tested_platform{}) ==
            ndp::reduce(ndp::plus{}, ndp::make_sequence(x), T(3)).evaluate());
    const std::vector<index_t> at = shuffled(type_count);
    std::vector<T> gathered(x.size());
    std::vector<T> scattered(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      gathered[i] = x[static_cast<std::size_t>(at[i])];
      scattered[static_cast<std::size_t>(at[i])] = x[i];
    }
    const data<index_t> indices(at);
    check_one(ndp::gather(in.read(), indices.read()), gathered);
    data<T> y(x);
    ndp::execute(ndp::scatter(in.read(), indices.read(), y.write()), tested_platform{});
    REQUIRE(y.values() == scattered);
  });
}

TEST_CASE("indices, offsets and keys of every width") {
  fettle::for_each(integers{}, []<typename I>(fettle::type_tag<I>) {
    // All that an int8_t holds.
    const std::vector<I> at = {100, 3, 127, 0, 3, 64};
    const std::vector<double> x = made_up<double>(128);
    std::vector<double> gathered;
    for (const I i : at) gathered.push_back(x[static_cast<std::size_t>(i)]);
    const data<double> in(x);
    const data<I> indices(at);
    check_one(ndp::gather(in.read(), indices.read()), gathered);
    const std::vector<I> offsets = {0, 0, 5, 33, 33, 100, 127};
    std::vector<double> sums;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      double sum = 0;
      for (auto k = static_cast<std::size_t>(offsets[i]);
           k < static_cast<std::size_t>(offsets[i + 1]); ++k) {
        sum += x[k];
      }
      sums.push_back(sum);
    }
    const data<I> begins(offsets);
    check_one(ndp::map(sum_of_row{}, ndp::nest(in.read(), begins.read())), sums,
              schedule::flattened<>{});
    const std::vector<I> keys = {7, 7, 120, 1, 1, 1};
    const data<I> in_keys(keys);
    check_one(
        ndp::reduce_by_key(ndp::plus{}, ndp::subsequence(in.read(), 0, 6), in_keys.read(), 0.5),
        std::vector<double>{0.5 + x[0] + x[1], 0.5 + x[2], 0.5 + x[3] + x[4] + x[5]});
  });
}
