// Cases of a program whose later computations read an earlier one's result through operators on
// whole sequences: sort, filter, unique, run_lengths, sort_by_key, join, halo.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/operator/filter.hpp>
#include <fettle/ndp/operator/halo.hpp>
#include <fettle/ndp/operator/join.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/runs_by_key.hpp>
#include <fettle/ndp/operator/sort.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/shape/counted.hpp>

#include "ndp/execute/program_cases.hpp"

namespace ndp_test {

struct program_fifth {
  FETTLE_HOST_DEVICE constexpr int operator()(int x) const { return (x % 5 + 5) % 5; }
};
struct program_is_odd {
  FETTLE_HOST_DEVICE constexpr bool operator()(int x) const { return x % 2 == 1; }
};
struct program_of_pair {
  template <typename Pair>
  FETTLE_HOST_DEVICE constexpr int operator()(const Pair& both) const {
    return 10 * ndp::get<0>(both) + static_cast<int>(ndp::get<1>(both));
  }
};
struct program_left_and_right {
  template <typename Around>
  FETTLE_HOST_DEVICE constexpr int operator()(const Around& n) const {
    return 10 * n(0, -1) + n(0, 1);
  }
};

}  // namespace ndp_test

TEST_CASE("results are read by operators on whole sequences") {
  for (const index_t n : program_sizes) {
    CAPTURE(n);
    const std::vector<int> a = made_up<int>(n);
    std::vector<int> fifths;
    for (const int x : a) fifths.push_back(program_fifth{}(x));
    std::vector<int> in_order = fifths;
    std::stable_sort(in_order.begin(), in_order.end());
    std::vector<int> odd;
    std::copy_if(fifths.begin(), fifths.end(), std::back_inserter(odd), program_is_odd{});
    std::vector<int> different = in_order;
    different.erase(std::unique(different.begin(), different.end()), different.end());
    std::vector<index_t> runs;
    for (const int x : different) {
      runs.push_back(std::count(in_order.begin(), in_order.end(), x));
    }
    std::vector<index_t> places(fifths.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<index_t>(i);
    std::stable_sort(places.begin(), places.end(), [&](index_t i, index_t k) {
      return fifths[static_cast<std::size_t>(i)] < fifths[static_cast<std::size_t>(k)];
    });
    std::vector<int> pairs;
    std::vector<int> neighbours;
    for (std::size_t i = 0; i < fifths.size(); ++i) {
      for (int k = 0; k < 3; ++k) pairs.push_back(10 * fifths[i] + k);
      const std::size_t last = fifths.size() - 1;
      neighbours.push_back(10 * fifths[i == 0 ? 0 : i - 1] + fifths[std::min(last, i + 1)]);
    }

    const data<int> in(a);
    data<int> sorted(std::vector<int>(in_order.size()));  // without a margin, as it is read
    data<int> found = room_for<int>(static_cast<index_t>(odd.size()));
    data<int> once = room_for<int>(static_cast<index_t>(different.size()));
    data<int> values = room_for<int>(static_cast<index_t>(different.size()));
    data<index_t> lengths = room_for<index_t>(static_cast<index_t>(different.size()));
    data<int> keys = room_for<int>(n);
    data<index_t> where = room_for<index_t>(n);
    data<int> joined = room_for<int>(3 * n);
    data<int> around = room_for<int>(n);
    data<int> counts(std::vector<int>{-1});
    data<int> uniques(std::vector<int>{-1});
    data<int> groups(std::vector<int>{-1});
    tested_program p;
    const auto fifth = p.add<"fifth">(ndp::map(program_fifth{}, in.read()));
    const auto sort = p.add<"sorted">(ndp::sort(fifth), sorted.write());
    p.add<"odd">(ndp::filter(program_is_odd{}, fifth), ndp::counted(found.write(), counts.write()));
    p.add<"once">(ndp::unique(sort), ndp::counted(once.write(), uniques.write()));
    p.add<"runs">(ndp::run_lengths(sort),
                  ndp::counted(ndp::zip(values.write(), lengths.write()), groups.write()));
    p.add<"places">(ndp::sort_by_key(fifth, ndp::range(0, n)),
                    ndp::zip(keys.write(), where.write()));
    p.add<"joined">(ndp::map(program_of_pair{}, ndp::join(fifth, ndp::range(0, 3))),
                    joined.write());
    p.add<"around">(
        ndp::map(program_left_and_right{}, ndp::halo(ndp::make_grid(fifth, n > 0 ? 1 : 0, n),
                                                     ndp::constant<1>{}, ndp::boundary::clamp{})),
        around.write());
    for_each_fusion(p, [&] {
      REQUIRE(sorted.values() == in_order);
      REQUIRE(found.values() == with_margin(odd));
      REQUIRE(counts.values() == std::vector<int>{static_cast<int>(odd.size())});
      REQUIRE(uniques.values() == std::vector<int>{static_cast<int>(different.size())});
      REQUIRE(groups.values() == uniques.values());
      REQUIRE(once.values() == with_margin(different));
      REQUIRE(values.values() == with_margin(different));
      REQUIRE(lengths.values() == with_margin(runs));
      REQUIRE(keys.values() == with_margin(in_order));
      REQUIRE(where.values() == with_margin(places));
      REQUIRE(joined.values() == with_margin(pairs));
      REQUIRE(around.values() == with_margin(neighbours));
    });
  }
}
