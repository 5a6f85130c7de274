// Definitions of parameter_expression.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/variant/parameters/parameter_expression.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE expression::expression(std::string text) : text_(std::move(text)) {
  root_ = read_disjunction(0);
  if (!skip_blanks().empty()) fail("an operator");
}

[[gnu::cold]] FETTLE_INLINE bool expression::holds(std::span<const std::int64_t> values) const {
  const std::optional<std::int64_t> value = evaluate(root_, values);
  return value.has_value() && *value != 0;
}

[[gnu::cold]] FETTLE_INLINE std::size_t expression::read_disjunction(int depth) {
  if (depth > deepest) fail("fewer parentheses");
  std::size_t left = read_conjunction(depth);
  while (take("||")) left = make({op::either, 0, left, read_conjunction(depth)});
  return left;
}

[[gnu::cold]] FETTLE_INLINE std::size_t expression::read_conjunction(int depth) {
  std::size_t left = read_comparison(depth);
  while (take("&&")) left = make({op::both, 0, left, read_comparison(depth)});
  return left;
}

[[gnu::cold]] FETTLE_INLINE std::size_t expression::read_comparison(int depth) {
  const std::size_t left = read_sum(depth);
  const std::optional<op> compared = take_comparison();
  if (!compared) return left;
  const std::size_t both = make({*compared, 0, left, read_sum(depth)});
  if (take_comparison()) fail("parentheses, or && between two comparisons,");
  return both;
}

[[gnu::cold]] FETTLE_INLINE std::optional<expression::op> expression::take_comparison() {
  static constexpr std::pair<std::string_view, op> all[] = {
      {"<=", op::less_equal}, {">=", op::greater_equal}, {"==", op::equal},
      {"!=", op::not_equal},  {"<", op::less},           {">", op::greater}};
  for (const auto& [text, kind] : all) {
    if (take(text)) return kind;
  }
  return std::nullopt;
}

[[gnu::cold]] FETTLE_INLINE std::size_t expression::read_sum(int depth) {
  std::size_t left = read_product(depth);
  while (true) {
    if (take("+")) {
      left = make({op::add, 0, left, read_product(depth)});
    } else if (take("-")) {
      left = make({op::subtract, 0, left, read_product(depth)});
    } else {
      return left;
    }
  }
}

[[gnu::cold]] FETTLE_INLINE std::size_t expression::read_product(int depth) {
  std::size_t left = read_unary(depth);
  while (true) {
    if (take("*")) {
      left = make({op::multiply, 0, left, read_unary(depth)});
    } else if (take("/")) {
      left = make({op::divide, 0, left, read_unary(depth)});
    } else if (take("%")) {
      left = make({op::modulo, 0, left, read_unary(depth)});
    } else {
      return left;
    }
  }
}

[[gnu::cold]] FETTLE_INLINE std::size_t expression::read_unary(int depth) {
  if (depth > deepest) fail("fewer operators in a row");
  if (take("-")) return make({op::negate, 0, read_unary(depth + 1), 0});
  if (skip_blanks().substr(0, 2) != "!=" && take("!")) {
    return make({op::invert, 0, read_unary(depth + 1), 0});
  }
  if (take("(")) {
    const std::size_t inner = read_disjunction(depth + 1);
    if (!take(")")) fail("')'");
    return inner;
  }
  const std::string_view rest = skip_blanks();
  std::size_t length = 0;
  if (!rest.empty() && is_digit(rest[0])) {
    while (length < rest.size() && is_digit(rest[length])) ++length;
    const auto value = parse_number<std::int64_t>(rest.substr(0, length));
    if (!value) fail("a number of at most 64 bits");
    at_ += length;
    return make({op::number, *value});
  }
  while (length < rest.size() && is_parameter_name(rest.substr(0, length + 1))) ++length;
  if (length == 0) fail("a number, a parameter's name or '('");
  at_ += length;
  return make({op::name, static_cast<std::int64_t>(index_of(rest.substr(0, length)))});
}

[[gnu::cold]] FETTLE_INLINE std::size_t expression::index_of(std::string_view name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
  names_.emplace_back(name);
  return names_.size() - 1;
}

[[gnu::cold]] FETTLE_INLINE std::size_t expression::make(node made) {
  nodes_.push_back(made);
  return nodes_.size() - 1;
}

[[gnu::cold]] FETTLE_INLINE std::string_view expression::skip_blanks() {
  while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  return std::string_view(text_).substr(at_);
}

[[gnu::cold]] FETTLE_INLINE bool expression::take(std::string_view what) {
  if (!skip_blanks().starts_with(what)) return false;
  at_ += what.size();
  return true;
}

[[gnu::cold]] FETTLE_INLINE void expression::fail(const char* expected) const {
  const std::string rest = text_.substr(std::min(at_, text_.size()));
  constexpr std::pair<std::string_view, const char*> meant[] = {
      {"and ", "; write && for and"},      {"or ", "; write || for or"},
      {"not ", "; write ! for not"},       {"=", "; write == for equal"},
      {".", "; numbers are whole"},        {"'", "; values are whole numbers"},
      {"\"", "; values are whole numbers"}};
  const char* hint = "";
  for (const auto& [begin, remedy] : meant) {
    if (rest.starts_with(begin)) hint = remedy;
  }
  throw error("the constraint '" + text_ + "' cannot be read: there should be " + expected + " " +
              (rest.empty() ? "at its end" : "before '" + rest + "'") + hint);
}

[[gnu::cold]] FETTLE_INLINE std::optional<std::int64_t> expression::evaluate(
    std::size_t at, std::span<const std::int64_t> values) const {
  const node& n = nodes_[at];
  if (n.kind == op::number) return n.number;
  if (n.kind == op::name) return values[static_cast<std::size_t>(n.number)];
  const std::optional<std::int64_t> left = evaluate(n.left, values);
  if (!left) return std::nullopt;
  if (n.kind == op::invert) return *left == 0 ? 1 : 0;
  if (n.kind == op::negate) return checked(op::subtract, 0, *left);
  if (n.kind == op::both && *left == 0) return 0;
  if (n.kind == op::either && *left != 0) return 1;
  const std::optional<std::int64_t> right = evaluate(n.right, values);
  if (!right) return std::nullopt;
  return checked(n.kind, *left, *right);
}

[[gnu::cold]] FETTLE_INLINE std::optional<std::int64_t> expression::checked(op kind, std::int64_t a,
                                                                            std::int64_t b) {
  std::int64_t result = 0;
  bool overflows = false;
  switch (kind) {
    case op::add:
      overflows = __builtin_add_overflow(a, b, &result);
      break;
    case op::subtract:
      overflows = __builtin_sub_overflow(a, b, &result);
      break;
    case op::multiply:
      overflows = __builtin_mul_overflow(a, b, &result);
      break;
    case op::divide:
    case op::modulo:
      if (b == 0) return std::nullopt;
      if (b == -1) {
        if (kind == op::modulo) return 0;
        return checked(op::subtract, 0, a);
      }
      return kind == op::divide ? a / b : a % b;
    case op::less:
      return a < b;
    case op::less_equal:
      return a <= b;
    case op::greater:
      return a > b;
    case op::greater_equal:
      return a >= b;
    case op::equal:
      return a == b;
    case op::not_equal:
      return a != b;
    case op::both:
    case op::either:
      return b != 0;
    default:
      break;
  }
  if (overflows) return std::nullopt;
  return result;
}

}  // namespace fettle::detail
