// The expressions of constraints between parameters, as "block * grain <= 1024": C++'s operators on
// whole numbers, read at run time, because the tuner needs the same text for its search space
// (fettle._native.Expression; docs/parameters.md has the grammar).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>

namespace fettle::inline FETTLE_ABI::detail {

constexpr bool begins_name(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Whether `text` may name a parameter: a letter or underscore, then letters, digits, underscores.
constexpr bool is_parameter_name(std::string_view text) noexcept {
  if (text.empty() || !begins_name(text[0])) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return begins_name(c) || is_digit(c); });
}

/// Numbers, names, + - * / %, comparisons, ! && ||, parentheses, with C++'s precedence. A value of
/// 0 is false, any other true.
class expression {
 public:
  /// Throws fettle::error, which says where and what was expected.
  explicit expression(std::string text);

  const std::string& text() const noexcept { return text_; }
  /// The names in it, in the order in which they first appear.
  const std::vector<std::string>& names() const noexcept { return names_; }

  /// Whether it holds where names()[i] is values[i]. What divides by zero, or leaves the range of a
  /// 64-bit number, does not hold.
  bool holds(std::span<const std::int64_t> values) const;

 private:
  enum class op : unsigned char {
    number,
    name,
    negate,
    invert,
    add,
    subtract,
    multiply,
    divide,
    modulo,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    both,
    either,
  };
  struct node {
    op kind;
    std::int64_t number = 0;  // the number, or a name's index
    std::size_t left = 0;
    std::size_t right = 0;
  };
  static constexpr int deepest = 100;

  std::size_t read_disjunction(int depth);

  std::size_t read_conjunction(int depth);

  std::size_t read_comparison(int depth);

  std::optional<op> take_comparison();

  std::size_t read_sum(int depth);

  std::size_t read_product(int depth);

  std::size_t read_unary(int depth);

  std::size_t index_of(std::string_view name);

  std::size_t make(node made);

  std::string_view skip_blanks();

  bool take(std::string_view what);

  [[noreturn]] void fail(const char* expected) const;

  std::optional<std::int64_t> evaluate(std::size_t at, std::span<const std::int64_t> values) const;

  static std::optional<std::int64_t> checked(op kind, std::int64_t a, std::int64_t b);

  std::string text_;
  std::size_t at_ = 0;
  std::vector<std::string> names_;
  std::vector<node> nodes_;
  std::size_t root_ = 0;
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/parameters/parameter_expression.ipp>
#endif
