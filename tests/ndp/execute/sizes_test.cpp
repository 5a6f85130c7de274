// Arguments and destinations of a wrong size: execute() names the operator, the argument and both
// sizes, before anything is read out of bounds (the address sanitizer's twin sees to that) or
// written.
#include <string>
#include <utility>
#include <vector>

#include <fettle/ndp.hpp>

#include "ndp/support/executing.hpp"
#include "ndp/support/message_of.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;
using ndp::index_t;
using ndp_test::executing;
using ndp_test::message_of;

namespace {

constexpr ndp::platform::openmp here;

// Memory of exactly so many elements, so that a sanitizer sees the first one behind them.
struct room {
  std::vector<double> values;
  explicit room(index_t size) : values(static_cast<std::size_t>(size), 7.0) {}
  [[nodiscard]] ndp::sequence<const double> read() const { return ndp::make_sequence(values); }
  [[nodiscard]] ndp::sequence<double> write() { return ndp::make_sequence(values); }
  [[nodiscard]] bool is_untouched() const {
    return values == std::vector<double>(values.size(), 7.0);
  }
};

const room hundred(100), ninety_nine(99), ten(10), none(0);

// What execute() complains of, where it has left its destination as it was: that which `shape`
// makes of memory of this size.
template <typename E, typename Shape, typename... ByHand>
std::string into_shape(index_t size, const E& e, const Shape& shape, const ByHand&... by_hand) {
  room y(size);
  const std::string text = executing(e, shape(y.write()), here, by_hand...);
  return text == "(no error)" || y.is_untouched() ? text : "written: " + text;
}

const auto flat = [](const auto& s) { return s; };
constexpr auto tiles_of(index_t length) {
  return [length](const auto& s) { return ndp::split(s, length); };
}

template <typename E>
std::string by_default(index_t size, const E& e) {
  return into_shape(size, e, flat);
}
// By hand, because that is the least to compile.
template <typename E>
std::string into(index_t size, const E& e) {
  return into_shape(size, e, flat, schedule::sequential<>{});
}
template <typename E>
std::string into_tiles(index_t size, index_t length, const E& e) {
  return into_shape(size, e, tiles_of(length), schedule::sequential<>{});
}

struct row_negated {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::map(ndp::negate{}, row);
  }
};
struct row_dot {
  template <typename A, typename B>
  auto operator()(const A& a, const B& b) const {
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, a, b), 0.0);
  }
};
struct add_points {
  template <typename A, typename B>
  auto operator()(const A& a, const B& b) const {
    return ndp::map(ndp::plus{}, a, b);
  }
};

template <typename Indices>
auto indices(const Indices& values) {
  return ndp::make_sequence(values);
}

}  // namespace

TEST_CASE("map: all sequences are as long as the first one") {
  const auto of = [](const room& a, const room& b) {
    return ndp::map(ndp::plus{}, a.read(), b.read());
  };
  CHECK(into(100, of(hundred, ten)) == "spmv: map: sequence 2 has 10 elements, sequence 1 has 100");
  CHECK(into(100, of(ten, hundred)) == "spmv: map: sequence 2 has 100 elements, sequence 1 has 10");
  CHECK(into(100, of(hundred, none)) == "spmv: map: sequence 2 has 0 elements, sequence 1 has 100");
  CHECK(by_default(100, of(hundred, ninety_nine)) ==
        "spmv: map: sequence 2 has 99 elements, sequence 1 has 100");
  CHECK(into(100, of(hundred, hundred)) == "(no error)");
  CHECK(into(0, of(none, none)) == "(no error)");
  CHECK(into(100, ndp::map(ndp::plus{}, ndp::replicate(1.0, 100), ndp::range(0, 99))) ==
        "spmv: map: sequence 2 has 99 elements, sequence 1 has 100");
}

TEST_CASE("an operator among another one's arguments is looked at too") {
  const auto uneven = ndp::map(ndp::plus{}, hundred.read(), ten.read());
  const std::string problem = "spmv: map: sequence 2 has 10 elements, sequence 1 has 100";
  CHECK(into(100, ndp::scan(ndp::plus{}, uneven, 0.0)) == problem);
  CHECK(into(1, ndp::reduce(ndp::plus{}, uneven, 0.0)) == problem);
  CHECK(into(100, ndp::reverse(uneven)) == problem);
  CHECK(into(50, ndp::striding(uneven, 2)) == problem);
  CHECK(into(100, ndp::split(uneven, 10)) == problem);
  CHECK(into_tiles(100, 10, ndp::cyclic(uneven, 10)) == problem);
  CHECK(into(30, ndp::reverse(ndp::subsequence(uneven, 0, 30))) == problem);
}

TEST_CASE("a reduce whose value is returned, and updates, are looked at too") {
  const auto sum =
      ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, hundred.read(), ten.read()), 0.0);
  const std::string problem = "spmv: map: sequence 2 has 10 elements, sequence 1 has 100";
  CHECK(message_of([&] { return ndp::execute<"spmv">(sum); }) == problem);
  CHECK(message_of([&] { return ndp::execute<"spmv">(sum, here, schedule::sequential<>{}); }) ==
        problem);
  double value = 7.0;
  CHECK(message_of([&] {
          ndp::execute<"spmv">(sum, value);
          return 0;
        }) == problem);
  CHECK(value == 7.0);
  int calls = 0;
  const auto update = ndp::map([&calls](double, double) { ++calls; }, hundred.read(), ten.read());
  CHECK(executing(update) == problem);
  CHECK(calls == 0);
}

TEST_CASE("zip: all sequences are equally long, in a destination too") {
  CHECK(into(100, ndp::map([](const auto& both) { return ndp::get<0>(both); },
                           ndp::zip(hundred.read(), ten.read()))) ==
        "spmv: zip: sequence 2 has 10 elements, sequence 1 has 100");
  room y(100), z(99);
  const auto swapped = [&](auto to) {
    return executing(ndp::zip(hundred.read(), hundred.read()), to);
  };
  CHECK(swapped(ndp::zip(y.write(), z.write())) ==
        "spmv: zip: sequence 2 has 99 elements, sequence 1 has 100");
  CHECK(swapped(ndp::zip(z.write(), z.write())) ==
        "spmv: the destination has 99 elements, the result has 100");
  CHECK(y.is_untouched());
  CHECK(z.is_untouched());
}

TEST_CASE("reduce_by_key: as many keys as values, and room for a run") {
  const std::vector<int> keys(30, 1);
  const auto of = [&](index_t values, index_t count) {
    return ndp::reduce_by_key(ndp::plus{}, ndp::subsequence(hundred.read(), 0, values),
                              ndp::subsequence(ndp::make_sequence(keys), 0, count), 0.0);
  };
  CHECK(into(100, of(20, 30)) ==
        "spmv: reduce_by_key: the sequence of keys has 30 elements, the source has 20");
  CHECK(by_default(100, of(20, 19)) ==
        "spmv: reduce_by_key: the sequence of keys has 19 elements, the source has 20");
  CHECK(into(0, of(30, 30)) == "spmv: the destination has 0 elements, the result has at least 1");
  CHECK(into(1, of(30, 30)) == "(no error)");
  CHECK(into(0, of(0, 0)) == "(no error)");
}

TEST_CASE("reductions of points: those are as long as the seed, and the destination has room") {
  const auto points = [&](index_t columns) { return ndp::split(hundred.read(), columns); };
  const auto sum = [&](index_t columns, index_t seed) {
    return ndp::reduce(add_points{}, points(columns), ndp::replicate(0.0, seed));
  };
  CHECK(into(10, sum(5, 10)) == "spmv: map: sequence 2 has 5 elements, sequence 1 has 10");
  CHECK(into(10, sum(20, 10)) == "spmv: map: sequence 2 has 20 elements, sequence 1 has 10");
  CHECK(into(7, sum(7, 7)) == "spmv: map: sequence 2 has 2 elements, sequence 1 has 7");
  CHECK(into(9, sum(10, 10)) == "spmv: the destination has 9 elements, the result has 10");
  CHECK(into(10, sum(10, 10)) == "(no error)");
  const auto by_key = [&](index_t seed) {
    return ndp::reduce_by_key(add_points{}, points(10), ndp::range(0, 10),
                              ndp::replicate(0.0, seed));
  };
  CHECK(into(100, by_key(11)) == "spmv: map: sequence 2 has 10 elements, sequence 1 has 11");
  CHECK(into(9, by_key(10)) == "spmv: the destination has 9 elements, the result has at least 10");
  CHECK(into(100, by_key(10)) == "(no error)");
}

TEST_CASE("gather and scatter: what there are indices for") {
  const std::vector<int> places{0, 1, 2};
  const auto gathered = ndp::gather(none.read(), indices(places));
  CHECK(into(3, gathered) ==
        "spmv: gather: the sequence of indices has 3 elements, the source has 0");
  const auto scattering = [&](const room& from, index_t count, index_t size) {
    room y(size);
    const auto update =
        ndp::scatter(from.read(), ndp::subsequence(indices(places), 0, count), y.write());
    const std::string text = executing(update);
    return text == "(no error)" || y.is_untouched() ? text : "written: " + text;
  };
  const room two(2), three(3);
  CHECK(scattering(ten, 3, 10) ==
        "spmv: scatter: the sequence of indices has 3 elements, the source has 10");
  CHECK(scattering(two, 3, 10) ==
        "spmv: scatter: the sequence of indices has 3 elements, the source has 2");
  CHECK(scattering(three, 3, 2) ==
        "spmv: scatter: the destination has 2 elements, the source has 3");
  CHECK(scattering(three, 3, 3) == "(no error)");
}

TEST_CASE("nest: the offsets lie in the source") {
  const auto copied = [&](std::vector<int> offsets) {
    const auto rows = ndp::nest(ten.read(), ndp::make_sequence(offsets));
    return into(100, ndp::map(row_negated{}, rows));
  };
  CHECK(copied({0, 5, 11}) == "spmv: nest: the source has 10 elements, the last offset is 11");
  CHECK(copied({-1, 5, 10}) == "spmv: nest: the source has 10 elements, the first offset is -1");
  CHECK(copied({9, 9, 3}) ==
        "spmv: nest: the source has 10 elements, the last offset, less than the first, is 3");
  CHECK(copied({0, 5, 10}) == "(no error)");
  CHECK(copied({0}) == "(no error)");
  CHECK(copied({}) == "(no error)");
}

TEST_CASE("transpose: every row has so many elements") {
  const auto columns_of = [](index_t length, index_t columns) {
    return ndp::map(row_negated{}, ndp::transpose(ndp::split(hundred.read(), length), columns));
  };
  CHECK(into_tiles(110, 10, columns_of(10, 11)) ==
        "spmv: transpose: row 0 has 10 elements, the columns are 11");
  CHECK(into_tiles(100, 12, columns_of(9, 9)) ==
        "spmv: transpose: row 11 has 1 elements, the columns are 9");
  CHECK(into_tiles(100, 10, columns_of(10, 10)) == "(no error)");
  const auto backwards = ndp::reverse(ndp::split(hundred.read(), 9));
  CHECK(into_tiles(108, 12, ndp::transpose(backwards)) ==
        "spmv: transpose: row 0 has 1 elements, the columns are 9");
  const std::vector<int> offsets{0, 3, 5};
  const auto ragged = ndp::nest(hundred.read(), ndp::make_sequence(offsets));
  CHECK(into_tiles(6, 2, ndp::transpose(ragged, 3)) ==
        "spmv: transpose: row 1 has 2 elements, the columns are 3");
  CHECK(into(2, ndp::transpose(ragged, 3)[2]) ==
        "spmv: transpose: row 1 has 2 elements, the columns are 3");
}

TEST_CASE("subsequence: a part of a computed sequence lies in it") {
  const auto part = [](index_t first, index_t count) {
    return into(100, ndp::reverse(ndp::subsequence(ndp::range(0, 10), first, count)));
  };
  CHECK(part(5, 6) == "spmv: subsequence: the sequence has 10 elements, the part ends at 11");
  CHECK(part(-1, 5) == "spmv: subsequence: the sequence has 10 elements, the part begins at -1");
  CHECK(part(5, 5) == "(no error)");
}

TEST_CASE("subsequence: no part of a sequence has a negative size") {
  const auto part = [](index_t count) {
    return into(0, ndp::sort(ndp::subsequence(hundred.read(), 3, count)));
  };
  CHECK(part(-2) == "spmv: sequence or subsequence: it has -2 elements, the least is 0");
  CHECK(part(0) == "(no error)");
}

TEST_CASE("what a function makes of the first and the last row is looked at") {
  const auto dots = [](index_t length, index_t other) {
    return ndp::map(row_dot{}, ndp::split(hundred.read(), length),
                    ndp::cyclic(hundred.read(), other));
  };
  CHECK(into(10, dots(10, 10)) == "(no error)");
  const std::vector<int> ends{0, 5, 10, 99};
  const auto rows = ndp::map(row_dot{}, ndp::nest(hundred.read(), ndp::make_sequence(ends)),
                             ndp::split(ninety_nine.read(), 33));
  CHECK(into(3, rows) == "spmv: map: sequence 2 has 33 elements, sequence 1 has 5");
}

TEST_CASE("a flat destination of rows ends behind the last one") {
  const auto rows = ndp::map(row_negated{}, ndp::split(hundred.read(), 30));
  CHECK(into(99, rows) == "spmv: the destination has 99 elements, the result has 100");
  CHECK(by_default(99, rows) == "spmv: the destination has 99 elements, the result has 100");
  CHECK(into(99, ndp::split(hundred.read(), 30)) ==
        "spmv: the destination has 99 elements, the result has 100");
  CHECK(into(100, rows) == "(no error)");
  const std::vector<int> offsets{0, 60, 95};
  const auto ragged = ndp::nest(hundred.read(), ndp::make_sequence(offsets));
  CHECK(into(94, ndp::map(row_negated{}, ragged)) ==
        "spmv: the destination has 94 elements, the result has 95");
  CHECK(into(95, ndp::map(row_negated{}, ragged)) == "(no error)");
  // A result that is longer than the row that says where it goes.
  const auto longer = ndp::map(
      [](const auto& row) { return ndp::map(ndp::negate{}, ndp::range(0.0, 1.0 + row[0])); },
      ndp::split(ten.read(), 5));
  CHECK(into(12, longer) ==
        "spmv: row 1 of the destination has room for 7 elements, that of the "
        "result has 8");
}

TEST_CASE("the rows of a nested destination have room for those of the result") {
  const auto rows = ndp::map(row_negated{}, ndp::split(hundred.read(), 10));
  CHECK(into_tiles(90, 10, rows) == "spmv: the destination has 9 rows, the result has 10");
  CHECK(into_tiles(50, 5, rows) ==
        "spmv: row 0 of the destination has room for 5 elements, that of the result has 10");
  CHECK(into_tiles(95, 10, rows) ==
        "spmv: row 9 of the destination has room for 5 elements, that of the result has 10");
  CHECK(into_tiles(100, 10, rows) == "(no error)");
  const std::vector<int> offsets{0, 5, 11};
  CHECK(into_shape(
            10, ndp::map(row_negated{}, ndp::split(ten.read(), 5)),
            [&](auto y) { return ndp::nest(y, ndp::make_sequence(offsets)); },
            schedule::sequential<>{}) ==
        "spmv: nest: the source has 10 elements, the last offset is 11");
}

TEST_CASE("every view knows that its destination is too small") {
  const auto whole = hundred.read();
  const std::string problem = "spmv: the destination has 9 elements, the result has 10";
  const std::vector<int> places(10, 3);
  CHECK(into(9, ndp::range(0, 10)) == problem);
  CHECK(into(9, ndp::replicate(1.0, 10)) == problem);
  CHECK(into(9, ndp::gather(whole, indices(places))) == problem);
  CHECK(into(9, ndp::striding(whole, 10)) == problem);
  CHECK(into(9, ndp::reverse(ten.read())) == problem);
  CHECK(into(9, ndp::map([](const auto& pair) { return ndp::get<0>(pair); },
                         ndp::join(ndp::range(0, 2), ndp::range(0, 5)))) == problem);
  CHECK(into(9, ndp::scan(ndp::plus{}, ten.read(), 0.0)) == problem);
  CHECK(into(0, ndp::reduce(ndp::plus{}, ten.read(), 0.0)) ==
        "spmv: the destination has 0 elements, the result has 1");
}
