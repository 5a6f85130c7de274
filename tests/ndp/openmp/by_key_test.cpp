// reduce_by_key, of scalars and of rows, and reduce > map.
#include <cstdint>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/openmp.hpp>

#include "ndp/openmp/cases.hpp"
#include "ndp/support/message_of.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"

using namespace fettle::ndp;
using ndp_test::affine;
using ndp_test::compose;
using ndp_test::made_up;
using ndp_test::row_shapes;
using openmp_cases::for_each_way;

namespace {

// Keys whose runs are as long as the rows of a shape; gaps between the keys leave no trace.
std::vector<std::int32_t> keys_of(const ndp_test::rows& shape) {
  std::vector<std::int32_t> keys;
  for (std::size_t row = 0; row < shape.lengths.size(); ++row) {
    const auto length = static_cast<std::size_t>(shape.lengths[row]);
    keys.insert(keys.end(), length, static_cast<std::int32_t>(3 * row));
  }
  return keys;
}

template <typename T, typename Op>
void check_scalars(const ndp_test::rows& shape, const std::vector<T>& values, Op op, T seed) {
  const auto keys = keys_of(shape);
  std::vector<T> expected;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) expected.push_back(seed);
    expected.back() = op(expected.back(), values[i]);
  }
  const auto e = reduce_by_key(op, make_sequence(values), make_sequence(keys), seed);
  openmp_cases::check_every_way(e, expected, shape.name);
}

struct add_rows {
  template <typename A, typename B>
  auto operator()(const A& a, const B& b) const {
    return map(plus{}, a, b);
  }
};

// Not commutative.
struct chain_rows {
  template <typename A, typename B>
  auto operator()(const A& a, const B& b) const {
    return map(compose{}, a, b);
  }
};

}  // namespace

TEST_CASE("scalars by key, runs of every length") {
  for (const auto& shape : row_shapes(3)) {
    check_scalars(shape, made_up<double>(shape.count()), plus{}, 4.0);
    check_scalars(shape, made_up<affine>(shape.count()), compose{}, affine{7, 11});
  }
}

TEST_CASE("scalars by key, many of them") {
  for (const auto& shape : row_shapes(40)) {
    const auto values = made_up<double>(shape.count());
    const auto keys = keys_of(shape);
    const auto e = reduce_by_key(plus{}, make_sequence(values), make_sequence(keys), 1.0);
    std::vector<double> expected(keys.size());
    std::vector<double> out(keys.size());
    execute(e, make_sequence(expected), platform::openmp{}, schedule::sequential<>{});
    execute(e, make_sequence(out), platform::openmp{});
    INFO(shape.name);
    CHECK(out == expected);
  }
}

TEST_CASE("rows by key, into rows and into flat memory") {
  const index_t width = GENERATE(1, 19);
  for (const auto& shape : row_shapes()) {
    const auto keys = keys_of(shape);
    const auto flat = made_up<affine>(shape.count() * width);
    const auto points = split(make_sequence(flat), width);
    const affine seed{7, 11};
    std::vector<affine> expected;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i == 0 || keys[i] != keys[i - 1]) {
        expected.insert(expected.end(), static_cast<std::size_t>(width), seed);
      }
      for (index_t j = 0; j < width; ++j) {
        auto& at = expected[expected.size() - static_cast<std::size_t>(width - j)];
        at = compose{}(at, flat[i * static_cast<std::size_t>(width) + static_cast<std::size_t>(j)]);
      }
    }
    const auto e = reduce_by_key(chain_rows{}, points, make_sequence(keys), replicate(seed, width));
    std::vector<affine> out;
    for_each_way(e, [&](auto schedule, const openmp::policy& policy, const std::string& text) {
      INFO(shape.name << ", " << text);
      out.assign(expected.size(), {});
      execute(e, split(make_sequence(out), width), platform::openmp{}, schedule, policy);
      CHECK(out == expected);
      out.assign(expected.size(), {});
      execute(e, make_sequence(out), platform::openmp{}, schedule, policy);
      CHECK(out == expected);
    });
    out.assign(expected.size(), {});
    execute(e, split(make_sequence(out), width), platform::openmp{});
    CHECK(out == expected);
  }
}

TEST_CASE("a sum of rows is a row") {
  for (const index_t rows : {0, 1, 2, 100, 3000}) {
    const index_t width = 13;
    const auto flat = made_up<double>(rows * width);
    const auto e = reduce(add_rows{}, split(make_sequence(flat), width), replicate(2.0, width));
    std::vector<double> expected(static_cast<std::size_t>(width), 2.0);
    for (std::size_t i = 0; i < flat.size(); ++i) expected[i % expected.size()] += flat[i];
    std::vector<double> out;
    for_each_way(e, [&](auto schedule, const openmp::policy& policy, const std::string& text) {
      INFO(text << ", " << rows << " rows");
      out.assign(expected.size(), 0.0);
      execute(e, make_sequence(out), platform::openmp{}, schedule, policy);
      CHECK(out == expected);
    });
    out.assign(expected.size(), 0.0);
    execute(e, make_sequence(out), platform::openmp{});
    CHECK(out == expected);
  }
}

TEST_CASE("a destination with too few places is refused, and nothing behind it is written") {
  const std::vector<double> values(100, 1.0);
  std::vector<int> keys(100);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(i / 10);
  const auto e = reduce_by_key(plus{}, make_sequence(values), make_sequence(keys), 0.0);
  std::vector<double> out(10, -1.0);
  for_each_way(e, [&](auto schedule, const openmp::policy& policy, const std::string& text) {
    INFO(text);
    const auto message = ndp_test::message_of([&] {
      execute<"sums">(e, make_sequence(out.data(), 7), platform::openmp{}, schedule, policy);
      return 0;
    });
    CHECK(message == "sums: reduce_by_key: the destination has room for 7 runs, the keys have 10");
    CHECK((out[7] == -1.0 && out[8] == -1.0 && out[9] == -1.0));
  });
  CHECK(ndp_test::message_of([&] {
          execute<"sums">(e, make_sequence(out.data(), 7), platform::openmp{});
          return 0;
        }) == "sums: reduce_by_key: the destination has room for 7 runs, the keys have 10");
}

TEST_CASE("an error of a function that a computation calls is named after the computation") {
  const auto refuse = [](int x) {
    if (x == 7) throw fettle::error("seven is refused");
    return x;
  };
  const auto sum = reduce(plus{}, map(refuse, range(0, 10)), 0);
  CHECK(ndp_test::message_of([&] { return execute<"total">(sum, platform::openmp{}); }) ==
        "total: seven is refused");
  CHECK(ndp_test::message_of([&] {
          return execute<"total">(sum, platform::openmp{}, schedule::sequential<>{});
        }) == "total: seven is refused");
}
