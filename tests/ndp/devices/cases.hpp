// Computations that are divided among devices: their functions, and inputs of all shapes.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp.hpp>

namespace devices_test {

namespace ndp = fettle::ndp;
using ndp::index_t;
using number = std::uint32_t;

/// x -> a x + b, modulo 2^32: their composition is associative and does not commute, and Fettle
/// knows no identity of it.
struct affine {
  number a;
  number b;
  [[nodiscard]] friend FETTLE_HOST_DEVICE constexpr bool operator==(const affine& x,
                                                                    const affine& y) {
    return x.a == y.a && x.b == y.b;
  }
};
struct compose {
  FETTLE_HOST_DEVICE constexpr affine operator()(const affine& f, const affine& g) const {
    return {f.a * g.a, g.a * f.b + g.b};
  }
};

struct twice {
  FETTLE_HOST_DEVICE number operator()(number x) const { return 2 * x + 1; }
};
struct is_even {
  FETTLE_HOST_DEVICE bool operator()(number x) const { return x % 2 == 0; }
};
struct sum_of {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, number{5});
  }
};
struct sums_of {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::inclusive_scan(ndp::plus{}, row, number{7});
  }
};
struct doubled_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::map(twice{}, row);
  }
};
struct row_dot {
  ndp::sequence<const number> x;
  template <typename Row, typename Columns>
  FETTLE_HOST_DEVICE auto operator()(const Row& row, const Columns& columns) const {
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, row, ndp::gather(x, columns)),
                       number{0});
  }
};
struct add {
  FETTLE_HOST_DEVICE number operator()(number a, number b) const { return a + b; }
};
struct five_points {
  template <typename Cells>
  FETTLE_HOST_DEVICE number operator()(const Cells& n) const {
    return n(-1, 0) + 3 * n(0, -1) + 5 * n(0, 0) + 7 * n(0, 1) + 11 * n(1, 0) +
           static_cast<number>(13 * n.y() + 17 * n.x());
  }
};
struct put {
  ndp::sequence<number> to;
  FETTLE_HOST_DEVICE void operator()(index_t i) const { to[i] = static_cast<number>(3 * i); }
};

[[nodiscard]] inline std::vector<number> made_up(index_t count, unsigned int seed = 1) {
  std::mt19937 bits(seed);
  std::vector<number> values(static_cast<std::size_t>(count));
  for (number& value : values) value = static_cast<number>(bits());
  return values;
}

/// Offsets of `rows` rows; most elements in one of them where they are skewed.
[[nodiscard]] inline std::vector<int> offsets_of(index_t rows, bool skewed) {
  std::mt19937 bits(7);
  std::vector<int> offsets{0};
  for (index_t row = 0; row < rows; ++row) {
    const int length =
        skewed && row == rows / 3 ? static_cast<int>(4 * rows) : static_cast<int>(bits() % 6);
    offsets.push_back(offsets.back() + length);
  }
  return offsets;
}

/// Runs of equal keys: all of one, short ones, one long one among them.
[[nodiscard]] inline std::vector<int> keys_of(index_t count, int longest) {
  std::mt19937 bits(11);
  std::vector<int> keys;
  for (int key = 0; static_cast<index_t>(keys.size()) < count; ++key) {
    const auto length = 1 + bits() % static_cast<unsigned int>(longest);
    for (unsigned int i = 0; i < length && static_cast<index_t>(keys.size()) < count; ++i) {
      keys.push_back(key % 3);
    }
  }
  return keys;
}

/// Zero, one, two, powers of two and their neighbours.
inline const std::vector<index_t> sizes = {0,  1,  2,  3,  4,  5,   7,   8,   9,    15,
                                           16, 17, 31, 33, 63, 127, 129, 512, 1023, 1025};

}  // namespace devices_test
