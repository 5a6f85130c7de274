// What model.txt says, as it is read and before a predictor is made of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/model/described_parameters.hpp>
#include <fettle/model/error_model.hpp>
#include <fettle/model/expectation.hpp>
#include <fettle/model/model_input.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

/// What model.txt says.
struct description {
  std::string function;
  std::string classifier;
  std::vector<std::string> variants;
  std::string default_variant;
  std::vector<std::string> features;
  std::vector<model_input> inputs;
  std::optional<double> guard;
  std::string predictor_file;
  std::uint32_t predictor_checksum = 0;
  std::size_t predictor_size = 0;
  std::vector<std::pair<std::string, std::string>> provenance;
  std::vector<described_parameters> parameters;   ///< version 2
  std::vector<described_refinement> refinements;  ///< version 2
  std::vector<std::string> device;                ///< version 3: the features of the machine
  std::vector<expectation> expectations;          ///< version 3
  error_model errors;                             ///< version 4
};

/// The index of `name`; names.size() where it is not among them.
[[nodiscard]] inline std::size_t index_of(std::string_view name,
                                          const std::vector<std::string>& names) noexcept {
  std::size_t index = 0;
  while (index < names.size() && names[index] != name) ++index;
  return index;
}

}  // namespace fettle::model::detail
