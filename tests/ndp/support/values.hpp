// What the tests of the nested data-parallel layer compute with: sizes, values, rows of many
// shapes, operators that do not commute, and sequences as vectors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/core/type_list.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

#include "ndp/support/sizes.hpp"

namespace ndp_test {

using fettle::ndp::index_t;

/// Every arithmetic element type that the layer promises, but bool.
using numbers =
    fettle::type_list<float, double, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                      std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;

/// Empty, tiny, and one off powers of two.
inline const std::vector<index_t> sizes = {0,   1,   2,   3,   4,   5,   7,    8,    9,
                                           15,  16,  17,  31,  32,  33,  63,   64,   65,
                                           127, 128, 129, 255, 256, 257, 1023, 1024, 1025};

/// A type that the layer knows nothing about.
struct particle {
  double mass = 0.0;
  float charge = 0.0F;
  std::int16_t kind = 0;

  friend constexpr bool operator==(const particle&, const particle&) = default;
};

/// The function x -> scale x + shift modulo a prime. Composition is associative, does not commute,
/// and is exact, so that a parallel result must equal the serial one bit for bit.
struct affine {
  static constexpr std::uint32_t modulus = 65521;

  std::uint32_t scale = 1;
  std::uint32_t shift = 0;

  friend constexpr bool operator==(const affine&, const affine&) = default;
};

/// First a, then b.
struct compose {
  static constexpr bool is_commutative = false;

  FETTLE_HOST_DEVICE constexpr affine operator()(const affine& a, const affine& b) const {
    return {a.scale * b.scale % affine::modulus,
            (b.scale * a.shift % affine::modulus + b.shift) % affine::modulus};
  }
};

/// The first, and the last of several: the plainest operators that do not commute.
struct first_of {
  template <typename T>
  FETTLE_HOST_DEVICE constexpr T operator()(const T& a, const T& /*b*/) const {
    return a;
  }
};
struct last_of {
  template <typename T>
  FETTLE_HOST_DEVICE constexpr T operator()(const T& /*a*/, const T& b) const {
    return b;
  }
};

/// A number from a generator; small integers also as floating point, so that sums are exact.
template <typename T>
struct made_from {
  T operator()(std::mt19937& random) const {
    return static_cast<T>(static_cast<int>(random() % 19) - (std::is_signed_v<T> ? 9 : 0));
  }
};
template <>
struct made_from<particle> {
  particle operator()(std::mt19937& random) const {
    return {made_from<double>{}(random), made_from<float>{}(random),
            static_cast<std::int16_t>(random() % 100)};
  }
};
template <>
struct made_from<affine> {
  affine operator()(std::mt19937& random) const {
    return {static_cast<std::uint32_t>(random()) % affine::modulus,
            static_cast<std::uint32_t>(random()) % affine::modulus};
  }
};

/// `count` values, the same for the same seed.
template <typename T>
[[nodiscard]] std::vector<T> made_up(index_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<T> out;
  out.reserve(static_cast<std::size_t>(count));
  for (index_t i = 0; i < count; ++i) out.push_back(made_from<T>{}(random));
  return out;
}

/// 0 ... count - 1 in an order that the seed decides.
[[nodiscard]] inline std::vector<index_t> shuffled(index_t count, unsigned seed = 1) {
  std::vector<index_t> out(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<index_t>(i);
  std::shuffle(out.begin(), out.end(), std::mt19937(seed));
  return out;
}

/// Rows of a nested sequence: how many elements each has.
struct rows {
  std::string name;
  std::vector<index_t> lengths;

  template <typename Offset = index_t>
  [[nodiscard]] std::vector<Offset> offsets() const {
    std::vector<Offset> out{0};
    for (const index_t length : lengths) {
      out.push_back(static_cast<Offset>(static_cast<index_t>(out.back()) + length));
    }
    return out;
  }
  [[nodiscard]] index_t count() const { return offsets().back(); }
};

/// Rows of every shape that has ever made trouble: none, empty ones at every place, equal ones, a
/// power law, one giant between tiny ones.
[[nodiscard]] inline std::vector<rows> row_shapes(index_t scale = 1) {
  if (small_sizes() && scale > 3) scale = 3;  // more than two shares of a block
  std::vector<rows> out = {
      {"no row", {}},
      {"one empty row", {0}},
      {"one element", {1}},
      {"only empty rows", std::vector<index_t>(37, 0)},
      {"empty rows at both ends", {0, 0, 3, 1, 0, 2, 0, 0}},
      {"rows of one", std::vector<index_t>(static_cast<std::size_t>(65 * scale), 1)},
      {"equal rows", std::vector<index_t>(static_cast<std::size_t>(40 * scale), 33)},
      {"one long row", {1000 * scale + 1}},
  };
  std::mt19937 random(7);
  rows law{"power law", {}};
  for (index_t i = 0; i < 60 * scale; ++i) {
    const double u = (static_cast<double>(random() % 10000) + 1.0) / 10000.0;
    law.lengths.push_back(static_cast<index_t>(std::min(2000.0, 0.7 / u)));
  }
  out.push_back(std::move(law));
  rows giant{"a giant between tiny ones", {}};
  for (index_t i = 0; i < 50 * scale; ++i) {
    giant.lengths.push_back(i == 20 ? 3000 * scale : static_cast<index_t>(random() % 3));
  }
  out.push_back(std::move(giant));
  if (small_sizes()) {
    std::erase_if(out, [](const rows& shape) {
      return shape.name == "one empty row" || shape.name == "one element" ||
             shape.name == "only empty rows" || shape.name == "rows of one" ||
             shape.name == "one long row";
    });
  }
  return out;
}

/// The elements of a sequence; of a nested one, its rows.
template <fettle::ndp::random_access S>
[[nodiscard]] auto elements(const S& s) {
  if constexpr (fettle::ndp::nested<S>) {
    std::vector<decltype(elements(s[0]))> out;
    for (index_t i = 0; i < s.size(); ++i) out.push_back(elements(s[i]));
    return out;
  } else {
    std::vector<typename S::value_type> out;
    for (index_t i = 0; i < s.size(); ++i) {
      out.push_back(static_cast<typename S::value_type>(s[i]));
    }
    return out;
  }
}

}  // namespace ndp_test
