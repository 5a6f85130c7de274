// Cases of make_sequence() over Thrust's vectors and iterators, with the host or, through nvcc, the
// GPU as Thrust's device; and of execute() on them. Skipped without Thrust.
#pragma once

#if __has_include(<thrust/device_vector.h>)

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <utility>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "ndp/support/on_platform.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp_test::elements;

namespace {

template <typename... Arguments>
using made_of = decltype(ndp::make_sequence(std::declval<Arguments>()...));

using on_host = thrust::host_vector<int>;
using on_device = thrust::device_vector<int>;
static_assert(std::is_same_v<made_of<on_host&>, ndp::sequence<int>>);
static_assert(std::is_same_v<made_of<const on_host&>, ndp::sequence<const int>>);
static_assert(std::is_same_v<made_of<on_device&>, ndp::sequence<int>>);
static_assert(std::is_same_v<made_of<const on_device&>, ndp::sequence<const int>>);
using iterator = on_device::iterator;
static_assert(std::is_same_v<made_of<iterator, iterator>, ndp::sequence<int>>);
using pointer = thrust::device_ptr<int>;
static_assert(std::is_same_v<made_of<pointer, pointer>, ndp::sequence<int>>);
using to_const = thrust::device_ptr<const int>;
static_assert(std::is_same_v<made_of<to_const, to_const>, ndp::sequence<const int>>);

struct square {
  FETTLE_HOST_DEVICE int operator()(int x) const { return x * x; }
};

}  // namespace

TEST_CASE("make_sequence sees the memory behind Thrust's vectors") {
  on_host h(3, 5);
  CHECK(ndp::make_sequence(h).data() == thrust::raw_pointer_cast(h.data()));
  CHECK(ndp::make_sequence(h.begin(), h.end()).size() == 3);
  on_device d(4, 6);
  CHECK(ndp::make_sequence(d).data() == thrust::raw_pointer_cast(d.data()));
  CHECK(ndp::make_sequence(d.begin() + 1, d.end()).size() == 3);
  CHECK(ndp::make_sequence(d.data(), d.data() + 2).size() == 2);
}

TEST_CASE("make_sequence keeps what Thrust's other iterators do") {
  on_host h(3);
  for (int i = 0; i < 3; ++i) h[static_cast<std::size_t>(i)] = i + 1;
  int* const first = thrust::raw_pointer_cast(h.data());
  const auto squares = thrust::make_transform_iterator(first, square{});
  CHECK(elements(ndp::make_sequence(squares, squares + 3)) == std::vector<int>{1, 4, 9});
  const auto backwards = thrust::make_reverse_iterator(first + 3);
  CHECK(elements(ndp::make_sequence(backwards, backwards + 3)) == std::vector<int>{3, 2, 1});
  const auto on_vector = thrust::make_reverse_iterator(h.end());
  CHECK(elements(ndp::make_sequence(on_vector, on_vector + 3)) == std::vector<int>{3, 2, 1});
  const int places[] = {2, 0};
  const auto permuted = thrust::make_permutation_iterator(first, places);
  CHECK(elements(ndp::make_sequence(permuted, permuted + 2)) == std::vector<int>{3, 1});
  const thrust::counting_iterator<int> from(4);
  CHECK(elements(ndp::make_sequence(from, from + 2)) == std::vector<int>{4, 5});
}

TEST_CASE("execute() reads and writes Thrust's vectors of the device, and what iterators compute") {
  thrust::device_vector<double> x(5000, 2.0);
  thrust::device_vector<double> y(5000);
  const ndp_test::tested_platform on;
  const auto in = ndp::make_sequence(std::as_const(x));
  ndp::execute(ndp::map(ndp::multiplies{}, in, in), ndp::make_sequence(y), on);
  CHECK(ndp::execute(ndp::reduce(ndp::plus{}, ndp::make_sequence(y), 1.0), on) == 20001.0);
  ndp::execute(ndp::scan(ndp::plus{}, ndp::make_sequence(y.begin(), y.end()), 0.0),
               ndp::make_sequence(y.data(), y.data() + 5000), on);
  const thrust::host_vector<double> result = y;
  CHECK(result[0] == 0.0);
  CHECK(result[4999] == 4.0 * 4999);
  const auto squares = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), square{});
  CHECK(ndp::execute(ndp::reduce(ndp::plus{}, ndp::make_sequence(squares, squares + 100), 0), on) ==
        328350);
}

#else
#include "support/catch.hpp"
#include "support/skip.hpp"

TEST_CASE("skipped: make sequence thrust") { test::skip_program("needs Thrust"); }
#endif
