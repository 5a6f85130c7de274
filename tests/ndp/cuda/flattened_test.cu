// The flattened kernels on a GPU against the serial result: rows of all lengths, operators of all
// kinds, blocks of several sizes.
#include <vector>

#include <fettle/ndp/cuda/flattened/flattened_reduce.cuh>
#include <fettle/ndp/cuda/flattened/flattened_scan.cuh>
#include <fettle/ndp/cuda/rows/split_rows.cuh>

#include "ndp/cuda/rows_on_gpu.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace kernels = fettle::ndp::cuda::detail;

namespace {

using plain = ndp::constant<ndp::cuda::policy{}>;
using narrow = ndp::constant<ndp::cuda::policy{
    .block_size_x = 32,
    .level = {.first = {.block_reduce_algo = ndp::cuda::block_reduce_algorithm::raking}}}>;
// 96 threads: shares are always found by a kernel of their own.
using odd = ndp::constant<ndp::cuda::policy{
    .block_size_x = 32, .block_size_y = 3, .level = {.first = {.grain_size = 2}}}>;

const auto flattened = [](const auto& e, const auto& to, auto policy) {
  kernels::flattened_reduce(ndp::platform::cuda{}, tested, e, to, policy);
};

template <typename HostE, typename DeviceE>
void require_all_blocks_right(const HostE& host, const DeviceE& device) {
  REQUIRE(equals_serial<plain>(host, device, flattened));
  REQUIRE(equals_serial<narrow>(host, device, flattened));
  REQUIRE(equals_serial<odd>(host, device, flattened));
}

struct sum_fractions {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};

// Two nested arguments of the same lengths at different places.
struct add_rows {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& a, const Row& b) const {
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::plus{}, a, b), index_t{1});
  }
};

}  // namespace

TEST_CASE("flattened reduce: sums of rows of all lengths") {
  for (const auto& pattern : large_row_patterns()) {
    INFO(pattern.name);
    const row_data<index_t> rows(random_numbers(element_count(pattern), 1), pattern);
    require_all_blocks_right(ndp::map(sum_row{}, rows.on_host()),
                             ndp::map(sum_row{}, rows.on_device()));
  }
}

TEST_CASE("flattened reduce: operators that do not commute, without an identity") {
  for (const auto& pattern : large_row_patterns()) {
    INFO(pattern.name);
    const row_data<affine> rows(random_affines(element_count(pattern), 2), pattern);
    require_all_blocks_right(ndp::map(compose_row{}, rows.on_host()),
                             ndp::map(compose_row{}, rows.on_device()));
  }
}

TEST_CASE("flattened reduce: state of the operator, and reductions of part of a row") {
  for (const auto& pattern : row_patterns(78)) {
    INFO(pattern.name);
    const row_data<index_t> rows(random_numbers(element_count(pattern), 3), pattern);
    const auto host_shifts = random_numbers(pattern.offsets.size() - 1, 4);
    const ndp_test::data<index_t> shifts(host_shifts);
    REQUIRE(equals_serial<plain>(
        ndp::map(shifted_row{}, rows.on_host(), ndp::make_sequence(host_shifts)),
        ndp::map(shifted_row{}, rows.on_device(), shifts.read()), flattened));
    REQUIRE(equals_serial<plain>(ndp::map(without_first{}, rows.on_host()),
                                 ndp::map(without_first{}, rows.on_device()), flattened));
  }
}

TEST_CASE("flattened reduce: nested arguments with offsets of their own") {
  for (const auto& pattern : row_patterns(79)) {
    INFO(pattern.name);
    row_pattern shifted = pattern;
    for (auto& offset : shifted.offsets) offset += 3;
    const row_data<index_t> a(random_numbers(element_count(pattern), 5), pattern);
    const row_data<index_t> b(random_numbers(element_count(shifted), 6), shifted);
    REQUIRE(equals_serial<plain>(ndp::map(add_rows{}, a.on_host(), b.on_host()),
                                 ndp::map(add_rows{}, a.on_device(), b.on_device()), flattened));
  }
}

TEST_CASE("flattened reduce: floating-point sums are the same in every run") {
  for (const auto& pattern : large_row_patterns()) {
    INFO(pattern.name);
    std::vector<double> values;
    for (const index_t v : random_numbers(element_count(pattern), 7)) {
      values.push_back(1.0 / static_cast<double>(v + 1));
    }
    const row_data<double> rows(values, pattern);
    const auto e = ndp::map(sum_fractions{}, rows.on_device());
    const auto once = [&] {
      ndp_test::data<double> y(std::vector<double>(static_cast<std::size_t>(rows.rows())));
      flattened(e, y.write(), plain{});
      return y.values();
    };
    REQUIRE(once() == once());
  }
}

TEST_CASE("flattened scan: rows of all lengths, into a flat destination, in place") {
  const auto run = [](const auto& host, const auto& device, auto values) {
    using T = typename decltype(values)::value_type;
    std::vector<T> expected = values;
    for (index_t i = 0; i < host.size(); ++i) {
      const index_t begin = outer_shape(host).row_begin(i);
      host[i].for_each_serial([&](index_t j, const T& value) {
        expected[static_cast<std::size_t>(begin + j)] = value;
      });
    }
    ndp_test::data<T> apart(values);
    kernels::flattened_scan(ndp::platform::cuda{}, tested, device, apart.write(), plain{});
    return apart.values() == expected;
  };
  for (const auto& pattern : large_row_patterns()) {
    INFO(pattern.name);
    const row_data<index_t> numbers(random_numbers(element_count(pattern), 8), pattern);
    const row_data<affine> maps(random_affines(element_count(pattern), 9), pattern);
    REQUIRE(run(ndp::map(scan_row{}, numbers.on_host()), ndp::map(scan_row{}, numbers.on_device()),
                numbers.host));
    REQUIRE(run(ndp::map(scan_compose_row{}, maps.on_host()),
                ndp::map(scan_compose_row{}, maps.on_device()), maps.host));
    // The source is overwritten.
    ndp_test::data<index_t> in_place(numbers.host);
    std::vector<index_t> expected = numbers.host;
    for (index_t i = 0; i < numbers.rows(); ++i) {
      const auto begin = static_cast<std::size_t>(pattern.offsets[static_cast<std::size_t>(i)]);
      ndp::map(scan_row{}, numbers.on_host())[i].for_each_serial(
          [&](index_t j, index_t value) { expected[begin + static_cast<std::size_t>(j)] = value; });
    }
    kernels::flattened_scan(
        ndp::platform::cuda{}, tested,
        ndp::map(scan_row{}, ndp::nest(in_place.write(), numbers.offsets.read())), in_place.write(),
        narrow{});
    REQUIRE(in_place.values() == expected);
  }
}

TEST_CASE("split rows: several blocks a row, also where order matters") {
  const auto split = [](const auto& e, const auto& to, auto policy) {
    kernels::split_rows(ndp::platform::cuda{}, tested, e, to, policy);
  };
  for (const auto& pattern : row_patterns(80)) {
    if (pattern.offsets.size() > 700) continue;
    INFO(pattern.name);
    const row_data<index_t> numbers(random_numbers(element_count(pattern), 10), pattern);
    const row_data<affine> maps(random_affines(element_count(pattern), 11), pattern);
    REQUIRE(equals_serial<plain>(ndp::map(sum_row{}, numbers.on_host()),
                                 ndp::map(sum_row{}, numbers.on_device()), split));
    REQUIRE(equals_serial<plain>(ndp::map(compose_row{}, maps.on_host()),
                                 ndp::map(compose_row{}, maps.on_device()), split));
  }
}
