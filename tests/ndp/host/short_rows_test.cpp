// Rows of a few elements on one thread: neighbouring rows as one run of elements, rows together by
// vectors, and which rows take which way, for any operator and element.
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/host/rows/contiguous_rows.hpp>
#include <fettle/ndp/host/rows/in_thread.hpp>
#include <fettle/ndp/host/rows/rows_together.hpp>
#include <fettle/ndp/host/rows/short_rows.hpp>

#include "ndp/openmp/cases.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"

using namespace fettle::ndp;
using ndp_test::affine;
using ndp_test::compose;
using ndp_test::last_of;
using ndp_test::made_up;
using ndp_test::rows;
using openmp_cases::plus_of_user;

namespace {

[[nodiscard]] rows equal(index_t count, index_t length) {
  return {std::to_string(count) + " rows of " + std::to_string(length),
          std::vector<index_t>(static_cast<std::size_t>(count), length)};
}
[[nodiscard]] rows random_rows(index_t count, index_t longest) {
  rows out{std::to_string(count) + " rows of up to " + std::to_string(longest), {}};
  std::mt19937 random(static_cast<unsigned>(count + 1000 * longest));
  for (index_t i = 0; i < count; ++i) {
    out.lengths.push_back(static_cast<index_t>(random()) % (longest + 1));
  }
  return out;
}

// Around the sizes of all blocks: 8 rows, 24, 128; 8 elements, 32, 1024.
[[nodiscard]] std::vector<rows> shapes() {
  std::vector<rows> out = ndp_test::row_shapes(3);
  for (const index_t count : {1, 2, 7, 8, 9, 127, 128, 129, 300}) {
    for (const index_t length : {0, 1, 2, 3, 8, 9}) out.push_back(equal(count, length));
    for (const index_t longest : {1, 7, 8, 9, 16, 32, 33, 70}) {
      out.push_back(random_rows(count, longest));
    }
  }
  for (const index_t length : {4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17}) {
    out.push_back(equal(130, length));
  }
  for (const index_t longest : {1, 12, 40}) {
    rows few = equal(300, 0);
    few.name = "few rows with elements, up to " + std::to_string(longest);
    for (std::size_t i = 3; i < 300; i += 11) {
      few.lengths[i] = 1 + static_cast<index_t>(i) % longest;
    }
    out.push_back(few);
  }
  rows mixed = equal(200, 3);
  mixed.name = "rows of three, some long ones";
  mixed.lengths[0] = 1024;
  mixed.lengths[40] = 1025;
  mixed.lengths[41] = 33;
  mixed.lengths[150] = 5000;
  mixed.lengths[199] = 9;
  out.push_back(mixed);
  return out;
}

template <typename Op, typename P>
struct reduce_row {
  Op op;
  P seed;
  template <typename Row>
  auto operator()(const Row& row) const {
    return reduce(op, row, seed);
  }
};

using lanes = schedule::independent<schedule::cooperative<>>;
using in_order = schedule::independent<schedule::sequential<>>;

// All rows, and some from the middle, of which nothing around may be written.
template <typename Schedule, typename E>
void check(const E& e) {
  using value_type = typename host::detail::row_t<E>::value_type;
  const index_t count = e.size();
  for (const index_t begin : {index_t{0}, count / 3}) {
    const index_t end = begin == 0 ? count : count - count / 4;
    std::vector<value_type> expected(static_cast<std::size_t>(count), value_type{});
    for (index_t i = begin; i < end; ++i) {
      expected[static_cast<std::size_t>(i)] = e[i].evaluate();
    }
    std::vector<value_type> out(static_cast<std::size_t>(count), value_type{});
    host::detail::elements_in_thread<Schedule>(e, make_sequence(out), begin, end, {});
    INFO("rows " << begin << " to " << end);
    CHECK(out == expected);
  }
}

template <typename Op, typename T, typename P = T>
void check_operator(const Op& op, P seed = P(3)) {
  for (const auto& shape : shapes()) {
    INFO(shape.name);
    const auto offsets = shape.offsets<std::int32_t>();
    const auto values = made_up<T>(shape.count());
    const auto nested = nest(make_sequence(values), make_sequence(offsets));
    const auto e = map(reduce_row<Op, P>{op, seed}, nested);
    STATIC_REQUIRE(host::detail::contiguous_rows_node<decltype(e)>);
    check<lanes>(e);
    check<in_order>(e);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("sums and least elements of short rows", "", double, float, std::int8_t,
                   std::uint16_t, std::int32_t, std::int64_t) {
  check_operator<plus, TestType>({});
  check_operator<minimum, TestType>({});
}

TEST_CASE("short rows by other operators") {
  check_operator<maximum, double>({});
  check_operator<bit_xor, std::uint32_t>({});
  check_operator<plus_of_user, float>({});
  check_operator<last_of, double>({});
  check_operator<compose, affine>({}, affine{7, 11});
  check_operator<plus, std::int16_t, double>({}, 0.5);
}

TEST_CASE("what is not a number is passed over in short rows, wherever it is") {
  for (const auto& shape : {random_rows(100, 8), random_rows(100, 30), equal(100, 3)}) {
    const auto offsets = shape.offsets();
    auto values = made_up<float>(shape.count());
    for (std::size_t i = 0; i < values.size(); i += 3) {
      values[i] = std::numeric_limits<float>::quiet_NaN();
    }
    const auto nested = nest(make_sequence(values), make_sequence(offsets));
    check<lanes>(map(reduce_row<minimum, float>{{}, 3.0F}, nested));
    check<lanes>(map(reduce_row<maximum, float>{{}, -3.0F}, nested));
  }
}

namespace {

struct pixel {
  std::uint8_t red;
  std::uint8_t green;
  std::uint8_t blue;
};

}  // namespace

TEST_CASE("short rows of fused producers") {
  for (const auto& shape : shapes()) {
    INFO(shape.name);
    const auto offsets = shape.offsets();
    const auto values = made_up<double>(shape.count());
    const auto others = made_up<float>(shape.count(), 4);
    const auto x = made_up<double>(500, 3);
    std::vector<std::int32_t> columns;
    for (const auto at : ndp_test::shuffled(shape.count())) {
      columns.push_back(static_cast<std::int32_t>(at % 500));
    }
    const auto places = make_sequence(offsets);
    const auto by_row = nest(make_sequence(values), places);
    const auto column_rows = nest(make_sequence(columns), places);
    const auto all_x = make_sequence(x);
    check<lanes>(map(
        [all_x](const auto& row, const auto& its_columns) {
          return reduce(plus{}, map(multiplies{}, row, gather(all_x, its_columns)), 0.0);
        },
        by_row, column_rows));
    // By functions of a user's, with a state; of three sources of two types.
    const double scale = 3.0;
    check<lanes>(map(
        [all_x, scale](const auto& row, const auto& its_columns, const auto& other) {
          const auto f = [scale](double a, double b, float c) { return scale * a - b * c; };
          return reduce(plus{}, map(f, row, gather(all_x, its_columns), other), 1.0);
        },
        by_row, column_rows, nest(make_sequence(others), places)));
    // By functions that choose.
    check<lanes>(map(
        [](const auto& row) {
          const auto f = [](double a) { return a > 1 ? 2 * a : 0.5; };
          return reduce(plus{}, map(f, row), 1.0);
        },
        by_row));
    check<lanes>(map(
        [](const auto& row) {
          const auto f = [](float a) { return a > 1 ? 2 * a : 0.5F; };
          return reduce(maximum{}, map(f, row), -9.0F);
        },
        nest(make_sequence(others), places)));
    check<lanes>(map(
        [](const auto& row) {
          const auto f = [](std::int32_t a) { return a % 3 == 0 ? a : -1; };
          return reduce(plus{}, map(f, row), 0);
        },
        column_rows));
    // Of structs and of zips.
    std::vector<pixel> pixels;
    for (const float value : others) {
      pixels.push_back({static_cast<std::uint8_t>(static_cast<int>(value)), 1,
                        static_cast<std::uint8_t>(static_cast<int>(2 * value))});
    }
    check<lanes>(map(
        [](const auto& row) {
          const auto f = [](const pixel& p) { return p.red > 1 ? 3 * p.green : p.red + p.blue; };
          return reduce(plus{}, map(f, row), 7);
        },
        nest(make_sequence(pixels), places)));
    check<lanes>(map(
        [](const auto& row) {
          const auto f = [](const auto& pair) {
            return get<0>(pair) > 1 ? get<0>(pair) * get<1>(pair) : 0.5;
          };
          return reduce(plus{}, map(f, row), 1.0);
        },
        nest(zip(make_sequence(values), make_sequence(others)), places)));
    // Rows of a view that is not in memory.
    check<lanes>(map(reduce_row<plus, double>{{}, 2.0},
                     nest(map(minus{}, make_sequence(values), make_sequence(others)), places)));
  }
}

namespace {

// The least of what is gathered, or its sum.
template <typename Op, typename T>
struct gathered_row {
  Op op;
  sequence<const T> all_x;
  T seed;
  template <typename Columns>
  auto operator()(const Columns& columns) const {
    return reduce(op, gather(all_x, columns), seed);
  }
};

}  // namespace

TEMPLATE_TEST_CASE("short rows that gather", "", double, float, std::int32_t, std::int8_t) {
  auto x = made_up<TestType>(97);
  if constexpr (std::is_floating_point_v<TestType>) {
    x[5] = x[40] = std::numeric_limits<TestType>::quiet_NaN();
  }
  const auto without_nan = made_up<TestType>(97);
  std::vector<rows> all = shapes();
  // Enough rows for several buffers.
  all.push_back(random_rows(13000, 9));
  for (const auto& shape : all) {
    INFO(shape.name);
    const auto offsets = shape.offsets<std::int32_t>();
    std::vector<std::int32_t> columns(static_cast<std::size_t>(shape.count()));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns[i] = static_cast<std::int32_t>(i * 31 % x.size());
    }
    const auto nested = nest(make_sequence(columns), make_sequence(offsets));
    check<lanes>(map(gathered_row<minimum, TestType>{{}, make_sequence(x), TestType{100}}, nested));
    check<lanes>(map(gathered_row<maximum, TestType>{{}, make_sequence(x), TestType{0}}, nested));
    check<lanes>(
        map(gathered_row<plus, TestType>{{}, make_sequence(without_nan), TestType{1}}, nested));
  }
}

TEST_CASE("the seed and the function of every short row are its own") {
  for (const auto& shape : {random_rows(300, 7), equal(300, 3), random_rows(300, 40)}) {
    const auto offsets = shape.offsets();
    const auto values = made_up<double>(shape.count());
    std::vector<double> seeds(shape.lengths.size());
    std::iota(seeds.begin(), seeds.end(), 0.0);
    const auto nested = nest(make_sequence(values), make_sequence(offsets));
    check<lanes>(map([](const auto& row, double seed) { return reduce(plus{}, row, seed); }, nested,
                     make_sequence(seeds)));
    check<lanes>(map(
        [](const auto& row, double factor) {
          return reduce(plus{}, map([factor](double a) { return factor * a; }, row), 1.0);
        },
        nested, make_sequence(seeds)));
  }
}

TEST_CASE("rows that do not lie side by side") {
  const auto shape = random_rows(300, 7);
  const auto offsets = shape.offsets();
  const auto values = made_up<double>(shape.count());
  const auto nested = nest(make_sequence(values), make_sequence(offsets));
  SECTION("parts of rows") {
    check<lanes>(map(
        [](const auto& row) {
          const index_t skipped = row.size() > 2 ? 1 : 0;
          return reduce(plus{}, subsequence(row, skipped, row.size() - skipped), 1.0);
        },
        nested));
  }
  SECTION("one gap, at every place") {
    for (const index_t gap : {0, 1, 31, 32, 63, 127, 128, 250, 299}) {
      std::vector<index_t> rows_of_three;
      for (index_t i = 0; i < 300; ++i) rows_of_three.push_back(3 * i + (i > gap ? 1 : 0));
      const auto all = made_up<double>(3 * 300 + 1);
      const auto from = make_sequence(all);
      const auto e =
          map([from](index_t first) { return reduce(plus{}, subsequence(from, first, 3), 0.0); },
              make_sequence(rows_of_three));
      STATIC_REQUIRE(host::detail::contiguous_rows_node<decltype(e)>);
      check<lanes>(e);
    }
  }
  SECTION("the same row again and again, and rows in reverse") {
    check<lanes>(map([nested](index_t i) { return reduce(plus{}, nested[i % 5], 0.0); },
                     range(index_t{0}, index_t{300})));
    check<lanes>(map([nested](index_t i) { return reduce(plus{}, nested[299 - i], 0.0); },
                     range(index_t{0}, index_t{300})));
  }
  SECTION("a source that is longer than the row") {
    if (!checked) {
      std::vector<double> threes(3 * 300, 2.0);
      const auto from = make_sequence(threes);
      const auto from_values = make_sequence(values);
      check<lanes>(map(
          [from, from_values](index_t i) {
            return reduce(
                plus{},
                map(multiplies{}, subsequence(from, 2 * i, 2), subsequence(from_values, 3 * i, 3)),
                0.0);
          },
          range(index_t{0}, index_t{300})));
    }
  }
}

TEST_CASE("each element of short rows is computed once") {
  for (const auto& shape : {random_rows(300, 7), equal(300, 3), random_rows(300, 40)}) {
    const auto offsets = shape.offsets();
    const auto values = made_up<double>(shape.count());
    std::vector<int> calls(values.size(), 0);
    const auto count = [&](const double& a) {
      ++calls[static_cast<std::size_t>(&a - values.data())];
      return a;
    };
    const auto e = map([&](const auto& row) { return reduce(plus{}, map(count, row), 0.0); },
                       nest(make_sequence(values), make_sequence(offsets)));
    std::vector<double> out(static_cast<std::size_t>(e.size()));
    host::detail::elements_in_thread<lanes>(e, make_sequence(out), 0, e.size(), {});
    CHECK(calls == std::vector<int>(values.size(), 1));
  }
}

TEST_CASE("rows that are prefetched") {
  rows shape = equal(150'000, 3);
  for (const index_t length : random_rows(150'000, 9).lengths) shape.lengths.push_back(length);
  for (const index_t length : equal(20, 10'000).lengths) shape.lengths.push_back(length);
  for (const index_t length : equal(500, 30).lengths) shape.lengths.push_back(length);
  const auto offsets = shape.offsets();
  const auto values = made_up<float>(shape.count());
  const auto x = made_up<float>(100, 3);
  std::vector<std::int32_t> columns;
  for (index_t i = 0; i < static_cast<index_t>(values.size()); ++i) {
    columns.push_back(static_cast<std::int32_t>(i * 7 % 100));
  }
  const auto places = make_sequence(offsets);
  const auto all_x = make_sequence(x);
  const auto e = map(
      [all_x](const auto& row, const auto& its_columns) {
        return reduce(plus{}, map(multiplies{}, row, gather(all_x, its_columns)), 0.0F);
      },
      nest(make_sequence(values), places), nest(make_sequence(columns), places));
  CHECK(host::detail::has_far_rows(e));
  check<lanes>(e);
  check<lanes>(map(reduce_row<plus, float>{{}, 0.0F}, nest(make_sequence(values), places)));
  CHECK(
      !host::detail::has_far_rows(map(reduce_row<plus, float>{{}, 0.0F},
                                      nest(make_sequence(values), subsequence(places, 0, 1000)))));
}

TEST_CASE("where one source goes on with another") {
  const auto values = made_up<double>(20);
  const std::vector<int> places(20, 1);
  const auto s = make_sequence(values);
  const auto p = make_sequence(places);
  using host::detail::gap_between;
  CHECK(gap_between(subsequence(s, 2, 3), subsequence(s, 5, 1)) == 0);
  CHECK(gap_between(subsequence(s, 2, 0), subsequence(s, 2, 4)) == 0);
  CHECK(gap_between(subsequence(s, 2, 3), subsequence(s, 6, 1)) != 0);
  CHECK(gap_between(subsequence(s, 2, 3), subsequence(s, 4, 1)) != 0);
  CHECK(host::detail::distance_between(subsequence(s, 2, 3), subsequence(s, 9, 1)) == 7);
  const auto at = [&](index_t first, index_t count) {
    return map(multiplies{}, subsequence(s, first, count), gather(s, subsequence(p, first, count)));
  };
  CHECK(gap_between(at(0, 4), at(4, 2)) == 0);
  CHECK(gap_between(at(0, 4), at(5, 2)) != 0);
  CHECK(host::detail::distance_between(at(1, 4), at(5, 2)) == 4);
  CHECK(host::detail::widened(at(3, 1), 6).size() == 6);
  CHECK(host::detail::widened(at(3, 1), 6)[5] == values[8] * values[1]);
  // What is gathered from has to be the same.
  CHECK(gap_between(gather(s, subsequence(p, 0, 2)),
                    gather(subsequence(s, 0, 19), subsequence(p, 2, 2))) != 0);
  const auto scaled = [&](double factor, index_t first) {
    return map([factor](double a) { return factor * a; }, subsequence(s, first, 2));
  };
  CHECK(gap_between(scaled(2.0, 0), scaled(2.0, 2)) == 0);
  CHECK(gap_between(scaled(2.0, 0), scaled(3.0, 2)) != 0);
  STATIC_REQUIRE(!host::detail::continuable<decltype(reverse(s))>);
  STATIC_REQUIRE(!host::detail::continuable<decltype(range(index_t{0}, index_t{9}))>);
}

template <int N, typename T>
void check_rows_together() {
  std::mt19937 random(5);
  for (const index_t longest : {0, 1, 3, 4, 5, 8, 9, 16, 32, 33, 200}) {
    for (int repetition = 0; repetition < 20; ++repetition) {
      const index_t origin = repetition % 3;
      std::array<index_t, std::size_t{N} + 1> begins{};
      begins[0] = origin + repetition;
      for (std::size_t k = 0; k < N; ++k) {
        begins[k + 1] = begins[k] + static_cast<index_t>(random()) % (longest + 1);
      }
      const auto values = made_up<T>(begins[N] - origin + host::detail::readable_behind_rows);
      std::array<T, std::size_t{N}> out{};
      host::detail::reduce_rows_together<maximum, N>(values.data(), begins.data(), origin,
                                                     out.data());
      for (std::size_t k = 0; k < N; ++k) {
        T expected = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                          : std::numeric_limits<T>::lowest();
        for (index_t i = begins[k] - origin; i < begins[k + 1] - origin; ++i) {
          expected = std::max(expected, values[static_cast<std::size_t>(i)]);
        }
        CHECK(out[k] == expected);
      }
    }
  }
}

TEMPLATE_TEST_CASE("as many rows as a vector has lanes", "", double, float, std::int16_t,
                   std::int8_t) {
  check_rows_together<4, TestType>();
  check_rows_together<8, TestType>();
}

TEST_CASE("rows are reduced together only by vectors that the processor has") {
  STATIC_REQUIRE(host::detail::rows_together<std::int8_t> == 8);
  STATIC_REQUIRE(host::detail::rows_together<float> == (host::detail::lane_bytes >= 32 ? 8 : 4));
  STATIC_REQUIRE(host::detail::rows_together<double> == (host::detail::lane_bytes >= 64   ? 8
                                                         : host::detail::lane_bytes >= 32 ? 4
                                                                                          : 0));
}
