// The text form of policies: "block_size_x=128 1.grain_size=2 2.resource=warp". Fields that have
// their default value are left out; "2." is the nesting level.
//
// Written once for every platform: a policy's visit_fields() names its fields, and names_of() the
// values of its enumerations.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// "2.unroll"; "unroll" where the level is 0.
[[nodiscard]] std::string field_name(int level, std::string_view name);

/// Appends " 2.unroll=4".
void append_field(std::string& out, int level, std::string_view name, const std::string& value);

/// The words of `text` that are not those of `defaults` in the same place. Both have equally many,
/// each behind a blank.
[[nodiscard]] std::string words_that_differ(std::string_view text, std::string_view defaults);

}  // namespace fettle::detail

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// An enumeration of a policy: names_of(value) lists the texts of its values, in their order.
template <typename T>
concept named_enumeration = std::is_enum_v<T> && requires(T value) {
  { names_of(value)[0] } -> std::convertible_to<std::string_view>;
};

namespace detail {

using fettle::detail::append_field;
using fettle::detail::field_name;
using fettle::detail::words_that_differ;

/// The policy whose fields a visitor reads, where it is const, or writes.
template <typename T, typename Policy>
concept fields_of = std::same_as<std::remove_cvref_t<T>, Policy>;

/// A policy, by the name of its platform, which messages begin with.
template <typename T>
concept text_policy = requires {
  { T::platform_name } -> std::convertible_to<std::string_view>;
};

// What one field holds, as text and from text. Empty where the text is not a value.
template <typename Field>
[[nodiscard, gnu::cold, gnu::noinline]] std::string field_text(const Field& value) {
  if constexpr (std::is_same_v<Field, bool>) {
    return value ? "true" : "false";
  } else if constexpr (named_enumeration<Field>) {
    return std::string(names_of(value)[static_cast<std::size_t>(value)]);
  } else {
    return number_text(value);
  }
}

template <typename Field>
[[nodiscard]] std::optional<Field> field_of_text(std::string_view text) {
  if constexpr (std::is_same_v<Field, bool>) {
    if (text == "true" || text == "1") return true;
    if (text == "false" || text == "0") return false;
    return std::nullopt;
  } else if constexpr (named_enumeration<Field>) {
    const auto names = names_of(Field{});
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == text) return static_cast<Field>(i);
    }
    return std::nullopt;
  } else {
    return parse_number<Field>(text);
  }
}

// What a field may hold, for messages.
template <typename Field>
[[nodiscard]] std::string field_values() {
  if constexpr (std::is_same_v<Field, bool>) {
    return "true or false";
  } else if constexpr (named_enumeration<Field>) {
    std::string out;
    for (const std::string_view name : names_of(Field{})) {
      if (!out.empty()) out += ", ";
      out += name;
    }
    return "one of " + out;
  } else {
    return "a whole number";
  }
}

// "3.grain_size=2" in its parts.
struct assignment {
  std::string_view whole;
  int level = 0;
  std::string_view name{};
  std::string_view value{};
};

template <typename Policy>
[[noreturn]] void refuse_assignment(const assignment& given, const std::string& why) {
  throw error(std::string(Policy::platform_name) + " policy: \"" + std::string(given.whole) +
              "\": " + why);
}

// Why no field takes the assignment: its name is unknown, or known at another kind of level.
template <typename Policy>
[[nodiscard]] std::string why_unknown(const assignment& given) {
  std::string known;
  std::string other_level;
  visit_fields(Policy{}, [&](int level, std::string_view name, std::string_view paper_name,
                             const auto& /*field*/) {
    const bool listed = level > 1;  // the levels have the same fields
    if (!listed) known += (known.empty() ? "" : ", ") + field_name(level, name);
    if (given.name != name && given.name != paper_name) return;
    other_level = level == 0 ? std::string(name) + " belongs to the whole computation and no level"
                             : std::string(name) + " belongs to a level, 1 to 3, as in " +
                                   field_name(1, name);
  });
  return other_level.empty() ? "there is no such field; there are " + known : other_level;
}

template <typename Policy>
[[nodiscard]] assignment assignment_of(std::string_view word) {
  assignment out{.whole = word, .name = word};
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) {
    refuse_assignment<Policy>(out, "a field needs a value, as in block_size_x=128");
  }
  out.name = word.substr(0, equals);
  out.value = word.substr(equals + 1);
  if (const std::size_t dot = out.name.find('.'); dot != std::string_view::npos) {
    const std::optional<int> level = parse_number<int>(out.name.substr(0, dot));
    if (!level || *level < 1) {
      refuse_assignment<Policy>(out, "a level is a number from 1, as in 2.enable_unroll=true");
    }
    out.level = *level;
    out.name.remove_prefix(dot + 1);
  }
  return out;
}

/// All fields of a policy, each as append_field() writes it.
template <typename Policy>
[[nodiscard]] std::string all_fields(const Policy& policy) {
  std::string out;
  visit_fields(policy, [&](int level, std::string_view name, std::string_view, const auto& field) {
    append_field(out, level, name, field_text(field));
  });
  return out;
}

/// parse_policy(text) of a platform: reads to_string()'s form; fettle::error names the field that
/// is unknown or has no such value. Only programs that call it compile it.
template <text_policy Policy>
struct policy_parser {
  [[nodiscard]] Policy operator()(std::string_view text) const {
    constexpr std::string_view blanks = " \t\r\n";
    Policy policy;
    std::vector<std::string> seen;
    for (;;) {
      text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
      if (text.empty()) return policy;
      const std::string_view word = text.substr(0, text.find_first_of(blanks));
      text.remove_prefix(word.size());

      const auto given = assignment_of<Policy>(word);
      bool found = false;
      visit_fields(
          policy, [&](int level, std::string_view name, std::string_view paper_name, auto& field) {
            if (level != given.level || (given.name != name && given.name != paper_name)) return;
            using field_type = std::remove_reference_t<decltype(field)>;
            const std::optional<field_type> value = field_of_text<field_type>(given.value);
            if (!value) {
              refuse_assignment<Policy>(
                  given, field_name(level, name) + " is " + field_values<field_type>());
            }
            if (std::find(seen.begin(), seen.end(), field_name(level, name)) != seen.end()) {
              refuse_assignment<Policy>(given, field_name(level, name) + " is given twice");
            }
            seen.push_back(field_name(level, name));
            field = *value;
            found = true;
          });
      if (!found) refuse_assignment<Policy>(given, why_unknown<Policy>(given));
    }
  }
};

}  // namespace detail

/// A policy's fields that differ from their defaults, in a form that its parse_policy() reads.
/// Every platform's namespace has it. A template, so that only programs that write policies compile
/// it.
template <detail::text_policy Policy>
[[nodiscard]] std::string to_string(const Policy& policy) {
  return detail::words_that_differ(detail::all_fields(policy), detail::all_fields(Policy{}));
}

}  // namespace fettle::ndp

#ifndef FETTLE_COMPILED
#include <fettle/ndp/schedule/policy_text.ipp>
#endif
