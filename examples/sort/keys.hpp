// The keys that are sorted: floating-point numbers of 32 or 64 bits in IEEE 754's total order,
// -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN, so that equal orders have equal bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numbers>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "../spmv/random.hpp"
#include "../support/input_text.hpp"

namespace sorting {

struct keys {
  std::variant<std::vector<float>, std::vector<double>> values;

  std::size_t size() const {
    return std::visit([](const auto& v) { return v.size(); }, values);
  }
  int bits() const { return values.index() == 0 ? 32 : 64; }
};

/// The signed integer that orders as the key does in the total order.
template <class Key>
auto rank_of(Key key) {
  using integer = std::conditional_t<sizeof(Key) == 4, std::int32_t, std::int64_t>;
  const auto bits = std::bit_cast<integer>(key);
  return bits ^ ((bits >> (8 * sizeof(Key) - 1)) & std::numeric_limits<integer>::max());
}

struct in_order {
  template <class Key>
  bool operator()(Key p, Key q) const {
    return rank_of(p) < rank_of(q);
  }
};

inline bool same_bits(const keys& p, const keys& q) {
  return std::visit(
      [](const auto& a, const auto& b) {
        return sizeof(a[0]) == sizeof(b[0]) && a.size() == b.size() &&
               (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
      },
      p.values, q.values);
}

inline constexpr const char* input_help =
    "INPUT: FAMILY:SIZE:TYPE[:nan=F], TYPE float or double, F the fraction of keys that are NaN;\n"
    "       families: uniform normal exponential few_unique sorted reverse swapped nearly runs\n";

namespace detail {

template <class Key>
void fill(std::vector<Key>& v, examples::input_text& text) {
  spmv::random_numbers random(text.take_seed());
  const double nan = text.take("nan", 0, 0, 1);
  text.end();
  const auto is = [&](const char* family) { return text.family == family; };
  const auto any = [&] {
    return static_cast<std::size_t>(random.below(static_cast<std::int64_t>(v.size())));
  };
  if (is("normal")) {
    for (Key& key : v)
      key = static_cast<Key>(std::sqrt(-2 * std::log(1 - random.unit())) *
                             std::cos(2 * std::numbers::pi * random.unit()));
  } else if (is("exponential")) {
    for (Key& key : v) key = static_cast<Key>(-std::log(1 - random.unit()));
  } else if (is("few_unique")) {
    const std::int64_t distinct = 2 + random.below(64);
    for (Key& key : v) key = static_cast<Key>(random.below(distinct)) / 7 - 3;
  } else {
    for (Key& key : v) key = static_cast<Key>(2 * random.unit() - 1);
  }
  const auto swap_some = [&](double fraction) {
    for (auto n = static_cast<std::size_t>(fraction * static_cast<double>(v.size()) / 2); n > 0;
         --n)
      std::swap(v[any()], v[any()]);
  };
  if (is("sorted") || is("reverse") || is("swapped") || is("nearly")) {
    std::sort(v.begin(), v.end());
    if (is("reverse")) std::reverse(v.begin(), v.end());
    if (is("swapped")) swap_some(0.20 + 0.05 * random.unit());
    if (is("nearly")) swap_some(0.002);
  } else if (is("runs")) {  // several sorted sequences, one after the other
    const std::size_t length = 1 + v.size() / static_cast<std::size_t>(2 + random.below(30));
    for (std::size_t first = 0; first < v.size(); first += length)
      std::sort(v.begin() + static_cast<std::ptrdiff_t>(first),
                v.begin() + static_cast<std::ptrdiff_t>(std::min(first + length, v.size())));
  } else if (!is("uniform") && !is("normal") && !is("exponential") && !is("few_unique")) {
    text.fail("'" + text.family +
              "' is not a family: uniform normal exponential few_unique sorted reverse swapped "
              "nearly runs");
  }
  for (auto n = static_cast<std::size_t>(nan * static_cast<double>(v.size())); n > 0; --n) {
    const Key sign = random.unit() < 0.5 ? Key{-1} : Key{1};
    v[any()] = std::copysign(std::numeric_limits<Key>::quiet_NaN(), sign);
    v[any()] =
        std::copysign(random.unit() < 0.5 ? Key{0} : std::numeric_limits<Key>::infinity(), sign);
  }
}

}  // namespace detail

/// The keys that a text describes.
inline keys make_keys(const std::string& name) {
  examples::input_text text(name);
  const auto size =
      static_cast<std::size_t>(text.whole(text.size, "size", 0, std::int64_t{1} << 31));
  keys made;
  const auto fill = [&](auto& v) {
    v.resize(size);
    detail::fill(v, text);
  };
  if (text.type == "float" || text.type == "float32" || text.type == "f32" || text.type == "32") {
    fill(made.values.emplace<0>());
  } else if (text.type == "double" || text.type == "float64" || text.type == "f64" ||
             text.type == "64" || text.type.empty()) {
    fill(made.values.emplace<1>());
  } else {
    text.fail("'" + text.type + "' is not a type: float or double");
  }
  return made;
}

}  // namespace sorting
