// Scans on one thread, by vectors and in groups: those of a serial loop, for every operator, from
// memory and of computed elements, at all lengths around those of blocks.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/host/lanes/serial_scan.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "support/catch.hpp"

namespace {

using namespace fettle::ndp;
namespace host_detail = fettle::ndp::host::detail;

constexpr index_t lengths[] = {0,  1,  2,  3,  4,  7,  8,  9,   15,  16,  17,  23,
                               31, 32, 33, 63, 64, 65, 79, 127, 128, 129, 200, 1000};

template <typename T>
std::vector<T> numbers(index_t count) {
  std::vector<T> all;
  for (index_t i = 0; i < count; ++i) all.push_back(static_cast<T>((i * 7919 + 13) % 101 - 50));
  return all;
}

// From the element `first` on, beside the loop; and nothing else is written.
template <bool Inclusive, typename T, typename Op, typename S>
void check(const Op& op, const S& s, T seed) {
  for (const index_t first : {index_t{0}, index_t{3}}) {
    if (first > s.size()) continue;
    const auto size = static_cast<std::size_t>(s.size()) + 1;
    const T untouched = static_cast<T>(77);
    std::vector<T> found(size, untouched);
    std::vector<T> expected(size, untouched);
    T value = seed;
    for (index_t i = first; i < s.size(); ++i) {
      const T next = static_cast<T>(op(value, s[i]));
      expected[static_cast<std::size_t>(i)] = Inclusive ? next : value;
      value = next;
    }
    const T last = host_detail::scan_part<Inclusive>(op, s, first, s.size(), seed,
                                                     make_sequence(found.data(), s.size()));
    REQUIRE(found == expected);
    REQUIRE(last == value);
  }
}

template <typename T, typename Op, typename S>
void check_both(const Op& op, const S& s, T seed) {
  check<false>(op, s, seed);
  check<true>(op, s, seed);
}

struct scaled {
  int by;
  template <typename X>
  X operator()(X x) const {
    return static_cast<X>(static_cast<X>(by) * x);
  }
};

struct at_place {
  double operator()(std::int16_t x, index_t place) const { return x * static_cast<double>(place); }
};

// Keeps the later of two numbers, unless it is 0: associative, not commutative.
struct later {
  int operator()(int a, int b) const { return b != 0 ? b : a; }
};

// x -> a x + b, first those of the left.
struct line {
  std::uint32_t a;
  std::uint32_t b;
  friend bool operator==(const line&, const line&) = default;
};
struct compose {
  line operator()(const line& f, const line& g) const { return {f.a * g.a, f.b * g.a + g.b}; }
};

template <typename T>
void check_operators() {
  for (const index_t length : lengths) {
    const auto all = numbers<T>(length);
    const auto s = make_sequence(all);
    const auto mapped = map(scaled{3}, s);
    check_both(plus{}, s, T(5));
    check_both(plus{}, mapped, T(5));
    check_both(maximum{}, s, T(-40));
    check_both(minimum{}, mapped, T(40));
    check_both(maximum{}, mapped, std::numeric_limits<T>::lowest());
  }
}

}  // namespace

TEST_CASE("a scan by blocks has the results of a loop") {
  check_operators<std::int32_t>();
  check_operators<std::int64_t>();
  check_operators<float>();  // whole numbers, which add up exactly
  check_operators<double>();
  check_operators<std::int16_t>();
}

TEST_CASE("a scan of other elements than its values has the results of a loop") {
  for (const index_t length : lengths) {
    const auto bytes = numbers<std::int16_t>(length);
    check_both(plus{}, make_sequence(bytes), std::int32_t{1});
    check_both(bit_xor{}, make_sequence(bytes), std::int32_t{1});
    check_both(maximum{}, map(at_place{}, make_sequence(bytes), range(1, length + 1)), -1e30);
    check_both(plus{}, range(std::int32_t{0}, static_cast<std::int32_t>(length)), std::int64_t{7});
  }
}

TEST_CASE("a scan keeps the order of operands that are not commutative") {
  for (const index_t length : lengths) {
    const auto all = numbers<int>(length);
    check_both(later{}, map(scaled{2}, make_sequence(all)), -1);
    std::vector<line> lines;
    for (const int x : all) lines.push_back({static_cast<std::uint32_t>(2 * x + 1), 3});
    std::vector<line> found(lines.size());
    std::vector<line> expected;
    line value{1, 0};
    for (const line& one : lines) {
      expected.push_back(value);
      value = compose{}(value, one);
    }
    host_detail::scan_part<false>(compose{}, make_sequence(lines), 0, length, line{1, 0},
                                  make_sequence(found));
    REQUIRE(found == expected);
  }
}

TEST_CASE("what is no number never becomes an extreme of a scan") {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (const index_t length : lengths) {
    auto all = numbers<double>(length);
    for (std::size_t i = 0; i < all.size(); i += 3) all[i] = none;
    check_both(maximum{}, make_sequence(all), -1000.0);
    check_both(minimum{}, map(scaled{1}, make_sequence(all)), 1000.0);
  }
}

TEST_CASE("a scan may overwrite its source") {
  for (const index_t length : lengths) {
    auto all = numbers<std::int32_t>(length);
    std::vector<std::int32_t> expected;
    std::int32_t sum = 2;
    for (const std::int32_t x : all) {
      expected.push_back(sum);
      sum += 3 * x;
    }
    host_detail::scan_part<false>(plus{}, map(scaled{3}, make_sequence(all)), 0, length, 2,
                                  make_sequence(all));
    REQUIRE(all == expected);
  }
}
