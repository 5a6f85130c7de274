// Compiled for AVX-512 where the machine that builds it has that (tests/cxx_tests.cmake); elsewhere
// there are no such loops, and the program is skipped.
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <fettle/ndp/host/lanes/gather_lanes.hpp>
#include <fettle/ndp/host/rows/gathered_rows.hpp>
#include <fettle/ndp/host/rows/in_thread.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "support/catch.hpp"
#include "support/skip.hpp"

namespace ndp = fettle::ndp;
using ndp::index_t;

namespace {

#if !(defined(__AVX512F__) && defined(__AVX512VL__))
[[maybe_unused]] const bool skipped = test::skip_program("not compiled for AVX-512");
#endif

// Every run of up to 70 elements at some offsets, against a loop.
template <typename T, typename Op>
bool folds_every_run(const Op& op, T seed) {
  std::vector<T> values(100);
  std::vector<T> vector(1000);
  std::vector<std::int32_t> columns(100);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<T>((i * 7) % 13) - T{5};
    columns[i] = static_cast<std::int32_t>((i * 613) % vector.size());
  }
  for (std::size_t i = 0; i < vector.size(); ++i) vector[i] = static_cast<T>(i % 11) - T{3};
  const auto source = ndp::map(ndp::multiplies{}, ndp::make_sequence(std::as_const(values)),
                               ndp::gather(ndp::make_sequence(std::as_const(vector)),
                                           ndp::make_sequence(std::as_const(columns))));
  using view = std::remove_const_t<decltype(source)>;
  if constexpr (ndp::host::detail::gathered_lanes<Op, view, T>) {
    for (const index_t first : {0, 1, 7, 29}) {
      for (index_t last = first; last <= first + 70; ++last) {
        T expected = seed;
        for (index_t i = first; i < last; ++i) expected = op(expected, source[i]);
        const T found = ndp::host::detail::fold_gathered(op, source, first, last, seed);
        if (!(found == expected)) return false;  // small integers: exact in any order
      }
    }
    return true;
  }
  return false;  // no gathered lanes, though the program is compiled for them
}

template <typename T, typename Op>
struct row_of_products {
  ndp::sequence<const T> vector;
  T seed;

  template <typename Values, typename Columns>
  auto operator()(const Values& values, const Columns& columns) const {
    return ndp::reduce(Op{}, ndp::map(ndp::multiplies{}, values, ndp::gather(vector, columns)),
                       seed);
  }
};

// Rows of up to `longest` elements, by reduce_gathered_rows() and however rows are done by default,
// against loops.
template <typename T, typename Op>
bool reduces_rows(std::size_t count, std::int32_t longest, T seed) {
  std::mt19937 random(static_cast<unsigned>(count) + static_cast<unsigned>(longest));
  std::vector<std::int32_t> offsets(1, 0);
  while (offsets.size() <= count) {
    const auto length = static_cast<std::int32_t>(random() % static_cast<unsigned>(longest + 1));
    offsets.push_back(offsets.back() + length);
  }
  std::vector<T> values;
  std::vector<std::int32_t> columns;
  for (std::int32_t k = 0; k < offsets.back(); ++k) {
    values.push_back(static_cast<T>(random() % 9) - T{4});
    columns.push_back(static_cast<std::int32_t>(random() % 500));
  }
  std::vector<T> vector;
  for (int i = 0; i < 500; ++i) vector.push_back(static_cast<T>(i % 11) - T{3});

  std::vector<T> expected;
  for (std::size_t r = 0; r < count; ++r) {
    T value = seed;
    for (auto k = offsets[r]; k < offsets[r + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      value = Op{}(value, values[at] * vector[static_cast<std::size_t>(columns[at])]);
    }
    expected.push_back(value);
  }
  const auto starts = ndp::make_sequence(std::as_const(offsets));
  const auto rows =
      ndp::map(row_of_products<T, Op>{ndp::make_sequence(std::as_const(vector)), seed},
               ndp::nest(ndp::make_sequence(std::as_const(values)), starts),
               ndp::nest(ndp::make_sequence(std::as_const(columns)), starts));
  std::vector<T> found(count, T{77});
  const auto end = static_cast<index_t>(count);
  if constexpr (ndp::host::detail::gathered_rows_node<std::remove_const_t<decltype(rows)>>) {
    ndp::host::detail::reduce_gathered_rows(rows, ndp::make_sequence(found), 0, end);
    if (found != expected) return false;  // small integers: exact in any order
    found.assign(count, T{77});
    using lanes = ndp::schedule::independent<ndp::schedule::cooperative<>>;
    ndp::host::detail::elements_in_thread<lanes>(rows, ndp::make_sequence(found), 0, end, {});
    return found == expected;
  }
  return false;  // rows that are not gathered, though the program is compiled for it
}

// The least element, which is 2, of a row of `length` in which one is not a number.
template <typename T>
T least_beside_nan(std::size_t length, std::size_t place) {
  const std::vector<std::int32_t> columns(length, 0);
  const std::vector<std::int32_t> offsets{0, static_cast<std::int32_t>(length)};
  const std::vector<T> ones(1, T{1});
  std::vector<T> values(length, T{5});
  values[(place + 1) % length] = T{2};
  values[place] = std::numeric_limits<T>::quiet_NaN();
  const auto starts = ndp::make_sequence(offsets);
  const auto rows = ndp::map(row_of_products<T, ndp::minimum>{ndp::make_sequence(ones), T{9}},
                             ndp::nest(ndp::make_sequence(std::as_const(values)), starts),
                             ndp::nest(ndp::make_sequence(columns), starts));
  std::vector<T> found(1, T{77});
  if constexpr (ndp::host::detail::gathered_rows_node<std::remove_const_t<decltype(rows)>>) {
    ndp::host::detail::reduce_gathered_rows(rows, ndp::make_sequence(found), 0, 1);
  }
  return found[0];
}

}  // namespace

TEST_CASE("runs of any length, gathered by vectors") {
  CHECK(folds_every_run<double>(ndp::plus{}, 3.0));
  CHECK(folds_every_run<float>(ndp::plus{}, -2.0F));
  CHECK(folds_every_run<double>(ndp::minimum{}, std::numeric_limits<double>::infinity()));
  CHECK(folds_every_run<float>(ndp::maximum{}, 1.0F));
  CHECK(folds_every_run<std::int32_t>(ndp::plus{}, 4));
  CHECK(folds_every_run<std::uint32_t>(ndp::bit_or{}, 1U));
  CHECK(folds_every_run<std::int64_t>(ndp::minimum{}, std::int64_t{1} << 40));
  CHECK(folds_every_run<std::uint64_t>(ndp::bit_and{}, ~std::uint64_t{0}));
}

TEST_CASE("rows of any mix of lengths, gathered by vectors") {
  for (const std::size_t count : {0U, 1U, 2U, 31U, 32U, 33U, 129U, 400U}) {
    for (const int longest : {0, 1, 3, 7, 8, 9, 15, 16, 17, 18, 19, 40, 100}) {
      CAPTURE(count, longest);
      CHECK(reduces_rows<double, ndp::plus>(count, longest, 3.0));
      CHECK(reduces_rows<float, ndp::plus>(count, longest, -2.0F));
      CHECK(reduces_rows<double, ndp::minimum>(count, longest, 1e9));
      CHECK(reduces_rows<float, ndp::maximum>(count, longest, -1e9F));
      CHECK(reduces_rows<std::int32_t, ndp::maximum>(count, longest, -1000));
      CHECK(reduces_rows<std::uint64_t, ndp::bit_xor>(count, longest, 5U));
    }
  }
}

TEST_CASE("what is not a number is passed over in gathered rows, wherever it is") {
  for (std::size_t place = 0; place < 19; ++place) {
    CAPTURE(place);
    CHECK(least_beside_nan<double>(19, place) == 2.0);
    CHECK(least_beside_nan<float>(19, place) == 2.0F);
  }
}

TEST_CASE("what does not gather, or not by 32-bit indices, has no gathered lanes") {
  using ndp::host::detail::gathered_lanes;
  using plain = ndp::sequence<const double>;
  using wide = ndp::gathered_sequence<plain, ndp::sequence<const std::int64_t>>;
  using shorts = ndp::gathered_sequence<ndp::sequence<const short>, ndp::sequence<const int>>;
  STATIC_REQUIRE_FALSE(gathered_lanes<ndp::plus, plain, double>);
  STATIC_REQUIRE_FALSE(gathered_lanes<ndp::plus, wide, double>);
  STATIC_REQUIRE_FALSE(gathered_lanes<ndp::plus, shorts, short>);
}
