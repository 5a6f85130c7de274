// Tunable parameters of a variant (dissertation 7.2.1): numbers that change how fast it is and not
// what it computes, such as a block size. What a user writes beside the variant, and what the
// variant gets.
//
//   void tiled(const matrix& a, const matrix& b, matrix& c, const fettle::parameters& p) {
//     multiply(a, b, c, p["tile"], p["unroll"]);
//   }
//   product.add_variant("tiled", tiled, fettle::parameter{"tile", {16, 32, 64}},
//                       fettle::parameter{"unroll", {1, 2, 4}},
//                       fettle::constraint{"tile * unroll <= 128"});
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>

namespace fettle::inline FETTLE_ABI {

/// A parameter: its name, the values to try, and the one it has until the function is tuned.
struct parameter {
  std::string name;
  std::vector<std::int64_t> values;
  std::int64_t default_value;

  /// The first value is the default.
  parameter(std::string_view name_, std::initializer_list<std::int64_t> values_)
      : parameter(name_, std::vector<std::int64_t>(values_)) {}
  parameter(std::string_view name_, std::initializer_list<std::int64_t> values_,
            std::int64_t default_value_)
      : name(name_), values(values_), default_value(default_value_) {}
  /// Values that are computed. Add_variant complains where there are none.
  parameter(std::string_view name_, std::vector<std::int64_t> values_)
      : name(name_), values(std::move(values_)), default_value(values.empty() ? 0 : values[0]) {}
  parameter(std::string_view name_, std::vector<std::int64_t> values_, std::int64_t default_value_)
      : name(name_), values(std::move(values_)), default_value(default_value_) {}
  // Two words would be taken for the ends of a range.
  template <typename Words = void>
  parameter(std::string_view /*name*/, std::initializer_list<const char*> /*values*/) {
    refuse_words<Words>();
  }
  template <typename Words = void>
  parameter(std::string_view /*name*/, std::initializer_list<const char*> /*values*/,
            std::int64_t /*default*/) {
    refuse_words<Words>();
  }
  template <std::convertible_to<const char*> Word, typename Words = void>
  parameter(std::string_view /*name*/, std::initializer_list<const char*> /*values*/,
            const Word& /*default*/) {
    refuse_words<Words>();
  }

 private:
  template <typename Words>
  static void refuse_words() {
    constexpr bool are_integers = !std::is_void_v<Words>;
    static_assert(are_integers,
                  "fettle::parameter: values are integers; number the words that it stands for, as "
                  "in parameter{\"layout\", {0, 1}}");
  }
};

/// A condition on the values of a variant's parameters, in C++'s operators: values that do not
/// fulfil it are never tried.
struct constraint {
  std::string expression;

  explicit constraint(std::string_view text) : expression(text) {}
};

/// The values of a variant's parameters in one call. Costs a comparison of strings for each
/// parameter before the one that is asked for; a copy shares the names.
class parameters {
 public:
  parameters(std::shared_ptr<const std::vector<std::string>> names,
             std::span<const std::int64_t> values)
      : names_(std::move(names)), values_(values.begin(), values.end()) {}

  /// The value of a parameter. Throws fettle::error for a name that there is not.
  std::int64_t operator[](std::string_view name) const;

  /// Names and values, in the order in which they were given to add_variant.
  const std::vector<std::string>& names() const noexcept { return *names_; }
  std::span<const std::int64_t> values() const noexcept { return values_; }

 private:
  std::shared_ptr<const std::vector<std::string>> names_;
  std::vector<std::int64_t> values_;
};

namespace detail {

template <typename T>
concept parameter_or_constraint = std::same_as<std::remove_cvref_t<T>, parameter> ||
                                  std::same_as<std::remove_cvref_t<T>, constraint>;

}  // namespace detail

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/variant/parameters/parameter.ipp>
#endif
