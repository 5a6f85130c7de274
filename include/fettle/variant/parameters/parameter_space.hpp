// The values that the parameters of one variant may have together, and the text by which such a
// point is known everywhere: in the training log, the model, the decision trace. As in
// "tiled tile=16 unroll=4".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/variant/parameters/parameter.hpp>
#include <fettle/variant/parameters/parameter_expression.hpp>

namespace fettle::inline FETTLE_ABI::detail {

using parameter_values = std::vector<std::int64_t>;

class parameter_space {
 public:
  parameter_space() : names_(std::make_shared<std::vector<std::string>>()) {}

  /// Throws fettle::error, naming the parameter or constraint, where they do not fit together.
  template <parameter_or_constraint... Entries>
  explicit parameter_space(const Entries&... entries) : parameter_space() {
    (add(entries), ...);
    for (const constraint& given : given_constraints_) read(given);
    if (const expression* broken = violated(defaults_)) {
      throw error("the parameters' default values " + text_of(defaults_) +
                  " do not fulfil the constraint '" + broken->text() + "'; " +
                  (allows_none() ? "no values do fulfil all constraints: mend these or add values"
                                 : "give the parameters defaults that do, as the third value"));
    }
  }

  bool empty() const noexcept { return parameters_.empty(); }
  const std::vector<parameter>& all() const noexcept { return parameters_; }
  const std::vector<std::pair<expression, std::vector<std::size_t>>>& constraints() const noexcept {
    return constraints_;
  }
  const parameter_values& defaults() const noexcept { return defaults_; }

  parameters pack(std::span<const std::int64_t> values) const { return {names_, values}; }

  /// "tile=16 unroll=4".
  std::string text_of(std::span<const std::int64_t> values) const;

  /// The values that text_of() has written; nothing where the text is not one of a valid point.
  std::optional<parameter_values> parse(std::string_view text) const;

  /// The first constraint that a point does not fulfil; null where all hold.
  const expression* violated(std::span<const std::int64_t> values) const;

 private:
  static bool has(const parameter& one, std::int64_t value) {
    return std::find(one.values.begin(), one.values.end(), value) != one.values.end();
  }

  void add(const constraint& given) { given_constraints_.push_back(given); }

  void add(const parameter& one);

  void read(const constraint& given);

  /// Whether no point fulfils the constraints; false where there are too many to look at.
  bool allows_none() const;

  std::size_t index_of(std::string_view name) const;

  std::shared_ptr<std::vector<std::string>> names_;
  std::vector<parameter> parameters_;
  parameter_values defaults_;
  std::vector<constraint> given_constraints_;
  std::vector<std::pair<expression, std::vector<std::size_t>>> constraints_;
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/parameters/parameter_space.ipp>
#endif
