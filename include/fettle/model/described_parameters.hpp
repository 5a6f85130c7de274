// What a model description (version 2) says of variants with parameters: docs/formats.md section 3.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/line_reader.hpp>

namespace fettle::inline FETTLE_ABI::model {

/// The parameters of a variant, with the values that they could have when the model was trained.
struct described_parameters {
  std::string variant;
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> parameters;
};

/// Another model, in a separate directory, that chooses among the points of a variant.
struct described_refinement {
  std::string variant;
  std::string directory;
  std::uint32_t checksum = 0;  ///< of its model.txt
};

namespace detail {

/// Reads the rest of a line `parameters tiled tile=16,32 unroll=1,2`.
[[nodiscard]] described_parameters read_parameters(line_reader& lines);

/// Whether `text` may name the directory of a refinement: it must not lead out of the model's.
[[nodiscard]] constexpr bool is_plain_name(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

}  // namespace detail

}  // namespace fettle::model

#ifndef FETTLE_COMPILED
#include <fettle/model/described_parameters.ipp>
#endif
