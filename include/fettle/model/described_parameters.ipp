// Definitions of described_parameters.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/described_parameters.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/line_reader.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

[[gnu::cold]] FETTLE_INLINE described_parameters read_parameters(line_reader& lines) {
  described_parameters found;
  found.variant = lines.name("a variant");
  while (!lines.line_done()) {
    std::string_view word = lines.word("a parameter");
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string_view::npos) {
      lines.fail(detail::quoted(word) + " is not a parameter with its values");
    }
    std::string name(word.substr(0, equals));
    for (const auto& [other, values] : found.parameters) {
      if (other == name) lines.fail(detail::quoted(name) + " is twice among the parameters");
    }
    if (found.parameters.size() == maximum_parameters) {
      lines.fail("there are more than " + number_text(maximum_parameters) + " parameters");
    }
    word.remove_prefix(equals + 1);
    std::vector<std::int64_t> values;
    while (true) {
      const std::size_t comma = word.find(',');
      const auto value = parse_number<std::int64_t>(word.substr(0, comma));
      if (!value) lines.fail(detail::quoted(word.substr(0, comma)) + " is not a whole number");
      values.push_back(*value);
      if (comma == std::string_view::npos) break;
      word.remove_prefix(comma + 1);
    }
    found.parameters.emplace_back(std::move(name), std::move(values));
  }
  if (found.parameters.empty()) lines.fail("the variant's parameters are missing");
  return found;
}

}  // namespace fettle::model::detail
